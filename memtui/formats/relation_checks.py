"""What is broken in the relations of any store, for the doctor: ends that nobody has, relations of a memory
to itself, told twice or without a kind, names that several share, and loops of giving way (S-91)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memtui.formats.contract.adapter import Link, Reading, Record
from memtui.memory.stores import Finding
from memtui.text import counted, plural

MOST = 100  # findings of one store that are told one by one
LENGTH = 80  # characters of a name in words
_SUPERSEDES, _SUPERSEDED_BY = "supersedes", "superseded_by"
_BY_HEART = 4  # memories of a loop that are all named
# A text may mention a memory as often as it likes.
_MENTIONS = frozenset({"episode_of"})
_FAMILIES = ("dangling", "self-relation", "odd-relation", "double")  # how the codes of readers begin


def tangles(reading: Reading) -> Iterator[Finding]:
    """What is broken in the relations that a store tells and its own reader has not noted yet: at most MOST
    findings, then one that counts the rest. Linear in relations and records; texts are raw."""
    store = _Store(reading)
    found = {code: list(look(store)) for code, (look, _) in _LOOKS.items()}
    shares = _shares({code: len(each) for code, each in found.items()}, MOST)
    for code, (_, tell) in _LOOKS.items():
        for each in found[code][: shares[code]]:
            place, words = tell(store, each)
            yield Finding(code, place, words)
    rest = {code: len(each) - shares[code] for code, each in found.items()}
    if total := sum(rest.values()):
        parts = ", ".join(f"{count:,} {code}" for code, count in rest.items() if count)
        words = f"There {plural(total, 'is', 'are')} {counted(total, 'more such finding')}: {parts}."
        yield Finding("more-tangles", "", words)


def _shares(counts: Mapping[str, int], room: int) -> dict[str, int]:
    """How many of each code are told: a flood of one takes no room that another needs."""
    out: dict[str, int] = {}
    for left, code in zip(range(len(counts), 0, -1), sorted(counts, key=counts.__getitem__), strict=True):
        out[code] = min(counts[code], room // left)
        room -= out[code]
    return out


class _Store:
    """What a store tells, by name, and what its reader has noted."""

    def __init__(self, reading: Reading) -> None:
        self.records = reading.records
        self.by_name: dict[str, Record] = {}
        refs: dict[str, str] = {}
        for record in reading.records:
            self.by_name.setdefault(record.anchor, record)
            refs.setdefault(record.ref, record.anchor)
        self.by_name.pop("", None)
        self.told = reading.links
        self.links = [*reading.links, *_given_way(reading.records, self.by_name, refs)]
        self.noted = _Noted(reading.findings)
        # What cannot be read now may hold the memory that a relation leads to.
        self.whole = not reading.unread
        # In a tree of files the unit of a relation is the file that tells it; elsewhere no person knows it.
        self._files = any(record.unit == record.at[0] != "" for record in reading.records[:1])

    def place(self, link: Link) -> str:
        """Where a person finds a relation; "" where that is not known."""
        if self._files and link.unit:
            return _short(link.unit, 4 * LENGTH)
        return self.place_of(link.source) or self.place_of(link.target)

    def place_of(self, name: str) -> str:
        record = self.by_name.get(name)
        return _short(record.place, 4 * LENGTH) if record is not None else ""


class _Noted:
    """The names that a reader's own findings speak of, by what their codes begin with."""

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

    def names(self, family: str, *names: str) -> bool:
        """Whether one of these names was noted, or the reader has counted all that it did not name."""
        there = self._names.get(family, ())
        return family in self._all or any(name in there for name in names)

    def stands_at(self, family: str, *places: str) -> bool:
        there = self._places.get(family, ())
        return any(place in there for place in places)


def _given_way(
    records: list[Record], by_name: Mapping[str, Record], refs: Mapping[str, str]
) -> Iterator[Link]:
    """The relations that `superseded_by` tells: it holds the name or the ref of the one that stands now."""
    for record in records:
        by = record.fields.get(_SUPERSEDED_BY)
        if by and record.anchor:
            winner = by if by in by_name else refs.get(by) or by
            yield Link(winner, _SUPERSEDES, record.anchor, unit=record.unit)


# -- what to look for


def _dangling(store: _Store) -> Iterator[tuple[Link, str, int]]:
    """Each name that no memory has, with the first relation that names it and how many do."""
    if not store.whole:
        return
    counts: Counter[str] = Counter()
    first: dict[str, Link] = {}
    for link in store.links:
        for name in (link.source, link.target) if link.source != link.target else (link.source,):
            if name not in store.by_name:
                counts[name] += 1
                first.setdefault(name, link)
    for name, link in first.items():
        if not store.noted.names("dangling", name):
            yield link, name, counts[name]


