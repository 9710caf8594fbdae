"""Commands that read memories: list, show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.read.show import tell_all
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import find
from memtui.memory.memory import label_of
from memtui.serialization.detail import detail_as_json

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.memory.results import Hits
    from memtui.workspace.workspace import Workspace


_PAGE = 500  # memories read at a time


def show_list(args: Any, output: Output) -> None:
    """`memtui list [QUERY]`: every status but removed, unless the query asks otherwise."""
    with fresh(args, output) as opened:
        sort = "" if args.sort == "relevance" else args.sort
        hits = listed(opened, args.query, sort, output, live=False)
        ids = hits.ids[: args.limit] if args.limit else hits.ids
        if output.json:
            output.array(memory.to_json() for memory in pages(opened, ids))
            return
        output.table(line(memory) for memory in pages(opened, ids))
        if not ids:
            output.note(f"No memory matches “{args.query}”." if args.query else "There are no memories yet.")


def listed(opened: Workspace, query: str, sort: str, output: Output, *, live: bool) -> Hits:
    """What matches by words, all of it: the newest first where there is too much to rank."""
    hits = opened.search(query, live=live, sort=sort)
    if not hits.capped:
        return hits
    output.note("Too many matches to rank them: newest first.")
    return opened.search(query, live=live, sort="newest")


def pages(opened: Workspace, ids: Sequence[int]) -> Iterator[Memory]:
    """The memories of these rows, read a few hundred at a time."""
    for start in range(0, len(ids), _PAGE):
        yield from opened.memories(ids[start : start + _PAGE])


def line(memory: Memory) -> tuple[str, ...]:
    """A memory in one line: uid, store, category, status, label."""
    label = label_of(memory.title, memory.subject, memory.content)
    pin = "* " if memory.pinned else ""
    return memory.uid, memory.store, memory.category or "-", memory.status, pin + label


def show_one(args: Any, output: Output) -> None:
    """`memtui show UID`: its text, why it is believed, what it is tied to, what is wrong with it, history."""
    with fresh(args, output) as opened:
        detail = opened.detail(find(opened, args.uid))
        assert detail is not None
        if output.json:
            output.data(detail_as_json(detail))
        else:
            tell_all(detail, output)
