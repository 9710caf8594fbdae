"""Short forms of what a workspace does with a store of files: plan, save the plan, apply, undo."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Receipt, Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files.store import FileStore

NOW = 1_800_000_000.0


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return relative path → bytes of all files below a folder, hidden ones included."""
    return {
        str(Path(base, name).relative_to(folder)): Path(base, name).read_bytes()
        for base, _, names in os.walk(folder)
        for name in names
    }


def record_with(store: FileStore, content: str) -> Record:
    """Return the one record whose text contains `content`."""
    (record,) = [r for r in store.read().records if content in r.fields["content"]]
    return record


def write(action: str, record: Record | None = None, **fields: Any) -> Write:
    """Return a requested change that expects the present values of the fields it sets."""
    expected = {} if record is None else {name: record.fields.get(name) for name in fields}
    return Write(action, "" if record is None else record.ref, fields, expected, NOW)


def reload_plan(store: FileStore, plan: Plan | Refused) -> Plan:
    """Return a plan after a round trip through the JSON in which it is saved; raise it if it is a refusal."""
    if isinstance(plan, Refused):
        raise plan
    return store.load_plan(json.loads(json.dumps(store.dump_plan(plan))))


def apply(store: FileStore, *writes: Write) -> list[Plan]:
    """Plan the writes and apply the plans."""
    return apply_plans(store, store.plan(writes))[0]


def undo(store: FileStore, plans: Sequence[Plan]) -> list[Plan]:
    """Undo plans, the last one first, and return the plans that did it; they can be undone in turn."""
    return apply_plans(store, store.reverse(list(reversed(plans))))[0]


def apply_plans(store: FileStore, planned: Sequence[Plan | Refused]) -> tuple[list[Plan], Receipt]:
    """Apply saved plans and check that the receipt tells what the store now holds."""
    before = {record.ref: record for record in store.read().records}
    plans = [reload_plan(store, plan) for plan in planned]
    receipt = store.apply(plans, "token")
    after = {record.ref: record for record in store.read().records}
    expected = {r: before[r] for r in before if r not in receipt.removed_refs and r not in receipt.renamed}
    expected |= {record.ref: record for record in receipt.records}
    assert {ref: r.digest for ref, r in expected.items()} == {ref: r.digest for ref, r in after.items()}
    return plans, receipt


def fields_by_ref(store: FileStore) -> dict[str, Any]:
    """Return ref → fields of all records, to compare two states of a store."""
    return {record.ref: dict(record.fields) for record in store.read().records}
