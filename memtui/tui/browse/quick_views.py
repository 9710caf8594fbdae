"""The quick views of Browse: named filters of the query language, and how one gets into a query (S-31, S-32).

The query is all there is: a filter that was typed puts its view in force as much as one that was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len

from memtui.errors import QueryError
from memtui.memory.query.language import Filter, parse
from memtui.tui.browse import wording
from memtui.tui.text.glyphs import FINDING_SIGNS, NEW, PIN, SNOOZED, STATES, grouped


@dataclass(frozen=True, slots=True)
class View:
    """A quick view: its code, the filter that it means, the key that chooses it from all views, and its sign
    where room is scarce; `named` is whether the bar has its name where there is room."""

    code: str
    filter: str
    key: str
    sign: str = ""
    named: bool = True

    @property
    def label(self) -> str:
        """Its name in the bar."""
        return wording.VIEWS[self.code] if self.named else self.sign

    @property
    def short(self) -> str:
        """Its shortest name."""
        return self.sign or wording.VIEWS[self.code]


VIEWS = (
    View("all", "", "a"),
    View("new", "is:new", "n", NEW),
    View("flagged", "is:flagged", "c", FINDING_SIGNS["contradiction"] + FINDING_SIGNS["duplicate"], False),
    View("pinned", "is:pinned", "p", PIN, False),
    View("fading", "is:fading", "f", FINDING_SIGNS["fading"]),
    View("pending", "is:pending", "e", STATES["pending"]),
    View("snoozed", "is:snoozed", "s", SNOOZED, False),
    View("dismissed", "status:dismissed", "d", STATES["dismissed"], False),
    View("removed", "is:removed", "r", STATES["removed"]),
)
ALL = VIEWS[0]
_BY_FILTER = {view.filter: view for view in VIEWS if view.filter}
Counts = Mapping[str, int]
"""By the code of a view, how many memories it has."""


def by_code(code: str) -> View:
    """Return a view by its code."""
    return next(view for view in VIEWS if view.code == code)


def _filters(query: str) -> list[Filter]:
    """Return the filters of a query that are views. Raise QueryError."""
    return [
        each
        for each in parse(query).filters
        if not each.negated and f"{each.name}:{each.value}" in _BY_FILTER
    ]


def in_force(query: str) -> View:
    """Return the view that a query asks for: the first of several, ALL for none or an invalid query."""
    try:
        found = _filters(query)
    except QueryError:
        return ALL
    return _BY_FILTER[f"{found[0].name}:{found[0].value}"] if found else ALL


def chosen(query: str, view: View) -> str:
    """Return a query with `view` in force in place of any other; the rest of it stays. Raise QueryError.

    >>> chosen("is:pinned tea", by_code("fading"))
    'is:fading tea'
    >>> chosen("is:pinned tea", ALL)
    'tea'
    """
    for each in reversed(_filters(query)):
        query = f"{query[: each.start].rstrip()} {query[each.end :].lstrip()}".strip()
    return f"{view.filter} {query}".strip()


def listed(counts: Counts, current: View) -> list[tuple[View, int]]:
    """Return the views that are shown, with their counts: those without memories are not, but for all and the
    one in force."""
    found = ((view, counts.get(view.code, 0)) for view in VIEWS)
    return [(view, count) for view, count in found if count or view in (ALL, current)]


def segments(counts: Counts, current: View, room: int, more: str) -> list[tuple[str, str]]:
    """Return the bar as (text, code of a view) in at most `room` cells: all views by name or by sign; else
    the one in force and `more`, how to choose another, which has the code "".

    >>> counts = {"all": 1179, "pinned": 9}
    >>> [text for text, _ in segments(counts, by_code("pinned"), 40, "V views")]
    [' all 1,179 ', '[★ 9]']
    >>> [text for text, _ in segments(counts, by_code("pinned"), 14, "V views")]
    ['[★ 9]', ' V views']
    """
    shown = listed(counts, current)
    with_names = [_part(view.label, view, count, current) for view, count in shown]
    with_signs = [_part(view.short, view, count, current) for view, count in shown]
    one = _part(current.short, current, counts.get(current.code, 0), current)
    hint = (f" {more}", "")
    for parts in (with_names, with_signs, [one, hint], [hint]):
        if sum(cell_len(text) for text, _ in parts) <= room:
            return parts
    return []


def _part(name: str, view: View, count: int, current: View) -> tuple[str, str]:
    text = f"{name} {grouped(count)}"
    return f"[{text}]" if view is current else f" {text} ", view.code
