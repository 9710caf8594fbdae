"""The parts as processes of their own, each in one group with all that it starts: none outlives the soak."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

GRACE = 30.0  # seconds that a part has to clear away and to tell what it did


class Processes:
    """Those that run now. Once they are ended, no other begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self.ended = False

    def run(self, arguments: list[str], seconds: float) -> tuple[str, int, bool]:
        """What `python -m` with these arguments prints, how it ends, and whether it was ended from here
        after so many seconds."""
        with self._lock:
            if self.ended:
                return "", 0, False
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self._running.add(process)
        try:
            return self._awaited(process, seconds)
        finally:
            _kill(process)  # what it left running
            with self._lock:
                self._running.discard(process)

    def _awaited(self, process: subprocess.Popen[str], seconds: float) -> tuple[str, int, bool]:
        stopped = False
        try:
            said = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            stopped = True
            process.terminate()
            said = _last_words(process)
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
                process.wait(GRACE)
            _kill(process)


def _last_words(process: subprocess.Popen[str]) -> str:
    try:
        return process.communicate(timeout=GRACE)[0]
    except subprocess.TimeoutExpired:
        _kill(process)
        return process.communicate()[0]


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def raise_on_sigterm() -> None:
    """Have SIGTERM be what Ctrl-C is: KeyboardInterrupt, which clears away."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
