"""Every sentence about broken relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.secrets.masking import shortened
from memtui.text import counted

LENGTH = 80  # characters of a name that is quoted
PLACE_LENGTH = 4 * LENGTH
_LOOP_NAMES = 4  # memories of a loop that are all named
# The findings that are not listed, by code: one, and several.
_NAMES = {
    "loop": ("replacement loop", ""),
    "shared-name": ("shared name", ""),
    "self-relation": ("self-relation", "self-relations"),
    "no-kind": ("relation without a kind", "relations without a kind"),
    "dangling": ("relation to a missing memory", "relations to missing memories"),
    "twice-told": ("repeated relation", ""),
}


def more_findings(counts: Mapping[str, int]) -> str:
    """`counts` are the findings that are not listed, by code."""
    total = sum(counts.values())
    parts = ", ".join(counted(count, *_NAMES[code]) for code, count in counts.items() if count)
    return f"{counted(total, 'more finding is', 'more findings are')} not listed: {parts}."


def relation(source: str, kind: str, target: str) -> str:
    """A relation as the subject of a sentence."""
    kind_name = f" {quote(kind)}" if kind.strip() else ""
    return f"The relation{kind_name} from {quote(source)} to {quote(target)}"


def dangling(relation: str, name: str, count: int, *, is_target: bool) -> str:
    """`count` relations name the missing memory."""
    direction = "points to" if is_target else "starts at"
    more = f"; {count:,} relations refer to it" if count > 1 else ""
    return f"{relation} {direction} a missing memory, {quote(name)}{more}."


def to_itself(relation: str) -> str:
    return f"{relation} points back to the same memory."


def without_kind(relation: str) -> str:
    return f"{relation} has no kind."


def repeated(relation: str, count: int) -> str:
    return f"{relation} is stored {count:,} times."


def ambiguous(relation: str, name: str, places: Sequence[str]) -> str:
    """`places` are those of all memories of that name."""
    first = " and ".join(dict.fromkeys(short(place) for place in places[:2]))
    text = f"{relation} is ambiguous: {len(places):,} memories are named {quote(name)}"
    return f"{text} ({first}{' …' if len(places) > 2 else ''})."


def loop(names: Sequence[str]) -> str:
    is_long = len(names) > _LOOP_NAMES
    shown = names[: _LOOP_NAMES - 1] if is_long else names
    size = f" of {len(names):,} memories" if is_long else ""
    end = ", and so on back to " if is_long else ", which replaces "
    chain = ", which replaces ".join(quote(name) for name in shown[1:])
    return f"Replacement loop{size}: {quote(names[0])} replaces {chain}{end}{quote(names[0])}."


def quote(name: str) -> str:
    return f"“{shortened(name, LENGTH)}”"


def short(text: str, length: int = LENGTH) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
