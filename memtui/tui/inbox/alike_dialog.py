"""The dialog that asks what to mark: all on one subject or topic, of one store, or of a kind (S-52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.memory.inbox.alike import Alike
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.inbox import wording
from memtui.tui.messages import Opened
from memtui.tui.text.glyphs import fit, grouped


class GroupList(VirtualList):
    """One line per group, with how many it has."""

    def __init__(self, groups: Sequence[Alike], store_names: Mapping[str, str], *, id: str) -> None:
        super().__init__(id=id)
        self.groups = groups
        self._store_names = store_names

    def parts(self, index: int, width: int) -> list[Part]:
        group = self.groups[index]
        name = self._store_names.get(group.name, group.name)
        return [
            (fit(f" {wording.group(group, name)}", max(1, width - 9)), "plain"),
            (fit(grouped(len(group.items)), 8, right=True), "quiet"),
            (" ", "plain"),
        ]


class AlikeDialog(Dialog[Alike | None]):
    """Returns the chosen group, or None if it was cancelled."""

    BINDINGS = command_table.bindings(names.BULK)

    def __init__(self, groups: Sequence[Alike], store_names: Mapping[str, str]) -> None:
        super().__init__()
        self._groups = groups
        self._store_names = store_names

    def compose(self) -> ComposeResult:
        with Vertical(id="which-alike", classes="dialog"):
            yield GroupList(self._groups, self._store_names, id="kinds")

    def on_mount(self) -> None:
        box = self.query_one("#which-alike")
        box.border_title = Content(wording.MARK_WHICH)
        box.border_subtitle = Content(wording.MARK_KEYS)
        self.list = self.query_one(GroupList)
        self.list.refill(len(self._groups), 0, keep_place=False)
        self.list.focus()

    def on_opened(self, message: Opened) -> None:
        self.action_go()

    def action_go(self) -> None:
        self.dismiss(self._groups[self.list.cursor])

    def action_cancel(self) -> None:
        self.dismiss(None)
