"""`memtui saved …` (S-32): the searches that a person keeps under a name.

With --json: [{"name", "query", "sort", "at"}], one of them for `add`, {"name"} for `forget`; `sort` is ""
for the best answer first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.serialization.saved_searches import saved_search_as_json

if TYPE_CHECKING:
    pass


def show(args: Any, output: Output) -> None:
    """All of them, by name."""
    with workspace(args, output) as opened:
        kept = opened.saved()
    if output.json:
        output.data([saved_search_as_json(one) for one in kept])
        return
    output.table([(one.name, one.sort or "relevance", one.query) for one in kept])
    if not kept:
        output.note("No search is kept yet. memtui saved add NAME QUERY keeps one.")


def add(args: Any, output: Output) -> None:
    """Keep one; the query is read before, so that none is kept that finds nothing but an error."""
    with workspace(args, output) as opened:
        one = opened.save_search(args.name, args.query, "" if args.sort == "relevance" else args.sort)
    if output.json:
        output.data(saved_search_as_json(one))
    else:
        output.line(f"Kept {one.name}: {one.query}")


def forget(args: Any, output: Output) -> None:
    """Keep one no longer."""
    with workspace(args, output) as opened:
        opened.forget_search(args.name)
    if output.json:
        output.data({"name": args.name})
    else:
        output.line(f"Forgot {args.name}. No memory was changed.")
