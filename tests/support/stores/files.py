"""What a workspace does with a store of files, in a few words: change, keep the plan, take back."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Planned, Receipt, Record, Write
from memtui.formats.media.files.store import FileStore

NOW = 1_800_000_000.0


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {
        str(Path(base, name).relative_to(folder)): Path(base, name).read_bytes()
        for base, _, names in os.walk(folder)
        for name in names
    }


def the(store: FileStore, content: str) -> Record:
    """The one record whose text holds `content`."""
    (record,) = [r for r in store.read().records if content in r.fields["content"]]
    return record


def write(action: str, record: Record | None = None, **fields: Any) -> Write:
    """A change asked for, with what was seen when it was."""
    seen = {} if record is None else {name: record.fields.get(name) for name in fields}
    return Write(action, "" if record is None else record.ref, fields, seen, NOW)


def kept(store: FileStore, plan: Planned | Refused) -> Planned:
    """A plan as it comes back from the database it was kept in. A refusal is raised."""
    if isinstance(plan, Refused):
        raise plan
    return store.load_plan(json.loads(json.dumps(store.dump(plan))))


def do(store: FileStore, *writes: Write) -> list[Planned]:
    """Plan and carry out."""
    return carry(store, store.plan(writes))[0]


def undo(store: FileStore, plans: Sequence[Planned]) -> list[Planned]:
    """Take back, last first; the plans that did it, themselves undoable."""
    return carry(store, store.reverse(list(reversed(plans))))[0]


def carry(store: FileStore, answers: Sequence[Planned | Refused]) -> tuple[list[Planned], Receipt]:
    """Carry out plans that were kept meanwhile; what they made of the store is what it says now."""
    before = {record.ref: record for record in store.read().records}
    plans = [kept(store, answer) for answer in answers]
    receipt = store.carry_out(plans, "token")
    after = {record.ref: record for record in store.read().records}
    told = {r: before[r] for r in before if r not in receipt.gone and r not in receipt.renamed}
    told |= {record.ref: record for record in receipt.records}
    assert {ref: r.digest for ref, r in told.items()} == {ref: r.digest for ref, r in after.items()}
    return plans, receipt


def said(store: FileStore) -> dict[str, Any]:
    """Each record's text and fields by where it stands, for comparing two moments."""
    return {record.ref: dict(record.fields) for record in store.read().records}
