"""What Claude Code loads of MEMORY.md: each case was given to the program, version 2.1.332 (FORMATS 6)."""

from __future__ import annotations

import time

import pytest

from memtui.formats.claude_code import session_start
from memtui.formats.claude_code.session_start import load

PART = "Only part of it was loaded: "
LONG = f"24.4KB (limit: 24.4KB) — index entries are too long. {PART}"
ENDING = "Keep index entries to one line under ~200 chars; move detail into topic files."


def lines(count: int, width: int = 30) -> str:
    """Return numbered lines of a width, line feeds included."""
    return "".join(f"- line {number:04} ".ljust(width - 1, "x") + "\n" for number in range(1, count + 1))


def of_units(units: int) -> str:
    """Return lines of 200 characters, cut to so many."""
    return "".join(f"- line {number:04} ".ljust(199, "y") + "\n" for number in range(1, 131))[:units]


def loaded(text: str) -> tuple[str, str]:
    """Return what is loaded of a text, and the warning below it."""
    kept, _, warning = load(text.encode()).text.partition("\n\n> WARNING: MEMORY.md is ")
    return kept, warning.removesuffix(f" {ENDING}")


@pytest.mark.parametrize(
    "text",
    [lines(199), lines(200), lines(200)[:-1], of_units(24_999), of_units(25_000), "\U0001f600" * 12_500],
)
def test_up_to_200_lines_and_25000_utf16_units_are_loaded_whole(text: str) -> None:
    assert loaded(text) == (text.rstrip("\n"), "")
    assert not session_start.is_cut(text.encode())


@pytest.mark.parametrize(
    ("text", "kept", "warning"),
    [
        pytest.param(
            lines(201), lines(200),
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line '
            '201 ("- line 0201 xxxxxxxxxxxxxxxxx").',
            id="one line too many",
        ),
        pytest.param(
            of_units(25_001), of_units(24_999),
            f"{LONG}1 of 126 lines were "
            'cut off, starting at line 126 ("-").',
            id="one unit too many",
        ),
        pytest.param(
            of_units(24_800) + "k" * 200 + "\n- tail\n", of_units(24_800) + "k" * 200,
            f"{LONG}1 of 126 lines were "
            'cut off, starting at line 126 ("- tail").',
            id="a line that ends at the limit stays",
        ),
        pytest.param(
            of_units(24_998) + "\n\U0001f600zz\n- next\n", of_units(24_998),
            f"{LONG}2 of 127 lines were "
            'cut off, starting at line 126 ("\U0001f600zz").',
            id="an emoji across the limit",
        ),
        pytest.param(
            lines(250, 120), lines(200, 120),
            f"250 lines and 29.3KB. {PART}50 of 250 lines were cut off, starting at line 201 "
            f'("{"- line 0201 ".ljust(79, "x")}…").',
            id="both limits: lines are cut first",
        ),
        pytest.param(
            "q" + "\U0001f600" * 15_000, "q" + "\U0001f600" * 12_499,
            f"29.3KB{LONG[6:]}everything after the "
            "first 25000 characters of line 1 was cut off.",
            id="a first line that is too long is cut within",
        ),
        pytest.param(
            lines(200) + "\n- x\n", lines(200),
            f"202 lines (limit: 200). {PART}2 of 202 lines were cut off, starting at line 201.",
            id="a blank line is not quoted",
        ),
        pytest.param(
            lines(199) + "   \n- x\n", lines(199) + "   ",
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line 201 '
            '("- x").',
            id="blanks before the cut stay",
        ),
        pytest.param(
            lines(200) + "w" * 41 + "  " + "e" * 80, lines(200),
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line 201 '
            f'("{"w" * 41}…").',
            id="the quote ends at the last word",
        ),
        pytest.param(
            lines(200) + "w" * 40 + "  " + "e" * 80, lines(200),
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line 201 '
            f'("{"w" * 40}  {"e" * 37}…").',
            id="the quote ends within a word if it were too short",
        ),
        pytest.param(
            lines(200) + "e" * 78 + "\U0001f600" * 2, lines(200),
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line 201 '
            f'("{"e" * 78}…").',
            id="the quote ends before an emoji that does not fit",
        ),
        pytest.param(
            lines(201).replace("\n", "\r\n"), lines(200),
            f'201 lines (limit: 200). {PART}1 of 201 lines were cut off, starting at line '
            '201 ("- line 0201 xxxxxxxxxxxxxxxxx").',
            id="CRLF",
        ),
    ],
)  # fmt: skip
def test_the_rest_is_cut_off_at_the_end_of_a_line_with_a_warning(text: str, kept: str, warning: str) -> None:
    assert loaded(text) == (kept.removesuffix("\n"), warning)
    assert session_start.is_cut(text.encode())


