"""Stored text on the screen: everything visible, nothing acts (S-92)."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.text import LIMIT, is_clean, safe_text

BIDI = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
ANY_TEXT = st.text(st.characters())


def hostile(text: str) -> set[str]:
    """The characters of `text` that a terminal may act on."""
    return {
        char
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t") or char in BIDI
    }


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\tand a tab", "größer 咖啡", "[/] [bold]x[/bold]"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
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
def test_what_could_act_is_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown
    assert not is_clean(text)


def test_line_ends_of_every_system_are_line_ends() -> None:
    assert safe_text("a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_one_line_is_one_line() -> None:
    assert safe_text("a\r\n\r\n\tb\nc\td", one_line=True) == "a b c d"


def test_long_text_is_cut_and_says_so() -> None:
    assert safe_text("x" * LIMIT) == "x" * LIMIT
    assert safe_text("x" * (LIMIT + 1)) == "x" * LIMIT + "…"
    assert safe_text("abcdef", limit=3) == "abc…"


@pytest.mark.parametrize("emoji", ["👩‍🔬", "👨‍👩‍👧", "🏳️‍🌈", "❤️‍🔥", "👩🏽‍⚕️"])
def test_emoji_keep_their_joiners(emoji: str) -> None:
    assert safe_text(emoji) == emoji


def test_a_joiner_that_joins_nothing_is_shown() -> None:
    assert safe_text("pass\u200dword") == "pass⟨200D⟩word"


def test_no_single_character_gets_through() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert hostile(safe_text(everything, limit=len(everything))) == set()


@given(ANY_TEXT, st.booleans(), st.integers(0, 50))
def test_no_text_gets_through(text: str, one_line: bool, limit: int) -> None:
    shown = safe_text(text, one_line=one_line, limit=limit)
    assert hostile(shown) == set()
    if one_line:
        assert len(shown.splitlines()) <= 1
        assert "\t" not in shown


@given(ANY_TEXT)
def test_what_is_shown_is_shown_the_same_again(text: str) -> None:
    once = safe_text(text)
    assert safe_text(once) == once


@given(ANY_TEXT)
def test_clean_text_is_shown_as_it_is(text: str) -> None:
    if is_clean(text):
        assert safe_text(text) == text.replace("\r\n", "\n")
