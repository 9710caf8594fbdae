"""The Inbox screen: what needs the person, over all stores, worst first, one key each (S-52)."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.inbox.items import BREACH, CANDIDATES, KINDS, InboxItem, Touched
from memtui.memory.inbox.listing import Key, Listing
from memtui.memory.results import Change
from memtui.paths import data_folder
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.footer import Footer
from memtui.tui.common.screen import NOT_IN_FULL
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part
from memtui.tui.inbox import item_text, wording
from memtui.tui.inbox.alike import AlikeScreen
from memtui.tui.inbox.fitting import acts, first_keys, hint, is_pair, is_summary, misfit
from memtui.tui.inbox.inbox_list import SIGNS, InboxList
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.messages import Opened
from memtui.tui.review.comparison import read_pair
from memtui.tui.text.glyphs import moment
from memtui.tui.workers.guarded import worker

ROWS = {"-low": 1, "-short": 3, "-tall": 6}  # of each text of a pair
UNDONE = ("undo", "undone")


class InboxScreen(AlikeScreen):
    """Lists the items, and shows what is under the cursor: a memory, a pair, a store's finding."""

    MODE = names.INBOX
    CSS_PATH = data_folder("styles") / "inbox.tcss"
    BINDINGS = command_table.bindings(names.INBOX)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-short"), (30, "-tall")]

    def __init__(self) -> None:
        super().__init__()
        self._off: set[str] = set()  # kinds that are not shown
        self._undone_now = False  # an undo was made, and its item is not listed yet
        self._wanted: Key | None = None  # where the cursor goes when the list is read again

    def body(self) -> Iterable[Widget]:
        yield Static(id="kinds")
        yield Container(
            InboxList(self.app.clock, self._hint_of, id="list"),
            DetailPane(self.app.clock, id="detail"),
            TextPane(id="about"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.memories = self.query_one(InboxList)
        self.view = self.query_one(DetailPane)
        self.about = self.query_one("#about", TextPane)
        self.memories.empty_lines = self.opening_lines()
        self.update_titles()
        self.memories.focus()
        self.watch(self.app, "inbox", self._read_anew)
        self.watch(self.app, "failure", self._show_failure, init=False)

    def _show_failure(self) -> None:
        """Show in the empty list why nothing was read yet."""
        failed = self.app.inbox_reader.failed
        self.memories.empty_lines = self.error_lines(wording.SUBJECT) if failed else self.opening_lines()
        self.memories.refresh()

    def on_resize(self) -> None:
        self._fit()
        self.update_titles()
        if self._was_read:
            self.call_after_refresh(self.load_text)

    def _fit(self) -> None:
        is_small = self.app.size.width < 100 or self.app.size.height < 30
        self.view.set_compact(is_small and not self.has_class("full"))

    def _hint_of(self, item: InboxItem) -> str:
        labels = {command.id: command.label for command in self.app.commands}
        return hint(item, self.app.key, labels.__getitem__)

    # Listing

    def _read_anew(self) -> None:
        """List what was read; what is back since the cause was not removed is no longer hidden."""
        listing, answered = self.app.inbox, self.app.inbox_reader.answered
        if listing is None:
            self._show_failure()
            return
        self._was_read = True
        self._hidden = {key: n for key, n in self._hidden.items() if n is None or n > answered}
        back = [key for key in self._pace.keys if key in listing.places and key not in self._hidden]
        for key in back:
            self._pace.undone(key)
        if self._undone_now and back:
            self._wanted, self._undone_now = min(back, key=listing.places.__getitem__), False
        self.note_gone(listing)
        before = self.memories.item
        self.relist()
        if before is not None and (now := self.memories.item) is not None and before.key != now.key:
            self._appeared_at = time.monotonic()

    def relist(self) -> None:
        listing, memories = self.app.inbox, self.memories
        if listing is None:
            return
        before = memories.item
        memories.store_names, memories.opened = self.app.store_names, self.app.inbox_reader.opened
        items = listing.shown(self._off, self._hidden)
        memories.empty_lines = self._empty_lines(listing)
        memories.show(items, listing, self._off, self._hidden)
        if self._wanted is not None:
            place = listing.place_of(self._wanted, self._off, self._hidden)
            if place is not None:
                memories.move_to(place)
                self._wanted = None
        if before is None or memories.item is None or before.key != memories.item.key:
            self._drawn_id = 0  # a key meant for what was there before must settle nothing
        self.set_class(not items, "nothing")
        self.update_titles()

    def _empty_lines(self, listing: Listing) -> list[Part]:
        key = self.app.key
        away = [kind for kind in listing.counts if kind in self._off]
        lines: list[Part] = [(wording.NOTHING_SHOWN if away else wording.NOTHING, "plain")]
        if listing.done_today:
            lines.append((wording.done_so_far(listing.done_today), "plain"))
        if listing.next_due is not None:
            lines.append((wording.due(moment(listing.next_due, self.app.clock())), "quiet"))
        lines.append(("", "plain"))
        if away:
            lines.append((wording.hidden_by_kind(key("inbox.kinds"), listing.total), "quiet"))
        lines.append((wording.go_to(key("screen.browse"), wording.BROWSE), "quiet"))
        if listing.done_today:
            lines.append((wording.go_to(key("change.undo"), wording.UNDO), "quiet"))
        return lines

    def update_titles(self) -> None:
        memories, listing = self.memories, self.app.inbox
        done = len(self._pace.keys)
        total = done + memories.count if memories.count else 0
        texts = (
            wording.position(done + memories.cursor + 1, total),
            wording.done(done),
            wording.marked(len(memories.marks) or len(memories.marked_pairs)),
            wording.time_left(memories.count * self._pace.seconds) if memories.count else "",
        )
        memories.set_title(wording.TITLE, Content(" · ".join(filter(None, texts))))
        counts = listing.counts if listing is not None else {}
        key, width = self.app.key("inbox.kinds"), self.app.size.width
        self.query_one("#kinds", Static).update(item_text.kinds_line(counts, self._off, key, width))

    # What is under the cursor

    @worker(wording.ITEM_UNREADABLE, group="detail")
    async def load_text(self) -> None:
        if await self.reload_visited():
            return
        item, workspace = self.memories.item, self.app.workspace
        self._offer_keys(item)
        if item is None or workspace is None:
            self._found = self._sides = None
            self.view.show_detail(None)
            self.about.show(Content(""), keep_place=False)
        elif is_pair(item):
            await self._load_pair(item)
        elif item.id is not None:
            detail = await self.read(workspace.detail, item.id)
            if self._is_current(item) and self.visited is None:
                self._show(self.view)
                self.view.show_detail(detail, notice=item_text.why_here(item))
        else:
            self._show_about(item)

    async def _load_pair(self, item: InboxItem) -> None:
        assert self.app.workspace is not None
        assert item.pair is not None
        self._show(self.about)
        found, sides = await self.app.lanes.read_raw(read_pair, self.app.workspace, item.pair)
        if not self._is_current(item):
            return
        before = self._found
        if before is not None and found is not None and before.digests != found.digests:
            self._drawn_id = 0  # a key meant for the old texts must settle nothing
        self._found, self._sides = found, sides
        self.about.border_title = Content(wording.PAIR)
        if found is None or sides is None:
            self._missing = item.pair
            self.about.show(Content(wording.PAIR_GONE), keep_place=False)
            return
        is_same = before is not None and before.pair.id == item.pair
        text = item_text.pair_text(found, sides, self.app.clock(), self.app.key, self._width, self._rows)
        self.about.show(text, keep_place=is_same)
        self.call_after_refresh(self._mark_drawn, item.pair)

    def _show_about(self, item: InboxItem) -> None:
        self._show(self.about)
        if is_summary(item):
            title = wording.CANDIDATES
            store = self.app.store_names.get(item.store, item.store)
            text = item_text.candidates_text(item, store, self.app.key)
        elif item.kind == BREACH:
            title, text = wording.BREACH, item_text.breach_text(item, self.app.key, self._width)
        else:
            title, text = wording.STORE_FINDING, item_text.finding_text(item, self.app.key, self._width)
        self.about.border_title = Content(title)
        self.about.show(text, keep_place=False)

    def _offer_keys(self, item: InboxItem | None) -> None:
        """Have the footer leave out the keys that do not fit the item, and keep those that matter most."""
        footer = self.query_one(Footer)
        footer.first = first_keys(item)
        ids = [command.id for command in self.app.commands if names.INBOX in command.screens]
        unfit = frozenset(id for id in ids if misfit(item, id, self.app.key) or (item is None and acts(id)))
        footer.hidden = unfit | NOT_IN_FULL if self.has_class("full") else unfit

    def _is_current(self, item: InboxItem) -> bool:
        return self.memories.item is not None and self.memories.item.key == item.key

    def _show(self, pane: TextPane) -> None:
        """Show one of the two panes below the list."""
        self.set_class(pane is self.about, "about")

    @property
    def _width(self) -> int:
        return max(10, (self.about.container_size.width or self.app.size.width - 4) - 1)

    @property
    def _rows(self) -> int | None:
        """How many rows of each text of a pair are shown; None for all."""
        if self.has_class("full"):
            return None
        return next((rows for name, rows in ROWS.items() if self.has_class(name)), 2)

    @property
    def text_beside(self) -> TextPane | None:
        pane = self.about if self.has_class("about") else self.view
        return pane if pane.display else None

    # Messages

    def on_change(self, change: Change) -> None:
        if change.ids and self.memories.marks & set(change.ids):
            self.memories.mark(self.memories.marks - set(change.ids))
        if change.kind == "resolved":
            self.memories.marked_pairs = set()
        if change.kind in UNDONE:
            self._undone_now = self.app.screen is self or self._undone_now
        else:
            self._changed |= set(change.ids)
            self.count_gone()
            self.update_titles()
        self.load_text()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def action_open(self) -> None:
        """Open a memory or a pair in full, a store, the Journal; list the candidates of a store below it."""
        item = self.memories.item
        if item is None:
            self.app.show_status(self.nothing_to("open"))
        elif self.visited is None and is_summary(item):
            self._fold(item.store, opened=item.store not in self.app.inbox_reader.opened)
        elif self.visited is None and item.kind == BREACH:
            self.app.switch_mode(names.JOURNAL)
        elif self.visited is None and item.id is None and not is_pair(item):
            self.app.start_work("go", self.app.show_store, item.store, item.code)
        else:
            self.set_full_screen(True)
            self._fit()
            self.load_text()
            (self.about if self.has_class("about") else self.view).focus()

    def action_repair(self) -> None:
        """Ask how the doctor would repair the finding under the cursor, then do it."""
        item = self.memories.item
        if reason := misfit(item, "inbox.repair", self.app.key):
            self.app.show_status(reason)
        elif item is not None and (workspace := self.writable()) is not None:
            from memtui.tui.inbox.repair_dialog import RepairDialog

            self._asked = item.key
            shown = self.app.store_names.get(item.store, item.store)
            dialog = RepairDialog(workspace, item.store, shown, item.code)
            self.app.push_screen(dialog, self.run_job)

    def action_close(self) -> None:
        item = self.memories.item
        if item is None or item.kind != CANDIDATES or item.store not in self.app.inbox_reader.opened:
            self.app.show_status(wording.NOT_OPEN)
        else:
            self._wanted = CANDIDATES, item.store, "candidates"
            self._fold(item.store, opened=False)

    def _fold(self, store: str, *, opened: bool) -> None:
        self.memories.mark(set())  # what is out of sight is not marked
        reader = self.app.inbox_reader
        reader.opened = reader.opened | {store} if opened else reader.opened - {store}
        reader.refresh(Touched(stores=frozenset((store,))), at_once=True)

    def action_kinds(self) -> None:
        from memtui.tui.common.kinds_dialog import KindsDialog

        listing = self.app.inbox
        counts = listing.counts if listing is not None else {}
        kinds = [(kind, SIGNS[kind], wording.KINDS[kind], counts.get(kind, 0)) for kind in KINDS]
        self.app.push_screen(KindsDialog(wording.WHICH_KINDS, kinds, self._off), self._show_kinds)

    def _show_kinds(self, off: Collection[str] | None) -> None:
        if off is not None:
            self.memories.mark(set())
            self._off = set(off)
            self.relist()

    @worker(wording.ITEM_UNREADABLE, group="pairs")
    async def action_pairs(self) -> None:
        """Show the pair under the cursor on Review, or the pairs of the memory."""
        item = self.memories.item
        if item is not None and item.pair is not None:
            await self.app.show_pair(item.pair)
        else:
            super().action_pairs()

    def action_graph(self) -> None:
        """Show the memory on Graph, of a pair the first one."""
        if is_pair(self.memories.item):
            if self._found is not None:
                self.app.start_work("go", self.app.show_graph, self._found.a.id)
        else:
            super().action_graph()

    def action_back(self) -> None:
        """Leave the full text or the memory that a link led to, else clear the marks."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self._fit()
            self.memories.focus()
            self.load_text()
        elif not self.end_visit() and (self.memories.marks or self.memories.marked_pairs):
            self.memories.mark(set())
            self.update_titles()
