"""One clause negates what the other affirms, both about the same thing, so that few words say what is
negated."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.comparison import (
    Comparison,
    is_light,
    is_time,
    is_tool,
    name_different_parts,
    sides,
)
from memtui.memory.contradictions.states.scopes import differ_in_scope, negated_elsewhere
from memtui.memory.contradictions.states.tenses import is_state

_CONDITIONS = frozenset(("while", "when", "whenever", "if", "unless", "until", "before", "after", "during"))
_IN_CONDITION = re.compile(r"\b(?:when|if|while|whenever|unless)\b[^,;]*\b(?:no|not|never|\w+n't)\b", re.I)
_LIMITS = frozenset(("before", "without", "unless", "until"))  # "never deploy without approval"
_USING = frozenset("take use have get keep carry want need do go make bring see put".split())
_NEVER, _ALWAYS = re.compile(r"\bnever\b", re.I), re.compile(r"\balways\b", re.I)
_PLACE_MARKERS = frozenset("in on at for during under over behind".split())
_NOUN_NEGATORS = ("no", "nobody", "none", "nothing", "without")
# The verb belongs to the clause before: "call the office, never the landlord".
_WITHOUT_VERB = re.compile(
    r"\b(?:never|not) (?:(?:on|in|at|for|with|to|by|from|via|through) )?(?:the|a|an|his|her|our|their|your|my"
    r"|plain|on|in|at|for|with|to|by|from|via|through)\b|^(?:on|in|at|for|with|to|by|from|via|through)\b",
    re.I,
)


@dataclass(slots=True)
class _Negation:
    """A negated clause `no` with an affirmative one `yes`; `swapped` if B is the negated one."""

    comparison: Comparison
    no: Clause
    yes: Clause
    swapped: bool

    @property
    def shared(self) -> list[tuple[int, int]]:
        """The shared words as indices into `no` and into `yes`."""
        return [(pair[self.swapped], pair[not self.swapped]) for pair in self.comparison.shared]

    @property
    def unmatched_yes(self) -> list[int]:
        return self.comparison.unmatched_a if self.swapped else self.comparison.unmatched_b


def find_negation(comparison: Comparison) -> ClauseConflict | None:
    """Find a clause that negates what the other affirms."""
    a, b = comparison.a, comparison.b
    if a.negated == b.negated or not any(_is_sure_match(comparison, pair) for pair in comparison.shared):
        return None
    texts = a.text + b.text
    never_always = bool(_NEVER.search(texts) and _ALWAYS.search(texts))
    if not comparison.pair.shared_subject and not (len(comparison.shared) > 1 and never_always):
        return None
    opinion = any(mark.kind is ChangeKind.OPINION for mark in (*change_marks(a.text), *change_marks(b.text)))
    named = never_always or opinion or any(is_tool(a.content[i]) for i, _ in comparison.shared)
    if differ_in_scope(comparison) or name_different_parts(comparison, require_both=named):
        return None
    if any(each.relation is WordRelation.OPPOSITE for each in comparison.alignment.conflicts):
        return None
    negation = _Negation(comparison, a, b, False) if a.negated else _Negation(comparison, b, a, True)
    if not opinion and not (is_state(a) and is_state(b)):
        return None
    if _may_agree(negation) or _is_about_something_else(negation) or not _negates(negation, opinion):
        return None
    no, yes = negation.no, negation.yes
    words = (no.negator or "not")[:EXCERPT], yes.content[negation.shared[0][1]].text[:EXCERPT]
    return ClauseConflict("polarity", 0.7, words[::-1] if negation.swapped else words, wording.ONE_STATE)


def _may_agree(negation: _Negation) -> bool:
    """Whether the negation holds under a condition only, or says the same as the other clause."""
    no, yes = negation.no, negation.yes
    if {no.content[i].marker for i, _ in negation.shared} <= _CONDITIONS:
        return True  # "don't restart it while a backup is running"
    if _IN_CONDITION.search(no.text):
        return True  # "fed once a week when there is no baking"
    if any(mark.kind is ChangeKind.ENDED for mark in change_marks(yes.text)):
        return True  # "won't have a stand", "called off our booth"
    if any(token.low.startswith("un") and token.low[2:] in _forms(yes) for token in no.content):
        return True  # "no route can be called unauthenticated"
    return bool(_LIMITS & set(no.function_words)) or negated_elsewhere(no, yes)


def _is_about_something_else(negation: _Negation) -> bool:
    """Whether the two clauses are about different people, parts or places, or share only what one names."""
    no, yes, names = negation.no, negation.yes, negation.comparison.pair.names
    if any(token.is_name and token.lemma not in names | yes.bag for token in no.content[: no.subject_end]):
        return True  # "Bill doesn't play any more"
    if _shares_only_key(negation):
        return True
    if _WITHOUT_VERB.search(no.text) and not _have_same_verb(negation.comparison):
        return True
    if _concern_different_parts(negation.comparison):
        return True
    if all(yes.lemmas[j].startswith("@") and yes.key for _, j in negation.shared):
        return True  # "role: product manager", "works from home, never goes to the office"
    return bool(
        no.subject_end
        and not any(i < no.subject_end for i, _ in negation.shared)
        and all(j < yes.subject_end for _, j in negation.shared)
    )  # "support costs $15", "Python 3.9 is not supported"


def _negates(negation: _Negation, opinion: bool) -> bool:
    """Whether enough of what is negated is what the other clause affirms."""
    no, yes = negation.no, negation.yes
    negated = _negated_words(no)
    matched = {pair[negation.swapped] for pair in negation.comparison.shared if _is_exact(negation, pair)}
    missed = [i for i in negated if i not in matched]
    if not negated or len(missed) > 1 or len(missed) >= len(negated):
        return False
    if any(no.content[i].quantity is not None or no.content[i].is_name for i in missed):
        return False
    if missed and missed[0] == negated[0] and not opinion:
        verb = no.lemmas[missed[0]]
        using = yes.frame in ("@prefers", "@reached at") or verb in _USING
        using = using or any(is_tool(no.content[i]) for i in negated if i in matched)
        if not using and lexicon().can_be(verb, "v"):
            return False  # "don't mock the database", "run against a database"
    noun = no.negator.lower() in _NOUN_NEGATORS  # "there is no lift"
    if noun:
        objects = [i for k, i in enumerate(negated) if k == 0 or not no.content[i].marker]
        first = [i for k, i in enumerate(objects) if i == negated[0] + k]
        if first and not any(i in matched for i in first):
            return False  # "no dishwasher in the kitchen", "the kitchen has a hob"
    objects = [i for i in negated if noun or i != negated[0] or not lexicon().can_be(no.lemmas[i], "v")]
    if objects and not any(i in matched for i in objects):
        return False  # "doesn't drink alcohol", "drinks green tea"
    return not (
        _own_words(negation, negated[0]) and any(not is_time(yes.content[k]) for k in negation.unmatched_yes)
    )


def _own_words(negation: _Negation, start: int) -> list[int]:
    """Return the words behind `start` that only the negated clause has: "never push to main", "push feature
    branches early"."""
    no = negation.no
    matched = {pair[negation.swapped] for pair in negation.comparison.alignment.matches}
    head, comma, _ = no.text.lower().partition(",")
    within = head if comma and no.negator.lower() in head else no.text.lower()
    return [
        i
        for i, token in enumerate(no.content)
        if start < i
        and token.low in within
        and i not in matched
        and not is_time(token)
        and (token.marker or not is_light(no, i))
    ]


