"""The dialog that shows what an import would add, and lets the user take or leave each of it (S-74)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.imported import ImportItem, ImportPreview
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.stores.importing import wording
from memtui.tui.stores.importing.item_list import ItemList
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

_TITLE = 80  # characters


class ImportDialog(Dialog[Sequence[ImportItem] | None]):
    """Closes with the memories to import, None if it was left."""

    BINDINGS = command_table.bindings(names.IMPORT)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, preview: ImportPreview) -> None:
        super().__init__()
        self._workspace, self._preview = workspace, preview

    def compose(self) -> ComposeResult:
        with Vertical(id="import", classes="dialog"):
            yield Static(Content(wording.counts(self._preview.counts)), id="counts")
            yield ItemList(self._preview.items, id="items")
            yield Static(id="other")
            yield Static(id="notes")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#import")
        box.border_title = Content(safe_text(wording.title(self._preview.store), one_line=True, limit=_TITLE))
        box.border_subtitle = Content(command_table.dialog_keys(names.IMPORT))
        notes = [wording.ignored(self._preview.ignored)] if self._preview.ignored else []
        if self._preview.not_compared:
            notes.append(wording.not_compared(self._preview.not_compared))
        line = self.query_one("#notes", Static)
        line.display = bool(notes)
        line.update(Content(safe_text(" ".join(notes), one_line=True, limit=300)))
        self.list = self.query_one(ItemList)
        self.list.refill(len(self.list.items), 0, keep_place=False)
        self.list.focus()
        self._show_taken()

    def _show_taken(self) -> None:
        count = len(self.list.taken)
        self.show_message(wording.imports(count) if count else wording.NOTHING_TAKEN)
        self.list.refresh()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._show_other()

    @worker(wording.OTHER_UNREADABLE, group="other")
    async def _show_other(self) -> None:
        """Show the memory that the one under the cursor repeats or contradicts."""
        item, text = self.list.highlighted, ""
        if item is not None and item.other:
            text = await self.app.lanes.read(_read_other, self._workspace, item.other)
        line = self.query_one("#other", Static)
        line.display = any(each.other for each in self.list.items)
        line.update(Content(text))

    # Keys

    def on_opened(self, message: Opened) -> None:
        self.action_turn()

    def action_turn(self) -> None:
        index, item = self.list.cursor, self.list.highlighted
        if item is None:
            self.show_message(wording.NOTHING_FOUND)
        elif index not in self.list.takeable:
            self.show_message(wording.cannot_take(item.reason))
        else:
            self.list.taken ^= {index}
            self._show_taken()

    def action_all(self) -> None:
        if not self.list.takeable:
            self.show_message(wording.NOTHING_TO_TAKE if self.list.items else wording.NOTHING_FOUND)
            return
        self.list.taken = set() if self.list.taken == self.list.takeable else set(self.list.takeable)
        self._show_taken()

    def action_go(self) -> None:
        if chosen := self.list.chosen():
            self.dismiss(chosen)
        else:
            self.show_message(wording.NOTHING_TAKEN)

    def action_cancel(self) -> None:
        self.dismiss(None)


def _read_other(workspace: Workspace, uid: str) -> str:
    """Return what a memory says, and in which store; "" if it is gone meanwhile."""
    try:
        (row,) = workspace.rows([workspace.find(uid)])
    except (Refused, ValueError):
        return ""
    return wording.other(one_line(row.store, 60), one_line(row.label, 300))
