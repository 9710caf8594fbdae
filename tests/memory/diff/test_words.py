"""Which words differ, as a person would underline them."""

from __future__ import annotations

import random

import pytest

from memtui.memory.diff import words
from memtui.memory.diff.words import all_differs, differing


def marked(a: str, b: str) -> tuple[str, str]:
    one, other = ("".join(f"[{text}]" if only else text for text, only in each) for each in differing(a, b))
    return one, other


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The project supports CPython [3.12] and newer.", "The project supports CPython [3.11] and newer."),
        ("Ana prefers [tea].", "Ana prefers [coffee and cake]"),
        ("Deploys on Friday", "Deploys [never] on Friday"),
        ("A follows B", "a  follows\nb."),
        ("uses [C] daily", "uses [C++] daily"),
        ("at [-5] degrees", "at [5] degrees"),
        ("東京[に]住む", "東京[で]住む"),
        ("[in the office of Bo]", "[at the house of Cy]"),
        ("(“[left]”, he said)", "(“[right]”, he said)"),
        ("", ""),
        ("", "[all of it]"),
        ("…", "…"),
    ],
)
def test_what_differs_is_marked(a: str, b: str) -> None:
    assert marked(a.replace("[", "").replace("]", ""), b.replace("[", "").replace("]", "")) == (a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Tests [may use the] network.", "Network [access is forbidden in] tests."),
        ("It starts at 04:15 every night.", "Every night at 04:15 it starts."),
        ("X is [3], Y is [5]", "X is [5], Y is [3]"),  # numbers
        ("[not] tea but coffee", "tea but [not] coffee"),  # and denials weigh where they stand
        ("[in the office of Bo]", "[at the house of Cy]"),
    ],
)
def test_what_only_stands_elsewhere_can_be_left_unmarked(a: str, b: str) -> None:
    plain = [text.replace("[", "").replace("]", "") for text in (a, b)]
    one, other = differing(*plain, moved=False)
    assert ["".join(f"[{text}]" if only else text for text, only in each) for each in (one, other)] == [a, b]


def test_texts_without_a_common_word_are_told_apart_from_others() -> None:
    assert all_differs(differing("tea at noon", "coffee, mornings")[0])
    assert not all_differs(differing("tea at noon", "coffee at noon")[0])


def test_the_pieces_are_the_text_again_whatever_it_holds() -> None:
    chance = random.Random(5)
    signs = "ab .,[]\n\t“é日本\u200b👩‍💻-'0"
    for _ in range(500):
        a, b = ("".join(chance.choices(signs, k=chance.randrange(60))) for _ in range(2))
        one, other = differing(a, b)
        assert "".join(text for text, _ in one) == a
        assert "".join(text for text, _ in other) == b
        assert marked(a, a)[0] == a


def test_of_long_texts_the_order_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty thousand characters of words that repeat: to align them takes longer than a person waits."""
    chance = random.Random(6)
    a, b = (" ".join(chance.choices(["the", "red", "fox", "no", "2"], k=5_000)) for _ in range(2))
    aligned, asked = words._aligned, list[int]()

    def noted(one: list[str], two: list[str]) -> tuple[list[bool], list[bool]]:
        asked.append(len(one) * len(two))
        return aligned(one, two)

    monkeypatch.setattr(words, "_aligned", noted)
    one, _other = differing(a, b)
    differing("the red fox", "the brown fox")
    assert asked
    assert max(asked) <= words.MOST
    assert "".join(text for text, _ in one) == a
    assert marked(a, f"{a} end")[1].endswith("[end]")
