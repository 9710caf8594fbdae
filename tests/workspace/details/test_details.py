"""The detail of a memory: lineage and relations, problems, history."""

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

SECRET = "ghp_" + "abcdefghij0123456789abcdefghij012345"


def problem_codes(workspace: Workspace, id: int) -> list[str]:
    """Return the codes of the memory's problems."""
    return [each.code for each in detail_of(workspace, id).problems]


# -- lineage and relations


def test_supersession_is_shown_at_both_ends(workspace: Workspace) -> None:
    loser, winner = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, SAMPLE[NATIVE])
    workspace.supersede([loser], winner)
    (lineage,) = detail_of(workspace, loser).lineage
    assert (lineage.kind, lineage.id, lineage.uid) == ("superseded-by", winner, memory(workspace, winner).uid)
    assert lineage.label.startswith("The staging host is db-2")
    (lineage,) = detail_of(workspace, winner).lineage
    assert (lineage.kind, lineage.id, lineage.state) == ("supersedes", loser, "dismissed")
    workspace.undo()
    assert detail_of(workspace, loser).lineage == detail_of(workspace, winner).lineage == ()


def test_a_missing_superseding_memory_is_a_problem(workspace: Workspace) -> None:
    loser = find_id(workspace, SAMPLE[NATIVE])
    workspace._ctx.db.run("UPDATE memories SET superseded_by = 'gone00000000' WHERE id = ?", (loser,))
    (lineage,) = detail_of(workspace, loser).lineage
    assert (lineage.uid, lineage.id) == ("gone00000000", None)
    (found,) = detail_of(workspace, loser).problems
    assert (found.code, "gone00000000" in found.text) == ("dangling", False)  # an identifier tells nothing


@pytest.mark.parametrize("name", ["ref", "uid", "anchor"])
def test_a_source_that_is_a_memory_is_shown_at_both_ends(
    demo_workspace: DemoWorkspace, workspace: Workspace, name: str
) -> None:
    source_id, one = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, "net 30")
    source = workspace._ctx.db.one(f"SELECT {name} FROM memories WHERE id = ?", (source_id,))
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET source_plugin = ? WHERE content LIKE '%net 30%'",
        source,
    )
    workspace.pull()
    (lineage,) = detail_of(workspace, one).lineage
    assert (lineage.kind, lineage.id) == ("based-on", source_id)
    assert lineage.label.startswith("Offers to Swiss clients")
    (lineage,) = detail_of(workspace, source_id).lineage
    assert (lineage.kind, lineage.id, lineage.state) == ("basis-for", one, "")


