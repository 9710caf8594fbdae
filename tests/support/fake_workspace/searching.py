"""Finding memories: by words, by filters, by meaning, and kept searches."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Generator, Sequence
from fnmatch import fnmatch

from memtui.errors import QueryError, Refused
from memtui.memory.memory import LIVE
from memtui.memory.results import EmbeddingState, Hits, MatchReason
from memtui.workspace.background import JobControl
from memtui.workspace.search.facets import MOST, NAMES, Facets
from memtui.workspace.search.retrieval import BOTH, WORDS
from memtui.workspace.search.saved_searches import LONGEST, Saved
from tests.support.fake_workspace.base import Base

_BATCH = 500  # memories that get their vectors at once
_OFFERED = 20  # values of a filter
_FIXED = ("status", "kind")  # filters whose values the query language knows


class Searching(Base):
    """Every word must occur; of the filters, only store: and status: are understood."""

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
        stores = [one or other for one, other in re.findall(r'store:(?:"([^"]*)"|(\S+))', text)]
        words = [w for w in re.sub(r'store:"[^"]*"', "", text).casefold().split() if ":" not in w]
        ids = [
            id
            for id, m in self.memories.items()
            if (m.status in LIVE or not live or "status:" in text)
            and all(w in f"{m.title} {m.content} {m.subject}".casefold() for w in words)
            and (not stores or any(fnmatch(m.store, each) for each in stores))
        ]
        if sort == "title":
            ids.sort(key=self._title)
        return Hits(array("q", ids), len(ids), "by words" if words else "all, newest first")

    def _title(self, id: int) -> str:
        return self.memories[id].title or self.memories[id].content

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
        best = [id for id in self.near.get(text, ()) if self.memories[id].status in LIVE]
        answers = len(best) - self.related.get(text, 0)
        beyond = [id for id in best[answers:] if id not in listed]
        ids = [*best[:answers], *(id for id in listed if id not in best[:answers])]
        if sort == "title":
            ids.sort(key=self._title)
        return Hits(
            array("q", [*ids, *beyond]), len(ids) + len(beyond), "by meaning and words", related=len(beyond)
        )

    def why(self, text: str, id: int, *, live: bool = True) -> MatchReason | None:
        return self.reasons.get(id) if text.strip() else None

    def find(self, uid: str) -> int:
        found = {m.uid: id for id, m in self.memories.items() if m.uid.startswith(uid)}
        if uid in found or len(found) == 1:
            return found.get(uid) or next(iter(found.values()))
        if found:
            raise Refused("ambiguous", f"More than one memory's uid begins with {uid}.", "Give more of it.")
        raise Refused("no-memory", f"There is no memory with the uid {uid}.", "memtui list shows them.")

    def facets(self, text: str, *, live: bool = True) -> Facets:
        found = [self.memories[id] for id in self.search(text, live=live).ids]
        counts: dict[str, list[tuple[str, int]]] = {}
        for name in NAMES:
            values = Counter(
                str(value)
                for each in found
                for value in (each.tags if name == "tag" else (getattr(each, name),))
                if value
            )
            counts[name] = values.most_common(MOST)
        return Facets(counts)

    def values(self, name: str, beginning: str = "", *, live: bool = True) -> list[tuple[str, int]]:
        self._gate("values")
        found = [] if name in _FIXED else self.facets("", live=live).counts.get(name, [])
        low = beginning.casefold()
        return [each for each in found if each[0].casefold().startswith(low)][:_OFFERED]

    def saved(self) -> list[Saved]:
        return sorted(self.searches_kept.values(), key=lambda each: (each.name.lower(), each.name))

    def save_search(self, name: str, query: str, sort: str = "") -> Saved:
        self._writable()
        name = name.strip()
        if not 0 < len(name) <= LONGEST:
            raise Refused(
                "name",
                f"Not saved: a name has 1 to {LONGEST} characters, all of them visible.",
                "Give the search another name.",
            )
        self.searches_kept[name] = Saved(name, query.strip(), sort, self.clock())
        return self.searches_kept[name]

    def forget_search(self, name: str) -> None:
        self._writable()
        if self.searches_kept.pop(name, None) is None:
            raise Refused("no-search", f"There is no saved search {name}.", "Nothing was changed.")

    def meaning(self) -> EmbeddingState:
        why = "The model is broken." if self.phase == "failed" else ""
        return EmbeddingState(self.phase, "fake", 0, self.unread, why, "Install it again." if why else "")

    def load_model(self) -> bool:
        self._gate("load_model")
        self.phase = "failed" if "load_model" in self.raising else "ready"
        return self.phase == "ready"

    def embed(self, manners: JobControl | None = None) -> int:
        manners = manners or JobControl()
        whole = self.unread
        while self.unread and not manners.stop():
            self._gate("embed", manners.stop)
            self.unread = max(0, self.unread - _BATCH)
            manners.tell(whole - self.unread, self.unread)
        return whole - self.unread
