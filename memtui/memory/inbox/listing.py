"""The Inbox as it is listed: by kind, with candidates below the line of their store (S-52).

Made in a reading thread, since there may be 100,000 items; what is asked of it afterwards takes no longer
than copying a list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from memtui.memory.inbox.items import CANDIDATES, KINDS, Inbox, InboxItem, in_order

Key = tuple[str, int | str, str]
"""What identifies an item, as in `InboxItem.key`."""


@dataclass(frozen=True)
class Listing:
    """The items in order, and where each is. `spans` is where each kind begins and ends; `counts` has the
    kinds that there are, candidates counted one by one; `total` leaves out candidates that were opened.
    """

    IS_MASKED: ClassVar[bool] = True

    items: Sequence[InboxItem]
    places: Mapping[Key, int]
    spans: Mapping[str, tuple[int, int]]
    counts: Mapping[str, int]
    total: int
    done_today: int = 0
    next_due: float | None = None

    def shown(self, off: Collection[str] = (), hidden: Collection[Key] = ()) -> list[InboxItem]:
        """Return the items without those of the kinds `off`, and without the `hidden` ones."""
        found: list[InboxItem] = []
        for kind, (start, end) in self.spans.items():
            if kind not in off:
                part = list(self.items[start:end])
                for place in sorted(self._hidden_in(start, end, hidden), reverse=True):
                    del part[place - start]
                found += part
        return found

    def place_of(self, key: Key, off: Collection[str] = (), hidden: Collection[Key] = ()) -> int | None:
        """Return where an item is among the shown ones; None if it is not shown."""
        place = self.places.get(key)
        if place is None or key in hidden or self.items[place].kind in off:
            return None
        before = 0
        for kind, (start, end) in self.spans.items():
            if kind not in off and start <= place:
                last = min(end, place)
                before += last - start - len(self._hidden_in(start, last, hidden))
        return before

    def with_part(self, part: Inbox, opened: Collection[str]) -> Listing:
        """Return the listing with what is of the memories of a part, or of whole stores, as it is there;
        candidates one by one only of the stores in `opened`."""
        only, open_before = part.only or frozenset(), set(opened) - part.anew
        items: list[InboxItem] = []
        for kind in KINDS:
            start, end = self.spans.get(kind, (0, 0))
            kept = [
                item
                for item in self.items[start:end]
                if _is_apart(item, only) and (kind != CANDIDATES or item.store in open_before)
            ]
            new = [item for item in part.items if item.kind == kind]
            items += in_order([*kept, *new]) if new else kept  # only what has grown is sorted anew
        return listing_of(Inbox(items, part.done_today, part.next_due))

    def _hidden_in(self, start: int, end: int, hidden: Collection[Key]) -> list[int]:
        places = (self.places.get(key) for key in hidden)
        return [place for place in places if place is not None and start <= place < end]


def _is_apart(item: InboxItem, ids: frozenset[int]) -> bool:
    return item.id not in ids if item.id is not None else bool(item.sides) and ids.isdisjoint(item.sides)


def listing_of(inbox: Inbox) -> Listing:
    """Return the listing of an inbox."""
    by_kind: dict[str, list[InboxItem]] = {kind: [] for kind in KINDS}
    opened: dict[str, list[InboxItem]] = {}
    for item in inbox.items:
        if item.kind == CANDIDATES and item.id is not None:
            opened.setdefault(item.store, []).append(item)
        else:
            by_kind[item.kind].append(item)
    counts = {kind: len(found) for kind, found in by_kind.items() if found}
    if by_kind[CANDIDATES]:
        counts[CANDIDATES] = sum(each.count for each in by_kind[CANDIDATES])
    total = sum(map(len, by_kind.values()))
    by_kind[CANDIDATES] = [
        each for line in by_kind[CANDIDATES] for each in (line, *opened.get(line.store, ()))
    ]
    items: list[InboxItem] = []
    spans = {}
    for kind, found in by_kind.items():
        if found:
            spans[kind] = len(items), len(items) + len(found)
            items += found
    places = {item.key: place for place, item in enumerate(items)}
    return Listing(items, places, spans, counts, total, inbox.done_today, inbox.next_due)
