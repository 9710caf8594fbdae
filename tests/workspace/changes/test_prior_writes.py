"""Undoing newer changes also removes the traces of older ones that were undone before them (S-51)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.stores import cognitive, minions


def files(root: Path) -> dict[str, bytes]:
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


@pytest.fixture
def tree(workspace: Workspace, tmp_path: Path) -> Path:
    """A tree in which both files and an edge relate a solution to its problem."""
    root = tmp_path / "tree"
    cognitive.make(root)
    workspace.attach(root)
    return root


def related_ids(workspace: Workspace) -> tuple[int, int]:
    ids = workspace.search("store:cognitive* kind:item").ids
    solution = next(id for id in ids if title(workspace, id).startswith("Fixed Redis"))
    return solution, next(id for id in ids if "drops" in title(workspace, id))


def title(workspace: Workspace, id: int) -> str:
    return workspace.memories([id])[0].title or ""


@pytest.mark.parametrize("verb", ["undo", "restore"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_ends_of_a_relation_are_dismissed_and_restored(
    workspace: Workspace, tree: Path, verb: str, order: tuple[int, int]
) -> None:
    before = files(tree)
    ids = related_ids(workspace)
    entry_ids = [workspace.dismiss([id]).journal_id for id in ids]
    for index in order:
        if verb == "undo":
            workspace.undo(entry_ids[index])
        else:
            workspace.restore([ids[index]])
    assert files(tree) == before


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_title_edit_and_a_dismissal_at_the_other_end_are_undone_in_any_order(
    workspace: Workspace, tree: Path, order: tuple[int, int]
) -> None:
    before = files(tree)
    solution, problem = related_ids(workspace)
    entry_ids = [
        workspace.edit([solution], {"title": "Changed title"}).journal_id,
        workspace.dismiss([problem]).journal_id,
    ]
    for index in order:
        workspace.undo(entry_ids[index])
    assert files(tree) == before


def test_an_undone_confirmation_leaves_no_count(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    id = next(
        id
        for id in workspace.search(f"store:{info.name} kind:item").ids
        if workspace.memories([id])[0].times_confirmed == 0
    )
    before_confirm = workspace.memories([id])[0]
    workspace.confirm([id])
    assert workspace.memories([id])[0].times_confirmed == 1
    workspace.undo()
    assert files(root) == before
    assert workspace.memories([id])[0] == before_confirm


def test_restoring_a_memory_deleted_by_an_agent_can_be_undone(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    dismissed = list(workspace.search(f"store:{info.name} status:dismissed", live=False).ids)
    assert dismissed
    workspace.restore(dismissed[:1])
    assert files(root) != before
    workspace.undo()
    assert files(root) == before


def test_edits_undone_in_any_order_leave_the_index_unchanged(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    for id in workspace.search(f"store:{info.name} kind:item").ids:
        for order in ((0, 1), (1, 0)):
            entry_ids = [
                workspace.edit([id], {"title": "Proposals of a short kind"}).journal_id,
                workspace.edit([id], {"content": "They prefer proposals that are short."}).journal_id,
            ]
            for index in order:
                workspace.undo(entry_ids[index])
            assert files(root) == before
