"""A small real workspace in memory, for what the real one cannot be made to do on demand."""

from __future__ import annotations

import re
import threading
import time
from array import array
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from memtui.errors import Conflict, QueryError, Refused
from memtui.memory.graph import Around, Cluster, Edge, Node, Origin, Overview, Spot, ordered
from memtui.memory.pairs import (
    BOTH_TRUE,
    CONTRADICTION,
    DISCARD_BOTH,
    DUPLICATE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    NOT_SO,
    Pair,
    PairDetail,
    ReviewState,
    Said,
    Suggestion,
    Swept,
)
from memtui.memory.records import (
    LIVE,
    Ailment,
    Backup,
    Change,
    Counts,
    Detail,
    Event,
    EventItem,
    Finding,
    Found,
    Hits,
    MeaningState,
    Memory,
    Pulled,
    Purged,
    Relation,
    Row,
    Skipped,
    StoreInfo,
    Why,
    label_of,
)
from memtui.memory.ties import Tie
from memtui.workspace.facets import Facets
from memtui.workspace.saved import Saved


class FakeWorkspace:
    """The verbs of Workspace over a dict; `clash` is raised by the next edit, `news` come by the pull."""

    def __init__(self, memories: Sequence[Memory], *, clock: Any = time.time, name: str = "work.db") -> None:
        self.path = Path("/nowhere") / name
        self.read_only = False
        self.clock = clock
        self.memories = dict(enumerate(memories, 1))
        self.events: list[Event] = []
        self.items: dict[int, list[EventItem]] = {}
        self.undone: list[int] = []
        self.clash: Conflict | None = None
        self.news: list[Memory] = []
        self.locked: set[int] = set()
        self.relations: dict[int, tuple[Relation, ...]] = {}
        self.searches: list[str] = []
        self.attached: list[StoreInfo] | None = None
        """The stores; those that the memories name unless told otherwise."""
        self.found: list[Found] = []
        self.ailments: list[Ailment] = []
        self.kept: list[Backup] = []
        self.mended: list[Ailment] = []
        self.purged: list[int] = []
        self.raising: dict[str, Exception] = {}
        """What a verb raises instead of doing its work."""
        self.phase, self.unread = "off", 0
        """How searching by meaning stands, and how many memories are not read yet."""
        self.near: dict[str, Sequence[int]] = {}
        """What is near to a question in meaning, best first."""
        self.reasons: dict[int, Why] = {}
        self.gates: dict[str, threading.Event] = {}
        """What blocks until its event is set; `waiting` tells which ones were reached."""
        self.waiting: list[str] = []
        self.searches_kept: dict[str, Saved] = {}
        self.findings: dict[int, Pair] = {}
        """The pairs, whatever their state."""
        self.suggested: dict[int, Suggestion] = {}
        self.unsettled: dict[int, dict[str, str]] = {}
        """For a pair, why verdicts cannot be given."""
        self.to_compare: list[Pair | None] = []
        """What the sweep finds, memory by memory."""
        self.merged: dict[int, str] = {}
        self.webs: dict[Spot, Around] = {}
        """Neighbourhoods that are other than the relations say."""
        self.untied: list[tuple[int, str, int | str, bool]] = []
        self._local = threading.local()
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def close_thread(self) -> None:
        return

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
            if (m.status in LIVE or "status:" in text)
            and all(w in f"{m.title} {m.content} {m.subject}".casefold() for w in words)
            and (not stores or any(fnmatch(m.store, each) for each in stores))
        ]
        if sort == "title":
            ids.sort(key=lambda id: self.memories[id].title or self.memories[id].content)
        return Hits(array("q", ids), len(ids), "by words" if words else "all, newest first")

    def listing(self, text: str, *, live: bool = True, sort: str = "") -> Generator[Hits]:
        yield self.search(text, live=live, sort=sort)

    def fused(self, text: str, listed: Sequence[int], *, live: bool = True, by: str = "both") -> Hits | None:
        if by == "words":
            return None
        self._gate(f"fused {text}")
        if self.phase != "ready":
            return None
        best = [id for id in self.near.get(text, ()) if self.memories[id].status in LIVE]
        ids = array("q", [*best, *(id for id in listed if id not in best)])
        return Hits(ids, len(ids), "by meaning and words")

    def matching(self, text: str, ids: Sequence[int], *, live: bool = True) -> set[int]:
        return set(self.search(text, live=live).ids).intersection(ids)

    def why(self, text: str, id: int, *, live: bool = True) -> Why | None:
        return self.reasons.get(id) if text.strip() else None

    def meaning(self) -> MeaningState:
        why = "The model is broken." if self.phase == "failed" else ""
        return MeaningState(self.phase, "fake", 0, self.unread, why, "Install it again." if why else "")

    def load_model(self) -> bool:
        self._gate("load_model")
        self.phase = "failed" if "load_model" in self.raising else "ready"
        return self.phase == "ready"

    def embed(self, manners: Any = None) -> int:
        whole = self.unread
        while self.unread and not manners.stop():
            self._gate("embed", manners.stop)
            self.unread = max(0, self.unread - 500)
            manners.tell(whole - self.unread, self.unread)
        return whole

    def facets(self, text: str, *, live: bool = True) -> Facets:
        found = [self.memories[id] for id in self.search(text, live=live).ids]
        counts: dict[str, list[tuple[str, int]]] = {}
        for name in ("store", "category", "status", "owner", "tag", "kind"):
            values = Counter(
                value
                for each in found
                for value in (each.tags if name == "tag" else (getattr(each, name),))
                if value
            )
            counts[name] = values.most_common()
        return Facets(counts)

    def values(self, name: str, beginning: str = "", *, live: bool = True) -> list[tuple[str, int]]:
        self._gate("values")
        found = self.facets("").counts.get(name, [])
        return [each for each in found if each[0].casefold().startswith(beginning.casefold())]

    def saved(self) -> list[Saved]:
        return sorted(self.searches_kept.values(), key=lambda each: each.name)

    def save_search(self, name: str, query: str, sort: str = "") -> Saved:
        if not name.strip():
            raise Refused("name", "Not saved: a name has 1 to 60 characters.", "Give it another name.")
        self.searches_kept[name] = Saved(name, query, sort, self.clock())
        return self.searches_kept[name]

    def forget_search(self, name: str) -> None:
        del self.searches_kept[name]

    def _gate(self, name: str, stop: Any = None) -> None:
        """Block until the test lets it go on, or nobody wants it any more."""
        gate = self.gates.get(name)
        if gate is not None:
            self.waiting.append(name)
            stop = stop or getattr(self._local, "stop", None)
            while not gate.wait(0.005):
                if stop is not None and stop():
                    raise InterruptedError

    def end(self) -> None:
        return

    def check(self) -> str:
        return ""

    def tell_progress(self, tell: Any) -> None:
        return

    @contextmanager
    def interruptible(self, stop: Any) -> Iterator[None]:
        self._local.stop = stop
        yield
        self._local.stop = None

    def rows(self, ids: Sequence[int]) -> list[Row]:
        found = ((id, self.memories[id]) for id in ids if id in self.memories)
        return [
            Row(
                id,
                m.store,
                label_of(m.title, m.subject, m.content),
                m.category or m.kind,
                m.status,
                m.confidence,
                m.pinned,
                m.updated_at,
                False,
                m.confidence,
            )
            for id, m in found
        ]

    def detail(self, id: int) -> Detail | None:
        m = self.memories.get(id)
        if m is None:
            return None
        blocked = (
            {"restore": "Nothing to restore: this memory is live."}
            if m.status in LIVE
            else {"confirm": "It is dismissed: restore it first."}
        )
        if id in self.locked:
            blocked |= {"edit": "The store is read-only.", "dismiss": "The store is read-only."}
        says = {
            "pin": "kept in memtui: this store has no pin",
            "unpin": "kept in memtui: this store has no pin",
            "confirm": f"writes confidence and confirmations to {m.store}",
            "dismiss": f"sets status to dismissed in {m.store}; R brings it back",
            "edit": f"writes the text to {m.store}, memory.jsonl",
        }
        history = tuple(
            replace(e, before=i.before, after=i.after)
            for e in reversed(self.events)
            for i in self.items[e.id]
            if i.uid == m.uid
        )
        return Detail(
            id,
            m,
            "memory.jsonl, line 3",
            "/nowhere",
            None,
            says,
            blocked,
            self.relations.get(id, ()),
            history,
        )

    def spot(self, id: int) -> Spot | None:
        return Spot(1, "", id) if id in self.memories else None

    def _node(self, id: int | None, name: str = "") -> Node:
        if id is None or id not in self.memories:
            return Node(Spot(1, name), name, "work", None, 0)
        m = self.memories[id]
        label = label_of(m.title, m.subject, m.content)
        many = sum(id in (r.source_id, r.target_id) for told in self.relations.values() for r in told)
        return Node(Spot(1, "", id), label, m.store, id, 1, m.category or "", m.status, m.pinned, False, many)

    def around(self, spot: Spot, *, hops: int = 1, near: bool = False) -> Around | None:
        self._gate("around")
        self._may("around")
        if spot in self.webs:
            return self.webs[spot]
        id = spot.id
        if id not in self.memories:
            return None
        edges = []
        for r in dict.fromkeys(r for told in self.relations.values() for r in told):
            if id in (r.source_id, r.target_id):
                out = r.source_id == id
                node = self._node(r.target_id if out else r.source_id, r.target if out else r.source)
                said = (r.strength, r.context, r.body, (r.source_id, r.target_id))
                edges.append(Edge(r.kind, out, node, Origin.STORE, *said))
        if near:
            edges += [
                Edge("near in meaning", True, self._node(other), Origin.NEAR, 0.7, ends=(id, other))
                for other in list(self.memories)[:2]
                if other != id
            ]
        beyond = {}
        if hops == 2:
            for edge in edges:
                found = self.around(edge.node.spot) if edge.node.id is not None else None
                beyond[edge.node.spot] = tuple(e for e in (found.edges if found else ()) if e.node.id != id)
        return Around(self._node(id), ordered(edges), len(edges), beyond)

    def nodes(self, text: str, most: int = 200, *, but: int | None = None) -> list[Node]:
        self._gate("nodes")
        return [self._node(id) for id in self.search(text).ids[:most] if id != but]

    def said_at(self, spot: Spot, most: int = 50) -> list[str]:
        return [self.memories[spot.id].content] if spot.id in self.memories else []

    def overview(self, ids: Any = None, tell: Any = None, stop: Any = None) -> Overview | None:
        self._gate("overview", stop)
        if tell is not None:
            tell(0.5)
        tied = {id for told in self.relations.values() for r in told for id in (r.source_id, r.target_id)}
        hubs = tuple((self._node(id), 1) for id in sorted(id for id in tied if id in self.memories))
        count = len(self.memories) if ids is None else len(ids)
        clusters = (Cluster(len(hubs), 2, hubs[:3]),) if hubs and ids is None else ()
        return Overview(clusters, count, 2 if clusters else 0, count - len(hubs), 1, 0)

    def unrelate(
        self, id: int, kind: str, other: int | str, *, out: bool = True, was: Tie | None = None
    ) -> Change:
        self._may("unrelate")
        self.untied.append((id, kind, other, out))
        for told in self.relations:
            self.relations[told] = tuple(r for r in self.relations[told] if r.kind != kind)
        return Change("unrelated", (id,), f"Unrelated 1 memory ({kind}) in work", 1)

    def counts(self) -> Counts:
        live = sum(m.status in LIVE for m in self.memories.values())
        stores = 2 if self.attached is None else sum(each.format != "native" for each in self.attached)
        return Counts(live, len(self.memories), stores, tuple(info.name for info in self._infos()))

    def stores(self) -> list[StoreInfo]:
        self._may("stores")
        return self._infos()

    def _infos(self) -> list[StoreInfo]:
        if self.attached is not None:
            return list(self.attached)
        names = sorted({m.store for m in self.memories.values()})
        return [StoreInfo(name, "fake", "/nowhere", 1) for name in names]

    def discover(self) -> list[Found]:
        self._may("discover")
        known = {(each.format, each.path) for each in self.stores()}
        return [each for each in self.found if (each.format, each.path) not in known]

    def recognise(self, path: Path) -> None:
        if not any(each.path == str(path) for each in self.found):
            raise Refused("missing", f"There is nothing at {path}.", "Nothing was changed.")

    def attach(self, path: Any, name: str = "") -> list[StoreInfo]:
        self._may("attach")
        self.recognise(path)
        found = next(each for each in self.found if each.path == str(path))
        count = found.count or 0
        info = StoreInfo(f"{found.format}:{Path(found.path).name}", found.format, found.path, count)
        self.attached = [*self.stores(), info]
        for _ in range(count):
            id = max(self.memories, default=0) + 1
            text = f"memory {id} of {info.name}"
            self.memories[id] = Memory(
                uid=f"u{id}", store=info.name, ref=str(id), content=text, updated_at=self.clock()
            )
        return [info]

    def detach(self, name: str) -> StoreInfo:
        self._may("detach")
        info = self._store(name)
        self.attached = [each for each in self.stores() if each.name != name]
        return info

    def rename_store(self, name: str, new: str) -> StoreInfo:
        if not new.strip():
            raise Refused("name", "A store needs a name.", "Nothing was changed.")
        if any(each.name == new for each in self.stores()):
            raise Refused("name", f"{new} is the name of another store.", "Choose another.")
        return self._now(name, name=new)

    def lock_store(self, name: str, locked: bool) -> StoreInfo:
        self._may("lock_store")
        return self._now(name, locked=locked, read_only="It was made read-only." if locked else "")

    def consequences(self, name: str) -> dict[str, str]:
        return {
            "pin": "is kept in memtui: this format has no pin",
            "confirm": "raises confidence in its row",
            "edit": "is written to its row",
            "dismiss": "is taken out of the store and kept in memtui; R brings it back",
        }

    def doctor(self) -> list[Ailment]:
        self._may("doctor")
        return list(self.ailments)

    def mend(self, ailments: Sequence[Ailment]) -> list[str]:
        self._may("mend")
        self.mended += ailments
        self.ailments = [each for each in self.ailments if each not in ailments]
        return [f"Mended: {each.mend}." for each in ailments]

    def backups(self, store: str = "") -> list[Backup]:
        return [each for each in self.kept if not store or each.store == store]

    def restore_backup(self, id: str) -> Change:
        self._may("restore_backup")
        backup = next(each for each in self.kept if each.id == id)
        self.kept = [replace(backup, id="before", made_at=self.clock()), *self.kept]
        return Change("restored-backup", (), f"Restored {backup.store} from its backup {id}")

    def delete_backups(self, ids: Sequence[str]) -> int:
        gone = [each for each in self.kept if each.id in ids]
        self.kept = [each for each in self.kept if each.id not in ids]
        return len(gone)

    def holding(self, ids: Sequence[int]) -> list[Backup]:
        stores = {self.memories[id].store for id in ids if id in self.memories}
        return [each for each in self.kept if each.store in stores]

    def purge(self, ids: Sequence[int]) -> Purged:
        self._may("purge")
        held = tuple(self.holding(ids))
        for id in ids:
            self.memories.pop(id, None)
        self.purged += ids
        return Purged(len(ids), f"Purged {len(ids)} memories", held)

    def review(self) -> ReviewState:
        states = Counter(pair.state for pair in self.findings.values())
        late = sum(pair.escalated for pair in self.findings.values() if pair.state == "open")
        return ReviewState(states["open"], late, states["later"], states["settled"], len(self.to_compare))

    def pairs(
        self,
        *,
        family: str = "",
        kind: str = "",
        store: str = "",
        state: str = "open",
        memory: int | None = None,
    ) -> list[Pair]:
        self._may("pairs")
        found = [
            pair
            for pair in self.findings.values()
            if (not state or pair.state == state)
            and (not family or pair.family == family)
            and (not kind or pair.kind == kind)
            and (not store or store in pair.stores)
            and memory in (None, pair.a, pair.b)
        ]
        return sorted(found, key=lambda pair: (not pair.escalated, -pair.score))

    def pair(self, id: int) -> PairDetail | None:
        self._gate(f"pair {id}")
        self._may("pair")
        found = self.findings.get(id)
        a, b = (self.detail(found.a), self.detail(found.b)) if found is not None else (None, None)
        if found is None or a is None or b is None:
            return None
        leaves = "leaves search and what agents recall; it stays in the journal."
        outcome = {
            KEEP_A: (f"B gives way to A in {b.memory.store}: it {leaves}", "1 relation goes from B to A."),
            KEEP_B: (f"A gives way to B in {a.memory.store}: it {leaves}",),
            MERGE: ("A takes the merged text, B gives way to it.",),
            BOTH_TRUE: ("Both stay; this pair is not asked about again.",),
            LATER: ("It comes back in a week.",),
            DISCARD_BOTH: ("Both are dismissed.",),
            NOT_SO: ("Both stay; never asked again while both texts stand.",),
        }
        merged = self.merged.get(id, f"{a.memory.content}\n{b.memory.content}")
        return PairDetail(
            *(found, a, b, self.suggested.get(id), (3, 0), outcome, self.unsettled.get(id, {}), merged),
            judged=self._judged(found),
        )

    def _judged(self, pair: Pair) -> tuple[str, str]:
        return self.memories[pair.a].content, self.memories[pair.b].content

    def settle(
        self,
        id: int,
        verdict: str,
        *,
        text: str | None = None,
        note: str = "",
        until: float | None = None,
        seen: tuple[str, str] | None = None,
    ) -> Change:
        self._gate(f"settle {id}")
        self._may("settle")
        pair = self.findings[id]
        if seen is not None and seen != self._judged(pair):
            raise Refused("changed", "Not settled: one of the two says something else by now.", "Look again.")
        loses = {KEEP_A: [pair.b], MERGE: [pair.b], KEEP_B: [pair.a], DISCARD_BOTH: [pair.a, pair.b]}
        words = {KEEP_A: "Kept A", KEEP_B: "Kept B", MERGE: "Merged", BOTH_TRUE: "Both true", LATER: "Later",
                 DISCARD_BOTH: "Discarded both", NOT_SO: "Not so"}  # fmt: skip
        ids, before, after = [], [], []
        for memory in (pair.a, pair.b):
            fields: dict[str, Any] = {}
            if memory in loses.get(verdict, ()):
                fields["status"] = "dismissed" if verdict == DISCARD_BOTH else "superseded"
            elif verdict == MERGE and text is not None:
                fields["content"] = text
            ids.append(memory)
            before.append({name: getattr(self.memories[memory], name) for name in fields})
            self.memories[memory] = replace(self.memories[memory], **fields)
            after.append(fields)
        change = self._log("settled", f"{words[verdict]} on “{pair.labels[0]}”", ids, before, after)
        said = Said(verdict, self.clock(), "person", note, until, change.journal_id)
        self.findings[id] = replace(pair, state="later" if verdict == LATER else "settled", said=said)
        return change

    def sweep(self, manners: Any = None, ids: Sequence[int] | None = None) -> Swept:
        done, found = 0, 0
        while self.to_compare and not manners.stop():
            self._gate("sweep", manners.stop)
            pair = self.to_compare.pop(0)
            done += 1
            if pair is not None:
                self.findings[pair.id] = pair
                found += 1
            manners.tell(done, len(self.to_compare))
        return Swept(done, done, found, 0, len(self.to_compare))

    def _may(self, verb: str) -> None:
        if verb in self.raising:
            raise self.raising[verb]

    def _store(self, name: str) -> StoreInfo:
        return next(each for each in self.stores() if each.name == name)

    def _now(self, store: str, **fields: Any) -> StoreInfo:
        self.attached = [replace(e, **fields) if e.name == store else e for e in self.stores()]
        return self._store(fields.get("name", store))

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        return self._each("pinned", ids, "Pinned", pinned=True, pinned_by="person", pinned_why=why or None)

    def unpin(self, ids: Sequence[int]) -> Change:
        return self._each("unpinned", ids, "Unpinned", pinned=False, pinned_by=None, pinned_why=None)

    def confirm(self, ids: Sequence[int]) -> Change:
        return self._each("confirmed", ids, "Confirmed", status="confirmed")

    def dismiss(self, ids: Sequence[int]) -> Change:
        return self._each("dismissed", ids, "Dismissed", status="dismissed")

    def restore(self, ids: Sequence[int]) -> Change:
        return self._each("restored", ids, "Restored", status="confirmed")

    def edit(
        self, ids: Sequence[int], fields: dict[str, Any], *, seen: dict[str, Any] | None = None
    ) -> Change:
        if self.clash is not None:
            clash, self.clash = self.clash, None
            raise clash
        if fields.get("content") == "":
            raise Refused("empty", "A memory needs a text.", "Dismiss it instead.")
        return self._each("edited", ids, "Edited", **fields)

    def add(self, fields: dict[str, Any], store: str = "native") -> Change:
        id = max(self.memories, default=0) + 1
        self.memories[id] = Memory(uid=f"u{id}", store=store, ref=str(id), updated_at=self.clock(), **fields)
        return self._log("added", "Added 1 memory", [id], [{}], [fields])

    def undo(self, journal_id: int | None = None, *, warn: bool = False) -> Change:
        for event in reversed(self.events):
            if event.state == "done" and event.undoable and event.id == (journal_id or event.id):
                self._apply(event.id, "before")
                self._state(event.id, "undone")
                self.undone.append(event.id)
                return self._log(
                    "undo", f"Undone: {event.summary}", self._ids(event.id), None, None, undoes=event.id
                )
        raise Refused("nothing", "Nothing to undo.")

    def redo(self) -> Change:
        if not self.undone:
            raise Refused("nothing", "Nothing to redo.")
        id = self.undone.pop()
        self._apply(id, "after")
        self._state(id, "done")
        return Change("redo", tuple(self._ids(id)), "Redone", id)

    def journal(self, limit: int = 200, before: int | None = None, who: str = "") -> list[Event]:
        return [e for e in reversed(self.events) if before is None or e.id < before][:limit]

    def journal_items(self, journal_id: int) -> list[EventItem]:
        return self.items[journal_id]

    def pull(self) -> Pulled:
        news, self.news = self.news, []
        for memory in news:
            self.memories[max(self.memories, default=0) + 1] = memory
        return Pulled({"codex": (len(news), 0, 0)} if news else {}, {})

    def _each(self, kind: str, ids: Sequence[int], word: str, **fields: Any) -> Change:
        done = [id for id in ids if id not in self.locked]
        skipped = tuple(
            Skipped(str(id), "", "read-only", "the store is read-only") for id in ids if id in self.locked
        )
        if not done:
            raise Refused(
                "read-only", "Not changed: the store is read-only.", "Attach it again without --read-only."
            )
        before = []
        for id in done:
            before.append({name: getattr(self.memories[id], name) for name in fields})
            self.memories[id] = replace(self.memories[id], **fields)
        noun = "memory" if len(done) == 1 else "memories"
        return self._log(kind, f"{word} {len(done)} {noun}", done, before, [fields] * len(done), skipped)

    def _log(
        self,
        kind: str,
        summary: str,
        ids: list[int],
        before: Any,
        after: Any,
        skipped: Any = (),
        undoes: Any = None,
    ) -> Change:
        id = len(self.events) + 1
        self.events.append(
            Event(
                id,
                self.clock(),
                "person",
                kind,
                summary,
                undoes=undoes,
                count=len(ids),
                undoable=before is not None,
                label=_label(self.memories[ids[0]]) if len(ids) == 1 else "",
            )
        )
        self.items[id] = [
            EventItem(
                m.uid,
                _label(m),
                m.store,
                "done",
                "",
                before[n] if before else None,
                after[n] if after else None,
            )
            for n, m in enumerate(self.memories[i] for i in ids)
        ]
        return Change(kind, tuple(ids), summary, id, skipped)

    def _ids(self, event: int) -> list[int]:
        uids = {item.uid for item in self.items[event]}
        return [id for id, m in self.memories.items() if m.uid in uids]

    def _apply(self, event: int, side: str) -> None:
        for pair in self.findings.values():
            if pair.said is not None and pair.said.line == event:
                state = "later" if pair.said.verdict == LATER else "settled"
                self.findings[pair.id] = replace(pair, state="open" if side == "before" else state)
        for item in self.items[event]:
            for id in self._ids(event):
                if self.memories[id].uid == item.uid and getattr(item, side) is not None:
                    self.memories[id] = replace(self.memories[id], **getattr(item, side))

    def _state(self, event: int, state: str) -> None:
        self.events = [
            replace(e, state=state, undoable=state == "done") if e.id == event else e for e in self.events
        ]


