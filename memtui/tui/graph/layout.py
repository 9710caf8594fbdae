"""Layout of a memory's relations as text: a pure function; no wire crosses another (SPEC 9).

Incoming relations are drawn on the left of the center, outgoing ones on the right, one line each; the wires
of a side meet in one trunk. A side that is longer than the screen scrolls independently of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from memtui.tui.graph import wording
from memtui.tui.text.glyphs import fit, grouped

Part = tuple[str, str]
LEFT, MIDDLE, RIGHT = "left", "middle", "right"
MIN_NAMED_WIDTH = 100  # cells from which wires are labelled with their kind
_MAX_KIND, _MAX_BOX = 16, 28  # cells of a wire's kind, and of the center's label, at most
# Box-drawing characters by their arms: (up, down, left, right).
_WIRES = {
    (0, 0, 1, 1): "─", (1, 1, 0, 0): "│", (0, 1, 1, 0): "╮", (0, 1, 0, 1): "╭", (1, 0, 1, 0): "╯",
    (1, 0, 0, 1): "╰", (1, 1, 1, 0): "┤", (1, 1, 0, 1): "├", (0, 1, 1, 1): "┬", (1, 0, 1, 1): "┴",
    (1, 1, 1, 1): "┼", (0, 0, 1, 0): "─", (0, 0, 0, 1): "─", (1, 0, 0, 0): "│", (0, 1, 0, 0): "│",
    (0, 0, 0, 0): " ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spoke:
    """One line next to the center: the relation's glyph and kind, and the label of the node it leads to.

    `kind_style` is the style of glyph and kind, `label_style` that of the label. `more` counts the further
    relations of that node. `dashed` marks a computed relation, `out` an outgoing one. A `nested` line is a
    relation of the neighbor above it, drawn with an arrow instead of a wire.
    """

    glyph: str
    kind: str
    label: str
    kind_style: str = "plain"
    more: int = 0
    dashed: bool = False
    nested: bool = False
    out: bool = True
    label_style: str = "plain"


class Cursor(NamedTuple):
    """What is highlighted: the center, or a line of a side."""

    side: str = MIDDLE
    line: int = 0


@dataclass(slots=True)
class Drawing:
    """A drawn neighborhood.

    `lines` are rows of (text, style) parts, each as wide as the screen. `tops` are the first visible lines of
    both sides. `rows` maps (side, row) to the line drawn there, for the mouse.
    """

    lines: list[list[Part]]
    tops: tuple[int, int] = (0, 0)
    rows: dict[tuple[str, int], int] = field(default_factory=dict)
    columns: tuple[int, int] = (0, 0)  # where the center begins and ends


class Side:
    """The lines of one side, measured once: a hub has thousands, and every key press redraws."""

    def __init__(self, spokes: Sequence[Spoke] = ()) -> None:
        self.spokes = tuple(spokes)
        self.kind_width = max(
            (cell_len(_kind_text(each)) for each in self.spokes if not each.nested), default=1
        )
        self.label_width = max(map(_label_width, self.spokes), default=0)
        self.has_nested = any(each.nested for each in self.spokes)

    def __len__(self) -> int:
        return len(self.spokes)


class _PlacedSide(NamedTuple):
    """One side on the screen: its lines by row, the first line, the hidden lines, and the trunk's ends."""

    lines: dict[int, int]
    top: int
    hidden_above: int
    hidden_below: int
    start: int
    end: int


class _Columns(NamedTuple):
    """The widths of the columns, left and right, and of the box around the center, in cells."""

    label: tuple[int, int]
    kind: tuple[int, int]
    box: int
    named: bool


def lay_out(
    center: str,
    left: Side,
    right: Side,
    size: tuple[int, int],
    cursor: Cursor = Cursor(),  # noqa: B008 - a tuple
    tops: tuple[int, int] = (0, 0),
) -> Drawing:
    """Draw a neighborhood into `size` (cells, lines) with the cursor's line on the screen.

    `tops` are the first lines of both sides so far; they change only where the cursor would be off screen.
    """
    width, height = size
    if width < 8 or height < 3:
        return Drawing([[(" " * max(0, width), "plain")] for _ in range(max(0, height))], tops)
    middle = height // 2
    sides = tuple(
        _place_side(side, height, middle, cursor.line if cursor.side == name else None, top)
        for name, side, top in ((LEFT, left, tops[0]), (RIGHT, right, tops[1]))
    )
    columns = _columns(center, left, right, width, height)
    drawing = Drawing([], (sides[0].top, sides[1].top))
    for name, placed in zip((LEFT, RIGHT), sides, strict=True):
        drawing.rows |= {(name, row): index for row, index in placed.lines.items()}
    before = columns.label[0] + (_wire_width(columns, 0) + 2 if left else 0)
    after = columns.label[1] + (_wire_width(columns, 1) + 2 if right else 0)
    margin = _left_margin(width, before, columns.box, after)
    drawing.columns = (margin + before, margin + before + columns.box)
    for row in range(height):
        parts: list[Part] = [(" " * margin, "plain")] if margin else []
        parts += _left_row(left, sides[0], columns, row, middle, cursor)
        parts += _box(center, columns.box, row - middle, cursor.side == MIDDLE)
        parts += _right_row(right, sides[1], columns, row, middle, cursor)
        drawing.lines.append(_fill(parts, width))
    return drawing


