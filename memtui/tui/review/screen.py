"""The Review screen: contradictions and duplicates side by side, settled with one key (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import PairDetail
from memtui.memory.results import Change
from memtui.paths import data_folder
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.messages import Opened
from memtui.tui.review import queue_filter, wording
from memtui.tui.review.comparison import Side, read_pair
from memtui.tui.review.pair_list import OVER, PairList
from memtui.tui.review.pair_panel import PairPanel
from memtui.tui.review.pair_text import COMMAND_OF, outcome_text, outcome_title, why_text
from memtui.tui.review.queue import QueueScreen
from memtui.tui.review.queue_filter import ALL_PAIRS, QueueFilter
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH, LOADED


class ReviewScreen(QueueScreen):
    """Shows both memories with their differences, why they are a pair, what each key does, and the queue."""

    MODE = names.REVIEW
    CSS_PATH = data_folder("styles") / "review.tcss"
    BINDINGS = command_table.bindings(names.REVIEW)
    AUTO_FOCUS = "#a"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-short"), (30, "-tall")]

    def __init__(self) -> None:
        super().__init__()
        self.chosen = pairs.KEEP_A
        """The side in view, as the verdict that keeps it."""

    def body(self) -> Iterable[Widget]:
        self.queue = PairList(id="list")
        self.a = PairPanel("A", self.app.clock, self.queue, id="a")
        self.b = PairPanel("B", self.app.clock, self.queue, id="b")
        yield Container(
            Container(self.a, self.b, id="sides"),
            TextPane(id="why"),
            TextPane(id="then"),
            self.queue,
            Static(id="progress"),
            DetailPane(self.app.clock, id="detail"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.view = self.query_one(DetailPane)
        self.reason = self.query_one("#why", TextPane)
        self.outcome = self.query_one("#then", TextPane)
        self.reason.border_title = Content(wording.WHY_THESE)
        self._set_empty_lines(self.opening_lines())
        self.update_titles()
        self.watch(self.app, "workspace", self._opened)
        self.watch(self.app, "review", self._counts_changed, init=False)
        self.watch(self.app, "scan_status", self._counts_changed, init=False)

    def _opened(self) -> None:
        self.load()

    def on_screen_suspend(self) -> None:
        self._was_left = self.app.current_mode != self.MODE  # else a dialog was opened above it

    def on_screen_resume(self) -> None:
        if self._was_read:
            self._replacing = self._replacing or self._was_left
            self._was_left = False
            self.load()

    def on_resize(self) -> None:
        for side in (self.a, self.b):
            side.fold(self._folded)
        self._show_reason()
        self._show_outcome()
        self.update_titles()

    @property
    def _folded(self) -> bool:
        return self.app.size.width < 100 or self.app.size.height < 30

    def _set_empty_lines(self, lines: list[tuple[str, str]]) -> None:
        self.queue.empty_lines = lines
        self.queue.refresh()
        self._lay_out()

    def _lay_out(self) -> None:
        """Show only the queue while it is empty; focus a side when there is a pair."""
        empty = not self.queue.pairs
        was_empty = self.has_class("nothing")
        self.set_class(empty, "nothing")
        if empty:
            self.queue.focus()
        elif was_empty or self.focused is None:
            self._chosen_side.focus()

    def _counts_changed(self) -> None:
        """Reload after the scan compared or found something."""
        counts = self.app.review
        if self._was_read and self.app.screen is self:
            if not self.queue.pairs and counts is not None:
                self._set_empty_lines(queue_filter.empty_queue_lines(counts, self._filter, self.app))
            self.load()

    # The pair

    @worker(wording.PAIR_UNREADABLE, group="pair")
    async def load_text(self) -> None:
        """Read, compare and show the highlighted pair."""
        await self.reload_visited()
        workspace, pair = self.app.workspace, self.queue.highlighted
        if workspace is None or pair is None:
            self._clear()
            return
        try:
            found, sides = await self.app.lanes.read_raw(read_pair, workspace, pair.id)
        except Exception:
            self._clear()  # the panes still show another pair
            raise
        if self.queue.highlighted is not pair:
            return  # replaced by a later request
        if found is None or sides is None:
            self._clear()
            self._missing = pair.id
            self.reason.show(Content(wording.MEMORY_GONE), keep_place=False)
            self.queue.verdicts = {**self.queue.verdicts, pair.id: OVER}
            self.queue.refresh()
        else:
            self._show_pair(found, sides)

    def _clear(self) -> None:
        self._found = self._sides = None
        self._drawn_id = 0
        for side in (self.a, self.b):
            side.show_side(None, 0, "")
        self.reason.show(Content(""), keep_place=False)
        self.outcome.show(Content(""), keep_place=False)
        self.view.show_detail(None)
        self._lay_out()

    def _show_pair(self, found: PairDetail, sides: tuple[Side, Side]) -> None:
        id = found.pair.id
        before = self._found
        is_other = before is None or before.pair.id != id
        if before is not None and queue_filter.contents(before) != queue_filter.contents(found):
            self._drawn_id = 0  # a key meant for the old texts must settle nothing
        self._found, self._sides = found, sides
        if is_other:
            suggested = found.suggestion.verdict if found.suggestion is not None else ""
            self.chosen = pairs.KEEP_B if suggested == pairs.KEEP_B else pairs.KEEP_A
        for panel, side, verdict in ((self.a, sides[0], pairs.KEEP_A), (self.b, sides[1], pairs.KEEP_B)):
            key = self.app.key(COMMAND_OF[verdict])
            is_blocked = verdict in found.blocked
            action = wording.CANNOT_BE_KEPT if is_blocked else wording.keep(verdict[-1].upper())
            panel.show_side(side, id, f"{key} {action}", self.app.key("pair.open"))
        self._lay_out()
        self._show_reason()
        self._update_chosen()
        self.call_after_refresh(self._mark_drawn, id)

    @property
    def _chosen_side(self) -> PairPanel:
        return self.b if self.chosen == pairs.KEEP_B else self.a

    def _update_chosen(self) -> None:
        """Show which side is in view, and what keeping it would do."""
        for side in (self.a, self.b):
            side.set_class(side is self._chosen_side, "chosen")
        if isinstance(self.focused, PairPanel) and self.focused is not self._chosen_side:
            self._chosen_side.focus()
        if self._sides is not None:
            if self.visited is None or self.under_cursor != self._visited_from:
                self.visited = None
                self.view.heading = wording.all_of(self.chosen[-1].upper())
                self.view.show_detail(self._sides[self._chosen_side is self.b].detail)
            other = self.app.key("pair.left" if self._chosen_side is self.b else "pair.right")
            self.view.border_subtitle = Content(wording.the_other(other))
        self._show_outcome()

    @property
    def under_cursor(self) -> int | None:
        """The memory of the side in view."""
        return self._sides[self._chosen_side is self.b].detail.id if self._sides is not None else None

    @property
    def text_beside(self) -> TextPane | None:
        return super().text_beside or (self._chosen_side if self._found is not None else None)

    def _show_reason(self) -> None:
        if self._found is not None:
            width, folded = self.app.size.width - 4, self._folded
            most = 1 if self.has_class("-low") else 2
            text = why_text(self._found, self.app.clock(), width, folded=folded, most=most)
            self.reason.show(text, keep_place=False)

    def _show_outcome(self) -> None:
        self.outcome.border_title = Content(outcome_title(self.chosen))
        if self._found is not None:
            width, folded = self.app.size.width - 6, self._folded
            text = outcome_text(self._found, self.chosen, self.app.key, width, folded=folded)
            self.outcome.show(text, keep_place=False)

    def on_descendant_focus(self) -> None:
        if isinstance(self.focused, PairPanel) and self.focused is not self._chosen_side:
            self.chosen = pairs.KEEP_B if self.focused is self.b else pairs.KEEP_A
            self._update_chosen()

    @property
    def active_pane(self) -> Widget:
        focused = self.focused
        return focused if isinstance(focused, (VirtualList, TextPane)) else self.queue

    def update_titles(self) -> None:
        queue, counts = self.queue, self.app.review
        settled_today = counts.settled_today if counts else 0
        position = wording.position(queue.cursor + 1, queue.count)
        later = wording.later(counts.later if counts else 0)
        news = wording.new_pairs(self._new_count, self.app.key("search.reload"))
        is_filtered = self._filter != ALL_PAIRS
        show_all = wording.show_all(self.app.key("screen.back")) if is_filtered else ""
        subtitle = (position, wording.settled_today(settled_today), later, news, show_all)
        queue.set_title(self._filter.title, Content(" · ".join(text for text in subtitle if text)))
        line = queue.folded(self.app.size.width, settled_today)
        if is_filtered or self._new_count:
            title = self._filter.title if is_filtered else wording.queue_of("")
            line = Content(" " + " · ".join(text for text in (title, position, news, show_all) if text))
        self.query_one("#progress", Static).update(line)

    # Messages

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        if change.kind in ("undone", "undo") and self.app.screen is self:
            self._undo_change, self._undo_pair_id = change, self.pair_id
        if change.kind == LOADED:
            self._replacing = True
        self.load()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def action_look_at_a(self) -> None:
        self._choose_side(pairs.KEEP_A)

    def action_look_at_b(self) -> None:
        self._choose_side(pairs.KEEP_B)

    def _choose_side(self, verdict: str) -> None:
        if self._found is not None:
            self.chosen = verdict
            if not self.has_class("full"):
                self._chosen_side.focus()
            self._update_chosen()

    def action_open(self) -> None:
        if self._found is None:
            self.app.show_status(wording.NO_PAIR_SELECTED)
            return
        self.set_full_screen(True)
        self.view.focus()

    def action_graph(self) -> None:
        """Open Graph at the side in view, or at the memory that a link led to."""
        if self._sides is None:
            self.app.show_status(wording.NO_PAIR_SELECTED)
        else:
            id = self._sides[self._chosen_side is self.b].detail.id if self.visited is None else self.visited
            self.app.start_work("go", self.app.show_graph, id)

    @worker(wording.NOT_COPIED, group="copy")
    async def action_copy(self) -> None:
        if self._sides is None:
            self.app.show_status(wording.NO_PAIR_SELECTED)
            return
        memory = self._sides[self._chosen_side is self.b].memory
        where = await self.app.copy(memory.content or memory.title or "")
        self.app.show_status(wording.copied(self.chosen[-1].upper(), where), tone="done")

    @worker(wording.PAIRS_UNREADABLE, group="filter")
    async def action_filter(self) -> None:
        from memtui.tui.review.filter_dialog import PairFilterDialog

        if workspace := self.app.ready_workspace():
            found = await self.read(workspace.pairs)
            self.app.push_screen(PairFilterDialog(found, self._filter), self._filtered)

    def _filtered(self, part: QueueFilter | None) -> None:
        if part is not None and part != self._filter:
            self._show_part(part)

    def action_reload(self) -> None:
        if self._new_count:
            self.app.show_status(wording.taken_in(self._new_count), tone="done")
            self._replacing = True
            self.load()
        else:
            super().action_reload()

    def action_back(self) -> None:
        """Leave the full text, else list all pairs, else go to the previous screen."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self._chosen_side.focus()
        elif self._filter != ALL_PAIRS:
            self._show_part(ALL_PAIRS)
        elif self.app.previous_mode != names.REVIEW:
            self.app.switch_mode(self.app.previous_mode)
