"""`memtui import FILE…`: memories out of files and other stores, shown first and added with --yes (S-74).

With --json: {"store", "counts": {verdict: n}, "ignored": {field: n}, "not_compared": n, "items": [{"source",
"line", "verdict", "code", "why", "other", "label"}]}, where `items` are those that are not new; with --yes
also what all changes print.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording_import as wording
from memtui.cli.commands.change.bulk import STOPPED, control
from memtui.cli.runtime.open_workspace import fresh, path_of
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean
from memtui.importing import sources
from memtui.importing.reader import Found
from memtui.importing.text_file import MOST_BYTES
from memtui.memory.imported import ImportItem, ImportPreview, Verdict

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.values import JsonObject

STDIN = "-"
MOST_NAMED = 10  # ignored fields that are named; --json names all


def import_(args: Namespace, output: Output) -> int:
    """Print what each memory is to those that are there; with --yes, add the new ones and those of --take."""
    store = clean(args.store)
    with fresh(args, output) as opened:
        found = _read(args.files, args.as_)
        with control(output, "compare") as job:
            preview = opened.import_preview(found, store, job)
        if not args.yes:
            _print(preview, args.take, output)
            return 0
        chosen = [each for each in preview.items if each.is_taken(args.take)]
        if not output.json:
            _print_left(preview, args.take, output)
        if not chosen:
            if output.json:
                output.data(_as_json(preview) | {"kind": "imported", "journal": None, "uids": []})
            _print_counts(preview, output)
            output.note(wording.NOTHING_IMPORTED if preview.items else wording.NOTHING_ADDED)
            return 0
        with control(output, "import") as job:
            change = opened.import_memories(chosen, store, job)
        uids = [memory.uid for memory in opened.memories(change.ids)]
        more: JsonObject = {"unreached": change.unreached} if change.unreached else {}
        output.change(opened, change, uids, _as_json(preview) | more)
        return STOPPED if change.unreached else 0


def _read(files: Sequence[str], kind: str) -> Iterator[Found]:
    """Return what all files hold; raise Refused before any of it is used if one cannot be read."""
    return chain.from_iterable([_source(file, kind) for file in files])


def _source(file: str, kind: str) -> Iterator[Found]:
    if file == STDIN:
        return sources.read_stdin(sys.stdin.buffer.read(MOST_BYTES + 1), kind)
    return sources.read(path_of(file), kind)


def _print(preview: ImportPreview, take: tuple[Verdict, ...], output: Output) -> None:
    if output.json:
        output.data(_as_json(preview))
        return
    _print_left(preview, (), output)
    _print_counts(preview, output)
    adding = sum(each.is_taken(take) for each in preview.items)
    output.note(wording.how_to_import(adding, preview.store) if adding else wording.NOTHING_ADDED)


def _print_counts(preview: ImportPreview, output: Output) -> None:
    for verdict, count in preview.counts.items():
        if count:
            output.note(wording.count_of(verdict, count))


def _print_left(preview: ImportPreview, take: tuple[Verdict, ...], output: Output) -> None:
    """Print the memories that are not added, and what else of the files is not."""
    left = [each for each in preview.items if not each.is_taken(take)]
    output.table(map(_row, left), whole=True)
    for name, count in islice(preview.ignored.items(), MOST_NAMED):
        output.note(wording.ignored(name, count))
    if (more := len(preview.ignored) - MOST_NAMED) > 0:
        output.note(wording.more_ignored(more))
    if preview.not_compared:
        output.note(wording.not_compared(preview.not_compared))


def _row(item: ImportItem) -> tuple[str, ...]:
    place = wording.place(item.source, item.line)
    return place, wording.VERDICTS[item.verdict], item.label or "–", wording.why(item.reason, item.other)


def _as_json(preview: ImportPreview) -> JsonObject:
    return {
        "store": preview.store,
        "counts": {verdict.value: count for verdict, count in preview.counts.items()},
        "ignored": dict(preview.ignored),
        "not_compared": preview.not_compared,
        "items": [
            {
                "source": each.source,
                "line": each.line,
                "verdict": each.verdict.value,
                "code": each.code,
                "why": each.reason,
                "other": each.other or None,
                "label": each.label,
            }
            for each in preview.items
            if each.verdict is not Verdict.NEW
        ],
    }