NOW = 1_795_300_000.0
DAY = 86400.0


def clock() -> float:
    return NOW


def memory(n: int, content: str, **more: Any) -> Memory:
    """A memory with the fields that a screen shows."""
    fields: dict[str, Any] = {
        "uid": f"u{n}",
        "store": "native",
        "ref": f"r{n}",
        "category": "fact",
        "confidence": 0.8,
        "updated_at": NOW - n * DAY,
        "created_at": NOW - n * 2 * DAY,
    }
    return Memory(**{**fields, "content": content, **more})


def sample() -> FakeWorkspace:
    """Seven memories of three stores."""
    fake = FakeWorkspace(
        [
            memory(
                1,
                "Ana wants a keyboard-only review flow",
                category="pref",
                confidence=1.0,
                pinned=True,
                pinned_by="person",
                store="founder-os",
            ),
            memory(
                2,
                "The project supports CPython 3.12 and newer. 3.11 was dropped on 2 Nov so that type "
                "aliases can be used in the store.",
                title="memtui targets Python 3.12",
                store="base-coat",
                times_used=7,
                last_used_at=NOW - DAY,
                source_type="claude-code",
                session_id="session 7f3a",
                source_excerpt="we can drop 3.11 now",
                tags=("python", "release"),
                subject="memtui",
            ),
            memory(3, "memtui is a web app (React)", status="pending", confidence=0.6, store="base-coat"),
            memory(4, "CI takes 14 minutes on the slow runner", confidence=0.6),
            memory(5, "planning call with Bo, 2 Nov", category="episode", confidence=0.4, store="founder-os"),
            memory(
                31, "editor is neovim, terminal is kitty", category="pref", status="candidate", confidence=0.2
            ),
            memory(7, "releases ship to PyPI on tag", category="rule", confidence=1.0),
            memory(8, "staging host is db-2", status="dismissed", confidence=None),
        ],
        clock=clock,
    )
    fake.relations[2] = (
        Relation("memtui", "written_in", "Python", 0.9, "", 2, None),
        Relation("Ana", "works_on", "memtui", None, "", 1, 2),
    )
    return fake


