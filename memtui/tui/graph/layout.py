"""Where each line of a neighbourhood is drawn: a pure function, and no wire ever crosses another (SPEC 9).

What leads here stands on the left, what it leads to on the right, one line each; all wires of a side meet
in one trunk. A side that is longer than the screen scrolls by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from memtui.tui.text.glyphs import fit, grouped

Part = tuple[str, str]
LEFT, MIDDLE, RIGHT = "left", "middle", "right"
NAMED = 100  # cells from which on wires have names
_KIND, _BOX = 16, 28  # cells of a wire's name, and of the middle's label, at most
# By the arms up, down, left, right.
_LINES = {
    (0, 0, 1, 1): "─", (1, 1, 0, 0): "│", (0, 1, 1, 0): "╮", (0, 1, 0, 1): "╭", (1, 0, 1, 0): "╯",
    (1, 0, 0, 1): "╰", (1, 1, 1, 0): "┤", (1, 1, 0, 1): "├", (0, 1, 1, 1): "┬", (1, 0, 1, 1): "┴",
    (1, 1, 1, 1): "┼", (0, 0, 1, 0): "─", (0, 0, 0, 1): "─", (1, 0, 0, 0): "│", (0, 1, 0, 0): "│",
    (0, 0, 0, 0): " ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spoke:
    """One line beside the middle. `tone` colours the glyph and the kind; a `dashed` wire is worked out, not
    told; a `deep` line belongs to the neighbour above it, and has an arrow instead of a wire."""

    glyph: str
    kind: str
    label: str
    tone: str = "plain"
    more: int = 0
    dashed: bool = False
    deep: bool = False
    out: bool = True
    shade: str = "plain"  # how the label is drawn


class Cursor(NamedTuple):
    """What is highlighted: a side, and the line there."""

    side: str = MIDDLE
    line: int = 0


@dataclass(slots=True)
class Drawing:
    """Lines of (text, style), each as wide as the screen; which line of each side is the first on the
    screen; and what stands in a row of a side, for the mouse."""

    lines: list[list[Part]]
    tops: tuple[int, int] = (0, 0)
    rows: dict[tuple[str, int], int] = field(default_factory=dict)
    columns: tuple[int, int] = (0, 0)  # where the middle begins and ends


class Fan:
    """The lines of one side, measured once: a hub has thousands, and each key draws anew."""

    def __init__(self, spokes: Sequence[Spoke] = ()) -> None:
        self.spokes = tuple(spokes)
        self.kind = max((cell_len(_kind(each)) for each in self.spokes if not each.deep), default=1)
        self.label = max(map(_wide, self.spokes), default=0)
        self.deep = any(each.deep for each in self.spokes)

    def __len__(self) -> int:
        return len(self.spokes)


class _Side(NamedTuple):
    """One side's lines by row of the screen, its first line, and the ends of its trunk."""

    at: dict[int, int]
    top: int
    above: int
    below: int
    start: int
    end: int


class _Columns(NamedTuple):
    """Cells of each column."""

    label: tuple[int, int]
    kind: tuple[int, int]
    box: int
    named: bool


def lay_out(
    centre: str,
    left: Fan,
    right: Fan,
    size: tuple[int, int],
    cursor: Cursor = Cursor(),  # noqa: B008 - a tuple
    tops: tuple[int, int] = (0, 0),
) -> Drawing:
    """Draw a neighbourhood into `size` (cells, lines) with the cursor's line on the screen. `tops` are the
    first lines of both sides as they were: they change only where the cursor would be out of sight."""
    width, height = size
    if width < 8 or height < 3:
        return Drawing([[(" " * max(0, width), "plain")] for _ in range(max(0, height))], tops)
    middle = height // 2
    sides = tuple(
        _placed(lines, height, middle, cursor.line if cursor.side == name else None, top)
        for name, lines, top in ((LEFT, left, tops[0]), (RIGHT, right, tops[1]))
    )
    columns = _columns(centre, left, right, width, height)
    drawing = Drawing([], (sides[0].top, sides[1].top))
    for name, side in zip((LEFT, RIGHT), sides, strict=True):
        drawing.rows |= {(name, row): index for row, index in side.at.items()}
    before = columns.label[0] + (_wire(columns, 0) + 2 if left else 0)
    after = columns.label[1] + (_wire(columns, 1) + 2 if right else 0)
    margin = _margin(width, before, columns.box, after)
    drawing.columns = (margin + before, margin + before + columns.box)
    for row in range(height):
        parts: list[Part] = [(" " * margin, "plain")] if margin else []
        parts += _left(left, sides[0], columns, row, middle, cursor)
        parts += _box(centre, columns.box, row - middle, cursor.side == MIDDLE)
        parts += _right(right, sides[1], columns, row, middle, cursor)
        drawing.lines.append(_filled(parts, width))
    return drawing


