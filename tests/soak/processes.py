"""The processes of the parts, each in a group with all that it starts: none outlives the soak.

If the soak is ended, it ends them. If it is killed, each finds the end of its stdin, a pipe that only the
soak holds open.
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

GRACE_SECONDS = 30.0  # for a part to clean up and print its results


class Processes:
    """The running parts. Once they are ended, no other starts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stdin, self._held_open = os.pipe()  # nothing is ever written
        self.ended = False

    def run(self, arguments: list[str], seconds: float) -> tuple[str, int, bool]:
        """Run `python -m` with these arguments; return its output, its exit code, and whether it was ended
        after `seconds`."""
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
            return self._wait(process, seconds)
        finally:
            _kill(process.pid)  # also what it left running
            with self._lock:
                self._running.discard(process)

    def _wait(self, process: subprocess.Popen[str], seconds: float) -> tuple[str, int, bool]:
        timed_out = False
        try:
            output = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            timed_out = True
            process.terminate()
            output = _remaining_output(process)
        return output, process.returncode, timed_out

    def end(self) -> None:
        """End all parts, with everything that they started."""
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
    """In a part: if the soak ends, clean up and end with everything that was started."""
    soak_ended = threading.Event()

    def watch() -> None:
        os.read(0, 1)
        soak_ended.set()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE_SECONDS)
        _kill(os.getpid())

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        if soak_ended.is_set():
            _kill(os.getpid())


_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def interrupt_on_signals() -> None:
    """Raise KeyboardInterrupt, which cleans up, on SIGTERM and on SIGHUP, which a closing terminal sends. A
    signal that is ignored (by nohup, for instance) stays ignored."""
    for each in _SIGNALS:
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, _interrupt_once)


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    for each in _SIGNALS:  # another one would interrupt the cleaning up
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt
