"""Two clauses that may speak of the same thing, as the detectors are given them: the contract."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment, Clashing
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import Tie, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS, MANY_VALUED


@dataclass(slots=True)
class ClausePair:
    """A clause of A and one of B, laid side by side. `about`: the memories themselves are about the same
    thing (their subject or key), `narrow`: about one attribute of it, as one key or title tells; `taught`
    holds (topic, subject) that may have several values; `names` are the words by which both name it, `bags`
    all words of A and of B. A detector is a function of it: a Clash, or None."""

    lay: Alignment
    about: bool
    taught: Set[tuple[str, str]]
    subject: str = ""
    names: frozenset[str] = frozenset()
    narrow: bool = False
    bags: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    @property
    def a(self) -> Clause:
        return self.lay.a

    @property
    def b(self) -> Clause:
        return self.lay.b

    @property
    def known(self) -> bool:
        """Whether both speak of one certain thing."""
        return self.about or (self.a.known and self.b.known)

    def is_taught(self, topic: str) -> bool:
        """Whether a person said that this may have several values."""
        return bool(topic) and ((topic, "") in self.taught or (topic, self.subject) in self.taught)

    def rest(self, spent_a: Set[int], spent_b: Set[int]) -> tuple[list[Token], list[Token]]:
        """What is left over on both sides beside the words that were spent."""
        return (
            [self.a.content[i] for i in self.lay.left_a if i not in spent_a and not _light(self.a, i)],
            [self.b.content[j] for j in self.lay.left_b if j not in spent_b and not _light(self.b, j)],
        )

    def same_subject(self) -> bool:
        """Whether the two clauses tell of the same thing, as far as they name it: of what each is about, only
        one says more than the other."""
        lay = self.lay
        ties = lay.ties
        same = [(i, j) for i, j in lay.same if ties.get((i, j), Tie.SAME) is Tie.SAME]
        if not self.about:  # the service of billing is not that of taxes
            surely = lexicon().surely_same
            same = [
                pair
                for pair in same
                if pair not in ties or surely(self.a.lemmas[pair[0]], self.b.lemmas[pair[1]])
            ]
        met_a, met_b = {i for i, _ in same}, {j for _, j in same}
        spent_a = {each.i for each in lay.clashing}
        spent_b = {each.j for each in lay.clashing}
        more_a = [
            i for i in range(self.a.subject) if i not in met_a and i not in spent_a and not _light(self.a, i)
        ]
        more_b = [
            j for j in range(self.b.subject) if j not in met_b and j not in spent_b and not _light(self.b, j)
        ]
        if more_a and more_b:
            return False
        if self.about and ((more_a and not self.b.subject) or (more_b and not self.a.subject)):
            head = self.a.subject - 1 if more_a else self.b.subject - 1
            if head in (more_a or more_b):
                return False  # "has 48 flats", "the north wing has 20 flats"
        more = [self.a.content[i] for i in more_a] + [self.b.content[j] for j in more_b]
        if any(token.name or lexicon().is_being(token.lemma) for token in more):
            return False  # "the user's sister" is not the user
        some = any(i in met_a for i in range(self.a.subject)) or any(
            j in met_b for j in range(self.b.subject)
        )
        return some or self.about or not (self.a.subject or self.b.subject)

    def differs_elsewhere(self, spent_a: Set[int], spent_b: Set[int], loosely: bool = False) -> bool:
        """Whether something else stands in another's place, too: then not one thing is told in two ways."""
        lay = self.lay
        if loosely:  # "merged on Friday", "waits for review"
            one = {self.a.content[i].marker for i in lay.left_a if i not in spent_a and not _light(self.a, i)}
            two = {self.b.content[j].marker for j in lay.left_b if j not in spent_b and not _light(self.b, j)}
            return bool(one & two)
        mine = {lay.gap_a[i] for i in lay.left_a if i not in spent_a and not _light(self.a, i)}
        theirs = {lay.gap_b[j] for j in lay.left_b if j not in spent_b and not _light(self.b, j)}
        return bool(mine & theirs)

    def other_times(self) -> bool:
        """Whether the two speak of different times: before and after, was and is."""
        if self.a.past != self.b.past:
            return True
        for i, j in self.lay.same:
            one, two = self.a.content[i].marker, self.b.content[j].marker
            if one != two and (one in _TIMES or two in _TIMES):
                return True
        return False

    def many_valued(self, clash: Clashing) -> bool:
        """Whether the verb before the words that clash is one that a thing may do to many ("likes")."""
        first = max(0, self.a.subject - 1)
        verbs = [i for i in range(first, clash.i) if self.a.lemmas[i] in MANY_VALUED]
        if not verbs or MANY_VALUED.isdisjoint(self.b.lemmas[: clash.j + 1]):
            return False
        met = {i for i, _ in self.lay.same}
        if any(self.a.content[i].name for i in met if i > clash.i):
            return False  # "a poodle named Biscuit", "a beagle named Biscuit": it is one dog
        return not any(i in met for i in range(verbs[-1] + 1, clash.i))  # "likes the steak rare"


_TIMES = frozenset(("before", "after", "until", "since"))


def _light(clause: Clause, place: int) -> bool:
    return clause.lemmas[place] in LIGHT_VERBS


def scoped(rest: list[Token]) -> bool:
    """Whether what is left over says when, where or under which condition."""
    return any(token.scope for token in rest)


def in_subject(meeting: ClausePair, clash: Clashing) -> bool:
    """Whether the words that clash name what the clauses tell of."""
    return clash.i < meeting.a.subject and clash.j < meeting.b.subject


def quoted(one: Token, two: Token) -> tuple[str, str]:
    """The words of both sides, as written and short."""
    return one.text[:60], two.text[:60]
