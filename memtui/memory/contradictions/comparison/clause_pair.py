"""Two clauses that may speak of the same thing, as the detectors are given them: the contract."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment, TokenConflict
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS, MULTI_VALUED_VERBS


@dataclass(slots=True)
class ClausePair:
    """A clause of A and one of B, laid side by side. `approximate`: the memories themselves are about the same
    thing (their subject or key), `shared_attribute`: about one attribute of it, as one key or title tells; `multi_valued`
    holds (topic, subject) that may have several values; `names` are the words by which both name it, `bags`
    all words of A and of B. A detector is a function of it: a Clash, or None."""

    alignment: Alignment
    shared_subject: bool
    multi_valued: Set[tuple[str, str]]
    subject: str = ""
    names: frozenset[str] = frozenset()
    shared_attribute: bool = False
    bags: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    @property
    def a(self) -> Clause:
        return self.alignment.a

    @property
    def b(self) -> Clause:
        return self.alignment.b

    @property
    def is_definite(self) -> bool:
        """Whether both speak of one certain thing."""
        return self.shared_subject or (self.a.definite and self.b.definite)

    def is_multi_valued(self, topic: str) -> bool:
        """Whether a person said that this may have several values."""
        return bool(topic) and ((topic, "") in self.multi_valued or (topic, self.subject) in self.multi_valued)

    def rest(self, spent_a: Set[int], spent_b: Set[int]) -> tuple[list[Token], list[Token]]:
        """What is left over on both sides beside the words that were spent."""
        return (
            [self.a.content[i] for i in self.alignment.unmatched_a if i not in spent_a and not _light(self.a, i)],
            [self.b.content[j] for j in self.alignment.unmatched_b if j not in spent_b and not _light(self.b, j)],
        )

    def subjects_match(self) -> bool:
        """Whether the two clauses tell of the same thing, as far as they name it: of what each is about, only
        one says more than the other."""
        alignment = self.alignment
        ties = alignment.relations
        same = [(i, j) for i, j in alignment.matches if ties.get((i, j), WordRelation.SAME) is WordRelation.SAME]
        if not self.shared_subject:  # the service of billing is not that of taxes
            surely = lexicon().are_synonyms
            same = [
                pair
                for pair in same
                if pair not in ties or surely(self.a.lemmas[pair[0]], self.b.lemmas[pair[1]])
            ]
        met_a, met_b = {i for i, _ in same}, {j for _, j in same}
        spent_a = {each.index_a for each in alignment.conflicts}
        spent_b = {each.index_b for each in alignment.conflicts}
        more_a = [
            i for i in range(self.a.subject) if i not in met_a and i not in spent_a and not _light(self.a, i)
        ]
        more_b = [
            j for j in range(self.b.subject) if j not in met_b and j not in spent_b and not _light(self.b, j)
        ]
        if more_a and more_b:
            return False
        if self.shared_subject and ((more_a and not self.b.subject) or (more_b and not self.a.subject)):
            head = self.a.subject - 1 if more_a else self.b.subject - 1
            if head in (more_a or more_b):
                return False  # "has 48 flats", "the north wing has 20 flats"
        more = [self.a.content[i] for i in more_a] + [self.b.content[j] for j in more_b]
        if any(token.is_name or lexicon().is_animate(token.lemma) for token in more):
            return False  # "the user's sister" is not the user
        some = any(i in met_a for i in range(self.a.subject)) or any(
            j in met_b for j in range(self.b.subject)
        )
        return some or self.shared_subject or not (self.a.subject or self.b.subject)

    def differs_elsewhere(self, spent_a: Set[int], spent_b: Set[int], loosely: bool = False) -> bool:
        """Whether something else stands in another's place, too: then not one thing is told in two ways."""
        alignment = self.alignment
        if loosely:  # "merged on Friday", "waits for review"
            one = {self.a.content[i].marker for i in alignment.unmatched_a if i not in spent_a and not _light(self.a, i)}
            two = {self.b.content[j].marker for j in alignment.unmatched_b if j not in spent_b and not _light(self.b, j)}
            return bool(one & two)
        mine = {alignment.slots_a[i] for i in alignment.unmatched_a if i not in spent_a and not _light(self.a, i)}
        theirs = {alignment.slots_b[j] for j in alignment.unmatched_b if j not in spent_b and not _light(self.b, j)}
        return bool(mine & theirs)

    def other_times(self) -> bool:
        """Whether the two speak of different times: before and after, was and is."""
        if self.a.past != self.b.past:
            return True
        for i, j in self.alignment.matches:
            one, two = self.a.content[i].marker, self.b.content[j].marker
            if one != two and (one in _TIMES or two in _TIMES):
                return True
        return False

    def allows_many(self, clash: TokenConflict) -> bool:
        """Whether the verb before the words that clash is one that a thing may do to many ("likes")."""
        first = max(0, self.a.subject - 1)
        verbs = [i for i in range(first, clash.index_a) if self.a.lemmas[i] in MULTI_VALUED_VERBS]
        if not verbs or MULTI_VALUED_VERBS.isdisjoint(self.b.lemmas[: clash.index_b + 1]):
            return False
        met = {i for i, _ in self.alignment.matches}
        if any(self.a.content[i].is_name for i in met if i > clash.index_a):
            return False  # "a poodle named Biscuit", "a beagle named Biscuit": it is one dog
        return not any(i in met for i in range(verbs[-1] + 1, clash.index_a))  # "likes the steak rare"


_TIMES = frozenset(("before", "after", "until", "since"))


def _light(clause: Clause, place: int) -> bool:
    return clause.lemmas[place] in LIGHT_VERBS


def scoped(rest: list[Token]) -> bool:
    """Whether what is left over says when, where or under which condition."""
    return any(token.is_scope for token in rest)


def in_subject(meeting: ClausePair, clash: TokenConflict) -> bool:
    """Whether the words that clash name what the clauses tell of."""
    return clash.index_a < meeting.a.subject and clash.index_b < meeting.b.subject


def quoted(one: Token, two: Token) -> tuple[str, str]:
    """The words of both sides, as written and short."""
    return one.text[:60], two.text[:60]
