"""The journal's texts and their digests: an item, its bodies, its standing (S-7)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from memtui.errors import Refused
from memtui.formats.base import Adapter, Planned
from memtui.memory.records import LISTS, plain
from memtui.workspace.core import Core


def write_item(
    core: Core,
    line: int,
    of: tuple[int, str, int],
    digests: Mapping[str, Any],
    bodies: tuple[Mapping[str, Any], Mapping[str, Any]],
    standing: tuple[str, str],
    pair: int | None = None,
) -> int:
    """One journal item with its bodies and standing; `of` is (memory's row, uid, store's row), `pair`
    the item that it belongs to.

    Plain rows: a bulk verb or a pull writes thousands of these."""
    db = core.db
    db.run(
        "INSERT INTO journal_items (journal_id, memory_id, uid, store_id, fields, pair) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (line, *of, json.dumps(digests), pair),
    )
    item = int(db.connection().last_insert_rowid())
    db.run("INSERT INTO bodies (item_id, before, after) VALUES (?, ?, ?)", (item, *map(_body, bodies)))
    db.run(
        "INSERT INTO standings (item_id, state, why, carried_by) VALUES (?, ?, ?, ?)",
        (item, *standing, item),
    )
    return item


def digests_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[str | None]]:
    """Each field touched with the digests of its values, which the journal keeps for ever."""
    return {name: [_digest(before.get(name)), _digest(after.get(name))] for name in {**before, **after}}


def _digest(value: Any) -> str | None:
    if value is None:
        return None
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _body(fields: Mapping[str, Any]) -> str:
    return json.dumps(plain(dict(fields)), ensure_ascii=False)


def unbody(text: str | None) -> dict[str, Any]:
    """A body's fields, lists as records hold them; {} where it was erased, or is damaged."""
    said = _read(text)
    return {n: tuple(v) if n in LISTS and isinstance(v, list) else v for n, v in (said or {}).items()}


ERASED, DAMAGED = ("erased", "Its text was erased."), ("damaged", "Its journal entry is damaged.")


def unreadable(before: str | None, after: str | None) -> tuple[str, str] | None:
    """Why an item cannot be taken back by its bodies, as a code and in words; None where it can."""
    if before is None:
        return ERASED
    return DAMAGED if _read(before) is None or _read(after) is None else None


def planned(adapter: Adapter, text: str) -> Planned:
    """A plan as it was kept. Raises Refused where it is damaged."""
    try:
        return adapter.load_plan(json.loads(text))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as trouble:
        raise Refused(*DAMAGED, "Nothing was changed.") from trouble


def _read(text: str | None) -> dict[str, Any] | None:
    try:
        said = json.loads(text) if text is not None else {}
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def told(*bodies: str | None) -> tuple[list[dict[str, Any] | None], str]:
    """Bodies to be shown, None where one was erased; or why they cannot be, which hides no others."""
    if any(text is not None and _read(text) is None for text in bodies):
        return [{} for _ in bodies], "What it changed cannot be read."
    return [unbody(text) if text is not None else None for text in bodies], ""
