"""The Decay screen: what will fade and leave, when, and why (S-26, S-27)."""

from __future__ import annotations

from array import array
from collections.abc import Awaitable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.lifecycles.forecast import relative_time
from memtui.memory.lifecycles.outlook import Outlook, OutlookRow
from memtui.memory.memory import MemoryRow
from memtui.memory.results import Change
from memtui.paths import data_folder
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.virtual_list import Part
from memtui.tui.decay import forecast_text, wording
from memtui.tui.decay.chart import DecayChart
from memtui.tui.decay.list import DecayList
from memtui.tui.decay.trial_keys import TrialScreen
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.messages import EMBEDDING, READING, MarksChanged, Opened
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.decay.forecast import DueStep
    from memtui.workspace.workspace import Workspace

HORIZONS = (7, 14, 30, 60, 90, 180, 365, 730, 1_826)  # days
DEFAULT_HORIZON = 30
MAX_LISTED = 100_000


class DecayScreen(TrialScreen):
    """Shows the curves of the highlighted memory, the list of what leaves or changes, and a summary."""

    MODE = names.DECAY
    CSS_PATH = data_folder("styles") / "decay.tcss"
    BINDINGS = command_table.bindings(names.DECAY)
    memories: DecayList

    def __init__(self) -> None:
        super().__init__()
        self._own_outlook: Outlook | None = None  # by each store's own lifecycle
        self._days = DEFAULT_HORIZON
        self._opened_at = 0  # the horizon at the start, if nothing leaves within the default one
        self._leaving = self._wanted_leaving = True
        self._reading = self._reload_wanted = False
        self._announced_due: tuple[int, ...] = ()
        self._was_read = False

    def body(self) -> Iterable[Widget]:
        yield Container(
            DecayChart(id="chart"),
            Vertical(
                Static(id="heads"),
                DecayList(self._fetch, self.app.clock, id="list"),
                id="lists",
            ),
            DetailPane(self.app.clock, id="detail"),
            Static(id="whole"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.memories = self.query_one(DecayList)
        self.view = self.query_one(DetailPane)
        self.chart = self.query_one(DecayChart)
        self.memories.empty_lines = self.opening_lines()
        self.update_titles()
        self.memories.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()

    def on_screen_resume(self) -> None:
        self._announced_due = ()
        if self._was_read:
            self.load()

    def on_resize(self) -> None:
        self.call_after_refresh(self._update_summary)

    # Reading and listing

    def load(self) -> None:
        """Read the memories and list them; calls during a read make one more read."""
        self._reload_wanted = True
        if not self._reading:
            self._reading = True
            self._read()

    @worker(wording.OUTLOOK_FAILED, group="outlook", exclusive=False)
    async def _read(self) -> None:
        try:
            while self._reload_wanted and (workspace := self.app.workspace) is not None:
                self._reload_wanted = False
                if not self._was_read:
                    self.memories.empty_lines = [(wording.WORKING, "quiet")]
                    self.memories.refresh()
                now = self.app.clock()
                self._own_outlook = await self.app.lanes.background_raw(partial(workspace.outlook, now=now))
                if not self._was_read:
                    own = self._own_outlook.what_if("", self._configured_half_lives())
                    horizons = HORIZONS[HORIZONS.index(DEFAULT_HORIZON) :]
                    self._open_at(*await self.read(forecast_text.nearest_horizon, own, horizons))
                self._was_read = True
                if self.app.status.about in (READING, EMBEDDING):
                    self.app.show_status("")
                await self._show(keep_place=True)
        finally:
            self._reading = False

    def _open_at(self, days: int, leaving: bool) -> None:
        """Open at a horizon, unless another one was chosen meanwhile."""
        if self._days != DEFAULT_HORIZON or not self._wanted_leaving:
            return
        self._opened_at = days if (days, leaving) != (DEFAULT_HORIZON, True) else 0
        self._days, self._wanted_leaving = days, leaving

    @worker(wording.OUTLOOK_FAILED, group="show")
    async def _relist(self) -> None:
        await self._show(keep_place=False)

    async def _show(self, *, keep_place: bool) -> None:
        own = self._own_outlook
        if own is None:
            return
        lifecycle = self._tried_lifecycle
        half_lives = {**self._configured_half_lives(), **self._tried_half_lives}
        leaving = self._wanted_leaving

        def recalculate() -> Outlook:
            outlook = own.what_if(lifecycle, half_lives)
            outlook.schedule(removals=leaving)
            return outlook

        outlook = await self.read(recalculate)
        if (own, lifecycle, leaving) != (self._own_outlook, self._tried_lifecycle, self._wanted_leaving):
            return  # replaced by a later request
        self._outlook, self._leaving = outlook, leaving
        ids = self._ids()
        memories = self.memories
        cursor = memories.cursor
        highlighted = memories.highlighted
        if keep_place and highlighted is not None and highlighted in ids:
            cursor = ids.index(highlighted)
        memories.now, memories.leaving, memories.lines = outlook.now, leaving, {}
        memories.store_names = self.app.store_names
        memories.empty_lines = self._empty_list_lines()
        memories.show(ids, cursor if keep_place else 0, keep_place=keep_place)
        self.update_titles()
        self._update_summary()

    def _ids(self) -> array[int]:
        """Return the row ids of the memories that leave or change within the horizon, soonest first."""
        outlook = self._outlook
        if outlook is None:
            return array("q")
        count = outlook.count_until(self._days, removals=self._leaving)
        return outlook.ids(min(count, MAX_LISTED), removals=self._leaving)

    async def _fetch(self, ids: list[int]) -> list[MemoryRow]:
        while (workspace := self.app.workspace) is not None and (outlook := self._outlook) is not None:
            memories, leaving = self.memories, self._leaving
            nearby = range(max(0, memories.top - 300), min(memories.top + 600, len(memories.ids)))
            index_of = {memories.ids[index]: index for index in nearby}
            wanted = [index_of[id] for id in ids if id in index_of]

            def read() -> tuple[list[MemoryRow], list[OutlookRow]]:
                lines = [
                    line
                    for index in wanted  # noqa: B023
                    for line in outlook.rows(index, index + 1, removals=leaving)  # noqa: B023
                ]
                return workspace.rows(ids), lines

            rows, lines = await self.read(read)
            if outlook is self._outlook and leaving == self._leaving:
                memories.lines |= {line.id: line for line in lines}
                return rows
        return []

    @worker(wording.MEMORY_UNREADABLE, group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory and draw its curves."""
        await self.reload_visited()
        id, workspace, outlook = self.memories.highlighted, self.app.workspace, self._outlook
        if id is None or workspace is None or outlook is None:
            self.view.show_detail(None)
            self.chart.set_label("")
            self.chart.show(None)
            return
        days = self._days
        detail, curves = await self.read(
            lambda: (workspace.detail(id), forecast_text.curves(outlook, id, days))
        )
        if self.visited is None:
            self.view.show_detail(detail)
        row = self.memories.row(id)
        self.chart.set_label(safe_text(row.label, one_line=True, limit=60) if row is not None else "")
        self.chart.show(curves)
        self._update_summary()

    def _empty_list_lines(self) -> list[Part]:
        key, leaving = self.app.key, self._leaving
        if self._outlook is not None and not self._outlook.count:
            return [(wording.NO_MEMORIES, "plain")]
        lines: list[Part] = [
            (wording.nothing_within(self._days, leaving=leaving), "plain"),
            ("", "plain"),
            (wording.look_farther(key("decay.longer")), "quiet"),
        ]
        if leaving:
            lines.append((wording.show_all_changes(key("decay.view")), "quiet"))
        first = self._outlook.rows(0, 1, removals=leaving) if self._outlook is not None else []
        if first:
            when = relative_time(first[0].at, self.app.clock())
            lines.insert(1, (wording.first_event(when, leaving=leaving), "plain"))
        return lines

    def update_titles(self) -> None:
        memories = self.memories
        nothing_before = DEFAULT_HORIZON if self._days == self._opened_at else None
        live = self._outlook.count if self._outlook is not None else None
        counts = wording.list_counts(memories.cursor + 1, memories.count, len(memories.marks), live)
        title = wording.list_title(self._days, nothing_before, leaving=self._leaving)
        memories.set_title(title, Content(counts))

    def _update_summary(self) -> None:
        width = max(self.size.width, 40)
        headings = self.memories.column_headings(self.memories.scrollable_content_region.width)
        self.query_one("#heads", Static).update(Content(headings if self.memories.count else ""))
        if self._outlook is None:
            return
        summary = forecast_text.summary_text(
            self._outlook,
            self._days,
            leaving=self._leaving,
            tried=self._tried_lifecycle,
            half_life=self._half_life_text(),
            width=width - 2,
            key=self.app.key,
            line=self.memories.lines.get(self.memories.highlighted or 0),
            pin_is_local=self._is_pin_local(),
        )
        self.query_one("#whole", Static).update(summary)

    def _is_pin_local(self) -> bool:
        """Return whether memtui alone would keep a pin of the highlighted memory, as far as read."""
        detail = self.view.detail
        if detail is None or detail.id != self.memories.highlighted:
            return False
        pin = detail.consequences.get("pin")
        return pin is not None and pin.local

    # Messages

    def on_change(self, change: Change) -> None:
        self._announced_due = ()
        if change.kind == HEALTH:
            return
        if change.ids and self.memories.marks & set(change.ids):
            self.memories.mark(self.memories.marks - set(change.ids))
        if self.app.screen is self:
            self.load()

    def on_marks_changed(self, message: MarksChanged) -> None:
        self.update_titles()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def blocked_reason(self, id: str) -> str:
        if id in ("decay.slower", "decay.faster"):
            return self._no_half_life_reason()
        return super().blocked_reason(id)

    def action_longer(self) -> None:
        self._look_ahead(1)

    def action_shorter(self) -> None:
        self._look_ahead(-1)

    def _look_ahead(self, step: int) -> None:
        index = HORIZONS.index(self._days) + step
        if not 0 <= index < len(HORIZONS):
            self.app.show_status(wording.FARTHEST if step > 0 else wording.NEAREST)
            return
        self._days = HORIZONS[index]
        self._apply_horizon()

    def _apply_horizon(self) -> None:
        """List the same outlook up to another day, without recalculating it."""
        if self._outlook is None:
            return
        memories, ids = self.memories, self._ids()
        memories.empty_lines = self._empty_list_lines()
        memories.show(ids, min(memories.cursor, max(len(ids) - 1, 0)), keep_place=True, stale=set())
        self.update_titles()
        self._update_summary()
        self.load_text()

    def action_view(self) -> None:
        self._wanted_leaving = not self._wanted_leaving
        self.app.show_status(wording.ONLY_LEAVING if self._wanted_leaving else wording.ALL_CHANGES)
        self._relist()

    def action_run(self) -> None:
        """Announce what is due; do it if it was announced just before."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        announced, self._announced_due = self._announced_due, ()
        if self.app.read_only:
            self.app.show_status(wording.READ_ONLY, tone="error")
        elif announced:
            self._announce_run(self.app.lanes.write(_run_decay, workspace, announced))
        else:
            self._announce_due(workspace)

    @worker(wording.NOT_RUN, group="due")
    async def _announce_due(self, workspace: Workspace) -> None:
        self._show_due(await self.app.lanes.background_raw(workspace.due))

    @worker(wording.NOT_RUN, group="run", exclusive=False)
    async def _announce_run(self, running: Awaitable[Change | Sequence[DueStep]]) -> None:
        done = await running
        if isinstance(done, Change):
            await self.app.announce(done)
        else:
            self._show_due(done)

    def _show_due(self, due: Sequence[DueStep]) -> None:
        """Show what a run would do, and have the key do it when it is pressed again."""
        self._announced_due = tuple(each.id for each in due)
        if not due:
            self.app.show_status(wording.NOTHING_DUE)
            return
        self.app.show_status(
            wording.due(len(due), sum(each.leaves for each in due), _first_names(due)),
            hint=wording.run_again(self.app.key("decay.run"), self.app.key("change.undo")),
        )

    def action_open(self) -> None:
        if self.memories.highlighted is None:
            self.app.show_status(wording.NOTHING_TO_OPEN)
            return
        self.set_full_screen(True)
        self.load_text()
        self.view.focus()

    def action_back(self) -> None:
        """Leave the full text, else clear the marks, else drop what is tried."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self.memories.focus()
            self.call_after_refresh(self._update_summary)
        elif self.memories.marks:
            self.memories.mark(set())
        elif self._has_trial:
            self._drop_trial()
            self.app.show_status(wording.OWN_LIFECYCLES_AGAIN)
            self._relist()
        self._announced_due = ()


def _run_decay(workspace: Workspace, announced: tuple[int, ...]) -> Change | Sequence[DueStep]:
    """Do what is due for the announced memories, or return what is due if others are.

    Raise Refused if nothing was done."""
    due = workspace.due()
    if tuple(each.id for each in due) != announced:
        return due
    run = workspace.run_decay()
    if run.change is None:
        raise wording.not_run(run.skipped[0].reason if run.skipped else "")
    return run.change


def _first_names(due: Sequence[DueStep]) -> list[str]:
    """Return the first few memories with what happens to them; those that leave come first."""
    first = sorted(due, key=lambda each: not each.leaves)[:3]
    return [f"{safe_text(each.label, one_line=True, limit=24)} {each.what}" for each in first]
