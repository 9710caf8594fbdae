"""What the list of a search holds, worked out in the reading thread: its ids, the cursor, and how many
marked memories are not in it; and one memory in full."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.detail import Detail
from memtui.memory.query.language import parse
from memtui.memory.results import Hits, MatchReason

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Shown:
    """The list as it is on the screen.

    The last `related` of `ids` do not answer the search. `by_meaning`: it was searched by meaning too.
    """

    ids: Sequence[int]
    cursor: int
    related: int
    marks: set[int]
    by_meaning: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A new list: its hits, where the cursor goes, and how many marked memories are not among the hits.

    `by_meaning`: it was searched by meaning too."""

    hits: Hits
    cursor: int
    hidden_marks: int
    by_meaning: bool = False


class Parts(Iterator[Hits]):
    """The parts of a new list, each read in the reading thread; without a `sort` in the order that was chosen
    last for the stores, which `sort` is then."""

    def __init__(self, workspace: Workspace, text: str, sort: str | None) -> None:
        self.sort = sort
        self._workspace = workspace
        self._text = text
        self._hits: Generator[Hits] | None = None

    def __next__(self) -> Hits:
        if self._hits is None:
            if self.sort is None:
                self.sort = self._workspace.sorting()
            self._hits = self._workspace.listing(self._text, live=True, sort=self.sort)
        return next(self._hits)

    def close(self) -> None:
        """End the read."""
        if self._hits is not None:
            self._hits.close()


def refresh(
    workspace: Workspace,
    text: str,
    sort: str,
    shown: Shown,
    allowed: set[int] | None,
    changed: set[int] | None,
) -> Listing:
    """Search again for what is shown.

    With `allowed`, only those of it enter the list. A list that was searched by meaning is so again; after
    a change its lines keep their order, and related ones stay related.
    """
    hits = workspace.search(text, live=True, sort=sort)
    by_meaning = False
    if shown.by_meaning and (fused := workspace.fused(text, hits.ids)) is not None:
        ids, related, by_meaning = fused.ids, fused.related, True
        if changed:
            unanswered = set(fused.ids[len(fused.ids) - related :]).difference(shown.ids)
            unanswered.update(_last(shown.ids, shown.related))
            ids, related = _related_last(_in_old_order(workspace, text, shown.ids, fused.ids), unanswered)
        hits = replace(fused, ids=ids, total=len(ids), capped=hits.capped, related=related)
    ids = hits.ids
    if allowed is not None:
        known, unanswered = set(shown.ids) | allowed, set(_last(ids, hits.related))
        ids, related = _related_last((id for id in ids if id in known), unanswered)
        hits = replace(hits, ids=ids, total=len(ids), related=related)
    return Listing(hits, cursor_after(shown.ids, shown.cursor, ids), _hidden(shown.marks, ids), by_meaning)


def _last(ids: Sequence[int], count: int) -> Sequence[int]:
    return ids[len(ids) - count :]


def _related_last(ids: Iterable[int], related: set[int]) -> tuple[array[int], int]:
    """Return the ids with those in `related` at the end, and how many these are."""
    all_ids = list(ids)
    last = [id for id in all_ids if id in related]
    return array("q", [*(id for id in all_ids if id not in related), *last]), len(last)


def first_part(parts: Iterator[Hits], marks: set[int]) -> Listing:
    """Return the first part of a new list, however long the list is."""
    hits = next(parts)
    return Listing(hits, 0, 0 if hits.more else _hidden(marks, hits.ids))


def improve(workspace: Workspace, text: str, ids: Sequence[int], by_meaning: bool) -> Hits | None:
    """Improve a list that was found by words: with what is near in meaning, or with what has most words.

    None if there is nothing to improve."""
    from memtui.workspace.search.retrieval import BOTH, WORDS

    return workspace.fused(text, ids, by=BOTH if by_meaning else WORDS)


def patch(workspace: Workspace, text: str, shown: Shown, changed: set[int], former: Hits) -> Listing:
    """Update a long list after a change without reading it again; `former` are the hits before.

    What does not match any more leaves it, what came to match is put at its top."""
    match = workspace.matching(text, sorted(changed))
    if shown.by_meaning:
        match |= workspace.matching(_required(text), sorted(changed.intersection(shown.ids)))
    ids = array("q", shown.ids)
    for id in changed - match:
        with suppress(ValueError):
            ids.remove(id)
    fresh = [id for id in sorted(match, reverse=True) if id not in ids]
    ids = array("q", fresh) + ids
    related = len(set(_last(shown.ids, shown.related)).intersection(ids)) if shown.related else 0
    hits = replace(former, ids=ids, total=len(ids), capped=False, more=False, related=related)
    cursor = cursor_after(shown.ids, shown.cursor, ids)
    return Listing(hits, cursor, _hidden(shown.marks, ids), shown.by_meaning)


def detail_with_reason(workspace: Workspace, id: int, text: str) -> tuple[Detail | None, MatchReason | None]:
    """Return one memory in full, and why it matches the search."""
    return workspace.detail(id), workspace.match_reason(text, id) if text.strip() else None


def _hidden(marks: set[int], ids: Sequence[int]) -> int:
    return len(marks.difference(ids)) if marks else 0


def _in_old_order(workspace: Workspace, text: str, before: Sequence[int], now: Sequence[int]) -> array[int]:
    """Return the list in its old order, without what may not be in it any more.

    What is new follows the memory that it follows in `now`. A memory that was just changed has no vector
    for a moment, and stays."""
    found, known = set(now), set(before)
    missing = [id for id in before if id not in found]
    still = found | (workspace.matching(_required(text), missing) if missing else set())
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


def _required(text: str) -> str:
    """Return the parts of a query that hold whatever a memory means: filters, phrases and exclusions."""
    query = parse(text)
    spans = [(part.start, part.end) for part in query.filters]
    spans += [(term.start, term.end) for term in query.terms if term.phrase or term.negated]
    return " ".join(text[start:end] for start, end in sorted(spans))


def has_words(text: str) -> bool:
    """Return whether a query has a word to match, not filters alone; an invalid one counts as having one."""
    try:
        return any(not term.negated for term in parse(text).terms)
    except QueryError:
        return True


def merge_at_cursor(
    ids: array[int], before: Sequence[int], cursor: int, related: int
) -> tuple[array[int], int, int]:
    """Replace a list without moving its highlighted line.

    Return the new ids with the highlighted one in its old place, the cursor, and how many of the last ids
    are only related: the highlighted one counts as an answer if it is kept among the answers."""
    if cursor >= len(before):
        return ids, 0, related
    id = before[cursor]
    if id not in ids:
        return ids, cursor_after(before, cursor, ids), related
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


def cursor_after(before: Sequence[int], cursor: int, after: Sequence[int]) -> int:
    """Return where the highlighted id is now; if it left, the next one that stayed, else the previous one."""
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
