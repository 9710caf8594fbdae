"""Three threads for everything that may block: one reads, one writes and is never interrupted, one does long
reading in the background (docs/internals.md)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import ParamSpec, TypeVar

from memtui.memory.secrets.masking import masked_deep

T = TypeVar("T")
P = ParamSpec("P")
Interruptible = Callable[[Callable[[], bool]], AbstractContextManager[None]]


class Lanes:
    """Run everything that may block, so that no key ever waits for a file."""

    def __init__(self) -> None:
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="memtui-reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="memtui-writer")
        self._background = ThreadPoolExecutor(1, thread_name_prefix="memtui-background")
        self._pending: set[object] = set()  # futures
        self._writes: set[object] = set()  # those of the writing thread
        self.interruptible: Interruptible = lambda stop: nullcontext()
        """Context in which a read ends early once `stop` returns true; set to the workspace's own."""

    async def read(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a read for showing: secrets are masked in what it returns (S-62)."""
        return await self.read_raw(lambda: masked_deep(fn(*args, **kwargs)))

    async def read_raw(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a read of what is written again, or revealed; if cancelled, it is dropped while queued and
        interrupted while running."""
        stop = threading.Event()

        def interruptible_read() -> T:
            with self.interruptible(stop.is_set):
                return fn(*args, **kwargs)

        try:
            return await asyncio.wrap_future(self._submit(self._reader, interruptible_read))
        except asyncio.CancelledError:
            stop.set()
            raise

    def post(self, fn: Callable[[], object]) -> None:
        """Run `fn` in the reading thread without waiting for it."""
        with suppress(RuntimeError):  # the lanes are closed, and what `fn` would release with them
            self._reader.submit(fn)

    def write(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Queue a write at once; it is carried out, in order, even if nobody waits for it or the app exits.

        Call it where the key is handled: a coroutine may be cancelled before it begins."""
        future = self._submit(self._writer, partial(fn, *args, **kwargs))
        self._writes.add(future)
        future.add_done_callback(self._writes.discard)
        return _waiting(future)

    def background(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Queue long reading for showing at once, of the stores for example, concurrent with reads and
        writes; secrets are masked in what it returns."""
        return self.background_raw(lambda: masked_deep(fn(*args, **kwargs)))

    def background_raw(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Queue long reading of what is written again, or has no secrets."""
        return _waiting(self._submit(self._background, partial(fn, *args, **kwargs)))

    async def poll(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run long reading in the background that does not count as activity: see `idle`."""
        future = self._background.submit(fn, *args, **kwargs)
        return await asyncio.shield(asyncio.wrap_future(future))

    @property
    def idle(self) -> bool:
        """Whether nothing is running or queued, polling aside."""
        return not self._pending

    @property
    def is_writing(self) -> bool:
        """Whether a write is under way or queued."""
        return bool(self._writes)

    def close(
        self,
        close_reader: Callable[[], object] | None = None,
        close_writer: Callable[[], object] | None = None,
    ) -> None:
        """Finish what is queued; blocks.

        `close_reader` runs last in the reading and in the background thread, `close_writer` in the writing
        thread."""
        for pool in (self._reader, self._background):
            if close_reader is not None:
                pool.submit(close_reader)
            pool.shutdown(wait=True)
        if close_writer is not None:
            self._writer.submit(close_writer)
        self._writer.shutdown(wait=True)

    def _submit(self, pool: ThreadPoolExecutor, fn: Callable[[], T]) -> Future[T]:
        future = pool.submit(fn)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future


def _waiting(work: Future[T]) -> asyncio.Future[T]:
    """Return what waits for `work` and does not cancel it; an error is no news if nobody waits anymore."""
    waiting = asyncio.shield(asyncio.wrap_future(work))
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return waiting
