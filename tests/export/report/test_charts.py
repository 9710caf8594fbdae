"""Charts and the drawing of relations: numbers as they are, labels that do not overlap."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memtui.export.report.charts import columns
from memtui.export.report.drawing import cells, drawing
from memtui.export.report.periods import periods
from memtui.memory.graph.model import Node, NodeKey
from memtui.memory.report import Drawn, RelationPicture
from tests.support.html_page import Element, parse

DAY = 86_400.0
THURSDAY = 1_790_208_000.0  # 2026-09-24


def number(element: Element, name: str) -> float:
    return float(element.attributes[name])


@pytest.mark.parametrize("counts", [[0], [0, 0, 3], [1, 2, 4, 8], [99_999, 1, 50_000], list(range(60))])
def test_columns_are_as_high_as_their_counts(counts: list[int]) -> None:
    bars = [(f"2026-{place:02}-01", count) for place, count in enumerate(counts)]
    figure = parse(columns("Memories", "week", "memories", bars)).one("figure")
    rects = figure.all("rect")
    heights = [number(each, "height") for each in rects]
    tallest = max(counts)
    for count, height in zip(counts, heights, strict=True):
        assert height == pytest.approx(max(heights) * count / max(1, tallest), abs=0.2)
    assert [each.text for each in rects] == [f"{label}: {count:,}" for label, count in bars]
    assert [row.inner[1].text for row in figure.one("tbody").inner] == [f"{count:,}" for count in counts]
    for left, right in pairwise(rects):
        assert number(left, "x") + number(left, "width") <= number(right, "x") + 0.1


def test_labels_of_an_axis_do_not_touch() -> None:
    for count in (1, 7, 12, 53, 60):
        bars = [(f"2026-{place:02}-01", place) for place in range(count)]
        texts = parse(columns("Memories", "week", "memories", bars)).all("text")
        below = [each for each in texts if each.text.startswith("2026-")]
        assert below
        for left, right in pairwise(below):
            assert number(right, "x") - number(left, "x") >= 7 * 10


def test_weeks_begin_on_monday_and_months_stand_for_longer_spans() -> None:
    weeks = periods([THURSDAY - 20 * DAY, THURSDAY], THURSDAY)
    assert (weeks.unit, weeks.names) == ("week", ("2026-08-31", "2026-09-07", "2026-09-14", "2026-09-21"))
    moments = [THURSDAY - 3 * DAY, THURSDAY - 4 * DAY, THURSDAY + 8 * DAY, 1e300, -1e300]
    counted, before, after = weeks.count(moments)
    assert [count for _, count in counted] == [0, 0, 1, 1]
    assert (before, after) == (1, 2)
    months = periods([THURSDAY - 800 * DAY], THURSDAY)
    assert (months.unit, months.names[0], months.names[-1]) == ("month", "2024-07", "2026-09")
    longest = periods([0.0, THURSDAY], THURSDAY)
    assert (len(longest.names), longest.count([0.0, THURSDAY])[1]) == (60, 1)
    assert periods([], THURSDAY).names == ("2026-09-21",)


LABELS = [
    "Larch",
    "A very long name of a project that goes on and on",
    "漢字" * 30,
    "W" * 40,
    "",
    "é\u0301" * 50,
]


def picture(count: int, relations: int) -> RelationPicture:
    nodes = tuple(
        Node(NodeKey(1, f"n{place}"), LABELS[place % len(LABELS)], "s", place) for place in range(count)
    )
    drawn = tuple(
        Drawn(place % count, (place * 7 + 1) % count, ("uses", "contradicts", "replaces")[place % 3])
        for place in range(relations)
        if place % count != (place * 7 + 1) % count
    )
    return RelationPicture((), nodes, drawn, len(drawn), count, len(drawn))


@pytest.mark.parametrize("count", [1, 2, 3, 9, 22])
def test_labels_of_the_drawing_do_not_overlap(count: int) -> None:
    shown = picture(count, count * 3)
    svg = parse(drawing(shown)).one("svg")
    width, height = map(float, svg.attributes["viewbox"].split()[2:])
    texts = svg.all("text")
    assert len(texts) == len(svg.all("circle")) == count
    boxes = []
    for each in texts:
        long, x, y = cells(each.text) * 7.3, number(each, "x"), number(each, "y")
        left = x - long if each.attributes["text-anchor"] == "end" else x
        assert left >= 0
        assert left + long <= width
        assert 12 < y < height
        boxes.append((left, y, left + long))
    for place, (left, y, right) in enumerate(boxes):
        for other_left, other_y, other_right in boxes[:place]:
            assert right < other_left or other_right < left or abs(y - other_y) >= 20
    arrows = {(each.source, each.target) for each in shown.relations}
    assert len(svg.all("path")) == len(svg.all("polygon")) == len(arrows)
    assert drawing(shown) == drawing(picture(count, count * 3))
