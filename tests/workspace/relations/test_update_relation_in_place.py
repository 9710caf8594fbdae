"""Updating a relation changes nothing else in its store, and undo restores the bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.relations import RelationSpec
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, workspace_rows
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores import minions
from tests.support.stores.cognitive import DROPS_AT, EDGE_AT, REDIS_AT
from tests.support.stores.files import read_tree
from tests.support.stores.minions import AT, item, minion, relative_path, uid

CONTEXT = "Keepalive prevents idle disconnections"
BODY = "The keepalive fix directly resolves the idle disconnection problem."


@pytest.mark.parametrize(
    ("spec", "reverse", "files"),
    [
        (RelationSpec("SOLVES", 0.3, CONTEXT, BODY), False, {REDIS_AT, DROPS_AT, EDGE_AT}),
        (RelationSpec("SOLVES", 0.8, "Another reason", BODY), False, {REDIS_AT, DROPS_AT}),
        (RelationSpec("SOLVES", 0.8, CONTEXT, "Another text."), False, {EDGE_AT}),
        (
            RelationSpec("CAUSES", 0.8, CONTEXT, BODY),
            False,
            {REDIS_AT, DROPS_AT, EDGE_AT, EDGE_AT.replace("SOLVES", "CAUSES")},
        ),
        (
            RelationSpec("SOLVES", 0.8, CONTEXT, BODY),
            True,
            {
                REDIS_AT,
                DROPS_AT,
                EDGE_AT,
                "graph/edges/redis-connection-drops--SOLVES--fixed-redis-77aa88.md",
            },
        ),
    ],
)
def test_only_the_affected_files_of_a_tree_change(
    tmp_path: Path, spec: RelationSpec, reverse: bool, files: set[str]
) -> None:
    stores = ContradictionStores(tmp_path, ("cognitive",)).create()
    root = stores.store_paths["cognitive"]
    with stores.opened() as workspace:
        _, redis, drops, _ = stores.sample_ids(workspace, "cognitive")
        before, rows_before = read_tree(root), workspace_rows(workspace)
        workspace.update_relation(redis, "SOLVES", drops, spec, reverse=reverse)
        after = read_tree(root)
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        assert changed - {"_index.json"} == files
        edge = next(data for name, data in after.items() if name.startswith("graph/edges/"))
        assert b"created: 2025-12-06T16:25:58+00:00" in edge
        workspace.undo()
        assert (read_tree(root), workspace_rows(workspace)) == (before, rows_before)
        workspace.redo()
        assert read_tree(root) == after
        workspace.undo()
        assert read_tree(root) == before


def test_the_right_one_of_two_contradictions_is_reversed_or_removed(tmp_path: Path) -> None:
    def contradiction(number: int, one: int, other: int) -> dict[str, object]:
        fields = {
            "memoryIdA": uid(one),
            "memoryIdB": uid(other),
            "detectedAt": AT,
            "resolution": "unresolved",
        }
        return minion(number, "contradiction", fields)

    objects = (
        item(1, "day", "Monday."),
        item(2, "other", "Friday."),
        contradiction(11, 1, 2),
        contradiction(12, 2, 1),
    )
    root = minions.make(tmp_path, *objects).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(root)
    one, other = (workspace.search(day).ids[0] for day in ("Monday", "Friday"))
    before = read_tree(root)
    for a, b, number in ((one, other, 11), (other, one, 12)):
        workspace.unrelate(a, "contradicts", b)
        after = read_tree(root)
        assert {name for name in after if after[name] != before.get(name)} == {relative_path(uid(number))}
        workspace.undo()
        assert read_tree(root) == before
        workspace.update_relation(
            a, "contradicts", b, RelationSpec("contradicts", context="the day"), reverse=True
        )
        after = read_tree(root)
        assert {name for name in after if after[name] != before.get(name)} == {relative_path(uid(number))}
        workspace.undo()
        assert read_tree(root) == before
    workspace.close()
