"""A signal ends the process whatever the screen's thread waits for; a write that was begun may finish."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import os, signal, sys, threading, time
from pathlib import Path
from memtui.tui.terminal import signals

path, blocked, writing_time = Path(sys.argv[1]), sys.argv[2] == "blocked", float(sys.argv[3])
signals.TIME_TO_EXIT, signals.TIME_TO_WRITE = 0.2, 2.0
ended, written = threading.Event(), threading.Event()

def write():
    time.sleep(writing_time)
    path.write_text("done")
    written.set()

threading.Thread(target=write, daemon=True).start()
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()
with signals.ending_on_signals(ended.set, lambda: not written.is_set()):
    (threading.Event() if blocked else ended).wait()
"""


@pytest.mark.parametrize(
    ("state", "writing_time", "code", "is_written"),
    [
        ("blocked", 0.8, 143, True),  # the write is finished first
        ("blocked", 60.0, 143, False),  # but not waited for without end
        ("exiting", 60.0, 0, False),  # an app that exits is left alone
    ],
)
def test_a_signal_ends_the_process(
    tmp_path: Path, state: str, writing_time: float, code: int, is_written: bool
) -> None:
    path, begun = tmp_path / "written", time.monotonic()
    ran = subprocess.run([sys.executable, "-c", PROGRAM, str(path), state, str(writing_time)], timeout=60)
    assert ran.returncode == code
    assert path.exists() == is_written
    assert time.monotonic() - begun < 30
