"""The base of every dialog: a message line, and a write that it waits for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.actions import SkipAction
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.secrets.masking import hidden
from memtui.paths import data_folder
from memtui.text import safe_text
from memtui.tui.workers import wording
from memtui.tui.workers.guarded import error_text

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen whose result is of type T."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = data_folder("styles") / "dialogs.tcss"
    MESSAGE_LIMIT = 600  # characters

    app: MemtuiApp
    writing = False
    """Whether a write is under way."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close with a result, once: a second key may come before the dialog is gone."""
        return super().dismiss(result) if self.is_current else AwaitComplete()

    def show_message(self, text: str) -> None:
        """Show a message in the dialog, or on the status line if the dialog has no place for it."""
        if (line := next(self.query("#message").results(Static), None)) is not None:
            line.update(Content(safe_text(hidden(text), one_line=True, limit=self.MESSAGE_LIMIT)))
        else:
            self.app.show_status(text)

    def run_write(self, failed: str, action: Callable[[], T]) -> None:
        """Run a write unless one is under way, and close with its result.

        If it is refused or fails, the dialog stays open and shows why; `failed` stands before an error.
        """
        if not self.writing:
            self.writing = True
            self._close_when_done(failed, self.app.lanes.write(action))

    @work(group="write", exclusive=False)
    async def _close_when_done(self, failed: str, writing: Awaitable[T]) -> None:
        try:
            result = await writing
        except Refused as refused:
            self.show_message(error_text(refused))
        except Exception as error:  # whatever it was, it is shown and the dialog stays
            self.show_message(wording.failed(failed, error_text(error)))
        else:
            self.dismiss(result)
        finally:
            self.writing = False

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            # Textual does not look for the app's bindings below a modal screen.
            self.app.action_help_quit()
