"""What somebody likes or dislikes: "can't stand olives", "has come round to olives"."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, first_match, phrase_pattern
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts, sides
from memtui.memory.contradictions.states.scopes import differ_in_scope
from memtui.memory.contradictions.subjects import words_in

_LIKES = phrase_pattern(
    r"""
    likes?|loves?|enjoys?|adores?|is fond of|is keen on|is into|favou?rite|swears by|asks for(?: extra| more)?
    |(?:has )?(?:come|came|warmed) (?:round|around|up)? ?to|can't get enough of|is happy with
    |wants (?:more|extra|every)|prefers?|learned to (?:like|love)|addicted to|plays it for hours
    """
)
_HATES = phrase_pattern(
    r"""
    (?:can't|cannot|can not) (?:stand|bear)|hates?|loathes?|dislikes?
    |(?:does not|doesn't|don't) (?:like|want|enjoy|care for)|(?:is |got |has gotten |grown )?(?:tired|sick) of
    |(?:has )?gone off|went off|lost (?:his|her|their) taste for
    |finds? \w+ (?:tiresome|annoying|boring|disgusting)|is put off by|no longer (?:likes|enjoys|wants)
    |won't (?:eat|drink|touch)|skips? every|wants (?:no|none)|never (?:eats|drinks|listens to|touches)
    """
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    if word := first_match(_HATES, text):
        yield Fact("taste", False, word)
    elif word := first_match(_LIKES, text):
        yield Fact("taste", True, word)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if differ_in_scope(comparison) or name_different_parts(comparison, require_both=True):
        return False
    objects = [
        _objects(clause, fact, comparison) for clause, fact in ((comparison.a, one), (comparison.b, other))
    ]
    if any(objects) and all(names <= comparison.pair.names for names in objects):
        return comparison.pair.shared_subject  # the memory is about what is liked
    shared = objects[0] & objects[1]
    unmatched = [
        [k for k in unmatched if not clause.content[k].marker] for clause, unmatched in sides(comparison)
    ]
    if all(len(each) > 1 for each in unmatched):
        return False  # "likes short meetings", "hates long meetings"
    disliked = objects[0] if one.value is False else objects[1]
    if disliked - shared:
        return False  # "likes olives", "dislikes olives on pizza"
    return bool(shared) and (shared == objects[0] or shared == objects[1])


def _objects(clause: Clause, fact: Fact, comparison: Comparison) -> frozenset[str]:
    """Return the things that are liked or disliked, up to the first comma."""
    text = clause.text.lower()
    following = text[text.find(fact.phrase) + len(fact.phrase) :].split(",")[0]
    if " it " in f" {following} " and "," not in following:
        following = text
    objects = {word for word in words_in(following) if word not in STOP_WORDS and _may_be_thing(word)}
    return frozenset(objects) - (
        comparison.pair.names
        if comparison.pair.shared_subject and objects - comparison.pair.names
        else frozenset()
    )


def _may_be_thing(word: str) -> bool:
    """Whether a word may name a thing."""
    return lexicon().can_be(word, "n") or not any(lexicon().can_be(word, part) for part in "var")


FAMILY = FactFamily("polarity", read, excludes)
