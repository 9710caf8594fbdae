"""From exec to the first screen with memories, compared with a bare Textual app in the same terminal."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.measure import PYTHON, ROOT, Result, time_to_output
from memtui.workspace.workspace import Workspace


def measure(path: Path, count: int, times: int) -> list[Result]:
    """Measure the first frame with rows, and the first frame of all."""
    workspace = Workspace.open(path)
    (row,) = workspace.rows(workspace.search("").ids[:1])
    workspace.close()
    memtui = [PYTHON, "-m", "memtui", "--workspace", str(path)]
    bare_app = [PYTHON, str(ROOT / "benchmarks" / "keys" / "bare_app.py")]
    rows, frames, bare = [], [], []
    time_to_output(memtui, [b"Memories"])  # compiles modules that are not compiled yet
    for _ in range(times):
        frame, with_rows = time_to_output(memtui, [b"Memories", row.label[:12].encode()])
        rows.append(with_rows)
        frames.append(frame)
        bare += time_to_output(bare_app, [b"bare and ready"])
    return [
        Result(f"first screen with rows, {count:,} memories", median(rows), median(bare), 1.6),
        Result("first screen at all", median(frames), median(bare)),
    ]
