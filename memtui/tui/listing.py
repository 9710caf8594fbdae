"""What the list of a search holds, worked out in the lane: its lines, the cursor, the marks out of sight."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.memory.records import Hits

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def look_up(
    workspace: Workspace,
    text: str,
    sort: str,
    old: tuple[Sequence[int], int],
    marks: set[int],
    only: set[int] | None,
) -> tuple[Hits, int, int]:
    """In the lane: hits, where the cursor goes, and how many marked ones are not among them.

    With `only` nothing enters the list that was not in it before, but those.
    """
    hits = workspace.search(text, live=True, sort=sort)
    ids = hits.ids
    before, cursor = old
    if only is not None:
        known = set(before) | only
        ids = array("q", (id for id in ids if id in known))
        hits = Hits(ids, len(ids), hits.how, hits.capped)
    hidden = len(marks.difference(ids)) if marks else 0
    return hits, place_of(before, cursor, ids), hidden


def begun(parts: Iterator[Hits], marks: set[int]) -> tuple[Hits, int, int]:
    """In the lane: the first part of a list, however long it is."""
    hits = next(parts)
    return hits, 0, len(marks.difference(hits.ids)) if marks and not hits.more else 0


def patched(
    workspace: Workspace,
    text: str,
    old: tuple[Sequence[int], int],
    marks: set[int],
    changed: set[int],
    how: str,
) -> tuple[Hits, int, int]:
    """In the lane: a long list after a change, without reading it anew: what matches no more leaves,
    what came to match stands at the top."""
    before, cursor = old
    match = workspace.matching(text, sorted(changed))
    ids = array("q", before)
    for id in changed - match:
        with suppress(ValueError):
            ids.remove(id)
    fresh = [id for id in sorted(match, reverse=True) if id not in ids]
    ids = array("q", fresh) + ids
    hidden = len(marks.difference(ids)) if marks else 0
    return Hits(ids, len(ids), how), place_of(before, cursor, ids), hidden


def place_of(before: Sequence[int], cursor: int, after: Sequence[int]) -> int:
    """Where the highlighted id is now; if it left, the next one that stayed, else the one before."""
    if not before or cursor >= len(before):
        return 0
    try:
        return after.index(before[cursor])
    except ValueError:
        places = {id: place for place, id in enumerate(after)}
    for id in (*before[cursor + 1 :], *reversed(before[:cursor])):
        if id in places:
            return places[id]
    return 0
