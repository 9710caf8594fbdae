"""What the list of a search holds, worked out in the lane: its lines, the cursor, the marks out of sight;
and one memory of it in full."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.memory.detail import Detail
from memtui.memory.query.language import parse
from memtui.memory.results import Hits, MatchReason

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def look_up(
    workspace: Workspace,
    text: str,
    sort: str,
    old: tuple[Sequence[int], int],
    below: int,
    marks: set[int],
    only: set[int] | None,
    understood: bool,
    changed: set[int] | None,
) -> tuple[Hits, int, int]:
    """In the lane: hits, where the cursor goes, and how many marked ones are not among them.

    With `only` nothing enters the list that was not in it before, but those. `understood`: it was
    found by its meaning too, and is so again; after a change its lines keep their order, and the side
    of the last `below` of them, which were only related.
    """
    hits = workspace.search(text, live=True, sort=sort)
    before, cursor = old
    if understood and (fused := workspace.fused(text, hits.ids)) is not None:
        ids, related = fused.ids, fused.related
        if changed:
            beyond = set(fused.ids[len(fused.ids) - related :]).difference(before)
            ids, related = _apart(
                _kept(workspace, text, before, fused.ids), beyond.union(_last(before, below))
            )
        hits = Hits(ids, len(ids), fused.how, hits.capped, related=related)
    ids = hits.ids
    if only is not None:
        known, beyond = set(before) | only, set(_last(ids, hits.related))
        ids, related = _apart((id for id in ids if id in known), beyond)
        hits = Hits(ids, len(ids), hits.how, hits.capped, related=related)
    return hits, place_of(before, cursor, ids), _hidden(marks, ids)


def _last(ids: Sequence[int], count: int) -> Sequence[int]:
    return ids[len(ids) - count :]


def _apart(ids: Iterable[int], beyond: set[int]) -> tuple[array[int], int]:
    """The same ids with those `beyond` behind the others, and how many these are."""
    all_ids = list(ids)
    last = [id for id in all_ids if id in beyond]
    return array("q", [*(id for id in all_ids if id not in beyond), *last]), len(last)


def begun(parts: Iterator[Hits], marks: set[int]) -> tuple[Hits, int, int]:
    """In the lane: the first part of a list, however long it is."""
    hits = next(parts)
    return hits, 0, 0 if hits.more else _hidden(marks, hits.ids)


def better(workspace: Workspace, text: str, ids: Sequence[int], by_meaning: bool) -> Hits | None:
    """In the lane: the list by words once more, with what is near in meaning, or has most of the words."""
    from memtui.workspace.search.retrieval import BOTH, WORDS

    return workspace.fused(text, ids, by=BOTH if by_meaning else WORDS)


def patched(
    workspace: Workspace,
    text: str,
    old: tuple[Sequence[int], int],
    below: int,
    marks: set[int],
    changed: set[int],
    how: str,
    understood: bool,
) -> tuple[Hits, int, int]:
    """In the lane: a long list after a change, without reading it anew: what matches no more leaves,
    what came to match stands at the top."""
    before, cursor = old
    match = workspace.matching(text, sorted(changed))
    if understood:
        match |= workspace.matching(_strict(text), sorted(changed.intersection(before)))
    ids = array("q", before)
    for id in changed - match:
        with suppress(ValueError):
            ids.remove(id)
    fresh = [id for id in sorted(match, reverse=True) if id not in ids]
    ids = array("q", fresh) + ids
    related = len(set(_last(before, below)).intersection(ids)) if below else 0
    return Hits(ids, len(ids), how, related=related), place_of(before, cursor, ids), _hidden(marks, ids)


def in_full(workspace: Workspace, id: int, text: str) -> tuple[Detail | None, MatchReason | None]:
    """In the lane: all of one memory, and why it is among what was searched."""
    return workspace.detail(id), workspace.why(text, id) if text.strip() else None


def _hidden(marks: set[int], ids: Sequence[int]) -> int:
    return len(marks.difference(ids)) if marks else 0


def _kept(workspace: Workspace, text: str, before: Sequence[int], now: Sequence[int]) -> array[int]:
    """The list as it stood: without what may not be in it any more, and with what came to it behind
    the one that it follows now. What was changed has no vector for a moment, and stays all the same."""
    found, known = set(now), set(before)
    left = [id for id in before if id not in found]
    still = found | (workspace.matching(_strict(text), left) if left else set())
    after: dict[int, list[int]] = {}
    last = 0
    for id in now:
        if id in known:
            last = id
        else:
            after.setdefault(last, []).append(id)
    ids = array("q", after.get(0, ()))
    for id in before:
        if id in still:
            ids.append(id)
        ids.extend(after.get(id, ()))
    return ids


def _strict(text: str) -> str:
    """What of a query a memory must fulfil whatever it means: filters, phrases, and what is not wanted."""
    query = parse(text)
    spans = [(part.start, part.end) for part in query.filters]
    spans += [(term.start, term.end) for term in query.terms if term.phrase or term.negated]
    return " ".join(text[start:end] for start, end in sorted(spans))


def asks_for_words(text: str) -> bool:
    """Whether a query that was searched for has a word to match, not filters alone."""
    return any(not term.negated for term in parse(text).terms)


def settled(ids: array[int], before: Sequence[int], cursor: int, related: int) -> tuple[array[int], int, int]:
    """Other ids around the highlighted one, which stays in its place; where the cursor is; and how many
    of the last are only related: one that is kept among the answers is none of them."""
    if cursor >= len(before):
        return ids, 0, related
    id = before[cursor]
    if id not in ids:
        return ids, place_of(before, cursor, ids), related
    order = array("q", ids)
    old, answers = order.index(id), len(ids) - related
    order.remove(id)
    place = min(cursor, len(order))
    if old >= answers:
        related -= place < answers
    elif place >= answers:
        related += 1
    order.insert(place, id)
    return order, place, related


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
