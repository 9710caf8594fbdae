"""A workspace in memory for the tests of the screens, for situations that a real one cannot be put into."""

from __future__ import annotations

from tests.support.fake_workspace.samples import (
    DAY,
    NOW,
    clock,
    memory,
    new_workspace,
    sample,
    with_pairs,
    with_stores,
)
from tests.support.fake_workspace.workspace import FakeWorkspace

__all__ = [
    "DAY",
    "NOW",
    "FakeWorkspace",
    "clock",
    "memory",
    "new_workspace",
    "sample",
    "with_pairs",
    "with_stores",
]
