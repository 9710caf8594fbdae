"""Records, files and changes of a minions store in tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link, Record
from memtui.formats.minions import Minions
from tests.support.stores.files import NOW
from tests.support.stores.minions import item, make, relative_path, uid

WHEN = "2027-01-15T08:00:00.000Z"  # NOW in the format's notation


def record_of(store: Minions, number: int) -> Record:
    return next(record for record in store.read().records if record.ref == uid(number))


def store_with(tmp_path: Path, data: bytes, number: int = 1) -> Minions:
    store = make(tmp_path, item(number, "k", "text"))
    (store.root / relative_path(uid(number))).write_bytes(data)
    return store


def codes(store: Minions) -> list[str]:
    return sorted(finding.code for finding in store.read().findings)


def changed_files(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def changed_lines(before: bytes, after: bytes) -> list[str]:
    """Return the lines of `after` that are not in `before`, stripped."""
    old, new = ([line.rstrip(b",") for line in data.splitlines()] for data in (before, after))
    return [line.decode().strip() for line in new if line not in old]


def superseding(winner: int, loser: int) -> Write:
    link = Link(uid(winner), "supersedes", uid(loser))
    expected = {"status": "confirmed"}
    return Write("supersede", uid(loser), {"status": "dismissed"}, expected, NOW, link)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
