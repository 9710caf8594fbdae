"""What every dialog has."""

from __future__ import annotations

from typing import TypeVar

from textual.actions import SkipAction
from textual.screen import ModalScreen

from memtui.paths import shipped

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen, where ctrl+c still says how to quit."""

    CSS_PATH = shipped("styles") / "dialogs.tcss"

    def action_copy_text(self) -> None:
        try:
            super().action_copy_text()
        except SkipAction:
            # Textual asks the app's keys no more below a modal screen.
            self.app.action_help_quit()
