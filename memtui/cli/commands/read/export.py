"""`memtui export [QUERY]`: memories as text for an agent or a program, or as a new store (S-70, S-71)."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.read.search import find_answers, saved_query
from memtui.cli.parser import wording as parser_wording
from memtui.cli.runtime.long_work import long_work
from memtui.cli.runtime.open_workspace import fresh, path_of, settings
from memtui.cli.runtime.output import Output, writing_output
from memtui.cli.runtime.reveal import masking_of
from memtui.export import wording
from memtui.export.exporter import Exporter
from memtui.export.file_output import write_new
from memtui.export.new_store import NewStore, store_kinds, write_store
from memtui.export.pack import Pack, pack
from memtui.export.registry import by_name
from memtui.memory.selection.budget import Reason
from memtui.memory.selection.candidate import by_place
from memtui.serialization.export import new_store_as_json, pack_as_json
from memtui.text import listed, safe_text

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace

STDOUT = "-"
MOST_NAMED = 10  # memories that were left out and are named; --json names all


def export(args: Namespace, output: Output) -> None:
    """Print the export, copy it, or write it to a file or store, and say on standard error what is in it."""
    file = path_of(args.output) if args.output not in (None, STDOUT) else None
    if args.clipboard and args.output is not None:
        raise parser_wording.clipboard_or_file()
    exporter = by_name(args.as_)
    if exporter is not None:
        _export_text(exporter, file, args, output)
        return
    if file is None:
        raise parser_wording.store_needs_path(args.as_)
    if args.budget is not None:
        raise parser_wording.store_has_no_budget(args.as_)
    _export_store(file, args, output)


def _export_text(exporter: Exporter, file: Path | None, args: Namespace, output: Output) -> None:
    with fresh(args, output) as opened:
        if file is not None:
            opened.require_outside_stores(file)
        chosen = opened.candidates(*_chosen(opened, args, output), masking_of(args, output))
        counter = opened.token_counter(settings(output).tokenizer)
        not_compared = opened.queue_counts().unscanned
        packed = pack(
            exporter, chosen, args.budget, counter, opened.now(), contradictions=args.contradictions
        )
    if args.clipboard and not packed.text:
        raise wording.nothing_to_export()  # rather than empty the clipboard
    clipboards = ""
    if file is not None:
        write_new(file, packed.text, replace=args.force)
    elif args.clipboard:
        from memtui.tui.terminal import clipboard

        clipboards = listed(clipboard.copy(packed.text))
    if output.json:
        output.data(pack_as_json(packed, file, clipboards))
        return
    if file is None and not args.clipboard:
        print_text(packed.text)
    to = str(file) if file is not None else clipboards
    output.note(wording.exported(len(packed.included), packed.tokens, packed.unit, args.budget, to))
    if packed.secrets:
        output.note(wording.with_secrets(sorted(packed.secrets), MOST_NAMED))
    if packed.over:
        output.note(wording.too_small(packed.over, packed.unit))
    _report_left_out(packed, output)
    if not chosen:
        output.note(wording.NO_MATCH)
    elif not_compared and packed.tokens is not None:  # else it has all memories anyhow
        output.note(wording.not_compared(not_compared))


def print_text(text: str) -> None:
    """Print a text byte by byte; on a terminal what could act on that is made visible, and a line ends."""
    with writing_output():
        if sys.stdout.isatty():
            sys.stdout.write(safe_text(text, limit=max(1, len(text) * 8)))
            sys.stdout.write("" if not text or text.endswith("\n") else "\n")
        else:
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()


def _report_left_out(packed: Pack, output: Output) -> None:
    for judged in packed.left_out[:MOST_NAMED]:
        output.note(wording.left_out(judged))
    if more := len(packed.left_out[MOST_NAMED:]):
        output.note(wording.more_left_out(more))
    pinned = [
        each for each in packed.left_out if each.reason is Reason.NO_ROOM and each.candidate.memory.pinned
    ]
    if pinned:
        output.note(wording.pinned_left_out(len(pinned), sum(each.tokens for each in pinned), packed.unit))


def _export_store(path: Path, args: Namespace, output: Output) -> None:
    kind = store_kinds()[args.as_]
    with fresh(args, output) as opened:
        opened.require_outside_stores(path)
        ids, _ = _chosen(opened, args, output)
        ids = sorted(ids)  # as they stand in their stores: a list is by time or rank
        if masking_of(args, output) is None:
            memories, withheld = opened.memories(ids), list[str]()
        else:
            memories, withheld = opened.memories_without_secrets(ids)
        with long_work(output, wording.EXPORTING) as job:
            made = write_store(
                kind, path, memories, opened.seen_at(ids), opened.relations_among(ids),
                inside=args.output.endswith("/"), control=job,
            )  # fmt: skip
    made = replace(made, refused=made.refused | dict.fromkeys(withheld, wording.HOLDS_SECRET))
    if output.json:
        output.data(new_store_as_json(made))
        return
    output.note(wording.store_made(len(made.written), kind.title, made.root))
    if made.relations:
        output.note(wording.relations_exported(made.relations))
    if made.relations_lost:
        output.note(wording.relations_lost(made.relations_lost))
    _report_fields(made, output)
    for uid, why in list(made.refused.items())[:MOST_NAMED]:
        output.note(wording.not_stored(uid, why))
    if (more := len(made.refused) - MOST_NAMED) > 0:
        output.note(wording.more_left_out(more))


def _report_fields(made: NewStore, output: Output) -> None:
    for field, count in made.changed.items():
        output.note(wording.fields_changed(field, count))
    for field, count in made.lost.items():
        output.note(wording.fields_lost(field, count))


def _chosen(opened: Workspace, args: Namespace, output: Output) -> tuple[list[int], dict[int, float]]:
    """Return the rows to export, with their relevance by place if there is a question."""
    query, sort = saved_query(opened, args.saved) if args.saved is not None else (args.query, "")
    hits, words, _ = find_answers(opened, query, sort, "both", output, live=not args.all)
    ids = list(hits.ids[: len(hits.ids) - hits.related])  # what is only related is no answer
    if args.store:
        within = set(opened.ids_in(store=args.store))
        ids = [id for id in ids if id in within]
    return ids, by_place(ids) if hits is not words else {}
