"""Agent activity: what agents changed since the user last looked, and undo of each change (S-51, S-53)."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from memtui.memory.relations import RelationSpec
from memtui.workspace.journal import agent_activity
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    all_contents,
    assert_in_sync,
    contents,
    find_id,
    memory,
    refusal,
)
from tests.workspace.sync.test_pull import NEW, change_every_store


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.mark_seen()


def news(workspace: Workspace) -> set[tuple[str, str, str]]:
    return {(item.store, item.kind, item.label) for item in workspace.agent_activity().items}


def test_activity_lists_the_changes_of_each_store(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    assert workspace.agent_activity().items == []
    change_every_store(demo_workspace)
    workspace.pull()
    assert news(workspace) == {
        (FOUNDER, "added", "A zebra in the database."),
        (FOUNDER, "changed", "Tomas left."),
        (FOUNDER, "removed", "Parcels are picked up at the Dock Street warehouse."),
        (CLAUDE, "added", "Zebra"),
        (CLAUDE, "changed", "Ana, founder"),
        (CLAUDE, "removed", "Dashboards"),
        (MCP, "added", "Bo Janssen: Saw a zebra"),
        (MCP, "removed", "Larkfield: Has eleven employees"),
    }
    (changed,) = [item for item in workspace.agent_activity().items if item.label == "Tomas left."]
    assert changed.after["content"] == "Tomas left."
    assert changed.before["content"].startswith("Tomas leads hiring")


def test_a_removal_is_listed_though_an_edit_takes_over_its_ref(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """An observation is identified by its text: another one that gets the same text takes over its ref."""
    removed_id, other = find_id(workspace, "Larkfield eleven"), find_id(workspace, "Larkfield nine countries")
    text = memory(workspace, removed_id).content
    agent_replaces(demo_workspace.store_paths[MCP], f',"{text}"', "")
    edit = workspace.edit([other], {"content": text})
    assert news(workspace) == {(MCP, "removed", f"Larkfield: {text}")}
    assert workspace.pull().total == 0
    workspace.undo(edit.journal_id)
    workspace.restore([removed_id])
    assert [memory(workspace, id).content for id in (removed_id, other)] == [text, "Ships to nine countries"]
    assert news(workspace) == set()
    assert_in_sync(workspace)


@pytest.mark.parametrize("reworded", ["", "Has eleven employees and a dog"])
def test_changes_of_an_entity_are_listed_though_an_undo_reads_them_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, reworded: str
) -> None:
    """Undo reverts the entity's type though one of its observations was removed or reworded."""
    removed_id, other = find_id(workspace, "Larkfield eleven"), find_id(workspace, "Larkfield nine countries")
    text = memory(workspace, removed_id).content
    workspace.pin([removed_id])
    edit = workspace.edit([removed_id, other], {"category": "firm"})
    agent_replaces(demo_workspace.store_paths[MCP], f',"{text}"', f',"{reworded}"' if reworded else "")
    workspace.undo(edit.journal_id)
    assert news(workspace) == {(MCP, "changed" if reworded else "removed", f"Larkfield: {reworded or text}")}
    assert workspace.pull().total == 0
    detail = workspace.detail(removed_id)
    assert detail is not None
    assert (detail.removed_at is None) == bool(reworded)
    assert memory(workspace, removed_id).pinned
    assert_in_sync(workspace)


