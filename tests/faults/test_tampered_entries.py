"""Tampered rows of the workspace's own tables lead to refusals, never to crashes (S-90)."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.journal import UNREADABLE
from tests.support.demo_workspace import CLAUDE, MCP, NATIVE, SAMPLE, DemoWorkspace, find_id, memory

GARBAGE = ["no JSON", "[1, 2]", "null"]


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("store", [NATIVE, CLAUDE])
def test_undo_of_a_damaged_entry_is_refused(demo_workspace: DemoWorkspace, store: str, garbage: str) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[store])
        change = workspace.edit([id], {"content": "A zebra was seen."})
        workspace._ctx.db.run("UPDATE bodies SET before = ?, after = ?", (garbage, garbage))
        with pytest.raises(Refused, match=r"^Not undone: its journal entry is damaged\."):
            workspace.undo(change.journal_id)
        assert memory(workspace, id).content == "A zebra was seen."
        assert change.journal_id is not None
        assert workspace.journal_items(change.journal_id)[0].after == {}
        assert {item.kind for item in workspace.agent_activity().items} == {UNREADABLE}
        assert workspace.detail(id) is not None


@pytest.mark.parametrize("garbage", [*GARBAGE, "{}"])
def test_undo_with_a_damaged_plan_is_refused(demo_workspace: DemoWorkspace, garbage: str) -> None:
    with demo_workspace.opened() as workspace:
        older = workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "A yak was seen."})
        id = find_id(workspace, SAMPLE[CLAUDE])
        newer = workspace.dismiss([id])
        workspace._ctx.db.run(
            "UPDATE outbox SET plan = ? WHERE item_id IN (SELECT id FROM journal_items WHERE journal_id = ?)",
            (garbage, newer.journal_id),
        )
        with pytest.raises(Refused, match="journal entry is damaged"):
            workspace.undo(newer.journal_id)
        with pytest.raises(Refused, match="journal entry is damaged"):
            workspace.restore([id])
        assert workspace.undo(older.journal_id).ids == older.ids


@pytest.mark.parametrize("plan", [*GARBAGE, "{}", '{"ref": 1}', None])
def test_an_open_entry_with_a_foreign_plan_is_closed_once(
    demo_workspace: DemoWorkspace, plan: str | None
) -> None:
    with demo_workspace.opened() as workspace:
        workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "A zebra was seen."})
        workspace._ctx.db.run(
            "UPDATE outbox SET state = 'intended', lease = 'nobody', plan = ? "
            "WHERE item_id = (SELECT max(item_id) FROM outbox)",
            (plan,),
        )
    with demo_workspace.opened() as workspace:
        (message,) = workspace.reconciled
        assert message.startswith(
            "Interrupted change not applied: Edited 1 memory in mcp-memory:assistant (memtui can't tell"
        )
        assert workspace.pull().errors == {}
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()


def test_a_damaged_item_of_an_open_entry_does_not_prevent_opening(
    demo_workspace: DemoWorkspace,
) -> None:
    of_entry = "item_id IN (SELECT id FROM journal_items WHERE journal_id = ?)"
    with demo_workspace.opened() as workspace:
        ids = [find_id(workspace, SAMPLE[MCP]), find_id(workspace, SAMPLE[CLAUDE])]
        entry_id = workspace.edit(ids, {"content": "A zebra was seen."}).journal_id
        workspace.undo(entry_id)
        db = workspace._ctx.db
        reopen = "UPDATE outbox SET state = 'intended', lease = 'nobody', plan = json_set(plan, '$.whole', 1)"
        db.run(f"{reopen} WHERE {of_entry}", (entry_id,))
        newest = f"SELECT max(item_id) FROM outbox WHERE {of_entry}"
        db.run(f"UPDATE outbox SET plan = 'no JSON' WHERE item_id = ({newest})", (entry_id,))
    with demo_workspace.opened() as workspace:
        assert all(
            message.startswith("Interrupted change not applied: Edited 2 memories")
            for message in workspace.reconciled
        )
        assert workspace.reconciled
        workspace.pin(ids)
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()
