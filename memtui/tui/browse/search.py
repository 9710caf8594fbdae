"""The search of Browse: by words at once, then by meaning, and how that is reported (S-30, S-35)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.errors import QueryError
from memtui.memory.groups import Group, Grouped
from memtui.memory.results import Hits
from memtui.tui.browse import listing, quick_views, wording
from memtui.tui.browse.list_order import OrderedScreen
from memtui.tui.browse.listing import Listing, Parts, Shown
from memtui.tui.browse.quick_views import ALL
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.memory.wording import NO_CATEGORY
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

SORTS = wording.SORTS
_BY_TIME = ("newest", "oldest")
LARGE = 20_000  # memories from which on a list is not read again after each change


class SearchScreen(OrderedScreen):
    """A list of what the search bar asks for; the same search again keeps cursor, scroll and marks."""

    memories: MemoryList

    def __init__(self) -> None:
        super().__init__()
        self._grouping: str | None = None  # how the list is grouped; None until that was read
        self._total = 0
        self._stale: set[int] | None = set()  # memories changed since the last search; None for all
        self._target: int | None = None  # the memory that gets the cursor after the next search
        self._arriving = False  # the next search shows what agents changed
        self._partial = False  # the rest of the list is still being read
        self._hits = Hits(array("q"), 0, "")  # of the last search
        self._found = ""
        self._by_meaning = False  # the list was searched by meaning too
        self._meaning_text = ""  # the text that was last searched by meaning
        self._unread = 0  # memories that had no vector then
        self._is_searching_meaning = False

    @worker(wording.NOT_SEARCHED, group="search")
    async def load(self) -> None:
        """Search for the bar's text; the same search again keeps cursor, scroll and marks."""
        workspace = self.app.workspace
        if workspace is None:
            return
        if not self.bar.input.value.strip():
            self._search_sort = None
        is_unknown = self._list_sort is None and not self._is_ranked
        parts = Parts(workspace, self.bar.input.value, None if is_unknown else self.sort)
        try:
            await self._load(workspace, parts)
        finally:
            # In the thread that began it: a read that nobody needs any more must not stay open.
            self.app.lanes.post(parts.close)

    async def _load(self, workspace: Workspace, parts: Parts) -> None:
        text, same = self.bar.input.value, self.bar.input.value == self._searched
        memories, unread, changed = self.memories, self.app.embedding_worker.pending, self._stale
        ids: Sequence[int] = memories.ids if same else ()
        by_meaning = self._by_meaning and not self.sort and len(ids) > 0
        cursor = memories.place if same else 0
        shown = Shown(ids, cursor, memories.related, memories.marks, by_meaning)
        try:
            found = await self._search(workspace, text, shown, changed, parts)
        except QueryError as error:
            self.list_fault = error.message
            self._show_fault(error)
            return
        except Exception as error:
            if not same:
                self.list_fault = error_text(error)
            memories.empty_lines = self.error_lines(wording.THE_LIST)
            memories.refresh()
            raise
        if self._list_sort is None and not self._is_ranked:
            self._list_sort = parts.sort
        if self.app.status.tone == "error" and text != self._searched:
            self.app.show_status("")
        self._unread = unread
        self.list_fault = ""
        groups = await self._groups(workspace, text, found.hits)
        self._show_list(text, shown, found, groups, same=same, changed=bool(changed))
        await self._read_rest(workspace, parts, found.hits)
        if self._can_search_meaning(text):
            await self._search_meaning(workspace, text)

    def _show_fault(self, error: QueryError) -> None:
        """Show what is wrong with the query; nothing is while a filter is being typed. The list stays."""
        if not (error.unfinished and self.bar.input.has_focus):
            self.bar.show_fault(error.start, error.end)
            self.app.show_refusal(error)
        else:
            self.bar.show_unfinished()
            if self.app.status.tone == "error":
                self.app.show_status("")

    async def _search(
        self,
        workspace: Workspace,
        text: str,
        shown: Shown,
        changed: set[int] | None,
        parts: Parts,
    ) -> Listing:
        if changed and len(shown.ids) > LARGE and not self._partial:
            return await self.read(listing.patch, workspace, text, shown, changed, self._hits)
        if len(shown.ids):
            # While there is news, only loading it brings it into the list.
            allowed = changed if self.app.news else None
            return await self.read(listing.refresh, workspace, text, self.sort, shown, allowed, changed)
        return await self.read(listing.first_part, parts, shown.marks)

    async def _groups(self, workspace: Workspace, text: str, hits: Hits) -> Grouped | None:
        """Return the list in groups; None if it is flat, as the ranked results of a text search are."""
        if self._grouping is None:
            self._grouping = await self.read(workspace.grouping)
        if not self._grouping or not hits.ids or listing.has_words(text):
            return None
        return await self.read(workspace.groups_of, hits.ids, self._grouping)

    def _show_list(
        self,
        text: str,
        shown: Shown,
        found: Listing,
        groups: Grouped | None,
        *,
        same: bool,
        changed: bool,
    ) -> None:
        memories, hits, cursor = self.memories, found.hits, found.cursor
        self._by_meaning = found.by_meaning
        if text != self._searched or not memories.ids:
            memories.start_folds(hits.total)  # what was searched for is not hidden
        if text != self._searched:
            self.app.clear_old_status()
        self._searched, self._total, self.hidden_marks = text, hits.total, found.hidden_marks
        self._partial, self._hits = hits.more, hits
        ids, related = hits.ids, hits.related
        if self._by_meaning and not changed:
            ids, cursor, related = listing.merge_at_cursor(ids, memories.ids, memories.place, related)
        elif same and memories.place != shown.cursor:  # the user moved it meanwhile
            cursor = listing.cursor_after(memories.ids, memories.place, ids)
        if groups is not None:
            cursor = groups.ids.index(ids[cursor]) if same and cursor < len(ids) else 0
            ids = groups.ids
        is_ready = self.app.embedding_worker.phase == "ready"
        self._is_searching_meaning = self._can_search_meaning(text) and is_ready
        # Where all memories are of one store, no line names it.
        counts = self.app.counts
        memories.store_names = self.app.store_names if counts is not None and counts.holding > 1 else {}
        memories.has_times = counts is None or counts.dated
        memories.empty_lines = self._no_result_lines(text)
        arrived = self.app.arrived if self._arriving else None
        headings = groups.groups if groups is not None else ()
        memories.show(
            ids, cursor, keep_place=same, stale=self._stale, related=related, arrived=arrived, groups=headings
        )
        if same and not hits.more and (gone := self._marks_gone(shown.ids, ids)):
            self.hidden_marks -= len(gone)
            memories.mark(memories.marks - gone)
        self._arriving = False
        self._stale = set()
        if self._target is not None and self._target in ids:
            memories.move_to_place(ids.index(self._target))
        self._target = None
        self._show_count(hits)
        self.update_titles()

    def _marks_gone(self, before: Sequence[int], after: Sequence[int]) -> set[int]:
        """Return the marked memories that a change of the user's took out of the list: the next key must not
        act on what is out of sight."""
        changed = self.memories.marks & (self._stale or set())
        return changed.intersection(before).difference(after) if changed else set()

    async def _read_rest(self, workspace: Workspace, parts: Parts, hits: Hits) -> None:
        """Read the rest of a long list whose first lines are shown; other reads come in between."""
        text = self._searched
        whole = array("q", hits.ids)
        while hits.more:
            hits = await self.read(next, parts)
            whole.extend(hits.ids)
            self._total = hits.total
            if not hits.more:
                self._partial = False
                if self.memories.marks:
                    self.hidden_marks = len(self.memories.marks.difference(whole))
                hits = replace(hits, ids=whole)
                if groups := await self._groups(workspace, text, hits):
                    place = groups.ids.index(self.memories.ids[self.memories.place])
                    self.memories.show(groups.ids, place, keep_place=True, stale=set(), groups=groups.groups)
                else:
                    self.memories.extend(whole)
                self._show_count(hits)
                self.update_titles()

    # By meaning

    def _can_search_meaning(self, text: str) -> bool:
        """Return whether a search by meaning may add to the list."""
        all_read = self._unread and not self.app.embedding_worker.pending
        return bool(text.strip()) and not self.sort and (not self._by_meaning or bool(all_read))

    async def _search_meaning(self, workspace: Workspace, text: str) -> None:
        """Merge what is near in meaning into the list, around the highlighted line.

        Without a model: what has most of the words, where nothing has all of them."""
        embedding, memories = self.app.embedding_worker, self.memories
        if embedding.phase not in ("ready", "off", "failed"):
            embedding.request_model()
            return
        self._meaning_text, unread = text, embedding.pending
        is_ready = embedding.phase == "ready"
        hits = await self.read(listing.improve, workspace, text, memories.ids, is_ready)
        if text != self.bar.input.value or self.sort:
            self._meaning_text = ""
            return
        self._is_searching_meaning = False
        self._by_meaning = hits is not None
        memories.empty_lines = self._no_result_lines(text)
        if hits is None:
            memories.refresh()
            return
        self._unread = unread
        self._hits, self._total = replace(hits, capped=self._hits.capped), hits.total
        ids, cursor, related = listing.merge_at_cursor(hits.ids, memories.ids, memories.place, hits.related)
        memories.show(ids, cursor, keep_place=True, stale=set(), related=related)
        if memories.marks:
            self.hidden_marks = len(memories.marks.difference(ids))
        self._show_count(hits)
        self.update_titles()

    def _embedding_changed(self) -> None:
        """Search again if the model was loaded, or memories were embedded, since the last search."""
        text, embedding = self._searched, self.app.embedding_worker
        if not text.strip() or text != self.bar.input.value:
            return
        is_outdated = self._meaning_text != text or (self._unread and not embedding.pending)
        if embedding.phase == "ready" and is_outdated and self._can_search_meaning(text):
            self.load()
            return
        self._show_how()
        if not self.memories.count:
            self.memories.empty_lines = self._no_result_lines(text)
            self.memories.refresh()

    # How it is reported

    def _no_result_lines(self, text: str) -> list[Part]:
        """Return the lines of an empty list, with the keys that lead out of it."""
        is_loading = self._can_search_meaning(text) and self.app.embedding_worker.phase in (
            "waiting",
            "loading",
        )
        if self._is_searching_meaning or is_loading:
            more = wording.LOOKING_BY_MEANING if self._is_searching_meaning else wording.MEANING_LOADING
            return [(wording.words_not_found(more), "quiet")]
        view = quick_views.in_force(text)
        if view is not ALL:
            rest = quick_views.chosen(text, ALL)
            return [
                (wording.empty_view(view.code, rest), "plain"),
                ("", "plain"),
                (wording.leave_view(self.app.key("screen.back")), "quiet"),
                (wording.other_views(self.app.key("list.views")), "quiet"),
            ]
        if text.strip():
            ways = wording.IN_TEXT_OR_MEANING if self._by_meaning else ""
            if self.sort:
                ways = wording.text_search_only(self.app.key("search.sort"))
            return [
                (wording.nothing_matches(text.strip(), ways), "plain"),
                (wording.ONLY_LIVE, "quiet"),
                ("", "plain"),
                (wording.clear_search(self.app.key("screen.back")), "quiet"),
            ]
        return [
            (wording.NO_MEMORIES, "plain"),
            (wording.AGENTS_MEMORIES, "quiet"),
            ("", "plain"),
            (wording.write_first(self.app.key("memory.add")), "plain"),
            (wording.attach_store(self.app.key("screen.stores")), "plain"),
        ]

    def _show_count(self, hits: Hits) -> None:
        counts = self.app.counts
        is_part = counts and self._searched.strip() and counts.live >= hits.total
        live = counts.live if counts and is_part else None
        at_least = self._hits.capped or hits.more
        self._found = wording.found_count(hits.total - hits.related, live, hits.related, at_least=at_least)
        self._show_how()

    def _show_how(self) -> None:
        texts: list[str] = []  # the bar of views and the list's border say it of a whole list
        if listing.has_words(self._searched):
            meaning = self._meaning_texts() if not self.sort else ("",)
            texts = [wording.found_how(self._hits.how, text, self._found) for text in meaning]
        found = self._found if self._searched.strip() else ""
        which = wording.shown_which(self.app.key("search.filter"))
        self.bar.show_found([*texts, found], which, quick_views.in_force(self._searched))

    def _meaning_texts(self) -> Sequence[str]:
        """Return the state of searching by meaning for the search bar, the longest text first."""
        embedding = self.app.embedding_worker
        if embedding.phase == "failed":
            return wording.MEANING_OFF
        if self._by_meaning and embedding.phase != "off":  # when off, nothing is ever embedded
            return wording.unread_memories(embedding.pending) if embedding.pending else ("",)
        if embedding.phase in ("waiting", "loading"):
            return wording.MEANING_LOADS
        return ("",)

    def _list_title(self) -> str:
        """Return the list's title: its grouping, its order, the group under the cursor."""
        group, order = self.memories.group, SORTS[self.order] if self.memories.count else ""
        if self.order in _BY_TIME and not self.memories.has_times:
            order = ""  # they stand as in their stores
        by = wording.GROUPED_TITLES[self._grouping or ""] if group is not None else ""
        name = self._group_name(group, 40) if group is not None else ""
        return " · ".join(filter(None, (wording.MEMORIES, by, order, name)))

    def _group_name(self, group: Group, limit: int) -> str:
        return one_line(self.memories.store_names.get(group.name, group.name) or NO_CATEGORY, limit)

    def update_titles(self) -> None:
        memories, marks = self.memories, len(self.memories.marks)
        parts = (
            wording.list_place(memories.place + 1, len(memories.ids), self._total),
            wording.marked(marks, self.hidden_marks) if marks else "",
            self._news_text(),
        )
        memories.set_title(self._list_title(), Content(" · ".join(part for part in parts if part)))

    def _news_text(self) -> str:
        """Return where the news is that was not on the screen yet."""
        elsewhere = self.memories.elsewhere
        names = [self._group_name(group, 24) for group in elsewhere.folded]
        return wording.news_elsewhere(elsewhere.above, elsewhere.below, names)
