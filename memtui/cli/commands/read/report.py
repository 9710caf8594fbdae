"""`memtui report [QUERY] -o FILE`: what the workspace holds, as one HTML file to look at (S-75).

With --json: {"file", "memories", "bytes"}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.runtime.open_workspace import fresh, path_of
from memtui.cli.runtime.output import Output
from memtui.export.file_output import write_new
from memtui.export.report import wording
from memtui.export.report.page import page

if TYPE_CHECKING:
    from argparse import Namespace


def report(args: Namespace, output: Output) -> None:
    """Write the report on all memories but removed ones, or on those that `memtui list QUERY` lists."""
    file = path_of(args.output)
    query = args.query.strip()
    with fresh(args, output) as opened:
        ids = opened.search(query, live=False, sort="newest").ids if query else None
        found = opened.report(ids)
    text = page(found, query)
    write_new(file, text, replace=args.force)
    if output.json:
        output.data({"file": str(file), "memories": found.memories, "bytes": len(text.encode())})
        return
    output.note(wording.written(found.memories, str(file)))
