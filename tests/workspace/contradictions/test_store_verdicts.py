"""Verdicts of stores on their own contradictions are respected at any time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.formats.contract import incremental
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.older_workspace import downgrade
from tests.support.stores import minions

ITEMS = (
    minions.item(1, "days", "The kiln is lit on Monday."),
    minions.item(2, "day", "The kiln is never lit on Monday."),
)


def contradiction(resolution: str, at: str = minions.AT) -> dict[str, Any]:
    """Return the record of a contradiction between the two items."""
    fields = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2), "detectedBy": "scout"}
    more = {"description": "which", "detectedAt": at, "resolution": resolution}
    return minions.minion(201, "contradiction", fields | more)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_contradiction_settled_by_the_store_after_a_scan_is_settled(tmp_path: Path, clock: Clock) -> None:
    path = minions.make(tmp_path / "s", *ITEMS).root
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(path)
    workspace.scan()
    assert len(workspace.pairs()) == 1
    minions.make(tmp_path / "s", *ITEMS, contradiction("keep-a"))
    workspace.pull()
    workspace.scan()
    assert workspace.pairs() == []
    minions.make(tmp_path / "s", *ITEMS, contradiction("unresolved"))
    workspace.pull()
    workspace.scan()
    (found,) = workspace.pairs()
    minions.make(tmp_path / "s", *ITEMS, contradiction("unresolved", "2025-01-01T00:00:00Z"))
    workspace.pull()
    workspace.scan()
    (reopened,) = workspace.pairs()
    assert reopened.found_at < found.found_at  # the store's date
    workspace.close()


def test_an_older_workspace_reads_the_stores_verdicts_again(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incremental, "_FINE_TICK", 0)  # files get fingerprints at once
    monkeypatch.setattr(incremental, "_COARSE_TICK", 0)
    path = minions.make(tmp_path / "s", *ITEMS, contradiction("keep-a")).root
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(path)
    workspace.close()
    downgrade(tmp_path / "w.db", before=12)
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    assert workspace.pull().changes == {}
    workspace.scan()
    assert workspace.pairs() == []
    workspace.close()
