"""What counts as removed: not what undo withdrew, nor what is back; and since when (S-31, S-51, S-106)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.demo_workspace import NATIVE, refusal
from tests.support.sizes import sample_cases
from tests.support.stores import mcp_memory
from tests.workspace.changes.test_split import PARTS, filled

IN_FILES = ("base-coat-shared", "claude-code", "cognitive", "mcp-memory")  # with the same ref when put back


def removed(workspace: Workspace) -> list[int]:
    """Return what is listed as removed; the counts of the quick view and of the statistics agree."""
    ids = list(workspace.search("is:removed", live=False).ids)
    assert workspace.match_counts(["is:removed"]) == [len(ids)]
    assert workspace.stats()["removed"] == len(ids)
    return ids


@pytest.mark.parametrize("format", sample_cases(("minions", "claude-code", "mcp-memory", NATIVE), 3))
def test_what_undo_withdrew_is_not_removed_and_redo_brings_it_back(tmp_path: Path, format: str) -> None:
    workspace, ids, _ = filled(tmp_path, format)
    with closing(workspace):
        fields = {"content": "The office opens at nine.", "subject": "clients:Office", "title": "Office"}
        (added,) = workspace.add(fields, format).ids
        change = workspace.split(ids[1], PARTS)
        for _ in range(2):
            workspace.undo()
            assert removed(workspace) == []
            workspace.undo()
            assert removed(workspace) == []
            assert workspace.memories([added])[0].content == "The office opens at nine."
            workspace.redo()
            workspace.redo()
            assert set(workspace.search("", live=False).ids) >= {added, *change.ids}
        workspace.forget([added, change.ids[2]])
        assert set(removed(workspace)) == {added, change.ids[2]}
        workspace.undo()
        assert removed(workspace) == []


@pytest.mark.parametrize("format", sample_cases(FORMATS, 3))
def test_a_withdrawn_memory_that_is_restored_can_be_removed(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        fields = {"content": "The office opens at nine.", "subject": "clients:Office", "title": "Office"}
        ids = list(workspace.add(fields, format).ids)
        workspace.undo()
        workspace.restore(ids)
        assert ids[0] in workspace.search("", live=False).ids
        workspace.forget(ids)
        assert removed(workspace) == ids
        workspace.undo()
        workspace.undo()
        assert removed(workspace) == []


@pytest.mark.parametrize("format", sample_cases(FORMATS, 3))
def test_undo_and_redo_date_a_removal_as_it_was(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        id = stores.sample_ids(workspace, format)[1]
        workspace.forget([id])
        at = workspace.journal()[0].at
        steps: tuple[Callable[[], object], ...] = (
            lambda: workspace.restore([id]),
            workspace.undo,
            workspace.undo,
            workspace.redo,
        )
        for step, expected in zip(steps, (None, at, None, at), strict=True):
            step()
            detail = workspace.detail(id)
            assert detail is not None
            assert detail.removed_at == expected
            assert removed(workspace) == ([id] if expected else [])


def test_what_an_agent_removed_keeps_its_time(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("mcp-memory",)).create()
    with stores.opened() as workspace:
        ids, path = stores.sample_ids(workspace, "mcp-memory"), stores.store_paths["mcp-memory"]
        path.write_bytes(b"".join(x for x in path.read_bytes().splitlines(True) if b"Outsider" not in x))
        workspace.pull()
        before = workspace.detail(ids[3])
        stores.clock.now += 100
        workspace.restore([ids[3]])
        stores.clock.now += 100
        workspace.undo()
        after = workspace.detail(ids[3])
        assert before is not None
        assert after is not None
        assert (after.removed_at, removed(workspace)) == (before.removed_at, [ids[3]])


def test_the_line_of_an_entity_that_gave_way_to_an_observation_is_not_removed(tmp_path: Path) -> None:
    store = mcp_memory.make(
        tmp_path / "memory.jsonl", mcp_memory.lines(mcp_memory.entity("E", "one"))[0].encode()
    )
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(store.root, name="m")
        (id,) = workspace.search("").ids
        workspace.forget([id])
        (bare,) = workspace.search("").ids
        workspace.pin([bare], "needed")
        workspace.forget([bare])
        assert removed(workspace) == [bare, id]
        for left in ([id], [id], []):
            workspace.undo()
            assert removed(workspace) == left
        assert list(workspace.search("").ids) == [id]
        for left in ([id], [id], [bare, id]):
            workspace.redo()
            assert removed(workspace) == left


def test_an_observation_that_is_undone_after_another_came_back_is_not_removed(tmp_path: Path) -> None:
    store = mcp_memory.make(
        tmp_path / "memory.jsonl", mcp_memory.lines(mcp_memory.entity("E", "one"))[0].encode()
    )
    before = store.root.read_bytes()
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(store.root, name="m")
        forgotten = workspace.forget(list(workspace.search("").ids)).journal_id
        edited = workspace.edit(list(workspace.search("").ids), {"content": "two"}).journal_id
        workspace.undo(forgotten)
        workspace.undo(edited)
        assert store.root.read_bytes() == before
        assert workspace.pull().total == 0
        assert removed(workspace) == []


@pytest.mark.parametrize("format", sample_cases(IN_FILES, 2))
def test_what_was_forgotten_and_is_there_again_is_the_same_memory(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        id, root = stores.sample_ids(workspace, format)[1], stores.store_paths[format]
        files = {path: path.read_bytes() for path in (root, *root.rglob("*")) if path.is_file()}
        workspace.forget([id])
        for path, data in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        workspace.pull()
        assert removed(workspace) == []
        assert id in workspace.search("", live=False).ids
        assert "it is already back in its store." in refusal(workspace.undo).message
        workspace.forget([id])
        assert removed(workspace) == [id]
        workspace.undo()
        assert removed(workspace) == []
        assert {path: path.read_bytes() for path in files} == files
