"""How much of a question a text says."""

from __future__ import annotations

from memtui.memory.ranking import asked, overlap, telling


def test_a_last_word_that_carries_no_meaning_is_not_looked_for() -> None:
    question = asked(telling("tea with"), lambda word: 0.1, last="with", many=False)
    assert overlap(question, "Tea without sugar.") == (1.0, 0.0, ("tea",))


def test_a_last_word_is_found_where_another_word_begins_with_it() -> None:
    question = asked(telling("tea sug"), lambda word: 0.1, last="sug", many=False)
    assert overlap(question, "Tea without sugar.") == (1.0, 0.0, ("tea", "sug"))
