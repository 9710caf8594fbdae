"""The list of stores: attached ones, then those found on this machine (S-2a, S-3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores import wording
from memtui.tui.stores.store_text import OWN, fit_end, health, short_path
from memtui.tui.text.glyphs import age, fit, grouped

Item = StoreInfo | DiscoveredStore


class StoreList(VirtualList):
    """One line per store; the cursor passes over the heading between the two kinds."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.items: list[Item | None] = []
        """The stores by line; None is the heading."""
        self.titles: Mapping[str, str] = {}
        self.issues: Sequence[Issue] = ()
        """The doctor's findings."""

    @property
    def highlighted(self) -> Item | None:
        """The store under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def title_of(self, info: StoreInfo) -> str:
        """Return the title of a store's format."""
        return self.titles.get(info.format, info.format)

    def _issues_of(self, info: StoreInfo) -> list[Issue]:
        return [each for each in self.issues if each.store == info.name]

    def show(self, stores: Sequence[StoreInfo], found: Sequence[DiscoveredStore]) -> None:
        """List other stores; the cursor stays on its store, or on the nearest that is still listed."""
        before, cursor = [_key(item) for item in self.items], self.cursor
        self.items = [*stores, *([None] if found else []), *found]
        indexes = {_key(item): index for index, item in enumerate(self.items) if item is not None}
        nearest = [*before[cursor:], *reversed(before[:cursor])]
        index = next((indexes[key] for key in nearest if key in indexes), self._first())
        self.refill(len(self.items), index, keep_place=bool(before))

    def move_to_store(self, name: str) -> bool:
        """Put the cursor on an attached store, and return whether it is listed."""
        for index, item in enumerate(self.items):
            if isinstance(item, StoreInfo) and item.name == name:
                self.move_to(index)
                return True
        return False

    def _first(self) -> int:
        """Return where the cursor starts: on a store of an agent, if there is one."""
        agents = (
            index
            for index, item in enumerate(self.items)
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
            return [(fit(f" {wording.FOUND_HEADING}", width), "quiet")]
        if isinstance(item, DiscoveredStore):
            name, title, state = short_path(item.path), item.title, (item.problem, "warn")
            count, changed = ("?" if item.count is None else grouped(item.count)), ""
        else:
            name, title, state = item.name, self.title_of(item), health(item, self._issues_of(item))
            count, changed = grouped(item.count), age(item.changed_at, self._clock())
        label, style = state
        tail_parts: list[Part] = [
            ("  ", "plain"),
            *([(fit(title, 18), "quiet"), (" ", "plain")] if width >= 74 else []),
            (fit(count, 6, right=True), "plain"),
            ("  ", "plain"),
            (fit(label, 15), style),
            (fit(changed, 5, right=True), "quiet"),
            (" ", "plain"),
        ]
        room = max(1, width - 1 - sum(cell_len(text) for text, _ in tail_parts))
        shown = fit_end(name, room) if isinstance(item, DiscoveredStore) else fit(name, room)
        return [(" ", "plain"), (shown, "plain"), *tail_parts]


def _key(item: Item | None) -> tuple[str, str, str] | None:
    """Return what identifies a line when the list is read again."""
    if item is None:
        return None
    return (type(item).__name__, item.format, item.path)
