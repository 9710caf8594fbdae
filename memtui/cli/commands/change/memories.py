"""Commands that change memories: add, edit, confirm, pin, unpin, dismiss, restore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.contradictions import note_new_pairs
from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of, stdin
from memtui.formats.contract.records import clean

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.values import Fields


def add(args: Namespace, output: Output) -> None:
    """`memtui add TEXT`: add a memory to memtui's own store, or to the one named."""
    if (args.text is None) == (args.content is None):
        raise usage.text_not_given_once()
    fields = _fields_of(args)
    if args.tag is not None:
        fields["tags"] = _change_tags(args.tag, ())
    fields["content"] = _text(args.text if args.content is None else args.content)
    with workspace(args, output) as opened:
        change = opened.add(fields, clean(args.store))
        (memory,) = opened.memories(change.ids)
        output.change(change, [memory.uid])
        if not output.json:
            output.line(wording.uid(memory.uid))
            note_new_pairs(opened, change.ids, output)


def edit(args: Namespace, output: Output) -> None:
    """`memtui edit UID --content TEXT …`: change memories; a text that changed since the last pull is a
    conflict."""
    fields = _fields_of(args)
    if not fields and args.tag is None and args.content is None:
        raise usage.nothing_to_change()
    if args.content == "-" and args.uids == ["-"]:
        raise usage.stdin_used_twice()
    if args.content is not None:
        fields["content"] = _text(args.content)
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        given = args.tag
        retag = None if given is None else (lambda tags: _change_tags(given, tags))
        change = opened.edit(ids, fields, retag=retag)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
        if not output.json:
            note_new_pairs(opened, change.ids, output)


def _fields_of(args: Namespace) -> Fields:
    """Return the fields that are given as options."""
    return {
        name: getattr(args, name)
        for name in ("title", "category", "key", "subject")
        if getattr(args, name) is not None
    }


def _change_tags(given: Sequence[str], tags: Sequence[str]) -> tuple[str, ...]:
    """Return the tags after TAG, which replaces them all, +TAG, which adds one, and -TAG, removing one."""
    replacing = [tag for tag in given if tag[:1] not in ("+", "-")]
    added = [*(replacing or tags), *(tag[1:] for tag in given if tag.startswith("+"))]
    removed = {tag[1:] for tag in given if tag.startswith("-")}
    return tuple(dict.fromkeys(tag for tag in added if tag not in removed))


def verb(args: Namespace, output: Output) -> None:
    """`memtui confirm`, `pin`, `unpin`, `dismiss` and `restore`."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        change = opened.pin(ids, clean(args.why)) if args.verb == "pin" else getattr(opened, args.verb)(ids)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def _text(given: str) -> str:
    return given if given != "-" else stdin().removesuffix("\n")
