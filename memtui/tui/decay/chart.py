"""The chart of one memory's future strength: as it is, if pinned, if used once (S-26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Grid
from textual.content import Content
from textual.strip import Strip
from textual_hires_canvas import Canvas, HiResMode
from textual_plot import NumericAxisFormatter, PlotWidget
from textual_plot.plot_widget import Legend

from memtui.tui.decay import wording


@dataclass(frozen=True, slots=True)
class Curves:
    """Three curves of strength 0–1 over the same `days` from now.

    At `thresholds` the memory's label changes. `leaves_in` is the number of days until it leaves, None if it
    does not leave in that time.
    """

    days: tuple[float, ...]
    as_is: tuple[float, ...]
    if_pinned: tuple[float, ...]
    if_used: tuple[float, ...]
    thresholds: tuple[float, ...] = ()
    leaves_in: float | None = None

    @property
    def values(self) -> tuple[float, ...]:
        """The values of all curves."""
        return (*self.as_is, *self.if_pinned, *self.if_used)


class _Days(NumericAxisFormatter):
    """Labels of the time axis."""

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [wording.NOW if not tick else f"{tick:.0f} d" for tick in ticks]


class _Shares(NumericAxisFormatter):
    """Labels of the strength axis."""

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [f"{tick:g}" for tick in ticks]


class _Canvas(Canvas):
    """A canvas that can be drawn without colour: then every segment needs a style."""

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        return Strip(
            [Segment(each.text, each.style or Style(), each.control) for each in strip], strip.cell_length
        )


class DecayChart(PlotWidget, can_focus=False):
    """Draws the curves of a memory; it takes no keys."""

    COMPONENT_CLASSES = {"chart--a", "chart--p", "chart--u", "chart--threshold"}

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, allow_pan_and_zoom=False)
        self._curves: Curves | None = None

    def compose(self) -> ComposeResult:
        with Grid():
            for name in ("margin-top", "margin-left", "plot", "margin-bottom"):
                yield _Canvas(1, 1, id=name)
        yield Legend(id="legend")

    def on_mount(self) -> None:
        self.margin_top, self.margin_bottom, self.margin_left = 0, 1, 5
        super().on_mount()
        self.set_x_formatter(_Days())
        self.set_y_formatter(_Shares())
        self.set_label("")

    def set_label(self, label: str) -> None:
        """Show whose curves these are; `label` has been made safe."""
        self.border_title = Content(wording.strength_of(label))
        self.border_subtitle = Content("  ".join(f"{letter} {meaning}" for letter, meaning in wording.CURVES))

    def show(self, curves: Curves | None) -> None:
        """Draw other curves, or nothing if the memory has no number."""
        self._curves = curves
        self._draw()

    def on_canvas_resize(self, message: Canvas.Resize) -> None:
        """Draw again once the layout has given the plot its size: before that it is a single cell."""
        if message.canvas.id == "plot":
            self._draw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._draw()

    def _draw(self) -> None:
        if not self.is_mounted:  # styles are updated before that, too
            return
        self.clear()
        curves = self._curves
        self.set_class(curves is None, "-empty")
        if curves is None:
            return
        last = curves.days[-1]
        top = 1.0 if max((y for y in curves.values if y == y), default=1.0) > 0.5 else 0.5
        self.set_xlimits(0, last)
        self.set_ylimits(0, top)
        parts = 3 if last % 3 == 0 or self.size.width < 60 else 4
        self.set_xticks([last * n / parts for n in range(parts + 1)])
        tall = self.size.height >= 9
        self.set_yticks(sorted({0.0, top, *(each for each in curves.thresholds if tall)}))
        wide = max(self.size.width - 8, 8)
        for height in curves.thresholds:
            xs = [last * (n + 0.5) / wide for n in range(wide)]
            self.scatter(xs, [height] * wide, marker="╌", marker_style=self._curve_style("threshold"))
        marks: list[tuple[float, float, str, str]] = []
        for letter, values in (("u", curves.if_used), ("p", curves.if_pinned), ("a", curves.as_is)):
            shown = list(zip(curves.days, values, strict=True))
            if letter == "a" and curves.leaves_in is not None:
                shown = [(x, y) for x, y in shown if x <= curves.leaves_in] or shown[:1]
                marks.append((*shown[-1], "✗", letter))
            xs, ys = [x for x, _ in shown], [y for _, y in shown]
            self.plot(xs, ys, line_style=self._curve_style(letter), hires_mode=HiResMode.BRAILLE)
            # A letter on each curve, at different places: curves are not told apart by colour alone.
            marks.append(
                (*shown[round((len(shown) - 1) * _LETTER_POSITIONS[letter])], letter.upper(), letter)
            )
        edge = top / 2 / max(self.size.height - 3, 1)  # half a line: nothing is drawn on the frame
        for x, y, marker, letter in marks:
            self.scatter(
                [x], [min(max(y, edge), top - edge)], marker=marker, marker_style=self._curve_style(letter)
            )
        self.refresh(layout=True)  # else the canvases keep their first size

    def _curve_style(self, name: str) -> str:
        style = self.get_component_rich_style(f"chart--{name}")
        return str(style.color.name) if style.color is not None else "default"


_LETTER_POSITIONS = {"a": 0.3, "p": 0.9, "u": 0.6}  # of its letter along each curve, 0–1
