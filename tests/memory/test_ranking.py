"""Ranking: how much of a query a text contains."""

from __future__ import annotations

from memtui.memory.ranking import significant_terms, term_coverage, weigh_terms


def test_a_last_word_without_meaning_is_ignored() -> None:
    question = weigh_terms(significant_terms("tea with"), lambda word: 0.1, last="with", many=False)
    assert term_coverage(question, "Tea without sugar.") == (1.0, 0.0, ("tea",))


def test_the_last_word_matches_as_a_prefix() -> None:
    question = weigh_terms(significant_terms("tea sug"), lambda word: 0.1, last="sug", many=False)
    assert term_coverage(question, "Tea without sugar.") == (1.0, 0.0, ("tea", "sug"))
