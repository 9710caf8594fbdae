"""Two aligned clauses, the input of every detector."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment, TokenConflict
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS, MULTI_VALUED_VERBS

_TIMES = frozenset(("before", "after", "until", "since"))
EXCERPT = 60  # characters of a word that a conflict quotes


@dataclass(slots=True)
class ClausePair:
    """A clause of memory A aligned with one of memory B; a detector maps it to a ClauseConflict or None.

    `shared_subject`: the memories are about the same thing by their subject or key; `shared_attribute`: about
    one attribute of it, by one key or title. `multi_valued` holds the (topic, subject) pairs that may have
    several values, `subject` what the memories are about. `names` are the words by which both name it, `bags`
    all words of A and of B.
    """

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
        """Whether both are about one certain thing."""
        return self.shared_subject or (self.a.definite and self.b.definite)

    def is_multi_valued(self, topic: str) -> bool:
        """Whether the user said that this topic may have several values."""
        return bool(topic) and (
            (topic, "") in self.multi_valued or (topic, self.subject) in self.multi_valued
        )

    def other_unmatched(self, used_a: Set[int], used_b: Set[int]) -> tuple[list[Token], list[Token]]:
        """Return the unmatched words of both sides, without light verbs and the words that were used."""
        return (
            [self.a.content[i] for i in _heavy(self.a, self.alignment.unmatched_a, used_a)],
            [self.b.content[j] for j in _heavy(self.b, self.alignment.unmatched_b, used_b)],
        )

    def subjects_match(self) -> bool:
        """Whether both clauses are about the same thing as far as they name it: only one may name more."""
        a, b, alignment = self.a, self.b, self.alignment
        relations = alignment.relations
        same = [
            pair for pair in alignment.matches if relations.get(pair, WordRelation.SAME) is WordRelation.SAME
        ]
        if not self.shared_subject:  # "the service of billing" is not "the service of taxes"
            synonyms = lexicon().are_synonyms
            same = [(i, j) for i, j in same if (i, j) not in relations or synonyms(a.lemmas[i], b.lemmas[j])]
        matched_a, matched_b = {i for i, _ in same}, {j for _, j in same}
        used_a = matched_a | {each.index_a for each in alignment.conflicts}
        used_b = matched_b | {each.index_b for each in alignment.conflicts}
        extra_a = _heavy(a, range(a.subject_end), used_a)
        extra_b = _heavy(b, range(b.subject_end), used_b)
        if extra_a and extra_b:
            return False
        if self.shared_subject and ((extra_a and not b.subject_end) or (extra_b and not a.subject_end)):
            head = a.subject_end - 1 if extra_a else b.subject_end - 1
            if head in (extra_a or extra_b):
                return False  # "has 48 flats", "the north wing has 20 flats"
        extra = [a.content[i] for i in extra_a] + [b.content[j] for j in extra_b]
        if any(token.is_name or lexicon().is_animate(token.lemma) for token in extra):
            return False  # "the user's sister" is not the user
        common = any(i in matched_a for i in range(a.subject_end)) or any(
            j in matched_b for j in range(b.subject_end)
        )
        return common or self.shared_subject or not (a.subject_end or b.subject_end)

    def differs_elsewhere(self, used_a: Set[int], used_b: Set[int], by_marker: bool = False) -> bool:
        """Whether both have another unmatched word in the same slot, so that they differ in two ways;
        `by_marker`, whether both have one behind the same marker."""
        rest_a = _heavy(self.a, self.alignment.unmatched_a, used_a)
        rest_b = _heavy(self.b, self.alignment.unmatched_b, used_b)
        if by_marker:  # "merged on Friday", "waits for review"
            markers_a = {self.a.content[i].marker for i in rest_a}
            return bool(markers_a & {self.b.content[j].marker for j in rest_b})
        slots_a = {self.alignment.slots_a[i] for i in rest_a}
        return bool(slots_a & {self.alignment.slots_b[j] for j in rest_b})

    def differ_in_time(self) -> bool:
        """Whether the two are about different times: before and after, was and is."""
        if self.a.past != self.b.past:
            return True
        for i, j in self.alignment.matches:
            one, two = self.a.content[i].marker, self.b.content[j].marker
            if one != two and (one in _TIMES or two in _TIMES):
                return True
        return False

    def allows_many(self, conflict: TokenConflict) -> bool:
        """Whether the verb before the conflicting words may have several objects ("likes")."""
        first = max(0, self.a.subject_end - 1)
        verbs = [i for i in range(first, conflict.index_a) if self.a.lemmas[i] in MULTI_VALUED_VERBS]
        if not verbs or MULTI_VALUED_VERBS.isdisjoint(self.b.lemmas[: conflict.index_b + 1]):
            return False
        matched = {i for i, _ in self.alignment.matches}
        if any(self.a.content[i].is_name for i in matched if i > conflict.index_a):
            return False  # "a poodle named Biscuit", "a beagle named Biscuit": it is one dog
        return not any(i in matched for i in range(verbs[-1] + 1, conflict.index_a))  # "likes the steak rare"


def _heavy(clause: Clause, indices: Sequence[int], used: Set[int]) -> list[int]:
    """Return the indices of words that were not used and are no light verbs."""
    return [k for k in indices if k not in used and clause.lemmas[k] not in LIGHT_VERBS]


def has_scope(tokens: list[Token]) -> bool:
    """Whether one of these words says when, where or under which condition."""
    return any(token.is_scope for token in tokens)


def in_subject(pair: ClausePair, conflict: TokenConflict) -> bool:
    """Whether the conflicting words belong to the subjects of both clauses."""
    return conflict.index_a < pair.a.subject_end and conflict.index_b < pair.b.subject_end


def excerpts(one: Token, two: Token) -> tuple[str, str]:
    """Return both words as written, shortened."""
    return one.text[:EXCERPT], two.text[:EXCERPT]
