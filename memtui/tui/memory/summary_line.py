"""What is tied to a memory, what is wrong with it and how it ages, in one line: a pure function."""

from __future__ import annotations

from rich.cells import cell_len

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.detail import Detail
from memtui.memory.lifecycles.forecast import in_days
from memtui.memory.memory import LIVE
from memtui.memory.provenance import tied
from memtui.tui.text.glyphs import counted
from memtui.tui.text.text_layout import one_line

_BETWEEN = "   "


def glance(detail: Detail, width: int) -> str:
    """≠ 1 contradiction   ∴ rests on 1   in 5 d: 0.55 → 0.50. Where that does not fit, the signs and numbers
    alone; "" where nothing is to be told."""
    ages = _ages(detail)
    counts = _counts(detail)
    for told in ([words for _, words in counts], [sign for sign, _ in counts]):
        line = _BETWEEN.join(part for part in (*told, ages) if part)
        if cell_len(line) <= width:
            return line
    return line


def _counts(detail: Detail) -> list[tuple[str, str]]:
    """A sign with its number, and the same in words, for each that there is."""
    codes = [each.code for each in detail.problems]
    clashes, repeats = codes.count(CONTRADICTION), codes.count(DUPLICATE)
    wrong = len(codes) - clashes - repeats - codes.count("more")
    kin = [each.kind for each in detail.lineage]
    gave, took = kin.count("superseded-by"), kin.count("supersedes")
    rests, carries = kin.count("rests-on"), kin.count("carries")
    related = len(tied(detail)) - len(kin)
    found = [
        (f"≠ {clashes}", clashes, counted(clashes, "contradiction")),
        (f"≈ {repeats}", repeats, counted(repeats, "duplicate")),
        (f"! {wrong}", wrong, f"{wrong} wrong"),
        (f"» {gave}", gave, "superseded"),
        (f"» {took}", took, f"supersedes {took}"),
        (f"∴ {rests}", rests, f"rests on {rests}"),
        (f"∴ {carries}", carries, f"{carries} rest{'s' if carries == 1 else ''} on it"),
        (f"↔ {related}", related, counted(related, "relation")),
    ]
    return [(sign, f"{sign[0]} {words}") for sign, count, words in found if count]


def _ages(detail: Detail) -> str:
    """What happens to it next."""
    ahead = detail.forecast
    if ahead is None or detail.removed_at is not None or detail.memory.status not in LIVE:
        return ""
    if ahead.frozen:
        return f"{one_line(ahead.frozen, 20)}: nothing ages it"
    if (coming := ahead.as_is.next or ahead.as_is.leaves) is not None:
        return f"{in_days(coming.at, ahead.now)}: {one_line(coming.what, 40)}"
    return ""
