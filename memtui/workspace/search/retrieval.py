"""What people and agents get for a question: words first, then words and meaning on one scale, and why
each memory is there (S-30, S-33)."""

from __future__ import annotations

import json
from array import array
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memtui.memory.floor import MOST
from memtui.memory.query.language import Query
from memtui.memory.ranking import Candidate
from memtui.memory.results import Hits, MatchReason
from memtui.workspace.search.filters import conditions
from memtui.workspace.search.hybrid import Search, phrases, plain
from memtui.workspace.search.lexical import SORT_WORDS, SORTS, understood

if TYPE_CHECKING:
    from memtui.workspace.context import Context

LETTERS = 3  # of a question, below which it means nothing yet
FEW = 10  # that are shown where words alone find nothing that says most of a question
BOTH, WORDS, MEANING = "both", "words", "meaning"  # what to search by
HOW = {BOTH: "by meaning and words", WORDS: "by words", MEANING: "by meaning"}


def asks(text: str) -> bool:
    """Whether a query asks something that words or meaning can answer, not for filters alone."""
    return _asks(plain(understood(text))[0])


def _asks(question: str) -> bool:
    return sum(letter.isalnum() for letter in question) >= LETTERS


def fused(
    ctx: Context, text: str, listed: Sequence[int], *, live: bool, by: str = BOTH, sort: str = ""
) -> Hits | None:
    """The best answers, then the rest of `listed`, which words alone found, then what is only related;
    with `sort` the answers and what is related each in that order. By WORDS alone, also those that say
    most of the question. None where there is no question, or no model to understand it. QueryError as
    in search."""
    query = understood(text)
    search = _search(ctx, query, live, by)
    if search is None:
        return None
    known = set(listed)
    answers, related = _found(ctx, query, search, by, known)
    if by == WORDS:
        known.update(search.named())
        best = [one.id for one in answers if one.id in known or one.words >= MOST]
        if not best and not listed:
            # Nothing says all of it, or most: what says the most of it is better than nothing.
            best = [one.id for one in answers if one.words][:FEW]
    else:
        best = [one.id for one in answers]
    if search.trouble:
        ctx.meaning.why = f"The vectors cannot be read: {search.trouble}."
        return None
    first = set(best)
    rest = () if by == MEANING else (id for id in listed if id not in first)
    ids = array("q", [*best, *rest])
    beyond = array("q", (one.id for one in related))
    how = HOW[by]
    if sort:
        ids, beyond = _sorted(ctx, ids, sort), _sorted(ctx, beyond, sort)
        how += f", {SORT_WORDS[sort]}"
    return Hits(ids + beyond, len(ids) + len(beyond), how, related=len(beyond))


def _found(
    ctx: Context, query: Query, search: Search, by: str, known: Container[int] = ()
) -> tuple[list[Candidate], list[Candidate]]:
    """What answers, and what is only related, best first; by WORDS alone as the words index ranks them,
    which weighs where a word stands."""
    if by == WORDS:
        named, ranked = search.named(), search.by_words(ctx.top_k)
        ids = list(dict.fromkeys([*named, *ranked]))
        weighed = {one.id: one for one in search.weigh(ids)}
        return [weighed[id] for id in ids if id in weighed], []
    held = _Everything() if phrases(query)[1] else known  # whatever is found has the phrase
    pieces = ctx.meaning.pieces
    if by == BOTH:
        return search.answers(ctx.meaning.bits, pieces, ctx.top_k, held)
    nearest = dict(search.by_meaning(ctx.meaning.bits, ctx.top_k))
    found = sorted(search.weigh(list(nearest), nearest), key=lambda one: -nearest[one.id])
    return search.sift(found, pieces, held)


class _Everything:
    """Holds any memory."""

    def __contains__(self, id: object) -> bool:
        return True


def _sorted(ctx: Context, ids: array[int], sort: str) -> array[int]:
    sql = f"SELECT m.id FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY {SORTS[sort]}"
    return array("q", (id for (id,) in ctx.db.rows(sql, (json.dumps(ids.tolist()),))))


def why(ctx: Context, text: str, id: int, *, live: bool) -> MatchReason | None:
    """Why a memory answers a query; None where the query asks nothing of it."""
    query = understood(text)
    filters = _filters(query, text)
    search = _search(ctx, query, live, words_too=True)
    if search is None:
        return MatchReason(filters=filters) if filters else None
    ranked = search.by_words(ctx.top_k)
    found = search.weigh([id])
    if not found:
        return None
    return _said(found[0], ranked, filters)


def whys(
    ctx: Context, text: str, ids: Sequence[int], *, live: bool, by: str = BOTH
) -> dict[int, MatchReason]:
    """Why each of the memories that `fused` found is there, weighed against each other as they were
    there. By one of both alone the score is its part: the cosine, or how much of the words."""
    query = understood(text)
    filters = _filters(query, text)
    search = _search(ctx, query, live, by, words_too=True)
    if search is None:
        return dict.fromkeys(ids, MatchReason(filters=filters))
    ranked = search.by_words(ctx.top_k)
    answers, related = _found(ctx, query, search, by)
    found = answers + related
    best = {one.id for one in found}
    found += search.weigh([id for id in ids if id not in best])
    if by != BOTH:
        score = {one.id: one.words if by == WORDS else one.cosine or 0.0 for one in found}
        found = [replace(one, score=score[one.id], recency=0.0) for one in found]
    wanted = set(ids)
    return {one.id: _said(one, ranked, filters) for one in found if one.id in wanted}


def _filters(query: Query, text: str) -> tuple[str, ...]:
    return tuple(text[each.start : each.end] for each in query.filters)


def _said(one: Candidate, ranked: Sequence[int], filters: tuple[str, ...]) -> MatchReason:
    place = ranked.index(one.id) + 1 if one.id in ranked else None
    return MatchReason(one.score, one.words, one.matched, place, one.cosine, one.recency, filters)


def _search(
    ctx: Context, query: Query, live: bool, by: str = BOTH, *, words_too: bool = False
) -> Search | None:
    question, last = plain(query)
    if not _asks(question):
        return None
    now = ctx.clock()
    ask = _not_embedded if by == WORDS else ctx.meaning.vector
    search = Search(ctx.db, question, condition(query, live, now), ask, now, ctx.weights, last)
    return None if search.vector is None and by != WORDS and not words_too else search


def _not_embedded(text: str) -> bytes | None:
    return None


def condition(query: Query, live: bool, now: float) -> tuple[str, list[Any]]:
    """What a memory must be, whatever its words and meaning."""
    where, values = conditions(query, live, now)
    said, words = phrases(query)
    return f"{where} AND {said}", [*values, *words]
