"""Text on an agent: its connection, what it did, what it was given that no longer holds; pure functions."""

from __future__ import annotations

import json
from collections.abc import Sequence

from textual.content import Content

from memtui.memory.agents.figures import Overtaken
from memtui.memory.agents.wording import last_call, times
from memtui.tui.stores.agents import wording
from memtui.tui.stores.store_text import short_path
from memtui.tui.text.glyphs import ago
from memtui.tui.text.text_layout import Part, one_line, section, table
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.connections.connection import Connection

MOST = 8  # memories that are listed


def agent_text(item: ListedAgent, overtaken: Sequence[Overtaken], now: float, width: int) -> Content:
    """Return the text on an agent."""
    connection, figures = item.connection, item.figures
    parts: list[Part] = [(one_line(item.agent), "bold"), ("\n", "")]
    if connection is None:
        parts += [(wording.NO_ENTRY, "$quiet"), ("\n", "")]
    else:
        facts = (wording.client(connection), wording.state(item.state), ago(connection.at, now))
        parts += [(" · ".join(filter(None, map(one_line, facts))), "$quiet"), ("\n", "")]
        parts += [(one_line(short_path(connection.file), 1000), ""), ("\n", "")]
        if item.state in wording.NOTES:
            parts += [(wording.NOTES[item.state], "$warning"), ("\n", "")]
    if item.store_gone:
        parts += [(one_line(wording.store_gone(item.store)), "$error"), ("\n", "")]
    if figures.last is None:
        parts += [(one_line(wording.not_called(item.store)), ""), ("\n", "")]
    else:
        rows = [
            ("writes", wording.writes(figures, item.store)),
            ("recalls", wording.recalls(figures)),
            ("time", times(figures)),
            ("last call", last_call(figures, ago(figures.last, now))),
        ]
        rows = [(name, one_line(value)) for name, value in rows if value]
        parts += table(wording.WHAT_IT_DID, rows, width)
    lines: list[Part] = [(one_line(wording.overtaken(each)), "") for each in overtaken[:MOST]]
    if len(overtaken) > MOST:
        lines.append((one_line(wording.more_overtaken(len(overtaken) - MOST, item.agent)), "$quiet"))
    parts += section(wording.NO_LONGER_HOLDS, lines, width)
    if connection is not None:
        parts += section(wording.ENTRY, _entry(connection), width)
    return Content.assemble(*parts).rstrip()


def _entry(connection: Connection) -> list[Part]:
    """Return the entries as memtui wrote them, each below its place in the file."""
    lines: list[Part] = []
    for each in connection.entries.insertions:
        lines.append((one_line(".".join(each.path)), "$quiet"))
        lines.append((one_line(json.dumps(each.value, ensure_ascii=False), 2000), ""))
    return lines
