"""Word diff: which words differ between two texts."""

from __future__ import annotations

import random

import pytest

from memtui.memory.diff import words
from memtui.memory.diff.words import compare_words, differs_completely


def marked(a: str, b: str) -> tuple[str, str]:
    first, second = (
        "".join(f"[{text}]" if differs else text for text, differs in parts) for parts in compare_words(a, b)
    )
    return first, second


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
def test_differing_words_are_marked(a: str, b: str) -> None:
    assert marked(a.replace("[", "").replace("]", ""), b.replace("[", "").replace("]", "")) == (a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Tests [may use the] network.", "Network [access is forbidden in] tests."),
        ("It starts at 04:15 every night.", "Every night at 04:15 it starts."),
        ("X is [3], Y is [5]", "X is [5], Y is [3]"),  # numbers
        ("[not] tea but coffee", "tea but [not] coffee"),  # and negations depend on their position
        ("[in the office of Bo]", "[at the house of Cy]"),
    ],
)
def test_moved_words_can_be_left_unmarked(a: str, b: str) -> None:
    plain = [text.replace("[", "").replace("]", "") for text in (a, b)]
    first, second = compare_words(*plain, moved=False)
    assert [
        "".join(f"[{text}]" if differs else text for text, differs in parts) for parts in (first, second)
    ] == [a, b]


def test_texts_without_a_common_word_differ_completely() -> None:
    assert differs_completely(compare_words("tea at noon", "coffee, mornings")[0])
    assert not differs_completely(compare_words("tea at noon", "coffee at noon")[0])


def test_the_parts_always_join_to_the_text() -> None:
    chance = random.Random(5)
    characters = "ab .,[]\n\t“é日本\u200b👩‍💻-'0"
    for _ in range(500):
        a, b = ("".join(chance.choices(characters, k=chance.randrange(60))) for _ in range(2))
        first, second = compare_words(a, b)
        assert "".join(text for text, _ in first) == a
        assert "".join(text for text, _ in second) == b
        assert marked(a, a)[0] == a


def test_long_texts_are_not_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    """To align twenty thousand characters of repeated words would take too long."""
    chance = random.Random(6)
    a, b = (" ".join(chance.choices(["the", "red", "fox", "no", "2"], k=5_000)) for _ in range(2))
    aligned, sizes = words._aligned, list[int]()

    def recorded(first: list[str], second: list[str]) -> tuple[list[bool], list[bool]]:
        sizes.append(len(first) * len(second))
        return aligned(first, second)

    monkeypatch.setattr(words, "_aligned", recorded)
    first, _second = compare_words(a, b)
    compare_words("the red fox", "the brown fox")
    assert sizes
    assert max(sizes) <= words.MAX_ALIGNED
    assert "".join(text for text, _ in first) == a
    assert marked(a, f"{a} end")[1].endswith("[end]")
