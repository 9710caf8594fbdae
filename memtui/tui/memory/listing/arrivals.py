"""Which lines show what agents brought: highlighted until a key moves after they were on the screen, and
where those are that were not (S-5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memtui.memory.groups import Group
from memtui.tui.memory.listing.outline import Outline

MAX_COUNTED = 20_000  # memories at the top of a list among which new ones are counted


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How many arrived memories are above and below the screen, and the groups that hide others."""

    above: int = 0
    below: int = 0
    folded: tuple[Group, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.above or self.below or self.folded)


class Arrivals:
    """The arrived memories of a list, and their places in it as long as they were not on the screen."""

    def __init__(self, kinds: Mapping[int, str] | None = None) -> None:
        self._kinds = dict(kinds or {})
        self._unseen = set(self._kinds)
        self._places: dict[int, int] = {}  # of the unseen ones, in order, that have a line of their own
        self._folded: tuple[Group, ...] = ()

    def kind(self, id: int) -> str:
        """Return whether a highlighted memory is "new" or "changed"; "" for any other one."""
        return self._kinds.get(id, "")

    def locate(self, ids: Sequence[int], outline: Outline | None) -> None:
        """Find the unseen ones in a list."""
        self._places, self._folded = {}, ()
        if not self._unseen:
            return
        folded: dict[tuple[str, str], Group] = {}
        for place, id in enumerate(ids[:MAX_COUNTED]):
            if id in self._unseen:
                if outline is not None and outline.is_hidden(place):
                    group = outline.group_of(place)
                    folded[group.id] = group
                else:
                    self._places[place] = id
        self._folded = tuple(folded.values())

    def see(self, ids: Iterable[int]) -> bool:
        """Note that memories are on the screen; return whether one of them was not before."""
        if not self._unseen or not (seen := self._unseen.intersection(ids)):
            return False
        self._unseen -= seen
        self._places = {place: id for place, id in self._places.items() if id not in seen}
        return True

    def settle(self) -> bool:
        """End the highlight of those that were seen; return whether there were any."""
        before = len(self._kinds)
        self._kinds = {id: kind for id, kind in self._kinds.items() if id in self._unseen}
        return len(self._kinds) < before

    def elsewhere(self, top: int, end: int, row_of: Callable[[int], int]) -> Elsewhere:
        """Return where the unseen ones are; the rows from `top` to `end` are on the screen, and `row_of`
        gives the row of a place."""
        places = list(self._places)
        above = bisect_left(places, top, key=row_of)
        return Elsewhere(above, len(places) - bisect_left(places, end, key=row_of), self._folded)
