"""The groups of a list, and which grouping a list begins with (S-31)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.memory.groups import CATEGORY, ENTITY, FLAT, FOLDER, STORE
from memtui.workspace.workspace import Workspace
from tests.support.stores import claude_code, mcp_memory
from tests.support.stores.mcp_memory import entity

PEOPLE = (
    entity("Ana", "Lives in Sneek", "Lives in Utrecht", "Likes tea"),
    entity("Larkfield", "Sells bird feeders", "Has eleven employees", kind="company"),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "w.db")) as opened:
        yield opened


def attach_graph(workspace: Workspace, folder: Path) -> None:
    data = "\n".join(mcp_memory.lines(*PEOPLE)).encode()
    workspace.attach(mcp_memory.make(folder / "graph" / "memory.jsonl", data).root)


def headings(workspace: Workspace, by: str) -> list[tuple[str, str, int]]:
    found = workspace.groups_of(workspace.search("").ids, by)
    return [(group.name, group.kind, group.count) for group in found.groups]


def test_a_graph_begins_by_entity_and_notes_in_one_list(workspace: Workspace, tmp_path: Path) -> None:
    workspace.attach(claude_code.make(tmp_path / "notes").root)
    assert workspace.grouping() == FLAT
    workspace.detach(workspace.stores()[-1].name)
    attach_graph(workspace, tmp_path)
    assert workspace.grouping() == ENTITY


def test_memories_of_an_entity_are_below_its_name_in_the_order_of_the_list(
    workspace: Workspace, tmp_path: Path
) -> None:
    attach_graph(workspace, tmp_path)
    ids = workspace.search("").ids
    found = workspace.groups_of(ids, ENTITY)
    assert sorted(found.ids) == sorted(ids)
    by_name = {group.name: group for group in found.groups}
    assert (by_name["Ana"].kind, by_name["Ana"].count) == ("person", 3)
    assert (by_name["Larkfield"].kind, by_name["Larkfield"].count) == ("company", 2)
    for group in found.groups:
        members = list(found.ids[group.start : group.start + group.count])
        assert members == [id for id in ids if id in members]
        assert {row.subject for row in workspace.rows(members)} == {group.name}


def test_other_groupings_and_what_has_none_of_its_own(workspace: Workspace, tmp_path: Path) -> None:
    attach_graph(workspace, tmp_path)
    workspace.add({"content": "Wages are paid on the twenty-fourth.", "category": "rule"}, "native")
    graph = next(store.name for store in workspace.stores() if store.name != "native")
    assert set(headings(workspace, STORE)) == {(graph, "", 5), ("native", "rule", 1)}
    assert set(headings(workspace, CATEGORY)) == {
        ("person", "person", 3),
        ("company", "company", 2),
        ("rule", "rule", 1),
    }
    assert ("native", "rule", 1) in headings(workspace, ENTITY)
    assert set(headings(workspace, FOLDER)) == set(headings(workspace, STORE))


def test_notes_are_below_their_folder(workspace: Workspace, tmp_path: Path) -> None:
    store = claude_code.make(tmp_path / "notes")
    (store.root / "team").mkdir()
    (store.root / "team" / "rota.md").write_text(
        "---\nname: rota\ndescription: who is on call\ntype: project\n---\nAna on Mondays.\n"
    )
    name = workspace.attach(store.root)[0].name
    folders = {heading[0] for heading in headings(workspace, FOLDER)}
    assert "team" in folders
    assert name in folders


def test_a_heading_counts_open_pairs_and_rows_have_their_worst_finding(
    workspace: Workspace, tmp_path: Path
) -> None:
    attach_graph(workspace, tmp_path)
    workspace.scan()
    pairs = workspace.pairs()
    assert [pair.family for pair in pairs] == ["contradiction"]
    found = workspace.groups_of(workspace.search("").ids, ENTITY)
    by_name = {group.name: group.contradictions for group in found.groups}
    assert by_name == {"Ana": 2, "Larkfield": 0}
    findings = {row.text: row.finding for row in workspace.rows(list(found.ids))}
    assert findings["Lives in Sneek"] == findings["Lives in Utrecht"] == "contradiction"
    assert findings["Likes tea"] == ""
    workspace.settle(pairs[0].id, "both-true")
    assert not any(row.finding for row in workspace.rows(list(found.ids)))


def test_the_choice_is_remembered_for_these_stores(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with closing(Workspace.open(path)) as workspace:
        attach_graph(workspace, tmp_path)
        workspace.save_grouping(CATEGORY)
    with closing(Workspace.open(path)) as workspace:
        assert workspace.grouping() == CATEGORY
        graph = next(store.name for store in workspace.stores() if store.name != "native")
        workspace.detach(graph)
        assert workspace.grouping() == FLAT, "other stores, another choice"
    with closing(Workspace.open(path, read_only=True)) as workspace:
        workspace.save_grouping(STORE)
        assert workspace.grouping() == FLAT


def test_what_came_since_the_last_look_is_new_unless_the_user_added_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    attach_graph(workspace, tmp_path)
    assert not any(row.new for row in workspace.rows(list(workspace.search("").ids)))
    workspace.mark_seen(workspace.agent_activity().last_entry_id)
    store = next(store for store in workspace.stores() if store.name != "native")
    with Path(store.path).open("a") as file:
        file.write("\n" + mcp_memory.lines(entity("Bo", "Leads hiring"))[0])
    workspace.pull()
    workspace.add({"content": "Added by hand."}, "native")
    rows = workspace.rows(list(workspace.search("").ids))
    assert [row.text for row in rows if row.new] == ["Leads hiring"]
