"""`memtui stats`: counts by store, status, category and actor.

With --json: {"workspace", "bytes", "memories", "live", "pinned", "removed", "stores": [{"name",
"format", "memories", "live", "pinned"}], "status": {status: count}, "category": {category: count},
"journal": {actor: lines}, "meaning": {"model", "vectors", "waiting", "why"}}; memories without a category
count under "". `model` made the `vectors`, "" before the first; `waiting` memories have none yet; `why` is
key prevents searching by meaning, "" if nothing is known to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.wording import actor_name
from memtui.text import size_text

if TYPE_CHECKING:
    from argparse import Namespace


def stats(args: Namespace, output: Output) -> None:
    """Print the counts, after a pull."""
    with fresh(args, output) as opened:
        state = opened.embedding_state()
        counts = opened.stats()
    counts["meaning"] = {
        "model": state.model, "vectors": state.embedded, "waiting": state.pending, "why": state.error,
    }  # fmt: skip
    if output.json:
        output.data(counts)
        return
    rows = [
        ("memories", "", f"{counts['memories']:,}"),
        ("live", "", f"{counts['live']:,}"),
        ("pinned", "", f"{counts['pinned']:,}"),
        ("removed", "", f"{counts['removed']:,}"),
    ]
    rows += [("store", each["name"], f"{each['memories']:,}") for each in counts["stores"]]
    for key, noun in (
        ("status", "status"),
        ("category", "category"),
        ("journal", wording.JOURNAL_ENTRIES_BY),
    ):
        rows += [(noun, actor_name(name) or "(none)", f"{count:,}") for name, count in counts[key].items()]
    rows.append(("vectors", state.model or wording.NO_MODEL, f"{state.embedded:,}"))
    rows.append(("not indexed", state.error or wording.FOR_EMBED, f"{state.pending:,}"))
    rows.append(("size", counts["workspace"], size_text(counts["bytes"])))
    output.table(rows, whole=True)
