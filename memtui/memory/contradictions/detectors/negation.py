"""One says that it is so, the other that it is not."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, scoped
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS, LIGHT_VERBS, INTENTION_VERBS, NEGATORS
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import set_apart
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks

KIND = "polarity"
_COVERED = 0.8  # of the words that are denied must be affirmed


def find(meeting: ClausePair) -> ClauseConflict | None:
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated == b.negated:
        return None
    if any(each.relation is WordRelation.OPPOSITE for each in alignment.conflicts):
        return None  # "is not open", "is closed": they agree
    no, yes = (a, b) if a.negated else (b, a)
    if _agree(no, yes):
        return None
    if set_apart(no, yes):
        return None
    if (
        "without" in yes.function_words
        or "without" in no.function_words
        or any(t.marker == "without" for t in [*yes.content, *no.content])
    ):
        return None
    if meeting.other_times() and not (yes.past and not no.past) and _tells_when(meeting):
        return None
    given_up = no.negator.lower() not in NEGATORS  # "quit smoking in 2019": when, does not matter
    out = {
        i
        for i, token in enumerate(no.content)
        if no.subject <= i < no.negated_from
        or i >= no.negated_to
        or token.lemma in LIGHT_WORDS
        or (given_up and token.quantity is not None and token.quantity.kind in ("year", "date", "time"))
    }
    covered = 0.0
    for i, j in alignment.matches:
        if (i if a.negated else j) in out:
            continue
        tie = alignment.relations.get((i, j), WordRelation.SAME)
        broader = WordRelation.BROADER if a.negated else WordRelation.NARROWER  # what affirms says less than is denied
        # What only means the same must stand in the same place to count in full.
        apart = (i, j) in alignment.relations and bool(alignment.slots_a) and alignment.slots_a[i] != alignment.slots_b[j]
        covered += 0.3 if apart else 0.5 if tie is broader else 1.0
    total = len(no.content) - len(out)
    wordy = sum(1 + lemma.count(" ") for i, lemma in enumerate(no.lemmas) if i not in out)
    if total < 2 and wordy < 2 and not (total and no.negator.lower() == "nobody"):
        return None
    share = covered / total if total else 0.0
    left = alignment.unmatched_a if a.negated else alignment.unmatched_b
    rest = [no.content[i] for i in left if i not in out]
    other = [yes.content[k] for k in (alignment.unmatched_b if a.negated else alignment.unmatched_a)]
    if {t.marker for t in rest} & {t.marker for t in other} & {"in", "of", "for", "on", "at"}:
        return None  # "changes in cart may …", "changes in pricing must not …"
    if share < _COVERED or scoped(rest) or any(token.quantity or token.is_name for token in rest):
        return None
    if no.negator.lower() in _OF_VERBS and not _verb_met(no, yes, alignment, a.negated):
        return None
    if yes.bag & INTENTION_VERBS - no.bag:
        return None  # "hopes to adopt a cat", "has no pets"
    if yes.event and no.negator.lower() == "used":
        return None  # "used to have a dog", "the dog died"
    been = _BEEN.search(no.text) is not None
    if (yes.event or _DONE.search(no.text)) and (share < 1 or total < 3) and not been:
        return None
    met = {j if a.negated else i for i, j in alignment.matches}
    others = [t for i, t in enumerate(yes.content[: yes.subject]) if i not in met]
    if no.personal and any(t.is_name or lexicon().is_animate(t.lemma) for t in others):
        return None  # "the user's roommate has a cat", "the user has no pets"
    if alignment.reordered and not meeting.is_definite and len(alignment.matches) < 3:
        return None
    denial = no.negator or "not"
    words = (denial, _affirmed(yes)) if a.negated else (_affirmed(yes), denial)
    reason = f"One says that it is so, the other denies it (“{denial}”)."
    return ClauseConflict(KIND, round(0.95 * min(1.0, share), 3), words, reason)


def _tells_when(meeting: ClausePair) -> bool:
    return any(
        meeting.a.content[i].marker != meeting.b.content[j].marker
        and {meeting.a.content[i].marker, meeting.b.content[j].marker} & {"until", "since", "before", "after"}
        for i, j in meeting.alignment.matches
    )


def _agree(no: Clause, yes: Clause) -> bool:
    """Whether one tells what was given up, the other for what: "gave up Oslo", "moved from Oslo to Rome"."""
    old = [mark.old for mark in change_marks(yes.text) if mark.kind is ChangeKind.SWITCHED and mark.old]
    ended = any(mark.kind is ChangeKind.ENDED for mark in change_marks(no.text))
    both = [
        mark.things
        for mark in change_marks(yes.text)
        if mark.kind is ChangeKind.ENDED and lexicon().lemma_of(mark.phrase.lower().split()[0]) not in no.bag
    ]
    return any(words & no.bag for words in both) or (ended and any(words & no.bag for words in old))


_BEEN = re.compile(r"\bnever been (?:to|in)\b")
_DONE = re.compile(r"\b(?:done|gone|got|gotten|get|had)\b")
_OF_VERBS = frozenset("not never n't".split())


def _verb_met(no: Clause, yes: Clause, alignment: Alignment, first: bool) -> bool:
    """Whether the verb that is denied is the one that is affirmed."""
    if not 0 < no.subject < len(no.content):
        return True
    place = no.subject
    for i, j in alignment.matches:
        if (i if first else j) == place:
            if (i, j) not in alignment.relations:
                return True
            told = yes.lemmas[j if first else i]
            return not yes.event and alignment.relations[i, j] is WordRelation.SAME and lexicon().can_be(told, "v")
    return no.lemmas[place] in LIGHT_WORDS or (no.lemmas[place] in LIGHT_VERBS and not yes.event)


def _affirmed(yes: Clause) -> str:
    at = yes.subject if yes.subject < len(yes.content) else 0
    return yes.content[at].text[:60] if yes.content else ""


def without(meeting: ClausePair) -> ClauseConflict | None:
    """ "runs without a VPN" and "needs a VPN"."""
    for none, some, turned in ((meeting.a, meeting.b, False), (meeting.b, meeting.a, True)):
        lacking = {token.lemma for token in none.content if token.marker == "without"}
        if not lacking or "without" in some.function_words or none.negated or some.negated or not lacking <= some.bag:
            continue
        has = some.bag & _HAVING or "with" in some.function_words
        rest = set(none.lemmas) - lacking - some.bag
        has = has or any(
            lexicon().can_be(lemma, "v") and not lexicon().can_be(lemma, "n") for lemma in lacking
        )
        if (has or not rest) and len(rest) <= 1 and set(none.lemmas) & some.bag - lacking:
            word = next(token.text for token in none.content if token.marker == "without")[:40]
            words = (f"without {word}", word)
            reason = f"One says that it is without “{word}”, the other that it is with it."
            return ClauseConflict(KIND, 0.75, words[::-1] if turned else words, reason)
    return None


_HAVING = frozenset("need require use have demand @has @uses @version wear with".split())
