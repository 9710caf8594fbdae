"""What older changes, taken back since, left in newer ones is gone when those are taken back, too (S-51)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.stores import cognitive, minions


def files(root: Path) -> dict[str, bytes]:
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


@pytest.fixture
def tree(workspace: Workspace, tmp_path: Path) -> Path:
    """A tree with a solution that solves a problem, told by both files and an edge."""
    root = tmp_path / "tree"
    cognitive.make(root)
    workspace.attach(root)
    return root


def ends(workspace: Workspace) -> tuple[int, int]:
    ids = workspace.search("store:cognitive* kind:item").ids
    one = next(id for id in ids if title(workspace, id).startswith("Fixed Redis"))
    return one, next(id for id in ids if "drops" in title(workspace, id))


def title(workspace: Workspace, id: int) -> str:
    return workspace.memories([id])[0].title or ""


@pytest.mark.parametrize("how", ["undo", "restore"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_ends_of_a_relation_are_dismissed_and_come_back(
    workspace: Workspace, tree: Path, how: str, order: tuple[int, int]
) -> None:
    before = files(tree)
    both = ends(workspace)
    lines = [workspace.dismiss([id]).journal_id for id in both]
    for place in order:
        if how == "undo":
            workspace.undo(lines[place])
        else:
            workspace.restore([both[place]])
    assert files(tree) == before


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_title_and_then_a_dismissal_at_the_other_end(
    workspace: Workspace, tree: Path, order: tuple[int, int]
) -> None:
    before = files(tree)
    one, two = ends(workspace)
    lines = [
        workspace.edit([one], {"title": "Changed title"}).journal_id,
        workspace.dismiss([two]).journal_id,
    ]
    for place in order:
        workspace.undo(lines[place])
    assert files(tree) == before


def test_a_confirmation_that_is_taken_back_leaves_no_count(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    one = next(
        id
        for id in workspace.search(f"store:{info.name} kind:item").ids
        if workspace.memories([id])[0].times_confirmed == 0
    )
    was = workspace.memories([one])[0]
    workspace.confirm([one])
    assert workspace.memories([one])[0].times_confirmed == 1
    workspace.undo()
    assert files(root) == before
    assert workspace.memories([one])[0] == was


def test_a_restore_of_what_an_agent_deleted_is_taken_back(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    gone = list(workspace.search(f"store:{info.name} status:dismissed", live=False).ids)
    assert gone
    workspace.restore(gone[:1])
    assert files(root) != before
    workspace.undo()
    assert files(root) == before


def test_two_edits_of_words_leave_the_index_as_it_was(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / ".minions"
    minions.make(tmp_path)
    (info,) = workspace.attach(root)
    before = files(root)
    for one in workspace.search(f"store:{info.name} kind:item").ids:
        for order in ((0, 1), (1, 0)):
            lines = [
                workspace.edit([one], {"title": "Proposals of a short kind"}).journal_id,
                workspace.edit([one], {"content": "They prefer proposals that are short."}).journal_id,
            ]
            for place in order:
                workspace.undo(lines[place])
            assert files(root) == before
