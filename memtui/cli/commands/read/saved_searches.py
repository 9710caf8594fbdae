"""`memtui saved …` (S-32): the user's saved searches.

With --json: [{"name", "query", "sort", "at"}], one of them for `add`, {"name"} for `forget`; `sort` is ""
for the best answer first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.serialization.saved_searches import saved_search_as_json

if TYPE_CHECKING:
    from argparse import Namespace


def list_(args: Namespace, output: Output) -> None:
    """Print all saved searches, by name."""
    with workspace(args, output) as opened:
        found = opened.saved_searches()
    if output.json:
        output.data([saved_search_as_json(each) for each in found])
        return
    output.table([(each.name, each.sort or "relevance", each.query) for each in found])
    if not found:
        output.note(wording.NO_SAVED_SEARCHES)


def add(args: Namespace, output: Output) -> None:
    """Save a search; its query is parsed first, so that no query with an error is saved."""
    with workspace(args, output) as opened:
        saved = opened.save_search(args.name, args.query, "" if args.sort == "relevance" else args.sort)
    if output.json:
        output.data(saved_search_as_json(saved))
    else:
        output.line(wording.saved(saved.name, saved.query))


def forget(args: Namespace, output: Output) -> None:
    """Delete a saved search."""
    with workspace(args, output) as opened:
        opened.delete_search(args.name)
    if output.json:
        output.data({"name": args.name})
    else:
        output.line(wording.deleted(args.name))
