"""How a memory, a store and a moment are named in a report."""

from __future__ import annotations

from memtui.export.report.markup import Html, element, inert, secret, stored
from memtui.memory.encoding import iso
from memtui.memory.report import Named

QUOTED = 800  # characters of a memory that is quoted


def name_of(memory: Named) -> Html:
    """Return the label of a memory, on one line."""
    return secret() if memory.secret else stored(memory.label)


def quote(memory: Named) -> Html:
    """Return the text of a memory as a quotation; it was searched for secrets as a whole."""
    text = secret() if memory.secret else element("bdi", inert(memory.content, QUOTED))
    return element("blockquote", text)


def day(moment: float) -> str:
    """Return the day of a moment (UTC) as an ISO date, "" for one that no calendar has."""
    return (iso(moment) or "")[:10]
