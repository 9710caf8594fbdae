"""What is known of a memory beside its text, in words: why it is believed, and what it is tied to. Pure
functions, whose words are raw."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory.detail import Detail
from memtui.memory.relations import Lineage, RelatedRecord, Relation

Row = tuple[str, str]
When = Callable[[float], str]
"""A moment for the reader."""

REINFORCED = "reinforcement"  # the kind of what stands beside a memory because it was found right again
MOST = 10  # reinforcements
_NAME = 160  # characters of what stands at the other end
_KIN = {
    "superseded-by": "» superseded by {}",
    "supersedes": "» supersedes {}",
    "rests-on": "∴ rests on {}",
    "carries": "∴ {} rests on it",
}
_GIVING_WAY = frozenset({"supersedes", "superseded_by", "superseded-by", "superseded by"})


def believed(detail: Detail, when: When) -> list[Row]:
    """Pairs of name and value: where it comes from, who found it right and how often, how it is used."""
    memory = detail.memory
    rests = any(each.kind == "rests-on" for each in detail.lineage)  # told by its label, then
    origin = (memory.source_type, None if rests else memory.source_ref, memory.session_id)
    last = memory.last_confirmed_at
    confirmed = _times(memory.times_confirmed)
    if last is not None:
        confirmed = f"{confirmed}, last {when(last)}" if confirmed else when(last)
    used = _times(memory.times_used)
    if used and memory.last_used_at is not None:
        used = f"{used}, last {when(memory.last_used_at)}"
    rows = [
        ("source", " · ".join({part.casefold(): part for part in origin if part}.values())),
        ("said", f"“{memory.source_excerpt}”" if memory.source_excerpt else ""),
        ("confidence", "" if memory.confidence is None else f"{memory.confidence:.2f}"),
        ("confirmed", confirmed),
        ("used", used),
        ("promoted", _times(memory.promotion_count)),
    ]
    found = [each for each in detail.related_records if each.kind == REINFORCED]
    for each in found[:MOST]:
        rows.append(("reinforced", f"{when(each.at)}: {each.text}" if each.at is not None else each.text))
    if len(found) > MOST:
        rows.append(("", f"and {len(found) - MOST:,} more times"))
    return [row for row in rows if row[1]]


def others_beside(detail: Detail) -> tuple[RelatedRecord, ...]:
    """What stands beside it, but what it is believed for."""
    return tuple(each for each in detail.related_records if each.kind != REINFORCED)


def tied(detail: Detail) -> list[tuple[str, bool]]:
    """A line each, and whether there is something at the other end: what it gave way to and replaced, what
    it came from, then its relations both ways."""
    kin = {each.id for each in detail.lineage if each.kind.startswith("supersede")}
    doubled = [each for each in detail.relations if each.kind.casefold() in _GIVING_WAY]
    doubled = [each for each in doubled if other_of(each, detail.id)[1] in kin]
    context = {other_of(each, detail.id)[1]: each.context or each.body for each in doubled}
    lines = [(_of_kin(each, context.get(each.id, "")), each.id is not None) for each in detail.lineage]
    return lines + [_of_relation(each, detail.id) for each in detail.relations if each not in doubled]


def other_of(relation: Relation, id: int) -> tuple[str, int | None, bool]:
    """The other end of a relation, seen from a memory: its name, its row, and whether it leads there."""
    out = relation.source_id == id or (relation.source_id is None and relation.target_id != id)
    if out:
        return relation.label or relation.target, relation.target_id, True
    return relation.label or relation.source, relation.source_id, False


def _of_kin(each: Lineage, context: str) -> str:
    label = each.label if each.id is not None else f"{each.uid}, which is not there any more"
    # That what gave way is superseded goes without saying.
    state = f" ({each.state})" if each.state and each.kind != "supersedes" else ""
    why = f" — {context}" if context else ""
    return f"{_KIN[each.kind].format(label + state)}{why}"


def _of_relation(relation: Relation, id: int) -> tuple[str, bool]:
    name, other, out = other_of(relation, id)
    name = name if len(name) <= _NAME else f"{name[: _NAME - 1].rstrip()}…"
    words = f"→ {relation.kind} {name}" if out else f"← {name} {relation.kind} it"
    if relation.strength is not None:
        words += f"  {relation.strength:.2f}"
    if said := relation.context or relation.body:
        words += f" — {said}"
    if relation.local:
        words += "  (kept in memtui)"
    elif relation.overrides:
        words += f"  ({relation.overrides} kept in memtui)"
    if other is None:
        words += "  (not in this store)"
    return words, other is not None


def _times(count: int) -> str:
    return "" if count <= 0 else "once" if count == 1 else f"{count:,} times"
