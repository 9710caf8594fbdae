"""Column charts as inline SVG, with their numbers in a table that can be opened."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.report import wording
from memtui.export.report.markup import Html, element, joined
from memtui.export.report.tables import scrolling, table

_WIDTH, _HEIGHT = 720, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 8, 10, 46
_LETTER = 7.5  # width of a character of a label, in the units of the drawing
_TICKS = 4  # at most, above zero


def columns(title: str, x_title: str, y_title: str, bars: Sequence[tuple[str, int]]) -> Html:
    """Return a chart with a column for each (label, count), titled axes, and its numbers below."""
    step = tick_step(max((count for _, count in bars), default=0))
    top = max(step, -(-max((count for _, count in bars), default=0) // step) * step)
    drawing = element(
        "svg",
        element("title", title),
        *_y_axis(y_title, step, top),
        *_columns(bars, top),
        *_x_axis(x_title, [label for label, _ in bars]),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        font_size=11.5,
        font_family="system-ui, sans-serif",
    )
    numbers = table((x_title, y_title), [(label, f"{count:,}") for label, count in bars], numbers=(1,))
    return element(
        "figure",
        element("figcaption", title),
        scrolling(drawing, title),
        element("details", element("summary", wording.SHOW_NUMBERS), numbers),
    )


def tick_step(most: int) -> int:
    """Return a round step so that a few of them reach the greatest count.

    >>> [tick_step(most) for most in (0, 3, 9, 321, 100_000)]
    [1, 1, 5, 100, 50000]
    """
    step = 1
    for factor in _round_numbers():
        step = factor
        if step * _TICKS >= most:
            break
    return step


def _round_numbers() -> Sequence[int]:
    return [digit * 10**power for power in range(12) for digit in (1, 2, 5)]


def _y_axis(title: str, step: int, top: int) -> list[Html]:
    out = []
    for count in range(0, top + 1, step):
        y = _y(count, top)
        out.append(element("line", class_="grid", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y))
        out.append(element("text", f"{count:,}", x=_LEFT - 6, y=y + 4, text_anchor="end"))
    middle = _y(top / 2, top)
    turned = f"rotate(-90 12 {middle:.1f})"
    return [*out, element("text", title, x=12, y=middle, text_anchor="middle", transform=turned)]


def _columns(bars: Sequence[tuple[str, int]], top: int) -> list[Html]:
    width = (_WIDTH - _LEFT - _RIGHT) / max(1, len(bars))
    out = []
    for place, (label, count) in enumerate(bars):
        y = _y(count, top)
        out.append(
            element(
                "rect",
                element("title", wording.column(label, count)),
                class_="column",
                x=_LEFT + place * width + width * 0.1,
                y=y,
                width=width * 0.8,
                height=_HEIGHT - _BOTTOM - y,
            )
        )
    return out


def _x_axis(title: str, labels: Sequence[str]) -> list[Html]:
    width = (_WIDTH - _LEFT - _RIGHT) / max(1, len(labels))
    longest = (max(map(len, labels), default=0) + 1) * _LETTER
    every = max(1, -(-longest // width)) if width else 1
    out = [
        element(
            "text", label, x=_LEFT + (place + 0.5) * width, y=_HEIGHT - _BOTTOM + 16, text_anchor="middle"
        )
        for place, label in enumerate(labels)
        if place % every == 0 and _fits(_LEFT + (place + 0.5) * width, label)
    ]
    center = (_LEFT + _WIDTH - _RIGHT) / 2
    return [*out, element("text", title, x=center, y=_HEIGHT - 8, text_anchor="middle")]


def _fits(x: float, label: str) -> bool:
    return x + len(label) * _LETTER / 2 <= _WIDTH


def _y(count: float, top: int) -> float:
    return _HEIGHT - _BOTTOM - count / top * (_HEIGHT - _TOP - _BOTTOM)


def key_figures(figures: Sequence[tuple[str, str]]) -> Html:
    """Return the main numbers, each with its name."""
    return element(
        "dl",
        *(element("div", joined(element("dt", name), element("dd", number))) for number, name in figures),
        class_="figures",
    )
