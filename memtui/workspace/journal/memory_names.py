"""Labels for the memories that a change refers to (S-50)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from memtui.memory.field_text import referenced_memories
from memtui.memory.memory import label_of
from memtui.memory.wording import PURGED_MEMORY
from memtui.values import FieldValue
from memtui.workspace.context import Context

_LONGEST = 80  # characters of a label
PURGED = "({0}.id IS NULL OR ({0}.removed_at IS NOT NULL AND {0}.ref IS NULL))"
"""SQL for whether a row may have been purged; it was if it has no text either."""
_FOUND = (
    f"SELECT uid, '#' || id, title, subject, substr(content, 1, 300), {PURGED.format('m')} FROM memories m "
    "WHERE uid IN (SELECT value FROM json_each(?1)) OR id IN (SELECT substr(value, 2) FROM json_each(?1) "
    "WHERE value LIKE '#%')"
)


def names(ctx: Context, fields: Iterable[Mapping[str, FieldValue] | None]) -> dict[str, str]:
    """Return labels for the memories that these values refer to; "" for removed or purged ones."""
    wanted = {key for each in fields for key in referenced_memories(each)}
    if not wanted:
        return {}
    found = dict.fromkeys(wanted, "")
    for uid, row, title, subject, content, purged in ctx.db.rows(_FOUND, (json.dumps(sorted(wanted)),)):
        name = label(title, subject, content, purged, erased="")
        found |= {key: name for key in (uid, row) if key in wanted}
    return found


def label(
    title: str | None, subject: str | None, content: str | None, purged: bool, *, erased: str = PURGED_MEMORY
) -> str:
    """Return the line that represents a memory; `erased` for one without any text left."""
    if purged and not (title or subject or (content or "").strip()):
        return erased
    text = label_of(title, subject, content or "")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
