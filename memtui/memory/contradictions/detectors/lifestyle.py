"""What a way of living or working rules out: a vegan eats no steak, an only child has no sister."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict

KIND = "way"
_MEAT = "meat beef steak pork bacon ham chicken turkey lamb sausage burger salami".split()
_DAIRY = "dairy milk cheese yogurt butter cream".split()
_GRAIN = "bread pasta wheat noodle pizza".split()
_DRINKS = "beer wine whiskey whisky vodka rum gin cocktail".split()
# way → what it rules out
_WAYS: dict[str, list[str]] = {
    "vegan": [*_MEAT, *_DAIRY, "fish", "egg", "salmon", "tuna", "honey", "omelette"],
    "vegetarian": [*_MEAT, "fish", "salmon", "tuna"],
    "pescatarian": _MEAT,
    "gluten-free": _GRAIN,
    "celiac": _GRAIN,
    "coeliac": _GRAIN,
    "lactose intolerant": _DAIRY,
    "lactose-intolerant": _DAIRY,
    "dairy-free": _DAIRY,
    "halal": ["pork", "bacon", "ham", *_DRINKS],
    "kosher": ["pork", "bacon", "ham", "shrimp"],
    "keto": [*_GRAIN, "rice", "potato", "sugar"],
    "teetotal": _DRINKS,
    "teetotaler": _DRINKS,
    "only child": ["brother", "sister", "sibling"],
}
_EATS = frozenset(
    "eat drink have order love like enjoy cook @has favorite favourite @favourite @prefers".split()
)
_TOO_WIDE = frozenset("food dish meal cake cuisine twin".split())
_STRICT = frozenset({"only child"})  # it is enough that the other has one


def find(meeting: ClausePair) -> ClauseConflict | None:
    """One tells a way, the other what it rules out."""
    return _against(meeting, meeting.a, meeting.b, False) or _against(meeting, meeting.b, meeting.a, True)


def _against(meeting: ClausePair, told: Clause, other: Clause, turned: bool) -> ClauseConflict | None:
    ways = [way for way in _WAYS if way in told.bag]
    if not ways or told.negated or other.negated or told.past or other.past or other.event:
        return None
    one = {token.lemma for token in told.content[: max(1, told.subject)]}
    two = {token.lemma for token in other.content[: max(1, other.subject)]}
    if not one & two and not meeting.shared_subject:
        return None  # of two people
    for way in ways:
        if way not in _STRICT and not other.bag & _EATS:
            continue
        for token in other.content:
            if (
                token.lemma in _WAYS
                or token.lemma in _TOO_WIDE
                or any(lexicon().is_animate(t) for t in two - one)
            ):
                continue
            if any(lexicon().relation(token.lemma, food)[0] in (WordRelation.SAME, WordRelation.BROADER) for food in _WAYS[way]):
                words = (way, token.text[:60])
                reason = f"“{words[0]}” rules out “{words[1]}”."
                return ClauseConflict(KIND, 0.7, words[::-1] if turned else words, reason)
    return None
