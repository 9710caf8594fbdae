"""The dialog that chooses a quick view: all of them, with their counts and the key of each (S-31)."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.tui import command_table
from memtui.tui.browse import wording
from memtui.tui.browse.quick_views import VIEWS, Counts, View
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.text.glyphs import fit, grouped

_WIDE = 50  # cells from which on the filter of each view is shown


class ViewList(VirtualList):
    """A line per view: whether it is in force, its key, sign, name, filter and count."""

    def __init__(self, counts: Counts, current: View) -> None:
        super().__init__(id="parts")
        self._counts = counts
        self._current = current

    def parts(self, index: int, width: int) -> list[Part]:
        view = VIEWS[index]
        in_force = view is self._current
        count = grouped(self._counts[view.code]) if view.code in self._counts else "…"
        filter = " " + fit(view.filter, 16) if width >= _WIDE else ""
        name = fit(wording.VIEW_NAMES[view.code], max(1, width - 17 - len(filter)))
        return [
            (" ● " if in_force else "   ", "accent"),
            (fit(view.key, 3), "accent"),
            (fit(view.sign, 3), "quiet"),
            (name, "accent" if in_force else "plain"),
            (filter, "quiet"),
            (fit(count, 7, right=True), "plain"),
            (" ", "plain"),
        ]


class ViewsDialog(Dialog[View | None]):
    """Returns the chosen view, or None if it was left."""

    BINDINGS = command_table.bindings(names.VIEWS)

    def __init__(self, counts: Counts, current: View) -> None:
        super().__init__()
        self._counts = counts
        self._current = current

    def compose(self) -> ComposeResult:
        with Vertical(id="quick-views", classes="dialog"):
            yield ViewList(self._counts, self._current)

    def on_mount(self) -> None:
        box = self.query_one("#quick-views")
        box.border_title = Content(wording.QUICK_VIEWS)
        box.border_subtitle = Content(wording.view_keys(command_table.dialog_keys(names.VIEWS)))
        self.list = self.query_one(ViewList)
        self.list.refill(len(VIEWS), VIEWS.index(self._current), keep_place=False)
        self.list.focus()

    def on_key(self, event: events.Key) -> None:
        """Choose by the key of a view."""
        view = next((view for view in VIEWS if view.key == event.character), None)
        if view is not None:
            event.stop()
            self._leave(view)

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def action_choose(self) -> None:
        self._leave(VIEWS[self.list.cursor])

    def action_cancel(self) -> None:
        self._leave(None)

    def _leave(self, view: View | None) -> None:
        if self.is_current:  # a second key can be in the queue before the first is handled
            self.dismiss(view)
