"""The parts as processes of their own, each in one group with all that it starts: none outlives the soak.

Where the soak is ended, it ends them. Where it is killed, each finds its stdin at an end, which is a pipe
that only the soak holds open.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

GRACE_SECONDS = 30.0  # seconds that a part has to clear away and to tell what it did


class Processes:
    """Those that run now. Once they are ended, no other begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stdin, self._held_open = os.pipe()  # nothing is ever written
        self.ended = False

    def run(self, arguments: list[str], seconds: float) -> tuple[str, int, bool]:
        """What `python -m` with these arguments prints, how it ends, and whether it was ended from here
        after so many seconds."""
        with self._lock:
            if self.ended:
                return "", 0, False
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                stdin=self._stdin,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self._running.add(process)
        try:
            return self._awaited(process, seconds)
        finally:
            _kill(process.pid)  # what it left running
            with self._lock:
                self._running.discard(process)

    def _awaited(self, process: subprocess.Popen[str], seconds: float) -> tuple[str, int, bool]:
        stopped = False
        try:
            said = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            stopped = True
            process.terminate()
            said = _remaining_output(process)
        return said, process.returncode, stopped

    def end(self) -> None:
        """End all that run, with whatever they started."""
        with self._lock:
            self.ended = True
            running = list(self._running)
        for process in running:
            process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_SECONDS)
            _kill(process.pid)


def _remaining_output(process: subprocess.Popen[str]) -> str:
    try:
        return process.communicate(timeout=GRACE_SECONDS)[0]
    except subprocess.TimeoutExpired:
        _kill(process.pid)
        return process.communicate()[0]


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


@contextmanager
def exit_with_parent() -> Iterator[None]:
    """In a part: once the soak is gone, clear away and end with all that was started."""
    gone = threading.Event()

    def watch() -> None:
        os.read(0, 1)
        gone.set()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE_SECONDS)
        _kill(os.getpid())

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        if gone.is_set():
            _kill(os.getpid())


_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def interrupt_on_signals() -> None:
    """Have SIGTERM, and SIGHUP of a terminal that closes, be what Ctrl-C is: KeyboardInterrupt, which clears
    away. Nothing is changed for who has one of them ignored, as nohup does."""
    for each in _SIGNALS:
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, _interrupt_once)


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    for each in _SIGNALS:  # the next one would interrupt the clearing away
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt
