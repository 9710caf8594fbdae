"""Up to when decay was run: what was taken back leaves no mark, and a person's word comes first (S-27)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.memory import Memory
from memtui.workspace.decay import run
from memtui.workspace.decay.forecast import due
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import empty
from tests.support.stores import base_coat
from tests.support.stores.databases import asked
from tests.support.stores.founder_os import make

DAY = 86_400.0
START = 1_790_000_000.0


class Clock:
    """Stands where it is put."""

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
def work(tmp_path: Path, clock: Clock) -> Iterator[Workspace]:
    """A store of two rows: one at 50 that owes a step on day 1, one at 14 that leaves then."""
    make(tmp_path / "memory.db", [row(1, 50, 36), row(2, 14, 36)], adaptations=())
    workspace = Workspace.open(empty(tmp_path / "w.db"), clock=clock)
    workspace.attach(tmp_path / "memory.db")
    yield workspace
    workspace.close()


def stored(work: Workspace) -> dict[str, int]:
    path = Path(work.path).parent / "memory.db"
    return dict(asked(path, "SELECT key, confidence FROM memories ORDER BY key"))


def test_a_run_of_the_future_that_was_taken_back_is_forgotten(work: Workspace, clock: Clock) -> None:
    work.run_decay(now=START + 365 * DAY)
    assert stored(work) == {}
    work.undo()
    assert stored(work) == {"k-1": 50, "k-2": 14}
    clock.now = START + 2.5 * DAY
    assert [each.what for each in work.due()] == ["0.50 → 0.45", "deleted"]
    work.run_decay()
    assert stored(work) == {"k-1": 45}


def test_looking_into_the_future_where_nothing_is_due_changes_nothing_later(
    work: Workspace, clock: Clock
) -> None:
    ids = [memory.id for memory in work.rows(work.search("").ids)]
    work.pin(ids)
    assert work.run_decay(now=START + 400 * DAY).change is None
    work.unpin(ids)
    clock.now = START + 2.5 * DAY
    work.run_decay()
    assert stored(work) == {"k-1": 45}


@pytest.mark.parametrize("word", ["confirm", "pin", "dismiss"])
def test_a_person_s_word_between_looking_and_writing_comes_first(
    work: Workspace, clock: Clock, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    clock.now = START + 2.5 * DAY
    looked = due

    def then_someone_acts(*asked: Any) -> Any:
        found = looked(*asked)
        other = Workspace.open(Path(work.path), clock=clock)
        getattr(other, word)(list(other.search("").ids))
        after.update(stored(work))
        other.close()
        return found

    after: dict[str, int] = {}
    monkeypatch.setattr(run, "due", then_someone_acts)
    ran = work.run_decay()
    assert ran.change is None
    assert {each.code for each in ran.skipped} <= {"changed-since", "conflict"}
    assert stored(work) == after != {}


def test_a_store_of_a_format_that_this_program_lacks_ages_not_at_all(work: Workspace, clock: Clock) -> None:
    work._ctx.db.run("UPDATE stores SET format = 'of-tomorrow' WHERE id = 2")
    ids = work.search("label:active").ids
    assert [row.score for row in work.rows(ids)] == [0.5]
    assert work.search("label:fading").ids[:] == work.search("Fact 2").ids
    detail = work.detail(ids[0])
    assert detail is not None
    assert detail.forecast is not None
    assert (detail.forecast.lifecycle, detail.forecast.as_is.next) == ("none", None)
    assert work.due(now=START + 400 * DAY) == []
    told: list[Memory] = [memory for memory, _ in work.forecasts(now=START)]
    assert len(told) == 2


def test_heat_is_told_by_uses_where_an_older_base_coat_lacks_it(tmp_path: Path, clock: Clock) -> None:
    path = base_coat.make(
        tmp_path / "old" / "memory.db",
        [{**base_coat.many(1)[0], "access_count": 12}],
        columns=base_coat.OLD_COLUMNS,
    )
    workspace = Workspace.open(empty(tmp_path / "w.db"), clock=clock)
    workspace.attach(path)
    assert len(workspace.search("heat:hot").ids) == 1
    assert not workspace.search("heat:cold").ids
    workspace.close()
