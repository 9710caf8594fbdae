"""Two threads beside the screen: one reads, one writes and is never interrupted (DESIGN wall 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class Lane:
    """All work that may block goes through here, so that no key ever waits for a file."""

    def __init__(self) -> None:
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="memtui-reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="memtui-writer")
        self._pending: set[Future[Any]] = set()

    async def ask(self, fn: Callable[..., T], *args: Any) -> T:
        """Run a read; a read that is cancelled before its turn is never run."""
        return await asyncio.wrap_future(self._submit(self._reader, fn, args))

    async def change(self, fn: Callable[..., T], *args: Any) -> T:
        """Run a write in order; it is carried out even if nobody waits for it any more."""
        return await asyncio.shield(asyncio.wrap_future(self._submit(self._writer, fn, args)))

    @property
    def idle(self) -> bool:
        """Whether nothing is running or queued."""
        return not self._pending

    def close(
        self, leave: Callable[[], object] | None = None, last: Callable[[], object] | None = None
    ) -> None:
        """Finish what is queued, then run `leave` in the reading and `last` in the writing thread; blocks."""
        if leave is not None:
            self._reader.submit(leave)
        self._reader.shutdown(wait=True)
        if last is not None:
            self._writer.submit(last)
        self._writer.shutdown(wait=True)

    def _submit(self, pool: ThreadPoolExecutor, fn: Callable[..., T], args: tuple[Any, ...]) -> Future[T]:
        future = pool.submit(fn, *args)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future
