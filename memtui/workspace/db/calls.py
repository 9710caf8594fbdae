"""The call of an agent that is being served on this thread: the journal and the recall log name its tool and
session (S-50)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LONGEST = 200  # characters of either


@dataclass(frozen=True, slots=True)
class Call:
    """The tool or hook that an agent called ("memory_store", "hook:stop"), and its session; "" if neither is
    known."""

    tool: str = ""
    session: str = ""


_NONE = Call()
_current: ContextVar[Call] = ContextVar("call", default=_NONE)


@contextmanager
def calling(tool: str, session: str) -> Iterator[None]:
    """Name the call that is served within."""
    token = _current.set(Call(tool[:LONGEST], session[:LONGEST]))
    try:
        yield
    finally:
        _current.reset(token)


def tool() -> str:
    """Return the tool that is being called; "" if none is."""
    return _current.get().tool


def session() -> str:
    """Return the session of the agent that calls; "" if none does or it is not known."""
    return _current.get().session
