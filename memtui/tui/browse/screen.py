"""Browse: the search bar, the list of memories, and one of them in full."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container
from textual.widget import Widget

from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.detail import Detail
from memtui.memory.memory import MemoryRow
from memtui.memory.query.completion import CompletionContext
from memtui.memory.results import Change, MatchReason
from memtui.tui import command_table
from memtui.tui.browse import listing, wording
from memtui.tui.browse.export_keys import ExportScreen
from memtui.tui.browse.replace_keys import ReplaceScreen
from memtui.tui.browse.search import SORTS
from memtui.tui.browse.search_bar import SearchBar
from memtui.tui.browse.suggestions import SearchSuggestions
from memtui.tui.browse.view_keys import ViewScreen
from memtui.tui.command_table import FooterItem
from memtui.tui.commands import names
from memtui.tui.common.footer import Footer
from memtui.tui.completing.completion import Completion
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.memory.detail.match_reason import partial_word
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.memory.wording import NO_CATEGORY
from memtui.tui.messages import MarksChanged, NewRowsSeen, Opened, QueryChanged, SuggestionClicked
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH, LOADED


class BrowseScreen(ReplaceScreen, ExportScreen, ViewScreen):
    """See, search and correct what the agents remember (S-8, S-9, S-31, S-50)."""

    MODE = names.BROWSE
    BINDINGS = command_table.bindings(names.BROWSE)

    def body(self) -> Iterable[Widget]:
        self._completion = Completion(SearchSuggestions(), self._read_values)
        yield SearchBar(self._completion)
        yield self._completion.suggestions
        yield Container(
            MemoryList(self._fetch, self.app.clock, id="list", two_lines=self.app.settings.two_lines),
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
        self.watch(self.app, "workspace", self._workspace_opened, init=False)
        self.watch(self.app, "failure", self._open_failed, init=False)
        self.watch(self.app, "embedding_status", self._embedding_changed, init=False)
        self.watch(self.app, "counts", self._counts_changed, init=False)
        # A scan in the background finds and closes contradictions after a change was announced.
        self.watch(self.app, "review", self._pairs_changed, init=False)

    def on_descendant_focus(self) -> None:
        self._show_input_keys()

    def on_descendant_blur(self) -> None:
        self._show_input_keys()
        if self.list_fault and not self.bar.input.has_focus:
            self.load()  # what is unfinished is a failure once the bar is left

    def _show_input_keys(self) -> None:
        """Show only the keys that work while the user types, when letters are no commands."""
        back, palette = self.app.key("screen.back"), self.app.key("app.palette")
        keys = [FooterItem(1, "⏎ ↓", wording.TO_LIST), FooterItem(2, back, "back", "screen.back")]
        if "+" in palette:
            keys.append(FooterItem(3, palette, "palette", "app.palette"))
        self.query_one(Footer).typing = tuple(keys) if self.bar.input.has_focus else ()

    def _workspace_opened(self) -> None:
        self.app.show_settings_problems()
        self.load()

    def _counts_changed(self) -> None:
        self.count_views()

    def _pairs_changed(self, pairs: QueueCounts | None) -> None:
        if pairs is not None and not pairs.unscanned:  # else counting would go on as long as the scan
            self.count_views()

    def search_for(self, query: str, id: int | None = None, sort: str | None = None) -> None:
        """Search for `query`, with the cursor on memory `id` if it is found, sorted by `sort` if given."""
        self.set_full_screen(False)
        self.on_resize()
        self._target = id
        if sort is not None:
            self.set_order(query, sort if sort in SORTS else "")
        self.bar.input.value = query
        self.memories.focus()
        self.load()

    def _open_failed(self) -> None:
        self.memories.empty_lines = self.opening_lines()
        self.memories.refresh()

    def on_resize(self) -> None:
        self.view.set_compact(self.size.width < 100 and not self.has_class("full"))
        self.call_after_refresh(self._completion.suggestions.place)

    # What is shown

    async def _fetch(self, ids: list[int]) -> list[MemoryRow]:
        workspace = self.app.workspace
        return await self.read(workspace.rows, ids) if workspace is not None else []

    @worker(wording.VALUES_NOT_READ, group="values")
    async def _read_values(self, part: CompletionContext) -> None:
        workspace = self.app.workspace
        if workspace is not None:
            self._completion.set_values(part, await self.read(workspace.values, part.name, part.prefix))

    @worker(wording.MEMORY_NOT_READ, group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory."""
        if await self.reload_visited():
            return
        id, workspace, text = self.memories.highlighted, self.app.workspace, self._searched
        group = self.memories.group if self.memories.more else self.memories.heading
        if group is not None:
            name = self.memories.store_names.get(group.name, group.name) or NO_CATEGORY
            self.view.show_group(group, name)
            return
        detail: Detail | None = None
        why: MatchReason | None = None
        if id is not None and workspace is not None:
            try:
                detail, why = await self.read(listing.detail_with_reason, workspace, id, text)
            except Exception:
                # The text on the screen is another memory's.
                self.view.show_detail(None)
                raise
        if self.visited is None:  # else a link was followed meanwhile
            self.view.show_detail(detail, why, partial_word(text) if why is not None else "")

    # Messages

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        self._arriving |= change.kind == LOADED
        if change.kind == "added" and change.ids:
            # The user's own: it must be in sight, and the next key is meant for it.
            self._target = change.ids[0]
        if not change.ids:
            self._stale = None
        elif self._stale is not None:
            self._stale |= set(change.ids)
        if change.kind in (
            "dismissed",
            "forgotten",
            "restored",
            "moved",
            "superseded",
        ) and self.memories.marks & set(change.ids):
            # They leave this list, and the next key must not act on what is out of sight.
            self.memories.mark(self.memories.marks - set(change.ids))
        self.load()
        self.load_text()
        self.count_views()

    def on_query_changed(self, message: QueryChanged) -> None:
        text = message.text
        is_ready = self.app.embedding_worker.phase == "ready"
        by_words_only = self._meaning_text != text and is_ready and self._can_search_meaning(text)
        has_failed = bool(self.list_fault) or self.app.status.tone == "error"
        if text != self._searched or has_failed or by_words_only:
            self.load()

    def on_suggestion_clicked(self, message: SuggestionClicked) -> None:
        self._completion.accept()

    def on_marks_changed(self, message: MarksChanged) -> None:
        self.update_titles()

    def on_new_rows_seen(self, message: NewRowsSeen) -> None:
        self.update_titles()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While the user types, `/` and `V` are letters."""
        return not (action in ("search", "views") and self.bar.input.has_focus)

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
            if not query and not self.sort:
                search = self.app.key("search.focus")
                self.app.show_status(wording.nothing_to_keep(search))
                return
            dialog = SaveSearchDialog(workspace, query, self.sort, SORTS[self.sort])
            self.app.push_screen(dialog, self._saved)

    def _saved(self, summary: str | None) -> None:
        if summary is not None:
            hint = wording.kept_hint(self.app.key("search.filter"))
            self.app.show_status(summary, tone="done", hint=hint)

    @property
    def spot(self) -> object:
        heading = self.memories.heading
        return heading.id if heading is not None else super().spot

    def no_memory(self) -> str:
        if self.memories.more:
            return wording.on_more(self.memories.more, self.app.key("memory.open"))
        return wording.ON_HEADING if self.memories.heading is not None else super().no_memory()

    def action_open(self) -> None:
        if self.memories.heading is not None or self.memories.more:
            if not self.memories.unfold():
                self.memories.fold()
            self.app.clear_old_status()
            return
        if self.memories.highlighted is None:
            self.app.show_status(wording.NOTHING_TO_OPEN)
            return
        self.set_full_screen(True)
        self.view.set_compact(False)
        self.load_text()
        self.view.focus()

    def action_back(self) -> None:
        """Go one step back: out of full screen, out of the search bar; clear the marks; leave the quick view;
        clear the query."""
        if self.has_class("full"):
            self.set_full_screen(False)
            self.on_resize()
            self.memories.focus()
        elif self.end_visit() or (self.bar.input.has_focus and self.bar.input.value == self._searched):
            self.memories.focus()
        elif self.memories.marks and not self.bar.input.has_focus:
            self.hidden_marks = 0
            self.memories.mark(set())
        elif not self.bar.input.has_focus and self.leave_view():
            return
        elif self.bar.input.value:
            self._search_sort = None  # the order belonged to this search
            self.bar.clear()
        else:
            self.memories.focus()
