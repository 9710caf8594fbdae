"""A plain list for people: each memory as a bullet, with where it is from below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memtui.export import wording
from memtui.export.bullets import bullet
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.gathered import gathered
from memtui.export.inert_text import encoded
from memtui.export.statement import contradiction_mark, statement
from memtui.memory.encoding import iso
from memtui.memory.memory import Memory

_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the list. HTML in a memory is shown, not obeyed."""
    return Rendered("".join(_item(each) for each in gathered(entries)))


def _item(entry: Entry) -> str:
    memory = entry.candidate.memory
    text = bullet(_TAG.sub(r"\\<", statement(memory)), contradiction_mark(entry))
    return f"{text}\n  \n  *{' · '.join(_origin(memory, entry.candidate.touched_at))}*\n"


def _origin(memory: Memory, touched_at: float | None) -> Iterator[str]:
    if memory.pinned:
        yield wording.PINNED
    for text in (memory.category, memory.store):
        if text:
            yield _TAG.sub(r"\\<", re.sub(r"([*_`\\\[\]])", r"\\\1", encoded(" ".join(text.split()))))
    if memory.confidence is not None:
        yield f"{memory.confidence:.0%}"
    if day := (iso(touched_at) or "")[:10]:
        yield day


EXPORTER = Exporter("markdown", wording.MARKDOWN, "text/markdown", ".md", render)
