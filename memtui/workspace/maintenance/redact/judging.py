"""Which secrets a memory holds, and which the workspace keeps of its past (S-62)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtui.memory import secrets
from memtui.memory.secrets.redaction import placeholder, strings_of, values_in
from memtui.values import FieldValue, Json, JsonObject
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.secrets.sweep import TEXTS

# One query over the items of a memory: what its changes replaced and wrote.
_KEPT = (
    "SELECT b.before, b.after, o.plan FROM journal_items i LEFT JOIN bodies b ON b.item_id = i.id "
    "LEFT JOIN outbox o ON o.item_id = i.id WHERE i.memory_id = ?"
)


def held(row: MirrorRow) -> dict[str, dict[str, str]]:
    """Return the secrets in each field of a memory, each with what takes its place."""
    found = {name: _values_of(getattr(row.memory, name)) for name in TEXTS}
    return {name: values for name, values in found.items() if values}


def kept(ctx: Context, row: MirrorRow) -> dict[str, str]:
    """Return the secrets in what the journal keeps of a memory's changes."""
    found: dict[str, str] = {}
    for *bodies, plan in ctx.db.rows(_KEPT, (row.id,)):
        for body in bodies:
            found |= values_in(strings_of(_loaded(body)))
        found |= values_in(_written(_loaded(plan)))
    return found


def _values_of(value: FieldValue) -> dict[str, str]:
    found = values_in(strings_of(value))
    if isinstance(value, (dict, list, tuple)) and value:
        text = json.dumps(value, ensure_ascii=False, default=str)  # a name may say that its value is secret
        for each in secrets.find(text):
            try:
                found.setdefault(json.loads(f'"{text[each.start : each.end]}"'), placeholder(each.kind))
            except ValueError:
                continue
    return found


def _loaded(text: str | None) -> Json:
    try:
        return json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return None


def _written(plan: JsonObject | None) -> Iterator[str]:
    """Yield the texts that a plan wrote or replaced, without those around them."""
    for edit in (plan or {}).get("edits", ()):
        yield from strings_of({name: value for name, value in edit.items() if name != "hunks"})
        for hunk in edit.get("hunks", ()):
            yield from strings_of(hunk[1:3])
    yield from strings_of((plan or {}).get("removed"))
