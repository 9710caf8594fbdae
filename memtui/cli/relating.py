"""`memtui relate` and `unrelate`: relations between two memories (SPEC 7)."""

from __future__ import annotations

from typing import Any

from memtui.cli.memories import ids_of
from memtui.cli.opening import workspace
from memtui.cli.output import Output


def relate(args: Any, output: Output) -> None:
    """`memtui relate UID KIND OTHER`; of the kind supersedes, the other one gives way."""
    with workspace(args, output) as opened:
        one, other = ids_of(opened, [args.uid, args.other])
        change = opened.relate(
            one, args.kind, other, strength=args.strength, context=args.context, body=args.text
        )
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def unrelate(args: Any, output: Output) -> None:
    """`memtui unrelate UID KIND OTHER`."""
    with workspace(args, output) as opened:
        one, other = ids_of(opened, [args.uid, args.other])
        change = opened.unrelate(one, args.kind, other)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
