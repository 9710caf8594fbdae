"""What a way of living or working rules out: a vegan eats no steak, an only child has no sister."""

from __future__ import annotations

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT, ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict

KIND = "way"
_MEAT = "meat beef steak pork bacon ham chicken turkey lamb sausage burger salami".split()
_DAIRY = "dairy milk cheese yogurt butter cream".split()
_GRAIN = "bread pasta wheat noodle pizza".split()
_DRINKS = "beer wine whiskey whisky vodka rum gin cocktail".split()
# practice → what it rules out
_RULED_OUT: dict[str, list[str]] = {
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
_CONSUMING = frozenset(
    "eat drink have order love like enjoy cook @has favorite favourite @favourite @prefers".split()
)
_TOO_BROAD = frozenset("food dish meal cake cuisine twin".split())
_STRICT = frozenset({"only child"})  # need no verb of eating or drinking in the other clause


def find(pair: ClausePair) -> ClauseConflict | None:
    """One clause names a practice, the other what it rules out."""
    return _find_ruled_out(pair, pair.a, pair.b, False) or _find_ruled_out(pair, pair.b, pair.a, True)


def _find_ruled_out(
    pair: ClausePair, practising: Clause, contrary: Clause, swapped: bool
) -> ClauseConflict | None:
    practices = [practice for practice in _RULED_OUT if practice in practising.bag]
    if (
        not practices
        or practising.negated
        or contrary.negated
        or practising.past
        or contrary.past
        or contrary.event
    ):
        return None
    one = {token.lemma for token in practising.content[: max(1, practising.subject_end)]}
    two = {token.lemma for token in contrary.content[: max(1, contrary.subject_end)]}
    if not one & two and not pair.shared_subject:
        return None  # about two people
    for practice in practices:
        if practice not in _STRICT and not contrary.bag & _CONSUMING:
            continue
        for token in contrary.content:
            if (
                token.lemma in _RULED_OUT
                or token.lemma in _TOO_BROAD
                or any(lexicon().is_animate(t) for t in two - one)
            ):
                continue
            if any(
                lexicon().relation(token.lemma, thing)[0] in (WordRelation.SAME, WordRelation.BROADER)
                for thing in _RULED_OUT[practice]
            ):
                words = (practice, token.text[:EXCERPT])
                reason = wording.ruled_out(*words)
                return ClauseConflict(KIND, 0.7, words[::-1] if swapped else words, reason)
    return None
