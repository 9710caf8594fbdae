"""`memtui relate`, `edit-relation` and `unrelate`: relations between two memories (SPEC 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of

if TYPE_CHECKING:
    from argparse import Namespace


def relate(args: Namespace, output: Output) -> None:
    """`memtui relate UID KIND OTHER`; with the kind supersedes, OTHER is superseded by UID."""
    with workspace(args, output) as opened:
        source, target = ids_of(opened, [args.uid, args.other])
        change = opened.relate(
            source, args.kind, target, strength=args.strength, context=args.context, body=args.text
        )
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])


def update_relation(args: Namespace, output: Output) -> None:
    """`memtui edit-relation UID KIND OTHER`: change a relation; values that are not given stay."""
    from memtui.memory.relations import RelationSpec

    with workspace(args, output) as opened:
        source, target = ids_of(opened, [args.uid, args.other])
        old = opened.relation(source, args.kind, target)
        new = RelationSpec(
            args.kind if args.to is None else args.to,
            old.strength if args.strength is None else args.strength,
            old.context if args.context is None else args.context,
            old.body if args.text is None else args.text,
        )
        change = opened.update_relation(source, args.kind, target, new, reverse=args.reverse)
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])


def unrelate(args: Namespace, output: Output) -> None:
    """`memtui unrelate UID KIND OTHER`; with --name OTHER is a name that no memory has."""
    with workspace(args, output) as opened:
        if args.name:
            (source,) = ids_of(opened, [args.uid])
            change = opened.unrelate(source, args.kind, args.other, out=not args.backwards)
        else:
            source, target = ids_of(opened, [args.uid, args.other])
            change = opened.unrelate(source, args.kind, target, out=not args.backwards)
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])
