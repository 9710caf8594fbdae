"""What a memory that is not there yet repeats or contradicts: the same candidates and detectors as those of
the scan, which finds the rest once it was added (S-74)."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.contradictions import reasons, templates
from memtui.memory.contradictions.judgement import judge
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Judgement
from memtui.values import Fields
from memtui.workspace.contradictions.candidates import Candidates
from memtui.workspace.contradictions.compared import Compared, prepared
from memtui.workspace.contradictions.scan import multi_valued

if TYPE_CHECKING:
    from memtui.workspace.context import Context


@dataclass(frozen=True, slots=True)
class Clash:
    """The row that a new memory repeats or contradicts: the family and kind of the pair, and a sentence."""

    id: int
    family: str
    kind: str
    reason: str


class Incoming:
    """Compares new memories with live ones, by key, subject and rarest words."""

    def __init__(self, ctx: Context) -> None:
        self._candidates = Candidates(ctx, 0)
        self._multi_valued = multi_valued(ctx)

    def clash(self, fields: Fields, ignored: Set[int]) -> Clash | None:
        """Return what a memory with these fields contradicts most surely, else repeats, apart from rows of
        `ignored`; None if nothing."""
        memory = prepared(fields)
        best: tuple[tuple[bool, float], Clash] | None = None
        for other, judged in self._judged(memory, ignored):
            if judged.conflicts:
                conflict = judged.conflicts[0]
                rank = (True, conflict.score)
                found = Clash(other, CONTRADICTION, conflict.kind, reasons.conflict_reason(conflict))
            elif judged.is_mergeable:
                rank = (False, judged.overlap)
                found = Clash(other, DUPLICATE, judged.duplicate_kind, reasons.duplicate_reason(judged))
            else:
                continue
            if best is None or rank > best[0]:
                best = rank, found
        return best[1] if best is not None else None

    def _judged(self, memory: Compared, ignored: Set[int]) -> Iterator[tuple[int, Judgement]]:
        others = [each for each in self._candidates.of_new(memory) if each.id not in ignored]
        if not others:  # parsing takes longer than all else
            return
        try:
            common = templates.shared_phrases(memory.parsed, (other.parsed for other in others))
        except Exception:  # one unusual text must not stop the import
            common = frozenset()
        for other in others:
            try:
                yield (
                    other.id,
                    judge(memory.parsed, other.parsed, multi_valued=self._multi_valued, common=common),
                )
            except Exception:  # likewise
                continue
