"""Journal lines of what is no unit: nothing is written to a store (S-50)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtui.workspace.bodies import digests_of, write_item
from memtui.workspace.core import Core


def note(
    core: Core,
    actor: str,
    kind: str,
    summary: str,
    items: Sequence[tuple[int, Mapping[str, Any], Mapping[str, Any]]],
    undoes: int | None = None,
) -> int:
    """Write one line, inside a transaction; an item is (memory's row, fields before, fields after)."""
    line = int(core.t.Line.create(at=core.clock(), actor=actor, kind=kind, summary=summary, undoes=undoes).id)
    for id, before, after in items:
        uid, store_id = core.db.rows("SELECT uid, store_id FROM memories WHERE id = ?", (id,))[0]
        digests = digests_of(before, after)
        write_item(core, line, (id, uid, store_id), digests, (before, after), ("done", ""))
    return line
