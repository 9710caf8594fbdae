"""Subjects of memories: two memories can only contradict or repeat each other if they may be about the same
thing."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon

_WORD = re.compile(r"[^\W_]+")
_SEPARATOR = re.compile(r"[\s_-]+")
# Words that people leave out of a name: "the Kestrel project" is "Kestrel".
_GENERIC = frozenset("the a an project app team of and for my our company".split())
USER_NAMES = frozenset(("user", "me", "i", "myself", "default user", "the user", "owner"))


def normalize_name(name: str) -> str:
    """Return a subject as it is compared: "Payments API", "payments-api" and "payments_api" are equal."""
    return _SEPARATOR.sub("", name.casefold())


def spelling_variants(name: str) -> frozenset[str]:
    """Return the ways in which another store may write a subject: the same words, joined and cased
    differently."""
    words = [part for part in _SEPARATOR.split(name.strip()) if part]
    joined = {separator.join(words) for separator in (" ", "-", "_", "")} | {name}
    return frozenset(form for each in joined for form in (each, each.casefold(), each.upper(), each.title()))


def name_words(name: str) -> frozenset[str]:
    """Return the lemmas of the words that a text must contain to name this subject."""
    found = [lexicon().lemma_of(word) for word in _WORD.findall(name.casefold())]
    return frozenset(word for word in found if word not in _GENERIC) or frozenset(found)


def words_in(text: str) -> frozenset[str]:
    """Return the lemmas of the words of a text, to be compared with `name_words`."""
    return frozenset(lexicon().lemma_of(word) for word in _WORD.findall(text.casefold()))


def is_user(name: str) -> bool:
    """Whether a subject is the user whom the store belongs to."""
    return name.casefold().strip().replace("_", " ").replace("-", " ") in USER_NAMES


def remove_name(clause: Clause, names: frozenset[str]) -> Clause:
    """Remove the name of the memory's subject from the start of a clause: about Maria, "Maria moved to
    Lisbon" and "moved to Lisbon" say the same. Changes the clause in place and returns it."""
    removed = 0
    for token in clause.content[: max(1, clause.subject_end)]:
        words = words_in(token.low)
        if not words or not words <= names:
            break
        removed += 1
    if not removed or removed == len(clause.content):
        return clause
    clause.content = clause.content[removed:]
    clause.lemmas = clause.lemmas[removed:]
    clause.bag = frozenset(clause.lemmas)
    clause.subject_end = max(0, clause.subject_end - removed)
    clause.negated_from = max(0, clause.negated_from - removed)
    clause.negated_to = max(0, clause.negated_to - removed)
    clause.frame_at = clause.frame_at - removed if clause.frame_at >= removed else -1
    clause.definite = clause.name_removed = True
    return clause