def stored() -> FakeWorkspace:
    """The sample, in four stores that fare differently, with two more on the machine."""
    fake = sample()
    odd = (Finding("yaml", "notes/a.md", "Its head is no YAML."), Finding("date", "notes/b.md", "No date."))
    fake.attached = [
        StoreInfo("native", "native", "/data/work.db", 3, changed_at=NOW - 3600, pulled_at=NOW),
        StoreInfo(
            "founder-os", "founder-os", "/srv/larkfield/.memory/memory.db", 2,
            changed_at=NOW - 7200, pulled_at=NOW - 60,
        ),
        StoreInfo(
            "base-coat", "mcp-memory", "/srv/base-coat/memory.jsonl", 2,
            changed_at=NOW - DAY, pulled_at=NOW - 60, findings=odd,
        ),
        StoreInfo(
            "claude-code:order-service", "claude-code", "/srv/order-service", 12,
            error="/srv/order-service is no longer there.", pulled_at=NOW - 9 * DAY,
        ),
    ]  # fmt: skip
    fake.found = [
        Found("claude-code", "Claude Code", "/srv/www/.claude/projects/-srv-www/memory", 31),
        Found("mcp-memory", "MCP memory", "/srv/assistant/memory.jsonl", 8, "3 odd things"),
    ]
    fake.ailments = [
        Ailment(
            "base-coat", "yaml", "notes/a.md", "Its head is no YAML.",
            "The memory is read as plain text and cannot be edited here.",
        ),
        Ailment(
            "claude-code:order-service", "away", "", "Its folder is no longer there.",
            "Its 12 memories are shown as last read.", "detach it; its pins and notes stay", True,
        ),
        Ailment(
            "", "fts", "", "The words index lacks 2 memories.", "A search may miss them.",
            "build the words index anew",
        ),
    ]  # fmt: skip
    fake.kept = [
        Backup("b2", "base-coat", NOW - 5 * 3600, "/data/backups/b2", 12_345),
        Backup("b1", "base-coat", NOW - 3 * DAY, "/data/backups/b1", 1_234_567),
    ]
    return fake


