"""Commands on memories: list, show, add, edit, confirm, pin, unpin, dismiss, restore."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.change.contradictions import tell
from memtui.cli.commands.read.show import as_json, tell_all
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused, Usage
from memtui.formats.contract.adapter import clean
from memtui.memory.records import label_of

if TYPE_CHECKING:
    from memtui.memory.records import Hits, Memory
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
        detail = opened.detail(_find(opened, args.uid))
        assert detail is not None
        if output.json:
            output.data(as_json(detail))
        else:
            tell_all(detail, output)


def add(args: Any, output: Output) -> None:
    """`memtui add TEXT`: into our own store, or the one named."""
    if (args.text is None) == (args.content is None):
        raise Usage("give the memory's text once", "memtui add: give the memory's text once\n")
    fields = _given(args)
    if args.tag is not None:
        fields["tags"] = _tagged(args.tag, ())
    fields["content"] = _text(args.text if args.content is None else args.content)
    with workspace(args, output) as opened:
        change = opened.add(fields, clean(args.store))
        (memory,) = opened.memories(change.ids)
        output.change(change, [memory.uid])
        if not output.json:
            output.line(f"uid {memory.uid}")
            tell(opened, change.ids, output)


def edit(args: Any, output: Output) -> None:
    """`memtui edit UID --content TEXT …`; a text that changed in the store since is a conflict."""
    fields = _given(args)
    if not fields and args.tag is None and args.content is None:
        raise Usage(
            "nothing to change",
            "memtui edit: say what to change: --content, --title, --category, --tag, --key or --subject\n",
        )
    if args.content == "-" and args.uids == ["-"]:
        raise Usage(
            "standard input holds one thing only",
            "memtui edit: standard input holds uids or the text, not both\n",
        )
    if args.content is not None:
        fields["content"] = _text(args.content)
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        asked = args.tag
        retag = None if asked is None else (lambda tags: _tagged(asked, tags))
        change = opened.edit(ids, fields, retag=retag)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
        if not output.json:
            tell(opened, change.ids, output)


def _given(args: Any) -> dict[str, Any]:
    """The fields that options name."""
    return {
        n: getattr(args, n) for n in ("title", "category", "key", "subject") if getattr(args, n) is not None
    }


def _tagged(asked: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
    """TAG replaces the tags there are, +TAG adds to them, -TAG takes away."""
    plain_tags = [tag for tag in asked if tag[:1] not in ("+", "-")]
    tags = [*(plain_tags or now), *(tag[1:] for tag in asked if tag.startswith("+"))]
    gone = {tag[1:] for tag in asked if tag.startswith("-")}
    return tuple(dict.fromkeys(tag for tag in tags if tag not in gone))


def verb(args: Any, output: Output) -> None:
    """confirm, pin, unpin, dismiss and restore."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        act = getattr(opened, args.verb)
        change = act(ids, clean(args.why)) if args.verb == "pin" else act(ids)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def ids_of(opened: Workspace, uids: Sequence[str]) -> list[int]:
    if list(uids) == ["-"]:
        # Lines of `memtui list` have the uid in front; else all words are uids.
        lines = _stdin().splitlines()
        uids = [word for line in lines for word in (line.split("\t")[:1] if "\t" in line else line.split())]
        if not uids:
            raise Usage("no uid on standard input", "memtui: no uid on standard input\n")
    return [_find(opened, uid) for uid in uids]


def _find(opened: Workspace, uid: str) -> int:
    if not (uid.isascii() and uid.isalnum()):
        raise Refused(
            "no-memory", f"“{uid}” is no uid: uids are letters and digits.", "memtui list shows them."
        )
    return opened.find(uid)


def _text(given: str) -> str:
    return given if given != "-" else _stdin().removesuffix("\n")


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace")