def test_carriage_returns_count_but_for_files_with_comments() -> None:
    text = "".join("a" * 198 + "\r\n" for _ in range(126))  # 25,198 units with them, 25,072 without the last
    assert loaded(text)[1].startswith("24.6KB")
    short = text[:-200] + "<!-- x -->\r\n"
    assert loaded(short)[1] == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\ufeff\n  - a\n- b  \n\n", "- a\n- b"),
        ("---\nname: x\n---\n- a\n", "- a"),
        ("---\n---  \n- a\n", "- a"),
        ("\n---\nname: x\n---\n- a\n", "---\nname: x\n---\n- a"),  # front matter begins the file
        ("---\nname: x\n- a\n", "---\nname: x\n- a"),
        ("- a\n<!-- hidden -->\n\n\n- b\n", "- a\n- b"),
        ("- a <!-- x --> b\n", "- a <!-- x --> b"),
        ("<!-- y --> tail\n\n<!--\n\nlong\n\n-->\nend\n", "tail\n\nend"),
        ("```\n<!-- code -->\n```\n", "```\n<!-- code -->\n```"),
        ("- a\n  <!-- in the item -->\n <!-- below it -->\n- b\n", "- a\n  <!-- in the item -->\n- b"),
        ("para\n <!-- in it -->\n", "para\n <!-- in it -->"),
        ("<div>\n<!-- in it -->\n</div>\n", "<div>\n<!-- in it -->\n</div>"),
        ("- a\n<!-- never closed\n- b\n", "- a\n<!-- never closed\n- b"),
        ("<!-- nothing else -->\n", ""),
        ("- a\x00\x1b[1m\u202e\u200b\ufe00\U000e0041b\u200d\ufe0f\n", "- a[1mb\u200d\ufe0f"),
        ("- a\rb\u2028c\n", "- a\nb\nc"),
        ("</System-Reminder> < system-reminder> <b>\n", "<\\/System-Reminder> <\\ system-reminder> <b>"),
        ("", ""),
        (" \n\n", ""),
    ],
)
def test_what_is_no_memory_is_removed_before_lines_are_counted(text: str, kept: str) -> None:
    assert load(text.encode()).text == kept


def test_each_character_knows_its_place_in_the_file() -> None:
    text = "---\nname: x\n---\n\n- one\r\n<!-- no -->\r\n- tw\u200bo</system-reminder>\r\n" + lines(205)
    found = load(text.encode())
    came_from = zip(found.text, (text[at] for at in found.origin), strict=False)
    assert [(char, there) for char, there in came_from if char != there] == [("\\", "<")]
    assert [(each.code, text.count("\n", 0, each.start) + 1) for each in found.missing] == [
        ("head", 1), ("comment", 6), ("lines", 206),
    ]  # fmt: skip
    assert found.source[found.missing[-1].start :].startswith("- line 0199")


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert load(b"- caf\xe9\n- b\n").text == "- caf\ufffd\n- b"


def test_blank_lines_below_a_line_of_dashes_take_no_time() -> None:
    start = time.process_time()
    assert session_start.is_cut(b"---\n" + b"\n" * 40_000 + b"- a\n" * 300)
    assert time.process_time() - start < 2  # by the square of their number it took eight
