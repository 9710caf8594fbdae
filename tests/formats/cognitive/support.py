"""Files and changes of a Cognitive Memory tree in tests."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link, Reading
from tests.support.stores.cognitive import (
    FILES,
)
from tests.support.stores.files import NOW, read_tree, write


def changed_files(store: Cognitive, before: Mapping[str, str | bytes] = FILES) -> dict[str, str]:
    """Return the files that differ from `before`; "" for a deleted one."""
    after = {name: data.decode() for name, data in read_tree(store.root).items()}
    names = after.keys() | before.keys()
    return {name: after.get(name, "") for name in names if after.get(name) != before.get(name)}


def codes(reading: Reading) -> set[tuple[str, str]]:
    return {(finding.code, finding.place) for finding in reading.findings}


def change_of(store: Cognitive, ref: str, action: str, **fields: object) -> Write:
    """Return a change of the memory with this id."""
    record = next(record for record in store.read().records if record.ref == ref)
    return write(action, record, **fields)


def related(source: str, kind: str, target: str, action: str = "relate", body: str = "") -> Write:
    return Write(action, source, {}, {}, NOW, Link(source, kind, target, 0.6, "so", body))


def entries(store: Cognitive) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((store.root / "_index.json").read_text())["entries"]
    return found
