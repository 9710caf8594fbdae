"""`memtui search QUERY` (S-30 … S-33): the live memories that answer best, by words and meaning.

With --json the array of `memtui list`, each memory with "related", true where it does not answer the
query and is only near to it (these are the last ones), and with "why": {"score", "words", "matched",
"place", "cosine", "recency", "filters"}; with --facets {"results": [that array], "facets": {name: {value:
count}}}.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.read.memories import line, listed, pages
from memtui.cli.commands.stores.embed import catch_up
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.errors import Refused, Usage
from memtui.memory.results import Hits, MatchReason
from memtui.serialization.hits import hit_as_json
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.workspace.workspace import Workspace

RELATED = "── related ──"  # above those that do not answer the query
_MOST = 10  # values of a facet that are printed for a person


def search(args: Any, output: Output) -> None:
    """Look it up, say what was missing to search by meaning, and print."""
    if bool(args.query.strip()) == (args.saved is not None):
        message = "give a query or --saved NAME"
        raise Usage(message, f"memtui search: {message}\n")
    from memtui.workspace.search.retrieval import WORDS, asks

    with fresh(args, output) as opened:
        query, sort = _asked(opened, args)
        live = not args.all
        if asks(query):
            words = opened.search(query, live=live, sort=sort)
            hits, by = _answers(opened, query, sort, words, args, output)
        else:
            hits = words = listed(opened, query, sort, output, live=live)
            by = WORDS
        ids = hits.ids[: args.limit]
        related = set(ids[len(hits.ids) - hits.related :])
        reasons = _reasons(opened, query, ids, live, by) if args.json or args.explain else {}
        facets = _facets(opened, query, live, words, hits) if args.facets else {}
        if output.json:
            results = (
                hit_as_json(memory, id in related, reasons[id]) for id, memory in _numbered(opened, ids)
            )
            if args.facets:
                output.data({"results": list(results), "facets": facets})
            else:
                output.array(results)
            return
        shown = list(_numbered(opened, ids))
        under = [_sentence(reasons[id]) for id, _ in shown] if args.explain else ()
        answering = sum(id not in related for id, _ in shown)
        output.table([line(memory) for _, memory in shown], under=under, headings={answering: RELATED})
        if args.facets:
            _print(facets, output)
        if not ids:
            output.note(f"No memory answers “{query}”." if query.strip() else "There are no memories yet.")
        elif hits.total > len(ids):
            least = "more than " if words.capped else ""
            output.note(f"{len(ids):,} of {least}{hits.total:,}; --limit N shows more.")
        if related and not sys.stdout.isatty():  # there a line tells
            which = "The last one is" if len(related) == 1 else f"The last {len(related):,} are"
            output.note(f"{which} only related to the query.")


def _asked(opened: Workspace, args: Any) -> tuple[str, str]:
    """The query and its order: as typed, or as kept."""
    sort = "" if args.sort == "relevance" else args.sort
    if args.saved is None:
        return args.query, sort
    kept = next((one for one in opened.saved() if one.name == args.saved), None)
    if kept is None:
        raise Refused(
            "no-search", f"There is no saved search {args.saved}.", "memtui saved lists those there are."
        )
    return kept.query, sort if args.sort else kept.sort


def _answers(
    opened: Workspace, query: str, sort: str, words: Hits, args: Any, output: Output
) -> tuple[Hits, str]:
    """What answers, and by what it was found; words alone where meaning cannot be asked, with a note."""
    from memtui.workspace.search.retrieval import WORDS

    live = not args.all
    if args.by != WORDS and _ready(opened, output):
        hits = opened.fused(query, words.ids, live=live, by=args.by, sort=sort)
        if hits is not None:
            return hits, args.by
        output.note(f"Searched by words alone: {opened.meaning().error}")
    return opened.fused(query, words.ids, live=live, by=WORDS, sort=sort) or words, WORDS


def _ready(opened: Workspace, output: Output) -> bool:
    """Whether meaning can be asked, once the few that wait for it are read; says what is missing, and
    what reads it."""
    catch_up(opened, output)
    state = opened.meaning()
    if state.phase not in ("off", "failed") and not state.embedded:
        if state.pending:
            output.note("Searched by words alone: no memory has a vector yet; memtui embed reads them.")
        return False
    if state.phase == "failed" or not opened.load_model():
        state = opened.meaning()
        output.note(f"Searched by words alone: {state.error} {state.hint}".rstrip())
        return False
    state = opened.meaning()
    if state.pending:
        have = counted(state.pending, "memory has", "memories have")
        output.note(f"{have} no vector yet and can be found by words alone; memtui embed reads them.")
    return True


def _reasons(opened: Workspace, query: str, ids: Sequence[int], live: bool, by: str) -> Mapping[int, MatchReason]:
    found = opened.whys(query, ids, live=live, by=by)
    return {id: found.get(id, MatchReason()) for id in ids}


def _numbered(opened: Workspace, ids: Sequence[int]) -> Iterator[tuple[int, Memory]]:
    """The memories with their rows; one that went meanwhile is left out."""
    for id in ids:
        for memory in opened.memories([id]):
            yield id, memory


def _sentence(why: MatchReason) -> str:
    """Why a memory is there, in one line."""
    parts = []
    if why.terms:
        place = f"rank {why.rank} " if why.rank else ""
        parts.append(f"{place}by words ({', '.join(why.terms)}; {why.coverage:.0%})")
    if why.cosine is not None:
        parts.append(f"cosine {why.cosine:.2f}")
    if why.score:
        parts.append(f"recency {why.recency:.3f}")
        parts.append(f"score {why.score:.3f}")
    parts += why.filters
    return " · ".join(parts) or "it matches"


# -- facets


def _facets(opened: Workspace, query: str, live: bool, words: Hits, hits: Hits) -> dict[str, dict[str, int]]:
    """How many of all answers are in which store, category, …: what words found is counted where it
    lies, and what only meaning found is added."""
    from memtui.workspace.search.facets import MOST, NAMES

    found = set(hits.ids)
    counts: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    if found.issuperset(words.ids):
        for name, told in opened.facets(query, live=live).counts.items():
            counts[name].update(dict(told))
        more = sorted(found.difference(words.ids))
        found.intersection_update(more)
        found -= opened.matching(query, more, live=live)
    for memory in pages(opened, sorted(found)):
        for name in NAMES:
            values = memory.tags if name == "tag" else (getattr(memory, name),)
            counts[name].update(value for value in values if value)
    return {
        name: dict(sorted(each.items(), key=lambda one: (-one[1], one[0]))[:MOST])
        for name, each in counts.items()
    }


def _print(facets: Mapping[str, Mapping[str, int]], output: Output) -> None:
    rows = [
        (name, f"{count:,}", value)
        for name, values in facets.items()
        for value, count in islice(values.items(), _MOST)
    ]
    if rows:
        output.line()
        output.table(rows)
