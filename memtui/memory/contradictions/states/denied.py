"""One clause says that it is not so. What both are about is known, so a few words tell what is denied."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import elsewhere, set_apart
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import REASON, Comparison, empty, is_time, is_tool, other_heads

_CONDITIONS = frozenset(("while", "when", "whenever", "if", "unless", "until", "before", "after", "during"))
_IN_CONDITION = re.compile(r"\b(?:when|if|while|whenever|unless)\b[^,;]*\b(?:no|not|never|\w+n't)\b", re.I)
_LIMITS = frozenset(("before", "without", "unless", "until"))  # "never deploy without approval"
_OF_USE = frozenset("take use have get keep carry want need do go make bring see put".split())
_NEVER, _ALWAYS = re.compile(r"\bnever\b", re.I), re.compile(r"\balways\b", re.I)


def negated(two: Comparison) -> ClauseConflict | None:
    a, b = two.a, two.b
    if a.negated == b.negated or not any(_told_by_both(two, pair) for pair in two.shared):
        return None
    if not two.pair.shared_subject and not (
        len(two.shared) > 1 and _NEVER.search(a.text + b.text) and _ALWAYS.search(a.text + b.text)
    ):
        return None
    opposed = _NEVER.search(a.text + b.text) and _ALWAYS.search(a.text + b.text)
    minded = any(mark.kind is ChangeKind.OPINION for mark in (*change_marks(a.text), *change_marks(b.text)))
    named = bool(opposed) or minded or any(is_tool(a.content[i]) for i, _ in two.shared)
    if (
        elsewhere(two)
        or other_heads(two, loosely=named)
        or any(e.relation is WordRelation.OPPOSITE for e in two.pair.alignment.conflicts)
    ):
        return None
    no, yes, turned = (a, b, False) if a.negated else (b, a, True)
    conditions = {no.content[pair[turned]].marker for pair in two.shared}
    if conditions <= _CONDITIONS:
        return None  # "don't restart it while a backup is running"
    if _IN_CONDITION.search(no.text):
        return None  # "fed once a week when there is no baking"
    if any(mark.kind is ChangeKind.ENDED for mark in change_marks(yes.text)):
        return None  # "won't have a stand", "called off our booth"
    if not minded and not (is_state(yes) and is_state(no)):
        return None
    if any(
        token.is_name and token.lemma not in two.pair.names | yes.bag for token in no.content[: no.subject]
    ):
        return None  # "Bill doesn't play any more"
    if _of_the_key_alone(two, no, yes, turned) or (_WITHOUT_VERB.search(no.text) and not _verbs_meet(two)):
        return None
    if _LIMITS & set(no.function_words) or set_apart(no, yes) or _of_two_parts(two):
        return None
    denied = _denied_words(no)
    met = {pair[turned] for pair in two.shared if _surely(two, pair, no, yes, turned)}
    if all(yes.lemmas[pair[not turned]].startswith("@") and yes.key for pair in two.shared):
        return None  # "role: product manager", "works from home, never goes to the office"
    missed = [i for i in denied if i not in met]
    verb = missed[0] if missed and missed[0] == denied[0] else -1
    wanted = yes.frame in ("@prefers", "@reached at") or no.lemmas[verb] in _OF_USE
    wanted = wanted or any(is_tool(no.content[i]) for i in denied if i in met)
    if verb >= 0 and not wanted and not minded and lexicon().can_be(no.lemmas[verb], "v"):
        return None  # "don't mock the database", "run against a database"
    noun = no.negator.lower() in ("no", "nobody", "none", "nothing", "without")  # "there is no lift"
    if noun:
        own = [i for k, i in enumerate(denied) if k == 0 or not no.content[i].marker]
        first = [i for k, i in enumerate(own) if i == denied[0] + k]
        if first and not any(i in met for i in first):
            return None  # "no dishwasher in the kitchen", "the kitchen has a hob"
    objects = [i for i in denied if noun or i != denied[0] or not lexicon().can_be(no.lemmas[i], "v")]
    if objects and not any(i in met for i in objects):
        return None  # "doesn't drink alcohol", "drinks green tea"
    if any(each.low.startswith("un") and each.low[2:] in _said(yes) for each in no.content):
        return None  # "no route can be called unauthenticated"
    if (
        no.subject
        and not any(pair[turned] < no.subject for pair in two.shared)
        and all(pair[not turned] < yes.subject for pair in two.shared)
    ):
        return None  # "support costs $15", "Python 3.9 is not supported"
    if not denied or len(missed) > 1 or len(missed) >= len(denied):
        return None
    met_no = {pair[turned] for pair in two.pair.alignment.matches}
    head, comma, _ = no.text.lower().partition(",")
    within = head if comma and no.negator.lower() in head else no.text.lower()
    own = [
        i
        for i, token in enumerate(no.content)
        if denied[0] < i
        and token.low in within
        and i not in met_no
        and not is_time(token)
        and (token.marker or not empty(no, i))
    ]
    if own and any(not is_time(yes.content[k]) for k in (two.unmatched_a if turned else two.unmatched_b)):
        return None  # "never push to main", "push feature branches early"
    if any(no.content[i].quantity is not None or no.content[i].is_name for i in missed):
        return None
    words = (no.negator or "not")[:60], yes.content[two.shared[0][not turned]].text[:60]
    return ClauseConflict("polarity", 0.7, words[::-1] if turned else words, REASON)


def _told_by_both(two: Comparison, pair: tuple[int, int]) -> bool:
    """Whether both say a word, or one that means the same."""
    ties = two.pair.alignment.relations
    return pair not in ties or lexicon().are_synonyms(two.a.lemmas[pair[0]], two.b.lemmas[pair[1]])


# "Call the office, never the landlord": the verb stands before.
_WITHOUT_VERB = re.compile(
    r"\b(?:never|not) (?:(?:on|in|at|for|with|to|by|from|via|through) )?(?:the|a|an|his|her|our|their|your|my"
    r"|plain|on|in|at|for|with|to|by|from|via|through)\b|^(?:on|in|at|for|with|to|by|from|via|through)\b",
    re.I,
)


def _verbs_meet(two: Comparison) -> bool:
    """Whether both do the same, or one of them does nothing: "call the landlord", "never the landlord"."""
    verbs = [
        {lemma for k, lemma in enumerate(clause.lemmas[:2]) if lexicon().can_be(lemma, "v")}
        for clause in (two.a, two.b)
    ]
    return not verbs[0] or not verbs[1] or bool(verbs[0] & verbs[1])


def _of_the_key_alone(two: Comparison, no: Clause, yes: Clause, turned: bool) -> bool:
    """Whether what is denied is only the key of a value: "landlord: Meier", "never call the landlord"."""
    key = set(yes.key.split())
    if not key or no.negator.lower() in ("no", "without", "none"):
        return False
    return all(yes.lemmas[pair[not turned]] in key for pair in two.shared)


def _of_two_parts(two: Comparison) -> bool:
    """Whether the two tell of other parts, or of other places: "off the leash in the garden", "in the
    forest"."""
    a, b = two.a, two.b
    if any(each.index_a < a.subject and each.index_b < b.subject for each in two.pair.alignment.conflicts):
        return True
    places = [
        {c.content[k].marker for k in left if c.content[k].marker in _PLACED}
        for c, left in ((a, two.unmatched_a), (b, two.unmatched_b))
    ]
    return bool(places[0] & places[1])


_PLACED = frozenset("in on at for during under over behind".split())


def _surely(two: Comparison, pair: tuple[int, int], no: Clause, yes: Clause, turned: bool) -> bool:
    """Whether what is denied is the very same as what is affirmed, not something of its kind."""
    tie = two.pair.alignment.relations.get(pair)
    if tie is (WordRelation.NARROWER if turned else WordRelation.BROADER):
        return False  # "eats no shellfish", "eats fish"
    one, other = no.content[pair[turned]], yes.content[pair[not turned]]
    return tie is None or not (one.is_name or other.is_name)  # Japan is not Japanese


def _said(clause: Clause) -> set[str]:
    return {form for token in clause.content for form in (token.low, token.lemma, f"{token.lemma}ed")}


def _denied_words(no: Clause) -> list[int]:
    """The places of what is denied, to the next comma."""
    found = []
    for i, token in enumerate(no.content):
        if token.position > no.negator_at and no.negated_from <= i < no.negated_to and not empty(no, i):
            found.append(i)
        if found and token.comma:
            break
    return found
