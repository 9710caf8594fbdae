"""Which pairs Review shows, and what it says where there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Pair, PairDetail, kind_label
from memtui.memory.contradictions.queue import QueueCounts
from memtui.tui.common.virtual_list import Part
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.memory.results import Change
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

FAMILIES = {"contradiction": "Contradictions", "duplicate": "Duplicates"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A part of the queue: of a family, of a kind, with a store, or with one memory."""

    family: str = ""
    kind: str = ""
    store: str = ""
    memory: int | None = None
    label: str = ""

    def read(self, workspace: Workspace) -> list[Pair]:
        """The pairs of it that wait."""
        return workspace.pairs(family=self.family, kind=self.kind, store=self.store, memory=self.memory)

    @property
    def title(self) -> str:
        """What the queue is called."""
        if self.memory is not None:
            return f"Pairs of “{one_line(self.label, 40)}”"
        if self.store:
            return f"Queue: {one_line(self.store, 40)}"
        if self.kind:
            return f"Queue: {kind_label(one_line(self.kind, 40))}"
        return f"Queue: {FAMILIES[self.family].lower()}" if self.family else "Queue"


EVERYTHING = Choice()


def settle(
    workspace: Workspace, seen: PairDetail, verdict: str, *, text: str | None = None, note: str = ""
) -> Change:
    """A verdict on the two texts that the person saw: what an agent wrote since is not overwritten."""
    return workspace.settle(seen.pair.id, verdict, text=text, note=note, seen=seen.digests)


def says(found: PairDetail) -> list[tuple[str | None, str]]:
    """What the two say, as it stands there."""
    return [(side.memory.title, side.memory.content) for side in (found.a, found.b)]


def nothing(state: QueueCounts, choice: Choice, app: MemtuiApp) -> list[Part]:
    """What stands in the empty queue: why it is empty, and what would appear here."""
    key = app.key
    if choice != EVERYTHING and state.open:
        return [
            (f"No pair waits here: {choice.title}.", "plain"),
            ("", "plain"),
            (f"{key('screen.back')}  all {counted(state.open, 'pair')} that wait", "quiet"),
        ]
    memories = app.counts.live if app.counts is not None else 0
    lines: list[Part] = []
    scan = app.contradiction_scan
    if scan.running and scan.pending:
        whole = scan.compared + scan.pending
        lines += [
            (f"Comparing … {grouped(scan.compared)} of {grouped(whole)}", "plain"),
            ("Nothing was found so far.", "quiet"),
        ]
    elif state.unscanned and app.read_only:
        lines += [
            (f"{counted(state.unscanned, 'memory')} were not compared yet.", "plain"),
            ("This workspace is only read: nothing is looked for.", "quiet"),
        ]
    elif state.unscanned:
        lines += [
            (f"{counted(state.unscanned, 'memory')} to be compared: it begins by itself in a moment.", "plain"),
            ("What clashes or repeats comes to stand here.", "quiet"),
        ]
    elif state.settled_today:
        lines += [
            (f"All settled: {grouped(state.settled_today)} today.", "plain"),
            ("New ones appear here when memories clash.", "quiet"),
        ]
    elif memories:
        lines += [
            (f"No contradictions, no duplicates: {counted(memories, 'memory')} compared.", "plain"),
            ("New ones appear here when agents disagree.", "quiet"),
        ]
    else:
        lines.append(("No memories yet, so nothing clashes.", "plain"))
    if state.later:
        come = "it comes back by itself" if state.later == 1 else "they come back by themselves"
        lines.append((f"{counted(state.later, 'pair')} put off: {come}.", "quiet"))
    lines += [("", "plain"), (f"{key('screen.browse')}  browse the memories", "quiet")]
    if state.settled_today:
        lines.append((f"{key('change.undo')}  undo the last verdict", "quiet"))
    return lines
