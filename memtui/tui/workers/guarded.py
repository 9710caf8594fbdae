"""Workers that may fail: what went wrong becomes a line of text, and the app lives on (S-90)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from textual import work
from textual.worker import Worker

from memtui.errors import Refused, driver_error

P = ParamSpec("P")
S = TypeVar("S")


def worker(
    failed: str, *, group: str, exclusive: bool = True
) -> Callable[
    [Callable[Concatenate[S, P], Coroutine[Any, Any, None]]], Callable[Concatenate[S, P], Worker[None]]
]:
    """A method as a worker that ends quietly; `failed` says what could not be done."""

    def decorate(
        method: Callable[Concatenate[S, P], Coroutine[Any, Any, None]],
    ) -> Callable[Concatenate[S, P], Worker[None]]:
        @wraps(method)
        async def quietly(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            try:
                await method(self, *args, **kwargs)
            except Refused as refused:
                self.app.say_refused(refused)  # type: ignore[attr-defined]
            except Exception as error:  # whatever it was: the person reads it, the screen stays
                self.app.say_failed(failed, error)  # type: ignore[attr-defined]

        return work(quietly, group=group, exclusive=exclusive)

    return decorate


def in_words(error: Exception) -> str:
    """An exception as a person may read it."""
    if isinstance(error, Refused):
        return f"{error.message} {error.hint}".strip()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    if driver_error(error) == "CorruptError":
        return "the workspace's file is damaged; memtui doctor --salvage NEW saves what can be read"
    return str(error) or type(error).__name__
