"""Sentences taken apart where another statement begins: ", the old one was sold", "and nobody has asked"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memtui.memory.contradictions.language.lexicon import lexicon

LONGEST = 1_000  # characters of a sentence that is taken apart
_BREAK = re.compile(r"(?:,\s+(?!since\s)|:\s+|\s+(?=and\s)|,?\s+(?=(?:because|since|after)\s))")
_NEWS = re.compile(
    r"\b(?:left|quit|retired|resigned|moved|broke up|split up|sold|stopped)\b", re.I
)  # "since she left"
_WORD = re.compile(r"[\w'.-]*\w")
# Words with which no statement begins that can stand by itself.
_TIED = frozenset(
    "which who whose whom where when whenever if unless while until till that to or nor than as like "
    "such with without for from of in on at by per under over between among about against including "
    "except especially mostly mainly only also even not never no both either neither after before "
    "since once during despite although though given because so".split()
)
# With these a part begins that only leads to the next: "In May, the team moved".
_LEADS = frozenset(
    "when whenever if unless while until till to with without for from of in on at by per under over "
    "between among about against after before since once during despite although though given "
    "because as".split()
)
_STARTS = frozenset(
    "the a an our its his her their my your this these those nobody everybody everyone somebody "
    "someone people there i we you he she it they all each every one most".split()
)
_PERSONAL = frozenset("i we you he she it they".split())
_DETERMINERS = frozenset(
    "the a an our its his her their my your this that these those each every all".split()
)
_FINITE = frozenset(
    "is are was were has have had does do did will would can could may might must shall should isn't "
    "aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't cannot "
    "couldn't mustn't shouldn't".split()
)
_BE = frozenset("is are was were has have isn't aren't hasn't haven't".split())
_BEHIND = frozenset(
    "it them him her the a an his their our my its every each for about to no up off out on in at "
    "from with only all".split()
)
_OBJECTS = frozenset("it them him her the a an every each all your our".split())
SUBJECT, VERB = "subject", "verb"
_AHEAD = 6  # words in which a subject ends and its verb begins


def statements(sentence: str) -> Iterator[tuple[str, bool]]:
    """The statements that a sentence is made of, and whether one tells only why."""
    if len(sentence) > LONGEST:
        yield sentence, False
        return
    start = 0
    for place in _BREAK.finditer(sentence):
        head, tail = sentence[start : place.start()], sentence[place.end() :]
        if not head.strip():
            continue
        if tail.startswith("because "):
            yield head, False
            yield tail[len("because ") :], True
            return
        cause = next((word for word in ("since ", "after ") if tail.startswith(word)), "")
        if cause and _begins(tail[len(cause) :]) == SUBJECT:
            yield head, False
            yield tail[len(cause) :], _NEWS.search(tail) is None
            return
        bare = tail.removeprefix("and ")
        begun = _begins(bare) if bare != tail or place[0].strip() else ""
        joined = bare != tail and not bare.lower().startswith(_PRONOUNS_FIRST)
        if begun and _stands(head, begun, joined):
            yield head, False
            start = place.end() + len(tail) - len(bare)
    yield sentence[start:], False


def _stands(head: str, begun: str, joined: bool) -> bool:
    """Whether a part tells something by itself: not "In May" of "In May, the team moved", nor "Ana, Bo" of
    "Ana, Bo and Cy are members"."""
    words = [match[0] for match in _WORD.finditer(head)]
    if not words:
        return False
    leads = words[0].lower() in _LEADS and "," not in head
    if leads and begun == SUBJECT:
        return False
    verbal = any(_is_finite(word, before) for before, word in pairwise(["", *words])) or any(
        map(_may_tell, words[: _AHEAD + 1])
    )
    return len(words) > 1 and (verbal or not joined) and (verbal or leads or begun != VERB)


def _may_tell(first: str) -> bool:
    """Whether a part may begin with its verb: "plays cello"."""
    base = lexicon().lemma_of(first.lower())
    return first.endswith(("s", "ed")) and base != first.lower() and lexicon().can_be(base, "v")


def _begins(tail: str) -> str:
    """With what another statement begins here: a SUBJECT with a verb behind it, a VERB, or "" where none
    does."""
    words = [match[0] for match in _WORD.finditer(tail[:120].split(",")[0].split(";")[0])][: _AHEAD + 1]
    if not words or words[0].lower() in _TIED:
        return ""
    first = words[0].lower()
    behind = words[1].lower() if len(words) > 1 else ""
    if first in _PERSONAL and behind:
        return SUBJECT
    if behind not in _TIED and (first in _FINITE or (behind and _is_told(first, behind))):
        return VERB
    if behind in _BE and first not in _STARTS:
        return SUBJECT  # "repo is read-only"
    if first not in _STARTS and not words[0][0].isupper():
        return ""
    told = any(_is_finite(word, words[k]) for k, word in enumerate(words[1:]))
    return SUBJECT if told else ""


def _is_told(first: str, behind: str) -> bool:
    """Whether a part begins with a verb: "hasn't paid", "plays it", "gave up the trumpet"."""
    base = lexicon().lemma_of(first)
    if base == first and lexicon().can_be(first, "v") and behind in _OBJECTS:
        return True  # "leave it off"
    if base == first or first.endswith("ing") or not lexicon().can_be(base, "v"):
        return False
    return not first.endswith(("s", "ed", "en")) or behind in _BEHIND


def _is_finite(word: str, before: str) -> bool:
    """Whether a word is surely a verb with a subject: "took", "is"; not "works" of "the works"."""
    low = word.lower()
    if low in _FINITE:
        return True
    if (before and word[0].isupper()) or before.lower() in _TIED or before.lower() in _DETERMINERS:
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
_PRONOUNS_FIRST = tuple(f"{word} " for word in _PRONOUNS)