def test_a_source_outside_the_store_is_no_lineage(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, elsewhere = find_id(workspace, "net 30"), memory(workspace, find_id(workspace, SAMPLE[MCP]))
    path = demo_workspace.store_paths[FOUNDER]
    agent_executes(path, "UPDATE memories SET source_plugin = ? WHERE content LIKE '%net 30%'", elsewhere.uid)
    workspace.pull()
    assert detail_of(workspace, one).lineage == ()
    # A number may be a turn or a page; a memory with that ref is a coincidence.
    agent_executes(path, "UPDATE memories SET source_plugin = '7' WHERE content LIKE '%net 30%'")
    agent_executes(path, "UPDATE memories SET id = '7' WHERE content LIKE '%francs%'")
    workspace.pull()
    assert memory(workspace, one).source_ref == "7"
    assert detail_of(workspace, one).lineage == ()


def test_relations_have_the_uids_of_both_ends(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    bo = find_id(workspace, SAMPLE[MCP])
    line = {"type": "relation", "from": "Bo Janssen", "to": "Nobody", "relationType": "knows"}
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text("utf-8") + "\n" + json.dumps(line), "utf-8")
    workspace.pull()
    found = {relation.kind: relation for relation in detail_of(workspace, bo).relations}
    assert found["leads"].source_uid == memory(workspace, bo).uid
    assert found["leads"].target_uid in {
        memory(workspace, id).uid for id in workspace.search("warehouse move").ids
    }
    assert (found["knows"].target_id, found["knows"].target_uid) == (None, "")


def test_a_related_memory_is_labelled_by_its_title(workspace: Workspace) -> None:
    (relation,) = detail_of(workspace, find_id(workspace, SAMPLE[CLAUDE])).relations
    assert (relation.target, relation.label) == ("project_orders", "Order service")


# -- problems


def test_links_in_a_text_lead_to_memories_of_any_store(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    text = (
        "See [[freeze]], [the freeze](notes/freeze.md#may), [[self]], [[nowhere]], "
        "[b](./project_b.md) and [[UID]]."
    )
    note = "---\nname: {}\ndescription: d\ntype: project\n---\n\n{}\n"
    folder = demo_workspace.store_paths[CLAUDE]
    (folder / "freeze.md").write_text(note.format("freeze", "No deploys in May."))
    (native,) = workspace.add({"content": text}).ids
    uid = memory(workspace, native).uid
    (folder / "self.md").write_text(note.format("self", text.replace("UID", uid)))
    (folder / "project_b.md").write_text(note.format("another-name", "Bikes stand behind the hall."))
    workspace.pull()
    freeze, own = find_id(workspace, "No deploys in May."), find_id(workspace, f"and [[{uid}]]")
    leads = {"freeze": freeze, "notes/freeze.md#may": freeze}
    assert detail_of(workspace, native).mentions == {**leads, "self": own}
    in_its_folder = {"./project_b.md": find_id(workspace, "Bikes stand behind the hall.")}
    assert detail_of(workspace, own).mentions == {**leads, uid: native, **in_its_folder}


def test_a_contradiction_is_a_problem_until_it_is_settled(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    (other,) = workspace.add({"content": "The staging host is db-1; db-2 was switched off."}).ids
    workspace.scan()
    (found,) = detail_of(workspace, one).problems
    assert (found.code, found.other_id, found.other_uid) == (
        "contradiction",
        other,
        memory(workspace, other).uid,
    )
    assert found.text.startswith("Contradicts “The staging host is db-1; db-2 was switched off.” (")
    assert problem_codes(workspace, other) == ["contradiction"]
    (pair,) = workspace.pairs(memory=one)
    workspace.settle(pair.id, "both-true")
    assert problem_codes(workspace, one) == problem_codes(workspace, other) == []


def test_ten_of_many_contradictions_are_shown(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    for number in range(30, 42):
        workspace.add({"content": f"The staging host is db-{number}; db-1 was switched off."})
    workspace.scan()
    count = len(workspace.pairs(memory=one))
    assert count > 10
    codes = problem_codes(workspace, one)
    assert len(codes) == 11
    assert codes[-1] == "more"
    assert f"{count - 10} more" in detail_of(workspace, one).problems[-1].text


def test_a_secret_is_named_by_kind_and_never_shown(workspace: Workspace) -> None:
    (one,) = workspace.add({"content": f"The deploy token is {SECRET}."}).ids
    (found,) = detail_of(workspace, one).problems
    assert (found.code, found.text) == ("secret", "Possible secret: GitHub token.")
    assert SECRET not in repr(detail_of(workspace, one).problems)


def test_a_memory_removed_by_an_agent_is_a_problem(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one = find_id(workspace, SAMPLE[MCP])
    agent_replaces(demo_workspace.store_paths[MCP], '"Is allergic to nuts",', "")
    workspace.pull()
    found = detail_of(workspace, one).problems[0]
    assert (found.code, found.text[:30]) == ("removed", "No longer in its store (since ")


def test_an_expired_memory_is_a_problem_only_while_active(
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
    assert problem_codes(workspace, one) == problem_codes(workspace, own) == ["past-expiry"]
    workspace.dismiss([one, own])
    assert problem_codes(workspace, one) == problem_codes(workspace, own) == []


def test_findings_of_the_reader_are_shown_at_their_memory_only(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    (folder / "odd.md").write_text("---\nname: odd\n---\n\nA heron, see [[nobody_there]].\n", "utf-8")
    workspace.pull()
    one = find_id(workspace, "heron")
    found = detail_of(workspace, one).problems
    assert "no-type" in [each.code for each in found]
    # A dangling link is both a finding and a relation, but listed once.
    assert [each.code for each in found].count("dangling") == 1
    assert "nobody_there" in next(each.text for each in found if each.code == "dangling")
    assert problem_codes(workspace, find_id(workspace, SAMPLE[CLAUDE])) == []


def test_a_dangling_relation_is_a_problem(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    line = {"type": "relation", "from": "Bo Janssen", "to": "Nobody", "relationType": "knows"}
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text("utf-8") + "\n" + json.dumps(line), "utf-8")
    workspace.pull()
    text = "“knows” points to “Nobody”, which does not exist."
    assert detail_of(workspace, find_id(workspace, SAMPLE[MCP])).problems == (Problem("dangling", text),)


def test_a_plain_memory_has_no_problems(workspace: Workspace) -> None:
    for name in (NATIVE, FOUNDER, MCP, CLAUDE):
        assert detail_of(workspace, find_id(workspace, SAMPLE[name])).problems == ()


# -- history


def test_history_shows_only_the_memorys_own_changes(workspace: Workspace) -> None:
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


def test_history_shows_the_state_of_an_entry_for_the_memory(workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[FOUNDER])
    entry_id = workspace.pin([one, other]).journal_id
    assert entry_id is not None
    workspace.unpin([other])
    workspace.undo(entry_id)  # the other memory changed since
    states = {
        id: {each.id: each.state for each in detail_of(workspace, id).history}[entry_id]
        for id in (one, other)
    }
    assert states == {one: "undone", other: "done"}


def test_erased_texts_are_shown_as_erased(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    workspace.edit([one], {"content": "The staging host is db-9."})
    workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    assert {(each.before, each.after) for each in detail_of(workspace, one).history} == {(None, None)}


# -- query plans


def test_no_query_scans_a_whole_table(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Neither entries with thousands of items nor stores with a million memories slow down a detail."""
    one, related = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[MCP])
    workspace.confirm(list(workspace.search("").ids))
    workspace.add({"content": "The staging host is db-1; db-2 was switched off."})
    workspace.scan()
    keys = [key for id in (one, related) if (key := workspace.node_key(id)) is not None]
    plans = _query_plans(workspace, lambda: [detail_of(workspace, id) for id in (one, related)])
    plans |= _query_plans(workspace, lambda: [workspace.neighborhood(key, hops=2) for key in keys])
    large = {
        "memories",
        "relations",
        "side_records",
        "local_relations",
        "journal",
        "journal_items",
        "pairs",
        "verdicts",
    }
    scans = {
        (sql, step)
        for sql, steps in plans.items()
        for step in steps
        if step.startswith("SCAN ") and step.split()[1] in large | set("mrtjipvwlob")
    }
    assert len(plans) > 8
    assert not scans
    # A search by store alone, or by any ref, would read all rows of the store.
    whole_store = ("(store_id=?)", "(store_id=? AND ref>?)")
    steps = [
        step for steps in plans.values() for step in steps if "ageing_store" not in step
    ]  # has a row per run, at most one a day
    assert not [step for step in steps if step.endswith(whole_store)]


def _query_plans(workspace: Workspace, action: Callable[[], Any]) -> dict[str, list[str]]:
    """Return the query plan of each SELECT that `action` runs."""
    connection = workspace._ctx.db.connection()
    traced: dict[str, Any] = {}

    def note(_cursor: Any, sql: str, values: Any) -> bool:
        traced[sql] = values
        return True

    connection.exec_trace = note
    try:
        action()
    finally:
        connection.exec_trace = None
    queries = {sql: values for sql, values in traced.items() if sql.lstrip().upper().startswith("SELECT")}
    return {
        sql: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        for sql, values in queries.items()
    }
