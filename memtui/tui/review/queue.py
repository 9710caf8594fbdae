"""The queue of Review: which pairs are listed, and where, as they are found, settled and undone (S-42)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Pair
from memtui.memory.results import Change
from memtui.tui.common.virtual_list import Part
from memtui.tui.review import queue_filter, wording
from memtui.tui.review.pair_list import OVER, PairList
from memtui.tui.review.pair_text import verdict_text
from memtui.tui.review.queue_filter import ALL_PAIRS, QueueFilter
from memtui.tui.review.verdict_keys import VerdictScreen
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


class QueueScreen(VerdictScreen):
    """Keeps listed pairs in place; new ones are only counted, unless a new list was asked for."""

    queue: PairList

    def __init__(self) -> None:
        super().__init__()
        self._filter = ALL_PAIRS
        self._replacing = True  # the next list read replaces the listed one
        self._was_left = False  # for another screen, since the list was read
        self._new_count = 0  # pairs found that are not listed yet
        self._undo_change: Change | None = None  # an undo whose pair is to be highlighted
        self._asked_id = 0  # the pair that another screen asked for
        self._undo_pair_id = 0  # the highlighted pair at that time

    def verdict_on(self, id: int) -> str:
        return self.queue.verdicts.get(id, "")

    def settled(self, pair: Pair, verdict: str) -> None:
        queue = self.queue
        queue.verdicts = {**queue.verdicts, pair.id: verdict_text(verdict, pair.family)}
        if self.pair_id == pair.id and (index := queue.next_open()) is not None:
            queue.move_to(index)
        queue.refresh()

    def _set_empty_lines(self, lines: list[Part]) -> None:
        """Set what the empty queue shows."""
        raise NotImplementedError

    def _lay_out(self) -> None:
        """Show the panes for an empty queue, or for a pair."""
        raise NotImplementedError

    def show_memory(self, memory: int, label: str) -> None:
        """List only the pairs of one memory."""
        self._show_part(QueueFilter(memory=memory, label=label))

    def show_pair(self, id: int) -> None:
        """List all pairs, with the cursor on one of them."""
        self._asked_id = id
        self._show_part(ALL_PAIRS)

    def _show_part(self, part: QueueFilter) -> None:
        self.set_full_screen(False)
        self._filter, self._replacing = part, True
        self.queue.verdicts = {}
        self.queue.pairs = []
        self.load()

    @worker(wording.PAIRS_UNREADABLE, group="pairs")
    async def load(self) -> None:
        """Read the open pairs, and list or merge them."""
        workspace, part = self.app.workspace, self._filter
        if workspace is None:
            return
        try:
            found = await self.read(part.read, workspace)
        except Exception:
            self._set_empty_lines(self.error_lines(wording.SUBJECT))
            raise
        self._was_read = True
        if self.pair_id != self._undo_pair_id:  # the cursor was moved since
            self._undo_change = None
        if self._replacing or not self.queue.pairs:
            self._replace_pairs(found)
        else:
            self._merge_pairs(found)
        self._replacing = False
        if not self._awaits_rescan():
            self._undo_change = None
        self._lay_out()
        if not self.queue.waiting:
            await self._show_empty_queue(workspace)
        self.update_titles()
        self.load_text()

    @property
    def pair_id(self) -> int:
        return 0 if self.queue.highlighted is None else self.queue.highlighted.id

    def _awaits_rescan(self) -> bool:
        """Return whether the pair of an undo has to be compared again before it can be listed."""
        undo, queue = self._undo_change, self.queue
        if undo is None or self.pair_id != self._undo_pair_id:
            return False
        return any(pair.id in queue.verdicts and _touches(pair, undo) for pair in queue.pairs)

    def _replace_pairs(self, found: Sequence[Pair]) -> None:
        """List the open pairs after those settled since the screen was opened."""
        queue, current, undo = self.queue, self.pair_id, self._undo_change
        settled = [pair for pair in queue.pairs if queue.verdicts.get(pair.id, OVER) != OVER]
        open_ids = {pair.id for pair in found}
        queue.verdicts = {pair.id: queue.verdicts[pair.id] for pair in settled if pair.id not in open_ids}
        listed = [*(pair for pair in settled if pair.id in queue.verdicts), *found]
        ids = [pair.id for pair in listed]
        wanted = next((pair.id for pair in found if undo is not None and _touches(pair, undo)), None)
        if self._asked_id in open_ids:
            wanted, self._asked_id = self._asked_id, 0
        if wanted is None and current in ids and current not in queue.verdicts:
            wanted = current
        self._new_count = 0
        cursor = ids.index(wanted) if wanted is not None else len(ids) - len(found)
        queue.show(listed, cursor, keep_place=False)

    def _merge_pairs(self, found: Sequence[Pair]) -> None:
        """Keep the listed pairs in place: undone ones are open again, others may be over."""
        queue, undo = self.queue, self._undo_change
        open_pairs = {pair.id: pair for pair in found}
        verdicts = dict(queue.verdicts)
        reopened = [pair.id for pair in queue.pairs if pair.id in verdicts and pair.id in open_pairs]
        if undo is not None:
            # Undoing “both true” also reopens pairs that it had ended without a verdict: they come last.
            reopened.sort(key=lambda id: (verdicts[id] == OVER, not _touches(open_pairs[id], undo)))
        for id in reopened:
            self._undone[id] = verdicts.pop(id)
        for pair in queue.pairs:
            if pair.id not in open_pairs and pair.id not in verdicts and pair.id not in self._settling:
                verdicts[pair.id] = self._undone.pop(pair.id, OVER)
        listed_ids = {pair.id for pair in queue.pairs}
        unlisted = [pair for pair in found if pair.id not in listed_ids]
        prepended: list[Pair] = []
        if undo is not None and not reopened:
            # The pair was settled before this list was read: put it first.
            touched = [pair for pair in unlisted if _touches(pair, undo)]
            prepended = touched or (unlisted if len(unlisted) == 1 else [])
            reopened = [pair.id for pair in prepended]
        listed = [*prepended, *(open_pairs.get(pair.id, pair) for pair in queue.pairs)]
        wanted = reopened[0] if undo is not None and reopened else self.pair_id
        cursor = next((index for index, pair in enumerate(listed) if pair.id == wanted), 0)
        queue.verdicts, self._new_count = verdicts, len(unlisted) - len(prepended)
        queue.show(listed, cursor, keep_place=True)

    async def _show_empty_queue(self, workspace: Workspace) -> None:
        """Show why no pair is open, and what would appear here."""
        counts = await self.read(workspace.queue_counts)
        self.queue.verdicts, self._new_count = {}, 0
        self.queue.show([], 0, keep_place=False)
        self._set_empty_lines(queue_filter.empty_queue_lines(counts, self._filter, self.app))


def _touches(pair: Pair, change: Change) -> bool:
    """Return whether a change affected a memory of a pair."""
    return bool({pair.a, pair.b} & set(change.ids))
