"""Files and refusals of Base Coat's shared memories in tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtui.errors import Refused
from memtui.formats.base_coat_shared import BaseCoatShared
from tests.support.stores.base_coat_shared import document
from tests.support.stores.files import (
    read_tree,
    write,
)

TODAY = "2027-01-15"


def changed_files(store: BaseCoatShared, before: Mapping[str, bytes]) -> dict[str, str]:
    """Return the files that differ from `before`; "" for a deleted one."""
    after = read_tree(store.root)
    names = sorted(after.keys() | before.keys())
    return {name: after.get(name, b"").decode() for name in names if after.get(name) != before.get(name)}


def refusal_of(store: BaseCoatShared, action: str, record: Any = None, **fields: Any) -> Refused:
    (refusal,) = store.plan([write(action, record, **fields)])
    assert isinstance(refusal, Refused)
    return refusal


GOOD = document("ci:a", "A sound pattern.")
