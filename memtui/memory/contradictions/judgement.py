"""Compare two memories: all detectors, then the gate before merging (S-40, S-41)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import replace

from memtui.memory.contradictions import duplicates, facts, states, wording
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
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS, is_multi_valued_key
from memtui.memory.contradictions.pairs import ClauseConflict, Judgement
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.subjects import normalize_name, words_in
from memtui.memory.contradictions.templates import Phrases, share_only_template

Detector = Callable[[ClausePair], ClauseConflict | None]
# Each is asked about every two clauses that have words in common.
DETECTORS: tuple[Detector, ...] = (
    negation.find,
    negation.without,
    substitution.opposite,
    substitution.same_class,
    substitution.number,
    word_order.opposite_function_word,
    word_order.reversed_order,
    word_order.frequency,
    word_order.exclusive,
    inline_key.find,
    single_value.find,
    identity.different_identity,
    identity.different_name,
    role.different_owner,
    role.different_owner_inverse,
    role.different_holder,
    state_change.find,
    lifestyle.find,
)
_VALUE_KINDS = frozenset(("class", "value", "number"))  # of which a list has several
MAX_CLAUSES = 12  # of a memory, each compared with all of the other where both are about one thing
MAX_ALIGNMENTS = 160  # candidate pairs of clauses from which alignments are chosen
_EXCEPTION = re.compile(r"\b(?:other than|apart from|except|besides|aside from|all but)\b", re.I)
_IDENTIFIER = re.compile(r"\b[a-z0-9]+(?:[-_][a-z0-9]+)+\b")
# Words of titles that do not say what a note is about.
_GENERIC_TITLE_WORDS = frozenset(
    "note user project policy rule style preference feedback reference setup guide convention config tip how "
    "new team repo decision workflow process never no always".split()
)


def judge(
    a: ParsedMemory,
    b: ParsedMemory,
    *,
    marked: bool = False,
    multi_valued: Set[tuple[str, str]] = frozenset(),
    common: Phrases = frozenset(),
) -> Judgement:
    """Compare two memories; the result does not depend on their order.

    `marked`: their store says that they contradict each other. `multi_valued` holds the (topic, subject)
    pairs that may have several values by the user's verdict, with subject "" for any subject; `common` are
    the phrases that both share with many other memories. Never raises; its time is bounded for any text.
    """
    if a.fingerprint > b.fingerprint:
        other = judge(b, a, marked=marked, multi_valued=multi_valued, common=common)
        conflicts = tuple(each.swapped() for each in other.conflicts)
        return Judgement(conflicts, other.duplicate_kind, other.overlap)
    found: list[ClauseConflict] = []
    if marked:
        found.append(ClauseConflict("mark", 1.0, ("", ""), wording.MARKED_BY_STORE))
    if not _are_comparable(a, b):
        return Judgement(tuple(found))
    if b.subject and not a.subject:
        a = a.as_statement_about(b)
    elif a.subject and not b.subject:
        b = b.as_statement_about(a)
    same_thing = _are_about_same_thing(a, b)
    alignments: list[Alignment] = []
    if a.fingerprint != b.fingerprint:
        alignments = _alignments(a.clauses, b.clauses)
        about = a.about if same_thing or a.about == b.about else ""
        foreign = not a.subject and not b.subject and _start_differently(a, b)
        titled = not same_thing and bool(a.title and b.title)
        comparable = (each for each in alignments if _may_conflict(each, same_thing, foreign, titled, common))
        found += _detect(comparable, same_thing, multi_valued, about)
        if a.names and not found:
            found += _detect(_bare_alignments(a, b), same_thing, multi_valued, about)
        if not found:
            found += _find_in_all_clauses(a, b, same_thing, multi_valued, common)
    if a.key and memory_key.is_list_key(a.key):
        found = [each for each in found if each.kind not in _VALUE_KINDS]
    conflict = memory_key.find(a, b, alignments, bool(found), multi_valued)
    if conflict is not None:
        found.append(conflict)
    found.sort(key=lambda each: -each.score)
    if marked and len(found) > 1:  # the store's own mark, shown with what was found in the texts
        found[0] = replace(found[0], words=found[1].words, clauses=found[1].clauses)
    kind, overlap = duplicates.compare(a, b, alignments, bool(found), frozenset() if same_thing else common)
    return Judgement(tuple(found), kind, overlap)


def _are_comparable(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether two memories may be about the same thing, as far as their subjects and owners tell."""
    if a.subject or b.subject:
        if a.subject and b.subject and a.subject != b.subject:
            return False
        for named, unnamed in ((a, b), (b, a)):
            if not unnamed.subject and not unnamed.mentions(named):
                return False
    if a.key and b.key and a.owner and b.owner and a.owner != b.owner:
        return bool(a.about) and a.about == b.about
    return True


