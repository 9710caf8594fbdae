"""Splits sentences where another statement starts: ", the old one was sold", "and nobody has asked"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memtui.memory.contradictions.language.lexicon import lexicon

MAX_SENTENCE = 1_000  # characters of a sentence that is split
_BREAK = re.compile(r"(?:,\s+(?!since\s)|:\s+|\s+(?=and\s)|,?\s+(?=(?:because|since|after)\s))")
_CHANGE_VERBS = re.compile(
    r"\b(?:left|quit|retired|resigned|moved|broke up|split up|sold|stopped)\b", re.I
)  # "since she left"
_WORD = re.compile(r"[\w'.-]*\w")
# Words with which no independent statement starts.
_NON_STARTERS = frozenset(
    "which who whose whom where when whenever if unless while until till that to or nor than as like "
    "such with without for from of in on at by per under over between among about against including "
    "except especially mostly mainly only also even not never no both either neither after before "
    "since once during despite although though given because so".split()
)
# Words that start a part which only leads to the next: "In May, the team moved".
_SUBORDINATORS = frozenset(
    "when whenever if unless while until till to with without for from of in on at by per under over "
    "between among about against after before since once during despite although though given "
    "because as".split()
)
_STARTS = frozenset(
    "the a an our its his her their my your this these those nobody everybody everyone somebody "
    "someone people there i we you he she it they all each every one most".split()
)
_PERSONAL_PRONOUNS = frozenset("i we you he she it they".split())
_DETERMINERS = frozenset(
    "the a an our its his her their my your this that these those each every all".split()
)
_FINITE = frozenset(
    "is are was were has have had does do did will would can could may might must shall should isn't "
    "aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't cannot "
    "couldn't mustn't shouldn't".split()
)
_BE = frozenset("is are was were has have isn't aren't hasn't haven't".split())
_VERB_COMPLEMENTS = frozenset(
    "it them him her the a an his their our my its every each for about to no up off out on in at "
    "from with only all".split()
)
_OBJECTS = frozenset("it them him her the a an every each all your our".split())
_SUBJECT_START, _VERB_START = "subject", "verb"
_MAX_LOOKAHEAD = 6  # words within which a subject is followed by its verb


def statements(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the statements of a sentence, and whether each only gives a cause."""
    if len(sentence) > MAX_SENTENCE:
        yield sentence, False
        return
    start = 0
    for match in _BREAK.finditer(sentence):
        head, tail = sentence[start : match.start()], sentence[match.end() :]
        if not head.strip():
            continue
        if tail.startswith("because "):
            yield head, False
            yield tail[len("because ") :], True
            return
        cause = next((word for word in ("since ", "after ") if tail.startswith(word)), "")
        if cause and _start_of_statement(tail[len(cause) :]) == _SUBJECT_START:
            yield head, False
            yield tail[len(cause) :], _CHANGE_VERBS.search(tail) is None
            return
        rest = tail.removeprefix("and ")
        start_kind = _start_of_statement(rest) if rest != tail or match[0].strip() else ""
        joined = rest != tail and not rest.lower().startswith(_PRONOUN_STARTS)
        if start_kind and _is_complete(head, start_kind, joined):
            yield head, False
            start = match.end() + len(tail) - len(rest)
    yield sentence[start:], False


def _is_complete(head: str, start_kind: str, joined: bool) -> bool:
    """Whether a part is a statement of its own: not "In May" of "In May, the team moved", nor "Ana, Bo" of
    "Ana, Bo and Cy are members"."""
    words = [match[0] for match in _WORD.finditer(head)]
    if not words:
        return False
    subordinate = words[0].lower() in _SUBORDINATORS and "," not in head
    if subordinate and start_kind == _SUBJECT_START:
        return False
    has_verb = any(_is_finite(word, previous) for previous, word in pairwise(["", *words])) or any(
        map(_may_be_verb, words[: _MAX_LOOKAHEAD + 1])
    )
    return (
        len(words) > 1 and (has_verb or not joined) and (has_verb or subordinate or start_kind != _VERB_START)
    )


def _may_be_verb(first: str) -> bool:
    """Whether a part may start with its verb: "plays cello"."""
    base = lexicon().lemma_of(first.lower())
    return first.endswith(("s", "ed")) and base != first.lower() and lexicon().can_be(base, "v")


def _start_of_statement(tail: str) -> str:
    """Return how a part starts as a statement: with a subject and its verb, with a verb, or "" if it is
    none."""
    words = [match[0] for match in _WORD.finditer(tail[:120].split(",")[0].split(";")[0])][
        : _MAX_LOOKAHEAD + 1
    ]
    if not words or words[0].lower() in _NON_STARTERS:
        return ""
    first = words[0].lower()
    second = words[1].lower() if len(words) > 1 else ""
    if first in _PERSONAL_PRONOUNS and second:
        return _SUBJECT_START
    if second not in _NON_STARTERS and (first in _FINITE or (second and _starts_with_verb(first, second))):
        return _VERB_START
    if second in _BE and first not in _STARTS:
        return _SUBJECT_START  # "repo is read-only"
    if first not in _STARTS and not words[0][0].isupper():
        return ""
    has_verb = any(_is_finite(word, words[k]) for k, word in enumerate(words[1:]))
    return _SUBJECT_START if has_verb else ""


def _starts_with_verb(first: str, second: str) -> bool:
    """Whether a part starts with a verb: "hasn't paid", "plays it", "gave up the trumpet"."""
    base = lexicon().lemma_of(first)
    if base == first and lexicon().can_be(first, "v") and second in _OBJECTS:
        return True  # "leave it off"
    if base == first or first.endswith("ing") or not lexicon().can_be(base, "v"):
        return False
    return not first.endswith(("s", "ed", "en")) or second in _VERB_COMPLEMENTS


def _is_finite(word: str, previous: str) -> bool:
    """Whether a word is surely a verb with a subject: "took", "is"; not "works" of "the works"."""
    low = word.lower()
    if low in _FINITE:
        return True
    if (
        (previous and word[0].isupper())
        or previous.lower() in _NON_STARTERS
        or previous.lower() in _DETERMINERS
    ):
        return False
    base = lexicon().lemma_of(low)
    if (
        base == low
        or low.endswith("ing")
        or low in ("included", "excluded", "excepted")
        or not lexicon().can_be(base, "v")
    ):
        return False
    return not lexicon().can_be(base, "n") or not low.endswith("s")


_PRONOUNS = frozenset(
    "i we you he she it they nobody everybody everyone somebody someone there people".split()
)
_PRONOUN_STARTS = tuple(f"{word} " for word in _PRONOUNS)
