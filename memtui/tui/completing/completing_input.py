"""An input that is completed, and what shows an invalid part of it (S-31)."""

from __future__ import annotations

from collections.abc import Callable

from rich.highlighter import Highlighter
from rich.text import Text

from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.completing.completion import Completion


class FaultHighlighter(Highlighter):
    """Underlines the invalid part of what was typed."""

    def __init__(self, style: Callable[[], str]) -> None:
        self.part: tuple[int, int] | None = None
        self._style = style

    def highlight(self, text: Text) -> None:
        if self.part is not None:
            start, end = self.part
            text.stylize(self._style(), start, max(end, start + 1))


class CompletingInput(SafeInput):
    """While suggestions are shown, up and down choose one, tab accepts it and esc closes them; enter accepts
    one that was chosen."""

    BINDINGS = command_table.bindings(names.SUGGESTIONS)

    def __init__(self, text: str, completion: Completion, *, id: str) -> None:
        self._fault = FaultHighlighter(lambda: f"underline {self.app.theme_variables.get('error', 'red')}")
        super().__init__(text, id=id, compact=True, highlighter=self._fault, select_on_focus=False)
        self.completion = completion
        """What suggests what may be typed."""

    def on_mount(self) -> None:
        self.completion.begin(self)

    def mark(self, part: tuple[int, int] | None) -> None:
        """Mark an invalid part, from its first character to that after its last; None for no part."""
        if self._fault.part != part:
            self._fault.part = part
            self.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "accept_suggestion":
            return self.completion.accepts
        if action in ("next_suggestion", "previous_suggestion", "close_suggestions"):
            return self.completion.open
        return True

    async def action_submit(self) -> None:
        if self.completion.open and self.completion.suggestions.chosen:
            self.completion.accept()
        else:
            await super().action_submit()

    def action_accept_suggestion(self) -> None:
        if self.completion.open:
            self.completion.accept()

    def action_next_suggestion(self) -> None:
        self.completion.suggestions.step(1)

    def action_previous_suggestion(self) -> None:
        self.completion.suggestions.step(-1)

    def action_close_suggestions(self) -> None:
        self.completion.dismiss()
