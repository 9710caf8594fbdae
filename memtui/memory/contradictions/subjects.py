"""Of what a memory tells: two memories can only clash or repeat each other where it may be the same thing."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon

_WORD = re.compile(r"[^\W_]+")
_APART = re.compile(r"[\s_-]+")
# Words that are left out of a name when it is spoken of: "the Kestrel project", "kestrel".
_GENERIC = frozenset("the a an project app team of and for my our company".split())
SELVES = frozenset(("user", "me", "i", "myself", "default user", "the user", "owner"))


def normalize_name(name: str) -> str:
    """A subject as it is compared: "Payments API", "payments-api" and "payments_api" are one."""
    return _APART.sub("", name.casefold())


def spelling_variants(name: str) -> frozenset[str]:
    """How a subject may be written in another store: the same words, joined in another way."""
    parts = [part for part in _APART.split(name.strip()) if part]
    joined = {glue.join(parts) for glue in (" ", "-", "_", "")} | {name}
    return frozenset(way for each in joined for way in (each, each.casefold(), each.upper(), each.title()))


def words_of(name: str) -> frozenset[str]:
    """The words that a text has to say to name this subject, in base form."""
    found = [lexicon().lemma_of(word) for word in _WORD.findall(name.casefold())]
    return frozenset(word for word in found if word not in _GENERIC) or frozenset(found)


def words_in(text: str) -> frozenset[str]:
    """The words of a text, in base form, as `words_of` compares them."""
    return frozenset(lexicon().lemma_of(word) for word in _WORD.findall(text.casefold()))


def is_user(name: str) -> bool:
    """Whether a subject is the person that the store belongs to."""
    return name.casefold().strip().replace("_", " ").replace("-", " ") in SELVES


def remove_name(clause: Clause, names: frozenset[str]) -> Clause:
    """A clause without the name of what the whole memory is about, where it begins with that: "Maria moved
    to Lisbon" and "moved to Lisbon" say the same of Maria."""
    spent = 0
    for token in clause.content[: max(1, clause.subject)]:
        parts = words_in(token.low)
        if not parts or not parts <= names:
            break
        spent += 1
    if not spent or spent == len(clause.content):
        return clause
    clause.content = clause.content[spent:]
    clause.lemmas = clause.lemmas[spent:]
    clause.bag = frozenset(clause.lemmas)
    clause.subject = max(0, clause.subject - spent)
    clause.negated_from = max(0, clause.negated_from - spent)
    clause.negated_to = max(0, clause.negated_to - spent)
    clause.frame_at = clause.frame_at - spent if clause.frame_at >= spent else -1
    clause.definite = clause.name_removed = True
    return clause
