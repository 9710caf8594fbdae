"""Copying and moving many memories goes in parts: it can be stopped between two, and what was done is one
entry and one undo, from every format into others (S-7, S-8, S-50, S-82)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.results import TransferResult
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox, parts
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.empty_workspace import create_empty
from tests.support.sizes import sample_cases
from tests.support.stores.mcp_memory import entity, lines


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one memory each."""
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)


class Stores:
    """A store with four memories to transfer, and another one that takes them."""

    def __init__(self, stores: ContradictionStores, workspace: Workspace, source: str, target: str) -> None:
        self.stores, self.workspace = stores, workspace
        self.ids = list(stores.sample_ids(workspace, source))
        names = {each.format: each.name for each in workspace.stores()}
        self.target = names[target]

    def transfer(self, move: bool, control: JobControl) -> TransferResult:
        verb = self.workspace.move if move else self.workspace.copy
        return verb(self.ids, self.target, control)

    def everything(self) -> object:
        """The contents of the stores, and what the lists show; mem-skill's audit only grows."""
        found = self.stores.snapshot()
        for each in found.values():
            if isinstance(each, dict):
                each.pop("fact_history", None)
        shown = self.workspace.memories(sorted(self.workspace.search("", live=False).ids))
        return found, [(each.uid, each.store, each.content, each.title) for each in shown]

    def events(self) -> list[Any]:
        return [each for each in self.workspace.journal() if each.kind in ("copied", "moved")]


@contextmanager
def opened(folder: Path, source: str, target: str) -> Iterator[Stores]:
    stores = ContradictionStores(folder, (source, target)).create()
    with stores.opened() as workspace:
        yield Stores(stores, workspace, source, target)


def stopping_after(count: int) -> tuple[JobControl, list[tuple[int, int]]]:
    reports: list[tuple[int, int]] = []
    return (
        JobControl(
            stop=lambda: bool(reports) and reports[-1][0] >= count,
            report=lambda done, left: reports.append((done, left)),
        ),
        reports,
    )


LONG = ("cognitive", "base-coat-shared")  # has texts that are too long for the other
CASES = [(*pair, move) for pair in permutations(FORMATS, 2) if pair != LONG for move in (False, True)]


@pytest.mark.parametrize(("source", "target", "move"), sample_cases(CASES, 10))
def test_a_stopped_transfer_is_one_entry_with_what_was_done_and_one_undo_takes_it_back(
    tmp_path: Path, source: str, target: str, move: bool
) -> None:
    with opened(tmp_path, source, target) as both:
        workspace, before = both.workspace, both.everything()
        control, reports = stopping_after(2)
        result = both.transfer(move, control)
        assert reports == [(1, 3), (2, 2)]
        assert (len(result.change.ids), result.change.unreached, result.change.skipped) == (2, 2, ())
        assert len(result.previews) == 2
        assert len(set(result.originals)) == 2
        assert not set(result.originals) & set(result.change.ids)
        verb = "Moved" if move else "Copied"
        assert result.change.summary.startswith(f"{verb} 2 of 4 memories (stopped) to {both.target}")
        event = both.events()[0]
        assert event.summary == f"{verb} 4 memories to {both.target} (2 of 4 done)"
        assert (event.count, event.undoable) == (4, True)
        assert workspace.pull().total == 0
        undone = workspace.undo()
        assert undone.skipped == ()
        assert "(2 of 4 done)" in undone.summary
        assert both.everything() == before
        stopped = both.events()[0]
        assert (stopped.state, stopped.reason) == ("undone", ""), "why others were not reached is not why"
        workspace.redo()
        assert workspace.pull().total == 0
        workspace.undo()
        assert both.everything() == before


@pytest.mark.parametrize(("source", "target"), [("mcp-memory", "claude-code"), ("claude-code", "native")])
@pytest.mark.parametrize("move", [False, True])
def test_in_parts_or_at_once_the_result_is_the_same(
    tmp_path: Path, source: str, target: str, move: bool
) -> None:
    with opened(tmp_path, source, target) as both:
        before, (control, reports) = both.everything(), stopping_after(1_000)
        result = both.transfer(move, control)
        assert reports[-1] == (4, 0)
        assert (len(result.change.ids), result.change.unreached) == (4, 0)
        assert "stopped" not in result.change.summary
        left = both.stores.snapshot()
        both.workspace.undo()
        assert both.everything() == before
        (both.workspace.move if move else both.workspace.copy)(both.ids, both.target)
        assert both.stores.snapshot() == left


class Killed(BaseException):
    """Stands for the end of the process."""


KILLS = [
    (*pair, move, step, time)
    for pair in (("mcp-memory", "founder-os"), ("claude-code", "native"), ("native", "mcp-memory"))
    for move in (False, True)
    for step in ("before the foreign write", "after the foreign write", "after settling")
    for time in (1, 2, 3, 4)
]


