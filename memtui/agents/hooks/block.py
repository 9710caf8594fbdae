"""Memories as an agent is told of them: a line each, as data, without secrets and without what acts on a
terminal or ends the block (S-62, S-92, S-104)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.agents.hooks import wording
from memtui.agents.tags import without_tags
from memtui.memory.secrets.masking import hidden
from memtui.text import safe_text

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_LONGEST = 500  # characters of a memory


def block(heading: str, memories: Iterable[Memory], opposed: Mapping[str, Sequence[str]]) -> str:
    """Return memories under a heading, "" without any; `opposed` has the uids of what openly contradicts one,
    by its uid."""
    lines = [_line(each, opposed.get(each.uid, ())) for each in memories]
    return "\n".join([heading, *lines]) if lines else ""


def blocks(*parts: str) -> str:
    """Return the parts that say something, set apart."""
    return "\n\n".join(each for each in parts if each)


def without_repeats(owed: str, text: str) -> str:
    """Return what of earlier blocks another text does not say as well."""
    said = set(text.splitlines())
    left: list[str] = []
    for section in owed.split("\n\n"):
        heading, *lines = section.split("\n")
        if new := [line for line in lines if line not in said]:
            left.append("\n".join([heading, *new]))
    return blocks(*left)


def shown(text: str, longest: int = _LONGEST) -> str:
    """Return a stored text as one line."""
    return without_tags(safe_text(" ".join(hidden(text).split()), one_line=True, limit=longest))


def _line(memory: Memory, others: Sequence[str]) -> str:
    text = shown(memory.content)
    return wording.memory_line(shown(memory.category or "", 60), text, memory.confidence, others)