def test_a_damaged_change_does_not_hide_others(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    change_every_store(demo_workspace)
    workspace.pull()
    (entry_id,) = {item.entry_id for item in workspace.agent_activity().items if item.label == "Tomas left."}
    db = apsw.Connection(str(workspace.path))
    damaged = "UPDATE bodies SET after = '[1' WHERE item_id IN (SELECT id FROM journal_items WHERE uid = ?)"
    (uid,) = (item.uid for item in workspace.agent_activity().items if item.label == "Tomas left.")
    db.execute(damaged, (uid,))
    db.close()
    assert (FOUNDER, "unreadable", "Tomas left.") in news(workspace)
    assert len(news(workspace)) == 8
    assert "Could not read" in " ".join(item.reason for item in workspace.journal_items(entry_id))
    detail = workspace.detail(workspace.find(uid))
    assert detail is not None
    assert detail.history[0].after == {}


def test_successive_changes_are_merged(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    for text in ("one", "two", "three"):
        agent_executes(
            demo_workspace.store_paths[FOUNDER],
            "UPDATE memories SET content = ? WHERE key = 'tomas-lead'",
            text,
        )
        workspace.pull()
    (item,) = workspace.agent_activity().items
    assert (item.kind, item.before["content"][:5], item.after["content"]) == ("changed", "Tomas", "three")


def test_a_change_and_its_reversal_cancel_out(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    path = demo_workspace.store_paths[MCP]
    before = path.read_bytes()
    agent_replaces(path, '"Has eleven employees",', "")
    workspace.pull()
    assert len(workspace.agent_activity().items) == 1
    path.write_bytes(before)
    workspace.pull()
    assert workspace.agent_activity().items == []
    assert_in_sync(workspace)


def test_seen_changes_are_not_listed_again(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    change_every_store(demo_workspace)
    workspace.pull()
    workspace.mark_seen()
    assert workspace.agent_activity().items == []
    agent_replaces(demo_workspace.store_paths[CLAUDE] / "user_ana.md", "over a tea", "over a beer")
    workspace.pull()
    assert news(workspace) == {(CLAUDE, "changed", "Ana, founder")}


def test_only_listed_changes_are_marked_as_seen(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    agent_replaces(demo_workspace.store_paths[MCP], "eleven employees", "twelve employees")
    workspace.pull()
    first = workspace.agent_activity()
    agent_replaces(demo_workspace.store_paths[MCP], "nine countries", "ten countries")
    workspace.pull()
    workspace.mark_seen(first.last_entry_id)
    assert news(workspace) == {(MCP, "changed", "Larkfield: Ships to ten countries")}
    workspace.mark_seen()
    workspace.mark_seen(first.last_entry_id)  # of an older list
    assert workspace.agent_activity().items == []


def test_many_changes_are_listed_in_pages_oldest_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_activity, "MOST", 3)
    change_every_store(demo_workspace)
    workspace.pull()
    every: list[str] = []
    for more in (True, True, False):
        part = workspace.agent_activity()
        assert part.more is more
        every += [item.label for item in part.items]
        workspace.mark_seen(part.last_entry_id)
    assert len(set(every)) == len(every) == 8


def test_a_damaged_former_value_does_not_hide_others(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    change_every_store(demo_workspace)
    workspace.pull()
    all_items = {(item.store, item.label) for item in workspace.agent_activity().items}
    bodies = workspace._ctx.db.connection().execute("SELECT max(item_id) FROM bodies").fetchall()
    workspace._ctx.db.run("UPDATE bodies SET before = '[broken' WHERE item_id = ?", bodies[0])
    assert {(item.store, item.label) for item in workspace.agent_activity().items} == all_items
    entry = workspace.journal(1)[0]
    assert ["Could not read" in item.reason for item in workspace.journal_items(entry.id)].count(True) == 1


def test_changes_of_the_user_are_not_listed(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    workspace.edit([find_id(workspace, "Swiss francs")], {"content": "In euros."})
    workspace.pull()
    assert workspace.agent_activity().items == []


def test_memories_deleted_by_agents_are_restored(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    before = {store: workspace.search(f"store:{store}").total for store in FOREIGN}
    row = "SELECT id, content, category, status, times_used FROM memories WHERE key = 'old-warehouse'"
    warehouse = query_rows(demo_workspace.store_paths[FOUNDER], row)
    change_every_store(demo_workspace)
    workspace.pull()
    removed_ids = [item.memory_id for item in workspace.agent_activity().items if item.kind == "removed"]
    workspace.restore(removed_ids)
    assert query_rows(demo_workspace.store_paths[FOUNDER], row) == warehouse
    assert (demo_workspace.store_paths[CLAUDE] / "reference_dashboards.md").exists()
    assert "Has eleven employees" in demo_workspace.store_paths[MCP].read_text()
    assert {item.kind for item in workspace.agent_activity().items} == {"added", "changed"}
    assert_in_sync(workspace)
    assert workspace.pull().total == 0
    assert {store: workspace.search(f"store:{store}").total for store in FOREIGN} == {
        store: count + 1 for store, count in before.items()
    }


def query_rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_an_agents_change_is_undone_by_its_entry(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    texts = {row.label for row in workspace.rows(workspace.search("").ids)}
    change_every_store(demo_workspace)
    workspace.pull()
    entry_ids = {event.actor: event.id for event in workspace.journal() if event.kind == "pulled"}
    for store in FOREIGN:
        change = workspace.undo(entry_ids[f"sync:{store}"])
        assert change.kind == "undone"
    assert_in_sync(workspace)
    assert {row.label for row in workspace.rows(workspace.search("").ids)} == texts
    assert workspace.agent_activity().items == []
    assert refusal(lambda: workspace.undo(entry_ids[f"sync:{FOUNDER}"])).code == "undone"
    # The undo is a change of the user, and can be undone like any other.
    agent = all_contents(demo_workspace.folder)
    workspace.redo()
    assert contents(demo_workspace.store_paths[MCP]) != agent[MCP]
    assert_in_sync(workspace)


def test_an_undone_addition_is_restored_with_its_status(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """A confirmed memory is confirmed again, not a candidate."""
    oolong = "('n2', 'tea', 'fact', 'The tea is oolong.', 'P1', 50, 'confirmed')"
    agent_executes(demo_workspace.store_paths[FOUNDER], NEW + oolong)
    workspace.pull()
    (item,) = workspace.agent_activity().items
    workspace.undo(item.entry_id)
    assert memory(workspace, item.memory_id).status == "dismissed"
    workspace.restore([item.memory_id])
    assert memory(workspace, item.memory_id).status == "confirmed"


def test_relations_changed_by_an_agent_are_listed(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(actor="agent:worker") as workspace:
        one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[MCP])
        (uid,) = (each.uid for each in workspace.memories([other]))
        workspace.relate(one, "supports", other)
        (item,) = workspace.agent_activity().items
        assert (item.memory_id, item.kind, item.before) == (one, "changed", {"relation": None})
        assert (item.after["relation"]["kind"], item.after["relation"]["to"]) == ("supports", uid)
        workspace.mark_seen()
        workspace.update_relation(one, "supports", other, RelationSpec("disputes"))
        (item,) = workspace.agent_activity().items
        assert [fields["relation"]["kind"] for fields in (item.before, item.after)] == [
            "supports",
            "disputes",
        ]
        workspace.mark_seen()
        workspace.unrelate(one, "disputes", other)
        (item,) = workspace.agent_activity().items
        assert (item.before["relation"]["kind"], item.after) == ("disputes", {"relation": None})
    with demo_workspace.opened() as workspace:
        workspace.undo(item.entry_id)
        assert workspace.agent_activity().items == []


def test_undo_without_an_entry_skips_changes_of_agents(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    change_every_store(demo_workspace)
    workspace.pull()
    assert refusal(workspace.undo).code == "nothing"


def test_undo_leaves_memories_that_changed_since(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    change_every_store(demo_workspace)
    workspace.pull()
    (entry_id,) = [event.id for event in workspace.journal() if event.actor == f"sync:{FOUNDER}"]
    id = find_id(workspace, "Tomas left")
    workspace.edit([id], {"content": "Tomas is back."})
    change = workspace.undo(entry_id)
    assert len(change.ids) == 2
    assert "changed again" in change.skipped[0].reason
    assert memory(workspace, id).content == "Tomas is back."


def test_a_later_change_of_a_reverted_memory_is_listed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path, id = demo_workspace.store_paths[FOUNDER], find_id(workspace, "Tomas leads")
    text = memory(workspace, id).content
    agent_executes(path, "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'")
    workspace.pull()
    workspace.edit([id], {"content": text})
    assert workspace.agent_activity().items == []
    agent_executes(path, "UPDATE memories SET status = 'dismissed' WHERE key = 'tomas-lead'")
    workspace.pull()
    (item,) = workspace.agent_activity().items
    assert (item.memory_id, item.after) == (id, {"status": "dismissed"})


def test_undo_restores_a_memory_that_was_rewritten_and_removed_at_once(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path, id = demo_workspace.store_paths[FOUNDER], find_id(workspace, "Tomas leads")
    agent_executes(
        path, "UPDATE memories SET content = 'Tomas left.', deleted_at = 5 WHERE key = 'tomas-lead'"
    )
    workspace.pull()
    change = workspace.undo(workspace.journal()[0].id)
    assert change.ids == (id,)
    assert [(skipped.code, skipped.reason) for skipped in change.skipped] == [
        ("partly", "the agent's changes to content were kept.")
    ]
    assert memory(workspace, id).content == "Tomas left."
    assert_in_sync(workspace)
