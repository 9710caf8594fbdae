"""Two changes of one memory are taken back in either order, and every byte and row is as before, times
of change, too (S-51)."""

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
def test_in_founder_os(
    demo_workspace: DemoWorkspace, workspace: Workspace, verbs: tuple[str, ...], order: tuple[int, ...]
) -> None:
    one = find_id(workspace, SAMPLE[FOUNDER])
    before = all_contents(demo_workspace.folder)
    lines = [VERBS[verb](workspace, one).journal_id for verb in verbs]
    assert all_contents(demo_workspace.folder) != before
    for place in order:
        workspace.undo(lines[place])
    assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_in_files_with_a_time_of_change(
    demo_workspace: DemoWorkspace, workspace: Workspace, order: tuple[int, ...]
) -> None:
    note = demo_workspace.store_paths[CLAUDE] / "dated.md"
    note.write_text(
        "---\nname: dated-note\ndescription: d\nmetadata:\n  node_type: memory\n  type: user\n"
        "  modified: 2025-01-01T00:00:00.000Z\n---\n\nAll tests run on the old runner.\n"
    )
    workspace.pull()
    before = all_contents(demo_workspace.folder)
    one = find_id(workspace, "old runner")
    lines = [
        workspace.edit([one], {"content": "All tests run on the new runner."}).journal_id,
        workspace.edit([one], {"category": "project"}).journal_id,
    ]
    for place in order:
        workspace.undo(lines[place])
    assert all_contents(demo_workspace.folder) == before
