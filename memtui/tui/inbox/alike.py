"""Marking all that is like the item under the cursor, for one key on all of it (S-52)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import BOTH_TRUE, DUPLICATE, EXACT, FALSE_POSITIVE, Pair
from memtui.memory.inbox.alike import COPIES, Alike, groups, is_markable
from memtui.memory.inbox.items import SECRET
from memtui.tui.inbox import wording
from memtui.tui.inbox.decisions import ON_MARKS, DecidingScreen
from memtui.tui.inbox.fitting import VERDICTS, bulk_keys, is_pair
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

ON_MARKED_PAIRS = ("pair.both", "pair.not_so", "memory.snooze")


class AlikeScreen(DecidingScreen):
    """Marks what is on one subject or topic, of one store, of one kind; of exact copies all but one. What is
    done to all that is marked is told first."""

    @worker(wording.NOT_MARKED, group="alike")
    async def action_alike(self) -> None:
        item, memories = self.memories.item, self.memories
        if memories.marks or memories.marked_pairs:
            self._mark(set(), set(), wording.UNMARKED)
        elif item is None:
            self.app.show_status(self.nothing_to("mark"))
        elif not is_markable(item):
            self.app.show_status(wording.NOTHING_ALIKE)
        else:
            found = await self.app.lanes.read_raw(groups, memories.items, item)
            if len(found) == 1:
                self._mark_group(found[0])
            else:
                from memtui.tui.inbox.alike_dialog import AlikeDialog

                self.app.push_screen(AlikeDialog(found, memories.store_names), self._mark_group)

    def _mark_group(self, group: Alike | None) -> None:
        key = self.app.key
        if group is None:
            return
        if group.code == COPIES:
            self._mark_copies()
        elif is_pair(group.items[0]):
            pairs = {each.pair for each in group.items if each.pair is not None}
            self._mark(set(), pairs, wording.marked_pairs(len(pairs), *map(key, ON_MARKED_PAIRS)))
        else:
            ids = {each.id for each in group.items if each.id is not None}
            keys = bulk_keys(group.items[0].kind)
            text = wording.marked_alike(len(ids), [(key(id), id) for id in keys])
            self._mark(ids, set(), text)

    @worker(wording.NOT_MARKED, group="alike")
    async def _mark_copies(self) -> None:
        if (workspace := self.app.ready_workspace()) is None:
            return
        found = await self.read(lambda: workspace.pairs(family=DUPLICATE, kind=EXACT))
        listed = {each.pair for each in self.memories.items if each.pair is not None}
        # A copy in another store is what another agent knows.
        copies = [pair for pair in found if pair.id in listed and len(set(pair.stores)) == 1]
        spare = spare_copies(copies)
        text = wording.marked_copies(len(spare), self.app.key("memory.dismiss"))
        self._mark(spare, {pair.id for pair in copies}, text)

    def _mark(self, ids: set[int], pairs: set[int], text: str) -> None:
        self.memories.mark(ids)
        self.memories.marked_pairs = pairs
        self.memories.refresh()
        self.update_titles()
        self.app.show_status(text)

    # What is done to all that is marked

    def refusal(self, id: str) -> str:
        if self.visited is None and self.memories.pairs_to_settle:
            if id in ON_MARKED_PAIRS:
                return ""
            if id in VERDICTS or id in ON_MARKS:
                return wording.pairs_are_marked(*map(self.app.key, (*ON_MARKED_PAIRS, "inbox.alike")))
        return super().refusal(id)

    def blocked_reason(self, id: str) -> str:
        if self.visited is None and self.memories.pairs_to_settle and id in ON_MARKED_PAIRS:
            return ""
        return super().blocked_reason(id)

    def ask(self, workspace: Workspace, action: str, ids: Sequence[int], *, always: bool = False) -> None:
        super().ask(workspace, action, ids, always=always or bool(self.memories.marks))

    def action_both(self) -> None:
        self._settle_marked(BOTH_TRUE) or super().action_both()

    def action_not_so(self) -> None:
        if not self._settle_marked(FALSE_POSITIVE) and not self._mark_no_secret():
            super().action_not_so()

    def _mark_no_secret(self) -> bool:
        """Note that what is under the cursor is no secret; return whether it was found as one."""
        item = self.memories.item
        if self.visited is not None or item is None or item.kind != SECRET or item.id is None:
            return False
        if (workspace := self.writable()) is not None:
            self.app.run_change(self._until_written(item.key, workspace.mark_no_secret), [item.id])
            self._take_out(item.key)
        return True

    def action_snooze(self) -> None:
        if self.visited is not None or not (pairs := self.memories.pairs_to_settle):
            super().action_snooze()
        elif (workspace := self.writable()) is not None:
            self._asked = None
            self.snooze_pairs(workspace, sorted(pairs))

    def _settle_marked(self, verdict: str) -> bool:
        """Ask for a verdict on the marked pairs; return whether there are any."""
        if self.visited is not None or not (pairs := self.memories.pairs_to_settle):
            return False
        if (workspace := self.writable()) is not None:
            from memtui.tui.inbox.settle_dialog import SettleDialog

            items = [each for each in self.memories.items if each.pair in pairs]
            dialog = SettleDialog(workspace, verdict, items, self.memories.store_names)
            self.app.push_screen(dialog, self.run_job)
        return True


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