def paired() -> FakeWorkspace:
    """The sample with four pairs that wait for a word, the first of them for long."""
    fake = sample()
    fake.memories |= {
        9: memory(
            19,
            "The project supports CPython 3.11 and newer because the CI image has 3.11.",
            title="memtui targets Python 3.11",
            store="founder-os",
            confidence=0.61,
            times_used=2,
            last_used_at=NOW - 19 * DAY,
            source_type="codex",
            session_id="session 02bc",
            source_excerpt="CI image is 3.11",
        ),
        10: memory(12, "editor is helix, terminal is kitty", category="pref"),
        11: memory(13, "CI takes 14 minutes on the slow runner.", store="base-coat"),
        12: memory(14, "CI takes 9 minutes on the slow runner"),
    }
    reason = "Both say which Python memtui needs, with different numbers."
    found = (
        (1, 2, 9, CONTRADICTION, "number", 0.91, ("3.12", "3.11"), reason, 9 * DAY),
        (2, 6, 10, CONTRADICTION, "value", 0.82, ("neovim", "helix"), "The same editor has two names.", DAY),
        (3, 4, 11, DUPLICATE, "near", 0.80, ("", ""), "They differ by punctuation alone.", DAY),
        (
            4,
            4,
            12,
            CONTRADICTION,
            "number",
            0.74,
            ("14", "9"),
            "One run takes two lengths of time.",
            DAY,
        ),
    )
    for id, a, b, family, kind, score, words, why, age in found:
        one, other = fake.memories[a], fake.memories[b]
        fake.findings[id] = Pair(
            id, a, b, family, kind, score, words, why, "", NOW - age, "open", age > 7 * DAY,
            None, (_label(one), _label(other)), (one.store, other.store),
        )  # fmt: skip
    fake.suggested[1] = Suggestion(KEEP_A, "Newer by 17 days, used more, 3 memories rest on it.")
    return fake


def fresh(*found: Found) -> FakeWorkspace:
    """A workspace just made, on a machine with these stores."""
    fake = FakeWorkspace([], clock=clock)
    fake.attached = [StoreInfo("native", "native", "/data/work.db", 0)]
    fake.found = list(found)
    return fake


def _label(memory: Memory) -> str:
    return label_of(memory.title, memory.subject, memory.content)