def _is_sure_match(comparison: Comparison, pair: tuple[int, int]) -> bool:
    """Whether two matched words are equal or synonyms."""
    return pair not in comparison.alignment.relations or lexicon().are_synonyms(
        comparison.a.lemmas[pair[0]], comparison.b.lemmas[pair[1]]
    )


def _have_same_verb(comparison: Comparison) -> bool:
    """Whether both have the same verb, or one has none: "call the landlord", "never the landlord"."""
    verbs = [
        {lemma for lemma in clause.lemmas[:2] if lexicon().can_be(lemma, "v")}
        for clause in (comparison.a, comparison.b)
    ]
    return not verbs[0] or not verbs[1] or bool(verbs[0] & verbs[1])


def _shares_only_key(negation: _Negation) -> bool:
    """Whether only the key of the other clause is negated: "landlord: Meier", "never call the landlord"."""
    key = set(negation.yes.key.split())
    if not key or negation.no.negator.lower() in ("no", "without", "none"):
        return False
    return all(negation.yes.lemmas[j] in key for _, j in negation.shared)


def _concern_different_parts(comparison: Comparison) -> bool:
    """Whether the two are about different parts or places: "off the leash in the garden", "in the forest"."""
    a, b = comparison.a, comparison.b
    if any(
        each.index_a < a.subject_end and each.index_b < b.subject_end
        for each in comparison.alignment.conflicts
    ):
        return True
    markers = [
        {clause.content[k].marker for k in unmatched} & _PLACE_MARKERS
        for clause, unmatched in sides(comparison)
    ]
    return bool(markers[0] & markers[1])


def _is_exact(negation: _Negation, pair: tuple[int, int]) -> bool:
    """Whether what is negated is exactly what is affirmed, not just something related."""
    relation = negation.comparison.alignment.relations.get(pair)
    if relation is (WordRelation.NARROWER if negation.swapped else WordRelation.BROADER):
        return False  # "eats no shellfish", "eats fish"
    one, other = negation.no.content[pair[negation.swapped]], negation.yes.content[pair[not negation.swapped]]
    return relation is None or not (one.is_name or other.is_name)  # Japan is not Japanese


def _forms(clause: Clause) -> set[str]:
    return {form for token in clause.content for form in (token.low, token.lemma, f"{token.lemma}ed")}


def _negated_words(no: Clause) -> list[int]:
    """Return the indices of the negated words, up to the next comma."""
    found = []
    for i, token in enumerate(no.content):
        if token.position > no.negator_at and no.negated_from <= i < no.negated_to and not is_light(no, i):
            found.append(i)
        if found and token.comma:
            break
    return found
