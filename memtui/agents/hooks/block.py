"""Memories as an agent is told of them: a line each, as data, without secrets and without what acts on a
terminal or ends the block (S-62, S-92, S-104)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from memtui.agents.hooks import wording
from memtui.memory.secrets.masking import hidden
from memtui.text import safe_text

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_LONGEST = 500  # characters of a memory
_TAG = re.compile(r"<(?=[/!?A-Za-z])")  # what could end the element in which a client puts the block


def block(heading: str, memories: Iterable[Memory], contradicted: Collection[str] = ()) -> str:
    """Return memories under a heading, "" without any; those `contradicted`, by uid, say so."""
    lines = [_line(each, contradicted=each.uid in contradicted) for each in memories]
    return "\n".join([heading, *lines]) if lines else ""


def blocks(*parts: str) -> str:
    """Return the parts that say something, set apart."""
    return "\n\n".join(each for each in parts if each)


def shown(text: str, longest: int = _LONGEST) -> str:
    """Return a stored text as one line."""
    line = safe_text(" ".join(hidden(text).split()), one_line=True, limit=longest)
    return _TAG.sub("‹", line)


def _line(memory: Memory, *, contradicted: bool) -> str:
    category, text = shown(memory.category or "", 60), shown(memory.content)
    return wording.memory_line(category, text, memory.confidence, contradicted=contradicted)
