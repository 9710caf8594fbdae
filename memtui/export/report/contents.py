"""The sections on what is in the workspace: the main numbers, and counts by store, category and status."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.export.report import wording
from memtui.export.report.charts import key_figures
from memtui.export.report.markup import Html, element, joined, stored
from memtui.export.report.tables import bars, more, table
from memtui.formats import registry
from memtui.memory.report import Report
from memtui.workspace.context import NATIVE

_MOST_STORES = 60
_MOST_CATEGORIES = 25


def figures(report: Report) -> Html:
    """Return the main numbers."""
    within, leaving = report.leaving.within[0]
    numbers = [
        (report.memories, wording.MEMORIES),
        (report.live, wording.LIVE),
        (report.pinned, wording.PINNED),
        (report.contradictions, wording.OPEN_CONTRADICTIONS),
        (report.duplicates, wording.OPEN_DUPLICATES),
        (leaving, wording.leave_within(within)),
        (report.secrets, wording.HOLDING_SECRETS),
    ]
    return key_figures([(f"{number:,}", name) for number, name in numbers])


def contents(report: Report) -> Html:
    """Return the counts by store, category and status."""
    return joined(
        element("h3", wording.BY_STORE), _stores(report),
        element("h3", wording.BY_CATEGORY), _categories(report),
        element("h3", wording.BY_STATUS),
        bars(wording.STATUS_COLUMNS, [(stored(name), count) for name, count in report.statuses]),
    )  # fmt: skip


def _stores(report: Report) -> Html:
    rows = [
        (stored(each.name), _title(each.format), f"{each.memories:,}", f"{each.live:,}", f"{each.pinned:,}")
        for each in report.stores[:_MOST_STORES]
    ]
    shown = table(wording.STORE_COLUMNS, rows, numbers=(2, 3, 4))
    return joined(shown, more(len(rows), len(report.stores)))


def _categories(report: Report) -> Html:
    rows = [
        (stored(name) if name else wording.NO_CATEGORY, count)
        for name, count in report.categories[:_MOST_CATEGORIES]
    ]
    return joined(bars(wording.CATEGORY_COLUMNS, rows), more(len(rows), len(report.categories)))


def _title(format: str) -> str:
    try:
        return registry.by_name(format).title
    except Refused:  # memtui's own store, and formats of a newer memtui
        return wording.OWN_FORMAT if format == NATIVE else format
