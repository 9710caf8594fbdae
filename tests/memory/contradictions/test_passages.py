"""The conflicting sentences of two texts."""

from __future__ import annotations

from memtui.memory.contradictions.passages import conflicting_sentences, sentence_at

LONG = "Clients reconnect. " * 40


def conflicting(a: str, b: str, *words: str) -> tuple[str | None, ...]:
    spans = conflicting_sentences(a, b, (words[0], words[1]))
    return tuple(span and text[slice(*span)] for text, span in zip((a, b), spans, strict=True))


def test_a_sentence_ends_at_punctuation_or_a_line_break() -> None:
    text = "It ships.\nCI (on v0.4) is slow! Ana knows"
    found = [text[slice(*sentence_at(text, text.index(word)))] for word in ("It", "slow", "knows")]
    assert found == ["It ships.", "CI (on v0.4) is slow!", "Ana knows"]


def test_of_several_occurrences_the_most_similar_sentences_are_chosen() -> None:
    a = f"It is not new. {LONG}Tokens are not kept on disk. The end."
    b = f"{LONG}Tokens are kept on disk. Nothing is kept of the rest."
    assert conflicting(a, b, "not", "kept") == ("Tokens are not kept on disk.", "Tokens are kept on disk.")


def test_words_are_found_in_any_case_and_across_lines_but_not_inside_others() -> None:
    assert conflicting("Always net\n30 days.", "Now NET 30.", "net 30", "net 30") == (
        "Always net\n30 days.",
        "Now NET 30.",
    )
    assert conflicting("notes", "a note", "not", "note") == (None, "a note")
    assert conflicting("a", "b", "", "b") == (None, "b")
