"""A verb on many memories reports its progress and can be stopped between two: what was done is one entry and
one undo, in every format (S-7, S-50, S-51)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox, parts
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.sample_store import SampleStore
from tests.support.sizes import sample_cases

VERBS: dict[str, Callable[[Workspace, list[int], JobControl], Change]] = {
    "pin": lambda work, ids, control: work.pin(ids, "", control),
    "confirm": lambda work, ids, control: work.confirm(ids, control),
    "dismiss": lambda work, ids, control: work.dismiss(ids, control),
    "forget": lambda work, ids, control: work.forget(ids, control),
    "retag": lambda work, ids, control: work.edit(ids, {}, retag=lambda tags: (*tags, "x"), control=control),
    "subject": lambda work, ids, control: work.edit(ids, {"note": "n", "content": "Other."}, control=control),
}


class Meter:
    """A control that stops once a number of memories is done, and remembers the progress."""

    def __init__(self, stop_at: int = 1_000) -> None:
        self.reports: list[tuple[int, int]] = []
        self.stop_at = stop_at
        self.control = JobControl(
            stop=self._stop, report=lambda done, left: self.reports.append((done, left))
        )

    def _stop(self) -> bool:
        return bool(self.reports) and self.reports[-1][0] >= self.stop_at


class Store(SampleStore):
    """A sample store, with the journal of what the user did."""

    def entries(self) -> list[tuple[str, str]]:
        return [
            (each.kind, each.summary)
            for each in self.workspace.journal()
            if each.kind != "attached" and each.actor == "person"
        ]


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one memory each."""
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    closing = []

    def open(format: str) -> Store:
        stores = ContradictionStores(tmp_path / format, (format,)).create()
        context = stores.opened()
        workspace = context.__enter__()
        closing.append(context)
        return Store(stores, workspace, format)

    yield open
    for context in closing:
        context.__exit__(None, None, None)


CASES = [(format, verb) for format in FORMATS for verb in VERBS]


@pytest.mark.parametrize(("format", "verb"), sample_cases(CASES, 11))
def test_a_stopped_verb_is_one_entry_with_what_was_done_and_one_undo_takes_it_back(
    opened: Callable[[str], Store], format: str, verb: str
) -> None:
    store = opened(format)
    before, meter, earlier = store.everything(), Meter(stop_at=2), len(store.entries())
    change = VERBS[verb](store.workspace, list(store.ids), meter.control)
    assert meter.reports == [(1, 3), (2, 2)]
    assert (len(change.ids), change.unreached, change.skipped) == (2, 2, ())
    assert "2 of 4 memories (stopped)" in change.summary
    assert len(store.entries()) == earlier + 1
    assert "2 of 4" in store.entries()[0][1]
    assert store.workspace.pull().total == 0
    undone = store.workspace.undo()
    assert (set(undone.ids), undone.skipped) == (set(change.ids), ())
    assert store.everything() == before
    store.workspace.redo()
    store.workspace.undo()
    assert store.everything() == before


@pytest.mark.parametrize("format", ["mcp-memory", "claude-code"])
def test_in_parts_or_at_once_the_result_is_the_same(opened: Callable[[str], Store], format: str) -> None:
    parted, meter = opened(format), Meter()
    before = parted.everything()
    change = parted.workspace.forget(parted.ids, meter.control)
    assert meter.reports[-1] == (4, 0)
    assert (len(change.ids), change.unreached) == (4, 0)
    assert "stopped" not in change.summary
    left = parted.stores.snapshot()
    parted.workspace.undo()
    assert parted.everything() == before
    parted.workspace.forget(parted.ids)
    assert parted.stores.snapshot() == left


