"""Where two texts clash, sentence by sentence."""

from __future__ import annotations

from memtui.memory.contradictions.passages import conflicting_sentences, sentence_at

LONG = "Clients reconnect. " * 40


def told(a: str, b: str, *words: str) -> tuple[str | None, ...]:
    spans = conflicting_sentences(a, b, (words[0], words[1]))
    return tuple(span and text[slice(*span)] for text, span in zip((a, b), spans, strict=True))


def test_a_sentence_ends_at_its_stop_or_its_line() -> None:
    text = "It ships.\nCI (on v0.4) is slow! Ana knows"
    found = [text[slice(*sentence_at(text, text.index(word)))] for word in ("It", "slow", "knows")]
    assert found == ["It ships.", "CI (on v0.4) is slow!", "Ana knows"]


def test_of_many_places_of_a_word_the_two_sentences_most_alike_clash() -> None:
    a = f"It is not new. {LONG}Tokens are not kept on disk. The end."
    b = f"{LONG}Tokens are kept on disk. Nothing is kept of the rest."
    assert told(a, b, "not", "kept") == ("Tokens are not kept on disk.", "Tokens are kept on disk.")


def test_a_word_is_found_in_any_case_and_over_a_line_break_but_never_within_another() -> None:
    assert told("Always net\n30 days.", "Now NET 30.", "net 30", "net 30") == (
        "Always net\n30 days.",
        "Now NET 30.",
    )
    assert told("notes", "a note", "not", "note") == (None, "a note")
    assert told("a", "b", "", "b") == (None, "b")
