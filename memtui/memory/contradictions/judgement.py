"""All detectors over one pair, then the merge gate (S-40, S-41)."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import replace

from memtui.memory.contradictions import duplicates, facts, states
from memtui.memory.contradictions.comparison.alignment import Alignment, align
from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.detectors import (
    identity,
    inline_key,
    lifestyle,
    memory_key,
    negation,
    role,
    single_value,
    state_change,
    substitution,
    word_order,
)
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS, is_many
from memtui.memory.contradictions.pairs import ClauseConflict, Judgement
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.contradictions.subjects import normalize_name, words_in
from memtui.memory.contradictions.templates import Phrases, says_nothing

Detector = Callable[[ClausePair], ClauseConflict | None]
# Each is asked of every two clauses that have words in common; one idea each.
DETECTORS: tuple[Detector, ...] = (
    negation.find,
    negation.without,
    substitution.opposite,
    substitution.of_a_class,
    substitution.number,
    word_order.opposite,
    word_order.order,
    word_order.how_often,
    word_order.only,
    inline_key.find,
    single_value.find,
    identity.told_to_be,
    identity.renamed,
    role.other_owner,
    role.other_way_round,
    role.only_one_is,
    state_change.find,
    lifestyle.find,
)
_VALUES = frozenset(("class", "value", "number"))  # of which a list has several
LINES = 12  # clauses of each that are held against all of the other, where both are about one thing
MOST = 160  # pairs of clauses that are laid side by side


def judge(
    a: ParsedMemory,
    b: ParsedMemory,
    *,
    marked: bool = False,
    taught: Set[tuple[str, str]] = frozenset(),
    common: Phrases = frozenset(),
) -> Judgement:
    """What two memories are to each other. `marked`: their store says that they contradict. `multi_valued`
    holds (topic, subject) that a person said may have several values, subject "" for anybody's; `common`
    the phrases that both share with many others. Never raises; bounded in time whatever the texts."""
    if a.fingerprint > b.fingerprint:  # the same from both ends
        other = judge(b, a, marked=marked, multi_valued=taught, common=common)
        turned = tuple(
            replace(each, words=each.words[::-1], clauses=each.clauses[::-1]) for each in other.conflicts
        )
        return Judgement(turned, other.duplicate_kind, other.overlap)
    conflicts: list[ClauseConflict] = []
    if marked:
        conflicts.append(ClauseConflict("mark", 1.0, ("", ""), "The store itself says that they contradict each other."))
    if a.subject or b.subject:
        if a.subject and b.subject and a.subject != b.subject:
            return Judgement(tuple(conflicts))
        for some, none in ((a, b), (b, a)):
            if not none.subject and not none.mentions(some):
                return Judgement(tuple(conflicts))
        if not a.subject:
            a = a.as_statement_about(b)
        elif not b.subject:
            b = b.as_statement_about(a)
    if a.key and b.key and a.owner and b.owner and a.owner != b.owner and not (a.about and a.about == b.about):
        return Judgement(tuple(conflicts))  # of two agents, and nobody says of whom
    about = _about(a, b)
    alignments: list[Alignment] = []
    if a.fingerprint != b.fingerprint:
        alignments = _lays(a.clauses, b.clauses)
        foreign = not a.subject and not b.subject and _foreign(a, b)
        told = a.about if about or a.about == b.about else ""
        apart = not about and bool(a.title and b.title)
        conflicts += _detected(
            [alignment for alignment in alignments if _may_clash(alignment, about, foreign, apart, common)], about, taught, told
        )
        if a.names and not conflicts:  # one may name what both are about, and the other not
            bare = [alignment for alignment in _lays(a.bare_clauses, b.bare_clauses) if alignment.a.name_removed != alignment.b.name_removed]
            bare = [alignment for alignment in bare if _may_clash(alignment, True, False, False, common)]
            conflicts += _detected(bare, about, taught, told)
    names = frozenset[str]() if about or common else _named_alike(a, b) or _headed_alike(a, b)
    if (about or names) and not conflicts and a.fingerprint != b.fingerprint and memory_key.at_once(a, b):
        conflicts += _states(a, b, taught, names)
    if not (about or names or conflicts or a.subject or b.subject or common) and a.fingerprint != b.fingerprint:
        conflicts += _rules(a, b)
    if a.key and memory_key.is_many(a.key):
        conflicts = [each for each in conflicts if each.kind not in _VALUES]
    conflict = memory_key.find(a, b, alignments, bool(conflicts), taught)
    if conflict is not None:
        conflicts.append(conflict)
    conflicts.sort(key=lambda each: -each.score)
    if marked and len(conflicts) > 1:  # one pair, with what we found ourselves
        conflicts[0] = replace(conflicts[0], words=conflicts[1].words, clauses=conflicts[1].clauses)
    same, alike = duplicates.compare(a, b, alignments, bool(conflicts), frozenset() if about else common)
    return Judgement(tuple(conflicts), same, alike)


def _detected(alignments: list[Alignment], about: bool, taught: Set[tuple[str, str]], told: str) -> list[ClauseConflict]:
    """What the detectors find in clauses that may clash."""
    found = []
    for alignment in alignments:
        meeting = ClausePair(alignment, about, taught, told)
        said = alignment.a.text, alignment.b.text
        found += [replace(conflict, clauses=said) for each in DETECTORS if (conflict := each(meeting)) is not None]
    return found


def _may_clash(alignment: Alignment, about: bool, foreign: bool, apart: bool, common: Phrases) -> bool:
    """Whether two clauses may speak of the same side of the same thing. `foreign`: the texts begin with other
    things; `apart`: they have titles, and not the same."""
    one, two = alignment.a, alignment.b
    if one.heading or two.heading or one.explanatory or two.explanatory or _excepted(one) != _excepted(two):
        return False
    if one.key and one.key == two.key and is_many(one.key):
        return False  # an entity may well have several of these
    if one.key and two.key and (apart or _of_two_keys(one, two)):
        return False  # "status: stable" of two components, "start date" and "birthday" of one
    if not about and says_nothing(alignment, common):
        return False
    return not (foreign and (one.key or two.key or not (one.subject and two.subject)))


def _of_two_keys(one: Clause, two: Clause) -> bool:
    return one.key != two.key and not (one.frame and one.frame == two.frame)


def _about(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether two memories say that they are about the same thing: by their subject, else by their key, else
    by their title."""
    if a.subject or b.subject:
        return True  # of another subject they would not be compared
    if a.key and b.key:
        return a.key.casefold() == b.key.casefold() and a.owner == b.owner
    return bool(a.title) and normalize_name(a.title) == normalize_name(b.title)


