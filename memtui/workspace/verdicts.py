"""A verdict's row: it comes and goes with its journal item (S-42, S-51)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.workspace.core import Core

_NAME = ("a", "b", "verdict", "at")
_REST = ("note", "actor", "until", "topic", "subject")


def put(core: Core, item: int, gone: Mapping[str, Any] | None, come: Mapping[str, Any] | None) -> None:
    """Take one verdict away, and put another down with what its two memories say by now."""
    from memtui.workspace.pairs import said_now

    if gone is not None:
        where = " AND ".join(f"{name} = ?" for name in _NAME)
        core.db.run(f"DELETE FROM verdicts WHERE {where}", tuple(gone[name] for name in _NAME))
    if come is None:
        return
    line = core.db.one("SELECT journal_id FROM journal_items WHERE id = ?", (item,))
    said = said_now(core, [come["a"], come["b"]])
    values = {name: come[name] for name in (*_NAME, *_REST)}
    values |= {"said_a": said[come["a"]], "said_b": said[come["b"]], "line": line}
    marks = ", ".join("?" for _ in values)
    core.db.run(f"INSERT INTO verdicts ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
