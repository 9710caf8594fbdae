"""The ids of new records: the one source of randomness of the formats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from uuid import UUID, uuid4

_source: ContextVar[Callable[[], UUID]] = ContextVar("new ids", default=uuid4)


def new_uuid() -> UUID:
    """Return a random UUID that nothing has yet."""
    return _source.get()()


@contextmanager
def repeatable(seed: str) -> Iterator[None]:
    """Make all new ids within the block follow from `seed`, for a store that is written as a whole (S-70)."""
    numbers = count()

    def following() -> UUID:
        digest = hashlib.sha256(f"{next(numbers)} {seed}".encode("utf-8", "surrogatepass")).digest()
        return UUID(bytes=digest[:16], version=4)

    token = _source.set(following)
    try:
        yield
    finally:
        _source.reset(token)
