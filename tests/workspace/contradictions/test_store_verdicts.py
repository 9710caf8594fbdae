"""What stores say of their own contradictions is heeded whenever they say it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.formats.contract import incremental
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.older_workspace import older
from tests.support.stores import minions

ITEMS = (
    minions.item(1, "days", "The kiln is lit on Monday."),
    minions.item(2, "day", "The kiln is never lit on Monday."),
)


def word(resolution: str, at: str = minions.AT) -> dict[str, Any]:
    """That a scout found the two to contradict each other."""
    fields = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2), "detectedBy": "scout"}
    more = {"description": "which", "detectedAt": at, "resolution": resolution}
    return minions.minion(201, "contradiction", fields | more)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_a_store_settles_after_the_sweep_is_settled(tmp_path: Path, clock: Clock) -> None:
    place = minions.make(tmp_path / "s", *ITEMS).root
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(place)
    workspace.sweep()
    assert len(workspace.pairs()) == 1
    minions.make(tmp_path / "s", *ITEMS, word("keep-a"))
    workspace.pull()
    workspace.sweep()
    assert workspace.pairs() == []
    minions.make(tmp_path / "s", *ITEMS, word("unresolved"))
    workspace.pull()
    workspace.sweep()
    (found,) = workspace.pairs()
    minions.make(tmp_path / "s", *ITEMS, word("unresolved", "2025-01-01T00:00:00Z"))
    workspace.pull()
    workspace.sweep()
    (again,) = workspace.pairs()
    assert again.found_at < found.found_at  # as old as the store says
    workspace.close()


def test_a_workspace_of_before_reads_again_what_its_stores_say(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incremental, "_FRESH", 0)  # its files are known by their times at once
    monkeypatch.setattr(incremental, "_COARSE", 0)
    place = minions.make(tmp_path / "s", *ITEMS, word("keep-a")).root
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(place)
    workspace.close()
    older(tmp_path / "w.db", before=12)
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    assert workspace.pull().changes == {}
    workspace.sweep()
    assert workspace.pairs() == []
    workspace.close()
