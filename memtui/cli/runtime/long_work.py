"""Long work of a command: its progress on a terminal, and ctrl+c, which stops it between two steps (S-82)."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from memtui.cli.runtime.output import Output
from memtui.errors import Refused

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl


@contextmanager
def long_work(output: Output, label: str) -> Iterator[JobControl | None]:
    """Yield what shows the progress of work on a terminal, and lets ctrl+c stop it; None where nothing is a
    terminal, since parts cost time and nobody can press a key."""
    # A stream that was closed before Python started is None, as below some daemons.
    if not any(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        yield None
        return
    from memtui.workspace.background import JobControl

    drawn = False

    def report(done: int, left: int) -> None:
        nonlocal drawn
        if left:  # what is done at once shows nothing
            output.progress(label, done / (done + left))
            drawn = True

    with interruptible() as stopped:
        try:
            yield JobControl(stop=stopped, report=report)
        except Refused as refused:
            if refused.code == "stopped":
                raise KeyboardInterrupt from None  # exit code 130
            raise
        finally:
            if drawn:
                output.progress(label, 1.0)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether ctrl+c was pressed, to be asked between two batches; a second
    ctrl+c interrupts at once. A program that a shell started in the background goes on ignoring it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield lambda: False
        return
    requested = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal requested
        if requested:
            raise KeyboardInterrupt
        requested = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: requested
    finally:
        signal.signal(signal.SIGINT, before)
