"""The dialog that asks before a verdict is given on all marked pairs, with the list of them (S-42, S-52)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.memory.inbox.items import DUPLICATE, InboxItem
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.inbox import wording
from memtui.tui.inbox.inbox_list import store_of
from memtui.tui.memory.bulk.verb_dialog import Job
from memtui.tui.review.pair_text import verdict_name
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MOST = 200  # pairs that are listed


class SettleDialog(Dialog[Job | None]):
    """Closes with the job, None if it was left."""

    BINDINGS = command_table.bindings(names.BULK)

    def __init__(
        self, workspace: Workspace, verdict: str, items: Sequence[InboxItem], store_names: Mapping[str, str]
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._verdict = verdict
        self._items = items
        self._store_names = store_names

    def compose(self) -> ComposeResult:
        with Vertical(id="settle-all", classes="dialog verb"):
            yield VerticalScroll(Static(self._text(), id="preview"))
            yield Static(Content(wording.settle_effect(self._verdict)), id="message")

    def on_mount(self) -> None:
        box = self.query_one("#settle-all")
        family = DUPLICATE if all(each.kind == DUPLICATE for each in self._items) else ""
        name = verdict_name(self._verdict, family)
        box.border_title = Content(wording.settle_title(name, len(self._items)))
        box.border_subtitle = Content(wording.DO_KEYS)

    def _text(self) -> Content:
        """Return how many pairs each store has, and each pair."""
        counts = Counter(store_of(each, self._store_names) for each in self._items)
        lines = [wording.pairs_in(one_line(store, 60), count) for store, count in counts.items()]
        lines += ["", *(f"  {one_line(each.label, 300)}" for each in self._items[:MOST])]
        if len(self._items) > MOST:
            lines.append(wording.more_pairs(len(self._items) - MOST))
        return Content("\n".join(lines))

    def action_go(self) -> None:
        work, verdict = self._workspace, self._verdict
        ids = [each.pair for each in self._items if each.pair is not None]
        self.dismiss(Job("resolve", ids, lambda control: work.settle_many(ids, verdict, control=control)))

    def action_cancel(self) -> None:
        self.dismiss(None)
