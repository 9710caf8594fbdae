"""`memtui split`: one memory into several, cut before a text or as given on standard input (SPEC 7).

With --json as all changes, and "parts": [{"uid", "text"}]; with --dry-run {"parts", "where", "keys",
"relations", "reworded"}, where the uid of a new part is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.contradictions import note_new_pairs
from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import find, stdin
from memtui.formats.contract.records import clean
from memtui.memory import splitting

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.results import SplitPreview


def split(args: Namespace, output: Output) -> None:
    """Split a memory, or with --dry-run only print the parts and where they would go."""
    if (args.at is None) == (args.parts is None):
        raise usage.parts_not_given_once()
    given = None if args.parts is None else splitting.given_parts(clean(stdin()))
    with workspace(args, output) as opened:
        id = find(opened, args.uid)
        (memory,) = opened.memories([id])
        marks = [clean(mark) for mark in args.at or ()]
        parts = splitting.cut(memory.content, marks) if given is None else given
        if args.dry_run:
            _print_preview(opened.split_preview(id, parts, args.relations), output)
            return
        seen = {"content": memory.content}
        change = opened.split(id, parts, relations=args.relations, seen=seen)
        memories = opened.memories(change.ids)
        listed = [{"uid": each.uid, "text": each.content} for each in memories]
        output.change(opened, change, [each.uid for each in memories], {"parts": listed})
        if output.json:
            return
        for number, each in enumerate(memories, 1):
            output.line(wording.part(number, each.uid, each.content))
        if splitting.is_reworded(memory.content, parts):
            output.note(wording.REWORDED)
        note_new_pairs(opened, change.ids, output)


def _print_preview(preview: SplitPreview, output: Output) -> None:
    uids = [preview.uid, *[""] * (len(preview.parts) - 1)]
    if output.json:
        output.data(
            {
                "parts": [
                    {"uid": uid or None, "text": text} for uid, text in zip(uids, preview.parts, strict=True)
                ],
                "where": preview.where,
                "keys": list(preview.keys),
                "relations": preview.relations,
                "reworded": preview.reworded,
            }
        )
        return
    for number, text in enumerate(preview.parts, 1):
        output.line(wording.part(number, "", text))
    output.line(preview.where)
    if preview.reworded:
        output.note(wording.REWORDED)
    output.note(wording.NOTHING_CHANGED)