def _filled(parts: Sequence[Part], width: int) -> list[Part]:
    """Parts that take just `width` cells: where there is no room for all, the last ones go."""
    line: list[Part] = []
    left = width
    for text, style in parts:
        wide = cell_len(text)
        if wide > left:
            text, wide = set_cell_size(text, left), left
        if text:
            line.append((text, style))
        left -= wide
    return [*line, (" " * left, "plain")] if left else line


def _margin(width: int, before: int, box: int, after: int) -> int:
    """Free cells on the left: the middle stands in the middle of the screen, where there is room for that."""
    free = max(0, width - before - box - after)
    return min(free, max(0, (width - box) // 2 - before))


# -- where everything goes


def _placed(lines: Fan, height: int, middle: int, cursor: int | None, top: int) -> _Side:
    count = len(lines)
    if not count:
        return _Side({}, 0, 0, 0, middle, middle)
    if count <= height:
        apart = 2 if 2 * count - 1 <= height and not lines.deep else 1
        span = (count - 1) * apart + 1
        first = min(max(0, middle - span // 2), height - span)
        at = {first + apart * index: index for index in range(count)}
        armed = [row for row, index in at.items() if not lines.spokes[index].deep]
        return _Side(at, 0, 0, 0, min(middle, *armed), max(middle, *armed))
    top = _window(count, height, cursor, min(max(0, top), count - height))
    above, below = top > 0, top + height < count
    at = {row: top + row for row in range(above, height - below)}
    armed = [row for row, index in at.items() if not lines.spokes[index].deep]
    start = 0 if above else min(middle, *armed)
    end = height - 1 if below else max(middle, *armed)
    return _Side(at, top, top + 1 if above else 0, count - top - height + 1 if below else 0, start, end)


def _window(count: int, height: int, cursor: int | None, top: int) -> int:
    """The first line on the screen: as it was, unless the cursor's line would be hidden."""
    if cursor is None:
        return top
    if cursor < top + (top > 0):
        top = cursor - 1 if cursor > 1 else 0
    elif cursor > top + height - 1 - (top + height < count):
        top = cursor - height + 1 + (cursor < count - 1)
    return min(max(0, top), count - height)


def _columns(centre: str, left: Fan, right: Fan, width: int, height: int) -> _Columns:
    named = width >= NAMED
    most = min(_BOX, width // 4) if left and right else min(2 * _BOX, width // 3)
    most = most if left or right else min(2 * _BOX, width - 8)
    box = max(8, min(most, cell_len(centre.rstrip())) + 4)
    kind = (left.kind, right.kind) if named else (0, 0)
    columns = _Columns((0, 0), kind, box, named)
    rest = width - box
    rest -= _wire(columns, 0) + 2 if left else 0
    rest -= _wire(columns, 1) + 2 if right else 0
    return columns._replace(label=_shared(max(0, rest), _asked(left, height), _asked(right, height)))


def _asked(lines: Fan, height: int) -> int:
    """Cells that the labels of a side would take, and what tells how many are out of sight."""
    hidden = len(f"↓ {grouped(len(lines))} more") if len(lines) > height else 0
    return max(hidden, lines.label)


def _wide(line: Spoke) -> int:
    more = len(grouped(line.more)) + 2 if line.more else 0
    return cell_len(fit(line.label, 400).rstrip()) + more + (6 if line.deep else 0)


def _kind(line: Spoke) -> str:
    return fit(line.kind, _KIND).rstrip() or " "


def _shared(rest: int, left: int, right: int) -> tuple[int, int]:
    """The cells for labels, as many as each side asks for; half each where both ask for more."""
    if left + right <= rest:
        return left, right
    half = rest // 2
    if left <= half:
        return left, rest - left
    return (rest - right, right) if right <= rest - half else (half, rest - half)


def _wire(columns: _Columns, side: int) -> int:
    """Cells between a label and its trunk."""
    return columns.kind[side] + 8 if columns.named else 4


# -- one row


def _left(lines: Fan, side: _Side, columns: _Columns, row: int, middle: int, cursor: Cursor) -> list[Part]:
    wide = columns.label[0]
    if not lines:
        return [(" " * wide, "plain")]
    index = side.at.get(row)
    parts: list[Part]
    if index is None:
        hidden = side.above if row < middle else side.below
        parts = [*_hidden(hidden, row, side, middle, wide), (" " * _wire(columns, 0), "plain")]
    else:
        line = lines.spokes[index]
        parts = _label(line, wide, cursor == (LEFT, index), right=False)
        joined = bool(parts) and parts[-1][1] == "wire"
        parts += [(" " * _wire(columns, 0), "plain")] if line.deep else _left_wire(line, columns, joined)
    armed = index is not None and not lines.spokes[index].deep
    trunk = _trunk(side, row, armed, row == middle)
    return [*parts, (trunk, "wire"), ("▶" if row == middle else " ", "wire")]


def _right(lines: Fan, side: _Side, columns: _Columns, row: int, middle: int, cursor: Cursor) -> list[Part]:
    wide = columns.label[1]
    if not lines:
        return [(" " * wide, "plain")]
    index = side.at.get(row)
    armed = index is not None and not lines.spokes[index].deep
    parts: list[Part] = [("─" if row == middle else " ", "wire")]
    parts.append((_trunk(side, row, row == middle, armed), "wire"))
    if index is None:
        hidden = side.above if row < middle else side.below
        return [*parts, (" " * _wire(columns, 1), "plain"), *_hidden(hidden, row, side, middle, wide)]
    line = lines.spokes[index]
    parts += [(" " * _wire(columns, 1), "plain")] if line.deep else _right_wire(line, columns)
    return [*parts, *_label(line, wide, cursor == (RIGHT, index), right=True)]


def _trunk(side: _Side, row: int, left: bool, right: bool) -> str:
    if not side.start <= row <= side.end:
        return " "
    return _LINES[row > side.start, row < side.end, left, right]


def _left_wire(line: Spoke, columns: _Columns, joined: bool) -> list[Part]:
    wire = "╌" if line.dashed else "─"
    first = wire if joined else " "
    if not columns.named:
        return [(first + wire, "wire"), (fit(line.glyph, 1), line.tone), (wire, "wire")]
    name = fit(line.kind, columns.kind[0]).rstrip()
    rest = columns.kind[0] - cell_len(name)
    return [
        (f"{first}{wire} ", "wire"),
        (f"{fit(line.glyph, 1)} {name} ", line.tone),
        (wire * (rest + 2), "wire"),
    ]


def _right_wire(line: Spoke, columns: _Columns) -> list[Part]:
    wire = "╌" if line.dashed else "─"
    if not columns.named:
        return [(fit(line.glyph, 1), line.tone), (f"{wire}▶ ", "wire")]
    name = fit(line.kind, columns.kind[1]).rstrip()
    rest = columns.kind[1] - cell_len(name)
    return [
        (f"{wire} ", "wire"),
        (f"{fit(line.glyph, 1)} {name} ", line.tone),
        (f"{wire * (rest + 1)}▶ ", "wire"),
    ]


def _label(line: Spoke, wide: int, here: bool, *, right: bool) -> list[Part]:
    """What stands at the far end: a label and how much leads on from there; on the left a wire begins
    where the label ends."""
    if not wide:
        return []
    more = f" +{grouped(line.more)}" if line.more else ""
    more = more if cell_len(more) + 6 <= wide else ""
    start = f"{'  ' if right else ' '}{'╰▶' if line.out else '╰◀'}{fit(line.glyph, 1)} " if line.deep else ""
    start = start if cell_len(start) + 3 < wide else ""
    room = wide - cell_len(more) - cell_len(start)
    text = fit(line.label, room)
    gap = 0
    if not right:
        text = text.rstrip()
        gap = room - cell_len(text)
    parts = [(start, line.tone), (text, line.shade), (more, "quiet")]
    if here:
        parts = [(start + text + more, "cursor")]
    if gap and (line.deep or gap < 3):
        parts.append((" " * gap, "plain"))
    elif gap:
        parts.append((f" {('╌' if line.dashed else '─') * (gap - 1)}", "wire"))
    return parts


def _hidden(count: int, row: int, side: _Side, middle: int, wide: int) -> list[Part]:
    """How many lines are out of sight, at the row where they would begin."""
    above = row == 0 and side.above
    below = not above and row > middle and side.below and row == max(side.at, default=0) + 1
    text = f"↑ {grouped(side.above)} more" if above else f"↓ {grouped(count)} more" if below else ""
    return [(fit(text, wide), "quiet")] if wide else []


def _box(centre: str, wide: int, row: int, here: bool) -> list[Part]:
    frame = "box-here" if here else "box"
    if row == -1:
        return [(f"┏{'━' * (wide - 2)}┓", frame)]
    if row == 1:
        return [(f"┗{'━' * (wide - 2)}┛", frame)]
    if row == 0:
        return [("┃", frame), (f" {fit(centre, wide - 4)} ", "cursor" if here else "strong"), ("┃", frame)]
    return [(" " * wide, "plain")]
