"""The query language: parsing a text, with errors that point at the part in question (S-31).

All words must match, `"phrases"` literally; `-` before a part excludes it, and `name:value` filters. The
last word is a prefix: `acm` finds Acme. A part that only looks like a filter (a time, an address, prose
with a colon) is a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from memtui.errors import QueryError
from memtui.memory.memory import KINDS, SCOPES, STATUSES
from memtui.memory.query import ranges, wording

TIERS = ("l0", "l1", "l2", "l3", "l4")
HEATS = ("cold", "warm", "hot")
LABELS = ("active", "fading", "dormant", "archived")
STATES = (
    "pinned",
    "live",
    "new",
    "flagged",
    "pending",
    "duplicate",
    "contradicted",
    "fading",
    "stale",
    "secret",
    "removed",
    "snoozed",
)
HAS = ("relation", "tag", "note", "source", "expiry")


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """The name of a filter, what it selects, an example, and its values if they are few; `form` says which
    amounts or times it takes, if it takes any (`wording.FORMS`)."""

    name: str
    help: str
    example: str
    allowed: tuple[str, ...] = ()
    form: str = ""


FILTERS = {
    spec.name: spec
    for spec in (
        FilterSpec("store", "in this store", "native"),
        FilterSpec("owner", "owned by this agent or user", "planner"),
        FilterSpec("scope", "with this scope", "private", SCOPES),
        FilterSpec("kind", "of this kind", "lesson", KINDS),
        FilterSpec("category", "in this category", "preference"),
        FilterSpec("status", "with this status", "pending", STATUSES),
        FilterSpec("tag", "with this tag", "work"),
        FilterSpec("subject", "about this subject; also entity:", '"Acme Corp"'),
        FilterSpec("key", "with this key", "editor.*"),
        FilterSpec("source", "from this source", "user"),
        FilterSpec("company", "belonging to this company", "acme"),
        FilterSpec("tier", "in this tier", "l1", TIERS),
        FilterSpec("heat", "with this heat", "hot", HEATS),
        FilterSpec("label", "at this stage of decay", "fading", LABELS),
        FilterSpec("conf", "with this confidence", ">0.8", form="share"),
        FilterSpec("used", "used this many times", "<3", form="count"),
        FilterSpec("created", "created at this time", ">2026-01-01", form="past"),
        FilterSpec("updated", "updated at this time", "7d", form="past"),
        FilterSpec("expires", "expiring at this time", "<30d", form="coming"),
        FilterSpec("is", "in this state", "pinned", STATES),
        FilterSpec("has", "that has this detail", "relation", HAS),
    )
}


ALIASES = {"entity": "subject"}
"""Other names of filters."""


def spec_of(name: str) -> FilterSpec | None:
    """Return the filter with this name, in upper or lower case; None if there is none."""
    name = name.lower()
    return FILTERS.get(ALIASES.get(name, name))


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to look for; `text` is raw, `start` and `end` its position in the query.

    It contains at least one letter or digit, and neither NUL nor lone surrogates. `prefix` says that it is
    still being typed, so that longer words match too; never for a negated word, which would hide more than
    the finished one.
    """

    text: str
    phrase: bool
    negated: bool
    prefix: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Filter:
    """`name:value` with a name from FILTERS; `value` as typed (`*` included), but lower case where only
    certain values or ranges are allowed."""

    name: str
    value: str
    negated: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: its parts in the order typed."""

    terms: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the query has no parts, so that every memory matches."""
        return not self.terms and not self.filters

    @property
    def mentions_status(self) -> bool:
        """Whether the query names the statuses it wants, so that no default applies."""
        return any(
            each.name == "status"
            or (each.name == "is" and each.value in ("live", "pending", "removed"))
            or (each.name == "label" and each.value == "archived" and not each.negated)
            for each in self.filters
        )


# Two colons, an address (http://), a path (C:\) and a name of one letter make no filter.
PART = re.compile(
    r"""
    (?P<minus> - (?=[^\s-]) )?
    (?: "(?P<phrase> [^"]* )"?
      | (?P<name> [A-Za-z][A-Za-z_]+ ) : (?! : | // | \\ )
        (?: "(?P<quoted> [^"]* )"? | (?P<bare> \S* ) )
      | (?P<word> \S+ )
    )""",
    re.VERBOSE,
)
# No stored text contains these (they are refused on write), and SQLite cannot search for them.
_UNSEARCHABLE = re.compile("[\x00\ud800-\udfff]")


