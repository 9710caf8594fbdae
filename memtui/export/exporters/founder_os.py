"""The block that Founder OS gives its agents: at most five memories, confirmed or applied (FORMATS 1)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export import wording
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.inert_text import encoded
from memtui.export.statement import contradiction_mark, statement
from memtui.memory.selection.candidate import DEFAULT_CONFIDENCE, Candidate

MAX_MEMORIES = 5
STATUSES = ("confirmed", "applied")
_HEADING = "## Relevant Memories\n"
_CATEGORY = "fact"  # of a memory without one
_BRACKETS = str.maketrans("[]", "()")


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the block with the first five; nothing without memories. A memory takes one line; a confidence
    that its format lacks is 70, as in the choice for a budget."""
    lines = [_line(each) for each in entries[:MAX_MEMORIES]]
    dropped = {each.candidate.memory.uid: wording.at_most(MAX_MEMORIES) for each in entries[MAX_MEMORIES:]}
    return Rendered(_HEADING + "".join(lines) if lines else "", dropped)


def refuse(candidate: Candidate) -> str:
    """Return why a memory is not for agents, "" if it is."""
    status = candidate.memory.status
    return "" if status in STATUSES else wording.only_statuses(status, STATUSES)


def _line(entry: Entry) -> str:
    memory = entry.candidate.memory
    category = encoded(" ".join((memory.category or "").translate(_BRACKETS).split())) or _CATEGORY
    confidence = DEFAULT_CONFIDENCE if memory.confidence is None else memory.confidence
    text = " ".join((statement(memory) + contradiction_mark(entry)).split())
    return f"- [{category}] {text} (confidence: {round(confidence * 100)})\n"


EXPORTER = Exporter(
    "founder-os",
    "Founder OS injection block",
    "text/markdown",
    ".md",
    render,
    wording.FOUNDER_OS_LIMITS.format(most=MAX_MEMORIES),
    refuse,
)
