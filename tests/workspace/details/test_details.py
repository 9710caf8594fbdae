"""All that is known of one memory: what it is tied to, what is wrong with it, what was done to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memtui.memory.detail import Problem
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    NOW,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    detail_of,
    find_id,
    memory,
)

SECRET = "ghp_abcdefghij0123456789abcdefghij012345"


def wrong(workspace: Workspace, id: int) -> list[str]:
    """The codes of what is wrong with it."""
    return [each.code for each in detail_of(workspace, id).problems]


# -- what it is tied to


def test_giving_way_is_told_from_both_ends_by_label(workspace: Workspace) -> None:
    loser, winner = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, SAMPLE[NATIVE])
    workspace.supersede([loser], winner)
    (told,) = detail_of(workspace, loser).lineage
    assert (told.kind, told.id, told.uid) == ("superseded-by", winner, memory(workspace, winner).uid)
    assert told.label.startswith("The staging host is db-2")
    (told,) = detail_of(workspace, winner).lineage
    assert (told.kind, told.id, told.state) == ("supersedes", loser, "dismissed")
    workspace.undo()
    assert detail_of(workspace, loser).lineage == detail_of(workspace, winner).lineage == ()


def test_what_it_gave_way_to_may_be_gone(workspace: Workspace) -> None:
    loser = find_id(workspace, SAMPLE[NATIVE])
    workspace._ctx.db.run("UPDATE memories SET superseded_by = 'gone00000000' WHERE id = ?", (loser,))
    (told,) = detail_of(workspace, loser).lineage
    assert (told.uid, told.id) == ("gone00000000", None)
    (found,) = detail_of(workspace, loser).problems
    assert (found.code, "gone00000000" in found.text) == ("dangling", True)


@pytest.mark.parametrize("name", ["ref", "uid", "anchor"])
def test_what_it_came_from_is_told_by_label_where_that_is_a_memory(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    basis, one = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, "net 30")
    named = workspace._ctx.db.one(f"SELECT {name} FROM memories WHERE id = ?", (basis,))
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET source_plugin = ? WHERE content LIKE '%net 30%'",
        named,
    )
    workspace.pull()
    (told,) = detail_of(workspace, one).lineage
    assert (told.kind, told.id) == ("rests-on", basis)
    assert told.label.startswith("Offers to Swiss clients")
    (told,) = detail_of(workspace, basis).lineage
    assert (told.kind, told.id, told.state) == ("carries", one, "")


def test_a_source_that_is_no_memory_of_the_store_is_no_basis(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, elsewhere = find_id(workspace, "net 30"), memory(workspace, find_id(workspace, SAMPLE[MCP]))
    place = demo_workspace.store_paths[FOUNDER]
    agent_executes(
        place, "UPDATE memories SET source_plugin = ? WHERE content LIKE '%net 30%'", elsewhere.uid
    )
    workspace.pull()
    assert detail_of(workspace, one).lineage == ()
    # A number may be a turn or a page: that a memory has it for a name is chance.
    agent_executes(place, "UPDATE memories SET source_plugin = '7' WHERE content LIKE '%net 30%'")
    agent_executes(place, "UPDATE memories SET id = '7' WHERE content LIKE '%francs%'")
    workspace.pull()
    assert memory(workspace, one).source_ref == "7"
    assert detail_of(workspace, one).lineage == ()


def test_relations_name_the_uids_of_both_ends(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    bo = find_id(workspace, SAMPLE[MCP])
    line = {"type": "relation", "from": "Bo Janssen", "to": "Nobody", "relationType": "knows"}
    place = demo_workspace.store_paths[MCP]
    place.write_text(place.read_text("utf-8") + "\n" + json.dumps(line), "utf-8")
    workspace.pull()
    found = {relation.kind: relation for relation in detail_of(workspace, bo).relations}
    assert found["leads"].source_uid == memory(workspace, bo).uid
    assert found["leads"].target_uid in {
        memory(workspace, id).uid for id in workspace.search("warehouse move").ids
    }
    assert (found["knows"].target_id, found["knows"].target_uid) == (None, "")


def test_a_memory_with_a_title_is_called_by_it(workspace: Workspace) -> None:
    (relation,) = detail_of(workspace, find_id(workspace, SAMPLE[CLAUDE])).relations
    assert (relation.target, relation.label) == ("project_orders", "Order service")


# -- what is wrong with it


def test_what_clashes_is_told_with_its_reason_until_it_is_settled(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    (other,) = workspace.add({"content": "The staging host is db-1; db-2 was switched off."}).ids
    workspace.scan()
    (found,) = detail_of(workspace, one).problems
    assert (found.code, found.other_id, found.other_uid) == (
        "contradiction",
        other,
        memory(workspace, other).uid,
    )
    assert found.text.startswith("It contradicts “The staging host is db-1; db-2 was switched off.” (")
    assert wrong(workspace, other) == ["contradiction"]
    (pair,) = workspace.pairs(memory=one)
    workspace.settle(pair.id, "both-true")
    assert wrong(workspace, one) == wrong(workspace, other) == []


def test_of_many_clashes_ten_are_told(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    for number in range(30, 42):
        workspace.add({"content": f"The staging host is db-{number}; db-1 was switched off."})
    workspace.scan()
    count = len(workspace.pairs(memory=one))
    assert count > 10
    codes = wrong(workspace, one)
    assert len(codes) == 11
    assert codes[-1] == "more"
    assert f"{count - 10} more" in detail_of(workspace, one).problems[-1].text


def test_a_secret_is_named_by_its_sort_and_never_shown(workspace: Workspace) -> None:
    (one,) = workspace.add({"content": f"The deploy token is {SECRET}."}).ids
    (found,) = detail_of(workspace, one).problems
    assert (found.code, found.text) == ("secret", "It seems to hold a secret: GitHub token.")
    assert SECRET not in repr(detail_of(workspace, one).problems)


def test_what_another_hand_removed_says_so(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[MCP])
    agent_replaces(demo_workspace.store_paths[MCP], '"Is allergic to nuts",', "")
    workspace.pull()
    found = detail_of(workspace, one).problems[0]
    assert (found.code, found.text[:30]) == ("removed", "It is no longer in its store, ")


def test_past_its_time_is_wrong_only_while_it_counts(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, own = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, SAMPLE[NATIVE])
    past = int(NOW) - 86_400
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET expires_at = ? WHERE content LIKE '%francs%'",
        past,
    )
    workspace.pull()
    workspace._ctx.db.run("UPDATE memories SET valid_to = ? WHERE id = ?", (past, own))
    assert wrong(workspace, one) == wrong(workspace, own) == ["past-expiry"]
    workspace.dismiss([one, own])
    assert wrong(workspace, one) == wrong(workspace, own) == []


def test_what_the_reader_met_at_its_very_place_is_told_and_nothing_else(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    (folder / "odd.md").write_text("---\nname: odd\n---\n\nA heron, see [[nobody_there]].\n", "utf-8")
    workspace.pull()
    one = find_id(workspace, "heron")
    found = detail_of(workspace, one).problems
    assert "no-type" in [each.code for each in found]
    # A link that leads nowhere is a finding and a relation, but one thing.
    assert [each.code for each in found].count("dangling") == 1
    assert "nobody_there" in next(each.text for each in found if each.code == "dangling")
    assert wrong(workspace, find_id(workspace, SAMPLE[CLAUDE])) == []


def test_a_relation_that_leads_nowhere_is_told(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    line = {"type": "relation", "from": "Bo Janssen", "to": "Nobody", "relationType": "knows"}
    place = demo_workspace.store_paths[MCP]
    place.write_text(place.read_text("utf-8") + "\n" + json.dumps(line), "utf-8")
    workspace.pull()
    words = "“knows” leads to “Nobody”, and there is no such memory."
    assert detail_of(workspace, find_id(workspace, SAMPLE[MCP])).problems == (Problem("dangling", words),)


def test_a_plain_memory_has_nothing_wrong(workspace: Workspace) -> None:
    for name in (NATIVE, FOUNDER, MCP, CLAUDE):
        assert detail_of(workspace, find_id(workspace, SAMPLE[name])).problems == ()


# -- what was done to it


def test_its_history_tells_what_each_line_did_to_it_alone(workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[FOUNDER])
    old = memory(workspace, one).content
    workspace.edit([one], {"content": "The staging host is db-9."})
    workspace.pin([one, other], "both")
    pinned, edited, *_ = detail_of(workspace, one).history
    assert (pinned.kind, pinned.after) == (
        "pinned",
        {"pinned": True, "pinned_by": "person", "pinned_why": "both"},
    )
    assert edited.before is not None
    assert edited.after is not None
    assert (edited.before["content"], edited.after["content"]) == (old, "The staging host is db-9.")
    assert detail_of(workspace, other).history[0].before == {
        "pinned": False,
        "pinned_by": None,
        "pinned_why": None,
    }


def test_a_line_is_told_as_it_stands_for_this_memory(workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[FOUNDER])
    line = workspace.pin([one, other]).journal_id
    assert line is not None
    workspace.unpin([other])
    workspace.undo(line)  # of the other one something else was changed since
    states = {
        id: {each.id: each.state for each in detail_of(workspace, id).history}[line] for id in (one, other)
    }
    assert states == {one: "undone", other: "done"}


def test_texts_that_were_erased_are_told_as_erased(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    workspace.edit([one], {"content": "The staging host is db-9."})
    workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    assert {(each.before, each.after) for each in detail_of(workspace, one).history} == {(None, None)}


# -- at any size


def test_no_question_looks_at_all_rows_of_a_table(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """A line of thousands of memories, or a store of a million, costs a detail or a step nothing."""
    one, related = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[MCP])
    workspace.confirm(list(workspace.search("").ids))
    workspace.add({"content": "The staging host is db-1; db-2 was switched off."})
    workspace.scan()
    spots = [spot for id in (one, related) if (spot := workspace.node_key(id)) is not None]
    plans = _plans(workspace, lambda: [detail_of(workspace, id) for id in (one, related)])
    plans |= _plans(workspace, lambda: [workspace.neighborhood(spot, hops=2) for spot in spots])
    large = {"memories", "relations", "asides", "ties", "journal", "journal_items", "pairs", "verdicts"}
    scans = {
        (sql, step)
        for sql, steps in plans.items()
        for step in steps
        if step.startswith("SCAN ") and step.split()[1] in large | set("mrtjipvwlob")
    }
    assert len(plans) > 8
    assert not scans
    # By a store alone, or by those of its refs that are any, it would be all of the store's.
    all_of_it = ("(store_id=?)", "(store_id=? AND ref>?)")
    steps = [step for steps in plans.values() for step in steps if "ageing_store" not in step]  # a run a day
    assert not [step for step in steps if step.endswith(all_of_it)]


def _plans(workspace: Workspace, act: Callable[[], Any]) -> dict[str, list[str]]:
    """How SQLite answers each question that `act` asks."""
    connection = workspace._ctx.db.connection()
    asked: dict[str, Any] = {}

    def note(_cursor: Any, sql: str, values: Any) -> bool:
        asked[sql] = values
        return True

    connection.exec_trace = note
    try:
        act()
    finally:
        connection.exec_trace = None
    questions = {sql: values for sql, values in asked.items() if sql.lstrip().upper().startswith("SELECT")}
    return {
        sql: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        for sql, values in questions.items()
    }
