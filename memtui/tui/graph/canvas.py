"""The relations of one memory as a drawing with a cursor (SPEC 9)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from memtui.memory.graph.model import Edge, Neighborhood
from memtui.tui import command_table
from memtui.tui.common.virtual_list import Part
from memtui.tui.graph.layout import LEFT, MIDDLE, RIGHT, Cursor, Drawing, Side, lay_out
from memtui.tui.graph.relation_text import node_label, spoke
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import fit

_STYLES = frozenset(
    "plain quiet strong wire box box-here cursor "
    "contradicts supersedes supports based-on relates near".split()
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a side: a relation of the center or, with `via`, of that neighbor."""

    edge: Edge
    via: Edge | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """The line's identity within its neighborhood."""
        return (self.edge.key, self.via.key if self.via is not None else None)


class RelationGraph(Widget, can_focus=True):
    """Draws a neighborhood; the cursor is on the center or on a line of a side."""

    BINDINGS = command_table.bindings(None)
    COMPONENT_CLASSES = {f"graph--{name}" for name in _STYLES}

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.neighborhood: Neighborhood | None = None
        self.sides: dict[str, list[Line]] = {LEFT: [], RIGHT: []}
        self.cursor = Cursor()
        self.empty_lines: list[Part] = []
        """Lines of (text, style) shown when there is nothing to draw, or below a memory without relations."""
        self._drawn_sides = (Side(), Side())
        self._tops = (0, 0)
        self._drawing: Drawing | None = None

    def show(
        self, neighborhood: Neighborhood | None, hidden: Collection[str], *, cursor: Cursor | None = None
    ) -> None:
        """Draw a neighborhood without the `hidden` kinds.

        The cursor stays on its line where the center is the same as before, else it starts at `cursor`.
        """
        highlighted = self.highlighted
        same = (
            neighborhood is not None
            and self.neighborhood is not None
            and neighborhood.center.key == self.neighborhood.center.key
        )
        self.neighborhood = neighborhood
        self.sides = {LEFT: [], RIGHT: []}
        for edge in neighborhood.edges if neighborhood is not None else ():
            if edge.kind in hidden:
                continue
            side = self.sides[RIGHT if edge.out else LEFT]
            side.append(Line(edge))
            side += (
                [Line(each, edge) for each in neighborhood.beyond.get(edge.node.key, ())]
                if neighborhood
                else []
            )
        self._drawn_sides = (self._drawn_side(LEFT), self._drawn_side(RIGHT))
        if not same:
            self._tops = (0, 0)
            self.cursor = cursor or Cursor()
        elif highlighted is not None:
            self.cursor = self._find_line(highlighted) or self.cursor
        self._clamp_cursor()
        self._redraw()

    def _find_line(self, wanted: Line) -> Cursor | None:
        """Return where a line is now, else another relation to the same memory: its own may have been changed
        or reversed."""
        node_key = wanted.edge.node.key
        criteria: tuple[Callable[[Line], bool], ...] = (
            lambda line: line.key == wanted.key,
            lambda line: line.via is None and line.edge.node.key == node_key,
        )
        for matches in criteria:
            for side in (self.cursor.side, RIGHT if self.cursor.side == LEFT else LEFT):
                for index, line in enumerate(self.sides[side]):
                    if matches(line):
                        return Cursor(side, index)
        return None

    def _drawn_side(self, side: str) -> Side:
        if self.neighborhood is None:
            return Side()
        center = self.neighborhood.center
        return Side([spoke(line.edge, center, nested=line.via is not None) for line in self.sides[side]])

    def _clamp_cursor(self) -> None:
        """Move the cursor to the nearest line that exists."""
        if self.cursor.side != MIDDLE:
            count = len(self.sides[self.cursor.side])
            self.cursor = Cursor(self.cursor.side, min(self.cursor.line, count - 1)) if count else Cursor()

    @property
    def highlighted(self) -> Line | None:
        """The line under the cursor; None on the center."""
        if self.cursor.side == MIDDLE or self.cursor.line >= len(self.sides[self.cursor.side]):
            return None
        return self.sides[self.cursor.side][self.cursor.line]

    def cursor_of(self, edge: Edge) -> Cursor | None:
        """Return the position of a relation of the center."""
        side = RIGHT if edge.out else LEFT
        for index, line in enumerate(self.sides[side]):
            if line.via is None and line.edge.key == edge.key:
                return Cursor(side, index)
        return None

    def move_to(self, cursor: Cursor) -> None:
        """Put the cursor on the center or on a line."""
        before, self.cursor = self.cursor, cursor
        self._clamp_cursor()
        if self.cursor != before:
            self._redraw()

    def _redraw(self) -> None:
        self._drawing = None
        self.refresh()
        self.post_message(CursorMoved())

    # Movement: the actions of VirtualList, so that one table of keys serves both.

    def _move(self, by: int) -> None:
        if self.cursor.side == MIDDLE:
            # From the center, up and down go to the middle line of the longer side.
            side = self._active_side
            count = len(self.sides[side])
            if count:
                self.move_to(Cursor(side, max(0, (count - 1) // 2) if by < 0 else count // 2))
            return
        count = len(self.sides[self.cursor.side])
        self.move_to(Cursor(self.cursor.side, max(0, min(self.cursor.line + by, count - 1))))

    def action_up(self) -> None:
        self._move(-1)

    def action_down(self) -> None:
        self._move(1)

    def action_first(self) -> None:
        self.move_to(Cursor(self._active_side, 0))

    def action_last(self) -> None:
        side = self._active_side
        self.move_to(Cursor(side, max(0, len(self.sides[side]) - 1)))

    @property
    def _active_side(self) -> str:
        """The side that the cursor is on; from the center, the longer one."""
        if self.cursor.side != MIDDLE:
            return self.cursor.side
        return RIGHT if len(self.sides[RIGHT]) >= len(self.sides[LEFT]) else LEFT

    def action_half_down(self) -> None:
        self._move(max(1, self.size.height // 2))

    def action_half_up(self) -> None:
        self._move(-max(1, self.size.height // 2))

    def action_page_down(self) -> None:
        self._move(max(1, self.size.height - 2))

    def action_page_up(self) -> None:
        self._move(-max(1, self.size.height - 2))

    def move_sideways(self, side: str) -> bool:
        """Move one step towards a side; return False if there is nothing."""
        current = self.cursor.side
        if current == side:
            return False
        if current != MIDDLE:
            self.move_to(Cursor())
            return True
        if not self.sides[side]:
            return False
        self.move_to(Cursor(side, self._nearest_line(side)))
        return True

    def _nearest_line(self, side: str) -> int:
        """Return the line of a side that is drawn nearest to the center."""
        rows = {row: line for (name, row), line in self._current_drawing().rows.items() if name == side}
        middle = self.size.height // 2
        return rows[min(rows, key=lambda row: (abs(row - middle), row))] if rows else 0

    # Drawing

    def on_resize(self) -> None:
        self._drawing = None

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def _current_drawing(self) -> Drawing:
        if self._drawing is None:
            neighborhood, size = self.neighborhood, (self.size.width, self.size.height)
            center = neighborhood.center if neighborhood is not None else None
            label = node_label(center) if center is not None else ""
            self._drawing = lay_out(label, *self._drawn_sides, size, self.cursor, self._tops)
            self._tops = self._drawing.tops
        return self._drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self.neighborhood is None:
            return self._text_line(y - (self.size.height - len(self.empty_lines)) // 3, width)
        if not self.neighborhood.edges and y > self.size.height // 2 + 1:
            return self._text_line(y - self.size.height // 2 - 3, width)
        lines = self._current_drawing().lines
        if y >= len(lines):
            return Strip.blank(width)
        segments = [Segment(text, self._component_style(style)) for text, style in lines[y] if text]
        return Strip(segments).adjust_cell_length(width, self._component_style("plain"))

    def _text_line(self, line: int, width: int) -> Strip:
        if not 0 <= line < len(self.empty_lines):
            return Strip.blank(width, self._component_style("plain"))
        text, style = self.empty_lines[line]
        style = style if style in _STYLES else "plain"
        indented = " " * min(3, width) + fit(text, max(1, width - 6))
        return Strip([Segment(indented, self._component_style(style))]).adjust_cell_length(
            width, self._component_style("plain")
        )

    def _component_style(self, style: str) -> Style:
        if style == "cursor" and not self.has_focus:
            style = "strong"
        return self.get_component_rich_style(f"graph--{style}")

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self.neighborhood is None:
            return
        drawing = self._current_drawing()
        side = LEFT if offset.x < drawing.columns[0] else RIGHT if offset.x >= drawing.columns[1] else MIDDLE
        line = drawing.rows.get((side, offset.y)) if side != MIDDLE else 0
        if line is None:
            return
        clicked = Cursor(side, line)
        if clicked == self.cursor and event.chain > 1:
            self.post_message(Opened())
        else:
            self.move_to(clicked)