def blank_unsearchable(text: str) -> str:
    """Return `text` with blanks for characters that no query can search for, at the same length."""
    return _UNSEARCHABLE.sub(" ", text)


def parse(text: str) -> Query:
    """Return the parsed query; raise QueryError, and nothing else, for any text."""
    text = blank_unsearchable(text)
    terms: list[Term] = []
    filters: list[Filter] = []
    for part in PART.finditer(text):
        if _is_filter(part):
            filters.append(_filter(part))
        elif _searchable(words := _words(part)):
            phrase, negated = part["phrase"] is not None, part["minus"] is not None
            prefix = part.end() == len(text) and not phrase and not negated
            terms.append(Term(words, phrase, negated, prefix, *part.span()))
    return Query(tuple(terms), tuple(filters))


def _is_filter(part: re.Match[str]) -> bool:
    if part["name"] is None:
        return False
    return spec_of(part["name"]) is not None or _searchable(_value(part))


def _words(part: re.Match[str]) -> str:
    if part["phrase"] is not None:
        return part["phrase"]
    return part[0].removeprefix("-") if part["minus"] else part[0]


def _value(part: re.Match[str]) -> str:
    return part["bare"] if part["quoted"] is None else part["quoted"]


def _searchable(text: str) -> bool:
    """Return whether the full-text index has anything of `text`: letters, digits, private use."""
    return any(kind[0] in "LN" or kind == "Co" for kind in map(unicodedata.category, text))


def _filter(part: re.Match[str]) -> Filter:
    spec = spec_of(part["name"])
    if spec is None:
        raise _unknown(part)
    value = _value(part)
    if not value.strip():
        name, choices = part["name"].lower(), wording.choices(spec.form, spec.allowed)
        error = wording.value_missing(name, f"{name}:{spec.example}", choices, *part.span())
        error.unfinished = part.end() == len(part.string)
        raise error
    if spec.allowed or spec.form:
        value = value.strip().lower()
    if spec.allowed and value not in spec.allowed:
        raise _bad_value(part, spec, value)
    if spec.form and not _in_range(spec, value):
        raise _bad_range(part, spec, value)
    return Filter(spec.name, value, part["minus"] is not None, *part.span())


def _unknown(part: re.Match[str]) -> QueryError:
    name = part["name"]
    nearest = _nearest(name.lower(), FILTERS, 0.6)
    return wording.unknown_filter(name, nearest, FILTERS, part.start("name"), part.end("name") + 1)


def _bad_value(part: re.Match[str], spec: FilterSpec, value: str) -> QueryError:
    suggestions = [f"{other.name}:{value}" for other in FILTERS.values() if value in other.allowed]
    if nearest := _nearest(value, spec.allowed):
        suggestions.append(f"{spec.name}:{nearest}")
    hint = wording.did_you_mean(suggestions[0]) if suggestions else ""
    return _no_such_value(part, spec, value, hint)


def _in_range(spec: FilterSpec, value: str) -> bool:
    try:
        ranges.parse(spec.form, value, 0.0)  # whether a value is valid does not depend on the time
    except ValueError:
        return False
    return True


def _bad_range(part: re.Match[str], spec: FilterSpec, value: str) -> QueryError:
    suggestion = f"{value}{'o' if value.endswith('m') else '%'}"  # months; a percentage
    if _in_range(spec, suggestion):
        hint = wording.did_you_mean(f"{spec.name}:{suggestion}")
    else:
        hint = wording.for_instance(f"{spec.name}:{spec.example}")
    return _no_such_value(part, spec, value, hint)


def _no_such_value(part: re.Match[str], spec: FilterSpec, value: str, hint: str) -> QueryError:
    choices = wording.choices(spec.form, spec.allowed)
    return wording.bad_value(spec.name, value, choices, hint, part.end("name") + 1, part.end())


def _nearest(word: str, choices: Iterable[str], cutoff: float = 0.4) -> str | None:
    """Return the choice that `word` is a prefix of, that is a prefix of `word`, or that is similar to it."""
    choices = list(choices)
    by_prefix = [
        each for each in choices if each.startswith(word) or (len(each) > 2 and word.startswith(each))
    ]
    return next(iter(by_prefix + get_close_matches(word, choices, n=1, cutoff=cutoff)), None)
