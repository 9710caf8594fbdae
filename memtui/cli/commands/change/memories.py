"""Commands that change memories: add, edit, confirm, pin, unpin, dismiss, restore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.change.contradictions import tell
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of, stdin
from memtui.errors import Usage
from memtui.formats.contract.adapter import clean

if TYPE_CHECKING:
    pass


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


def _text(given: str) -> str:
    return given if given != "-" else stdin().removesuffix("\n")
