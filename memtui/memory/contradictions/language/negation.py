"""Finds what a clause negates, and by which word."""

from __future__ import annotations

from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    NEGATING_VERBS,
    NEGATIVE_ADJECTIVES,
    NEGATORS,
    NON_NEGATING_PHRASES,
    STOP_WORDS,
)


def find_negation(tokens: list[Token]) -> tuple[bool, str, set[int]]:
    """Return whether a clause is negated, the negating word, and the indices of the words that negate."""
    count, negator, last = 0, "", -1
    indices: set[int] = set()
    for index, token in enumerate(tokens):
        low = token.low
        following = [t.low for t in tokens[index + 1 : index + 3]]
        if low in NEGATORS:
            indices.add(index)
            phrase = " ".join([low, *following]) + " "
            if any(phrase.startswith(each + " ") for each in NON_NEGATING_PHRASES):
                continue
            if index and f"{tokens[index - 1].low} {low}" in NON_NEGATING_PHRASES:
                continue
            if low == "no" and following[:1] == ["longer"]:
                indices.add(index + 1)
            if low in ("nor", "neither") and count:
                continue
            if not following and index and tokens[index - 1].low in ("and", "or"):
                continue  # one of a list: "auto, always and never"
            if last < 0 or not _has_boundary(tokens[last:index]):
                count += 1  # "does not sing and does not dance" negates both once
            negator, last = negator or token.text, index
        elif (
            low == "against"
            and index
            and tokens[index - 1].lemma in _DECIDING_VERBS
            and following[:1]
            and following[0].endswith("ing")
        ):
            indices |= {index - 1, index}
            count, negator, last = count + 1, negator or token.text, index
        elif low in NEGATIVE_ADJECTIVES:
            indices.add(index)
            count += 1
            negator = negator or token.text
        elif token.lemma in NEGATING_VERBS and _is_negating_verb(token, tokens, index):
            indices.add(index)
            if token.lemma == "use":  # "used to"
                indices.add(index + 1)
            if last < 0 or not _has_boundary(tokens[last:index]):
                count += 1
            negator, last = negator or token.text, index
    return count % 2 == 1, negator, indices


_CONJUNCTIONS = frozenset("and or nor but".split())


def _has_boundary(tokens: list[Token]) -> bool:
    """Whether another statement begins within these words."""
    return any(token.comma or token.low in _CONJUNCTIONS for token in tokens)


_DECIDING_VERBS = frozenset("decide vote rule opt".split())
_BE = frozenset("was were been being is are be get got".split())
_ENDING_VERBS = frozenset(
    """
    give drop remove delete cancel terminate sell skip omit abolish scrap ditch decommission retire
    """.split()
) | {"give up", "shut down", "close down"}


_OBJECTS = frozenset("the a an his her their our its all this that these those your".split())


def is_gone(tokens: list[Token], indices: set[int]) -> bool:
    """Whether a clause says that its subject is gone: "support was dropped"."""
    index = min(indices, default=0)
    return index > 0 and tokens[index].lemma in _ENDING_VERBS and tokens[index - 1].low in _BE


def _is_negating_verb(token: Token, tokens: list[Token], index: int) -> bool:
    following_word = tokens[index + 1].low if index + 1 < len(tokens) else ""
    previous = tokens[index - 1].low if index else ""
    if token.lemma == "use":
        return (
            token.low == "used"
            and following_word == "to"
            and previous not in ("is", "are", "was", "be", "get", "got", "am")
        )
    if token.lemma in ("stop", "quit", "cease", "finish"):
        return following_word.endswith("ing") or token.lemma in ("quit",)
    if token.lemma in ("refuse", "decline", "fail"):
        return following_word == "to"
    if token.lemma in _ENDING_VERBS and previous in _BE:
        preceding = {each.low for each in tokens[:index]}
        return (
            previous in ("was", "were", "been")
            and following_word != "by"
            and not preceding & {"can", "only", "may", "when"}
        )
    if token.lemma in _ENDING_VERBS and (following_word in STOP_WORDS and following_word not in _OBJECTS):
        return False  # "retired in 2020"
    if token.lemma in _ENDING_VERBS:
        return bool(following_word) and (token.low != token.lemma or token.lemma in ("skip", "omit"))
    return (bool(following_word) and previous not in ("to", "not")) or previous == ""
