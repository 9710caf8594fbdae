"""One clause affirms what the other negates."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT, ClausePair, has_scope
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import (
    INTENTION_VERBS,
    LIGHT_VERBS,
    LIGHT_WORDS,
    NEGATORS,
)
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.scopes import negated_elsewhere

KIND = "polarity"
_MIN_COVERAGE = 0.8  # of the negated words must be affirmed
_BEEN = re.compile(r"\bnever been (?:to|in)\b")
_DONE = re.compile(r"\b(?:done|gone|got|gotten|get|had)\b")
_VERB_NEGATORS = frozenset("not never n't".split())
_TIME_MARKERS = frozenset(("until", "since", "before", "after"))
_OBJECT_MARKERS = frozenset(("in", "of", "for", "on", "at"))
_HAVING = frozenset("need require use have demand @has @uses @version wear with".split())


def find(pair: ClausePair) -> ClauseConflict | None:
    """ "User drinks coffee every morning." and "User never drinks coffee."."""
    alignment, first = pair.alignment, pair.a.negated  # whether A is the negated clause
    if pair.a.negated == pair.b.negated:
        return None
    if any(each.relation is WordRelation.OPPOSITE for each in alignment.conflicts):
        return None  # "is not open", "is closed"
    no, yes = (pair.a, pair.b) if first else (pair.b, pair.a)
    if _agree(no, yes) or negated_elsewhere(no, yes) or _is_about_lack(no) or _is_about_lack(yes):
        return None
    if pair.differ_in_time() and not (yes.past and not no.past) and _have_different_time_markers(pair):
        return None
    ignored = _ignored(no)
    total = len(no.content) - len(ignored)
    words = sum(1 + lemma.count(" ") for i, lemma in enumerate(no.lemmas) if i not in ignored)
    if total < 2 and words < 2 and not (total and no.negator.lower() == "nobody"):
        return None
    coverage = _covered(alignment, first, ignored) / total if total else 0.0
    if coverage < _MIN_COVERAGE or _differ_in_rest(alignment, no, yes, first, ignored):
        return None
    if no.negator.lower() in _VERB_NEGATORS and not _verb_matches(no, yes, alignment, first):
        return None
    if yes.bag & INTENTION_VERBS - no.bag:
        return None  # "hopes to adopt a cat", "has no pets"
    if yes.event and no.negator.lower() == "used":
        return None  # "used to have a dog", "the dog died"
    been = _BEEN.search(no.text) is not None
    if (yes.event or _DONE.search(no.text)) and (coverage < 1 or total < 3) and not been:
        return None
    if _is_about_someone_else(alignment, no, yes, first):
        return None
    if alignment.reordered and not pair.is_definite and len(alignment.matches) < 3:
        return None
    negator = no.negator or "not"
    quoted = (negator, _affirmed(yes)) if first else (_affirmed(yes), negator)
    return ClauseConflict(KIND, round(0.95 * min(1.0, coverage), 3), quoted, wording.negated(negator))


def _is_about_lack(clause: Clause) -> bool:
    return "without" in clause.function_words or any(t.marker == "without" for t in clause.content)


def _have_different_time_markers(pair: ClausePair) -> bool:
    markers = ((pair.a.content[i].marker, pair.b.content[j].marker) for i, j in pair.alignment.matches)
    return any(one != other and {one, other} & _TIME_MARKERS for one, other in markers)


def _ignored(no: Clause) -> set[int]:
    """Return the indices of words of the negated clause that are not negated or carry no meaning."""
    given_up = no.negator.lower() not in NEGATORS  # "quit smoking in 2019": when does not matter
    return {
        i
        for i, token in enumerate(no.content)
        if no.subject_end <= i < no.negated_from
        or i >= no.negated_to
        or token.lemma in LIGHT_WORDS
        or (given_up and token.quantity is not None and token.quantity.kind in ("year", "date", "time"))
    }


def _covered(alignment: Alignment, first: bool, ignored: set[int]) -> float:
    """Return how many of the negated words the other clause affirms."""
    # What is affirmed is narrower than what is negated.
    broader = WordRelation.BROADER if first else WordRelation.NARROWER
    covered = 0.0
    for i, j in alignment.matches:
        if (i if first else j) in ignored:
            continue
        relation = alignment.relations.get((i, j), WordRelation.SAME)
        # Synonyms count in full only in the same slot.
        displaced = (
            (i, j) in alignment.relations
            and bool(alignment.slots_a)
            and alignment.slots_a[i] != alignment.slots_b[j]
        )
        covered += 0.3 if displaced else 0.5 if relation is broader else 1.0
    return covered


def _differ_in_rest(alignment: Alignment, no: Clause, yes: Clause, first: bool, ignored: set[int]) -> bool:
    """Whether the unmatched words show that the two are about different things or conditions."""
    unmatched_a, unmatched_b = alignment.unmatched_a, alignment.unmatched_b
    rest_no = [no.content[i] for i in (unmatched_a if first else unmatched_b) if i not in ignored]
    rest_yes = [yes.content[k] for k in (unmatched_b if first else unmatched_a)]
    if {t.marker for t in rest_no} & {t.marker for t in rest_yes} & _OBJECT_MARKERS:
        return True  # "changes in cart may …", "changes in pricing must not …"
    return has_scope(rest_no) or any(token.quantity or token.is_name for token in rest_no)


def _is_about_someone_else(alignment: Alignment, no: Clause, yes: Clause, first: bool) -> bool:
    """Whether the affirmed clause is about somebody else: "the user's roommate has a cat", "the user has no
    pets"."""
    matched = {j if first else i for i, j in alignment.matches}
    others = [t for i, t in enumerate(yes.content[: yes.subject_end]) if i not in matched]
    return no.personal and any(t.is_name or lexicon().is_animate(t.lemma) for t in others)


