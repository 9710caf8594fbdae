"""The neighbourhood of one memory, drawn and walked by keys (SPEC 9)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from memtui.memory.graph.model import Around, Edge
from memtui.tui import command_table
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph.layout import LEFT, MIDDLE, RIGHT, Cursor, Drawing, Fan, lay_out
from memtui.tui.graph.relation_text import name, spoke
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import fit

_STYLES = "plain quiet strong wire box box-here cursor contradicts supersedes supports rests-on relates near"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a side: an edge of the middle, or with `via` one of that neighbour."""

    edge: Edge
    via: Edge | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it apart from the others of this neighbourhood."""
        return (self.edge.key, self.via.key if self.via is not None else None)


class RelationGraph(Widget, can_focus=True):
    """Draws what `show` was given; the cursor is on the middle or on a line of a side."""

    BINDINGS = command_table.bindings(None)
    COMPONENT_CLASSES = {f"graph--{name}" for name in _STYLES.split()}

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.around: Around | None = None
        self.sides: dict[str, list[Line]] = {LEFT: [], RIGHT: []}
        self.at = Cursor()
        self.empty: list[Part] = []
        """What stands here while there is nothing to draw, or below a memory that is tied to nothing."""
        self._fans = (Fan(), Fan())
        self._tops = (0, 0)
        self._drawing: Drawing | None = None

    def show(self, around: Around | None, hidden: Collection[str], *, at: Cursor | None = None) -> None:
        """Draw another neighbourhood, or the same one read again: then the cursor stays on its line."""
        known = self.line
        same = (
            around is not None and self.around is not None and around.centre.spot == self.around.centre.spot
        )
        self.around = around
        self.sides = {LEFT: [], RIGHT: []}
        for edge in around.edges if around is not None else ():
            if edge.kind in hidden:
                continue
            side = self.sides[RIGHT if edge.out else LEFT]
            side.append(Line(edge))
            side += [Line(each, edge) for each in around.beyond.get(edge.node.spot, ())] if around else []
        self._fans = (self._fan(LEFT), self._fan(RIGHT))
        if not same:
            self._tops = (0, 0)
            self.at = at or Cursor()
        elif known is not None:
            self.at = self._where(known) or self.at
        self._bound()
        self._redraw()

    def _where(self, known: Line) -> Cursor | None:
        """Where a line stands now; where its relation was changed or turned round, another one to the same
        memory."""
        spot = known.edge.node.spot
        fits: tuple[Callable[[Line], bool], ...] = (
            lambda line: line.key == known.key,
            lambda line: line.via is None and line.edge.node.spot == spot,
        )
        for fit_to in fits:
            for side in (self.at.side, RIGHT if self.at.side == LEFT else LEFT):
                for place, line in enumerate(self.sides[side]):
                    if fit_to(line):
                        return Cursor(side, place)
        return None

    def _fan(self, side: str) -> Fan:
        if self.around is None:
            return Fan()
        centre = self.around.centre
        return Fan([spoke(line.edge, centre, deep=line.via is not None) for line in self.sides[side]])

    def _bound(self) -> None:
        """The cursor stands on something that is there."""
        if self.at.side != MIDDLE:
            many = len(self.sides[self.at.side])
            self.at = Cursor(self.at.side, min(self.at.line, many - 1)) if many else Cursor()

    @property
    def line(self) -> Line | None:
        """The highlighted line; None where that is the middle."""
        if self.at.side == MIDDLE or self.at.line >= len(self.sides[self.at.side]):
            return None
        return self.sides[self.at.side][self.at.line]

    def place_of_edge(self, edge: Edge) -> Cursor | None:
        """Where a relation of the middle is drawn."""
        side = RIGHT if edge.out else LEFT
        for place, line in enumerate(self.sides[side]):
            if line.via is None and line.edge.key == edge.key:
                return Cursor(side, place)
        return None

    def point(self, at: Cursor) -> None:
        """Highlight something else."""
        before, self.at = self.at, at
        self._bound()
        if self.at != before:
            self._redraw()

    def _redraw(self) -> None:
        self._drawing = None
        self.refresh()
        self.post_message(CursorMoved())

    # Movement: the same actions as VirtualList's, so one table of keys serves both.

    def _move(self, by: int) -> None:
        if self.at.side == MIDDLE:
            # Up and down leave the middle for the nearest line of the longer side.
            side = self._long_side
            many = len(self.sides[side])
            if many:
                self.point(Cursor(side, max(0, (many - 1) // 2) if by < 0 else many // 2))
            return
        many = len(self.sides[self.at.side])
        self.point(Cursor(self.at.side, max(0, min(self.at.line + by, many - 1))))

    def action_up(self) -> None:
        self._move(-1)

    def action_down(self) -> None:
        self._move(1)

    def action_first(self) -> None:
        self.point(Cursor(self._long_side, 0))

    def action_last(self) -> None:
        side = self._long_side
        self.point(Cursor(side, max(0, len(self.sides[side]) - 1)))

    @property
    def _long_side(self) -> str:
        """The side that the cursor is on; in the middle, the longer one."""
        if self.at.side != MIDDLE:
            return self.at.side
        return RIGHT if len(self.sides[RIGHT]) >= len(self.sides[LEFT]) else LEFT

    def action_half_down(self) -> None:
        self._move(max(1, self.size.height // 2))

    def action_half_up(self) -> None:
        self._move(-max(1, self.size.height // 2))

    def action_page_down(self) -> None:
        self._move(max(1, self.size.height - 2))

    def action_page_up(self) -> None:
        self._move(-max(1, self.size.height - 2))

    def sideways(self, to: str) -> bool:
        """One step left or right; False where nothing stands there."""
        here = self.at.side
        if here == to:
            return False
        if here != MIDDLE:
            self.point(Cursor())
            return True
        if not self.sides[to]:
            return False
        self.point(Cursor(to, self._beside(to)))
        return True

    def _beside(self, side: str) -> int:
        """The line that is drawn nearest to the middle."""
        rows = {row: line for (name, row), line in self._drawn().rows.items() if name == side}
        middle = self.size.height // 2
        return rows[min(rows, key=lambda row: (abs(row - middle), row))] if rows else 0

    # Drawing

    def on_resize(self) -> None:
        self._drawing = None

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def _drawn(self) -> Drawing:
        if self._drawing is None:
            around, size = self.around, (self.size.width, self.size.height)
            centre = around.centre if around is not None else None
            label = name(centre) if centre is not None else ""
            self._drawing = lay_out(label, self._fans[0], self._fans[1], size, self.at, self._tops)
            self._tops = self._drawing.tops
        return self._drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self.around is None:
            return self._said(y - (self.size.height - len(self.empty)) // 3, width)
        if not self.around.edges and y > self.size.height // 2 + 1:
            return self._said(y - self.size.height // 2 - 3, width)
        lines = self._drawn().lines
        if y >= len(lines):
            return Strip.blank(width)
        segments = [Segment(text, self._look(style)) for text, style in lines[y] if text]
        return Strip(segments).adjust_cell_length(width, self._look("plain"))

    def _said(self, line: int, width: int) -> Strip:
        if not 0 <= line < len(self.empty):
            return Strip.blank(width, self._look("plain"))
        text, style = self.empty[line]
        style = style if style in _STYLES.split() else "plain"
        said = " " * min(3, width) + fit(text, max(1, width - 6))
        return Strip([Segment(said, self._look(style))]).adjust_cell_length(width, self._look("plain"))

    def _look(self, style: str) -> Style:
        if style == "cursor" and not self.has_focus:
            style = "strong"
        return self.get_component_rich_style(f"graph--{style}")

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self.around is None:
            return
        drawn = self._drawn()
        side = LEFT if offset.x < drawn.columns[0] else RIGHT if offset.x >= drawn.columns[1] else MIDDLE
        line = drawn.rows.get((side, offset.y)) if side != MIDDLE else 0
        if line is None:
            return
        there = Cursor(side, line)
        if there == self.at and event.chain > 1:
            self.post_message(Opened())
        else:
            self.point(there)
