"""`memtui replace`: find and correct a text in memories, shown first and written with --yes (S-54)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording_replace as wording
from memtui.cli.commands.change.contradictions import note_new_pairs
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.serialization.replacements import count_by_store, replacements_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.replacement import Hit
    from memtui.memory.results import ReplacePreview, ReplacingMemory
    from memtui.values import JsonObject
    from memtui.workspace.workspace import Workspace


AROUND = 40  # characters of the line that are printed on each side of a match
MOST_COMPARED = 100  # changed memories that are compared with others at once; the rest wait for the next scan


def replace(args: Namespace, output: Output) -> None:
    """Print every hit, and with --yes replace all of them."""
    with fresh(args, output) as opened:
        preview = _preview(args, opened, output)
        if not args.yes:
            _print(preview, output)
            return
        if not (preview.memories or preview.skipped):
            _print_no_hits(output)
            return
        change = opened.replace(preview.memories, preview.skipped)
        uids = [memory.uid for memory in opened.memories(change.ids)]
        output.change(opened, change, uids, replacements_as_json(preview.memories))
        if not output.json and len(change.ids) <= MOST_COMPARED:
            note_new_pairs(opened, change.ids, output)


def _preview(args: Namespace, opened: Workspace, output: Output) -> ReplacePreview:
    from memtui.memory.replacement import FIELDS, Replacement
    from memtui.workspace.background import JobControl

    def report(done: int, left: int) -> None:
        output.progress(wording.SEARCHING, done / max(1, done + left))

    replacement = Replacement(
        args.find,
        args.replacement,
        args.regex,
        args.ignore_case,
        args.keep_case,
        tuple(args.fields or FIELDS),
    )
    try:
        ids = opened.search(args.query, sort="newest").ids
        return opened.replace_preview(replacement, ids, JobControl(report=report))
    finally:
        output.progress(wording.SEARCHING, 1.0)


def _print(preview: ReplacePreview, output: Output) -> None:
    """Print what would be replaced, and how often in each store."""
    if output.json:
        skipped = [
            {"uid": each.uid, "label": each.label, "code": each.code, "why": each.reason}
            for each in preview.skipped
        ]
        output.data(replacements_as_json(preview.memories) | {"skipped": skipped})
        return
    output.table((_row(memory, hit) for memory in preview.memories for hit in memory.hits), whole=True)
    for each in preview.skipped:
        output.note(wording.left_out(each.uid, each.label, each.reason))
    for store, count in count_by_store(preview.memories).items():
        output.note(wording.hits_in_store(store, count["hits"], count["memories"]))
    output.note(wording.HOW_TO_REPLACE if preview.memories else wording.NO_HITS)


def _print_no_hits(output: Output) -> None:
    if output.json:
        nothing: JsonObject = {
            "kind": "edited",
            "summary": wording.NO_HITS,
            "journal": None,
            "uids": [],
            "skipped": [],
        }
        output.data(nothing | replacements_as_json(()))
    else:
        output.note(wording.NO_HITS)


def _row(memory: ReplacingMemory, hit: Hit) -> tuple[str, ...]:
    left, right = hit.left, hit.right
    if len(left) > AROUND:
        left = "…" + left[-AROUND:]
    if len(right) > AROUND:
        right = right[:AROUND] + "…"
    line = f"{left}[{hit.before} → {hit.after}]{right}"
    field = wording.kept_in_memtui(hit.field) if hit.field in memory.kept else hit.field
    return memory.uid, memory.store, wording.in_link(field) if hit.in_link else field, line
