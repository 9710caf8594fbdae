"""A person changes a relation: only that changes in its store, and undo gives its bytes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.relations import RelationSpec
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStore, known
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import empty
from tests.support.stores import minions
from tests.support.stores.cognitive import DROPS_AT, EDGE_AT, REDIS_AT
from tests.support.stores.files import tree
from tests.support.stores.minions import AT, item, minion, place, uid

WORDS = "Keepalive prevents idle disconnections"
TEXT = "The keepalive fix directly resolves the idle disconnection problem."


@pytest.mark.parametrize(
    ("to", "reverse", "files"),
    [
        (RelationSpec("SOLVES", 0.3, WORDS, TEXT), False, {REDIS_AT, DROPS_AT, EDGE_AT}),
        (RelationSpec("SOLVES", 0.8, "Another reason", TEXT), False, {REDIS_AT, DROPS_AT}),
        (RelationSpec("SOLVES", 0.8, WORDS, "Another text."), False, {EDGE_AT}),
        (
            RelationSpec("CAUSES", 0.8, WORDS, TEXT),
            False,
            {REDIS_AT, DROPS_AT, EDGE_AT, EDGE_AT.replace("SOLVES", "CAUSES")},
        ),
        (
            RelationSpec("SOLVES", 0.8, WORDS, TEXT),
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
def test_in_a_tree_only_what_is_asked_changes(
    tmp_path: Path, to: RelationSpec, reverse: bool, files: set[str]
) -> None:
    disputed = ContradictionStore(tmp_path, ("cognitive",)).begin()
    root = disputed.places["cognitive"]
    with disputed.opened() as workspace:
        _, redis, drops, _ = disputed.four(workspace, "cognitive")
        before, knew = tree(root), known(workspace)
        workspace.retie(redis, "SOLVES", drops, to, reverse=reverse)
        after = tree(root)
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        assert changed - {"_index.json"} == files
        edge = next(data for name, data in after.items() if name.startswith("graph/edges/"))
        assert b"created: 2025-12-06T16:25:58+00:00" in edge
        workspace.undo()
        assert (tree(root), known(workspace)) == (before, knew)
        workspace.redo()
        assert tree(root) == after
        workspace.undo()
        assert tree(root) == before


def test_of_two_contradictions_the_one_meant_is_turned_or_taken_away(tmp_path: Path) -> None:
    def against(number: int, one: int, other: int) -> dict[str, object]:
        fields = {
            "memoryIdA": uid(one),
            "memoryIdB": uid(other),
            "detectedAt": AT,
            "resolution": "unresolved",
        }
        return minion(number, "contradiction", fields)

    told = item(1, "day", "Monday."), item(2, "other", "Friday."), against(11, 1, 2), against(12, 2, 1)
    root = minions.make(tmp_path, *told).root
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(root)
    one, other = (workspace.search(day).ids[0] for day in ("Monday", "Friday"))
    before = tree(root)
    for a, b, number in ((one, other, 11), (other, one, 12)):
        workspace.unrelate(a, "contradicts", b)
        after = tree(root)
        assert {name for name in after if after[name] != before.get(name)} == {place(uid(number))}
        workspace.undo()
        assert tree(root) == before
        workspace.retie(a, "contradicts", b, RelationSpec("contradicts", context="the day"), reverse=True)
        after = tree(root)
        assert {name for name in after if after[name] != before.get(name)} == {place(uid(number))}
        workspace.undo()
        assert tree(root) == before
    workspace.close()
