"""The relevance floor: which candidates are answers, and which are only related."""

from __future__ import annotations

import pytest

from memtui.memory.floor import split_by_relevance
from memtui.memory.ranking import Candidate


def candidate(
    id: int, relevance: float, *matched: str, words: float = 0.0, cosine: float | None = 0.3
) -> Candidate:
    return Candidate(id, "", 0.0, cosine, words, 0.0, matched, relevance=relevance)


def split(
    candidates: list[Candidate], tokens_per_word: float = 1.0, pinned: tuple[int, ...] = ()
) -> tuple[list[int], list[int]]:
    answers, related = split_by_relevance(candidates, lambda: tokens_per_word, pinned)
    return [each.id for each in answers], [each.id for each in related]


def test_a_text_without_a_query_word_needs_a_high_relevance() -> None:
    candidates = [
        candidate(1, 0.6, "tea"),
        candidate(2, 0.4),
        candidate(3, 0.25),
        candidate(4, 0.3),
        candidate(5, 0.1),
    ]
    assert split(candidates) == ([1, 2, 4], [3])


def test_few_words_with_another_meaning_are_only_related() -> None:
    weak, strong = (
        candidate(2, 0.25, "use", words=0.2, cosine=0.1),
        candidate(3, 0.2, "tea", words=0.7, cosine=0.0),
    )
    assert split([candidate(1, 0.6, "tea"), weak, strong]) == ([1, 3], [2])
    not_embedded = candidate(4, 0.05, "use", words=0.2, cosine=None)
    assert split([strong, not_embedded]) == ([3], [4])


@pytest.mark.parametrize(
    ("relevance", "tokens_per_word", "expected"),
    [(0.41, 1.0, "answers"), (0.37, 1.0, "related"), (0.2, 1.0, ""), (0.46, 2.5, ""), (0.52, 2.5, "answers")],
)
def test_without_any_word_match_the_floor_is_higher_and_highest_for_unknown_words(
    relevance: float, tokens_per_word: float, expected: str
) -> None:
    result = split([candidate(1, relevance)], tokens_per_word)
    assert result == {"answers": ([1], []), "related": ([], [1]), "": ([], [])}[expected]


def test_pinned_candidates_are_always_answers() -> None:
    assert split([candidate(1, 0.0)], 9.0, (1,)) == ([1], [])
