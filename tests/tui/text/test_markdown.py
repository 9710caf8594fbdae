"""Markdown in the text of a memory: what it looks like, that no word is lost, and that other text stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.text import LIMIT, screen_text
from memtui.tui.text.markdown import markdown
from memtui.tui.text.markdown_inline import resolver
from memtui.tui.text.pieces import Piece, assembled, links_in
from tests.support.hostile.memories import HOSTILE, unsafe_characters
from tests.support.sizes import examples

MENTIONS = {"rollback": 7, "plans/may.md": 8}


def rendered(text: str, width: int = 76) -> list[Piece]:
    return markdown(screen_text(text), width, resolver(MENTIONS), lambda piece: [piece])


def lines(text: str, width: int = 76) -> list[str]:
    return assembled(rendered(text, width)).plain.split("\n")[:-1]


def styled(text: str) -> dict[str, str]:
    """Return the styles of what has one."""
    return {piece.text: piece.style for piece in rendered(text) if piece.style}


@pytest.mark.parametrize(
    ("source", "shown", "styles"),
    [
        ("# Deploys", "Deploys", {"Deploys": "bold"}),
        ("### On *Friday*", "On Friday", {"On ": "bold", "Friday": "bold italic"}),
        ("- one", "• one", {"•": "$accent"}),
        ("  * two", "  • two", {"•": "$accent"}),
        ("3. three", "3. three", {"3.": "$accent"}),
        ("> quoted", "> quoted", {">": "$accent"}),
        ("- [ ] call **Bo**", "☐ call Bo", {"☐": "$accent", "Bo": "bold"}),
        ("  * [x]  done", "  ☑ done", {"☑": "$accent"}),
        ("- [x](a) and [y] z", "• x (a) and [y] z", {"•": "$accent", "x": "underline", " (a)": "$quiet"}),
        ("Run `make *all*` now", "Run make *all* now", {"make *all*": "$quiet"}),
        ("``a ` b``", "a ` b", {"a ` b": "$quiet"}),
        ("(*really*), **never.**", "(really), never.", {"really": "italic", "never.": "bold"}),
        ("[the docs](https://x.org/a_b)", "the docs (https://x.org/a_b)",
         {"the docs": "underline", " (https://x.org/a_b)": "$quiet"}),
        ("[[nowhere|there]]", "[[nowhere|there]]",
         {"[[": "$quiet", "nowhere": "underline", "|there]]": "$quiet"}),
    ],
)  # fmt: skip
def test_markdown_is_rendered(source: str, shown: str, styles: dict[str, str]) -> None:
    assert lines(source) == [shown]
    assert styled(source) == styles


@pytest.mark.parametrize(
    "text",
    [
        "snake_case_name and __init__ and _private_",
        "a * b * c, 2*3*4, 2 < 3 && x > y",
        r"C:\dir\[x] and \*this\*",
        "def f(*args, **kwargs): return (*args,)",
        "SELECT *, count(*) FROM a, b",
        "src/**/x.py and tests/**/y.py",
        "char *a, *b = *p;",
        "#tag and #12, -5 degrees, 3.14 and 1.x",
        "---",
        "* * *",
        "+ added\n+ more",
        "| a | b |\n|---|---|",
        "![image](x.png) [x] (y) [a](b c)",
        "&amp; <b>bold</b> <https://x.org>",
        "one ` tick and ``` three",
        "[[]] [[ x ]] [[#part]] [](x)",
        "    indented\n\tby a tab".replace("\t", " " * 8),
        "```\nnever closed",
        "",
    ],
)
def test_text_that_is_not_markdown_looks_unchanged(text: str) -> None:
    assert lines(text) == text.split("\n")
    assert set(styled(text).values()) <= {"$accent"}  # the sign of a list


def test_a_block_of_code_is_quiet_and_unchanged_but_for_its_fences() -> None:
    text = "Before\n```python\ndef f(*a):  # no *heading*\n    - x\n\n~~~\n```\n- after"
    assert lines(text) == ["Before", "python", "def f(*a):  # no *heading*", "    - x", "", "~~~", "• after"]
    assert styled(text)["def f(*a):  # no *heading*"] == "$quiet"


def test_wrapped_rows_of_a_list_hang_below_its_text() -> None:
    assert lines("- one two three four five\n  10. six seven eight nine", 16) == [
        "• one two three", "  four five", "  10. six seven", "      eight nine",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [("see [[rollback]].", "see [[›rollback]]."), ("[May](plans/may.md)", "›May (plans/may.md)")],
)
def test_a_link_to_a_memory_has_a_sign_and_another_one_when_selected(text: str, shown: str) -> None:
    pieces = rendered(text)
    (link,) = links_in(pieces)
    assert link.id in MENTIONS.values()
    assert assembled(pieces).plain.strip() == shown
    assert assembled(pieces, link).plain.strip() == shown.replace("›", "❯")


WORDS = st.sampled_from("make Run x1 snake_case 漢字 a é 2 3.".split())
SIGNS = st.sampled_from(
    [
        *"*_`#[]()|<>-+~!\\\t\n ",
        "**",
        "```",
        "\n```\n",
        "\n- ",
        "\n# ",
        "\n1. ",
        "[[",
        "]]",
        "](",
        "  ",
        "\u3000",
    ]
)


@examples(150)
@given(st.lists(WORDS | SIGNS, max_size=60).map("".join), st.integers(12, 60))
def test_no_word_is_lost_or_moved_and_no_line_is_too_wide(text: str, width: int) -> None:
    shown = lines(text, width)
    assert re.findall(r"\w", "".join(shown)) == re.findall(r"\w", text)
    assert all(cell_len(line) <= width for line in shown)


@pytest.mark.parametrize(
    "text", [*HOSTILE, *(f"# {text}\n- [{text}](x) **{text}**\n`{text}`" for text in HOSTILE)]
)
def test_hostile_text_stays_inert(text: str) -> None:
    content = assembled(rendered(text[:LIMIT]))
    assert not unsafe_characters(content.plain)
    # A style is one that this module names: none comes from the text, and none is a link or an action.
    parts = {"bold", "italic", "underline", "$quiet", "$accent"}
    assert {word for span in content.spans for word in str(span.style).split()} <= parts


@pytest.mark.parametrize(
    "unit",
    ["**a ", "*a*", "`a``b", "[", "[[a", "[a](", "[[a]] ", "```\n", "````a\n```b\n", "x", "漢", " ", "a "],
)
def test_a_huge_text_of_signs_is_rendered(unit: str) -> None:
    text = (unit * LIMIT)[:LIMIT]
    assert re.findall(r"\w", "".join(lines(text, 40))) == re.findall(r"\w", text)
