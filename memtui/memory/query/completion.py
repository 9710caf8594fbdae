"""What is being typed at the cursor of a query, and what could stand there (S-31)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.query import ranges
from memtui.memory.query.language import FILTERS, PART, possible

SHORTEST = 2  # letters of a plain word that may be meant for a filter's name


@dataclass(frozen=True, slots=True)
class Completing:
    """`kind` is "name" or "value"; `name` the filter whose value it is; `beginning` what is typed of
    it up to the cursor. What is chosen replaces the text from `start` to `end`."""

    start: int
    end: int
    kind: str
    name: str
    beginning: str


def at(text: str, cursor: int) -> Completing | None:
    """What is being typed where the cursor stands; None where nothing is, or a plain word."""
    for part in PART.finditer(possible(text)):
        if part.start() < cursor <= part.end():
            break
    else:
        return None
    if part["name"] is None:
        word = part["word"]
        if word is None or cursor <= part.start("word"):
            return None
        return _name(part.start("word"), part.end(), text[part.start("word") : cursor])
    colon = part.end("name")
    if cursor <= colon:
        return _name(part.start("name"), colon + 1, text[part.start("name") : cursor])
    name = part["name"].lower()
    if name not in FILTERS:
        return None
    quoted = part["quoted"] is not None
    beginning = text[colon + 1 + quoted : cursor]
    if quoted:
        beginning = beginning.removesuffix('"')
    return Completing(colon + 1, part.end(), "value", name, beginning)


def _name(start: int, end: int, beginning: str) -> Completing | None:
    if len(beginning) < SHORTEST or not _names(beginning):
        return None
    return Completing(start, end, "name", "", beginning)


def _names(beginning: str) -> list[str]:
    return [name for name in FILTERS if name.startswith(beginning.lower())]


def choices(what: Completing) -> list[str]:
    """What can stand there whatever is stored: names of filters, fixed values, ways to write a range;
    empty where the values are those of the memories (`facets.values`)."""
    if what.kind == "name":
        return [f"{name}:" for name in _names(what.beginning)]
    spec = FILTERS[what.name]
    fixed = spec.allowed or ranges.SHOWN.get(spec.form, ())
    return [value for value in fixed if value.startswith(what.beginning.lower())]


def spelled(value: str) -> str:
    """A stored value as it is typed behind a filter's colon: in quotes where it has blanks; what
    cannot be typed becomes `*`, which stands for anything."""
    plain = value.replace('"', "*").replace("\x00", "*")
    plain = "".join("*" if "\ud800" <= each <= "\udfff" else each for each in plain)
    bare = plain and not any(each.isspace() for each in plain) and plain[0] not in ':\\"/'
    return plain if bare else f'"{plain}"'
