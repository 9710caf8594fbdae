"""Rows, links and refusals of a Base Coat database in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link, Record
from tests.support.stores import rows_in
from tests.support.stores.base_coat import (
    MEMORIES,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.row_changes import NOW, plan_change


def read_row(tmp_path: Path, **values: Any) -> tuple[Record, dict[str, str]]:
    """Read a store with a single row of these values; return the record and its findings (code → place)."""
    row = {**MEMORIES[0], **values}
    path = make(tmp_path / "memory.db", [row], columns=UNTYPED_COLUMNS | dict.fromkeys(row, ""), relations=())
    reading = BaseCoat(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code: finding.place for finding in reading.findings}


def codes(store: BaseCoat) -> list[str]:
    return sorted(finding.code for finding in store.read().findings)


def links(store: BaseCoat) -> set[tuple[str, str, str]]:
    return {(link.source, link.kind, link.target) for link in store.read().links}


def record(store: BaseCoat, ref: str) -> Record:
    return store.read_refs([ref])[ref]


def add(store: BaseCoat, **fields: Any) -> Plan:
    """Add a memory."""
    (plan,) = store.plan([Write("add", "", fields, {}, NOW)])
    assert isinstance(plan, Plan)
    store.apply([plan], "t")
    return plan


def value(store: BaseCoat, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["memories"].values() if row["id"][1] == ref)


def refusal_of(store: BaseCoat, action: str, ref: str, link: Link | None = None, **fields: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        plan_change(store, action, ref, link, **fields)
    return refusal.value


def record_texts(store: BaseCoat) -> list[str]:
    return [found.fields["content"] for found in store.read().records]
