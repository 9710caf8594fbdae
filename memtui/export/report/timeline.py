"""The section on time: how many memories were created and last changed in each week or month."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.report import wording
from memtui.export.report.charts import columns
from memtui.export.report.markup import Html, element, joined
from memtui.export.report.periods import Periods, periods
from memtui.memory.report import Report


def timeline(report: Report) -> Html:
    """Return a chart of creations and one of last changes, by the same weeks or months."""
    found = periods([*report.created, *report.changed], report.at)
    return joined(
        _chart(found, wording.created_by(found.unit), report.created),
        _chart(found, wording.changed_by(found.unit), report.changed),
        element("p", wording.DATES, class_="note"),
    )


def _chart(found: Periods, title: str, moments: Sequence[float]) -> Html:
    bars, before, after = found.count(moments)
    notes = [wording.earlier(before, found.names[0])] if before else []
    notes += [wording.in_future(after)] if after else []
    return joined(
        columns(title, wording.PERIODS[found.unit], wording.MEMORIES, bars),
        *(element("p", note, class_="note") for note in notes),
    )
