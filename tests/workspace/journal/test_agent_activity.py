"""Since the person last looked: what agents did, put together, and a way back for each (S-51, S-53)."""

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
    agent_sets,
    agent_writes,
    agrees,
    contents,
    everything,
    memory,
    refusal,
    the,
)
from tests.workspace.sync.test_pull import NEW, an_agent_works


@pytest.fixture(autouse=True)
def seen(workspace: Workspace) -> None:
    workspace.looked()


def told(workspace: Workspace) -> set[tuple[str, str, str]]:
    return {(item.store, item.what, item.label) for item in workspace.since().items}


def test_what_agents_did_is_told_store_by_store(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    assert workspace.since().items == []
    an_agent_works(demo_workspace)
    workspace.pull()
    assert told(workspace) == {
        (FOUNDER, "added", "A zebra in the database."),
        (FOUNDER, "changed", "Tomas left."),
        (FOUNDER, "removed", "Parcels are picked up at the Dock Street warehouse."),
        (CLAUDE, "added", "Zebra"),
        (CLAUDE, "changed", "Ana, founder"),
        (CLAUDE, "removed", "Dashboards"),
        (MCP, "added", "Bo Janssen: Saw a zebra"),
        (MCP, "removed", "Larkfield: Has eleven employees"),
    }
    (changed,) = [item for item in workspace.since().items if item.label == "Tomas left."]
    assert changed.after["content"] == "Tomas left."
    assert changed.before["content"].startswith("Tomas leads hiring")


def test_what_an_agent_removed_is_told_though_a_change_took_its_name_first(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """An observation is known by its text: another one that comes to say the same takes its place."""
    gone, other = the(workspace, "Larkfield eleven"), the(workspace, "Larkfield nine countries")
    text = memory(workspace, gone).content
    agent_writes(demo_workspace.places[MCP], f',"{text}"', "")
    edit = workspace.edit([other], {"content": text})
    assert told(workspace) == {(MCP, "removed", f"Larkfield: {text}")}
    assert workspace.pull().total == 0
    workspace.undo(edit.journal_id)
    workspace.restore([gone])
    assert [memory(workspace, id).content for id in (gone, other)] == [text, "Ships to nine countries"]
    assert told(workspace) == set()
    agrees(workspace)


@pytest.mark.parametrize("again", ["", "Has eleven employees and a dog"])
def test_what_an_agent_did_to_an_entity_is_told_though_undo_changes_the_entity_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, again: str
) -> None:
    """Undo takes back the entity's type though one of its observations has left or is reworded by then."""
    gone, other = the(workspace, "Larkfield eleven"), the(workspace, "Larkfield nine countries")
    text = memory(workspace, gone).content
    workspace.pin([gone])
    edit = workspace.edit([gone, other], {"category": "firm"})
    agent_writes(demo_workspace.places[MCP], f',"{text}"', f',"{again}"' if again else "")
    workspace.undo(edit.journal_id)
    assert told(workspace) == {(MCP, "changed" if again else "removed", f"Larkfield: {again or text}")}
    assert workspace.pull().total == 0
    detail = workspace.detail(gone)
    assert detail is not None
    assert (detail.removed_at is None) == bool(again)
    assert memory(workspace, gone).pinned
    agrees(workspace)


def test_a_step_that_cannot_be_read_hides_no_other(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    an_agent_works(demo_workspace)
    workspace.pull()
    (line,) = {item.entry_id for item in workspace.since().items if item.label == "Tomas left."}
    db = apsw.Connection(str(workspace.path))
    damaged = "UPDATE bodies SET after = '[1' WHERE item_id IN (SELECT id FROM journal_items WHERE uid = ?)"
    (uid,) = (item.uid for item in workspace.since().items if item.label == "Tomas left.")
    db.execute(damaged, (uid,))
    db.close()
    assert (FOUNDER, "unreadable", "Tomas left.") in told(workspace)
    assert len(told(workspace)) == 8
    assert "cannot be read" in " ".join(item.why for item in workspace.journal_items(line))
    detail = workspace.detail(workspace.find(uid))
    assert detail is not None
    assert detail.history[0].after == {}


def test_several_steps_are_one(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    for text in ("one", "two", "three"):
        agent_sets(
            demo_workspace.places[FOUNDER], "UPDATE memories SET content = ? WHERE key = 'tomas-lead'", text
        )
        workspace.pull()
    (item,) = workspace.since().items
    assert (item.what, item.before["content"][:5], item.after["content"]) == ("changed", "Tomas", "three")


def test_there_and_back_is_nothing(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    place = demo_workspace.places[MCP]
    before = place.read_bytes()
    agent_writes(place, '"Has eleven employees",', "")
    workspace.pull()
    assert len(workspace.since().items) == 1
    place.write_bytes(before)
    workspace.pull()
    assert workspace.since().items == []
    agrees(workspace)


def test_what_was_seen_is_not_told_again(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    an_agent_works(demo_workspace)
    workspace.pull()
    workspace.looked()
    assert workspace.since().items == []
    agent_writes(demo_workspace.places[CLAUDE] / "user_ana.md", "over a tea", "over a beer")
    workspace.pull()
    assert told(workspace) == {(CLAUDE, "changed", "Ana, founder")}


def test_only_what_was_told_counts_as_seen(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    agent_writes(demo_workspace.places[MCP], "eleven employees", "twelve employees")
    workspace.pull()
    first = workspace.since()
    agent_writes(demo_workspace.places[MCP], "nine countries", "ten countries")
    workspace.pull()
    workspace.looked(first.last_entry_id)
    assert told(workspace) == {(MCP, "changed", "Larkfield: Ships to ten countries")}
    workspace.looked()
    workspace.looked(first.last_entry_id)  # of an older list
    assert workspace.since().items == []


def test_many_steps_come_a_part_at_a_time_oldest_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_activity, "MOST", 3)
    an_agent_works(demo_workspace)
    workspace.pull()
    every: list[str] = []
    for more in (True, True, False):
        part = workspace.since()
        assert part.more is more
        every += [item.label for item in part.items]
        workspace.looked(part.last_entry_id)
    assert len(set(every)) == len(every) == 8


def test_a_line_that_cannot_be_read_does_not_hide_the_others(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    an_agent_works(demo_workspace)
    workspace.pull()
    whole = {(item.store, item.label) for item in workspace.since().items}
    bodies = workspace._ctx.db.connection().execute("SELECT max(item_id) FROM bodies").fetchall()
    workspace._ctx.db.run("UPDATE bodies SET before = '[broken' WHERE item_id = ?", bodies[0])
    assert {(item.store, item.label) for item in workspace.since().items} == whole
    line = workspace.journal(1)[0]
    assert ["cannot be read" in item.why for item in workspace.journal_items(line.id)].count(True) == 1


def test_a_persons_changes_are_no_news(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    workspace.edit([the(workspace, "Swiss francs")], {"content": "In euros."})
    workspace.pull()
    assert workspace.since().items == []


def test_a_memory_that_an_agent_deleted_silently_is_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = {store: workspace.search(f"store:{store}").total for store in FOREIGN}
    row = "SELECT id, content, category, status, times_used FROM memories WHERE key = 'old-warehouse'"
    warehouse = rows_of(demo_workspace.places[FOUNDER], row)
    an_agent_works(demo_workspace)
    workspace.pull()
    gone = [item.memory_id for item in workspace.since().items if item.what == "removed"]
    workspace.restore(gone)
    assert rows_of(demo_workspace.places[FOUNDER], row) == warehouse
    assert (demo_workspace.places[CLAUDE] / "reference_dashboards.md").exists()
    assert "Has eleven employees" in demo_workspace.places[MCP].read_text()
    assert {item.what for item in workspace.since().items} == {"added", "changed"}
    agrees(workspace)
    assert workspace.pull().total == 0
    assert {store: workspace.search(f"store:{store}").total for store in FOREIGN} == {
        store: count + 1 for store, count in before.items()
    }


def rows_of(place: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(place))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_an_agents_change_is_taken_back_by_its_line(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    texts = {row.label for row in workspace.rows(workspace.search("").ids)}
    an_agent_works(demo_workspace)
    workspace.pull()
    lines = {event.actor: event.id for event in workspace.journal() if event.kind == "pulled"}
    for store in FOREIGN:
        change = workspace.undo(lines[f"sync:{store}"])
        assert change.kind == "undone"
    agrees(workspace)
    assert {row.label for row in workspace.rows(workspace.search("").ids)} == texts
    assert workspace.since().items == []
    assert refusal(lambda: workspace.undo(lines[f"sync:{FOUNDER}"])).code == "undone"
    # The undo is a change of the person's own, and comes back as any.
    agent = everything(demo_workspace.folder)
    workspace.redo()
    assert contents(demo_workspace.places[MCP]) != agent[MCP]
    agrees(workspace)


def test_what_an_agent_added_comes_back_as_it_was_though_it_was_taken_back_first(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """A confirmed memory is confirmed again, not a mere candidate."""
    oolong = "('n2', 'tea', 'fact', 'The tea is oolong.', 'P1', 50, 'confirmed')"
    agent_sets(demo_workspace.places[FOUNDER], NEW + oolong)
    workspace.pull()
    (item,) = workspace.since().items
    workspace.undo(item.entry_id)
    assert memory(workspace, item.memory_id).status == "dismissed"
    workspace.restore([item.memory_id])
    assert memory(workspace, item.memory_id).status == "confirmed"


def test_a_relation_that_an_agent_made_changed_or_removed_is_told(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(actor="agent:worker") as workspace:
        one, other = the(workspace, SAMPLE[NATIVE]), the(workspace, SAMPLE[MCP])
        (uid,) = (each.uid for each in workspace.memories([other]))
        workspace.relate(one, "supports", other)
        (item,) = workspace.since().items
        assert (item.memory_id, item.what, item.before) == (one, "changed", {"relation": None})
        assert (item.after["relation"]["kind"], item.after["relation"]["to"]) == ("supports", uid)
        workspace.looked()
        workspace.retie(one, "supports", other, RelationSpec("disputes"))
        (item,) = workspace.since().items
        assert [said["relation"]["kind"] for said in (item.before, item.after)] == ["supports", "disputes"]
        workspace.looked()
        workspace.unrelate(one, "disputes", other)
        (item,) = workspace.since().items
        assert (item.before["relation"]["kind"], item.after) == ("disputes", {"relation": None})
    with demo_workspace.opened() as workspace:
        workspace.undo(item.entry_id)
        assert workspace.since().items == []


def test_u_never_takes_back_what_an_agent_did(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    an_agent_works(demo_workspace)
    workspace.pull()
    assert refusal(workspace.undo).code == "nothing"


def test_what_changed_again_since_is_left(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    an_agent_works(demo_workspace)
    workspace.pull()
    (line,) = [event.id for event in workspace.journal() if event.actor == f"sync:{FOUNDER}"]
    id = the(workspace, "Tomas left")
    workspace.edit([id], {"content": "Tomas is back."})
    change = workspace.undo(line)
    assert len(change.ids) == 2
    assert "changed again" in change.skipped[0].why
    assert memory(workspace, id).content == "Tomas is back."


def test_what_was_done_to_it_after_its_text_was_set_back_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place, id = demo_workspace.places[FOUNDER], the(workspace, "Tomas leads")
    text = memory(workspace, id).content
    agent_sets(place, "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'")
    workspace.pull()
    workspace.edit([id], {"content": text})
    assert workspace.since().items == []
    agent_sets(place, "UPDATE memories SET status = 'dismissed' WHERE key = 'tomas-lead'")
    workspace.pull()
    (item,) = workspace.since().items
    assert (item.memory_id, item.after) == (id, {"status": "dismissed"})


def test_a_memory_that_was_rewritten_as_it_left_comes_back_and_its_text_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place, id = demo_workspace.places[FOUNDER], the(workspace, "Tomas leads")
    agent_sets(place, "UPDATE memories SET content = 'Tomas left.', deleted_at = 5 WHERE key = 'tomas-lead'")
    workspace.pull()
    change = workspace.undo(workspace.journal()[0].id)
    assert change.ids == (id,)
    assert [(left.code, left.why) for left in change.skipped] == [
        ("partly", "content stays as the agent left it.")
    ]
    assert memory(workspace, id).content == "Tomas left."
    agrees(workspace)
