"""The dialog that chooses which kinds are shown, of relations in the graph or of items in the Inbox."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.text.glyphs import fit, grouped
from memtui.tui.text.text_layout import one_line

Kind = tuple[str, str, str, int]
"""A kind, its sign, its name, and how many there are."""


class KindList(VirtualList):
    """One line per kind; ✓ marks the kinds that are shown."""

    def __init__(self, kinds: Sequence[Kind], hidden: set[str], *, id: str) -> None:
        super().__init__(id=id)
        self.kinds = kinds
        self.hidden = hidden

    def parts(self, index: int, width: int) -> list[Part]:
        kind, sign, name, count = self.kinds[index]
        shown = kind not in self.hidden
        text = f" {'✓' if shown else ' '} {sign} {one_line(name, 60)}"
        return [
            (fit(text, max(1, width - 9)), "plain" if shown else "quiet"),
            (fit(grouped(count), 8, right=True), "quiet"),
            (" ", "plain"),
        ]


class KindsDialog(Dialog[set[str] | None]):
    """Returns the kinds to hide, or None if it was cancelled."""

    BINDINGS = command_table.bindings(names.RELATION_KINDS)

    def __init__(self, title: str, kinds: Sequence[Kind], hidden: Collection[str]) -> None:
        super().__init__()
        self._title = title
        self._kinds = kinds
        self._hidden = set(hidden)

    def compose(self) -> ComposeResult:
        with Vertical(id="which-kinds", classes="dialog"):
            yield KindList(self._kinds, self._hidden, id="kinds")

    def on_mount(self) -> None:
        box = self.query_one("#which-kinds")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(command_table.dialog_keys(names.RELATION_KINDS))
        self.list = self.query_one(KindList)
        self.list.refill(len(self._kinds), 0, keep_place=False)
        self.list.focus()

    def on_opened(self, message: Opened) -> None:
        self.action_turn()

    def action_turn(self) -> None:
        if self.list.cursor < len(self._kinds):
            self._hidden.symmetric_difference_update({self._kinds[self.list.cursor][0]})
            self.list.refresh()

    def action_all(self) -> None:
        kinds = {kind for kind, *_ in self._kinds}
        any_hidden = self._hidden & kinds
        self._hidden.difference_update(kinds) if any_hidden else self._hidden.update(kinds)
        self.list.refresh()

    def action_show(self) -> None:
        self.dismiss(self._hidden)

    def action_cancel(self) -> None:
        self.dismiss(None)
