"""Decay: what will fade and leave, when and why, and what one key would change (S-26, S-27)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory import lifecycles
from memtui.memory.lifecycles.forecast import in_days
from memtui.memory.lifecycles.native import LONGEST_HALF, Memtui
from memtui.memory.lifecycles.outlook import Line, Outlook
from memtui.memory.memory import MemoryRow
from memtui.memory.results import Change
from memtui.paths import shipped
from memtui.settings import save
from memtui.text import capital, plural, safe_text
from memtui.tui import command_table
from memtui.tui.common.virtual_list import Part
from memtui.tui.decay import forecast_text
from memtui.tui.decay.chart import DecayChart
from memtui.tui.decay.list import DecayList
from memtui.tui.memory.detail_pane import DetailPane
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.messages import EMBEDDING, READING, MarksChanged, Opened
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.memory.lifecycles.base import Ages, Lifecycle
    from memtui.workspace.decay.forecast import Due
    from memtui.workspace.workspace import Workspace

HORIZONS = (7, 14, 30, 60, 90, 180, 365, 730, 1_826)  # days
START = 30
FASTER, SLOWER = 0.8, 1.25
TRIED = ("", *lifecycles.NAMES)
MOST = 100_000  # lines of the list


class DecayScreen(MemoryScreen):
    """Who leaves and how to keep it: curves above, the list, and the whole in a few words."""

    MODE = command_table.DECAY
    CSS_PATH = shipped("styles") / "decay.tcss"
    BINDINGS = command_table.bindings(command_table.DECAY)
    memories: DecayList

    def __init__(self) -> None:
        super().__init__()
        self._own: Outlook | None = None  # by each store's own lifecycle
        self._tried = ""
        self._half_lives: dict[str, float] = {}
        self._outlook: Outlook | None = None
        self._days = START
        self._found_at = 0  # the horizon that it opened at, where nothing leaves before
        self._leaving = self._wanted_leaving = True
        self._reading = self._dirty = False
        self._armed: tuple[int, ...] = ()
        self._begun = False

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
        self._armed = ()
        if self._begun:
            self.load()

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell_whole)

    # What is shown

    def load(self) -> None:
        """Read what lifecycles look at, and list it again; what is asked for meanwhile is one more time."""
        self._dirty = True
        if not self._reading:
            self._reading = True
            self._read()

    @worker("What decay takes could not be worked out", group="outlook", exclusive=False)
    async def _read(self) -> None:
        try:
            while self._dirty and (workspace := self.app.workspace) is not None:
                self._dirty = False
                if not self._begun:
                    self.memories.empty_lines = [("Working out what fades …", "quiet")]
                    self.memories.refresh()
                now = self.app.clock()
                self._own = await self.app.lanes.background(lambda: workspace.outlook(now=now))  # noqa: B023
                if not self._begun:
                    own = self._own.tried("", self._set_half_lives())
                    self._open_at(
                        *await self.read(forecast_text.nearest, own, HORIZONS[HORIZONS.index(START) :])
                    )
                self._begun = True
                if self.app.status.about in (READING, EMBEDDING):
                    self.app.show_status("")
                await self._show(keep_place=True)
        finally:
            self._reading = False

    def _open_at(self, days: int, leaving: bool) -> None:
        """The nearest horizon that holds something, unless another one was asked for meanwhile."""
        if self._days != START or not self._wanted_leaving:
            return
        self._found_at = days if (days, leaving) != (START, True) else 0
        self._days, self._wanted_leaving = days, leaving

    @worker("What decay takes could not be worked out", group="show")
    async def _again(self) -> None:
        await self._show(keep_place=False)

    async def _show(self, *, keep_place: bool) -> None:
        own = self._own
        if own is None:
            return
        tried, halves = self._tried, {**self._set_half_lives(), **self._half_lives}
        leaving = self._wanted_leaving

        def work() -> Outlook:
            outlook = own.tried(tried, halves)
            outlook.listed(leaving=leaving)
            return outlook

        outlook = await self.read(work)
        if (own, tried, leaving) != (self._own, self._tried, self._wanted_leaving):
            return  # something else is asked for by now, and comes
        self._outlook, self._leaving = outlook, leaving
        ids = self._ids()
        memories = self.memories
        cursor = memories.cursor
        here = memories.highlighted
        if keep_place and here is not None and here in ids:
            cursor = ids.index(here)
        memories.now, memories.leaving, memories.lines = outlook.now, leaving, {}
        memories.store_names = self.app.store_names
        memories.empty_lines = self._nothing()
        memories.show(ids, cursor if keep_place else 0, keep_place=keep_place)
        self.update_titles()
        self._tell_whole()

    def _ids(self) -> array[int]:
        """The rows of all that happens within the horizon, soonest first."""
        outlook = self._outlook
        if outlook is None:
            return array("q")
        count = outlook.until(self._days, leaving=self._leaving)
        return outlook.ids(min(count, MOST), leaving=self._leaving)

    def _set_half_lives(self) -> dict[str, float]:
        return dict(self.app.settings.half_lives)

    async def _fetch(self, ids: list[int]) -> list[MemoryRow]:
        while (workspace := self.app.workspace) is not None and (outlook := self._outlook) is not None:
            memories, leaving = self.memories, self._leaving
            near = range(max(0, memories.top - 300), min(memories.top + 600, len(memories.ids)))
            places = {memories.ids[place]: place for place in near}
            wanted = [places[id] for id in ids if id in places]

            def read() -> tuple[list[MemoryRow], list[Line]]:
                lines = [
                    line
                    for place in wanted  # noqa: B023
                    for line in outlook.lines(place, place + 1, leaving=leaving)  # noqa: B023
                ]
                return workspace.rows(ids), lines

            rows, lines = await self.read(read)
            if outlook is self._outlook and leaving == self._leaving:
                memories.lines |= {line.id: line for line in lines}
                return rows
        return []

    @worker("The memory could not be read", group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory, and draw its curves."""
        id, workspace, outlook = self.memories.highlighted, self.app.workspace, self._outlook
        if id is None or workspace is None or outlook is None:
            self.view.show_detail(None)
            self.chart.name_it("")
            self.chart.show(None)
            return
        days = self._days
        detail, curves = await self.read(
            lambda: (workspace.detail(id), forecast_text.curves(outlook, id, days))
        )
        self.view.show_detail(detail)
        row = self.memories.row(id)
        self.chart.name_it(safe_text(row.label, one_line=True, limit=60) if row is not None else "")
        self.chart.show(curves)
        self._tell_whole()

    def _nothing(self) -> list[Part]:
        what = "leaves" if self._leaving else "changes"
        key = self.app.key
        lines: list[Part] = [
            (f"Nothing {what} in the next {grouped(self._days)} days.", "plain"),
            ("", "plain"),
            (f"{key('decay.longer')}  look farther ahead", "quiet"),
        ]
        if self._leaving:
            lines.append((f"{key('decay.view')}  what fades without leaving", "quiet"))
        if self._outlook is not None and not self._outlook.count:
            return [("No memories yet, so nothing fades.", "plain")]
        first = self._outlook.lines(0, 1, leaving=self._leaving) if self._outlook is not None else []
        if first:
            lines.insert(1, (f"The first {what} {in_days(first[0].at, self.app.clock())}.", "plain"))
        return lines

    def update_titles(self) -> None:
        count, marks = self.memories.count, len(self.memories.marks)
        place = f"{grouped(self.memories.cursor + 1)} of {grouped(count)}" if count else "none"
        live = f"{grouped(self._outlook.count)} live" if self._outlook is not None else ""
        marked = f"{grouped(marks)} marked" if marks else ""
        what = "Leaving" if self._leaving else "Changing"
        told = " · ".join(part for part in (place, marked, live) if part)
        before = f"; nothing leaves in {START}" if self._days == self._found_at else ""
        self.memories.set_title(f"{what} in the next {grouped(self._days)} days{before}", Content(told))

    def _tell_whole(self) -> None:
        width = max(self.size.width, 40)
        heads = self.memories.heads(self.memories.scrollable_content_region.width)
        self.query_one("#heads", Static).update(Content(heads if self.memories.count else ""))
        if self._outlook is None:
            return
        told = forecast_text.whole(
            self._outlook,
            self._days,
            leaving=self._leaving,
            tried=self._tried,
            half_life=self._half_told(),
            width=width - 2,
            key=self.app.key,
            line=self.memories.lines.get(self.memories.highlighted or 0),
            pin=self._pin_told(),
        )
        self.query_one("#whole", Static).update(told)

    def _pin_told(self) -> str:
        """What a pin does where, of the highlighted memory."""
        detail = self.view.detail
        known = detail is not None and detail.id == self.memories.highlighted
        return detail.consequences.get("pin", "") if detail is not None and known else ""

    def _half_told(self) -> str:
        """The half-life of the highlighted memory, where its lifecycle has one."""
        found = self._under_cursor()
        if found is None or not found[0].half_life:
            return ""
        category, days = self._half_of(found[1])
        changed = " (tried)" if category in self._half_lives else ""
        return f"half-life of {safe_text(category, one_line=True, limit=20)} {days:g} d{changed}"

    def _under_cursor(self) -> tuple[Lifecycle, Ages] | None:
        id = self.memories.highlighted
        return None if id is None or self._outlook is None else self._outlook.find(id)

    def _half_of(self, ages: Ages) -> tuple[str, float]:
        halves = {**Memtui().half_lives, **self._set_half_lives(), **self._half_lives}
        return str(ages.category), halves.get(str(ages.category), halves["other"])

    # News

    def on_change(self, change: Change) -> None:
        self._armed = ()
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
            return self._no_half_life()
        return super().blocked_reason(id)

    def action_longer(self) -> None:
        self._look_ahead(1)

    def action_shorter(self) -> None:
        self._look_ahead(-1)

    def _look_ahead(self, step: int) -> None:
        place = HORIZONS.index(self._days) + step
        if not 0 <= place < len(HORIZONS):
            self.app.show_status("Five years are the farthest." if step > 0 else "A week is the nearest.")
            return
        self._days = HORIZONS[place]
        self._cut()

    def _cut(self) -> None:
        """The same list up to another day: nothing has to be worked out."""
        if self._outlook is None:
            return
        memories, ids = self.memories, self._ids()
        memories.empty_lines = self._nothing()
        memories.show(ids, min(memories.cursor, max(len(ids) - 1, 0)), keep_place=True, stale=set())
        self.update_titles()
        self._tell_whole()
        self.load_text()

    def action_slower(self) -> None:
        self._fade(SLOWER)

    def action_faster(self) -> None:
        self._fade(FASTER)

    def _no_half_life(self) -> str:
        found = self._under_cursor()
        if found is None:
            return "the list is empty"
        if found[0].half_life:
            return ""
        return f"{found[0].title} has no half-life that can be set; {self.app.key('decay.try')} tries another"

    def _fade(self, factor: float) -> None:
        if why := self._no_half_life():
            self.app.show_status(f"{capital(why)}.")
            return
        found = self._under_cursor()
        assert found is not None
        category, days = self._half_of(found[1])
        bound = min(max(days * factor, min(days, 1)), max(days, LONGEST_HALF))
        self._half_lives[category] = float(round(bound, 0 if bound >= 2 else 2))
        save = self.app.key("decay.save")
        self.app.show_status(
            f"Tried: half of a {category} fades in {self._half_lives[category]:g} days.",
            hint=f"{save} keeps that",
        )
        self._again()

    def action_try(self) -> None:
        """The next lifecycle, for all memories."""
        if self.app.ready_workspace() is None:
            return
        self._tried = TRIED[(TRIED.index(self._tried) + 1) % len(TRIED)]
        if self._tried:
            rules = lifecycles.by_name(self._tried)
            self.app.show_status(f"What if all aged as in {rules.title}?", hint=" ".join(rules.notes[:1]))
        else:
            self.app.show_status("Each store by its own lifecycle again.")
        self._again()

    def action_view(self) -> None:
        self._wanted_leaving = not self._wanted_leaving
        self.app.show_status(
            "What leaves." if self._wanted_leaving else "All that changes: steps, labels, tiers too."
        )
        self._again()

    @worker("Nothing was saved", group="save")
    async def action_save(self) -> None:
        """What was tried becomes a setting."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        wanted: dict[str, object] = {}
        if self._half_lives:
            wanted["half_lives"] = dict(self._half_lives)
        if self._tried in ("founder-os", "founder-os-daily"):
            wanted["founder_os_decay"] = "daily" if self._tried.endswith("daily") else "weekly"
        if not wanted:
            slower = self.app.key("decay.slower")
            self.app.show_status(f"Nothing to keep: no half-life was changed. {slower} changes one.")
            return
        told = self._kept(wanted)
        settings = await self.app.lanes.write(save, self.app.loaded.path, wanted)
        self.app.settings = replace(
            self.app.settings, half_lives=settings.half_lives, founder_os_decay=settings.founder_os_decay
        )
        await self.app.lanes.write(
            workspace.use_lifecycles, settings.half_lives, settings.founder_os_decay == "daily"
        )
        self._half_lives, self._tried = {}, ""
        self.app.show_status(f"Kept: {told}.", tone="done", hint=f"In {self.app.loaded.path}, from now on.")
        self.load()

    def _kept(self, wanted: Mapping[str, object]) -> str:
        """What becomes a setting, with what held before."""
        before = {**Memtui().half_lives, **self._set_half_lives()}
        told = [
            f"half of a {safe_text(name, one_line=True, limit=20)} fades in {days:g} {plural(days, 'day')}"
            f" (was {before.get(name, before['other']):g})"
            for name, days in self._half_lives.items()
        ]
        if reading := wanted.get("founder_os_decay"):
            told.append(f"Founder OS is read {reading} (was {self.app.settings.founder_os_decay})")
        return ", ".join(told)

    @worker("Nothing was done", group="run")
    async def action_run(self) -> None:
        """Do what is due, once it was said what that is."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        if self.app.read_only:
            self.app.show_status("Nothing can be done: the workspace is only read.", tone="wrong")
            return
        due = await self.app.lanes.background(workspace.due)
        ids = tuple(each.id for each in due)
        key = self.app.key("decay.run")
        if not due:
            self._armed = ()
            self.app.show_status("Nothing is due, or it was done today.")
        elif ids != self._armed:
            self._armed = ids
            leaves = sum(each.leaves for each in due)
            rest = f"{grouped(leaves)} leave{'s' if leaves == 1 else ''}" if leaves else "none leaves"
            undo = self.app.key("change.undo")
            self.app.show_status(
                f"{counted(len(due), 'memory')} due, {rest}: {_named(due)}.",
                hint=f"{key} again does it, {undo} takes it back",
            )
        else:
            self._armed = ()
            self.app.run_change(lambda: _run(workspace))

    def action_open(self) -> None:
        if self.memories.highlighted is None:
            self.app.show_status("Nothing to open: the list is empty.")
            return
        self.set_full_screen(True)
        self.load_text()
        self.view.focus()

    def action_back(self) -> None:
        """One step: out of full screen, out of what was tried, marks."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self.memories.focus()
            self.call_after_refresh(self._tell_whole)
        elif self.memories.marks:
            self.memories.mark(set())
        elif self._tried or self._half_lives:
            self._tried, self._half_lives = "", {}
            self.app.show_status("Each store by its own lifecycle again.")
            self._again()
        self._armed = ()


def _run(workspace: Workspace) -> Change:
    ran = workspace.run_decay()
    if ran.change is None:
        why = ran.skipped[0].why if ran.skipped else "Nothing is due any more."
        raise Refused("due", why, "What was left is still due." if ran.skipped else "")
    return ran.change


def _named(due: Sequence[Due]) -> str:
    """The first few, those that leave before all others."""
    first = sorted(due, key=lambda each: not each.leaves)[:3]
    told = ", ".join(f"{safe_text(each.label, one_line=True, limit=24)} {each.what}" for each in first)
    return told + (" …" if len(due) > len(first) else "")
