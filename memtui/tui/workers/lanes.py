"""Three threads beside the screen: one reads, one writes and is never interrupted, one looks at the
stores (DESIGN wall 5)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, TypeVar

T = TypeVar("T")
Interruptible = Callable[[Callable[[], bool]], AbstractContextManager[None]]


class Lane:
    """All work that may block goes through here, so that no key ever waits for a file."""

    def __init__(self) -> None:
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="memtui-reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="memtui-writer")
        self._looker = ThreadPoolExecutor(1, thread_name_prefix="memtui-looker")
        self._pending: set[Future[Any]] = set()
        self.interruptible: Interruptible = lambda stop: nullcontext()
        """Makes what a thread reads meanwhile end once it is told to; the workspace's own."""

    async def ask(self, fn: Callable[..., T], *args: Any) -> T:
        """Run a read; one that is cancelled before its turn is never run, later it is interrupted."""
        stop = threading.Event()

        def read() -> T:
            with self.interruptible(stop.is_set):
                return fn(*args)

        try:
            return await asyncio.wrap_future(self._submit(self._reader, read, ()))
        except asyncio.CancelledError:
            stop.set()
            raise

    def tell(self, fn: Callable[[], object]) -> None:
        """Run something in the reading thread that nobody waits for."""
        with suppress(RuntimeError):  # the lane is closed: so is what it read
            self._reader.submit(fn)

    async def change(self, fn: Callable[..., T], *args: Any) -> T:
        """Run a write in order; it is carried out even if nobody waits for it any more."""
        return await asyncio.shield(asyncio.wrap_future(self._submit(self._writer, fn, args)))

    async def look(self, fn: Callable[..., T], *args: Any, counted: bool = True) -> T:
        """Run long reading of the stores beside both; it waits for neither. With `counted`, the
        lane is not idle meanwhile."""
        if counted:
            return await asyncio.shield(asyncio.wrap_future(self._submit(self._looker, fn, args)))
        return await asyncio.shield(asyncio.wrap_future(self._looker.submit(fn, *args)))

    @property
    def idle(self) -> bool:
        """Whether nothing is running or queued."""
        return not self._pending

    def close(
        self, leave: Callable[[], object] | None = None, last: Callable[[], object] | None = None
    ) -> None:
        """Finish what is queued, then run `leave` in the reading and looking and `last` in the writing
        thread; blocks."""
        for pool in (self._reader, self._looker):
            if leave is not None:
                pool.submit(leave)
            pool.shutdown(wait=True)
        if last is not None:
            self._writer.submit(last)
        self._writer.shutdown(wait=True)

    def _submit(self, pool: ThreadPoolExecutor, fn: Callable[..., T], args: tuple[Any, ...]) -> Future[T]:
        future = pool.submit(fn, *args)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future
