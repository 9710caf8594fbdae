"""Completing in the search line: what could stand at the cursor is offered below it, and never waited
for (S-31)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.widgets import Input

from memtui.memory.query import completion
from memtui.memory.query.completion import Completing
from memtui.memory.query.language import FILTERS
from memtui.tui.browse.suggestions import Offer, Suggestions

Ask = Callable[[Completing], object]
"""Begins to read values; `came` is told them."""


class Completion:
    """Watches a search line, has values read, and puts in what is taken."""

    def __init__(self, offers: Suggestions, ask: Ask) -> None:
        self.offers = offers
        self._ask = ask
        self._what: Completing | None = None
        self._left = ""  # the text for which nothing is to be offered
        self.taken: str | None = None  # the line as the last offer left it

    def begin(self, input: Input) -> None:
        """Watch what is typed where."""
        self._input = input
        for name in ("value", "selection", "has_focus"):
            self.offers.watch(input, name, self._look, init=False)

    @property
    def open(self) -> bool:
        """Whether something is offered."""
        return self.offers.open

    def leave(self) -> None:
        """Offer nothing until the text is another."""
        self._left = self._input.value
        self._look()

    def take(self) -> None:
        """Put in the highlighted offer, else the first; what can follow it is offered next."""
        what, text = self._what, self._input.value
        if what is None:
            return
        put, after = self.offers.current, text[what.end :]
        if what.kind == "value" and not after:
            put += " "
        self._input.value = f"{text[: what.start]}{put}{after}"
        self._input.cursor_position = what.start + len(put)
        self.taken = self._input.value

    def _look(self) -> None:
        text, cursor = self._input.value, self._input.cursor_position
        if text != self._left:
            self._left = ""
        what = completion.at(text, cursor) if self._input.has_focus and not self._left else None
        if what == self._what:
            return
        before, self._what = self._what, what
        if what is None:
            self.offers.close()
        elif what.kind == "name" or FILTERS[what.name].allowed or FILTERS[what.name].form:
            self._show([(each, each, None) for each in completion.choices(what)])
        else:
            same = before is not None and before.name == what.name
            self._show([each for each in self.offers.offers if same and _begins(each[1], what)])
            self._ask(what)

    def came(self, what: Completing, values: Sequence[tuple[str, int]]) -> None:
        """Values with their counts; late ones are for nobody."""
        if what == self._what:
            self._show([(completion.spelled(value), value, count) for value, count in values])

    def _show(self, offers: list[Offer]) -> None:
        what, input = self._what, self._input
        assert what is not None
        if len(offers) == 1 and input.value[what.start : what.end] == offers[0][0]:
            offers = []
        column = cell_len(input.value[: what.start]) - input.scroll_offset.x
        self.offers.show(offers, input.content_region.x + column - 2)


def _begins(value: str, what: Completing) -> bool:
    return value.casefold().startswith(what.beginning.casefold())
