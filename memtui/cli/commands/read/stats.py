"""`memtui stats`: counts by store, status, category and actor.

With --json: {"workspace", "bytes", "memories", "live", "pinned", "removed", "stores": [{"name",
"format", "memories", "live", "pinned"}], "status": {status: count}, "category": {category: count},
"journal": {actor: lines}, "meaning": {"model", "vectors", "waiting", "why"}}; memories without a category
stand under "". `model` made the `vectors`, "" before the first; `waiting` memories have none yet; `why` says
what is wrong with searching by meaning, "" if nothing is known to be.
"""

from __future__ import annotations

from typing import Any

from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output


def stats(args: Any, output: Output) -> None:
    """Count, after taking in what agents changed."""

    with fresh(args, output) as opened:
        state = opened.meaning()
        told = opened.stats()
    told["meaning"] = {
        "model": state.model, "vectors": state.embedded, "waiting": state.pending, "why": state.error,
    }  # fmt: skip
    if output.json:
        output.data(told)
        return
    rows = [
        ("memories", "", f"{told['memories']:,}"),
        ("live", "", f"{told['live']:,}"),
        ("pinned", "", f"{told['pinned']:,}"),
        ("removed", "", f"{told['removed']:,}"),
    ]
    rows += [("store", each["name"], f"{each['memories']:,}") for each in told["stores"]]
    for what, noun in (("status", "status"), ("category", "category"), ("journal", "journal lines by")):
        rows += [(noun, name or "(none)", f"{count:,}") for name, count in told[what].items()]
    rows.append(("vectors", state.model or "(no model yet)", f"{state.embedded:,}"))
    rows.append(("waiting", state.error or "for memtui embed", f"{state.pending:,}"))
    rows.append(("size", told["workspace"], _size(told["bytes"])))
    output.table(rows, whole=True)


def _size(count: int) -> str:
    """Bytes for a person."""
    size = float(count)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
