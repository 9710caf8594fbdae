"""Stored text on the screen: everything is visible, nothing reaches the terminal as a control (S-92)."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.errors import NotSaved
from memtui.text import LIMIT, after_colon, clean_text, counted, is_clean, masked, safe_text, screen_text

BIDI = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
ANY_TEXT = st.text(st.characters())


def hostile(text: str) -> set[str]:
    """Return the characters of `text` that a terminal may act on."""
    return {
        char
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t") or char in BIDI
    }


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\tand a tab", "größer 咖啡", "[/] [bold]x[/bold]"])
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert safe_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("a\x07b", "a␇b"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;AAAA\x07", "␛]52;c;AAAA␇"),
        ("a\x7fb", "a␡b"),
        ("a\x9b31mb", "a⟨009B⟩31mb"),
        ("a\x85b", "a⟨0085⟩b"),
        ("user\u202egpj.exe", "user⟨202E⟩gpj.exe"),
        ("a\u2066b\u2069", "a⟨2066⟩b⟨2069⟩"),
        ("pass\u200bword", "pass⟨200B⟩word"),
        ("soft\u00adhyphen", "soft⟨00AD⟩hyphen"),
        ("\ufeffhead", "⟨FEFF⟩head"),
        ("a\u2028b", "a⟨2028⟩b"),
        ("tag\U000e0041", "tag⟨E0041⟩"),
        ("half\ud800", "half⟨D800⟩"),
        ("back\x08space", "back␈space"),
    ],
)
def test_controls_become_visible(text: str, shown: str) -> None:
    assert safe_text(text) == shown
    assert not is_clean(text)


def test_line_endings_of_every_system_become_newlines() -> None:
    assert safe_text("a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_one_line_joins_lines_and_tabs() -> None:
    assert safe_text("a\r\n\r\n\tb\nc\td", one_line=True) == "a b c d"


def test_long_text_is_cut_with_an_ellipsis() -> None:
    assert safe_text("x" * LIMIT) == "x" * LIMIT
    assert safe_text("x" * (LIMIT + 1)) == "x" * LIMIT + "…"
    assert safe_text("abcdef", limit=3) == "abc…"


@pytest.mark.parametrize("emoji", ["👩‍🔬", "👨‍👩‍👧", "🏳️‍🌈", "❤️‍🔥", "👩🏽‍⚕️"])
def test_emoji_keep_their_joiners(emoji: str) -> None:
    assert safe_text(emoji) == emoji


def test_a_joiner_that_joins_nothing_becomes_visible() -> None:
    assert safe_text("pass\u200dword") == "pass⟨200D⟩word"


@pytest.mark.parametrize(
    "text", ["1\ufe0f\u20e3", "#\ufe0f\u20e3", "❤\ufe0f", "ℹ\ufe0f", "©\ufe0f", "⏏\ufe0f"]
)
def test_a_variation_selector_stays_after_an_emoji(text: str) -> None:
    assert safe_text(text) == text
    assert is_clean(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\ufe0f", "a⟨FE0F⟩"),
        ("\ufe0f", "⟨FE0F⟩"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f⟨FE0F⟩"),
        ("a\ufe0f\u200d👩", "a⟨FE0F⟩⟨200D⟩👩"),
        ("1\ufe0f\u200d👩", "1\ufe0f⟨200D⟩👩"),
        ("👩\u200d\u200d👩", "👩⟨200D⟩⟨200D⟩👩"),
    ],
)
def test_selectors_and_joiners_elsewhere_become_visible(text: str, shown: str) -> None:
    assert safe_text(text) == shown
    assert not is_clean(text)


# Default_Ignorable_Code_Point of Unicode 15 beyond what the categories say, and noncharacters.
IGNORED = {
    0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2065, 0x3164, *range(0xFE00, 0xFE10),
    0xFFA0, *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000),
    0xFFFE, 0xFFFF,
}  # fmt: skip
# Format characters that are newer than the unicodedata of Python 3.11.
NEWER = {*range(0x13430, 0x13440)}


def test_the_ranges_agree_with_unicodedata() -> None:
    points = range(sys.maxunicode + 1)
    acting = {n for n in points if unicodedata.category(chr(n)) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    parts = (points[start : start + 256] for start in points[::256])
    doubtful = (part for part in parts if not is_clean("".join(map(chr, part))))
    shown = {n for part in doubtful for n in part if not is_clean(chr(n))}
    assert acting - {ord("\n"), ord("\t")} <= shown
    assert shown <= acting | IGNORED | NEWER
    assert shown >= IGNORED | NEWER


@given(st.text(st.sampled_from("a1\n\r\t\ufe0f\u200d👩❤🏽\u202e\x1b\u3164")))
def test_is_clean_agrees_with_safe_text(text: str) -> None:
    assert is_clean(text) == (safe_text(text) == text.replace("\r\n", "\n"))
    cleaned = clean_text(text)
    assert is_clean(cleaned)
    assert safe_text(cleaned) == cleaned
    assert len(masked(text)) == len(text)
    once = safe_text(text)
    assert safe_text(once) == once
    assert is_clean(once)


def test_no_single_control_character_gets_through() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert hostile(safe_text(everything, limit=len(everything))) == set()


@given(ANY_TEXT, st.booleans(), st.integers(0, 50))
def test_no_control_character_of_any_text_gets_through(text: str, one_line: bool, limit: int) -> None:
    shown = safe_text(text, one_line=one_line, limit=limit)
    assert hostile(shown) == set()
    if one_line:
        assert len(shown.splitlines()) <= 1
        assert "\t" not in shown


@given(ANY_TEXT)
def test_safe_text_is_idempotent(text: str) -> None:
    once = safe_text(text)
    assert safe_text(once) == once


@given(ANY_TEXT)
def test_clean_text_is_unchanged(text: str) -> None:
    if is_clean(text):
        assert safe_text(text) == text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ❤\ufe0f b", "a ❤ b"),
        ("1\ufe0f\u20e3 first", "1 first"),
        ("👩\u200d🔬", "👩🔬"),
        ("👍🏽", "👍"),
        ("🇩🇪", "DE"),
        ("plain ✓ äöü 日本", "plain ✓ äöü 日本"),
        ("pass\u200dword", "pass⟨200D⟩word"),
    ],
)
def test_emoji_on_the_screen_have_the_width_that_all_terminals_agree_on(text: str, shown: str) -> None:
    assert screen_text(text) == shown
    assert cell_len(screen_text(text)) == sum(cell_len(character) for character in shown)


def test_counts_use_singular_or_plural() -> None:
    assert counted(1, "memory") == "1 memory"
    assert counted(0, "row") == "0 rows"
    assert counted(7, "day") == "7 days"
    assert counted(1284, "memory") == "1,284 memories"
    assert counted(1, "file lies", "files lie") == "1 file lies"
    assert counted(2, "file lies", "files lie") == "2 files lie"


@pytest.mark.parametrize(
    ("reason", "behind"),
    [
        ("Opened with --read-only.", "opened with --read-only."),
        ("The disk is full.", "the disk is full."),
        ("It is no longer in its store.", "it is no longer in its store."),
        ("MCP memory can't hold it.", "MCP memory can't hold it."),
        ("Acme is detached.", "Acme is detached."),
        ("A replaces B.", "A replaces B."),
        ("the memory is gone.", "the memory is gone."),
        ("", ""),
    ],
)
def test_a_reason_behind_a_colon_begins_in_lower_case_unless_with_a_name(reason: str, behind: str) -> None:
    assert after_colon(reason) == behind
    assert NotSaved("x", reason).message == f"Not saved: {behind}"
