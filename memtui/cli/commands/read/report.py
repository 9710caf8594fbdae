"""`memtui report [QUERY] -o FILE`: what the workspace holds, as one HTML file to look at (S-75).

With --json: {"file", "memories", "bytes"}; with -o -, file is null and "html" is the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read.export import STDOUT, print_text
from memtui.cli.runtime.open_workspace import fresh, path_of
from memtui.cli.runtime.output import Output
from memtui.export.file_output import write_new
from memtui.export.report import wording
from memtui.export.report.page import page

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.values import JsonObject


def report(args: Namespace, output: Output) -> None:
    """Write the report on all memories but removed ones, or on those that `memtui list QUERY` lists."""
    file = path_of(args.output) if args.output != STDOUT else None
    query = args.query.strip()
    with fresh(args, output) as opened:
        if file is not None:
            opened.require_outside_stores(file)
        ids = opened.search(query, live=False, sort="newest").ids if query else None
        found = opened.report(ids)
    text = page(found, query)
    if file is not None:
        write_new(file, text, replace=args.force)
    if output.json:
        where: JsonObject = {"file": None, "html": text} if file is None else {"file": str(file)}
        output.data({**where, "memories": found.memories, "bytes": len(text.encode())})
        return
    if file is None:
        print_text(text)
    output.note(wording.written(found.memories, "" if file is None else str(file)))
