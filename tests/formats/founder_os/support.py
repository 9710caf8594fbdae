"""Rows of a Founder OS database in tests."""

from __future__ import annotations

from typing import Any

from memtui.formats.founder_os import FounderOs
from tests.support.stores import rows_in


def value(store: FounderOs, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["memories"].values() if row["id"][1] == ref)
