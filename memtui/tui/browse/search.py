"""The search of Browse: by words at once, then by meaning, and how that is reported (S-30, S-35)."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.errors import QueryError
from memtui.memory.groups import Grouped
from memtui.memory.results import Hits
from memtui.tui.browse import listing, wording
from memtui.tui.browse.listing import Listing, Shown
from memtui.tui.browse.search_bar import SearchBar
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

SORTS = wording.SORTS
LARGE = 20_000  # memories from which on a list is not read again after each change


class SearchScreen(MemoryScreen):
    """A list of what the search bar asks for; the same search again keeps cursor, scroll and marks."""

    memories: MemoryList
    bar: SearchBar

    def __init__(self) -> None:
        super().__init__()
        self._sort = ""
        self._grouping: str | None = None  # how the list is grouped; None until that was read
        self._searched = ""  # the text that the list belongs to
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
        parts = workspace.listing(self.bar.input.value, live=True, sort=self._sort)
        try:
            await self._load(workspace, parts)
        finally:
            # In the thread that began it: a read that nobody needs any more must not stay open.
            self.app.lanes.post(parts.close)

    async def _load(self, workspace: Workspace, parts: Generator[Hits]) -> None:
        text, same = self.bar.input.value, self.bar.input.value == self._searched
        memories, unread, changed = self.memories, self.app.embedding_worker.pending, self._stale
        ids: Sequence[int] = memories.ids if same else ()
        by_meaning = self._by_meaning and not self._sort and len(ids) > 0
        cursor = memories.place if same else 0
        shown = Shown(ids, cursor, memories.related, memories.marks, by_meaning)
        try:
            found = await self._search(workspace, text, shown, changed, parts)
        except QueryError as error:
            self.bar.show_fault(error.start, error.end)
            self.app.show_refusal(error)
            return
        except Exception:
            memories.empty_lines = self.error_lines(wording.THE_LIST)
            memories.refresh()
            raise
        if self.app.status.tone == "error" and text != self._searched:
            self.app.show_status("")
        self._unread = unread
        groups = await self._groups(workspace, text, found.hits)
        self._show_list(text, shown, found, groups, same=same, changed=bool(changed))
        await self._read_rest(workspace, parts, found.hits)
        if self._can_search_meaning(text):
            await self._search_meaning(workspace, text)

    async def _search(
        self,
        workspace: Workspace,
        text: str,
        shown: Shown,
        changed: set[int] | None,
        parts: Generator[Hits],
    ) -> Listing:
        if changed and len(shown.ids) > LARGE and not self._partial:
            return await self.read(listing.patch, workspace, text, shown, changed, self._hits)
        if len(shown.ids):
            # While there is news, only loading it brings it into the list.
            allowed = changed if self.app.news else None
            return await self.read(listing.refresh, workspace, text, self._sort, shown, allowed, changed)
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
        memories.store_names = self.app.store_names
        memories.empty_lines = self._no_result_lines(text)
        new = same and self._arriving
        headings = groups.groups if groups is not None else ()
        memories.show(
            ids, cursor, keep_place=same, stale=self._stale, related=related, new=new, groups=headings
        )
        self._arriving = False
        self._stale = set()
        if self._target is not None and self._target in ids:
            memories.move_to_place(ids.index(self._target))
        self._target = None
        self._show_count(hits)
        self.update_titles()

    async def _read_rest(self, workspace: Workspace, parts: Iterator[Hits], hits: Hits) -> None:
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
        return bool(text.strip()) and not self._sort and (not self._by_meaning or bool(all_read))

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
        if text != self.bar.input.value or self._sort:
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
        if text.strip():
            ways = wording.IN_TEXT_OR_MEANING if self._by_meaning else ""
            if self._sort:
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
        is_named = not self._hits.sort and (self._sort or listing.has_words(self._searched))
        order = SORTS[self._sort] if is_named else ""
        meaning = self._meaning_texts() if self._searched.strip() and not self._sort else ("",)
        texts = [wording.found_how(self._hits.how, text, self._found) for text in meaning]
        which = wording.shown_which(order, self.app.key("search.filter"))
        self.bar.show_found([*texts, self._found], which)

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
        """Return the list's title, with the group under the cursor."""
        group = self.memories.group
        if group is None:
            return wording.MEMORIES
        name = one_line(self.memories.store_names.get(group.name, group.name), 40)
        return " · ".join(
            filter(None, (wording.MEMORIES, wording.GROUPED_TITLES[self._grouping or ""], name))
        )

    def update_titles(self) -> None:
        memories, marks = self.memories, len(self.memories.marks)
        parts = (
            wording.list_place(memories.place + 1, len(memories.ids), self._total),
            wording.marked(marks, self.hidden_marks) if marks else "",
            wording.new_above(memories.new_above) if memories.new_above else "",
        )
        memories.set_title(self._list_title(), Content(" · ".join(part for part in parts if part)))