@pytest.mark.parametrize(("source", "target", "move", "step", "time"), sample_cases(KILLS, 11))
def test_a_process_that_ends_in_between_loses_nothing_and_what_it_did_can_be_undone(
    tmp_path: Path, source: str, target: str, move: bool, step: str, time: int
) -> None:
    with opened(tmp_path, source, target) as both:
        workspace, ctx = both.workspace, both.workspace._ctx
        before, texts, steps = both.everything(), [m.content for m in workspace.memories(both.ids)], []

        def kill(name: str) -> None:
            steps.append(name)
            if steps.count(step) == time:
                raise Killed

        ctx.on_step = kill
        if target == "native" and not move:
            both.transfer(move, JobControl())  # nothing is written to a store
        else:
            with pytest.raises(Killed):
                both.transfer(move, JobControl())
        ctx.on_step = lambda name: None
        reconcile(ctx)
        assert workspace.pull().total == 0
        found = [each.content for each in workspace.memories(sorted(workspace.search("", live=False).ids))]
        for text in texts:
            assert any(text.strip() in each for each in found), "nothing is lost"
        event = both.events()[0]
        if event.undoable:
            workspace.undo(event.id)
        assert both.everything() == before


def test_an_error_in_a_later_part_ends_the_move_with_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_on, calls = outbox.carry_on, list[int]()

    def fail_late(*args: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise Refused("disk-full", "The disk is full.")
        carry_on(*args)

    monkeypatch.setattr(outbox, "carry_on", fail_late)
    with opened(tmp_path, "mcp-memory", "founder-os") as both:
        before = both.everything()
        change = both.transfer(True, JobControl()).change
        assert (len(change.ids), change.unreached) == (2, 1)
        assert [each.reason for each in change.skipped] == ["The disk is full."]
        both.workspace.undo()
        assert both.everything() == before


def test_a_memory_that_another_memtui_changes_between_two_parts_is_not_moved(tmp_path: Path) -> None:
    with opened(tmp_path, "claude-code", "mcp-memory") as both, both.stores.opened() as other:
        last = both.ids[3]

        def edit(done: int, left: int) -> None:
            if done == 1:
                other.edit([last], {"content": "Says something else."})

        change = both.transfer(True, JobControl(report=edit)).change
        assert (len(change.ids), len(change.skipped)) == (3, 1)
        (memory,) = both.workspace.memories([last])
        assert (memory.content, memory.ref is not None) == ("Says something else.", True)
        assert both.workspace.pull().total == 0


@pytest.mark.parametrize("move", [False, True])
@pytest.mark.parametrize("verb", ["lock", "detach"])
@pytest.mark.parametrize("closed", ["source", "target"])
def test_a_transfer_ends_at_a_store_that_another_memtui_locks_or_detaches(
    tmp_path: Path, move: bool, verb: str, closed: str
) -> None:
    with opened(tmp_path, "mcp-memory", "claude-code") as both, both.stores.opened() as other:
        name = {"source": "mcp-memory", "target": both.target}[closed]

        def close(done: int, left: int) -> None:
            if done == 1:
                other.lock_store(name, True) if verb == "lock" else other.detach(name)

        change = both.transfer(move, JobControl(report=close)).change
        may_be_read = (closed, verb, move) == ("source", "lock", False)
        assert len(change.ids) == (4 if may_be_read else 1)
        assert len(change.skipped) == 4 - len(change.ids)
        assert all(name in each.reason for each in change.skipped)


def test_equal_texts_of_one_entity_are_moved_and_put_back(tmp_path: Path) -> None:
    source, target = tmp_path / "memory.jsonl", tmp_path / "other.jsonl"
    source.write_text("\n".join(lines(entity("Ada", "tea", "ink", "tea", "tea"), entity("Bo", "tea"))))
    target.write_text("\n".join(lines(entity("Eve", "tea"))))
    before = source.read_bytes(), target.read_bytes()
    with closing(Workspace.open(create_empty(tmp_path / "w.db"))) as workspace:
        workspace.attach(source)
        workspace.attach(target)
        (name,) = [each.name for each in workspace.stores() if each.path == str(target)]
        ids = [row.id for row in workspace.rows(workspace.search("").ids) if row.store != name]
        for verb in (workspace.copy, workspace.move):
            change = verb(ids, name, JobControl()).change
            assert (len(change.ids), change.skipped) == (5, ())
            assert workspace.pull().total == 0
            assert workspace.undo().skipped == ()
            assert (source.read_bytes(), target.read_bytes()) == before


def test_what_was_not_reached_leaves_no_text_and_no_row(tmp_path: Path) -> None:
    with opened(tmp_path, "claude-code", "mcp-memory") as both:
        control, _ = stopping_after(1)
        both.transfer(False, control)
        db, entry = both.workspace._ctx.db, both.events()[0]
        later = db.rows(
            "SELECT i.memory_id, b.before, b.after FROM journal_items i JOIN bodies b ON b.item_id = i.id "
            "JOIN item_states s ON s.item_id = i.id WHERE i.journal_id = ? AND s.state = 'failed'",
            (entry.id,),
        )
        assert [(before, after) for _, before, after in later] == [("{}", "{}")] * 3
        assert both.workspace.rows([id for id, _, _ in later]) == []
        assert {each.label for each in both.workspace.journal_items(entry.id)[1:]} == {"(not added)"}
        added = both.workspace.add({"content": "Gets an id of its own."})
        assert not {*added.ids} & {id for id, _, _ in later}
