"""What somebody likes or cannot stand: "can't stand olives", "has come round to olives"."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, found, phrases
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.two import Comparison, other_heads, sides
from memtui.memory.contradictions.subjects import words_in

_LIKES = phrases(
    r"""
    likes?|loves?|enjoys?|adores?|is fond of|is keen on|is into|favou?rite|swears by|asks for(?: extra| more)?
    |(?:has )?(?:come|came|warmed) (?:round|around|up)? ?to|can't get enough of|is happy with
    |wants (?:more|extra|every)|prefers?|learned to (?:like|love)|addicted to|plays it for hours
    """
)
_HATES = phrases(
    r"""
    (?:can't|cannot|can not) (?:stand|bear)|hates?|loathes?|dislikes?
    |(?:does not|doesn't|don't) (?:like|want|enjoy|care for)|(?:is |got |has gotten |grown )?(?:tired|sick) of
    |(?:has )?gone off|went off|lost (?:his|her|their) taste for
    |finds? \w+ (?:tiresome|annoying|boring|disgusting)|is put off by|no longer (?:likes|enjoys|wants)
    |won't (?:eat|drink|touch)|skips? every|wants (?:no|none)|never (?:eats|drinks|listens to|touches)
    """
)


def read(text: str) -> Iterator[Fact]:
    text = text.lower()
    if word := found(_HATES, text):
        yield Fact("taste", False, word)
    elif word := found(_LIKES, text):
        yield Fact("taste", True, word)


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    if elsewhere(two) or other_heads(two, loosely=True):
        return False
    objects = [_objects(clause, fact, two) for clause, fact in ((two.a, one), (two.b, other))]
    if any(objects) and all(names <= two.pair.names for names in objects):
        return two.pair.shared_subject  # the memory is about what is liked
    shared = objects[0] & objects[1]
    left = [[k for k in left if not clause.content[k].marker] for clause, left in sides(two)]
    if all(len(each) > 1 for each in left):
        return False  # "likes short meetings", "hates long meetings"
    hated = objects[0] if one.value is False else objects[1]
    if hated - shared:
        return False  # "likes olives", "dislikes olives on pizza"
    return bool(shared) and (shared == objects[0] or shared == objects[1])


def _objects(clause: Clause, fact: Fact, two: Comparison) -> frozenset[str]:
    """The things behind what somebody likes, up to the first comma."""
    text = clause.text.lower()
    behind = text[text.find(fact.phrase) + len(fact.phrase) :].split(",")[0]
    if " it " in f" {behind} " and "," not in behind:
        behind = text
    said = {word for word in words_in(behind) if word not in STOP_WORDS and _names(word)}
    return frozenset(said) - (
        two.pair.names if two.pair.shared_subject and said - two.pair.names else frozenset()
    )


def _names(word: str) -> bool:
    """Whether a word may name a thing."""
    return lexicon().can_be(word, "n") or not any(lexicon().can_be(word, part) for part in "var")


FAMILY = FactFamily("polarity", read, exclude)
