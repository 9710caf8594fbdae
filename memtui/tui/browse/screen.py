"""Browse: search, the list of memories, and one of them in full."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container
from textual.widget import Widget

from memtui.memory.detail import Detail
from memtui.memory.memory import MemoryRow
from memtui.memory.query.completion import Completing
from memtui.memory.results import Change, MatchReason
from memtui.tui import command_table
from memtui.tui.browse import listing
from memtui.tui.browse.completion import Completion
from memtui.tui.browse.listing import asks_for_words
from memtui.tui.browse.search import SORTS, SearchScreen
from memtui.tui.browse.search_bar import SearchBar
from memtui.tui.browse.suggestions import Suggestions
from memtui.tui.command_table import FooterItem
from memtui.tui.common.footer import Footer
from memtui.tui.memory.detail_pane import DetailPane
from memtui.tui.memory.match_reason import being_typed
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.messages import MarksChanged, NewSeen, Opened, QueryChanged, Taken
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH, LOADED


class BrowseScreen(SearchScreen):
    """See, search and correct what the agents remember (S-8, S-9, S-31, S-50)."""

    MODE = command_table.BROWSE
    BINDINGS = command_table.bindings(command_table.BROWSE)

    def body(self) -> Iterable[Widget]:
        self._completion = Completion(Suggestions(), self._read_values)
        yield SearchBar(self._completion)
        yield self._completion.offers
        yield Container(
            MemoryList(self._fetch, self.app.clock, id="list"),
            DetailPane(self.app.clock, id="detail"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.memories = self.query_one(MemoryList)
        self.view = self.query_one(DetailPane)
        self.bar = self.query_one(SearchBar)
        self.memories.empty_lines = self.opening_lines()
        self.update_titles()
        self.memories.focus()
        self.watch(self.app, "workspace", self._opened, init=False)
        self.watch(self.app, "failure", self._failed, init=False)
        self.watch(self.app, "embedding_status", self._learned, init=False)

    def on_descendant_focus(self) -> None:
        self._offer_keys()

    def on_descendant_blur(self) -> None:
        self._offer_keys()

    def _offer_keys(self) -> None:
        """While one types, letters are no commands, and the footer offers none."""
        back, palette = self.app.key("screen.back"), self.app.key("app.palette")
        keys = [FooterItem(1, "⏎ ↓", "to the list"), FooterItem(2, back, "back", "screen.back")]
        if "+" in palette:
            keys.append(FooterItem(3, palette, "palette", "app.palette"))
        self.query_one(Footer).typing = tuple(keys) if self.bar.input.has_focus else ()

    def _opened(self) -> None:
        self.app.show_settings_errors()
        self.load()

    def search_for(self, query: str, id: int | None = None, sort: str | None = None) -> None:
        """Show a search, with the cursor on one memory if it is found, in an order if one is given."""
        self.set_full_screen(False)
        self.on_resize()
        self._wanted = id
        if sort is not None:
            self._sort = sort if sort in SORTS else ""
        self.bar.input.value = query
        self.memories.focus()
        self.load()

    def _failed(self) -> None:
        self.memories.empty_lines = self.opening_lines()
        self.memories.refresh()

    def on_resize(self) -> None:
        self.view.fold(self.size.width < 100 and not self.has_class("full"))

    # What is shown

    async def _fetch(self, ids: list[int]) -> list[MemoryRow]:
        workspace = self.app.workspace
        return await self.read(workspace.rows, ids) if workspace is not None else []

    @worker("The values could not be read", group="values")
    async def _read_values(self, what: Completing) -> None:
        workspace = self.app.workspace
        if workspace is not None:
            self._completion.came(what, await self.read(workspace.values, what.name, what.beginning))

    @worker("The memory could not be read", group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory."""
        id, workspace, text = self.memories.highlighted, self.app.workspace, self._searched
        detail: Detail | None = None
        why: MatchReason | None = None
        if id is not None and workspace is not None:
            try:
                detail, why = await self.read(listing.in_full, workspace, id, text)
            except Exception:
                # What stands there belongs to another memory.
                self.view.show_detail(None)
                raise
        self.view.show_detail(detail, why, being_typed(text) if why is not None else "")

    # News

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        self._arriving |= change.kind == LOADED
        if change.kind == "added" and change.ids:
            # Their own: it must be in sight, and the next key is meant for it.
            self._wanted = change.ids[0]
        if not change.ids:
            self._stale = None
        elif self._stale is not None:
            self._stale |= set(change.ids)
        if change.kind in ("dismissed", "restored", "moved", "superseded") and self.memories.marks & set(
            change.ids
        ):
            # They left this list: the next key must not act on what is out of sight.
            self.memories.mark(self.memories.marks - set(change.ids))
        self.load()
        self.load_text()

    def on_query_changed(self, message: QueryChanged) -> None:
        text = message.text
        missed = self._asked != text and self.app.embedding_worker.phase == "ready" and self._to_understand(text)
        if text != self._searched or self.app.status.tone == "wrong" or missed:
            self.load()

    def on_taken(self, message: Taken) -> None:
        self._completion.take()

    def on_marks_changed(self, message: MarksChanged) -> None:
        self.update_titles()

    def on_new_seen(self, message: NewSeen) -> None:
        self.update_titles()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`/` is a letter where one types."""
        return not (action == "search" and self.bar.input.has_focus)

    def action_search(self) -> None:
        self.set_full_screen(False)
        self.set_focus(self.bar.input)

    def action_filter(self) -> None:
        from memtui.tui.browse.filter_dialog import FilterDialog

        if workspace := self.app.ready_workspace():
            self.app.push_screen(FilterDialog(workspace, self.bar.input.value), self._filtered)

    def _filtered(self, answer: tuple[str, str | None] | None) -> None:
        if answer is not None and (answer[1] is not None or answer[0] != self.bar.input.value):
            self.search_for(answer[0], sort=answer[1])

    def action_save_search(self) -> None:
        from memtui.tui.browse.save_search import SaveSearchDialog

        query = self.bar.input.value.strip()
        if workspace := self.app.ready_workspace():
            if not query and not self._sort:
                search = self.app.key("search.focus")
                self.app.show_status(f"Nothing to keep: everything is shown. {search} searches.")
                return
            dialog = SaveSearchDialog(workspace, query, self._sort, SORTS[self._sort])
            self.app.push_screen(dialog, self._saved)

    def _saved(self, told: str | None) -> None:
        if told is not None:
            self.app.show_status(told, tone="done", hint=f"· {self.app.key('search.filter')} shows and forgets it")

    def action_sort(self) -> None:
        if not self.app.ready_workspace():
            return
        asks = asks_for_words(self._searched)
        # Without a word to match, the best match first is the newest first: one press, one other order.
        names = [name for name in SORTS if asks or name != "newest"]
        now = self._sort if self._sort in names else ""
        self._sort = names[(names.index(now) + 1) % len(names)]
        words = self._sort and asks and self.app.embedding_worker.phase == "ready"
        rest = ": what has the words, not what is near in meaning" if words else ""
        self.app.show_status(f"Sorted {SORTS[self._sort or ('' if asks else 'newest')]}{rest}.")
        self.load()

    def action_open(self) -> None:
        if self.memories.highlighted is None:
            self.app.show_status("Nothing to open: the list is empty.")
            return
        self.set_full_screen(True)
        self.view.fold(False)
        self.load_text()
        self.view.focus()

    def action_back(self) -> None:
        """One step: out of full screen, out of the search, marks, query."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self.on_resize()
            self.memories.focus()
        elif self.bar.input.has_focus and self.bar.input.value == self._searched:
            self.memories.focus()
        elif self.memories.marks and not self.bar.input.has_focus:
            self.hidden_marks = 0
            self.memories.mark(set())
        elif self.bar.input.value:
            self._sort = ""  # it belonged to this search
            self.bar.clear()
        else:
            self.memories.focus()