def _detect(
    alignments: Iterable[Alignment], same_thing: bool, multi_valued: Set[tuple[str, str]], about: str
) -> list[ClauseConflict]:
    """Return what the detectors find in aligned clauses."""
    found = []
    for alignment in alignments:
        pair = ClausePair(alignment, same_thing, multi_valued, about)
        clauses = alignment.a.text, alignment.b.text
        for detector in DETECTORS:
            if (conflict := detector(pair)) is not None:
                found.append(replace(conflict, clauses=clauses))
    return found


def _may_conflict(
    alignment: Alignment, same_thing: bool, foreign: bool, titled: bool, common: Phrases
) -> bool:
    """Whether two clauses may be about the same side of the same thing. `foreign`: the texts start with
    different things; `titled`: both memories have titles, and different ones."""
    a, b = alignment.a, alignment.b
    if a.heading or b.heading or a.explanatory or b.explanatory or _is_exception(a) != _is_exception(b):
        return False
    if a.key and a.key == b.key and is_multi_valued_key(a.key):
        return False
    if a.key and b.key and (titled or _have_different_keys(a, b)):
        return False  # "status: stable" of two components, "start date" and "birthday" of one
    if not same_thing and share_only_template(alignment, common):
        return False
    return not (foreign and (a.key or b.key or not (a.subject_end and b.subject_end)))


def _bare_alignments(a: ParsedMemory, b: ParsedMemory) -> list[Alignment]:
    """Return alignments without the subject's name where only one of the clauses names it."""
    return [
        each
        for each in _alignments(a.bare_clauses, b.bare_clauses)
        if each.a.name_removed != each.b.name_removed and _may_conflict(each, True, False, False, frozenset())
    ]


def _have_different_keys(a: Clause, b: Clause) -> bool:
    return a.key != b.key and not (a.frame and a.frame == b.frame)


