"""Checks of the relations of any store: missing ends, relations of a memory to itself, repeated ones, ones
without a kind, names that several memories share, and loops of supersession (S-91)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from memtui.formats import wording_relations as wording
from memtui.formats.contract.records import Link, Reading, Record
from memtui.formats.wording_relations import PLACE_LENGTH, short
from memtui.memory.stores import Finding

MOST = 100  # findings of one store that are reported one by one
_SUPERSEDES, _SUPERSEDED_BY = "supersedes", "superseded_by"
# A text may mention a memory as often as it likes.
_MENTIONS = frozenset({"episode_of"})
_FAMILIES = ("dangling", "self-relation", "odd-relation", "double")  # prefixes of the codes of readers

Description = tuple[str, str]  # place and text of a finding
Describe = Callable[[], Description]  # only called for findings that are reported


def broken_relations(reading: Reading) -> Iterator[Finding]:
    """Yield what is broken in the relations of a store and its own reader has not reported: at most MOST
    findings, then one that counts the rest. Linear in relations and records; texts are raw."""
    store = _Store(reading)
    found = {code: list(check(store)) for code, check in _CHECKS.items()}
    shares = _shares({code: len(each) for code, each in found.items()}, MOST)
    for code in _CHECKS:
        for describe in found[code][: shares[code]]:
            yield Finding(code, *describe())
    rest = {code: len(each) - shares[code] for code, each in found.items()}
    if any(rest.values()):
        yield Finding("more-tangles", "", wording.more_findings(rest))


def _shares(counts: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how many findings of each code are reported: many of one do not take the room of others."""
    out: dict[str, int] = {}
    for left, code in zip(range(len(counts), 0, -1), sorted(counts, key=counts.__getitem__), strict=True):
        out[code] = min(counts[code], room // left)
        room -= out[code]
    return out


class _Store:
    """The content of a store by name, and what its reader has reported."""

    def __init__(self, reading: Reading) -> None:
        self.records = reading.records
        self.by_name: dict[str, Record] = {}
        refs: dict[str, str] = {}
        for record in reading.records:
            self.by_name.setdefault(record.anchor, record)
            refs.setdefault(record.ref, record.anchor)
        self.by_name.pop("", None)
        self.own_links = reading.links
        self.links = [*reading.links, *_supersessions(reading.records, self.by_name, refs)]
        self.reported = _Reported(reading.findings)
        # What cannot be read now may contain the memory that a relation leads to.
        self.is_complete = not reading.unread
        # In a tree of files, the unit of a relation is its file; elsewhere it means nothing to the user.
        self._has_files = any(record.unit == record.position[0] != "" for record in reading.records[:1])

    def place(self, link: Link) -> str:
        """Return where the user finds a relation; "" if that is unknown."""
        if self._has_files and link.unit:
            return short(link.unit, PLACE_LENGTH)
        return self.place_of(link.source) or self.place_of(link.target)

    def place_of(self, name: str) -> str:
        record = self.by_name.get(name)
        return short(record.place, PLACE_LENGTH) if record is not None else ""


class _Reported:
    """The names and places in the reader's own findings, by the prefix of their codes."""

    def __init__(self, findings: list[Finding]) -> None:
        self._names: dict[str, set[str]] = {}
        self._places: dict[str, set[str]] = {}
        self._all: set[str] = set()
        for finding in findings:
            family = next((each for each in _FAMILIES if finding.code.startswith(each)), "")
            if not family:
                continue
            self._places.setdefault(family, set()).add(finding.place)
            names = self._names.setdefault(family, set())
            names.update(finding.names)
            if finding.and_more:
                self._all.add(family)

    def has_name(self, family: str, *names: str) -> bool:
        """Return whether one of these names was reported, or the reader has counted those not named."""
        reported = self._names.get(family, ())
        return family in self._all or any(name in reported for name in names)

    def has_place(self, family: str, *places: str) -> bool:
        reported = self._places.get(family, ())
        return any(place in reported for place in places)


def _supersessions(
    records: list[Record], by_name: Mapping[str, Record], refs: Mapping[str, str]
) -> Iterator[Link]:
    """Yield the relations in `superseded_by` fields, which hold the name or the ref of the current memory."""
    for record in records:
        by = record.fields.get(_SUPERSEDED_BY)
        if by and record.anchor:
            winner = by if by in by_name else refs.get(by) or by
            yield Link(winner, _SUPERSEDES, record.anchor, unit=record.unit)


# -- checks: each yields functions that return place and text


def _dangling(store: _Store) -> Iterator[Describe]:
    """Each name that no memory has, with the first relation that has it and how many do."""
    if not store.is_complete:
        return
    counts: Counter[str] = Counter()
    first: dict[str, Link] = {}
    for link in store.links:
        for name in (link.source, link.target) if link.source != link.target else (link.source,):
            if name not in store.by_name:
                counts[name] += 1
                first.setdefault(name, link)
    for name, link in first.items():
        if not store.reported.has_name("dangling", name):
            yield partial(_describe_dangling, store, link, name, counts[name])


def _describe_dangling(store: _Store, link: Link, name: str, count: int) -> Description:
    is_target = name == link.target
    return store.place(link), wording.dangling(_relation(link), name, count, is_target=is_target)


def _self_relations(store: _Store) -> Iterator[Describe]:
    found = {(link.source, link.kind): link for link in store.links if link.source == link.target}
    for link in found.values():
        if not store.reported.has_name("self-relation", link.source):
            yield partial(_describe_link, store, link, wording.to_itself)


def _without_kind(store: _Store) -> Iterator[Describe]:
    found = {(link.source, link.target): link for link in store.links if not link.kind.strip()}
    for link in found.values():
        if not store.reported.has_name("odd-relation", link.target, link.source, link.kind):
            yield partial(_describe_link, store, link, wording.without_kind)


def _repeated(store: _Store) -> Iterator[Describe]:
    """Only among the store's own relations: a field may repeat one of them for good reason."""
    counts = Counter((link.source, link.kind, link.target) for link in store.own_links)
    several = {key: count for key, count in counts.items() if count > 1 and key[1] not in _MENTIONS}
    for link in store.own_links if several else ():
        if count := several.pop((link.source, link.kind, link.target), 0):
            yield partial(_describe_link, store, link, partial(wording.repeated, count=count))


def _describe_link(store: _Store, link: Link, text: Callable[[str], str]) -> Description:
    return store.place(link), text(_relation(link))


def _shared_names(store: _Store) -> Iterator[Describe]:
    """Each name of several memories that a relation uses. Memories that are named for their subject are about
    one thing (the observations of an entity) and share it on purpose."""
    several: dict[str, list[Record]] = {}
    for record in store.records:
        name = record.anchor
        if not name or record.fields.get("subject") == name:
            continue
        if store.by_name[name] is not record:
            several.setdefault(name, [store.by_name[name]]).append(record)
    if not several:
        return
    seen: set[str] = set()
    for link in store.links:
        for name in (link.source, link.target):
            if name in seen or name not in several:
                continue
            seen.add(name)
            places = [record.place for record in several[name] if record.removed_at is None]
            if len(places) > 1 and not store.reported.has_place("double", *places):
                yield partial(_describe_shared, link, name, places)


def _describe_shared(link: Link, name: str, places: Sequence[str]) -> Description:
    return short(places[1], PLACE_LENGTH), wording.ambiguous(_relation(link), name, places)


def _relation(link: Link) -> str:
    return wording.relation(link.source, link.kind, link.target)


def _loops(store: _Store) -> Iterator[Describe]:
    """Memories that supersede each other in a circle, each in one loop at most.

    A depth-first walk in which the memories of a closed loop are done, so each relation is visited once.
    """
    losers: dict[str, list[str]] = {}
    for link in store.links:
        kind = link.kind.strip().casefold().replace("-", "_").replace(" ", "_")
        if link.source != link.target and kind in (_SUPERSEDES, _SUPERSEDED_BY):
            winner, loser = (link.source, link.target)[:: 1 if kind == _SUPERSEDES else -1]
            losers.setdefault(winner, []).append(loser)
    done: set[str] = set()
    for start in losers:
        path = [] if start in done else [start]
        on_path = {start: 0}
        while path:
            ahead = losers.get(path[-1])
            if not ahead:
                done.add(path[-1])
                del on_path[path.pop()]
                continue
            name = ahead.pop()
            if name in on_path:
                loop = path[on_path[name] :]
                del path[on_path[name] :]
                for each in loop:
                    done.add(each)
                    del on_path[each]
                yield partial(_describe_loop, store, loop)
            elif name not in done:
                on_path[name] = len(path)
                path.append(name)


def _describe_loop(store: _Store, loop: Sequence[str]) -> Description:
    return next(filter(None, map(store.place_of, loop)), ""), wording.loop(loop)


_CHECKS: dict[str, Callable[[_Store], Iterator[Describe]]] = {
    "loop": _loops,
    "shared-name": _shared_names,
    "self-relation": _self_relations,
    "no-kind": _without_kind,
    "dangling": _dangling,
    "twice-told": _repeated,
}
CODES = (*_CHECKS, "more-tangles")
