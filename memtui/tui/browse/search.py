"""Searching what the list shows: by words at once, then by meaning, and how that is told (S-30, S-35)."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.errors import QueryError
from memtui.memory.results import Hits
from memtui.tui.browse import listing
from memtui.tui.browse.search_bar import SearchBar
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.text.glyphs import grouped
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

SORTS = {
    "": "best match first",
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "expiry": "first to expire first",
    "title": "by title",
    "store": "by store",
}


LARGE = 20_000  # memories from which a list is not read anew after each change


class SearchScreen(MemoryScreen):
    """A list of what the search line asks for; the same search again keeps cursor, scroll and marks."""

    memories: MemoryList
    bar: SearchBar

    def __init__(self) -> None:
        super().__init__()
        self._sort = ""
        self._searched = ""
        self._total = 0
        self._stale: set[int] | None = set()
        self._wanted: int | None = None
        self._arriving = False  # what agents did meanwhile is being let in
        self._partial = False  # the rest of the list is still being read
        self._how = self._found = ""
        self._capped = False
        self._understood = False  # the list was found by meaning too
        self._asked = ""  # the text for which meaning was asked
        self._unread = 0  # memories that had no vector then
        self._looking = False  # it is being asked just now

    @worker("The memories could not be searched", group="search")
    async def load(self) -> None:
        """Search for what the bar says; the same search again keeps cursor, scroll and marks."""
        workspace = self.app.workspace
        if workspace is None:
            return
        parts = workspace.listing(self.bar.input.value, live=True, sort=self._sort)
        try:
            await self._load(workspace, parts)
        finally:
            # Where it was begun: a read that nobody wants any more must not stay open.
            self.app.lanes.post(parts.close)

    async def _load(self, workspace: Workspace, parts: Generator[Hits]) -> None:
        text, same = self.bar.input.value, self.bar.input.value == self._searched
        old = (self.memories.ids, self.memories.cursor) if same else ((), 0)
        below = self.memories.related
        marks, changed = self.memories.marks, self._stale
        by_meaning, unread = self._understood and not self._sort and len(old[0]) > 0, self.app.embedding_worker.pending
        try:
            if changed and len(old[0]) > LARGE and not self._partial:
                how = self._how
                found = await self.read(
                    listing.patched, workspace, text, old, below, marks, changed, how, by_meaning
                )
            elif len(old[0]):
                # While there is news, only `r` brings it into the list.
                only = changed if self.app.news else None
                found = await self.read(
                    listing.look_up, workspace, text, self._sort, old, below, marks, only, by_meaning, changed
                )
            else:
                found = await self.read(listing.begun, parts, marks)
        except QueryError as fault:
            self.bar.show_fault(fault.start, fault.end)
            self.app.show_refusal(fault)
            return
        except Exception:
            self.memories.empty_lines = self.error_lines("The list")
            self.memories.refresh()
            raise
        hits, cursor, hidden = found
        if self.app.status.tone == "wrong" and text != self._searched:
            self.app.show_status("")
        self._understood = by_meaning and hits.how == self._how
        self._unread = unread
        self._searched, self._total, self.hidden_marks = text, hits.total, hidden
        self._partial, self._how, self._capped = hits.more, hits.how, hits.capped
        ids, related = hits.ids, hits.related
        if self._understood and not changed:
            ids, cursor, related = listing.settled(ids, self.memories.ids, self.memories.cursor, related)
        elif same and self.memories.cursor != old[1]:  # they moved on meanwhile
            cursor = listing.place_of(self.memories.ids, self.memories.cursor, ids)
        self._looking = self._to_understand(text) and self.app.embedding_worker.phase == "ready"
        self.memories.store_names = self.app.store_names
        self.memories.empty_lines = self._nothing(text)
        new = same and self._arriving
        self.memories.show(ids, cursor, keep_place=same, stale=self._stale, related=related, new=new)
        self._arriving = False
        self._stale = set()
        if self._wanted is not None and self._wanted in ids:
            self.memories.move_to(ids.index(self._wanted))
        self._wanted = None
        self._tell_found(hits)
        self.update_titles()
        await self._take_rest(parts, hits)
        if self._to_understand(text):
            await self._understand(workspace, text)

    def _to_understand(self, text: str) -> bool:
        """Whether meaning may add something to what is shown."""
        read = self._unread and not self.app.embedding_worker.pending
        return bool(text.strip()) and not self._sort and (not self._understood or bool(read))

    async def _understand(self, workspace: Workspace, text: str) -> None:
        """Words are shown first; what was found by its meaning comes to stand around the cursor's line."""
        worker = self.app.embedding_worker
        if worker.phase not in ("ready", "off", "failed"):
            worker.request_model()
            return
        self._asked, unread = text, worker.pending
        # Without a model, what has most of the words where nothing has all of them.
        hits = await self.read(listing.better, workspace, text, self.memories.ids, worker.phase == "ready")
        if text != self.bar.input.value or self._sort:
            self._asked = ""
            return
        self._looking = False
        memories = self.memories
        self._understood = hits is not None
        memories.empty_lines = self._nothing(text)
        if hits is None:
            memories.refresh()
            return
        self._unread = unread
        self._how, self._total = hits.how, hits.total
        ids, cursor, related = listing.settled(hits.ids, memories.ids, memories.cursor, hits.related)
        memories.show(ids, cursor, keep_place=True, stale=set(), related=related)
        if memories.marks:
            self.hidden_marks = len(memories.marks.difference(ids))
        self._tell_found(hits)
        self.update_titles()

    def _learned(self) -> None:
        """The model was loaded, or memories were understood: what is shown may be found better."""
        text, worker = self._searched, self.app.embedding_worker
        if not text.strip() or text != self.bar.input.value:
            return
        better = self._asked != text or (self._unread and not worker.pending)
        if worker.phase == "ready" and better and self._to_understand(text):
            self.load()
            return
        self._tell_how()
        if not self.memories.count:
            self.memories.empty_lines = self._nothing(text)
            self.memories.refresh()

    async def _take_rest(self, parts: Iterator[Hits], hits: Hits) -> None:
        """A long list is shown by its first lines; the others follow, and other reads come in between."""
        whole = array("q", hits.ids)
        while hits.more:
            hits = await self.read(next, parts)
            whole.extend(hits.ids)
            self._total = hits.total
            if not hits.more:
                self._partial = False
                if self.memories.marks:
                    self.hidden_marks = len(self.memories.marks.difference(whole))
                self.memories.extend(whole)
                self._tell_found(hits)
                self.update_titles()

    def _nothing(self, text: str) -> list[Part]:
        """What would stand here, and which key makes it."""
        loading = self._to_understand(text) and self.app.embedding_worker.phase in ("waiting", "loading")
        if self._looking or loading:
            more = "looking by meaning …" if self._looking else "meaning loads in the background …"
            return [(f"No memory says all of these words; {more}", "quiet")]
        if text.strip():
            by_meaning = ", by words or by meaning" if self._understood else ""
            if self._sort:
                sort = self.app.key("search.sort")
                by_meaning = f" by words alone; {sort} sorts by the best match again, which finds by meaning"
            return [
                (f"Nothing matches “{text.strip()}”{by_meaning}.", "plain"),
                ("Only live memories are searched; status:dismissed shows others.", "quiet"),
                ("", "plain"),
                (f"{self.app.key('screen.back')}  clear the search", "quiet"),
            ]
        return [
            ("No memories yet.", "plain"),
            ("What your agents remember will stand here.", "quiet"),
            ("", "plain"),
            (f"{self.app.key('memory.add')}  write the first one", "plain"),
            (f"{self.app.key('screen.stores')}  attach the store of an agent", "plain"),
        ]

    def _tell_found(self, hits: Hits) -> None:
        counts = self.app.counts
        answers = hits.total - hits.related
        total = f"{grouped(answers)}{'+' if self._capped or hits.more else ''}"
        of = (
            f" of {grouped(counts.live)}"
            if counts and self._searched.strip() and counts.live >= hits.total
            else ""
        )
        self._found = f"{total}{of}{f', {grouped(hits.related)} related' if hits.related else ''}"
        self._tell_how()

    def _tell_how(self) -> None:
        order = SORTS[self._sort] if self._sort or self._how.startswith("by ") else ""
        told = not order or order in self._how
        asked = self._searched.strip() and not self._sort
        more = self._meaning_told() if asked else [""]
        ways = [f"{self._how}{each} · {self._found}" for each in more]
        state = "live" if told else f"live · {order}"
        self.bar.show_found([*ways, self._found], f"{state} · {self.app.key('search.filter')} filter")

    def _meaning_told(self) -> list[str]:
        """What is said of meaning beside how a search was made, the longest first."""
        worker = self.app.embedding_worker
        if worker.phase == "failed":
            return ["; meaning is off", ""]
        if self._understood and worker.phase != "off":  # then nothing is ever read
            left = grouped(worker.pending)
            return [f" ({left} not read yet)", f" ({left} to read)", ""] if worker.pending else [""]
        if worker.phase in ("waiting", "loading"):
            return ["; meaning loads in the background", "; meaning loads"]
        return [""]

    def update_titles(self) -> None:
        count, marks = self.memories.count, len(self.memories.marks)
        place = f"{grouped(self.memories.cursor + 1)} of {grouped(count)}" if count else ""
        if self._total > count:
            place += f", {grouped(self._total)} in all"
        marked = f"{grouped(marks)} marked" if marks else ""
        if marks and self.hidden_marks:
            marked += f", {grouped(self.hidden_marks)} not in this search"
        new = self.memories.new_above
        above = f"↑ {grouped(new)} new above" if new else ""
        self.memories.set_title("Memories", Content(" · ".join(part for part in (place, marked, above) if part)))
