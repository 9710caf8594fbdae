"""The other memories that a memory is related to, each as a line in parts. The texts are raw."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory import wording
from memtui.memory.detail import Detail
from memtui.memory.relations import Lineage, Relation

_MAX_NAME = 160  # characters of the name of the other end
_SUPERSEDING_KINDS = frozenset({"supersedes", "superseded_by", "superseded-by", "superseded by"})


@dataclass(frozen=True, slots=True)
class Related:
    """A relation of a memory: the line is `before`, the `name` of the other memory, and `after`.

    `id` is the row of the other memory, None if there is none."""

    before: str
    name: str
    after: str
    id: int | None

    @property
    def line(self) -> str:
        return f"{self.before}{self.name}{self.after}"


def related_memories(detail: Detail) -> list[Related]:
    """Return the relations of a memory: first what supersedes it and what it supersedes, then what it is
    based on, then its relations in both directions."""
    superseding = {each.id for each in detail.lineage if each.kind.startswith("supersede")}
    # A relation that repeats the lineage is not shown twice, but its reason is.
    repeated = [each for each in detail.relations if each.kind.casefold() in _SUPERSEDING_KINDS]
    repeated = [each for each in repeated if other_end(each, detail.id)[1] in superseding]
    context = {other_end(each, detail.id)[1]: each.context or each.body for each in repeated}
    related = [_of_lineage(each, context.get(each.id, "")) for each in detail.lineage]
    return related + [_of_relation(each, detail.id) for each in detail.relations if each not in repeated]


def other_end(relation: Relation, id: int) -> tuple[str, int | None, bool]:
    """Return the other end of a relation, seen from memory `id`: its name, its row, and whether the relation
    leads to it."""
    outgoing = relation.source_id == id or (relation.source_id is None and relation.target_id != id)
    if outgoing:
        return relation.label or relation.target, relation.target_id, True
    return relation.label or relation.source, relation.source_id, False


def _of_lineage(lineage: Lineage, context: str) -> Related:
    label = lineage.label if lineage.id is not None else wording.MISSING_MEMORY
    # A memory that this one supersedes is superseded: its state would say nothing new.
    state = f" ({lineage.state})" if lineage.state and lineage.kind != "supersedes" else ""
    reason = f" — {context}" if context else ""
    return Related(f"{wording.LINEAGE[lineage.kind]} ", label, state + reason, lineage.id)


def _of_relation(relation: Relation, id: int) -> Related:
    name, other_id, outgoing = other_end(relation, id)
    name = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1].rstrip()}…"
    after = "" if relation.strength is None else f"  {relation.strength:.2f}"
    if reason := relation.context or relation.body:
        after += f" — {reason}"
    if relation.local:
        after += f"  {wording.KEPT_IN_MEMTUI}"
    elif relation.overrides:
        after += f"  {wording.partly_kept_in_memtui(relation.overrides)}"
    if other_id is None:
        after += f"  {wording.NOT_IN_STORE}"
    return Related(f"{'→' if outgoing else '←'} {relation.kind} ", name, after, other_id)
