"""Control characters are escaped, and every text can be read back."""

from __future__ import annotations

import random

from memtui.export.inert_text import decoded, encoded


def test_plain_text_and_paths_stay_as_they_are() -> None:
    for text in ("Tea, not coffee.\n\tC:\\users\\ana \\u12", "café 🍵 … «x»", ""):
        assert encoded(text) == text == decoded(text)


def test_nothing_that_a_terminal_obeys_gets_through() -> None:
    unsafe = "\x1b[31m \x9b \x07 \x7f \u202e \u2066 \u200b \u2028 \r \0 \ud800"
    shown = encoded(unsafe)
    assert shown.isascii()
    assert shown.isprintable()
    assert decoded(shown) == unsafe


def test_nothing_is_hidden_in_what_is_drawn_as_nothing() -> None:
    """Variation selectors can spell a whole text behind one letter."""
    for hidden in ("\u115f", "\u3164", "\u180e", "\ufe01", "\ufff9", "\U000e0101", "\U000e01ef"):
        shown = encoded(f"a{hidden}")
        assert shown.isascii()
        assert decoded(shown) == f"a{hidden}"
    for needed in ("❤️", "👩‍🔬", "می‌خواهم"):
        assert encoded(needed) == needed


def test_every_text_can_be_read_back() -> None:
    pick = random.Random(3)
    parts = ["\\", "u", "U", "001b", "\\u001b", "\\U000e0041", "\U000e0041", "\x1b", "\u202e", "a", "\n"]
    for _ in range(3_000):
        text = "".join(pick.choice(parts) for _ in range(pick.randint(0, 9)))
        assert decoded(encoded(text)) == text
