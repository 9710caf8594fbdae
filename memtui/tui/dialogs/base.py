"""What every dialog has."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar, TypeVar

from textual.actions import SkipAction
from textual.screen import ModalScreen

from memtui.paths import shipped

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen, where ctrl+c still says how to quit."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = shipped("styles") / "dialogs.tcss"

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            # Textual asks the app's keys no more below a modal screen.
            self.app.action_help_quit()
