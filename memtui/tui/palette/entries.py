"""What the palette lists and how it is matched: commands, memories, stores, themes; pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from textual.fuzzy import FuzzySearch

from memtui.tui import synonyms
from memtui.tui.command_table import Table, key_labels, tab_label
from memtui.tui.commands.command import Command
from memtui.tui.commands.names import ALL, PALETTE
from memtui.tui.palette import wording

MAX_MEMORIES = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the palette: its title, what it runs, its kind at the end of the line, and its key.

    `blocked_reason` is why it cannot run now; `matched` are the indexes of the title's matching characters.
    """

    title: str
    run: Callable[[], object]
    kind: str
    key: str = ""
    blocked_reason: str = ""
    matched: frozenset[int] = frozenset()


def command_entries(
    table: Table,
    screen: str,
    blocked_reason: Callable[[str], str],
    run: Callable[[Command], object],
    recent: Sequence[str],
) -> list[Entry]:
    """Return the commands of this screen, recently used ones first, then those of the other screens."""
    own = [command for command in table if screen in command.screens and command.screens[0] != PALETTE]
    others = [c for c in table if c.screens[0] in ALL and screen not in c.screens]
    ranks = {id: rank for rank, id in enumerate(recent)}
    own.sort(key=lambda command: (ranks.get(command.id, len(ranks)), command.group == "Move"))
    return [
        Entry(
            command.help if command.group != "Screens" else wording.go_to(command.help),
            partial(run, command),
            command.group if command in own else tab_label(command.screens[0]),
            key_labels(command).partition(" ")[0],
            blocked_reason(command.id) if command in own else "",
        )
        for command in (*own, *others)
        if command.id != "app.palette"
    ]


def matching(query: str, entries: Iterable[Entry], *, by_synonyms: bool = False) -> list[Entry]:
    """Return the entries that match, best first; all in their order for an empty query.

    `by_synonyms` is for what memtui names, not for data: a synonym finds it too, after what has the words
    themselves and before what has only their letters.
    """
    words = query.strip()
    if not words:
        return list(entries)
    found: list[tuple[int, float, int, Entry]] = []
    for index, entry in enumerate(entries):
        is_verbatim = words.lower() in entry.title.lower()
        if by_synonyms and not is_verbatim and (places := synonyms.find(words, entry.title)):
            found.append((1, 0.0, index, replace(entry, matched=places)))
            continue
        score, matched = _SEARCH.match(words, entry.title)
        if score and _is_compact(words, matched):
            rank = 2 if by_synonyms and not is_verbatim else 0
            found.append((rank, -score, index, replace(entry, matched=frozenset(matched))))
    return [entry for *_, entry in sorted(found, key=lambda each: each[:3])]


_SEARCH = FuzzySearch()


def _is_compact(words: str, matched: Sequence[int]) -> bool:
    """Return whether the matching characters are close together, not scattered over a long title."""
    return bool(matched) and matched[-1] - matched[0] < 2 * len(words) + 4
