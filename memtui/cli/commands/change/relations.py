"""`memtui relate`, `retie` and `unrelate`: relations between two memories (SPEC 7)."""

from __future__ import annotations

from typing import Any

from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of


def relate(args: Any, output: Output) -> None:
    """`memtui relate UID KIND OTHER`; of the kind supersedes, the other one gives way."""
    with workspace(args, output) as opened:
        one, other = ids_of(opened, [args.uid, args.other])
        change = opened.relate(
            one, args.kind, other, strength=args.strength, context=args.context, body=args.text
        )
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def retie(args: Any, output: Output) -> None:
    """`memtui retie UID KIND OTHER`: what is not named stays as it is."""
    from memtui.memory.relations import RelationSpec

    with workspace(args, output) as opened:
        one, other = ids_of(opened, [args.uid, args.other])
        said = opened.relation(one, args.kind, other)
        tie = RelationSpec(
            args.kind if args.to is None else args.to,
            said.strength if args.strength is None else args.strength,
            said.context if args.context is None else args.context,
            said.body if args.text is None else args.text,
        )
        change = opened.retie(one, args.kind, other, tie, reverse=args.reverse)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def unrelate(args: Any, output: Output) -> None:
    """`memtui unrelate UID KIND OTHER`; OTHER may be a name behind which no memory stands."""
    with workspace(args, output) as opened:
        if args.name:
            (one,) = ids_of(opened, [args.uid])
            change = opened.unrelate(one, args.kind, args.other, out=not args.backwards)
        else:
            one, other = ids_of(opened, [args.uid, args.other])
            change = opened.unrelate(one, args.kind, other, out=not args.backwards)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
