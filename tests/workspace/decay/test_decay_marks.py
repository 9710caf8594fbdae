"""How far decay was run: undone runs leave no mark, and changes of the user come first (S-27)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.memory import Memory
from memtui.workspace.decay import run
from memtui.workspace.decay.forecast import due_steps
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty
from tests.support.stores import base_coat
from tests.support.stores.databases import query
from tests.support.stores.founder_os import make

DAY = 86_400.0
START = 1_790_000_000.0


class Clock:
    """A clock that stands still at `now`."""

    now = START

    def __call__(self) -> float:
        return self.now


def row(number: int, confidence: int, unused: float) -> dict[str, Any]:
    at = int(START - unused * DAY)
    return {
        "id": f"{number:032x}", "key": f"k-{number}", "category": "fact", "content": f"Fact {number}.",
        "source_plugin": "P11", "confidence": confidence, "status": "confirmed", "times_used": 1,
        "times_confirmed": 0, "created_at": at, "updated_at": at, "last_used_at": at,
    }  # fmt: skip


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(tmp_path: Path, clock: Clock) -> Iterator[Workspace]:
    """A store of two rows with a step on day 1: one drops from 50 to 45, one at 14 is deleted."""
    make(tmp_path / "memory.db", [row(1, 50, 36), row(2, 14, 36)], adaptations=())
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=clock)
    workspace.attach(tmp_path / "memory.db")
    yield workspace
    workspace.close()


def stored(workspace: Workspace) -> dict[str, int]:
    path = Path(workspace.path).parent / "memory.db"
    return dict(query(path, "SELECT key, confidence FROM memories ORDER BY key"))


def test_an_undone_run_for_a_future_date_leaves_no_mark(workspace: Workspace, clock: Clock) -> None:
    workspace.run_decay(now=START + 365 * DAY)
    assert stored(workspace) == {}
    workspace.undo()
    assert stored(workspace) == {"k-1": 50, "k-2": 14}
    clock.now = START + 2.5 * DAY
    assert [each.what for each in workspace.due()] == ["0.50 → 0.45", "deleted"]
    workspace.run_decay()
    assert stored(workspace) == {"k-1": 45}


def test_a_run_without_due_steps_leaves_no_mark(workspace: Workspace, clock: Clock) -> None:
    ids = [memory.id for memory in workspace.rows(workspace.search("").ids)]
    workspace.pin(ids)
    assert workspace.run_decay(now=START + 400 * DAY).change is None
    workspace.unpin(ids)
    clock.now = START + 2.5 * DAY
    workspace.run_decay()
    assert stored(workspace) == {"k-1": 45}


@pytest.mark.parametrize("verb", ["confirm", "pin", "dismiss"])
def test_a_change_of_the_user_during_a_run_comes_first(
    workspace: Workspace, clock: Clock, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    clock.now = START + 2.5 * DAY
    real_due_steps = due_steps

    def act_after_due_steps(*arguments: Any) -> Any:
        steps = real_due_steps(*arguments)
        other = Workspace.open(Path(workspace.path), clock=clock)
        getattr(other, verb)(list(other.search("").ids))
        after.update(stored(workspace))
        other.close()
        return steps

    after: dict[str, int] = {}
    monkeypatch.setattr(run, "due_steps", act_after_due_steps)
    result = workspace.run_decay()
    assert result.change is None
    assert {each.code for each in result.skipped} <= {"changed-since", "conflict"}
    assert stored(workspace) == after != {}


def test_a_store_of_an_unknown_format_does_not_decay(workspace: Workspace, clock: Clock) -> None:
    workspace._ctx.db.run("UPDATE stores SET format = 'of-tomorrow' WHERE id = 2")
    ids = workspace.search("label:active").ids
    assert [row.score for row in workspace.rows(ids)] == [0.5]
    assert workspace.search("label:fading").ids[:] == workspace.search("Fact 2").ids
    detail = workspace.detail(ids[0])
    assert detail is not None
    assert detail.forecast is not None
    assert (detail.forecast.lifecycle, detail.forecast.as_is.next_event) == ("none", None)
    assert workspace.due(now=START + 400 * DAY) == []
    memories: list[Memory] = [memory for memory, _ in workspace.forecasts(now=START)]
    assert len(memories) == 2


def test_heat_is_derived_from_uses_where_the_column_is_missing(tmp_path: Path, clock: Clock) -> None:
    path = base_coat.make(
        tmp_path / "old" / "memory.db",
        [{**base_coat.many(1)[0], "access_count": 12}],
        columns=base_coat.OLD_COLUMNS,
    )
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=clock)
    workspace.attach(path)
    assert len(workspace.search("heat:hot").ids) == 1
    assert not workspace.search("heat:cold").ids
    workspace.close()
