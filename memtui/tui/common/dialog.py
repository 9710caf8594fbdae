"""What every dialog has: a place for words, and a write that it waits for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.actions import SkipAction
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from memtui.errors import Refused
from memtui.paths import shipped
from memtui.text import safe_text
from memtui.tui.workers.guarded import in_words

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen, where ctrl+c still says how to quit."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = shipped("styles") / "dialogs.tcss"
    SAYS = 600  # characters of what it says

    app: MemtuiApp
    doing = False
    """What was asked for is being written."""

    def tell(self, text: str) -> None:
        """In the lines of this dialog, since it lies over the screen's; a dialog without such lines leaves
        the words to the screen below."""
        if (lines := next(self.query("#said").results(Static), None)) is not None:
            lines.update(Content(safe_text(text, one_line=True, limit=self.SAYS)))
        else:
            self.app.say(text)

    def do(self, failed: str, act: Callable[[], T]) -> None:
        """Carry out a write, once; what comes of it is the dialog's answer. Where it is refused or fails,
        the dialog says why, and what was typed stays."""
        if not self.doing:
            self.doing = True
            self._do(failed, act)

    @work(group="do", exclusive=False)
    async def _do(self, failed: str, act: Callable[[], T]) -> None:
        try:
            answer = await self.app.lane.change(act)
        except Refused as refused:
            self.tell(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was, the person must read it
            self.tell(f"{failed}: {in_words(error)}")
        else:
            self.dismiss(answer)
        finally:
            self.doing = False

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            # Textual asks the app's keys no more below a modal screen.
            self.app.action_help_quit()
