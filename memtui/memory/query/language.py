"""The query language: text → tree, and errors that point at the place (S-31).

Words must all match, `"phrases"` as they stand, `-` before a part takes it out, and
`name:value` filters. What is typed last is a beginning: `acm` finds Acme. A part that only
looks like a filter (a time, an address, prose with a colon) is a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from memtui.errors import QueryError
from memtui.memory.memory import STATUSES
from memtui.memory.query import ranges

SCOPES = ("private", "fleet", "session")
KINDS = ("item", "lesson", "summary", "procedure", "episode")
TIERS = ("l0", "l1", "l2", "l3", "l4")
HEATS = ("cold", "warm", "hot")
LABELS = ("active", "fading", "dormant", "archived")
STATES = (
    "pinned",
    "live",
    "pending",
    "duplicate",
    "contradicted",
    "fading",
    "stale",
    "secret",
    "removed",
    "snoozed",
)
HELD = ("relation", "tag", "note", "source", "expiry")


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """What a filter is called, what it does, a value to show, and its values if they are few;
    `form` names what it takes where that is an amount or a time (`ranges.FORMS`)."""

    name: str
    help: str
    example: str
    allowed: tuple[str, ...] = ()
    form: str = ""


FILTERS = {
    spec.name: spec
    for spec in (
        FilterSpec("store", "in the store of this name", "native"),
        FilterSpec("owner", "of this agent or user", "planner"),
        FilterSpec("scope", "of this scope", "private", SCOPES),
        FilterSpec("kind", "of this kind", "lesson", KINDS),
        FilterSpec("category", "of this category", "preference"),
        FilterSpec("status", "with this status", "pending", STATUSES),
        FilterSpec("tag", "with this tag", "work"),
        FilterSpec("subject", "about this subject", '"Acme Corp"'),
        FilterSpec("key", "with this key", "editor.*"),
        FilterSpec("source", "from this source", "user"),
        FilterSpec("company", "of this company", "acme"),
        FilterSpec("tier", "in this tier", "l1", TIERS),
        FilterSpec("heat", "of this heat", "hot", HEATS),
        FilterSpec("label", "this far into its decay", "fading", LABELS),
        FilterSpec("conf", "this sure", ">0.8", form="share"),
        FilterSpec("used", "used this many times", "<3", form="count"),
        FilterSpec("created", "created then", ">2026-01-01", form="past"),
        FilterSpec("updated", "changed then", "7d", form="past"),
        FilterSpec("expires", "that expires then", "<30d", form="coming"),
        FilterSpec("is", "in this state", "pinned", STATES),
        FilterSpec("has", "that has this", "relation", HELD),
    )
}


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to look for; `text` is raw, `start` and `end` its place in the query.

    It holds at least one letter or digit, and neither NUL nor lone surrogates. `prefix`:
    still being typed, so longer words match too; never so for a negated word, which would
    hide more than the finished one.
    """

    text: str
    phrase: bool
    negated: bool
    prefix: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Filter:
    """`name:value` with a name from FILTERS; `value` as typed (`*` and all), but lower
    case where only certain values or ranges are allowed."""

    name: str
    value: str
    negated: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked for, part by part in the order typed."""

    terms: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for, so that everything answers."""
        return not self.terms and not self.filters

    @property
    def mentions_status(self) -> bool:
        """Whether the query itself says which statuses it wants, so that no default applies."""
        return any(
            one.name == "status"
            or (one.name == "is" and one.value in ("live", "pending", "removed"))
            or (one.name == "label" and one.value == "archived" and not one.negated)
            for one in self.filters
        )


# Two colons, an address (http://) and a path (C:\) make no filter; nor does a name of one letter.
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
# No stored text holds these (they are refused on write), and SQLite cannot be asked for them.
_IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")


def possible(text: str) -> str:
    """`text` with blanks for what no query can ask for; as long as before."""
    return _IMPOSSIBLE.sub(" ", text)


def parse(text: str) -> Query:
    """The query that `text` spells; raises QueryError, and nothing else, on any text."""
    text = possible(text)
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
    return part["name"].lower() in FILTERS or _searchable(_value(part))


def _words(part: re.Match[str]) -> str:
    if part["phrase"] is not None:
        return part["phrase"]
    return part[0].removeprefix("-") if part["minus"] else part[0]


def _value(part: re.Match[str]) -> str:
    return part["bare"] if part["quoted"] is None else part["quoted"]


def _searchable(text: str) -> bool:
    """Whether the words index sees anything in `text`: letters, digits, private use."""
    return any(kind[0] in "LN" or kind == "Co" for kind in map(unicodedata.category, text))


def _filter(part: re.Match[str]) -> Filter:
    spec = FILTERS.get(part["name"].lower())
    if spec is None:
        raise _unknown(part)
    value = _value(part)
    if not value.strip():
        example = f"{spec.name}:{spec.example}"
        raise QueryError(f"{spec.name}: needs a value, for instance {example}", *part.span(), _choices(spec))
    if spec.allowed or spec.form:
        value = value.strip().lower()
    if spec.allowed and value not in spec.allowed:
        raise _wrong(part, spec, value)
    if spec.form and not _in_range(spec, value):
        raise _no_range(part, spec, value)
    return Filter(spec.name, value, part["minus"] is not None, *part.span())


def _unknown(part: re.Match[str]) -> QueryError:
    name = part["name"]
    near = _nearest(name.lower(), FILTERS, 0.6)
    hint = f"Did you mean {near}:? " if near else ""
    return QueryError(
        f"There is no filter {name}:. Filters are {', '.join(f'{known}:' for known in FILTERS)}.",
        part.start("name"),
        part.end("name") + 1,
        hint + "To look for the text itself, put it in quotes.",
    )


def _wrong(part: re.Match[str], spec: FilterSpec, value: str) -> QueryError:
    meant = [f"{other.name}:{value}" for other in FILTERS.values() if value in other.allowed]
    if near := _nearest(value, spec.allowed):
        meant.append(f"{spec.name}:{near}")
    hint = f"Did you mean {meant[0]}?" if meant else ""
    start = part.end("name") + 1
    return QueryError(f"{spec.name}: has no value {value}. {_choices(spec)}", start, part.end(), hint)


def _in_range(spec: FilterSpec, value: str) -> bool:
    try:
        ranges.read(spec.form, value, 0.0)  # what is allowed does not hang on the moment
    except ValueError:
        return False
    return True


def _no_range(part: re.Match[str], spec: FilterSpec, value: str) -> QueryError:
    near = f"{value}{'o' if value.endswith('m') else '%'}"  # months; a percentage
    meant = f"Did you mean {spec.name}:{near}?" if _in_range(spec, near) else ""
    hint = meant or f"For instance {spec.name}:{spec.example}."
    start = part.end("name") + 1
    return QueryError(f"{spec.name}: has no value {value}. {_choices(spec)}", start, part.end(), hint)


def _choices(spec: FilterSpec) -> str:
    if spec.form:
        return f"Allowed is {ranges.FORMS[spec.form]}."
    return f"Allowed are {', '.join(spec.allowed)}." if spec.allowed else ""


def _nearest(word: str, choices: Iterable[str], cutoff: float = 0.4) -> str | None:
    """The choice that `word` begins, begins with, or nearly is."""
    choices = list(choices)
    begun = [each for each in choices if each.startswith(word) or (len(each) > 2 and word.startswith(each))]
    return next(iter(begun + get_close_matches(word, choices, n=1, cutoff=cutoff)), None)
