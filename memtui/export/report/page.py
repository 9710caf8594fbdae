"""The whole page of a report."""

from __future__ import annotations

from memtui.export.report import wording
from memtui.export.report.contents import contents, figures
from memtui.export.report.decay import leaving, strength
from memtui.export.report.entities import entities, relations
from memtui.export.report.lists import most_used, newest
from memtui.export.report.markup import Html, element, joined, stored
from memtui.export.report.pairs import pairs
from memtui.export.report.style import STYLE_SHEET
from memtui.export.report.timeline import timeline
from memtui.memory.encoding import iso
from memtui.memory.report import Report

# Nothing is loaded, run or sent; the style sheet and the widths of bars are in the file.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_QUERY = 500  # characters
_SECTIONS = (
    ("contents", contents),
    ("time", timeline),
    ("strength", strength),
    ("leaving", leaving),
    ("pairs", pairs),
    ("entities", entities),
    ("relations", relations),
    ("used", most_used),
    ("newest", newest),
)


def page(report: Report, query: str = "") -> str:
    """Return a report as one HTML file; `query` is what it was narrowed by. Pure: the same report gives the
    same bytes."""
    sections = (
        [(id, wording.SECTIONS[id], build(report)) for id, build in _SECTIONS] if report.memories else []
    )
    navigation = element("nav", *(element("a", title, href=f"#{id}") for id, title, _ in sections))
    body = element(
        "body",
        _header(report, query),
        *([navigation] if sections else [_nothing(report, query)]),
        element("main", *(_section(*each) for each in sections)),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(), body, lang='en')}\n"


def _head() -> Html:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name_="referrer", content="no-referrer"),
        element("meta", name_="color-scheme", content="light dark"),
        element("title", wording.TITLE),
        element("style", Html(STYLE_SHEET)),
    )


def _header(report: Report, query: str) -> Html:
    narrowed = joined(wording.NARROWED, stored(query, _QUERY), wording.narrowed_to(report.memories))
    return element(
        "header",
        element("h1", wording.TITLE),
        element("p", wording.made_at(iso(report.at) or ""), class_="note"),
        *([element("p", narrowed, class_="query")] if query else []),
        element("section", figures(report)),
    )


def _nothing(report: Report, query: str) -> Html:
    """Return what a report says where there is nothing to show, with the stores that are attached."""
    if query:
        return element("section", element("p", wording.NO_MATCH))
    return element("section", element("p", wording.EMPTY), element("p", wording.EMPTY_HINT), contents(report))


def _section(id: str, title: str, content: Html) -> Html:
    return element("section", element("h2", title), content, id=id)
