"""Ending on a signal, also when the screen's thread is blocked: Textual waits for ever for a terminal that
takes no more output, and then no handler of the event loop is called (S-6)."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SIGNALS = (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)
TIME_TO_EXIT = 3.0  # seconds that the app has to end by itself
TIME_TO_WRITE = 10.0  # seconds more for writes under way; one that is cut off is settled at the next start
_ENDED = 0  # in place of a signal: the app has ended


@contextmanager
def ending_on_signals(ask_to_exit: Callable[[], object], is_writing: Callable[[], bool]) -> Iterator[None]:
    """On a signal, ask the app within to exit, and end the process if it does not."""
    # The number of a signal is written there at once, by whichever thread receives it. A handler in Python
    # would wait for the main thread, which does not notice a signal if it comes just before it waits for a
    # lock.
    numbers, sending = os.pipe()
    os.set_blocking(sending, False)
    watch = threading.Thread(
        target=_watch, args=(numbers, ask_to_exit, is_writing), name="memtui-signals", daemon=True
    )
    watch.start()
    before = signal.set_wakeup_fd(sending, warn_on_full_buffer=False)
    handlers = {each: signal.signal(each, lambda *_: None) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(before)
        os.write(sending, bytes([_ENDED]))
        watch.join()
        os.close(numbers)
        os.close(sending)


def _watch(numbers: int, ask_to_exit: Callable[[], object], is_writing: Callable[[], bool]) -> None:
    """Wait for one of the signals, or for the end of the app."""
    received = b""
    while not any(each in (*SIGNALS, _ENDED) for each in received):
        received = os.read(numbers, 64)
    if _ENDED in received:
        return
    number = next(each for each in received if each in SIGNALS)
    with suppress(Exception):  # whatever it is, the process has to end
        ask_to_exit()
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < TIME_TO_EXIT or (
        is_writing() and waited < TIME_TO_EXIT + TIME_TO_WRITE
    ):
        ready, _, _ = select.select([numbers], [], [], 0.05)
        if ready and _ENDED in os.read(numbers, 64):
            return
    os._exit(128 + number)
