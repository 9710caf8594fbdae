"""Whether two memories say the same: the gate before merging (S-41, LIMITS 10)."""

from __future__ import annotations

from collections import Counter

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import RISKY
from memtui.memory.contradictions.pairs import EXACT, MAYBE, NEAR
from memtui.memory.contradictions.states.marks import Change, marks_of
from memtui.memory.contradictions.templates import Phrases, empty
from memtui.memory.contradictions.word_changes import turned

_NEAR, _MAYBE = 0.75, 0.7  # of the words are alike
_MORE = 1  # words that one side may have beside the other's


def same(
    a: ParsedMemory, b: ParsedMemory, lays: list[Alignment], clash: bool, common: Phrases = frozenset()
) -> tuple[str, float]:
    """exact, near, maybe or "", and how much is alike (0–1), beside the phrases that they have in `common`
    with many others. Near is only what leaves no word unexplained on both sides: all else is a person's to
    judge."""
    if a.gist == b.gist and a.gist:
        return ("" if clash else EXACT), 1.0
    if not lays:
        return "", 0.0
    total = sum(_counted(c, common) for c in (*a.clauses, *b.clauses))
    shared = sum(lay.shared - _of_template(lay, common) for lay in lays)
    alike = 2 * shared / max(1, total)
    if clash:
        return "", alike
    if a.cut or b.cut or alike < _MAYBE or any(map(_other_values, lays)) or turned(a.text, b.text):
        return "", alike
    if not (a.subject or b.subject) and any(map(_of_two, lays)):
        return "", alike
    if not any(_sure(lay) for lay in lays):
        return "", alike  # "books all her travel", "swims before work": alike in kind only
    whole = len(a.clauses) == len(b.clauses) == len(lays)
    if whole and alike >= _NEAR and all(map(_explained, lays)) and _small_alike(lays):
        return NEAR, alike
    return MAYBE, alike


def _of_two(lay: Alignment) -> bool:
    """Whether two statements differ in of what they are: "backups of invoice", "backups of pricing"."""
    if len(lay.left_a) != 1 or len(lay.left_b) != 1:
        return False
    one, other = lay.a.content[lay.left_a[0]], lay.b.content[lay.left_b[0]]
    return one.marker == other.marker and one.marker in ("in", "of", "for", "on", "at")


def _counted(clause: Clause, common: Phrases) -> int:
    """How many words of a clause are no template's."""
    words = set(range(len(clause.content)))
    return len(words - empty(clause, common)) if common else len(words)


def _of_template(lay: Alignment, common: Phrases) -> int:
    """How many of the words that two clauses share are a template's."""
    if not common:
        return 0
    in_a, in_b = empty(lay.a, common), empty(lay.b, common)
    return sum(i in in_a and j in in_b for i, j in lay.same)


def _other_values(lay: Alignment) -> bool:
    """Whether the two tell different values of something: then they are two memories, though alike."""
    if lay.clashing or lay.a.denied != lay.b.denied or _changes(lay.a) != _changes(lay.b):
        return True
    if any(i < lay.a.subject and not _surely(lay, i, j) for i, j in lay.ties):
        return True  # the service of billing is not that of taxes
    told = [lay.a.content[i] for i in lay.left_a], [lay.b.content[j] for j in lay.left_b]
    return all(any(t.quantity is not None or t.name or t.scope for t in side) for side in told)


def _changes(clause: Clause) -> bool:
    """Whether a clause tells that something is another than it was."""
    return any(mark.change is not Change.NOW for mark in marks_of(clause.text))


def _explained(lay: Alignment) -> bool:
    """Whether nothing that counts stands on one side alone."""
    left = [lay.a.content[i] for i in lay.left_a], [lay.b.content[j] for j in lay.left_b]
    if (left[0] and left[1]) or lay.moved or lay.clashing or lay.a.denied != lay.b.denied:
        return False
    if lay.wider or lay.narrower or not all(_surely(lay, i, j) for i, j in lay.ties):
        return False
    more = left[0] or left[1]
    return len(more) <= _MORE and lay.shared >= 2 + len(more) and not any(map(_counts, more))


def _sure(lay: Alignment) -> bool:
    """Whether at least one word of both is the very same."""
    return any((i, j) not in lay.ties or _surely(lay, i, j) for i, j in lay.same)


def _surely(lay: Alignment, i: int, j: int) -> bool:
    one, two = lay.a.content[i], lay.b.content[j]
    return one.quantity is not None or lexicon().surely_same(one.lemma, two.lemma)


def _counts(token: Token) -> bool:
    return (
        token.quantity is not None or token.name or token.scope or token.lemma in RISKY or token.low in RISKY
    )


def _small_alike(lays: list[Alignment]) -> bool:
    """Whether the small words do not turn what is said: with/without, only, all."""
    for lay in lays:
        one, two = Counter(lay.a.small), Counter(lay.b.small)
        if any(word in RISKY for word in [*(one - two), *(two - one)]):
            return False
        if sum(((one - two) | (two - one)).values()) > 3:
            return False
    return True
