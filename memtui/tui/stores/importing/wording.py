"""Every sentence of the dialogs that import memories."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.imported import Verdict
from memtui.text import after_colon, listed
from memtui.tui.text.glyphs import counted, grouped

DOING = "Importing"

# The path.
KEYS = "⏎ preview · tab complete · esc cancel"
HELP = "Markdown, JSONL, JSON, CSV, XML, a list, or a store. It is only read."
STOPPED = "Stopped. Nothing was imported."
NOTHING_IN_IT = "It has no memories."

# The preview.
NOTHING_FOUND = "No memories were found."
OTHER_UNREADABLE = "Could not read the other memory"
NOTHING_TAKEN = "Nothing to import."
NOTHING_TO_TAKE = "None of these can be imported."
VERDICTS = {
    Verdict.NEW: "new",
    Verdict.SAME: "same",
    Verdict.NEAR: "near duplicate",
    Verdict.CONTRADICTING: "contradiction",
    Verdict.FLAGGED: "secret",
    Verdict.REFUSED: "refused",
}
_COUNTS = {
    Verdict.NEW: "{} new",
    Verdict.SAME: "{} same",
    Verdict.NEAR: "{} near",
    Verdict.CONTRADICTING: "{} contradicting",
    Verdict.FLAGGED: "{} flagged",
    Verdict.REFUSED: "{} refused",
}


def title(store: str) -> str:
    return f"Import to {store}"


def comparing(done: int, total: int) -> str:
    if not done:
        return f"Read {counted(total, 'memory')} … (esc stops)"
    return f"Comparing {grouped(done)} of {counted(total, 'memory')} … (esc stops)"


def counts(found: Mapping[Verdict, int]) -> str:
    """ "12 new · 3 same · 2 near"."""
    return " · ".join(_COUNTS[verdict].format(grouped(n)) for verdict, n in found.items() if n)


def ignored(fields: Mapping[str, int]) -> str:
    return f"Ignored, since no memory has them: {listed(list(fields))}."


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} compared with others only once imported."


def other(store: str, text: str) -> str:
    return f"In {store}: {text}"


def imports(count: int) -> str:
    return f"⏎ imports {counted(count, 'memory')}."


def cannot_take(reason: str) -> str:
    return f"Can't be imported: {after_colon(reason)}"


def several_lines(count: int) -> str:
    """Of a text of which the first line is shown."""
    return counted(count, "line")


def why(place: str, line: int, reason: str) -> str:
    """ "notes.md:3 · Already in native."; a new memory has no `reason`."""
    where = f"{place}:{line}" if line else place
    return f"{where} · {reason}" if reason else where