def _are_about_same_thing(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether two comparable memories are about the same thing by their subject, else by their key, else by
    their title."""
    if a.subject or b.subject:
        return True
    if a.key and b.key:
        return a.key.casefold() == b.key.casefold() and a.owner == b.owner
    return bool(a.title) and normalize_name(a.title) == normalize_name(b.title)


def _find_in_all_clauses(
    a: ParsedMemory,
    b: ParsedMemory,
    same_thing: bool,
    multi_valued: Set[tuple[str, str]],
    common: Phrases,
) -> list[ClauseConflict]:
    """Compare every clause with every other for states, facts and rules worded differently."""
    names = frozenset[str]()
    if not (same_thing or common):
        names = _shared_names(a, b) or _shared_title_words(a, b)
    if same_thing or names:
        return _find_states(a, b, multi_valued, names) if memory_key.overlap_in_time(a, b) else []
    if a.subject or b.subject or common:
        return []
    return _find_rules(a, b)


def _shared_names(a: ParsedMemory, b: ParsedMemory) -> frozenset[str]:
    """Return the names in both texts, in one perhaps as the capitalised first word: "Brindle ships …"."""
    return (
        (a.proper_names & b.proper_names)
        | (a.proper_names & b.opening_words)
        | (b.proper_names & a.opening_words)
    )


def _shared_title_words(a: ParsedMemory, b: ParsedMemory) -> frozenset[str]:
    """Return the words by which two titles name the same thing ("prod-db-reads", "prod-db-off-limits");
    none where each names something that the other does not."""
    if a.subject or b.subject or a.key or b.key:
        return frozenset()
    if _name_different_things(a, b):
        return frozenset()
    return (words_in(a.title) & words_in(b.title)) - STOP_WORDS - _GENERIC_TITLE_WORDS


def _name_different_things(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether each has a name or an identifier of its own ("atlas-core", "atlas-notes")."""
    if a.proper_names - b.proper_names and b.proper_names - a.proper_names:
        return True
    own = [frozenset(_IDENTIFIER.findall(f"{side.title} {side.text}".lower())) for side in (a, b)]
    return bool(own[0] and own[1]) and not own[0] & own[1]


def _find_states(
    a: ParsedMemory, b: ParsedMemory, multi_valued: Set[tuple[str, str]], names: frozenset[str]
) -> list[ClauseConflict]:
    """Find one thing in two states, wherever the two texts mention it."""
    found = []
    bags = _bag(a), _bag(b)
    ended_in_both = _ended_in(a) & _ended_in(b)
    shared_attribute = not names and ((bool(a.key) and a.key == b.key) or not a.subject)
    for one in a.bare_clauses[:MAX_CLAUSES]:
        for other in b.bare_clauses[:MAX_CLAUSES]:
            if _is_plain_heading(one) or _is_plain_heading(other):
                continue
            if _is_exception(one) != _is_exception(other):
                continue
            if ended_in_both and any(_ended(clause) & ended_in_both for clause in (one, other)):
                continue
            pair = ClausePair(
                align(one, other),
                not names,
                multi_valued,
                a.about,
                names or a.names | b.names,
                shared_attribute,
                bags,
            )
            conflict = states.find(pair) or facts.find(pair)
            if conflict is not None:
                found.append(replace(conflict, clauses=(one.text, other.text)))
    return found


def _ended_in(side: ParsedMemory) -> frozenset[str]:
    """Return the words for what a memory says is no more."""
    return frozenset().union(*(_ended(clause) for clause in side.bare_clauses[:MAX_CLAUSES]))


def _ended(clause: Clause) -> frozenset[str]:
    things = (mark.things for mark in change_marks(clause.text) if mark.kind is ChangeKind.ENDED)
    return frozenset().union(*things)


def _find_rules(a: ParsedMemory, b: ParsedMemory) -> list[ClauseConflict]:
    """Find two rules of which one forbids what the other asks for."""
    if _name_different_things(a, b):
        return []
    found = []
    for one in a.bare_clauses[:MAX_CLAUSES]:
        for other in b.bare_clauses[:MAX_CLAUSES]:
            if _is_exception(one) != _is_exception(other):
                continue
            conflict = facts.find_in_rules(ClausePair(align(one, other), False, frozenset(), a.about))
            if conflict is not None:
                found.append(replace(conflict, clauses=(one.text, other.text)))
    return found


def _is_exception(clause: Clause) -> bool:
    """Whether a clause is about everything except something."""
    return _EXCEPTION.search(clause.text) is not None


def _is_plain_heading(clause: Clause) -> bool:
    return clause.heading and not change_marks(clause.text)


def _bag(side: ParsedMemory) -> frozenset[str]:
    return frozenset().union(*(clause.bag for clause in (*side.clauses, *side.bare_clauses)))


def _start_differently(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether two texts of several clauses start with different things, which the rest is about."""
    if len(a.clauses) < 2 or len(b.clauses) < 2:
        return False
    one, two = (frozenset(c.lemmas[: max(1, c.subject_end)]) for c in (a.clauses[0], b.clauses[0]))
    return not one & two and not (a.clauses[0].bag & two or b.clauses[0].bag & one)


def _alignments(clauses_a: tuple[Clause, ...], clauses_b: tuple[Clause, ...]) -> list[Alignment]:
    """Align the clauses with most words in common; each clause once, equal ones first."""
    if len(clauses_a) == len(clauses_b) == 1:
        alignment = align(clauses_a[0], clauses_b[0])
        return [alignment] if alignment.matches or alignment.conflicts else []
    taken_a, taken_b, found = _equal_clauses(clauses_a, clauses_b)
    options: list[tuple[int, int, int]] = []
    for i, a in enumerate(clauses_a):
        for j, b in enumerate(clauses_b):
            if i in taken_a or j in taken_b:
                continue
            common = len(a.bag & b.bag)
            if common or (a.key and a.key == b.key):
                options.append((-common, i, j))
    options.sort()
    for _, i, j in options[:MAX_ALIGNMENTS]:
        if i in taken_a or j in taken_b:
            continue
        taken_a.add(i)
        taken_b.add(j)
        found.append(align(clauses_a[i], clauses_b[j]))
    return found


def _equal_clauses(
    clauses_a: tuple[Clause, ...], clauses_b: tuple[Clause, ...]
) -> tuple[set[int], set[int], list[Alignment]]:
    """Align the clauses that both texts have word for word; return their indices, too."""
    indices: dict[tuple[str, bool], list[int]] = {}
    for j, b in enumerate(clauses_b):
        indices.setdefault((b.text.casefold(), b.negated), []).append(j)
    taken_a, taken_b, found = set[int](), set[int](), list[Alignment]()
    for i, a in enumerate(clauses_a):
        equal = indices.get((a.text.casefold(), a.negated))
        if equal:
            j = equal.pop(0)
            taken_a.add(i)
            taken_b.add(j)
            found.append(align(a, clauses_b[j]))
    return taken_a, taken_b, found
