"""Tables, and counts with a bar behind each."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.report import wording
from memtui.export.report.markup import Html, element, joined

_MOST_ON_PHONE = 3  # columns; with more, each row is a block of lines on a narrow screen


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> Html:
    """Return a table; the columns `numbers` are set to the right.

    With many columns, a narrow screen shows each row as a block of lines."""
    kinds = ["number" if place in numbers else "text" for place in range(len(headings))]
    head = (element("th", each, scope="col", class_=kind) for each, kind in zip(headings, kinds, strict=True))
    body = (
        element(
            "tr",
            *(
                element("td", each, class_=kind, data_label=heading)
                for each, kind, heading in zip(row, kinds, headings, strict=True)
            ),
        )
        for row in rows
    )
    whole = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="stacked" if len(headings) > _MOST_ON_PHONE else "plain",
    )
    return scrolling(whole, ", ".join(headings))


def scrolling(content: Html, label: str) -> Html:
    """Return wide content that scrolls on its own on a narrow screen, also by keys."""
    return element("div", content, class_="wide", role="region", tabindex=0, aria_label=label)


def bars(headings: tuple[str, str], rows: Sequence[tuple[str, int]]) -> Html:
    """Return counts by name, each with a bar as long as its part of the greatest."""
    most = max((count for _, count in rows), default=0) or 1
    cells = [
        (
            name,
            joined(
                element("span", class_="bar", style=f"width:{count / most * 60:.1f}%"),
                element("span", f"{count:,}", class_="count"),
            ),
        )
        for name, count in rows
    ]
    return table(headings, cells)


def more(shown: int, total: int) -> Html:
    """Return a note that a list was cut, nothing if it was not."""
    return element("p", wording.first_of(shown, total), class_="note") if shown < total else Html()
