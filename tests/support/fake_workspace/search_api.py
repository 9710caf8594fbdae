"""Finding memories: by words, by filters, by meaning, and saved searches."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from fnmatch import fnmatch

from memtui.errors import QueryError, Refused
from memtui.memory.groups import CATEGORY, ENTITY, FOLDER, STORE, Grouped, Member, grouped
from memtui.memory.memory import LIVE, Memory
from memtui.memory.query.language import parse
from memtui.memory.results import EmbeddingState, Hits, MatchReason
from memtui.workspace.background import JobControl
from memtui.workspace.search.facets import MAX_VALUES, NAMES, Facets
from memtui.workspace.search.retrieval import BOTH, WORDS
from memtui.workspace.search.saved_searches import MAX_NAME, SavedSearch
from tests.support.fake_workspace.base import Base

_BATCH = 500  # memories that are embedded at once
_MAX_VALUES = 20  # of a filter
_FIXED = ("status", "kind")  # filters whose values the query language knows


def _none(memory: Memory) -> bool:
    return False


_STATES: dict[str, Callable[[Memory], bool]] = {
    "pinned": lambda m: m.pinned,
    "pending": lambda m: m.status == "pending",
    "snoozed": lambda m: m.snoozed_until is not None,
}


class SearchApi(Base):
    """Search in which every word must occur; of the filters, only store:, status:, is:pinned, is:pending and
    is:snoozed are supported, and no memory is in another state."""

    def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
        self.searches.append(text)
        if "status:" in text:
            word = text.split("status:")[1].split()[0] if text.split("status:")[1].split() else ""
            if word not in (*LIVE, "dismissed"):
                start = text.index("status:")
                raise QueryError(
                    f"There is no status “{word}”.",
                    start,
                    start + 7 + len(word),
                    "Allowed: pending, dismissed.",
                )
        parse(text)  # raises what any other invalid query does
        stores = [quoted or plain for quoted, plain in re.findall(r'store:(?:"([^"]*)"|(\S+))', text)]
        statuses = re.findall(r"\bstatus:(\w+)", text)
        words = [w for w in re.sub(r'store:"[^"]*"', "", text).casefold().split() if ":" not in w]
        ids = [
            id
            for id, m in self.memories.items()
            if (m.status in LIVE or not live or "status:" in text)
            and all(w in f"{m.title} {m.content} {m.subject}".casefold() for w in words)
            and (not statuses or m.status in statuses)
            and (not stores or any(fnmatch(m.store, store) for store in stores))
            and all(_STATES.get(state, _none)(m) for state in re.findall(r"\bis:(\w+)", text))
        ]
        if sort == "title":
            ids.sort(key=self._title)
        return Hits(array("q", ids), len(ids), "by text" if words else "all, newest first")

    def _title(self, id: int) -> str:
        return self.memories[id].title or self.memories[id].content

    def groups_of(self, ids: Sequence[int], by: str) -> Grouped:
        found = [(id, self.memories[id]) for id in ids if id in self.memories]
        members: list[Member] = []
        for id, memory in found:
            name = {
                ENTITY: memory.subject or memory.owner or memory.store,
                FOLDER: memory.store,
                CATEGORY: memory.category or "",
                STORE: memory.store,
            }[by]
            changed_at = memory.updated_at if memory.updated_at is not None else memory.created_at
            members.append((id, name, memory.store, memory.category or "", changed_at))
        return grouped(members, across_stores=by == CATEGORY)

    def grouping(self) -> str:
        return self.grouped_by

    def save_grouping(self, by: str) -> None:
        self.grouped_by = by

    def sorting(self) -> str:
        return self.sorted_by

    def save_sorting(self, sort: str) -> None:
        self.sorted_by = sort

    def match_counts(self, texts: Sequence[str], *, live: bool = True) -> list[int]:
        self._gate("match_counts")
        self._raise_error("match_counts")
        searches = len(self.searches)
        found = [self.search(text, live=live).total for text in texts]
        del self.searches[searches:]
        return found

    def listing(self, text: str, *, live: bool = True, sort: str = "") -> Generator[Hits]:
        yield self.search(text, live=live, sort=sort)

    def matching(self, text: str, ids: Sequence[int], *, live: bool = True) -> set[int]:
        return set(self.search(text, live=live).ids).intersection(ids)

    def fused(
        self, text: str, listed: Sequence[int], *, live: bool = True, by: str = BOTH, sort: str = ""
    ) -> Hits | None:
        if by == WORDS:
            return None
        self._gate(f"fused {text}")
        if self.phase != "ready":
            return None
        nearest = [id for id in self.nearest.get(text, ()) if self.memories[id].status in LIVE]
        answers = len(nearest) - self.related_counts.get(text, 0)
        related = [id for id in nearest[answers:] if id not in listed]
        ids = [*nearest[:answers], *(id for id in listed if id not in nearest[:answers])]
        if sort == "title":
            ids.sort(key=self._title)
        return Hits(
            array("q", [*ids, *related]),
            len(ids) + len(related),
            "by text and meaning",
            related=len(related),
        )

    def match_reason(self, text: str, id: int, *, live: bool = True) -> MatchReason | None:
        return self.reasons.get(id) if text.strip() else None

    def find(self, uid: str) -> int:
        found = {m.uid: id for id, m in self.memories.items() if m.uid.startswith(uid)}
        if uid in found or len(found) == 1:
            return found.get(uid) or next(iter(found.values()))
        if found:
            raise Refused(
                "ambiguous", f"Several memories have a uid that starts with {uid}.", "Enter more characters."
            )
        raise Refused("no-memory", f"There is no memory with the uid {uid}.", "To list memories: memtui list")

    def facets(self, text: str, *, live: bool = True) -> Facets:
        found = [self.memories[id] for id in self.search(text, live=live).ids]
        counts: dict[str, list[tuple[str, int]]] = {}
        for name in NAMES:
            values = Counter(
                str(value)
                for memory in found
                for value in (memory.tags if name == "tag" else (getattr(memory, name),))
                if value
            )
            counts[name] = values.most_common(MAX_VALUES)
        return Facets(counts)

    def values(self, name: str, beginning: str = "", *, live: bool = True) -> list[tuple[str, int]]:
        self._gate("values")
        found = [] if name in _FIXED else self.facets("", live=live).counts.get(name, [])
        prefix = beginning.casefold()
        return [(value, n) for value, n in found if value.casefold().startswith(prefix)][:_MAX_VALUES]

    def saved_searches(self) -> list[SavedSearch]:
        return sorted(self.saved.values(), key=lambda search: (search.name.lower(), search.name))

    def save_search(self, name: str, query: str, sort: str = "") -> SavedSearch:
        self._require_writable()
        name = name.strip()
        if not 0 < len(name) <= MAX_NAME:
            raise Refused(
                "name",
                f"Not saved: a name must have 1 to {MAX_NAME} visible characters.",
                "Choose another name.",
            )
        self.saved[name] = SavedSearch(name, query.strip(), sort, self.clock())
        return self.saved[name]

    def delete_search(self, name: str) -> None:
        self._require_writable()
        if self.saved.pop(name, None) is None:
            raise Refused("no-search", f"There is no saved search {name}.", "Nothing was changed.")

    def embedding_state(self) -> EmbeddingState:
        reason = "The model is broken." if self.phase == "failed" else ""
        hint = "Install it again." if reason else ""
        return EmbeddingState(self.phase, "fake", 0, self.unembedded, reason, hint)

    def load_model(self) -> bool:
        self._gate("load_model")
        self.phase = "failed" if "load_model" in self.errors else "ready"
        return self.phase == "ready"

    def embed(self, control: JobControl | None = None) -> int:
        control = control or JobControl()
        total = self.unembedded
        while self.unembedded and not control.stop():
            self._gate("embed", control.stop)
            self.unembedded = max(0, self.unembedded - _BATCH)
            control.report(total - self.unembedded, self.unembedded)
        return total - self.unembedded