def _fill(parts: Sequence[Part], width: int) -> list[Part]:
    """Return parts that fill exactly `width` cells; what does not fit is cut from the end."""
    line: list[Part] = []
    left = width
    for text, style in parts:
        cells = cell_len(text)
        if cells > left:
            text, cells = set_cell_size(text, left), left
        if text:
            line.append((text, style))
        left -= cells
    return [*line, (" " * left, "plain")] if left else line


def _left_margin(width: int, before: int, box: int, after: int) -> int:
    """Return the free cells on the left that center the box on the screen, as far as there is room."""
    free = max(0, width - before - box - after)
    return min(free, max(0, (width - box) // 2 - before))


# Positions


def _place_side(side: Side, height: int, middle: int, cursor: int | None, top: int) -> _PlacedSide:
    count = len(side)
    if not count:
        return _PlacedSide({}, 0, 0, 0, middle, middle)
    if count <= height:
        spacing = 2 if 2 * count - 1 <= height and not side.has_nested else 1
        span = (count - 1) * spacing + 1
        first = min(max(0, middle - span // 2), height - span)
        lines = {first + spacing * index: index for index in range(count)}
        wired = [row for row, index in lines.items() if not side.spokes[index].nested]
        return _PlacedSide(lines, 0, 0, 0, min(middle, *wired), max(middle, *wired))
    top = _window(count, height, cursor, min(max(0, top), count - height))
    above, below = top > 0, top + height < count
    lines = {row: top + row for row in range(above, height - below)}
    wired = [row for row, index in lines.items() if not side.spokes[index].nested]
    start = 0 if above else min(middle, *wired)
    end = height - 1 if below else max(middle, *wired)
    return _PlacedSide(
        lines, top, top + 1 if above else 0, count - top - height + 1 if below else 0, start, end
    )


def _window(count: int, height: int, cursor: int | None, top: int) -> int:
    """Return the first line on the screen: `top`, unless the cursor's line would be hidden."""
    if cursor is None:
        return top
    if cursor < top + (top > 0):
        top = cursor - 1 if cursor > 1 else 0
    elif cursor > top + height - 1 - (top + height < count):
        top = cursor - height + 1 + (cursor < count - 1)
    return min(max(0, top), count - height)


def _columns(center: str, left: Side, right: Side, width: int, height: int) -> _Columns:
    named = width >= MIN_NAMED_WIDTH
    widest = min(_MAX_BOX, width // 4) if left and right else min(2 * _MAX_BOX, width // 3)
    widest = widest if left or right else min(2 * _MAX_BOX, width - 8)
    box = max(8, min(widest, cell_len(center.rstrip())) + 4)
    kind = (left.kind_width, right.kind_width) if named else (0, 0)
    columns = _Columns((0, 0), kind, box, named)
    rest = width - box
    rest -= _wire_width(columns, 0) + 2 if left else 0
    rest -= _wire_width(columns, 1) + 2 if right else 0
    return columns._replace(
        label=_split_width(max(0, rest), _wanted_width(left, height), _wanted_width(right, height))
    )


def _wanted_width(side: Side, height: int) -> int:
    """Return the cells that a side's labels and its count of hidden lines would take."""
    hidden = len(wording.more_below(len(side))) if len(side) > height else 0
    return max(hidden, side.label_width)


def _label_width(line: Spoke) -> int:
    more = len(grouped(line.more)) + 2 if line.more else 0
    return cell_len(fit(line.label, 400).rstrip()) + more + (6 if line.nested else 0)


def _kind_text(line: Spoke) -> str:
    return fit(line.kind, _MAX_KIND).rstrip() or " "


def _split_width(rest: int, left: int, right: int) -> tuple[int, int]:
    """Split `rest` cells between the labels of both sides: what each wants, or half each."""
    if left + right <= rest:
        return left, right
    half = rest // 2
    if left <= half:
        return left, rest - left
    return (rest - right, right) if right <= rest - half else (half, rest - half)


def _wire_width(columns: _Columns, side: int) -> int:
    """Return the cells between a label and its trunk."""
    return columns.kind[side] + 8 if columns.named else 4


# One row


def _left_row(
    side: Side, placed: _PlacedSide, columns: _Columns, row: int, middle: int, cursor: Cursor
) -> list[Part]:
    width = columns.label[0]
    if not side:
        return [(" " * width, "plain")]
    index = placed.lines.get(row)
    parts: list[Part]
    if index is None:
        hidden = placed.hidden_above if row < middle else placed.hidden_below
        parts = [*_hidden_count(hidden, row, placed, middle, width), (" " * _wire_width(columns, 0), "plain")]
    else:
        line = side.spokes[index]
        parts = _label(line, width, cursor == (LEFT, index), right=False)
        joined = bool(parts) and parts[-1][1] == "wire"
        parts += (
            [(" " * _wire_width(columns, 0), "plain")] if line.nested else _left_wire(line, columns, joined)
        )
    wired = index is not None and not side.spokes[index].nested
    trunk = _trunk(placed, row, wired, row == middle)
    return [*parts, (trunk, "wire"), ("▶" if row == middle else " ", "wire")]


def _right_row(
    side: Side, placed: _PlacedSide, columns: _Columns, row: int, middle: int, cursor: Cursor
) -> list[Part]:
    width = columns.label[1]
    if not side:
        return [(" " * width, "plain")]
    index = placed.lines.get(row)
    wired = index is not None and not side.spokes[index].nested
    parts: list[Part] = [("─" if row == middle else " ", "wire")]
    parts.append((_trunk(placed, row, row == middle, wired), "wire"))
    if index is None:
        hidden = placed.hidden_above if row < middle else placed.hidden_below
        return [
            *parts,
            (" " * _wire_width(columns, 1), "plain"),
            *_hidden_count(hidden, row, placed, middle, width),
        ]
    line = side.spokes[index]
    parts += [(" " * _wire_width(columns, 1), "plain")] if line.nested else _right_wire(line, columns)
    return [*parts, *_label(line, width, cursor == (RIGHT, index), right=True)]


def _trunk(placed: _PlacedSide, row: int, left: bool, right: bool) -> str:
    if not placed.start <= row <= placed.end:
        return " "
    return _WIRES[row > placed.start, row < placed.end, left, right]


def _left_wire(line: Spoke, columns: _Columns, joined: bool) -> list[Part]:
    wire = "╌" if line.dashed else "─"
    first = wire if joined else " "
    if not columns.named:
        return [(first + wire, "wire"), (fit(line.glyph, 1), line.kind_style), (wire, "wire")]
    name = fit(line.kind, columns.kind[0]).rstrip()
    rest = columns.kind[0] - cell_len(name)
    return [
        (f"{first}{wire} ", "wire"),
        (f"{fit(line.glyph, 1)} {name} ", line.kind_style),
        (wire * (rest + 2), "wire"),
    ]


def _right_wire(line: Spoke, columns: _Columns) -> list[Part]:
    wire = "╌" if line.dashed else "─"
    if not columns.named:
        return [(fit(line.glyph, 1), line.kind_style), (f"{wire}▶ ", "wire")]
    name = fit(line.kind, columns.kind[1]).rstrip()
    rest = columns.kind[1] - cell_len(name)
    return [
        (f"{wire} ", "wire"),
        (f"{fit(line.glyph, 1)} {name} ", line.kind_style),
        (f"{wire * (rest + 1)}▶ ", "wire"),
    ]


def _label(line: Spoke, width: int, highlighted: bool, *, right: bool) -> list[Part]:
    """Return a node's label with the count of its further relations; on the left, the wire begins where the
    label ends."""
    if not width:
        return []
    more = f" +{grouped(line.more)}" if line.more else ""
    more = more if cell_len(more) + 6 <= width else ""
    start = (
        f"{'  ' if right else ' '}{'╰▶' if line.out else '╰◀'}{fit(line.glyph, 1)} " if line.nested else ""
    )
    start = start if cell_len(start) + 3 < width else ""
    room = width - cell_len(more) - cell_len(start)
    text = fit(line.label, room)
    gap = 0
    if not right:
        text = text.rstrip()
        gap = room - cell_len(text)
    parts = [(start, line.kind_style), (text, line.label_style), (more, "quiet")]
    if highlighted:
        parts = [(start + text + more, "cursor")]
    if gap and (line.nested or gap < 3):
        parts.append((" " * gap, "plain"))
    elif gap:
        parts.append((f" {('╌' if line.dashed else '─') * (gap - 1)}", "wire"))
    return parts


def _hidden_count(count: int, row: int, placed: _PlacedSide, middle: int, width: int) -> list[Part]:
    """Return the count of hidden lines, in the row where they would begin."""
    above = row == 0 and placed.hidden_above
    below = not above and row > middle and placed.hidden_below and row == max(placed.lines, default=0) + 1
    text = wording.more_above(placed.hidden_above) if above else wording.more_below(count) if below else ""
    return [(fit(text, width), "quiet")] if width else []


def _box(center: str, width: int, row: int, highlighted: bool) -> list[Part]:
    frame = "box-here" if highlighted else "box"
    if row == -1:
        return [(f"┏{'━' * (width - 2)}┓", frame)]
    if row == 1:
        return [(f"┗{'━' * (width - 2)}┛", frame)]
    if row == 0:
        return [
            ("┃", frame),
            (f" {fit(center, width - 4)} ", "cursor" if highlighted else "strong"),
            ("┃", frame),
        ]
    return [(" " * width, "plain")]
