"""From exec to the first screen with memories on it, beside a bare Textual app in the same terminal."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.measure import PYTHON, ROOT, Result, until
from memtui.workspace.workspace import Workspace


def measure(path: Path, count: int, times: int) -> list[Result]:
    """The frame with rows, and the first frame at all."""
    workspace = Workspace.open(path)
    (row,) = workspace.rows(workspace.search("").ids[:1])
    workspace.close()
    ours = [PYTHON, "-m", "memtui", "--workspace", str(path)]
    plain = [PYTHON, str(ROOT / "benchmarks" / "bare_app.py")]
    rows, frames, bare = [], [], []
    until(ours, [b"Memories"])  # compiles what is not compiled yet
    for _ in range(times):
        frame, with_rows = until(ours, [b"Memories", row.label[:12].encode()])
        rows.append(with_rows)
        frames.append(frame)
        bare += until(plain, [b"bare and ready"])
    return [
        Result(f"first screen with rows, {count:,} memories", median(rows), median(bare), 1.6),
        Result("first screen at all", median(frames), median(bare)),
    ]
