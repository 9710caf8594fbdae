"""The section on open contradictions and duplicates, both sides quoted."""

from __future__ import annotations

from memtui.export.report import wording
from memtui.export.report.markup import Html, element, joined, stored
from memtui.export.report.names import quote
from memtui.export.report.tables import more
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, certainty, kind_label
from memtui.memory.report import Named, Report, ReportedPair

_REASON = 400  # characters


def pairs(report: Report) -> Html:
    """Return the open pairs, contradictions first, each family in the order of Review."""
    waiting = report.queue.unscanned
    return joined(
        element("p", wording.not_compared(waiting), class_="note") if waiting else Html(),
        _family(report, CONTRADICTION, wording.CONTRADICTIONS, report.contradictions),
        _family(report, DUPLICATE, wording.DUPLICATES, report.duplicates),
    )


def _family(report: Report, family: str, heading: str, total: int) -> Html:
    shown = [each for each in report.pairs if each.family == family]
    if not shown:
        return joined(element("h3", heading), element("p", wording.no_pairs(family)))
    return joined(
        element("h3", wording.with_count(heading, total)),
        *(_pair(each) for each in shown),
        more(len(shown), total),
    )


def _pair(pair: ReportedPair) -> Html:
    facts = [kind_label(pair.kind), certainty(pair.score), *([wording.ESCALATED] if pair.escalated else [])]
    return element(
        "div",
        element("p", element("strong", stored(pair.reason, _REASON) if pair.reason else wording.NO_REASON)),
        element("p", stored(" · ".join(facts)), class_="note"),
        element("div", _side("A", pair.a), _side("B", pair.b), class_="sides"),
        class_="pair",
    )


def _side(letter: str, memory: Named) -> Html:
    origin = joined(f"{letter} · ", stored(memory.store), f" · {memory.uid}")
    return element("div", element("p", origin, class_="from"), quote(memory))
