"""Completion of the part of a query at the cursor (S-31)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.query import ranges
from memtui.memory.query.language import ALIASES, FILTERS, PART, blank_unsearchable, spec_of

MIN_PREFIX = 2  # letters of a plain word that may be the prefix of a filter's name


@dataclass(frozen=True, slots=True)
class CompletionContext:
    """A part of a query that can be completed.

    `kind` is "name" or "value", `name` the filter whose value it is, `prefix` what is typed of it up to the
    cursor. The choice replaces the text from `start` to `end`.
    """

    start: int
    end: int
    kind: str
    name: str
    prefix: str


def completion_at(text: str, cursor: int) -> CompletionContext | None:
    """Return what is being typed at the cursor; None if that is nothing, or a plain word."""
    for part in PART.finditer(blank_unsearchable(text)):
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
    spec = spec_of(part["name"])
    if spec is None:
        return None
    quoted = part["quoted"] is not None
    prefix = text[colon + 1 + quoted : cursor]
    if quoted:
        prefix = prefix.removesuffix('"')
    return CompletionContext(colon + 1, part.end(), "value", spec.name, prefix)


def _name(start: int, end: int, prefix: str) -> CompletionContext | None:
    if len(prefix) < MIN_PREFIX or not _names(prefix):
        return None
    return CompletionContext(start, end, "name", "", prefix)


def _names(prefix: str) -> list[str]:
    return [name for name in (*FILTERS, *ALIASES) if name.startswith(prefix.lower())]


def choices(completion: CompletionContext) -> list[str]:
    """Return the choices that do not depend on the memories: filter names, fixed values, examples of a range.

    Empty for a filter whose values come from the memories (`facets.values`).
    """
    if completion.kind == "name":
        return [f"{name}:" for name in _names(completion.prefix)]
    spec = FILTERS[completion.name]
    fixed = spec.allowed or ranges.EXAMPLES.get(spec.form, ())
    return [value for value in fixed if value.startswith(completion.prefix.lower())]


def quote_value(value: str) -> str:
    """Return a stored value as it is typed after a filter's colon: in quotes if it has blanks, and with `*`,
    which matches anything, for characters that cannot be typed."""
    plain = value.replace('"', "*").replace("\x00", "*")
    plain = "".join("*" if "\ud800" <= each <= "\udfff" else each for each in plain)
    bare = plain and not any(each.isspace() for each in plain) and plain[0] not in ':\\"/'
    return plain if bare else f'"{plain}"'