def _agree(no: Clause, yes: Clause) -> bool:
    """Whether one says what was given up, the other what for: "gave up Oslo", "moved from Oslo to Rome"."""
    old = [mark.old for mark in change_marks(yes.text) if mark.kind is ChangeKind.SWITCHED and mark.old]
    ended = any(mark.kind is ChangeKind.ENDED for mark in change_marks(no.text))
    ended_in_yes = [
        mark.things
        for mark in change_marks(yes.text)
        if mark.kind is ChangeKind.ENDED and lexicon().lemma_of(mark.phrase.lower().split()[0]) not in no.bag
    ]
    return any(words & no.bag for words in ended_in_yes) or (ended and any(words & no.bag for words in old))


def _verb_matches(no: Clause, yes: Clause, alignment: Alignment, first: bool) -> bool:
    """Whether the negated verb is the one that is affirmed."""
    if not 0 < no.subject_end < len(no.content):
        return True
    verb = no.subject_end
    for i, j in alignment.matches:
        if (i if first else j) == verb:
            if (i, j) not in alignment.relations:
                return True
            affirmed = yes.lemmas[j if first else i]
            same = alignment.relations[i, j] is WordRelation.SAME
            return not yes.event and same and lexicon().can_be(affirmed, "v")
    return no.lemmas[verb] in LIGHT_WORDS or (no.lemmas[verb] in LIGHT_VERBS and not yes.event)


def _affirmed(yes: Clause) -> str:
    verb = yes.subject_end if yes.subject_end < len(yes.content) else 0
    return yes.content[verb].text[:EXCERPT] if yes.content else ""


def without(pair: ClausePair) -> ClauseConflict | None:
    """ "runs without a VPN" and "needs a VPN"."""
    for without_clause, with_clause, swapped in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        lacking = {token.lemma for token in without_clause.content if token.marker == "without"}
        if not lacking or "without" in with_clause.function_words or not lacking <= with_clause.bag:
            continue
        if without_clause.negated or with_clause.negated:
            continue
        has = with_clause.bag & _HAVING or "with" in with_clause.function_words
        rest = set(without_clause.lemmas) - lacking - with_clause.bag
        has = has or any(
            lexicon().can_be(lemma, "v") and not lexicon().can_be(lemma, "n") for lemma in lacking
        )
        if (has or not rest) and len(rest) <= 1 and set(without_clause.lemmas) & with_clause.bag - lacking:
            thing = next(token.text for token in without_clause.content if token.marker == "without")[:40]
            words = (f"without {thing}", thing)
            return ClauseConflict(KIND, 0.75, words[::-1] if swapped else words, wording.without(thing))
    return None
