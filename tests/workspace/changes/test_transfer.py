"""Copying and moving memories between stores: previews, results, and undo (S-8, S-82)."""

from __future__ import annotations

from itertools import product

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, NATIVE, SAMPLE, DemoWorkspace, find_id, memory
from tests.support.sizes import shard
from tests.support.stores import rows_in


def foreign_contents(demo_workspace: DemoWorkspace) -> dict[str, object]:
    """Return the bytes and rows of the foreign stores."""
    claude = {file.name: file.read_bytes() for file in sorted(demo_workspace.store_paths[CLAUDE].glob("*"))}
    return {
        CLAUDE: claude,
        MCP: demo_workspace.store_paths[MCP].read_bytes(),
        FOUNDER: rows_in(demo_workspace.store_paths[FOUNDER]),
    }


@pytest.mark.parametrize(
    ("source", "target", "move"),
    [
        (source, target, move)
        for number, (source, target) in enumerate(product(SAMPLE, SAMPLE))
        for move in shard((False, True), number + number // len(SAMPLE), 2)
    ],
)
def test_transfers_between_all_stores_and_undo(
    demo_workspace: DemoWorkspace, workspace: Workspace, source: str, target: str, move: bool
) -> None:
    before = foreign_contents(demo_workspace)
    id = find_id(workspace, SAMPLE[source])
    original = memory(workspace, id)
    transfer = workspace.move if move else workspace.copy
    if source == target:
        with pytest.raises(Refused, match="Already in"):
            transfer([id], target)
        return
    previews = workspace.preview_transfer([id], target)
    result = transfer([id], target)
    (preview,) = result.previews
    copy = memory(workspace, result.change.ids[0])
    assert (copy.store, copy.uid, preview.uid) == (target, preview.copy_uid, original.uid)
    assert copy.content == original.content
    assert [each.kept for each in previews] == [preview.kept]
    for name in ("key", "subject", "title", "tags", "confidence", "importance", "source_ref", "expires_at"):
        same = getattr(copy, name) == getattr(original, name)
        assert same or name in preview.changed or name in preview.lost or not getattr(original, name), name
    other = find_id(workspace, f"store:{target} {SAMPLE[target]}")
    assert other
    ids_in_source = workspace.search(f"store:{source} {SAMPLE[source]}", live=False).ids
    assert (id in ids_in_source) is not move
    workspace.pull()
    assert memory(workspace, result.change.ids[0]) == copy
    workspace.undo()
    assert foreign_contents(demo_workspace) == before
    assert id in workspace.search(f"store:{source} {SAMPLE[source]}", live=False).ids
    assert result.change.ids[0] not in workspace.search("", live=False).ids
    workspace.redo()
    assert memory(workspace, result.change.ids[0]).content == original.content
    workspace.undo()
    assert foreign_contents(demo_workspace) == before


def test_fields_that_the_target_lacks_are_kept_in_memtui(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[FOUNDER])
    workspace.pin([id], "always")
    original = memory(workspace, id)
    (preview,) = workspace.copy([id], MCP).previews
    copy = memory(workspace, workspace.find(preview.copy_uid))
    assert {"key", "confidence", "pinned"} <= set(preview.kept)
    assert preview.changed["subject"][0] is None
    assert (copy.key, copy.confidence, copy.pinned, copy.pinned_why) == (
        *(original.key, original.confidence, True, "always"),
    )
    back = workspace.copy([workspace.find(preview.copy_uid)], NATIVE).previews[0]
    last = memory(workspace, workspace.find(back.copy_uid))
    assert (last.key, last.confidence, last.category, last.pinned) == (
        *(original.key, original.confidence, original.category, True),
    )


def test_a_category_that_the_target_lacks_is_reported(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    original = memory(workspace, id).category
    (preview,) = workspace.copy([id], CLAUDE).previews
    assert preview.changed["category"] == (original, "project")


def test_memories_that_cannot_be_copied_are_skipped_with_a_reason(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    dismissed, other = find_id(workspace, SAMPLE[MCP]), find_id(workspace, SAMPLE[NATIVE])
    workspace.dismiss([dismissed])
    before = foreign_contents(demo_workspace)
    with pytest.raises(Refused, match="restore it first"):
        workspace.copy([dismissed], FOUNDER)
    assert foreign_contents(demo_workspace) == before
    result = workspace.copy([dismissed, other], FOUNDER)
    assert [each.code for each in result.change.skipped] == ["blocked"]
    assert "Copied 1 of 2" in result.change.summary
    with pytest.raises(Refused, match="No store named"):
        workspace.copy([other], "elsewhere")


def test_a_move_to_a_locked_store_is_refused(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """The copy is refused and the original stays."""
    id = find_id(workspace, SAMPLE[MCP])
    demo_workspace.store_paths[FOUNDER].parent.chmod(0o500)
    workspace.lock_store(FOUNDER, True)
    before = foreign_contents(demo_workspace)
    with pytest.raises(Refused):
        workspace.move([id], FOUNDER)
    assert foreign_contents(demo_workspace) == before
    demo_workspace.store_paths[FOUNDER].parent.chmod(0o700)


def test_many_memories_are_moved_and_moved_back_together(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = foreign_contents(demo_workspace)
    with_content = [id for id in workspace.search(f"store:{MCP}").ids if memory(workspace, id).content]
    ids = [*workspace.search(f"store:{FOUNDER}").ids[:5], *with_content[:4]]
    result = workspace.move(ids, CLAUDE)
    assert len(result.change.ids) == len(ids) == 9
    assert not result.change.skipped
    workspace.undo()
    assert foreign_contents(demo_workspace) == before


def test_undo_of_a_move_is_refused_once_the_copy_changed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    result = workspace.move([id], FOUNDER)
    workspace.edit(result.change.ids, {"content": "Allergic to nuts, all of them."})
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(result.change.journal_id)
    assert memory(workspace, result.change.ids[0]).content == "Allergic to nuts, all of them."
