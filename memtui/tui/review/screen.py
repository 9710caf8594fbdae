"""Review: two memories that clash or repeat each other, side by side, settled with one key (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.results import Change
from memtui.paths import shipped
from memtui.tui import command_table
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.memory.detail_pane import DetailPane
from memtui.tui.messages import Opened
from memtui.tui.review import queue_filter
from memtui.tui.review.pair_list import GONE, PairList
from memtui.tui.review.pair_panel import PairPanel
from memtui.tui.review.pair_text import COMMAND_OF, Side, outcome_text, outcome_title, sides, why_text
from memtui.tui.review.queue_filter import EVERYTHING, Choice
from memtui.tui.review.verdict_keys import VerdictScreen
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH, LOADED

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class ReviewScreen(VerdictScreen):
    """A and B with the words that differ, why these two, what each key would do, and the queue."""

    MODE = command_table.REVIEW
    CSS_PATH = shipped("styles") / "review.tcss"
    BINDINGS = command_table.bindings(command_table.REVIEW)
    AUTO_FOCUS = "#a"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-short"), (30, "-tall")]

    def __init__(self) -> None:
        super().__init__()
        self._choice = EVERYTHING
        self._anew = True  # the next list that is read takes the place of the one that is shown
        self._left = False
        self._new = 0
        self._back: Change | None = None  # an undo, whose pair is to be selected
        self._from = 0  # the pair under the cursor then
        self.chosen = pairs.KEEP_A
        """Which of the two is in view, as the verdict that keeps it."""

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
        self.why = self.query_one("#why", TextPane)
        self.then = self.query_one("#then", TextPane)
        self.why.border_title = Content("Why these two")
        self._empty(self.opening_lines())
        self.update_titles()
        self.watch(self.app, "workspace", self._opened)
        self.watch(self.app, "review", self._counted, init=False)
        self.watch(self.app, "scan_status", self._counted, init=False)

    def _opened(self) -> None:
        self.load()

    def on_screen_suspend(self) -> None:
        self._left = self.app.current_mode != self.MODE  # else a dialog opens above it

    def on_screen_resume(self) -> None:
        if self._begun:
            self._anew = self._anew or self._left
            self._left = False
            self.load()

    def on_resize(self) -> None:
        for side in (self.a, self.b):
            side.fold(self._folded)
        self._tell_why()
        self._tell_outcome()
        self.update_titles()

    @property
    def _folded(self) -> bool:
        return self.app.size.width < 100 or self.app.size.height < 30

    def show_memory(self, memory: int, label: str) -> None:
        """Only the pairs of one memory."""
        self._show_only(Choice(memory=memory, label=label))

    def _show_only(self, choice: Choice) -> None:
        self.set_full_screen(False)
        self._choice, self._anew = choice, True
        self.queue.said = {}
        self.queue.pairs = []
        self.load()

    # The queue

    @worker("The pairs could not be read", group="pairs")
    async def load(self) -> None:
        """Read which pairs wait. What is shown stays in its place; what is new is only counted, unless
        it was asked for."""
        workspace, choice = self.app.workspace, self._choice
        if workspace is None:
            return
        try:
            found = await self.read(choice.read, workspace)
        except Exception:
            self._empty(self.error_lines("The queue"))
            raise
        self._begun = True
        if self._here != self._from:  # they went on meanwhile
            self._back = None
        if self._anew or not self.queue.pairs:
            self._take(found)
        else:
            self._merge(found)
        self._anew = False
        if not self._comes_later():
            self._back = None
        self._lay_out()
        if not self.queue.waiting:
            await self._tell_nothing(workspace)
        self.update_titles()
        self.load_text()

    @property
    def _here(self) -> int:
        return 0 if self.queue.highlighted is None else self.queue.highlighted.id

    def _comes_later(self) -> bool:
        """Whether the pair of an undo is compared again before it comes back."""
        undone, queue = self._back, self.queue
        if undone is None or self._here != self._from:
            return False
        return any(pair.id in queue.said and _touches(pair, undone) for pair in queue.pairs)

    def _take(self, found: Sequence[Pair]) -> None:
        """All that waits, behind what was settled since the screen was opened."""
        queue, here = self.queue, self.queue.highlighted
        settled = [p for p in queue.pairs if queue.said.get(p.id, GONE) != GONE]
        waiting = {pair.id for pair in found}
        queue.said = {p.id: queue.said[p.id] for p in settled if p.id not in waiting}
        listed = [*(p for p in settled if p.id in queue.said), *found]
        ids = [pair.id for pair in listed]
        wanted = next((p.id for p in found if self._back is not None and _touches(p, self._back)), None)
        if wanted is None and here is not None and here.id in ids and here.id not in queue.said:
            wanted = here.id
        self._new = 0
        place = ids.index(wanted) if wanted is not None else len(ids) - len(found)
        queue.show(listed, place, keep_place=False)

    def _merge(self, found: Sequence[Pair]) -> None:
        """The same pairs in the same places: what was undone waits again, what is over says so."""
        queue, now = self.queue, {pair.id: pair for pair in found}
        said = dict(queue.said)
        back = [pair.id for pair in queue.pairs if pair.id in said and pair.id in now]
        if (undone := self._back) is not None:
            # With what “both true” taught, others come back that nobody gave a verdict on.
            back.sort(key=lambda id: (said[id] == GONE, not _touches(now[id], undone)))
        for id in back:
            self._taken_back[id] = said.pop(id)
        for pair in queue.pairs:
            if pair.id not in now and pair.id not in said and pair.id not in self._settling:
                said[pair.id] = self._taken_back.pop(pair.id, GONE)
        known = {pair.id for pair in queue.pairs}
        unknown = [pair for pair in found if pair.id not in known]
        before: list[Pair] = []
        if self._back is not None and not back:
            # Settled before this list was read: it comes to stand in front.
            touched = [pair for pair in unknown if _touches(pair, self._back)]
            before = touched or (unknown if len(unknown) == 1 else [])
            back = [pair.id for pair in before]
        listed = [*before, *(now.get(pair.id, pair) for pair in queue.pairs)]
        here = queue.highlighted
        wanted = back[0] if self._back is not None and back else (here.id if here is not None else 0)
        place = next((n for n, pair in enumerate(listed) if pair.id == wanted), 0)
        queue.said, self._new = said, len(unknown) - len(before)
        queue.show(listed, place, keep_place=True)

    async def _tell_nothing(self, workspace: Workspace) -> None:
        """Nothing waits: say why, and what would appear here."""
        state = await self.read(workspace.review)
        self.queue.said, self._new = {}, 0
        self.queue.show([], 0, keep_place=False)
        self._empty(queue_filter.nothing(state, self._choice, self.app))

    def _empty(self, lines: list[tuple[str, str]]) -> None:
        self.queue.empty_lines = lines
        self.queue.refresh()
        self._lay_out()

    def _lay_out(self) -> None:
        """The queue alone while it is empty; else what is compared has the focus."""
        empty = not self.queue.pairs
        was = self.has_class("nothing")
        self.set_class(empty, "nothing")
        if empty:
            self.queue.focus()
        elif was or self.focused is None:
            self._chosen_side.focus()

    def _counted(self) -> None:
        """Something was compared, or found, beside the screen."""
        state = self.app.review
        if self._begun and self.app.screen is self:
            if not self.queue.pairs and state is not None:
                self._empty(queue_filter.nothing(state, self._choice, self.app))
            self.load()

    # What is compared

    @worker("The pair could not be read", group="pair")
    async def load_text(self) -> None:
        """Read the pair under the cursor, compared word by word."""
        workspace, pair = self.app.workspace, self.queue.highlighted
        if workspace is None or pair is None:
            self._clear()
            return
        try:
            found, both = await self.read(_read, workspace, pair.id)
        except Exception:
            self._clear()  # what stands there belongs to another pair
            raise
        if self.queue.highlighted is not pair:
            return  # another one is wanted by now, and comes
        if found is None or both is None:
            self._clear()
            self._missing = pair.id
            self.why.show(Content("One of the two is gone from the workspace."), keep_place=False)
            self.queue.said = {**self.queue.said, pair.id: GONE}
            self.queue.refresh()
        else:
            self._show(found, both)

    def _clear(self) -> None:
        self._found = self._sides = None
        self._painted = 0
        for side in (self.a, self.b):
            side.show_side(None, 0, "")
        self.why.show(Content(""), keep_place=False)
        self.then.show(Content(""), keep_place=False)
        self.view.show_detail(None)
        self._lay_out()

    def _show(self, found: PairDetail, both: tuple[Side, Side]) -> None:
        id = found.pair.id
        before = self._found
        other = before is None or before.pair.id != id
        if before is not None and queue_filter.says(before) != queue_filter.says(found):
            self._painted = 0  # a key that was meant for what stood there settles nothing
        self._found, self._sides = found, both
        if other:
            said = found.suggestion.verdict if found.suggestion is not None else ""
            self.chosen = pairs.KEEP_B if said == pairs.KEEP_B else pairs.KEEP_A
        for side, told, verdict in ((self.a, both[0], pairs.KEEP_A), (self.b, both[1], pairs.KEEP_B)):
            key = self.app.key(COMMAND_OF[verdict])
            words = "cannot be kept now" if verdict in found.blocked else f"keep {verdict[-1].upper()}"
            side.show_side(told, id, f"{key} {words}", self.app.key("pair.open"))
        self._lay_out()
        self._tell_why()
        self._point()
        self.call_after_refresh(self._seen, id)

    @property
    def _chosen_side(self) -> PairPanel:
        return self.b if self.chosen == pairs.KEEP_B else self.a

    def _point(self) -> None:
        """Show which of the two is in view, and what keeping it would do."""
        for side in (self.a, self.b):
            side.set_class(side is self._chosen_side, "chosen")
        if isinstance(self.focused, PairPanel) and self.focused is not self._chosen_side:
            self._chosen_side.focus()
        if self._sides is not None:
            self.view.named = f"{self.chosen[-1].upper()}, all of it"
            self.view.show_detail(self._sides[self._chosen_side is self.b].detail)
            other = self.app.key("pair.left" if self._chosen_side is self.b else "pair.right")
            self.view.border_subtitle = Content(f"{other} the other one")
        self._tell_outcome()

    def _tell_why(self) -> None:
        if self._found is not None:
            width, folded = self.app.size.width - 4, self._folded
            self.why.show(why_text(self._found, self.app.clock(), width, folded=folded), keep_place=False)

    def _tell_outcome(self) -> None:
        self.then.border_title = Content(outcome_title(self.chosen))
        if self._found is not None:
            width, folded = self.app.size.width - 6, self._folded
            told = outcome_text(self._found, self.chosen, self.app.key, width, folded=folded)
            self.then.show(told, keep_place=False)

    def on_descendant_focus(self) -> None:
        if isinstance(self.focused, PairPanel) and self.focused is not self._chosen_side:
            self.chosen = pairs.KEEP_B if self.focused is self.b else pairs.KEEP_A
            self._point()

    @property
    def active_pane(self) -> Widget:
        focused = self.focused
        return focused if isinstance(focused, (VirtualList, TextPane)) else self.queue

    def update_titles(self) -> None:
        queue = self.queue
        state = self.app.review
        place = f"{grouped(queue.cursor + 1)} of {grouped(queue.count)}" if queue.count else ""
        today = f"{grouped(state.settled_today)} settled today" if state and state.settled_today else ""
        later = f"{grouped(state.later)} later" if state and state.later else ""
        reload = self.app.key("search.reload")
        news = f"● {grouped(self._new)} new  {reload}" if self._new else ""
        narrowed = self._choice != EVERYTHING
        whole = f"{self.app.key('screen.back')} all" if narrowed else ""
        told = [part for part in (place, today, later, news, whole) if part]
        queue.set_title(self._choice.title, Content(" · ".join(told)))
        line = queue.folded(self.app.size.width, state.settled_today if state else 0)
        if narrowed or self._new:
            head = self._choice.title if narrowed else "Queue"
            line = Content(" " + " · ".join(part for part in (head, place, news, whole) if part))
        self.query_one("#progress", Static).update(line)

    # News

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        if change.kind in ("undone", "undo") and self.app.screen is self:
            self._back, self._from = change, self._here
        if change.kind == LOADED:
            self._anew = True
        self.load()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def action_look_at_a(self) -> None:
        self._look_at(pairs.KEEP_A)

    def action_look_at_b(self) -> None:
        self._look_at(pairs.KEEP_B)

    def _look_at(self, verdict: str) -> None:
        if self._found is not None:
            self.chosen = verdict
            if not self.has_class("full"):
                self._chosen_side.focus()
            self._point()

    def action_open(self) -> None:
        if self._found is None:
            self.app.show_status("Nothing to open: no pair is shown.")
            return
        self.set_full_screen(True)
        self.view.focus()

    def action_graph(self) -> None:
        """Graph, around the side that is looked at."""
        if self._sides is None:
            self.app.show_status("Nothing to show: no pair is shown.")
        else:
            side = self._sides[self._chosen_side is self.b]
            self.app.run_worker(self.app.show_graph(side.detail.id), group="go")

    @worker("Nothing was copied", group="copy")
    async def action_copy(self) -> None:
        if self._sides is None:
            self.app.show_status("Nothing to copy: no pair is shown.")
            return
        memory = self._sides[self._chosen_side is self.b].memory
        where = await self.app.copy(memory.content or memory.title or "")
        self.app.show_status(f"Copied {self.chosen[-1].upper()} to {where}.", tone="done")

    @worker("The pairs could not be read", group="filter")
    async def action_filter(self) -> None:
        from memtui.tui.review.filter_dialog import PairFilterDialog

        if workspace := self.app.ready_workspace():
            found = await self.read(workspace.pairs)
            self.app.push_screen(PairFilterDialog(found, self._choice), self._filtered)

    def _filtered(self, choice: Choice | None) -> None:
        if choice is not None and choice != self._choice:
            self._show_only(choice)

    def action_reload(self) -> None:
        if self._new:
            self.app.show_status(f"{counted(self._new, 'new pair')} taken in.", tone="done")
            self._anew = True
            self.load()
        else:
            super().action_reload()

    def action_back(self) -> None:
        """One step: out of full screen, to all pairs, to the screen before."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self._chosen_side.focus()
        elif self._choice != EVERYTHING:
            self._show_only(EVERYTHING)
        elif self.app.previous_mode != command_table.REVIEW:
            self.app.switch_mode(self.app.previous_mode)


def _read(workspace: Workspace, id: int) -> tuple[PairDetail | None, tuple[Side, Side] | None]:
    found = workspace.pair(id)
    return found, sides(found) if found is not None else None


def _touches(pair: Pair, change: Change) -> bool:
    return bool({pair.a, pair.b} & set(change.ids))
