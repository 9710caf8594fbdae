"""One side of a pair: what a memory says, taken apart once for all its comparisons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memtui.memory.clashes.clauses import Clause, clauses

_MARKS = re.compile(r"[.,;:!?…。]+(?=\s|$)")  # those inside of words and numbers count


@dataclass(frozen=True, slots=True)
class Side:
    """What a detector may look at: the text with its clauses; `about` are the words of what it is told of
    (its subject). `key` and `owner` as stored, times in Unix seconds; `gist` is the text without case,
    spaces and end marks."""

    text: str
    gist: str
    clauses: tuple[Clause, ...]
    about: frozenset[str] = field(default_factory=frozenset)
    subject: str = ""
    key: str = ""
    owner: str = ""
    valid_from: float | None = None
    valid_to: float | None = None
    at: float | None = None  # when it was last said (updated or made)
    told: str = ""  # of whom or what, in lower case: its subject, else that of its first statement


def read(
    text: str,
    *,
    subject: str | None = None,
    key: str | None = None,
    owner: str | None = None,
    valid_from: float | None = None,
    valid_to: float | None = None,
    at: float | None = None,
) -> Side:
    """Take a memory apart; the dear half of a comparison, so it is kept for all of them. Never raises."""
    plain = " ".join(text.casefold().split())
    gist = _MARKS.sub("", plain).strip(" \"'-*#>") or plain
    said = tuple(clauses(text))
    first = next((clause for clause in said if clause.subject), None)
    told = (subject or "").casefold().strip()
    if not told and first is not None:
        told = " ".join(first.lemmas[: first.subject])[:80]
    about = frozenset(token.lemma for clause in clauses(subject or "")[:2] for token in clause.content)
    return Side(
        text, gist, said, about, (subject or "").casefold().strip(), (key or "").strip(),
        owner or "", valid_from, valid_to, at, told,
    )  # fmt: skip
