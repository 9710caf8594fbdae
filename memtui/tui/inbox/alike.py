"""Marking all that is like the item under the cursor, for a verb on all of it (S-52)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import DUPLICATE, EXACT, Pair
from memtui.memory.inbox.items import InboxItem
from memtui.tui.inbox import wording
from memtui.tui.inbox.decisions import DecidingScreen
from memtui.tui.inbox.fitting import bulk_keys, is_pair
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class AlikeScreen(DecidingScreen):
    """Marks all of a store and kind; of exact copies all but one. The verbs on marked memories ask first."""

    @worker(wording.NOT_MARKED, group="alike")
    async def action_alike(self) -> None:
        item, workspace, key = self.memories.item, self.app.ready_workspace(), self.app.key
        if workspace is None:
            return
        if self.memories.marks:
            self._mark(set(), set(), wording.UNMARKED)
        elif item is None:
            self.app.show_status(self.nothing_to("mark"))
        elif is_pair(item) and item.code != EXACT:
            self.app.show_status(wording.EXACT_COPIES)
        elif is_pair(item):
            found = await self.read(lambda: workspace.pairs(family=DUPLICATE, kind=EXACT))
            listed = {each.pair for each in self.memories.items if each.pair is not None}
            # A copy in another store is what another agent knows.
            copies = [pair for pair in found if pair.id in listed and len(set(pair.stores)) == 1]
            spare = spare_copies(copies)
            text = wording.marked_copies(len(spare), key("memory.dismiss"))
            self._mark(spare, {pair.id for pair in copies}, text)
        elif item.id is None:
            self.app.show_status(wording.NOTHING_ALIKE)
        else:
            ids = set(alike(self.memories.items, item))
            text = wording.marked_alike(len(ids), [(key(id), id) for id in bulk_keys(item.kind)])
            self._mark(ids, set(), text)

    def ask(self, workspace: Workspace, action: str, ids: Sequence[int], *, always: bool = False) -> None:
        super().ask(workspace, action, ids, always=always or bool(self.memories.marks))

    def _mark(self, ids: set[int], pairs: set[int], text: str) -> None:
        self.memories.marked_pairs = pairs
        self.memories.mark(ids)
        self.update_titles()
        self.app.show_status(text)


def alike(items: Iterable[InboxItem], item: InboxItem) -> Iterable[int]:
    """Yield the memories of the same kind and store."""
    for each in items:
        if each.kind == item.kind and each.store == item.store and each.id is not None:
            yield each.id


def spare_copies(copies: Iterable[Pair]) -> set[int]:
    """Return all memories but the first of each that are copies of one another, whichever pairs say so."""
    first: dict[int, int] = {}

    def root(id: int) -> int:
        while id != first.setdefault(id, id):
            id = first[id]
        return id

    for pair in copies:
        a, b = sorted((root(pair.a), root(pair.b)))
        first[b] = a
    return {id for id in first if root(id) != id}
