"""Every sentence about broken relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.text import counted, plural

LENGTH = 80  # characters of a name that is quoted
PLACE_LENGTH = 4 * LENGTH
_LOOP_NAMES = 4  # memories of a loop that are all named


def more_findings(counts: Mapping[str, int]) -> str:
    """`counts` are the findings that are not listed, by code."""
    total = sum(counts.values())
    parts = ", ".join(f"{count:,} {code}" for code, count in counts.items() if count)
    return f"There {plural(total, 'is', 'are')} {counted(total, 'more such finding')}: {parts}."


def relation(source: str, kind: str, target: str) -> str:
    """A relation as the subject of a sentence."""
    kind_name = f" {quote(kind)}" if kind.strip() else ""
    return f"The relation{kind_name} from {quote(source)} to {quote(target)}"


def dangling(relation: str, name: str, count: int, *, is_target: bool) -> str:
    """`count` relations name the missing memory."""
    direction = "leads to" if is_target else "comes from"
    more = f"; relations that name it: {count:,}" if count > 1 else ""
    return f"{relation} {direction} a memory that is not in the store, {quote(name)}{more}."


def to_itself(relation: str) -> str:
    return f"{relation} leads from a memory to itself."


def without_kind(relation: str) -> str:
    return f"{relation} does not say of what kind it is."


def repeated(relation: str, count: int) -> str:
    return f"{relation} is told {count:,} times."


def ambiguous(relation: str, name: str, places: Sequence[str]) -> str:
    """`places` are those of all memories of that name."""
    first = " and ".join(dict.fromkeys(short(place) for place in places[:2]))
    text = f"{relation} may mean any of {len(places):,} memories that are called {quote(name)}"
    return f"{text} ({first}{' …' if len(places) > 2 else ''})."


def loop(names: Sequence[str]) -> str:
    shown = names if len(names) <= _LOOP_NAMES else names[: _LOOP_NAMES - 1]
    chain = ", which supersedes ".join(quote(name) for name in shown[1:])
    left = len(names) - len(shown)
    between = f", which supersedes {left:,} more in turn, the last of which supersedes " if left else ""
    end = f"{between or ', which supersedes '}{quote(names[0])} itself."
    return f"{quote(names[0])} supersedes {chain}{end}"


def quote(name: str) -> str:
    return f"“{short(name)}”"


def short(text: str, length: int = LENGTH) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
