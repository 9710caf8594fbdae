"""Changes of one memory are undone in any order and restore every byte and row, timestamps too (S-51)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import pytest

from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, SAMPLE, DemoWorkspace, all_contents, find_id
from tests.support.sizes import sample_cases

Verb = Callable[[Workspace, int], Change]
VERBS: dict[str, Verb] = {
    "confirm": lambda workspace, id: workspace.confirm([id]),
    "edit": lambda workspace, id: workspace.edit([id], {"content": "Another text altogether."}),
    "category": lambda workspace, id: workspace.edit([id], {"category": "contact"}),
    "tags": lambda workspace, id: workspace.edit([id], {"tags": ["a", "b"]}),
}


@pytest.mark.parametrize(
    ("verbs", "order"), sample_cases(product(permutations(VERBS, 3), permutations(range(3))), 8)
)
def test_changes_of_a_founder_os_row_are_undone_in_any_order(
    demo_workspace: DemoWorkspace, workspace: Workspace, verbs: tuple[str, ...], order: tuple[int, ...]
) -> None:
    id = find_id(workspace, SAMPLE[FOUNDER])
    before = all_contents(demo_workspace.folder)
    entry_ids = [VERBS[verb](workspace, id).journal_id for verb in verbs]
    assert all_contents(demo_workspace.folder) != before
    for index in order:
        workspace.undo(entry_ids[index])
    assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_changes_of_a_file_with_a_timestamp_are_undone_in_any_order(
    demo_workspace: DemoWorkspace, workspace: Workspace, order: tuple[int, ...]
) -> None:
    note = demo_workspace.store_paths[CLAUDE] / "dated.md"
    note.write_text(
        "---\nname: dated-note\ndescription: d\nmetadata:\n  node_type: memory\n  type: user\n"
        "  modified: 2025-01-01T00:00:00.000Z\n---\n\nAll tests run on the old runner.\n"
    )
    workspace.pull()
    before = all_contents(demo_workspace.folder)
    id = find_id(workspace, "old runner")
    entry_ids = [
        workspace.edit([id], {"content": "All tests run on the new runner."}).journal_id,
        workspace.edit([id], {"category": "project"}).journal_id,
    ]
    for index in order:
        workspace.undo(entry_ids[index])
    assert all_contents(demo_workspace.folder) == before
