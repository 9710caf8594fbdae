"""Rows of a mem-skill database in tests."""

from __future__ import annotations

from typing import Any

from memtui.formats.mem_skill import MemSkill
from tests.support.stores.mem_skill import rows_in

THEN = "2027-01-15T08:00:00Z"


def value(store: MemSkill, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["facts"].values() if row["fact_id"][1] == ref)


def history(store: MemSkill, ref: str) -> list[dict[str, Any]]:
    """Return the history rows of a fact, oldest first."""
    rows = rows_in(store.root)["fact_history"].values()
    entries = [{name: value for name, (_, value) in row.items()} for row in rows]
    return [entry for entry in entries if entry["fact_id"] == ref]


def codes(store: MemSkill) -> dict[str, str]:
    return {finding.code: finding.text for finding in store.read().findings}
