"""What a thing has, or has not: "no heating, no running water", "has running water"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.apart import elsewhere, scoped_apart
from memtui.memory.contradictions.states.two import Comparison, other_heads, sides

_MOST = 8  # things in one clause
_OF_IT = r"(?:an? |any |the |its own |their own |one |two |three |four |\d+ )?"
_PHRASE = r"((?:[\w-]+ ){0,2}[\w-]+)"
_NO = re.compile(rf"\b(?:no|without(?: any)?|lacks?)(?= {_OF_IT}{_PHRASE})")
_HAS = re.compile(
    r"\b(?:has|have|there (?:is|are)|comes with|includes?|contains?|offers?|employs?|equipped with) "
    rf"{_OF_IT}{_PHRASE}"
)
_DENIED = re.compile(r"(?:has|have|there is|there are) no\b")
_ENDS = frozenset(
    "and or nor but in on at of for with from to by as since until after before when if that which "
    "who where is are was were has have had yet any more longer left so than".split()
)
_NO_THINGS = frozenset(
    "idea problem need plan time way thing one reason longer more use rule limit change news sign "
    "doubt effect chance access matter interest right trouble point part say".split()
)


def read(text: str) -> Iterator[Fact]:
    low = text.lower()
    lacking = dict(_things(_NO, low))
    for thing, said in list(lacking.items())[:_MOST]:
        yield Fact(f"having {thing}", False, said)
    for thing, said in list(_things(_HAS, low))[:_MOST]:
        if thing not in lacking and not said.startswith("no "):
            yield Fact(f"having {thing}", True, said)


def _things(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """The things that are named behind, by their last word, and as said."""
    for match in pattern.finditer(text):
        words: list[str] = []
        for word in match[1].split():
            if word in _ENDS:
                break
            words.append(word)
        last = lexicon().lemma_of(words[-1]) if words else ""
        empty = last in STOP_WORDS or last in _NO_THINGS or not lexicon().can_be(last, "n")
        if last and not empty and not (pattern is _HAS and _DENIED.match(match[0])):
            yield last, " ".join(words)


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    if not two.pair.shared_subject or elsewhere(two) or scoped_apart(two):
        return False
    there = any(clause.text.lower().startswith("there ") for clause in (two.a, two.b))
    if not there and other_heads(two, loosely=True):
        return False
    if all(any(clause.content[k].is_name for k in left) for clause, left in sides(two)):
        return False  # "the Bergen office", "the Leeds office"
    lacking, there_is = (one, other) if one.value is False else (other, one)
    # "No lift" denies "a goods lift"; "no gas connection" leaves "a connection for water".
    return set(lacking.phrase.split()) <= set(there_is.phrase.split())


FAMILY = FactFamily("polarity", read, exclude)
