"""The list of stores: those attached, then those found on this machine (S-2a, S-3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.store_text import OWN, health, short_path, tail
from memtui.tui.text.glyphs import age, fit, grouped

Item = StoreInfo | DiscoveredStore
HEADING = "Found on this machine, not attached"


class StoreList(VirtualList):
    """A line a store; the heading between the two kinds is no place for the cursor."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.items: list[Item | None] = []
        """What the lines stand for; None is the heading."""
        self.titles: Mapping[str, str] = {}
        self.ailments: Sequence[Issue] = ()
        """What the doctor found."""

    @property
    def highlighted(self) -> Item | None:
        """The store under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def title_of(self, info: StoreInfo) -> str:
        """The format of an attached store as people call it."""
        return self.titles.get(info.format, info.format)

    def _of(self, info: StoreInfo) -> list[Issue]:
        return [each for each in self.ailments if each.store == info.name]

    def show(self, stores: Sequence[StoreInfo], found: Sequence[DiscoveredStore]) -> None:
        """Other stores now; the cursor stays on its store, or on the next that is still there."""
        before, cursor = [_key(item) for item in self.items], self.cursor
        self.items = [*stores, *([None] if found else []), *found]
        places = {_key(item): place for place, item in enumerate(self.items) if item is not None}
        stayed = [*before[cursor:], *reversed(before[:cursor])]
        place = next((places[key] for key in stayed if key in places), self._first())
        self.refill(len(self.items), place, keep_place=bool(before))

    def point_at(self, name: str) -> None:
        """Put the cursor on an attached store."""
        for place, item in enumerate(self.items):
            if isinstance(item, StoreInfo) and item.name == name:
                self.move_to(place)

    def _first(self) -> int:
        """Where the cursor begins: on a store of an agent, where there is one."""
        agents = (
            place
            for place, item in enumerate(self.items)
            if isinstance(item, DiscoveredStore) or (item is not None and item.format != OWN)
        )
        return next(agents, 0)

    def move_to(self, index: int) -> None:
        index = max(0, min(index, self.count - 1))
        if self.items and self.items[index] is None:
            index += 1 if index > self.cursor or not index else -1
        super().move_to(index)

    def parts(self, index: int, width: int) -> list[Part]:
        item = self.items[index]
        if item is None:
            return [(fit(f" {HEADING}", width), "quiet")]
        if isinstance(item, DiscoveredStore):
            name, title, state = short_path(item.path), item.title, (item.problem, "warn")
            count, changed = ("?" if item.count is None else grouped(item.count)), ""
        else:
            name, title, state = item.name, self.title_of(item), health(item, self._of(item))
            count, changed = grouped(item.count), age(item.changed_at, self._clock())
        words, style = state
        tail_parts: list[Part] = [
            ("  ", "plain"),
            *([(fit(title, 18), "quiet"), (" ", "plain")] if width >= 74 else []),
            (fit(count, 6, right=True), "plain"),
            ("  ", "plain"),
            (fit(words, 15), style),
            (fit(changed, 5, right=True), "quiet"),
            (" ", "plain"),
        ]
        room = max(1, width - 1 - sum(cell_len(text) for text, _ in tail_parts))
        shown = tail(name, room) if isinstance(item, DiscoveredStore) else fit(name, room)
        return [(" ", "plain"), (shown, "plain"), *tail_parts]


def _key(item: Item | None) -> tuple[str, str, str] | None:
    if item is None:
        return None
    return (type(item).__name__, item.format, item.path)
