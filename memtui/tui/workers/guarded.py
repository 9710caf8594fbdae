"""Workers whose errors become a line of text instead of ending the app (S-90)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from textual import work
from textual.worker import Worker

from memtui.errors import Refused, driver_error
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class _OnScreen(Protocol):
    """A widget or screen of the app."""

    @property
    def app(self) -> MemtuiApp: ...


P = ParamSpec("P")
S = TypeVar("S", bound=_OnScreen)


def worker(
    failed: str, *, group: str, exclusive: bool = True
) -> Callable[
    [Callable[Concatenate[S, P], Coroutine[None, None, None]]], Callable[Concatenate[S, P], Worker[None]]
]:
    """Run a method as a Textual worker whose errors are shown on the status line.

    `failed` names what could not be done. With `exclusive`, a new call cancels the one before it in `group`.
    """

    def decorate(
        method: Callable[Concatenate[S, P], Coroutine[None, None, None]],
    ) -> Callable[Concatenate[S, P], Worker[None]]:
        @wraps(method)
        async def guarded(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            try:
                await method(self, *args, **kwargs)
            except Refused as refused:
                self.app.show_refusal(refused)
            except Exception as error:  # whatever it was, it is shown and the screen stays
                self.app.show_error(failed, error)

        return work(guarded, group=group, exclusive=exclusive)

    return decorate


def error_text(error: Exception) -> str:
    """Return an exception as text for display."""
    if isinstance(error, Refused):
        return wording.with_hint(error.message, error.hint)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    if driver_error(error) == "CorruptError":
        return wording.DAMAGED_WORKSPACE
    return str(error) or type(error).__name__
