"""Copying and moving memories between stores, what is told of it, and undo (S-8, S-82)."""

from __future__ import annotations

from itertools import product

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, NATIVE, SAMPLE, DemoWorkspace, find_id, memory
from tests.support.sizes import shard
from tests.support.stores import rows_in


def everything(demo_workspace: DemoWorkspace) -> dict[str, object]:
    """All bytes and rows of the foreign stores."""
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
def test_from_every_store_to_every_other_and_back(
    demo_workspace: DemoWorkspace, workspace: Workspace, source: str, target: str, move: bool
) -> None:
    before = everything(demo_workspace)
    one = find_id(workspace, SAMPLE[source])
    was = memory(workspace, one)
    act = workspace.move if move else workspace.copy
    if source == target:
        with pytest.raises(Refused, match="already"):
            act([one], target)
        return
    foretold = workspace.preview_transfer([one], target)
    done = act([one], target)
    (told,) = done.previews
    copy = memory(workspace, done.change.ids[0])
    assert (copy.store, copy.uid, told.uid) == (target, told.copy_uid, was.uid)
    assert copy.content == was.content
    assert [each.kept for each in foretold] == [told.kept]
    for name in ("key", "subject", "title", "tags", "confidence", "importance", "source_ref", "expires_at"):
        same = getattr(copy, name) == getattr(was, name)
        assert same or name in told.changed or name in told.lost or not getattr(was, name), name
    stays = find_id(workspace, f"store:{target} {SAMPLE[target]}")
    assert stays
    there = workspace.search(f"store:{source} {SAMPLE[source]}", live=False).ids
    assert (one in there) is not move
    workspace.pull()
    assert memory(workspace, done.change.ids[0]) == copy
    workspace.undo()
    assert everything(demo_workspace) == before
    assert one in workspace.search(f"store:{source} {SAMPLE[source]}", live=False).ids
    assert done.change.ids[0] not in workspace.search("", live=False).ids
    workspace.redo()
    assert memory(workspace, done.change.ids[0]).content == was.content
    workspace.undo()
    assert everything(demo_workspace) == before


def test_what_the_target_lacks_is_kept_and_told(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[FOUNDER])
    workspace.pin([one], "always")
    was = memory(workspace, one)
    (told,) = workspace.copy([one], MCP).previews
    copy = memory(workspace, workspace.find(told.copy_uid))
    assert {"key", "confidence", "pinned"} <= set(told.kept)
    assert told.changed["subject"][0] is None
    assert (copy.key, copy.confidence, copy.pinned, copy.pinned_why) == (
        *(was.key, was.confidence, True, "always"),
    )
    back = workspace.copy([workspace.find(told.copy_uid)], NATIVE).previews[0]
    last = memory(workspace, workspace.find(back.copy_uid))
    assert (last.key, last.confidence, last.category, last.pinned) == (
        *(was.key, was.confidence, was.category, True),
    )


def test_a_category_that_the_target_lacks_is_told(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[MCP])
    was = memory(workspace, one).category
    (told,) = workspace.copy([one], CLAUDE).previews
    assert told.changed["category"] == (was, "project")


def test_what_cannot_be_carried_says_why_and_the_rest_goes(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    gone, stays = find_id(workspace, SAMPLE[MCP]), find_id(workspace, SAMPLE[NATIVE])
    workspace.dismiss([gone])
    before = everything(demo_workspace)
    with pytest.raises(Refused, match="restore it first"):
        workspace.copy([gone], FOUNDER)
    assert everything(demo_workspace) == before
    done = workspace.copy([gone, stays], FOUNDER)
    assert [each.code for each in done.change.skipped] == ["blocked"]
    assert "Copied 1 of 2" in done.change.summary
    with pytest.raises(Refused, match="No store named"):
        workspace.copy([stays], "elsewhere")


def test_nothing_leaves_its_store_unless_it_stands_in_the_other(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """An agent takes the key while the move is on its way: the copy is refused, the original stays."""
    one = find_id(workspace, SAMPLE[MCP])
    demo_workspace.store_paths[FOUNDER].parent.chmod(0o500)
    workspace.lock_store(FOUNDER, True)
    before = everything(demo_workspace)
    with pytest.raises(Refused):
        workspace.move([one], FOUNDER)
    assert everything(demo_workspace) == before
    demo_workspace.store_paths[FOUNDER].parent.chmod(0o700)


def test_many_are_moved_as_one_and_come_back_as_one(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = everything(demo_workspace)
    said = [id for id in workspace.search(f"store:{MCP}").ids if memory(workspace, id).content]
    ids = [*workspace.search(f"store:{FOUNDER}").ids[:5], *said[:4]]
    done = workspace.move(ids, CLAUDE)
    assert len(done.change.ids) == len(ids) == 9
    assert not done.change.skipped
    workspace.undo()
    assert everything(demo_workspace) == before


def test_a_copy_that_was_changed_since_stays_and_so_does_the_original_place(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one = find_id(workspace, SAMPLE[MCP])
    done = workspace.move([one], FOUNDER)
    workspace.edit(done.change.ids, {"content": "Allergic to nuts, all of them."})
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(done.change.journal_id)
    assert memory(workspace, done.change.ids[0]).content == "Allergic to nuts, all of them."
