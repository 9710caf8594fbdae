"""What was done to a memory, newest first, with the words that went and came: a pure function."""

from __future__ import annotations

from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from memtui.memory.diff.excerpts import CAME, GONE, lines
from memtui.memory.journal import Event
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import Part, one_line, with_heading

# Attributes are seen without colour too.
_ONLY = {GONE: "$warning strike", CAME: "bold underline"}
_STATES = {"intended": "not finished"}


def history(events: tuple[Event, ...], now: float, width: int) -> list[Part]:
    """A line each; below one that changed a text, at most three of what differs."""
    names = max((len(moment(event.at, now)) for event in events), default=0) + 2
    parts: list[Part] = []
    for event in events:
        state = "" if event.state == "done" else f" ({_STATES.get(event.state, event.state)})"
        why = f": {event.why}" if event.state in ("refused", "failed") and event.why else ""
        told = one_line(f"{who(event.actor)}: {event.summary}{state}{why}")
        for place, row in enumerate(wrap(told, max(width - names - 2, 12))):
            when = "" if place else moment(event.at, now)
            parts += [(f"  {when:<{names}}", "$quiet"), (row, ""), ("\n", "")]
        # What was refused changed nothing.
        if event.state in ("done", "undone"):
            parts += _changed(event, width)
    return with_heading("History", parts)


def who(actor: str) -> str:
    """The actor of a journal line in words."""
    kind, _, name = actor.partition(":")
    return {"person": "you", "agent": f"agent {name}", "rule": f"rule {name}", "sync": f"sync {name}"}.get(
        kind, actor
    )


def _changed(event: Event, width: int) -> list[Part]:
    parts: list[Part] = []
    for name, sign, pieces in lines(event.before, event.after):
        head = "" if name == "content" else f"{name.replace('_', ' ')}: "
        line: list[Part] = [(f"    {sign} ", "$accent"), (head, "$quiet")]
        line += [(text, _ONLY[sign] if only else "$quiet") for text, only in pieces]
        parts += [*_fitted(line, width), ("\n", "")]
    return parts


def _fitted(line: list[Part], width: int) -> list[Part]:
    """As much of a line as there is room for."""
    out: list[Part] = []
    room = max(width, 24)
    for text, style in line:
        if cell_len(text) > room:
            return [*out, (set_cell_size(text, max(0, room - 1)).rstrip() + "…", style)]
        out.append((text, style))
        room -= cell_len(text)
    return out
