"""What the palette offers and how well it matches: commands, memories, stores, themes; pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textual.fuzzy import FuzzySearch

from memtui.tui.command_table import ALL, PALETTE, Command, Table, keys_shown, tab_of

MOST = 20
"""Memories that are offered."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: its key, what it is called, what stands at its end, and what it does.

    `why` is told where it cannot work now. `found` are the places of `title` that were asked for.
    """

    title: str
    run: Callable[[], Any]
    kind: str
    key: str = ""
    why: str = ""
    found: frozenset[int] = frozenset()


def command_entries(
    table: Table,
    screen: str,
    why_not: Callable[[str], str],
    run: Callable[[Command], Any],
    recent: Sequence[str],
) -> list[Entry]:
    """The commands of this screen, those used last first, then those of the others."""
    here = [command for command in table if screen in command.screens and command.screens[0] != PALETTE]
    others = [c for c in table if c.screens[0] in ALL and screen not in c.screens]
    places = {id: place for place, id in enumerate(recent)}
    here.sort(key=lambda command: (places.get(command.id, len(places)), command.group == "Move"))
    return [
        Entry(
            command.help if command.group != "Screens" else f"go to {command.help}",
            lambda command=command: run(command),  # type: ignore[misc]
            command.group if command in here else tab_of(command.screens[0]),
            keys_shown(command).partition(" ")[0],
            why_not(command.id) if command in here else "",
        )
        for command in (*here, *others)
        if command.id != "app.palette"
    ]


def matching(query: str, entries: Iterable[Entry]) -> list[Entry]:
    """The entries that match, the best first; all of them, as they come, for nothing."""
    words = query.strip()
    if not words:
        return list(entries)
    found = []
    for place, entry in enumerate(entries):
        score, spots = _SEARCH.match(words, entry.title)
        if score and _close(words, spots):
            found.append((-score, place, replace(entry, found=frozenset(spots))))
    return [entry for *_, entry in sorted(found, key=lambda each: each[:2])]


_SEARCH = FuzzySearch()


def _close(words: str, spots: Sequence[int]) -> bool:
    """Letters strewn over a whole sentence are no match."""
    return bool(spots) and spots[-1] - spots[0] < 3 * len(words) + 6
