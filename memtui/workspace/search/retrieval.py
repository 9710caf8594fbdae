"""The answers to a query by words and meaning on one scale, and why each memory answers (S-30, S-33)."""

from __future__ import annotations

import json
from array import array
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.floor import FULL_COVERAGE
from memtui.memory.query.language import Query
from memtui.memory.ranking import Candidate
from memtui.memory.results import Hits, MatchReason
from memtui.values import SqlValue
from memtui.workspace.search import wording
from memtui.workspace.search.filters import conditions
from memtui.workspace.search.hybrid import Search, Split, phrase_condition, question_of
from memtui.workspace.search.lexical import SORTS, parse_query

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_MIN_LETTERS = 3  # of a question that is worth searching by meaning
_MAX_PARTIAL = 10  # answers with few of the words that are given if there are no others
BOTH, WORDS, MEANING = "both", "words", "meaning"  # what to search by
_HOW = {BOTH: wording.BY_BOTH, WORDS: wording.BY_WORDS, MEANING: wording.BY_MEANING}


def has_question(text: str) -> bool:
    """Return whether a query has a question, not only filters."""
    return _is_question(question_of(parse_query(text))[0])


def _is_question(text: str) -> bool:
    return sum(letter.isalnum() for letter in text) >= _MIN_LETTERS


def fused(
    ctx: Context, text: str, listed: Sequence[int], *, live: bool, by: str = BOTH, sort: str = ""
) -> Hits | None:
    """Return the best answers, then the rest of `listed`, which words alone found, then what is only related;
    with `sort`, each part in that order.

    By WORDS, memories with most of the words count as answers too. None if there is no question, or no model
    for it. Raise QueryError as `search` does.
    """
    query = parse_query(text)
    search = _search(ctx, query, live, by)
    if search is None:
        return None
    known = set(listed)
    answers, related = _find(ctx, query, search, by, known)
    if by == WORDS:
        known.update(search.by_name())
        best = [each.id for each in answers if each.id in known or each.coverage >= FULL_COVERAGE]
        if not best and not listed:
            # Memories with few of the words are better than none.
            best = [each.id for each in answers if each.coverage][:_MAX_PARTIAL]
    else:
        best = [each.id for each in answers]
    if search.error:
        ctx.model.why = wording.vectors_unreadable(search.error)
        return None
    first = set(best)
    rest = () if by == MEANING else (id for id in listed if id not in first)
    ids = array("q", [*best, *rest])
    related_ids = array("q", (each.id for each in related))
    how = _HOW[by]
    if sort:
        ids, related_ids = _sorted(ctx, ids, sort), _sorted(ctx, related_ids, sort)
        how = wording.sorted_by(how, sort)
    return Hits(ids + related_ids, len(ids) + len(related_ids), how, related=len(related_ids), sort=sort)


def _find(ctx: Context, query: Query, search: Search, by: str, known: Container[int] = ()) -> Split:
    """Return what answers, and what is only related, best first; by WORDS in the order of the full-text
    index, which weighs in which field a word is."""
    if by == WORDS:
        ids = list(dict.fromkeys([*search.by_name(), *search.by_words(ctx.top_k)]))
        ranked = {each.id: each for each in search.rank(ids)}
        return [ranked[id] for id in ids if id in ranked], []
    # With a quoted phrase, all that is found contains it.
    kept = _Everything() if phrase_condition(query)[1] else known
    tokens = ctx.model.tokens_per_word
    if by == BOTH:
        return search.answers(ctx.model.bits, tokens, ctx.top_k, kept)
    nearest = dict(search.by_meaning(ctx.model.bits, ctx.top_k))
    found = sorted(search.rank(list(nearest), nearest), key=lambda each: -nearest[each.id])
    return search.split(found, tokens, kept)


class _Everything:
    """A container of every memory."""

    def __contains__(self, id: object) -> bool:
        return True


def _sorted(ctx: Context, ids: array[int], sort: str) -> array[int]:
    sql = f"SELECT m.id FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY {SORTS[sort]}"
    return array("q", (id for (id,) in ctx.db.rows(sql, (json.dumps(ids.tolist()),))))


def match_reason(ctx: Context, text: str, id: int, *, live: bool) -> MatchReason | None:
    """Return why a memory answers a query; None if the query has neither question nor filters."""
    query = parse_query(text)
    filters = _filters(query, text)
    search = _search(ctx, query, live, words_suffice=True)
    if search is None:
        return MatchReason(filters=filters) if filters else None
    by_words = search.by_words(ctx.top_k)
    found = search.rank([id])
    if not found:
        return None
    return _reason(found[0], by_words, filters)


def match_reasons(
    ctx: Context, text: str, ids: Sequence[int], *, live: bool, by: str = BOTH
) -> dict[int, MatchReason]:
    """Return why each of the memories that `fused` found answers, ranked among each other as there.

    By WORDS or MEANING the score is that part alone: the coverage, or the cosine.
    """
    query = parse_query(text)
    filters = _filters(query, text)
    search = _search(ctx, query, live, by, words_suffice=True)
    if search is None:
        return dict.fromkeys(ids, MatchReason(filters=filters))
    by_words = search.by_words(ctx.top_k)
    answers, related = _find(ctx, query, search, by)
    found = answers + related
    best = {each.id for each in found}
    found += search.rank([id for id in ids if id not in best])
    if by != BOTH:
        scores = {each.id: each.coverage if by == WORDS else each.cosine or 0.0 for each in found}
        found = [replace(each, score=scores[each.id], recency=0.0) for each in found]
    wanted = set(ids)
    return {each.id: _reason(each, by_words, filters) for each in found if each.id in wanted}


def _filters(query: Query, text: str) -> tuple[str, ...]:
    return tuple(text[each.start : each.end] for each in query.filters)


def _reason(candidate: Candidate, by_words: Sequence[int], filters: tuple[str, ...]) -> MatchReason:
    rank = by_words.index(candidate.id) + 1 if candidate.id in by_words else None
    return MatchReason(
        candidate.score,
        candidate.coverage,
        candidate.matched,
        rank,
        candidate.cosine,
        candidate.recency,
        filters,
    )


def _search(
    ctx: Context, query: Query, live: bool, by: str = BOTH, *, words_suffice: bool = False
) -> Search | None:
    """Return the search for a query's question; None if it has none, or no vector though one is needed."""
    question, last = question_of(query)
    if not _is_question(question):
        return None
    now = ctx.clock()
    embed = _no_vector if by == WORDS else ctx.model.vector
    search = Search(ctx.db, question, _condition(query, live, now), embed, now, ctx.weights, last)
    return None if search.vector is None and by != WORDS and not words_suffice else search


def _no_vector(text: str) -> bytes | None:
    return None


def _condition(query: Query, live: bool, now: float) -> tuple[str, list[SqlValue]]:
    """Return the condition on `m` from the query's filters and phrases."""
    where, bindings = conditions(query, live, now)
    phrases, texts = phrase_condition(query)
    return f"{where} AND {phrases}", [*bindings, *texts]
