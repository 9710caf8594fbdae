"""Completion in an input: suggests what can stand at its cursor, without blocking the input (S-31)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.widgets import Input

from memtui.memory.query import completion
from memtui.memory.query.completion import CompletionContext
from memtui.memory.query.language import FILTERS
from memtui.tui.completing.suggestions import Suggestion, SuggestionList

ReadValues = Callable[[CompletionContext], object]
"""Starts to read the values for a part of the query; they are passed to `Completion.set_values`."""


class QueryLanguage:
    """What can stand in a query: filters and their values."""

    AFTER: ClassVar[str] = " "
    """What is inserted after a value at the end."""

    def at(self, text: str, cursor: int) -> CompletionContext | None:
        """Return what is being typed at the cursor; None if nothing is suggested for it."""
        return completion.completion_at(text, cursor)

    def fixed(self, part: CompletionContext) -> list[Suggestion] | None:
        """Return what is suggested, whatever memories there are; None if the memories have the values."""
        spec = FILTERS.get(part.name)
        if part.kind == "value" and spec is not None and not (spec.allowed or spec.form):
            return None
        return [(each, each, None) for each in completion.choices(part)]

    def quoted(self, value: str) -> str:
        """Return a stored value as it is typed."""
        return completion.quote_value(value)


class Completion:
    """Watches an input, shows suggestions for its cursor, and inserts the accepted one."""

    def __init__(
        self, suggestions: SuggestionList, read_values: ReadValues, language: QueryLanguage | None = None
    ) -> None:
        self.suggestions = suggestions
        self._read_values = read_values
        self._language = language or QueryLanguage()
        self._part: CompletionContext | None = None
        self._dismissed = ""  # the text for which nothing is suggested
        self.text_after: str | None = None
        """The input's text after the last suggestion was accepted."""

    def begin(self, input: Input) -> None:
        """Start to watch an input."""
        self._input = input
        for name in ("value", "selection", "has_focus"):
            self.suggestions.watch(input, name, self._update, init=False)

    @property
    def open(self) -> bool:
        """Whether suggestions are shown."""
        return self.suggestions.open

    @property
    def accepts(self) -> bool:
        """Whether there is something to accept: chosen, or typed in part."""
        part = self._part
        typed = part is not None and (part.kind == "value" or bool(part.prefix))
        return self.open and (self.suggestions.chosen or typed)

    def dismiss(self) -> None:
        """Suggest nothing until the text changes."""
        self._dismissed = self._input.value
        self._update()

    def accept(self) -> None:
        """Insert the highlighted suggestion, else the first."""
        part, text = self._part, self._input.value
        if part is None:
            return
        inserted, rest = self.suggestions.current, text[part.end :]
        if part.kind == "value" and not rest:
            inserted += self._language.AFTER
        self._input.value = f"{text[: part.start]}{inserted}{rest}"
        self._input.cursor_position = part.start + len(inserted)
        self.text_after = self._input.value

    def _update(self) -> None:
        text, cursor = self._input.value, self._input.cursor_position
        if text != self._dismissed:
            self._dismissed = ""
        part = self._language.at(text, cursor) if self._input.has_focus and not self._dismissed else None
        if part == self._part:
            return
        before, self._part = self._part, part
        if part is None:
            self.suggestions.close()
        elif (fixed := self._language.fixed(part)) is not None:
            self._show(fixed)
        else:
            # Until the values are read, those of the same filter that still match stay.
            same = before is not None and before.name == part.name
            self._show([each for each in self.suggestions.suggestions if same and _matches(each[1], part)])
            self._read_values(part)

    def set_values(self, part: CompletionContext, values: Sequence[tuple[str, int]]) -> None:
        """Suggest values with their counts, unless the cursor is elsewhere by now."""
        if part == self._part:
            self._show([(self._language.quoted(value), value, count) for value, count in values])

    def _show(self, suggestions: list[Suggestion]) -> None:
        part, input = self._part, self._input
        assert part is not None
        if len(suggestions) == 1 and input.value[part.start : part.end] == suggestions[0][0]:
            suggestions = []
        column = cell_len(input.value[: part.start]) - input.scroll_offset.x
        self.suggestions.show(suggestions, input.content_region.x + column - 2)


def _matches(value: str, part: CompletionContext) -> bool:
    return value.casefold().startswith(part.prefix.casefold())
