"""Which pairs Review lists, and what it shows when there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Pair, PairDetail, kind_label
from memtui.memory.contradictions.queue import QueueCounts
from memtui.tui.common.virtual_list import Part
from memtui.tui.review import wording
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.memory.results import Change
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """A part of the queue: the pairs of a family, of a kind, with a store, or with one memory."""

    family: str = ""
    kind: str = ""
    store: str = ""
    memory: int | None = None
    label: str = ""

    def read(self, workspace: Workspace) -> list[Pair]:
        """Return the open pairs of this part."""
        return workspace.pairs(family=self.family, kind=self.kind, store=self.store, memory=self.memory)

    @property
    def title(self) -> str:
        """The title of the queue."""
        if self.memory is not None:
            return wording.pairs_of(one_line(self.label, 40))
        if self.store:
            return wording.queue_of(one_line(self.store, 40))
        if self.kind:
            return wording.queue_of(kind_label(one_line(self.kind, 40)))
        return wording.queue_of(wording.FAMILIES[self.family].lower() if self.family else "")


ALL_PAIRS = QueueFilter()


def settle(
    workspace: Workspace, seen: PairDetail, verdict: str, *, text: str | None = None, note: str = ""
) -> Change:
    """Give a verdict on the two texts that the user saw: later writes by agents are not overwritten."""
    return workspace.settle(seen.pair.id, verdict, text=text, note=note, seen=seen.digests)


def contents(found: PairDetail) -> list[tuple[str | None, str]]:
    """Return title and text of both memories."""
    return [(side.memory.title, side.memory.content) for side in (found.a, found.b)]


def empty_queue_lines(counts: QueueCounts, choice: QueueFilter, app: MemtuiApp) -> list[Part]:
    """Return why the queue is empty, and what would appear in it."""
    key = app.key
    if choice != ALL_PAIRS and counts.open:
        return [
            (wording.no_pair_in(choice.title), "plain"),
            ("", "plain"),
            (wording.all_waiting(key("screen.back"), counts.open), "quiet"),
        ]
    memories = app.counts.live if app.counts is not None else 0
    lines: list[Part] = []
    scan = app.contradiction_scan
    if scan.running and scan.pending:
        lines += [
            (wording.comparing(scan.compared, scan.compared + scan.pending), "plain"),
            (wording.NOTHING_YET, "quiet"),
        ]
    elif counts.unscanned and app.read_only:
        lines += [
            (wording.not_compared(counts.unscanned), "plain"),
            (wording.READ_ONLY_SCAN, "quiet"),
        ]
    elif counts.unscanned:
        lines += [
            (wording.to_be_compared(counts.unscanned), "plain"),
            (wording.CONFLICTS_APPEAR, "quiet"),
        ]
    elif counts.settled_today:
        lines += [
            (wording.all_settled(counts.settled_today), "plain"),
            (wording.NEW_WHEN_CONFLICT, "quiet"),
        ]
    elif memories:
        lines += [
            (wording.none_found(memories), "plain"),
            (wording.NEW_WHEN_CONFLICT, "quiet"),
        ]
    else:
        lines.append((wording.NO_MEMORIES, "plain"))
    if counts.later:
        lines.append((wording.snoozed(counts.later), "quiet"))
    lines += [("", "plain"), (wording.browse(key("screen.browse")), "quiet")]
    if counts.settled_today:
        lines.append((wording.undo_last(key("change.undo")), "quiet"))
    return lines