def test_an_error_after_the_first_part_leaves_what_was_done_and_it_can_be_undone(
    opened: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened("mcp-memory")
    before, carry_on = store.everything(), outbox.carry_on

    def fail_late(*args: object) -> None:
        if len(reached) == 1:
            raise Refused("disk-full", "The disk is full.")
        reached.append(1)
        carry_on(*args)  # type: ignore[arg-type]

    reached: list[int] = []
    monkeypatch.setattr(outbox, "carry_on", fail_late)
    change = store.workspace.dismiss(store.ids, Meter().control)
    assert (len(change.ids), change.unreached) == (2, 1)
    assert [each.reason for each in change.skipped] == ["The disk is full."]
    store.workspace.undo()
    assert store.everything() == before


def test_parts_grow_while_they_are_fast(
    opened: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "GOAL", 1_000.0)
    store, meter = opened("native"), Meter()
    store.workspace.pin(store.ids, "", meter.control)
    assert meter.reports == [(1, 3), (3, 1), (4, 0)]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("format", ["mcp-memory", "founder-os"])
@pytest.mark.parametrize("step", ["before the foreign write", "after the foreign write"])
def test_a_process_that_ends_in_the_second_part_leaves_an_entry_that_can_be_undone(
    opened: Callable[[str], Store], tmp_path: Path, format: str, step: str
) -> None:
    store = opened(format)
    ctx = store.workspace._ctx
    before, steps = store.everything(), []

    def kill(name: str) -> None:
        steps.append(name)
        if steps.count(step) == 2:
            raise Killed

    ctx.on_step = kill
    with pytest.raises(Killed):
        store.workspace.dismiss(store.ids, Meter().control)
    ctx.on_step = lambda name: None
    written = 1 if step.startswith("before") else 2
    (report,) = reconcile(ctx)
    assert f"({written} of 4 done)" in report
    assert "nothing was changed" not in report
    assert store.workspace.pin([store.ids[3]]).ids == (store.ids[3],)
    store.workspace.undo()
    entry = next(each for each in store.workspace.journal() if each.kind == "dismissed")
    assert f"({written} of 4 done)" in entry.summary
    assert len(store.workspace.undo(entry.id).ids) == written
    assert store.everything() == before


def test_a_verb_that_is_stopped_before_it_began_changes_nothing(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions",)).create()
    with stores.opened() as workspace:
        store = Store(stores, workspace, "minions")
        before, control = store.everything(), JobControl(stop=lambda: True, report=lambda done, left: None)
        with pytest.raises(Refused) as refused:
            workspace.forget(store.ids, control)
        assert refused.value.code == "stopped"
        assert store.everything() == before
        assert store.entries() == []


OVERLAPPING = [("forget", "dismiss"), ("pin", "forget"), ("dismiss", "forget")]


@pytest.mark.parametrize(("first", "second"), OVERLAPPING)
@pytest.mark.parametrize("format", sample_cases(FORMATS, 3))
def test_two_memtuis_on_the_same_memories_are_undone_by_plain_undo(
    tmp_path: Path, format: str, first: str, second: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as one, stores.opened() as other:
        store, begun = SampleStore(stores, one, format), list[Change]()
        ids = list(store.ids)
        before = _without_counters(stores.snapshot()), one.memories(ids)

        def between(_done: int, _left: int) -> None:
            if not begun:
                begun.append(VERBS[second](other, ids[1:], JobControl()))

        change = VERBS[first](one, ids[:3], JobControl(report=between))
        assert [change.journal_id, begun[0].journal_id] == [e.id for e in one.journal()[1::-1]]
        refused = 0
        while refused < 3 and any(
            e.undoable and e.kind in (change.kind, begun[0].kind) for e in one.journal()
        ):
            try:
                one.undo()
            except Refused:
                refused += 1
        assert (_without_counters(stores.snapshot()), one.memories(ids)) == before


def _without_counters(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stores hold, without how many ids a database has given: of changes that alternate, each
    undo leaves the ids that the others took."""
    return {
        name: {table: rows for table, rows in held.items() if table != "sqlite_sequence"}
        if isinstance(held, Mapping)
        else held
        for name, held in snapshot.items()
    }
