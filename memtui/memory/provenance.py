"""What is known about a memory besides its text: its source and its relations. The texts are raw."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory import wording
from memtui.memory.detail import Detail
from memtui.memory.relations import Lineage, RelatedRecord, Relation

TextRow = tuple[str, str]
FormatTime = Callable[[float], str]

REINFORCEMENT = "reinforcement"  # the kind of a related record: the memory was found right again
MAX_REINFORCEMENTS = 10
_MAX_NAME = 160  # characters of the name of the other end
_SUPERSEDING_KINDS = frozenset({"supersedes", "superseded_by", "superseded-by", "superseded by"})


def origin_rows(detail: Detail, format_time: FormatTime) -> list[TextRow]:
    """Return pairs of name and value: the source, confirmations, uses and reinforcements of a memory."""
    memory = detail.memory
    # The memory it is based on is shown with the relations, by its label.
    based_on = any(each.kind == "based-on" for each in detail.lineage)
    origin = (memory.source_type, None if based_on else memory.source_ref, memory.session_id)
    confirmed_at = memory.last_confirmed_at
    confirmed = wording.times(memory.times_confirmed)
    if confirmed_at is not None:
        moment = format_time(confirmed_at)
        confirmed = wording.last(confirmed, moment) if confirmed else moment
    used = wording.times(memory.times_used)
    if used and memory.last_used_at is not None:
        used = wording.last(used, format_time(memory.last_used_at))
    rows = [
        ("source", " · ".join({part.casefold(): part for part in origin if part}.values())),
        ("excerpt", wording.quoted(memory.source_excerpt) if memory.source_excerpt else ""),
        ("confidence", "" if memory.confidence is None else f"{memory.confidence:.2f}"),
        ("confirmed", confirmed),
        ("used", used),
        ("promoted", wording.times(memory.promotion_count)),
    ]
    reinforcements = [each for each in detail.related_records if each.kind == REINFORCEMENT]
    for each in reinforcements[:MAX_REINFORCEMENTS]:
        rows.append(
            ("reinforced", f"{format_time(each.at)}: {each.text}" if each.at is not None else each.text)
        )
    if len(reinforcements) > MAX_REINFORCEMENTS:
        rows.append(("", wording.more_times(len(reinforcements) - MAX_REINFORCEMENTS)))
    return [row for row in rows if row[1]]


def other_related_records(detail: Detail) -> tuple[RelatedRecord, ...]:
    """Return the related records that `origin_rows` does not show."""
    return tuple(each for each in detail.related_records if each.kind != REINFORCEMENT)


def relation_lines(detail: Detail) -> list[tuple[str, bool]]:
    """Return a line for each relation, and whether the other memory exists: first what supersedes it and
    what it supersedes, then what it is based on, then its relations in both directions."""
    superseding = {each.id for each in detail.lineage if each.kind.startswith("supersede")}
    # A relation that repeats the lineage is not shown twice, but its reason is.
    repeated = [each for each in detail.relations if each.kind.casefold() in _SUPERSEDING_KINDS]
    repeated = [each for each in repeated if other_end(each, detail.id)[1] in superseding]
    context = {other_end(each, detail.id)[1]: each.context or each.body for each in repeated}
    lines = [(_lineage_line(each, context.get(each.id, "")), each.id is not None) for each in detail.lineage]
    return lines + [_relation_line(each, detail.id) for each in detail.relations if each not in repeated]


def other_end(relation: Relation, id: int) -> tuple[str, int | None, bool]:
    """Return the other end of a relation, seen from memory `id`: its name, its row, and whether the relation
    leads to it."""
    outgoing = relation.source_id == id or (relation.source_id is None and relation.target_id != id)
    if outgoing:
        return relation.label or relation.target, relation.target_id, True
    return relation.label or relation.source, relation.source_id, False


def _lineage_line(lineage: Lineage, context: str) -> str:
    label = lineage.label if lineage.id is not None else wording.missing_memory(lineage.uid)
    # A memory that this one supersedes is superseded: its state would say nothing new.
    state = f" ({lineage.state})" if lineage.state and lineage.kind != "supersedes" else ""
    reason = f" — {context}" if context else ""
    return f"{wording.LINEAGE[lineage.kind].format(label + state)}{reason}"


def _relation_line(relation: Relation, id: int) -> tuple[str, bool]:
    name, other_id, outgoing = other_end(relation, id)
    name = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1].rstrip()}…"
    line = wording.outgoing(relation.kind, name) if outgoing else wording.incoming(relation.kind, name)
    if relation.strength is not None:
        line += f"  {relation.strength:.2f}"
    if reason := relation.context or relation.body:
        line += f" — {reason}"
    if relation.local:
        line += f"  {wording.KEPT_IN_MEMTUI}"
    elif relation.overrides:
        line += f"  {wording.partly_kept_in_memtui(relation.overrides)}"
    if other_id is None:
        line += f"  {wording.NOT_IN_STORE}"
    return line, other_id is not None
