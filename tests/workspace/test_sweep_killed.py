"""A sweep that is killed goes on from there, and two at once do no harm (S-40, S-93)."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from memtui.workspace.workspace import Workspace

COUNT = 120
_PROGRAM = """
import sys
from pathlib import Path
from memtui.workspace.manners import Manners
from memtui.workspace.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
swept = workspace.sweep(Manners(tell=lambda done, left: print(done, left, flush=True)))
workspace.close()
print("end", swept.memories, swept.left, flush=True)
"""


def stocked(path: Path) -> None:
    workspace = Workspace.open(path)
    rooms = ("cellar", "attic", "kitchen", "garage")
    for number in range(COUNT):
        room = rooms[number % 4]
        workspace._core.db.run(
            "INSERT INTO memories (uid, store_id, ref, content, subject, seen_at) "
            "VALUES (?1, 1, ?1, ?2, ?3, 1)",
            (
                f"own{number}",
                f"The kiln {number} of the {room} is lit at {number % 11 + 8}:00.",
                f"Kiln {number % 20}",
            ),
        )
    workspace.close()


def findings(path: Path) -> set[tuple[object, ...]]:
    workspace = Workspace.open(path)
    try:
        assert workspace.review().left == 0
        assert workspace._core.db.one("PRAGMA integrity_check") == "ok"
        pairs = workspace.pairs(state="")
        assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
        assert all(pair.a < pair.b for pair in pairs)
        return {(pair.a, pair.b, pair.family, pair.kind) for pair in pairs}
    finally:
        workspace.close()


def begun(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_killed_sweep_goes_on_and_finds_the_same(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    for path in (whole, cut):
        stocked(path)
    undisturbed = begun(whole)
    assert undisturbed.communicate(timeout=100)[0].split()[-3:] == ["end", str(COUNT), "0"]
    for _ in range(3):
        child = begun(cut)
        assert child.stdout is not None
        child.stdout.readline()  # its first batch is kept
        time.sleep(0.02)  # somewhere in the next one
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=100)
        workspace = Workspace.open(cut)
        left = workspace.review().left
        workspace.close()
        assert left < COUNT
    last = begun(cut)
    assert last.communicate(timeout=100)[0].split()[-3:] == ["end", str(left), "0"]
    assert findings(cut) == findings(whole) != set()


def test_two_sweeps_at_once(tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone.db", tmp_path / "shared.db"
    for path in (alone, shared):
        stocked(path)
    assert begun(alone).wait(timeout=100) == 0
    both = [begun(shared), begun(shared)]
    for child in both:
        out, err = child.communicate(timeout=100)
        assert (child.returncode, err) == (0, "")
        assert out.split()[-1] == "0"
    assert findings(shared) == findings(alone)
