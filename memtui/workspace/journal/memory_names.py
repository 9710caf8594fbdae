"""What the memories are called that a change names (S-50)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memtui.memory.change_words import ERASED, named_in
from memtui.memory.memory import label_of
from memtui.workspace.context import Context

_LONG = 80  # characters of a name
PURGED = "({0}.id IS NULL OR ({0}.removed_at IS NOT NULL AND {0}.ref IS NULL))"
"""Whether a row may have been purged: it was if nothing is left of its words."""
_FOUND = (
    f"SELECT uid, '#' || id, title, subject, substr(content, 1, 300), {PURGED.format('m')} FROM memories m "
    "WHERE uid IN (SELECT value FROM json_each(?1)) OR id IN (SELECT substr(value, 2) FROM json_each(?1) "
    "WHERE value LIKE '#%')"
)


def names(ctx: Context, fields: Iterable[Mapping[str, Any] | None]) -> dict[str, str]:
    """What those are called that these values name; "" for what is there no more, or was purged."""
    wanted = {key for each in fields for key in named_in(each)}
    if not wanted:
        return {}
    found = dict.fromkeys(wanted, "")
    for uid, row, title, subject, content, purged in ctx.db.rows(_FOUND, (json.dumps(sorted(wanted)),)):
        told = label(title, subject, content, purged, erased="")
        found |= {key: told for key in (uid, row) if key in wanted}
    return found


def label(
    title: str | None, subject: str | None, content: str | None, purged: bool, *, erased: str = ERASED
) -> str:
    """The line that stands for a memory; `erased` for one of whose words none are left."""
    if purged and not (title or subject or (content or "").strip()):
        return erased
    told = label_of(title, subject, content or "")
    return told if len(told) <= _LONG else f"{told[: _LONG - 1]}…"
