"""The drawing of a neighborhood: no wire crosses another, for any labels and any size (SPEC 9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, set_cell_size

from memtui.tui.graph import layout
from memtui.tui.graph.layout import LEFT, MIDDLE, RIGHT, Cursor, Drawing, Side, Spoke

SIZES = [(118, 21), (78, 11), (78, 3), (198, 50), (40, 9), (20, 5), (9, 4)]
ARMS = {
    "─": "lr", "│": "ud", "╮": "ld", "╭": "rd", "╯": "lu", "╰": "ru", "┤": "udl", "├": "udr", "┬": "dlr",
    "┴": "ulr", "┼": "udlr", "╌": "lr",
}  # fmt: skip
WIDE = "日本語のとても長い 👍🏽 é́ ｆｕｌｌ"


def lay_out(centre: str, left: list[Spoke], right: list[Spoke], *more: object) -> Drawing:
    return layout.lay_out(centre, Side(left), Side(right), *more)  # type: ignore[arg-type]


def star(count: int, label: str = "node", **more: object) -> list[Spoke]:
    return [Spoke("·", "relates to", f"{label} {n}", **more) for n in range(count)]  # type: ignore[arg-type]


def cells(drawing: Drawing) -> list[list[str]]:
    """Return the drawing as a grid of cells; a wide character takes two."""
    grid = []
    for parts in drawing.lines:
        row: list[str] = []
        for text, style in parts:
            for char in text:
                # Letters are not wires, even if they look like one.
                row += [char if style in ("wire", "box", "box-here") else "x"] * cell_len(char)
        grid.append(row)
    return grid


def lines_of(drawing: Drawing) -> list[str]:
    return ["".join(text for text, _ in parts) for parts in drawing.lines]


def check_wires(drawing: Drawing) -> None:
    """Check that each arm of a wire meets the opposite arm of another, or something that is not a wire."""
    grid = cells(drawing)
    for y, row in enumerate(grid):
        for x, char in enumerate(row):
            for arm, (dx, dy), back in (
                ("l", (-1, 0), "r"), ("r", (1, 0), "l"), ("u", (0, -1), "d"), ("d", (0, 1), "u"),
            ):  # fmt: skip
                if arm not in ARMS.get(char, ""):
                    continue
                inside = 0 <= y + dy < len(grid) and 0 <= x + dx < len(row)
                neighbor = grid[y + dy][x + dx] if inside else ""
                if neighbor in ARMS:
                    assert back in ARMS[neighbor], (char, neighbor, x, y)
                elif arm in "ud":
                    assert not inside or y in (0, len(grid) - 1), (
                        char,
                        x,
                        y,
                    )  # a trunk ends at its last wire


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 1), (1, 0), (1, 1), (3, 5), (12, 2), (60, 60)])
def test_every_line_fits_and_no_wire_crosses(size: tuple[int, int], left: int, right: int) -> None:
    drawing = lay_out("the middle", star(left, WIDE), star(right), size)
    assert [cell_len(line) for line in lines_of(drawing)] == [size[0]] * size[1]
    check_wires(drawing)


def test_a_star_is_drawn_with_each_line_once() -> None:
    drawing = lay_out("hub", star(7, "in"), star(9, "out"), (118, 21))
    text = "\n".join(lines_of(drawing))
    for label in [*(f"in {n}" for n in range(7)), *(f"out {n}" for n in range(9))]:
        assert text.count(label) == 1
    assert text.count("relates to") == 16
    assert set(drawing.rows.values()) == set(range(9))
    (middle,) = [row for row, line in enumerate(lines_of(drawing)) if " hub " in line]
    assert middle == 10
    assert "▶┃ hub" in lines_of(drawing)[middle]


def test_another_edge_keeps_the_order_of_the_others() -> None:
    spokes = star(6, "out")
    before = lay_out("hub", [], spokes, (118, 31))
    after = lay_out("hub", [], [*spokes[:3], Spoke("≠", "contradicts", "new"), *spokes[3:]], (118, 31))
    order = [next(row for row, line in enumerate(lines_of(after)) if f"out {n}" in line) for n in range(6)]
    assert order == sorted(order)
    columns = [
        next(line.index(f"out {n}") for line in lines_of(drawing) if f"out {n}" in line)
        for drawing in (before, after)
        for n in (0, 5)
    ]
    assert max(columns) - min(columns) <= 4  # the wire's label may be longer now


def test_a_long_side_scrolls_only_as_far_as_needed() -> None:
    spokes = star(40, "out")
    drawing = lay_out("hub", [], spokes, (78, 11), Cursor(RIGHT, 0))
    assert (drawing.tops[1], "↓ 30 more" in "\n".join(lines_of(drawing))) == (0, True)
    for index in range(40):
        drawing = lay_out("hub", [], spokes, (78, 11), Cursor(RIGHT, index), drawing.tops)
        assert any(f"out {index} " in line for line in lines_of(drawing)), index
        check_wires(drawing)
    assert "↑ 30 more" in "\n".join(lines_of(drawing))
    unscrolled = lay_out("hub", [], spokes, (78, 11), Cursor(RIGHT, 35), drawing.tops)
    assert unscrolled.tops == drawing.tops
    back = drawing
    for index in reversed(range(40)):
        back = lay_out("hub", [], spokes, (78, 11), Cursor(RIGHT, index), back.tops)
        assert any(f"out {index} " in line for line in lines_of(back)), index
    assert back.tops[1] == 0
    in_middle = lay_out("hub", [], spokes, (78, 11), Cursor(), drawing.tops)
    assert in_middle.tops == drawing.tops  # moving to the middle does not scroll the side


def test_the_cursor_is_one_span_with_its_own_style() -> None:
    for cursor in (Cursor(), Cursor(LEFT, 1), Cursor(RIGHT, 2)):
        drawing = lay_out("hub", star(3, "in"), star(3, "out"), (118, 21), cursor)
        highlighted = [
            "".join(text for text, style in parts if style == "cursor").strip() for parts in drawing.lines
        ]
        highlighted = [text for text in highlighted if text]
        name = {MIDDLE: "hub", LEFT: "in 1", RIGHT: "out 2"}[cursor.side]
        assert highlighted == [name]


def test_a_second_hop_comes_below_its_neighbor_and_computed_wires_are_dashed() -> None:
    right = [
        Spoke("·", "knows", "first"),
        Spoke("∴", "uses", "behind", nested=True, out=False),
        *star(1, "last"),
    ]
    lines = lines_of(
        lay_out("hub", [], [*right, Spoke("≈", "near in meaning", "alike", dashed=True)], (118, 15))
    )
    rows = {
        word: next(n for n, line in enumerate(lines) if word in line) for word in ("first", "behind", "last")
    }
    assert rows["behind"] == rows["first"] + 1 < rows["last"]
    assert "╰◀∴ behind" in lines[rows["behind"]]
    assert "╌" in next(line for line in lines if "alike" in line)
    assert "╌" not in lines[rows["first"]]


@given(
    st.lists(st.text(max_size=12), max_size=30),
    st.lists(st.text(max_size=12), max_size=30),
    st.integers(1, 140),
    st.integers(1, 40),
    st.integers(0, 40),
    st.integers(0, 60),
)
def test_any_labels_fit_any_size(
    left: list[str], right: list[str], width: int, height: int, index: int, top: int
) -> None:
    sides = [[Spoke("≠", text, text, more=len(text)) for text in side] for side in (left, right)]
    at = Cursor(RIGHT, min(index, len(right) - 1)) if right else Cursor()
    drawing = lay_out("".join(left), sides[0], sides[1], (width, height), at, (top, top))
    assert [cell_len(line) for line in lines_of(drawing)] == [width] * height
    if width >= 40 and height >= 3:
        check_wires(drawing)
        assert not right or at.line in {line for (side, _), line in drawing.rows.items() if side == RIGHT}


def test_wide_labels_are_cut_between_characters() -> None:
    drawing = lay_out(WIDE, star(2, WIDE), star(2, WIDE), (60, 9))
    for line in lines_of(drawing):
        assert set_cell_size(line, 60) == line
