"""A memory's problems, relations and next decay event in one line; a pure function."""

from __future__ import annotations

from rich.cells import cell_len

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.detail import Detail
from memtui.memory.lifecycles.forecast import relative_time
from memtui.memory.memory import LIVE
from memtui.memory.related import related_memories
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.text.glyphs import counted
from memtui.tui.text.text_layout import one_line

_SEPARATOR = "   "


def summary_line(detail: Detail, width: int) -> str:
    """Return a line like “≠ 1 contradiction   ∴ based on 1   in 5 d: 0.55 → 0.50”, or "".

    If it does not fit into `width` cells, the counts have no nouns."""
    next_event = _next_event(detail)
    counts = _counts(detail)
    for texts in ([long for _, long in counts], [short for short, _ in counts]):
        line = _SEPARATOR.join(part for part in (*texts, next_event) if part)
        if cell_len(line) <= width:
            return line
    return line


def _counts(detail: Detail) -> list[tuple[str, str]]:
    """Return each count that is not zero, as sign and number and with its noun."""
    codes = [each.code for each in detail.problems]
    contradictions, duplicates = codes.count(CONTRADICTION), codes.count(DUPLICATE)
    others = len(codes) - contradictions - duplicates - codes.count("more")
    lineage = [each.kind for each in detail.lineage]
    superseded, supersedes = lineage.count("superseded-by"), lineage.count("supersedes")
    sources, dependents = lineage.count("based-on"), lineage.count("basis-for")
    relations = len(related_memories(detail)) - len(lineage)
    counts = [
        ("≠", contradictions, counted(contradictions, "contradiction")),
        ("≈", duplicates, counted(duplicates, "duplicate")),
        ("!", others, wording.other_findings(others)),
        ("»", superseded, "replaced"),
        ("»", supersedes, wording.replaces(supersedes)),
        ("∴", sources, wording.based_on(sources)),
        ("∴", dependents, wording.basis_for(dependents)),
        ("↔", relations, counted(relations, "relation")),
    ]
    return [(f"{sign} {count}", f"{sign} {text}") for sign, count, text in counts if count]


def _next_event(detail: Detail) -> str:
    """Return what decay does to it next, or ""."""
    forecast = detail.forecast
    if forecast is None or detail.removed_at is not None or detail.memory.status not in LIVE:
        return ""
    if forecast.frozen:
        return wording.frozen(one_line(forecast.frozen, 20))
    if (coming := forecast.as_is.next_event or forecast.as_is.removal) is not None:
        return wording.coming(relative_time(coming.at, forecast.now), one_line(coming.what, 40))
    return ""
