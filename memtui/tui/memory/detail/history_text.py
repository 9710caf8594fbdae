"""The history of a memory, newest first, with the words that each change removed and added."""

from __future__ import annotations

from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from memtui.memory.diff.excerpts import ADDED, REMOVED, change_excerpts
from memtui.memory.journal import Event
from memtui.memory.wording import actor_name
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import Part, one_line, with_heading

# Attributes, since these are visible without colour too.
_STYLES = {REMOVED: "$warning strike", ADDED: "bold underline"}
_STATES = {"intended": wording.UNFINISHED}


def history_parts(events: tuple[Event, ...], now: float, width: int) -> list[Part]:
    """Return a line per event, and below a changed text at most three excerpts of what differs."""
    names = max((len(moment(event.at, now)) for event in events), default=0) + 2
    parts: list[Part] = []
    for event in events:
        state = "" if event.state == "done" else _STATES.get(event.state, event.state)
        why = event.reason if event.state in ("refused", "failed") else ""
        entry = one_line(wording.history_entry(actor_name(event.actor), event.summary, state, why))
        for index, row in enumerate(wrap(entry, max(width - names - 2, 12))):
            when = "" if index else moment(event.at, now)
            parts += [(f"  {when:<{names}}", "$quiet"), (row, ""), ("\n", "")]
        if event.state in ("done", "undone"):  # others changed nothing
            parts += _excerpts(event, width)
    return with_heading(wording.HISTORY, parts)


def _excerpts(event: Event, width: int) -> list[Part]:
    parts: list[Part] = []
    for name, sign, pieces in change_excerpts(event.before, event.after):
        head = "" if name == "content" else f"{name.replace('_', ' ')}: "
        line: list[Part] = [(f"    {sign} ", "$accent"), (head, "$quiet")]
        line += [(text, _STYLES[sign] if only else "$quiet") for text, only in pieces]
        parts += [*_fitted(line, width), ("\n", "")]
    return parts


def _fitted(line: list[Part], width: int) -> list[Part]:
    """Return as much of a line as there is room for."""
    out: list[Part] = []
    room = max(width, 24)
    for text, style in line:
        if cell_len(text) > room:
            return [*out, (set_cell_size(text, max(0, room - 1)).rstrip() + "…", style)]
        out.append((text, style))
        room -= cell_len(text)
    return out
