"""`memtui export [QUERY]`: memories as text, for an agent or another program (S-70, S-71)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.read.memories import find_by_words
from memtui.cli.commands.read.search import saved_query
from memtui.cli.runtime.open_workspace import fresh, path_of, settings
from memtui.cli.runtime.output import Output
from memtui.export import wording
from memtui.export.file_output import write_new
from memtui.export.pack import Pack, pack
from memtui.export.registry import by_name
from memtui.text import safe_text

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace


def export(args: Namespace, output: Output) -> None:
    """Print the export, or write it to a file, and say on standard error what is in it."""
    exporter = by_name(args.as_)
    assert exporter is not None  # the parser has checked the name
    file = path_of(args.output) if args.output else None
    with fresh(args, output) as opened:
        chosen = opened.candidates(*_chosen(opened, args, output))
        counter = opened.token_counter(settings(output).tokenizer)
        packed = pack(
            exporter, chosen, args.budget, counter, opened.now(), contradictions=args.contradictions
        )
    if file is not None:
        write_new(file, packed.text, replace=args.force)
    elif sys.stdout.isatty():
        sys.stdout.write(safe_text(packed.text, limit=max(1, len(packed.text) * 8)))
    else:
        sys.stdout.buffer.write(packed.text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    _report(packed, args.budget, file, output)


def _chosen(opened: Workspace, args: Namespace, output: Output) -> tuple[list[int], dict[int, float]]:
    """Return the rows to export, with their relevance: 1 for the best answer to a question."""
    query, sort = saved_query(opened, args.saved) if args.saved is not None else (args.query, "")
    hits = find_by_words(opened, query, sort, output, live=True)
    ids = list(hits.ids)
    if args.store:
        within = set(opened.ids_in(store=args.store))
        ids = [id for id in ids if id in within]
    if not query.strip():
        return ids, {}
    reasons = opened.match_reasons(query, ids, by="words")
    best = max((each.score for each in reasons.values()), default=0.0)
    return ids, {id: each.score / best for id, each in reasons.items()} if best > 0 else {}


def _report(packed: Pack, budget: int | None, file: Path | None, output: Output) -> None:
    output.note(wording.exported(len(packed.included), packed.tokens, packed.unit, budget, file))
    for judged in packed.left_out:
        output.note(wording.left_out(judged))
