"""The sections on decay: how strong memories are, and what leaves when."""

from __future__ import annotations

from memtui.export.report import wording
from memtui.export.report.charts import columns
from memtui.export.report.markup import Html, element, joined, stored
from memtui.export.report.names import day, name_of
from memtui.export.report.tables import more, table
from memtui.memory.encoding import iso
from memtui.memory.lifecycles.base import DAY
from memtui.memory.report import BUCKETS, Report, StrengthCounts


def strength(report: Report) -> Html:
    """Return a chart for each lifecycle."""
    return joined(
        element("p", wording.STRENGTH_NOTE, class_="note"), *(_strength(each) for each in report.strengths)
    )


def _strength(counts: StrengthCounts) -> Html:
    total = sum(counts.buckets) + counts.above
    without = element("p", wording.without_strength(counts.without), class_="note")
    if not total:
        return joined(element("h3", wording.lifecycle(counts.title)), without)
    bars = [
        (f"{place / BUCKETS:.1f}–{(place + 1) / BUCKETS:.1f}", count)
        for place, count in enumerate(counts.buckets)
    ]
    bars += [(wording.ABOVE_ONE, counts.above)] if counts.above else []
    chart = columns(wording.strength_by(counts.title, total), wording.STRENGTH, wording.MEMORIES, bars)
    return joined(
        element("h3", wording.lifecycle(counts.title)), chart, without if counts.without else Html()
    )


def leaving(report: Report) -> Html:
    """Return what decay removes: in numbers, week by week, and the first of them by name."""
    found = report.leaving
    if not found.ever:
        return element("p", wording.NOTHING_LEAVES)
    weeks = [
        (day(report.at + 7 * DAY * place) or str(place + 1), count) for place, count in enumerate(found.weeks)
    ]
    rows = [
        (_when(each.at, report.at), name_of(each.memory), stored(each.memory.store), stored(each.rule))
        for each in found.first
    ]
    return joined(
        element("p", wording.leaving(found.due, found.within, found.ever, found.of)),
        columns(wording.LEAVING_TITLE, wording.WEEK_FROM, wording.MEMORIES, weeks),
        element("h3", wording.NEXT_TO_LEAVE),
        table(wording.LEAVING_COLUMNS, rows),
        more(len(rows), found.ever),
    )


def _when(at: float, now: float) -> str:
    return wording.DUE if at <= now else (iso(at) or wording.FAR_FUTURE)[:10]
