"""What a path holds: the memories of a store, read by its adapter, or those of a file."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memtui.formats import registry as formats
from memtui.formats.contract.adapter import Adapter
from memtui.importing import wording
from memtui.importing.fields import LEFT
from memtui.importing.reader import Found
from memtui.importing.registry import all_readers, reader_for
from memtui.importing.text_file import MOST_BYTES, decode, read_text
from memtui.memory.imported import Imported

STORE = "store"


def kinds() -> list[str]:
    """Return what --as may name."""
    return [*(each.name for each in all_readers()), STORE]


def read(path: Path, kind: str = "") -> Iterator[Found]:
    """Return the memories of a store or file, of a `kind` that `kinds` names or by content. Nothing is
    written there. Raise Refused if it cannot be read as a whole."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise wording.unreadable(str(path), why) from error
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        raise wording.not_a_file(str(path))
    if kind in ("", STORE) and (stores := formats.find(path)):
        return iter([memory for adapter, root in stores for memory in _in_store(adapter(root))])
    if kind == STORE:
        raise formats.explain(path)
    if stat.S_ISDIR(mode):
        raise wording.no_store(str(path))
    return _in_text(path, read_text(path), kind)


def read_stdin(data: bytes, kind: str = "") -> Iterator[Found]:
    """Return the memories of standard input."""
    if len(data) > MOST_BYTES:
        raise wording.too_big("-", MOST_BYTES)
    return _in_text(Path("-"), decode("-", data), kind)


def _in_text(path: Path, text: str, kind: str) -> Iterator[Found]:
    for each in reader_for(path, text, kind).read(text):
        yield replace(each, source=path.name)


def _in_store(adapter: Adapter) -> Iterator[Imported]:
    try:
        records = adapter.read().records
    except OSError as error:
        raise wording.unreadable(str(adapter.root), (error.strerror or str(error)).lower()) from error
    for record in records:
        if record.removed_at is None and not record.placeholder:
            fields = {name: value for name, value in record.fields.items() if name not in LEFT}
            yield Imported(0, fields, (), record.place or adapter.root.name)
