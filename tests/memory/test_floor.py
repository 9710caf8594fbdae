"""Where answers end."""

from __future__ import annotations

import pytest

from memtui.memory.floor import sift
from memtui.memory.ranking import Candidate


def one(id: int, near: float, *matched: str, words: float = 0.0, cosine: float | None = 0.3) -> Candidate:
    return Candidate(id, "", 0.0, cosine, words, 0.0, matched, near=near)


def sifted(
    found: list[Candidate], pieces: float = 1.0, held: tuple[int, ...] = ()
) -> tuple[list[int], list[int]]:
    answers, related = sift(found, lambda: pieces, held)
    return [each.id for each in answers], [each.id for each in related]


def test_what_says_no_word_answers_only_if_it_is_near() -> None:
    found = [one(1, 0.6, "tea"), one(2, 0.4), one(3, 0.25), one(4, 0.3), one(5, 0.1)]
    assert sifted(found) == ([1, 2, 4], [3])


def test_a_few_words_that_mean_something_else_are_only_related() -> None:
    weak, most = one(2, 0.25, "use", words=0.2, cosine=0.1), one(3, 0.2, "tea", words=0.7, cosine=0.0)
    assert sifted([one(1, 0.6, "tea"), weak, most]) == ([1, 3], [2])
    unread = one(4, 0.05, "use", words=0.2, cosine=None)
    assert sifted([most, unread]) == ([3], [4])


@pytest.mark.parametrize(
    ("near", "pieces", "where"),
    [(0.41, 1.0, "answers"), (0.37, 1.0, "related"), (0.2, 1.0, ""), (0.46, 2.5, ""), (0.52, 2.5, "answers")],
)
def test_where_nothing_says_a_word_more_is_asked_and_most_of_broken_words(
    near: float, pieces: float, where: str
) -> None:
    found = sifted([one(1, near)], pieces)
    assert found == {"answers": ([1], []), "related": ([], [1]), "": ([], [])}[where]


def test_what_is_held_answers_whatever_it_says() -> None:
    assert sifted([one(1, 0.0)], 9.0, (1,)) == ([1], [])