def _named_alike(a: ParsedMemory, b: ParsedMemory) -> frozenset[str]:
    """The names that both say, one of them maybe where each word has a capital: "Brindle ships …"."""
    return (a.proper_names & b.proper_names) | (a.proper_names & b.opening_words) | (b.proper_names & a.opening_words)


def _headed_alike(a: ParsedMemory, b: ParsedMemory) -> frozenset[str]:
    """The words by which the titles of two notes name the same: "prod-db-reads", "prod-db-off-limits"; none
    where each names something of its own."""
    if a.subject or b.subject or a.key or b.key or (a.proper_names - b.proper_names and b.proper_names - a.proper_names):
        return frozenset()
    if _of_two_projects(a, b):
        return frozenset()
    return (words_in(a.title) & words_in(b.title)) - STOP_WORDS - _OF_ANY_NOTE


def _of_two_projects(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether each names something of its own by an identifier: "atlas-core", "atlas-notes"."""
    own = [frozenset(_IDENTIFIER.findall(f"{side.title} {side.text}".lower())) for side in (a, b)]
    return bool(own[0] and own[1]) and not own[0] & own[1]


_IDENTIFIER = re.compile(r"\b[a-z0-9]+(?:[-_][a-z0-9]+)+\b")
# Words of titles that tell nothing of what a note is about.
_OF_ANY_NOTE = frozenset(
    "note user project policy rule style preference feedback reference setup guide convention config tip how "
    "new "
    "team repo decision workflow process never no always".split()
)


def _states(
    a: ParsedMemory, b: ParsedMemory, taught: Set[tuple[str, str]], names: frozenset[str]
) -> list[ClauseConflict]:
    """One thing in two states, wherever in the two texts it is told."""
    found = []
    bags = _bag(a), _bag(b)
    agreed = _ended(a) & _ended(b)
    narrow = not names and ((bool(a.key) and a.key == b.key) or not a.subject)
    for one in a.bare_clauses[:LINES]:
        for other in b.bare_clauses[:LINES]:
            if _only_names(one) or _only_names(other) or _excepted(one) != _excepted(other):
                continue
            if agreed and any(_ends(clause) & agreed for clause in (one, other)):
                continue  # both know that it is no more
            known = names or a.names | b.names
            meeting = ClausePair(align(one, other), not names, taught, a.about, known, narrow, bags)
            conflict = states.find(meeting) or facts.find(meeting)
            if conflict is not None:
                found.append(replace(conflict, clauses=(one.text, other.text)))
    return found


def _ended(side: ParsedMemory) -> frozenset[str]:
    """What a memory says is no more."""
    return frozenset().union(*(_ends(clause) for clause in side.bare_clauses[:LINES]))


def _ends(clause: Clause) -> frozenset[str]:
    things = (mark.things for mark in change_marks(clause.text) if mark.kind is ChangeKind.ENDED)
    return frozenset().union(*things)


def _rules(a: ParsedMemory, b: ParsedMemory) -> list[ClauseConflict]:
    """Two rules of which one forbids what the other asks for."""
    if (a.proper_names - b.proper_names and b.proper_names - a.proper_names) or _of_two_projects(a, b):
        return []
    found = []
    for one in a.bare_clauses[:LINES]:
        for other in b.bare_clauses[:LINES]:
            if _excepted(one) != _excepted(other):
                continue
            conflict = facts.of_rules(ClausePair(align(one, other), False, frozenset(), a.about))
            if conflict is not None:
                found.append(replace(conflict, clauses=(one.text, other.text)))
    return found


_EXCEPT = re.compile(r"\b(?:other than|apart from|except|besides|aside from|all but)\b", re.I)


def _excepted(clause: Clause) -> bool:
    """Whether a clause is of all but something."""
    return _EXCEPT.search(clause.text) is not None


def _only_names(clause: Clause) -> bool:
    return clause.heading and not change_marks(clause.text)


def _bag(side: ParsedMemory) -> frozenset[str]:
    return frozenset().union(*(clause.bag for clause in (*side.clauses, *side.bare_clauses)))


def _foreign(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether two longer texts begin with different things: what they say below is of those."""
    if len(a.clauses) < 2 or len(b.clauses) < 2:
        return False
    one, two = (frozenset(c.lemmas[: max(1, c.subject)]) for c in (a.clauses[0], b.clauses[0]))
    return not one & two and not (a.clauses[0].bag & two or b.clauses[0].bag & one)


def _equal(said: tuple[Clause, ...], other: tuple[Clause, ...]) -> tuple[set[int], set[int], list[Alignment]]:
    """The clauses that both say word for word, each once: they are laid beside nothing else."""
    places: dict[tuple[str, bool], list[int]] = {}
    for j, two in enumerate(other):
        places.setdefault((two.text.casefold(), two.negated), []).append(j)
    taken_a, taken_b, found = set[int](), set[int](), list[Alignment]()
    for i, one in enumerate(said):
        left = places.get((one.text.casefold(), one.negated))
        if left:
            j = left.pop(0)
            taken_a.add(i)
            taken_b.add(j)
            found.append(align(one, other[j]))
    return taken_a, taken_b, found


def _lays(said: tuple[Clause, ...], other: tuple[Clause, ...]) -> list[Alignment]:
    """The clauses that have most in common, laid side by side; each once, the most alike first."""
    if len(said) == len(other) == 1:
        alignment = align(said[0], other[0])
        return [alignment] if alignment.matches or alignment.conflicts else []
    options: list[tuple[int, int, int]] = []
    taken_a, taken_b, found = _equal(said, other)
    for i, one in enumerate(said):
        for j, two in enumerate(other):
            if i in taken_a or j in taken_b:
                continue
            common = len(one.bag & two.bag)
            if common or (one.key and one.key == two.key):
                options.append((-common, i, j))
    options.sort()
    for _, i, j in options[:MOST]:
        if i in taken_a or j in taken_b:
            continue
        taken_a.add(i)
        taken_b.add(j)
        found.append(align(said[i], other[j]))
    return found
