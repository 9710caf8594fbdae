"""`memtui list` and `memtui show`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.commands.read.show import print_detail
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.reveal import masking_of
from memtui.cli.runtime.uids import find
from memtui.memory.memory import raw_label_of
from memtui.serialization.detail import detail_as_json
from memtui.serialization.groups import group_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.groups import Grouped
    from memtui.memory.memory import Memory
    from memtui.memory.results import Hits
    from memtui.memory.secrets.masking import Masking
    from memtui.workspace.workspace import Workspace


_PAGE = 500  # memories read at once


def list_(args: Namespace, output: Output) -> None:
    """`memtui list [QUERY]`: print all memories but removed ones, unless the query asks otherwise."""
    with fresh(args, output) as opened:
        masking = masking_of(args, output)
        sort = "" if args.sort == "relevance" else args.sort
        hits = find_by_words(opened, args.query, sort, output, live=False)
        ids = hits.ids[: args.limit] if args.limit else hits.ids
        if args.group and (ids or output.json):
            _print_groups(opened, opened.groups_of(ids, args.group), output, masking)
            return
        if output.json:
            output.array((memory.to_json() for memory in pages(opened, ids, masking)), ready=True)
            return
        output.table((row_of(memory) for memory in pages(opened, ids, masking)), ready=True)
        if not ids:
            output.note(wording.no_match(args.query) if args.query else wording.NO_MEMORIES)


def _print_groups(opened: Workspace, found: Grouped, output: Output, masking: Masking | None) -> None:
    """Print each heading with the memories below it."""
    if output.json:
        output.array(
            group_as_json(group, _read(opened, found.ids[group.start : group.start + group.count], masking))
            for group in found.groups
        )
        return
    for number, group in enumerate(found.groups):
        if number:
            output.line()
        output.line(wording.heading(group))
        output.table(
            (
                row_of(memory)
                for memory in pages(opened, found.ids[group.start : group.start + group.count], masking)
            ),
            ready=True,
        )


def find_by_words(opened: Workspace, query: str, sort: str, output: Output, *, live: bool) -> Hits:
    """Return all matches by words, newest first if there are too many to rank."""
    hits = opened.search(query, live=live, sort=sort)
    if not hits.capped:
        return hits
    output.note(wording.NOT_RANKED)
    return opened.search(query, live=live, sort="newest")


def pages(opened: Workspace, ids: Sequence[int], masking: Masking | None = None) -> Iterator[Memory]:
    """Yield the memories of these rows, read in pages, as `masking` shows them."""
    for start in range(0, len(ids), _PAGE):
        yield from _read(opened, ids[start : start + _PAGE], masking)


def _read(opened: Workspace, ids: Sequence[int], masking: Masking | None) -> list[Memory]:
    return opened.memories(ids) if masking is None else opened.shown_memories(ids, masking)


def row_of(memory: Memory) -> tuple[str, ...]:
    """Return the uid, store, category, status and label of a memory that is masked, or is to be revealed."""
    label = raw_label_of(memory.title, memory.subject, memory.content)
    pin = "* " if memory.pinned else ""
    return memory.uid, memory.store, memory.category or "-", memory.status, pin + label


def show(args: Namespace, output: Output) -> None:
    """`memtui show UID`: print the text of a memory, its origin, relations, problems and history."""
    with fresh(args, output) as opened:
        masking_of(args, output)
        detail = opened.detail(find(opened, args.uid))
        assert detail is not None
        if output.json:
            output.data(detail_as_json(detail))
        else:
            print_detail(detail, output)
