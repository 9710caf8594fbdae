"""Phrases that many memories about different things share because they were made from one template: they say
nothing about what two memories have in common (S-40)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.subjects import normalize_name

MIN_SUBJECTS = 4  # different subjects from which on a common phrase is taken to come from a template
Phrases = frozenset[tuple[str, str]]


def shared_phrases(side: ParsedMemory, others: Iterable[ParsedMemory]) -> Phrases:
    """Return the two-word phrases that this memory shares with memories about many other things."""
    subjects_by_phrase: dict[tuple[str, str], set[str]] = {}
    own_phrases, own_subject = phrases_of(side), _subject_of(side)
    for other in others:
        subject = _subject_of(other)
        if subject != own_subject:
            for phrase in own_phrases & phrases_of(other):
                subjects_by_phrase.setdefault(phrase, set()).add(subject)
    return frozenset(
        phrase for phrase, subjects in subjects_by_phrase.items() if len(subjects) >= MIN_SUBJECTS
    )


def phrases_of(side: ParsedMemory) -> Phrases:
    """Return every two consecutive words, the ends of a clause included."""
    found: set[tuple[str, str]] = set()
    for clause in side.clauses:
        words = ["", *clause.lemmas, ""]
        found.update(pairwise(words))
    return frozenset(found)


def template_indices(clause: Clause, common: Phrases) -> set[int]:
    """Return the indices of the words that belong to one of these phrases."""
    words = ["", *clause.lemmas, ""]
    found: set[int] = set()
    for index, phrase in enumerate(pairwise(words)):
        if phrase in common:
            found |= {index - 1, index}
    return found


def share_only_template(alignment: Alignment, common: Phrases) -> bool:
    """Whether two clauses have nothing in common but the template."""
    if not common:
        return False
    in_a, in_b = template_indices(alignment.a, common), template_indices(alignment.b, common)
    # Words that are only related (billing, taxes) do not show that both are about the same thing.
    return all((i in in_a and j in in_b) or (i, j) in alignment.relations for i, j in alignment.matches)


def _subject_of(side: ParsedMemory) -> str:
    return side.subject or side.about or normalize_name(side.title)