def _selves(store: _Store) -> Iterator[Link]:
    found = {(link.source, link.kind): link for link in store.links if link.source == link.target}
    yield from (link for link in found.values() if not store.noted.names("self-relation", link.source))


def _kindless(store: _Store) -> Iterator[Link]:
    found = {(link.source, link.target): link for link in store.links if not link.kind.strip()}
    for link in found.values():
        if not store.noted.names("odd-relation", link.target, link.source, link.kind):
            yield link


def _twice(store: _Store) -> Iterator[tuple[Link, int]]:
    """Only of what the store tells as a relation: a field that says the same beside it has good reason."""
    counts = Counter((link.source, link.kind, link.target) for link in store.told)
    several = {way: count for way, count in counts.items() if count > 1 and way[1] not in _MENTIONS}
    for link in store.told if several else ():
        if count := several.pop((link.source, link.kind, link.target), 0):
            yield link, count


def _shared(store: _Store) -> Iterator[tuple[Link, str, list[Record]]]:
    """Each name of several memories that a relation goes by. Those that are named for their subject are
    about one thing (the observations of an entity) and share it on purpose."""
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
            called = [each for each in several[name] if each.removed_at is None]
            places = [each.place for each in called]
            if len(called) > 1 and not store.noted.stands_at("double", *places):
                yield link, name, called


def _loops(store: _Store) -> Iterator[list[str]]:
    """Memories that give way to each other in a circle, each told in one loop at most. A walk along the
    relations; what closes a loop leaves it, so each relation is looked at once."""
    after: dict[str, list[str]] = {}
    for link in store.links:
        kind = link.kind.strip().casefold().replace("-", "_").replace(" ", "_")
        if link.source != link.target and kind in (_SUPERSEDES, _SUPERSEDED_BY):
            winner, loser = (link.source, link.target)[:: 1 if kind == _SUPERSEDES else -1]
            after.setdefault(winner, []).append(loser)
    done: set[str] = set()
    for start in after:
        path = [] if start in done else [start]
        on_path = {start: 0}
        while path:
            ahead = after.get(path[-1])
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
                yield loop
            elif name not in done:
                on_path[name] = len(path)
                path.append(name)


# -- in words


def _tell_dangling(store: _Store, found: tuple[Link, str, int]) -> tuple[str, str]:
    link, name, count = found
    way = "leads to" if name == link.target else "comes from"
    more = f"; relations that name it: {count:,}" if count > 1 else ""
    return store.place(link), f"{_said(link)} {way} a memory that is not in the store, {_name(name)}{more}."


def _tell_self(store: _Store, link: Link) -> tuple[str, str]:
    return store.place(link), f"{_said(link)} leads from a memory to itself."


def _tell_kindless(store: _Store, link: Link) -> tuple[str, str]:
    return store.place(link), f"{_said(link)} does not say of what kind it is."


def _tell_twice(store: _Store, found: tuple[Link, int]) -> tuple[str, str]:
    link, count = found
    return store.place(link), f"{_said(link)} is told {count:,} times."


def _tell_shared(store: _Store, found: tuple[Link, str, list[Record]]) -> tuple[str, str]:
    link, name, records = found
    places = " and ".join(dict.fromkeys(_short(each.place) for each in records[:2]))
    words = f"{_said(link)} may mean any of {len(records):,} memories that are called {_name(name)}"
    return _short(records[1].place, 4 * LENGTH), f"{words} ({places}{' …' if len(records) > 2 else ''})."


def _tell_loop(store: _Store, loop: list[str]) -> tuple[str, str]:
    names = loop if len(loop) <= _BY_HEART else loop[: _BY_HEART - 1]
    chain = ", which supersedes ".join(_name(name) for name in names[1:])
    left = len(loop) - len(names)
    between = f", which supersedes {left:,} more in turn, the last of which supersedes " if left else ""
    words = f"{_name(loop[0])} supersedes {chain}{between or ', which supersedes '}{_name(loop[0])} itself."
    return next(filter(None, map(store.place_of, loop)), ""), words


def _said(link: Link) -> str:
    """A relation as the subject of a sentence."""
    kind = f" {_name(link.kind)}" if link.kind.strip() else ""
    return f"The relation{kind} from {_name(link.source)} to {_name(link.target)}"


def _name(name: str) -> str:
    return f"“{_short(name)}”"


def _short(text: str, length: int = LENGTH) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


# What is looked for, by the code of its findings: how it is found, and how it is told.
_LOOKS: dict[str, tuple[Callable[[_Store], Iterator[Any]], Callable[[_Store, Any], tuple[str, str]]]] = {
    "loop": (_loops, _tell_loop),
    "shared-name": (_shared, _tell_shared),
    "self-relation": (_selves, _tell_self),
    "no-kind": (_kindless, _tell_kindless),
    "dangling": (_dangling, _tell_dangling),
    "twice-told": (_twice, _tell_twice),
}
CODES = (*_LOOKS, "more-tangles")
