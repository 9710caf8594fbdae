"""Ending on a signal, also when the screen's thread is blocked: Textual waits for ever for a terminal that
takes no more output, and then no handler of the event loop is called (S-6)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

SIGNALS = (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)
TIME_TO_EXIT = 3.0  # seconds that the app has to end by itself
TIME_TO_WRITE = 10.0  # seconds more for writes under way; one that is cut off is settled at the next start


@contextmanager
def ending_on_signals(ask_to_exit: Callable[[], object], is_writing: Callable[[], bool]) -> Iterator[None]:
    """On a signal, ask the app within to exit, and end the process if it does not."""
    events: SimpleQueue[int] = SimpleQueue()  # a signal's handler may interrupt its `put`
    watch = threading.Thread(
        target=_watch, args=(events, ask_to_exit, is_writing), name="memtui-signals", daemon=True
    )
    watch.start()
    # Python's own handlers run in the main thread even while it waits for a lock.
    previous = {each: signal.signal(each, lambda number, _: events.put(number)) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in previous.items():
            signal.signal(each, handler)
        events.put(0)
        watch.join()


def _watch(
    events: SimpleQueue[int], ask_to_exit: Callable[[], object], is_writing: Callable[[], bool]
) -> None:
    """Wait for a signal, or for 0: the app has ended."""
    if not (number := events.get()):
        return
    with suppress(RuntimeError):  # the app is ending
        ask_to_exit()
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < TIME_TO_EXIT or (
        is_writing() and waited < TIME_TO_EXIT + TIME_TO_WRITE
    ):
        with suppress(Empty):
            if events.get(timeout=0.05) == 0:
                return
    os._exit(128 + number)
