"""`memtui search QUERY` (S-30 … S-33): the live memories that answer best, by words and meaning.

With --json the array of `memtui list`, each memory with "related", true if it does not answer the query and
is only close to it (these are the last ones), and with "why": {"score", "words", "matched", "place",
"cosine", "recency", "filters"}; with --facets {"results": [that array], "facets": {name: {value: count}}}.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.commands.read.memories import find_by_words, pages, row_of
from memtui.cli.commands.stores.embed import embed_few
from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.reveal import masking_of
from memtui.memory.results import Hits, MatchReason
from memtui.serialization.hits import hit_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.memory import Memory
    from memtui.memory.secrets.masking import Masking
    from memtui.workspace.workspace import Workspace

_MAX_VALUES = 10  # of a facet that are printed as text


def search(args: Namespace, output: Output) -> None:
    """Print the answers, and a note if searching by meaning was not possible."""
    if bool(args.query.strip()) == (args.saved is not None):
        raise usage.no_query_given()
    with fresh(args, output) as opened:
        masking = masking_of(args, output)
        query, sort = _query_of(opened, args)
        live = not args.all
        hits, words, by = find_answers(opened, query, sort, args.by, output, live=live)
        ids = hits.ids[: args.limit]
        related = set(ids[len(hits.ids) - hits.related :])
        reasons = _reasons(opened, query, ids, live, by) if args.json or args.explain else {}
        facets = _facets(opened, query, live, words, hits) if args.facets else {}
        if output.json:
            results = (
                hit_as_json(memory, id in related, reasons[id])
                for id, memory in _with_ids(opened, ids, masking)
            )
            if args.facets:
                output.data({"results": list(results), "facets": facets})
            else:
                output.array(results)
            return
        shown = list(_with_ids(opened, ids, masking))
        under = [_reason_text(reasons[id]) for id, _ in shown] if args.explain else ()
        answering = sum(id not in related for id, _ in shown)
        output.table(
            [row_of(memory) for _, memory in shown],
            under=under,
            headings={answering: wording.RELATED_HEADING},
        )
        if args.facets:
            _print_facets(facets, output)
        if not ids:
            output.note(wording.no_answer(query) if query.strip() else wording.NO_MEMORIES)
        elif hits.total > len(ids):
            output.note(wording.shown_of(len(ids), hits.total, words.capped))
        if related and not sys.stdout.isatty():  # on a terminal the heading says so
            output.note(wording.related(len(related)))


def _query_of(opened: Workspace, args: Namespace) -> tuple[str, str]:
    """Return the query and its order, as typed or as saved."""
    sort = "" if args.sort == "relevance" else args.sort
    if args.saved is None:
        return args.query, sort
    query, saved_sort = saved_query(opened, args.saved)
    return query, sort if args.sort else saved_sort


def saved_query(opened: Workspace, name: str) -> tuple[str, str]:
    """Return the query and the order of a saved search; raise Refused if there is none of this name."""
    saved = next((each for each in opened.saved_searches() if each.name == name), None)
    if saved is None:
        raise wording.no_saved_search(name)
    return saved.query, saved.sort


def find_answers(
    opened: Workspace, query: str, sort: str, by: str, output: Output, *, live: bool
) -> tuple[Hits, Hits, str]:
    """Return the answers, those found by words alone, and how the answers were found: without a model, or
    where the query has only filters, by words alone."""
    from memtui.workspace.search.retrieval import WORDS, has_question

    if not has_question(query):
        words = find_by_words(opened, query, sort, output, live=live)
        return words, words, WORDS
    words = opened.search(query, live=live, sort=sort)
    if by != "text" and _can_search_by_meaning(opened, output):
        hits = opened.fused(query, words.ids, live=live, by=by, sort=sort)
        if hits is not None:
            return hits, words, by
        output.note(wording.text_search_only(opened.embedding_state().error))
    return opened.fused(query, words.ids, live=live, by=WORDS, sort=sort) or words, words, WORDS


def _can_search_by_meaning(opened: Workspace, output: Output) -> bool:
    """Return whether searching by meaning is possible, after embedding a few pending memories; print a note
    on what is missing."""
    embed_few(opened, output)
    state = opened.embedding_state()
    if state.phase not in ("off", "failed") and not state.embedded:
        if state.pending:
            output.note(wording.NO_VECTORS)
        return False
    if state.phase == "failed" or not opened.load_model():
        state = opened.embedding_state()
        output.note(wording.text_search_only(state.error, state.hint))
        return False
    state = opened.embedding_state()
    if state.pending:
        output.note(wording.without_vector(state.pending))
    return True


def _reasons(
    opened: Workspace, query: str, ids: Sequence[int], live: bool, by: str
) -> Mapping[int, MatchReason]:
    found = opened.match_reasons(query, ids, live=live, by=by)
    return {id: found.get(id, MatchReason()) for id in ids}


def _with_ids(opened: Workspace, ids: Sequence[int], masking: Masking | None) -> Iterator[tuple[int, Memory]]:
    """Yield the memories with their rows, without those that are gone meanwhile."""
    for id in ids:
        for memory in pages(opened, [id], masking):
            yield id, memory


def _reason_text(reason: MatchReason) -> str:
    """Return in one line why a memory matches."""
    parts = []
    if reason.terms:
        parts.append(wording.matched_by_text(reason.rank, reason.terms, reason.coverage))
    if reason.cosine is not None:
        parts.append(wording.cosine(reason.cosine))
    if reason.score:
        parts.append(wording.recency(reason.recency))
        parts.append(wording.score(reason.score))
    parts += reason.filters
    return " · ".join(parts) or wording.MATCHES


def _facets(opened: Workspace, query: str, live: bool, words: Hits, hits: Hits) -> dict[str, dict[str, int]]:
    """Return how many of all answers are in which store, category, …: those found by words are counted in the
    database, those found only by meaning are added."""
    from memtui.workspace.search.facets import MAX_VALUES, NAMES

    found = set(hits.ids)
    counts: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    if found.issuperset(words.ids):
        for name, found_values in opened.facets(query, live=live).counts.items():
            counts[name].update(dict(found_values))
        more = sorted(found.difference(words.ids))
        found.intersection_update(more)
        found -= opened.matching(query, more, live=live)
    for memory in pages(opened, sorted(found)):
        for name in NAMES:
            values = memory.tags if name == "tag" else (getattr(memory, name),)
            counts[name].update(value for value in values if value)
    return {
        name: dict(sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:MAX_VALUES])
        for name, counter in counts.items()
    }


def _print_facets(facets: Mapping[str, Mapping[str, int]], output: Output) -> None:
    rows = [
        (name, f"{count:,}", value)
        for name, values in facets.items()
        for value, count in islice(values.items(), _MAX_VALUES)
    ]
    if rows:
        output.line()
        output.table(rows)
