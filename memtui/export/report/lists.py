"""The sections on the most used memories and the newest ones."""

from __future__ import annotations

from memtui.export.report import wording
from memtui.export.report.markup import Html, element, joined, stored
from memtui.export.report.names import day, name_of
from memtui.export.report.tables import more, table
from memtui.memory.report import Report


def most_used(report: Report) -> Html:
    """Return the memories that agents used most."""
    if not report.used:
        return element("p", wording.NONE_USED)
    rows = [(name_of(each), stored(each.store), f"{count:,}") for each, count in report.used]
    return table(wording.USED_COLUMNS, rows, numbers=(2,))


def newest(report: Report) -> Html:
    """Return the memories that were created last."""
    rows = [
        (name_of(each), stored(each.category) if each.category else "", stored(each.store), day(created))
        for each, created in report.newest
    ]
    return joined(table(wording.NEWEST_COLUMNS, rows), more(len(rows), report.memories))
