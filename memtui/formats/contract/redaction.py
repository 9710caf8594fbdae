"""The write by which secrets leave a memory (S-62)."""

from __future__ import annotations

from collections.abc import Collection

from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.memory.secrets.redaction import Replacements
from memtui.values import Fields


def fields_with(record: Record, names: Collection[str], redacted: Replacements) -> Fields:
    """Return those of a record's fields that have one of the values, without them."""
    found = {name: record.fields[name] for name in names if name in record.fields}
    new = {name: redacted.value(value) for name, value in found.items()}
    return {name: value for name, value in new.items() if value != found[name]}


def redacting(record: Record, names: Collection[str], redacted: Replacements, now: float) -> Write | None:
    """Return the write that takes the values out of these fields of a record; None if none has any."""
    fields = fields_with(record, names, redacted)
    if not fields:
        return None
    seen = {name: record.fields[name] for name in fields}
    return Write("redact", record.ref, fields, seen, now, redacted=redacted)
