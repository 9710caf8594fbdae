"""What a thing has or lacks: "no heating, no running water", "has running water"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts, sides
from memtui.memory.contradictions.states.scopes import both_scoped, differ_in_scope

_MAX_THINGS = 8  # things in one clause
_DETERMINER = r"(?:an? |any |the |its own |their own |one |two |three |four |\d+ )?"
_PHRASE = r"((?:[\w-]+ ){0,2}[\w-]+)"
_NO = re.compile(rf"\b(?:no|without(?: any)?|lacks?)(?= {_DETERMINER}{_PHRASE})")
_HAS = re.compile(
    r"\b(?:has|have|there (?:is|are)|comes with|includes?|contains?|offers?|employs?|equipped with) "
    rf"{_DETERMINER}{_PHRASE}"
)
_HAS_NO = re.compile(r"(?:has|have|there is|there are) no\b")
_ENDS = frozenset(
    "and or nor but in on at of for with from to by as since until after before when if that which "
    "who where is are was were has have had yet any more longer left so than".split()
)
_ABSTRACT_NOUNS = frozenset(
    "idea problem need plan time way thing one reason longer more use rule limit change news sign "
    "doubt effect chance access matter interest right trouble point part say".split()
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    lower = text.lower()
    lacking = dict(_things(_NO, lower))
    for thing, phrase in list(lacking.items())[:_MAX_THINGS]:
        yield Fact(f"having {thing}", False, phrase)
    for thing, phrase in list(_things(_HAS, lower))[:_MAX_THINGS]:
        if thing not in lacking and not phrase.startswith("no "):
            yield Fact(f"having {thing}", True, phrase)


def _things(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield the things named behind a pattern, by their head noun, with the whole phrase."""
    for match in pattern.finditer(text):
        words: list[str] = []
        for word in match[1].split():
            if word in _ENDS:
                break
            words.append(word)
        head = lexicon().lemma_of(words[-1]) if words else ""
        no_thing = head in STOP_WORDS or head in _ABSTRACT_NOUNS or not lexicon().can_be(head, "n")
        if head and not no_thing and not (pattern is _HAS and _HAS_NO.match(match[0])):
            yield head, " ".join(words)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if not comparison.pair.shared_subject or differ_in_scope(comparison) or both_scoped(comparison):
        return False
    existential = any(clause.text.lower().startswith("there ") for clause in (comparison.a, comparison.b))
    if not existential and name_different_parts(comparison, require_both=True):
        return False
    if all(any(clause.content[k].is_name for k in unmatched) for clause, unmatched in sides(comparison)):
        return False  # "the Bergen office", "the Leeds office"
    absent, present = (one, other) if one.value is False else (other, one)
    # "No lift" denies "a goods lift"; "no gas connection" leaves "a connection for water".
    return set(absent.phrase.split()) <= set(present.phrase.split())


FAMILY = FactFamily("polarity", read, excludes)
