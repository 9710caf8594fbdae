"""Names that were made of a secret: keys, and names of files, which are redacted as renames (S-62)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtui.formats.contract.plans import Plan
from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow

Taken = set[tuple[int, str]]  # names that are given in this redaction, by store

_NAME = re.compile(r"\S+")  # a key without spaces is made of words that are joined
_TAKEN = "SELECT 1 FROM memories WHERE store_id = ? AND {} = ? AND removed_at IS NULL LIMIT 1"
_PLANS = (
    "SELECT o.plan FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    "WHERE i.memory_id = ? AND o.plan IS NOT NULL"
)


def with_names(
    ctx: Context, row: MirrorRow, store: StoreRow, redacted: Replacements, taken: Taken
) -> Replacements:
    """Return the replacements, and with them those of the names that were made of one of the values."""
    if not redacted:
        return redacted
    adapter_class = adapter_class_of(store)
    out: dict[str, str] = {}
    key = row.memory.key or ""
    if adapter_class is None:
        out |= _changed(key, _renamed_key(redacted, key))
        return Replacements(redacted.values, out)
    if adapter_class.redacts_names:
        for name in _past_names(ctx, row.id):
            stem = PurePosixPath(name).stem
            out |= _changed(stem, redacted.slug(stem))
        stem = PurePosixPath(row.place).stem if row.place.endswith(".md") else ""
        if (new := redacted.slug(stem)) != stem:
            path = PurePosixPath(row.place)
            out[stem] = PurePosixPath(free(ctx, store, "place", str(path.with_stem(new)), taken)).stem
    if "key" in (adapter_class.redactable_fields or ()) and key not in out:
        new = _renamed_key(redacted, key)
        out |= _changed(key, free(ctx, store, "key", new, taken) if new != key else key)
    return Replacements(redacted.values, out)


def free(ctx: Context, store: StoreRow, column: str, wanted: str, taken: Taken) -> str:
    """Return a name that no other memory of the store has: the wanted one, or that with a number."""
    stem, dot, suffix = wanted.rpartition(".") if column == "place" else (wanted, "", "")
    name, number = wanted, 1
    while (store.id, name) in taken or ctx.db.one(_TAKEN.format(column), (store.id, name)):
        number += 1
        name = f"{stem}-{number}{dot}{suffix}"
    taken.add((store.id, name))
    return name


def moved_by(plans: Iterable[Plan]) -> dict[str, str]:
    """Return the stems of the files that plans rename, each with the new one."""
    edits = [edit for plan in plans for edit in plan.edits if getattr(edit, "moved_to", "")]
    return {PurePosixPath(edit.name).stem: PurePosixPath(edit.moved_to).stem for edit in edits}


def _renamed_key(redacted: Replacements, key: str) -> str:
    return redacted.slug(key) if _NAME.fullmatch(key) else redacted.name(key)


def _changed(old: str, new: str) -> dict[str, str]:
    return {old: new} if new != old else {}


def _past_names(ctx: Context, id: int) -> Iterator[str]:
    """Yield the names of the files that past changes of a memory wrote."""
    for (plan,) in ctx.db.rows(_PLANS, (id,)):
        for edit in json.loads(plan).get("edits", ()):
            if isinstance(edit.get("name"), str):
                yield edit["name"]
