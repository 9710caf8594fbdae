"""Undo in an MCP memory, where changes of an entity outlive its single observations (S-51)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import assert_in_sync, memory
from tests.support.stores import mcp_memory
from tests.support.stores.mcp_memory import entity, relation

FILE = "\n".join(
    mcp_memory.lines(
        entity("Ana", "Likes tea"),
        entity("Bo", "Likes ink", "Likes milk"),
        entity("Cy"),
        relation("Ana", "knows", "Bo"),
        relation("Cy", "knows", "Ana"),
    )
).encode()


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return mcp_memory.make(tmp_path / "memory.jsonl", FILE).root


def find_in_entity(workspace: Workspace, name: str, content: str = "") -> int:
    """Return the id of an entity's observation with this text; without one, of the empty entity."""
    ids = workspace.search("store:graph", live=False).ids
    found = [
        id
        for id, each in zip(ids, workspace.memories(list(ids)), strict=True)
        if (each.subject, each.content) == (name, content)
    ]
    assert len(found) == 1, found
    return found[0]


# -- restoring into a renamed entity


def by_undo(graph: Workspace, id: int, entry_id: int | None) -> None:
    graph.undo(entry_id)


def by_restore(graph: Workspace, id: int, entry_id: int | None) -> None:
    graph.restore([id])


@pytest.mark.parametrize("bring_back", [by_undo, by_restore])
def test_an_observation_is_restored_into_its_renamed_entity(
    graph: Workspace, store_path: Path, bring_back: Callable[[Workspace, int, int | None], None]
) -> None:
    id = find_in_entity(graph, "Bo", "Likes ink")
    removed = graph.dismiss([id]).journal_id
    graph.edit([find_in_entity(graph, "Bo", "Likes milk")], {"subject": "Eva"})
    bring_back(graph, id, removed)
    assert store_path.read_bytes() == FILE.replace(b'"Bo"', b'"Eva"')
    assert memory(graph, id).subject == "Eva"


def test_an_observation_is_restored_next_to_one_of_an_agent(graph: Workspace, store_path: Path) -> None:
    id = find_in_entity(graph, "Bo", "Likes ink")
    removed = graph.dismiss([id]).journal_id
    graph.edit([find_in_entity(graph, "Bo", "Likes milk")], {"subject": "Eva"})
    store_path.write_bytes(store_path.read_bytes().replace(b'["Likes milk"]', b'["Likes beer"]'))
    graph.pull()
    graph.undo(removed)
    renamed = FILE.replace(b'"Bo"', b'"Eva"')
    assert store_path.read_bytes() == renamed.replace(
        b'"Likes ink","Likes milk"', b'"Likes beer","Likes ink"'
    )


def test_an_observation_does_not_follow_another_entity_with_its_name(
    graph: Workspace, store_path: Path
) -> None:
    tea = find_in_entity(graph, "Ana", "Likes tea")
    graph.dismiss([tea])
    graph.dismiss([find_in_entity(graph, "Ana")])
    renamed = graph.edit([find_in_entity(graph, "Bo", "Likes ink")], {"subject": "Ana"}).journal_id
    graph.undo(renamed)
    graph.restore([tea])
    assert memory(graph, tea).subject == "Ana"
    assert (
        b'"name":"Bo","entityType":"person","observations":["Likes ink","Likes milk"]'
        in store_path.read_bytes()
    )


# -- empty entities in the mirror


def test_an_emptied_entity_is_in_the_mirror_after_each_redo(graph: Workspace, store_path: Path) -> None:
    id = find_in_entity(graph, "Cy")
    graph.edit([id], {"content": "Likes ink"})
    graph.dismiss([id])
    graph.unrelate(find_in_entity(graph, "Cy"), "knows", find_in_entity(graph, "Ana", "Likes tea"))
    expected = store_path.read_bytes()
    for step in (*[graph.undo] * 3, *[graph.redo] * 3):
        step()
        assert_in_sync(graph)
    assert store_path.read_bytes() == expected
    assert memory(graph, find_in_entity(graph, "Cy")).status == "confirmed"


# -- removing from a list again


def test_a_restore_is_undone_though_another_observation_came_back_first(
    graph: Workspace, store_path: Path
) -> None:
    ink, milk = find_in_entity(graph, "Bo", "Likes ink"), find_in_entity(graph, "Bo", "Likes milk")
    first = graph.dismiss([ink]).journal_id
    graph.dismiss([milk])
    restored = graph.restore([milk]).journal_id
    graph.undo(first)
    graph.undo(restored)
    assert store_path.read_bytes() == FILE.replace(b',"Likes milk"', b"")
    graph.undo()
    assert store_path.read_bytes() == FILE


def test_an_addition_is_undone_though_all_neighbors_changed(graph: Workspace, store_path: Path) -> None:
    """What an agent wrote before and after the observation is kept."""
    added = graph.add({"content": "Likes beer", "subject": "Bo"}, "graph").journal_id
    data = store_path.read_bytes()
    for old, new in (
        (b'"Likes ink","Likes milk"', b'"Likes oil"'),
        (b'"Likes beer"', b'"Likes beer","Likes rye"'),
    ):
        data = data.replace(old, new)
    store_path.write_bytes(data)
    graph.pull()
    graph.undo(added)
    assert store_path.read_bytes() == data.replace(b'"Likes beer",', b"").replace(b',"Likes beer"', b"")


def test_an_addition_that_created_an_entity_is_not_undone_once_the_entity_changed(
    graph: Workspace, store_path: Path
) -> None:
    """The change of the entity has to be undone first."""
    added = graph.add({"content": "Likes beer", "subject": "Di"}, "graph").journal_id
    graph.edit([find_in_entity(graph, "Di", "Likes beer")], {"category": "place"})
    expected = store_path.read_bytes()
    with pytest.raises(Refused, match="changed since"):
        graph.undo(added)
    assert store_path.read_bytes() == expected


# -- changes of an entity through a memory that was removed


def remove_knows_relation(graph: Workspace) -> int | None:
    """Remove the relation from Ana to Bo, and return the entry's id."""
    return graph.unrelate(
        find_in_entity(graph, "Ana", "Likes tea"), "knows", find_in_entity(graph, "Bo", "Likes ink")
    ).journal_id


RELATED = b'\n{"type":"relation","from":"Ana","to":"Bo","relationType":"knows"}'


def test_a_relation_is_restored_though_its_memory_was_dismissed(graph: Workspace, store_path: Path) -> None:
    tea = find_in_entity(graph, "Ana", "Likes tea")
    unrelated = remove_knows_relation(graph)
    graph.dismiss([tea])
    graph.undo(unrelated)
    assert store_path.read_bytes() == FILE.replace(b'"Likes tea"', b"")
    assert (memory(graph, tea).status, memory(graph, tea).ref) == ("dismissed", "")
    graph.undo()
    assert store_path.read_bytes() == FILE


def test_a_relation_is_restored_to_an_entity_that_is_no_longer_empty(
    graph: Workspace, store_path: Path
) -> None:
    tea = find_in_entity(graph, "Ana", "Likes tea")
    dismissed = graph.dismiss([tea]).journal_id
    unrelated = graph.unrelate(
        find_in_entity(graph, "Ana"), "knows", find_in_entity(graph, "Bo", "Likes ink")
    ).journal_id
    assert store_path.read_bytes() == FILE.replace(b'"Likes tea"', b"").replace(RELATED, b"")
    graph.undo(dismissed)
    graph.undo(unrelated)
    assert store_path.read_bytes() == FILE
    graph.undo(graph.journal()[0].id)
    assert store_path.read_bytes() == FILE.replace(RELATED, b"")


def test_a_relation_is_restored_though_all_neighbors_changed(graph: Workspace, store_path: Path) -> None:
    unrelated = remove_knows_relation(graph)
    graph.edit([find_in_entity(graph, "Cy")], {"content": "Likes all"})
    data = store_path.read_bytes().replace(
        b'{"type":"relation","from":"Cy","to":"Ana","relationType":"knows"}', b""
    )
    store_path.write_bytes(data)
    graph.pull()
    graph.undo(unrelated)
    assert store_path.read_bytes() == data + RELATED[1:] + b"\n"


def test_a_relation_is_restored_to_a_renamed_entity(graph: Workspace, store_path: Path) -> None:
    ana, bo = find_in_entity(graph, "Ana", "Likes tea"), find_in_entity(graph, "Bo", "Likes ink")
    removed = graph.unrelate(ana, "knows", bo).journal_id
    renamed = graph.edit([bo], {"subject": "Bo Berg"}).journal_id
    graph.undo(removed)
    assert b'"from":"Ana","to":"Bo Berg","relationType":"knows"' in store_path.read_bytes()
    graph.undo(renamed)
    assert store_path.read_bytes() == FILE


def test_edits_of_an_empty_entity_are_undone_once_it_has_observations(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = [
        graph.dismiss([find_in_entity(graph, "Bo", content)]).journal_id
        for content in ("Likes ink", "Likes milk")
    ]
    edits = [
        graph.edit([find_in_entity(graph, "Bo")], {"category": "robot"}).journal_id,
        graph.edit([find_in_entity(graph, "Bo")], {"content": "Is a robot"}).journal_id,
    ]
    for entry_id in (*dismissed, *edits):
        graph.undo(entry_id)
    assert store_path.read_bytes() == FILE
    assert graph.pull().total == 0


def test_an_observation_added_to_an_empty_entity_is_undone_after_later_changes(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = graph.dismiss([find_in_entity(graph, "Ana", "Likes tea")]).journal_id
    empty = find_in_entity(graph, "Ana")
    filled = graph.edit([empty], {"content": "Is a robot"}).journal_id
    reworded = graph.edit([empty], {"content": "Is a ship"}).journal_id
    changed_by_agent = store_path.read_bytes().replace(b'"Likes ink",', b"")
    store_path.write_bytes(changed_by_agent)
    graph.pull()
    graph.undo(dismissed)
    with pytest.raises(Refused, match="changed since"):
        graph.undo(filled)
    graph.undo(reworded)
    graph.undo(filled)
    assert store_path.read_bytes() == FILE.replace(b'"Likes ink",', b"")
    assert_in_sync(graph)


@pytest.mark.parametrize("times", [1, 2])
def test_undoing_a_redo_by_its_entry_restores_the_bytes(
    graph: Workspace, store_path: Path, times: int
) -> None:
    spaced = FILE.replace(b'["Likes tea"]', b'[ "Likes tea" ]')
    store_path.write_bytes(spaced)
    graph.pull()
    graph.dismiss([find_in_entity(graph, "Ana", "Likes tea")])
    for _ in range(times):
        graph.undo()
        redone = graph.redo().journal_id
    filled = graph.edit([find_in_entity(graph, "Ana")], {"content": "Is a robot"}).journal_id
    graph.undo(redone)
    graph.undo(filled)
    assert store_path.read_bytes() == spaced


def test_a_relation_made_again_by_an_agent_is_not_duplicated(graph: Workspace, store_path: Path) -> None:
    unrelated = remove_knows_relation(graph)
    expected = store_path.read_bytes() + RELATED
    store_path.write_bytes(expected)
    graph.pull()
    with pytest.raises(Refused, match="already have this relation"):
        graph.undo(unrelated)
    assert store_path.read_bytes() == expected


@pytest.mark.parametrize("change", [{"subject": "Eva"}, {"category": "place"}])
def test_a_change_of_an_empty_entity_is_undone_once_it_has_observations(
    graph: Workspace, store_path: Path, change: dict[str, str]
) -> None:
    dismissed = graph.dismiss([find_in_entity(graph, "Ana", "Likes tea")]).journal_id
    changed = graph.edit([find_in_entity(graph, "Ana")], change).journal_id
    graph.undo(dismissed)
    assert_in_sync(graph)
    graph.undo(changed)
    assert store_path.read_bytes() == FILE
    for step in (*[graph.redo] * 2, *[graph.undo] * 2):
        step()
        assert_in_sync(graph)
    assert store_path.read_bytes() == FILE


# -- similar and equal texts


def test_similar_observations_are_restored_in_order(graph: Workspace, store_path: Path) -> None:
    """The former file is known, so positions are not searched by neighbors."""
    for name in ("a12", "a13", "a14", "a18"):
        graph.add({"content": name, "subject": "Di"}, "graph")
    expected = store_path.read_bytes()
    first, second = find_in_entity(graph, "Di", "a13"), find_in_entity(graph, "Di", "a14")
    graph.dismiss([first])
    graph.dismiss([second])
    graph.restore([first])
    for _ in range(3):
        graph.undo()
    assert store_path.read_bytes() == expected


def test_an_equal_text_of_an_agent_is_the_dismissed_memory_only_after_a_pull(
    graph: Workspace, store_path: Path
) -> None:
    id = find_in_entity(graph, "Bo", "Likes ink")
    edited = graph.edit([id], {"content": "Likes oil"}).journal_id
    graph.dismiss([id])
    expected = store_path.read_bytes().replace(b'["Likes milk"]', b'["Likes oil","Likes milk"]')
    store_path.write_bytes(expected)
    with pytest.raises(Refused, match="since been removed from its store"):
        graph.undo(edited)
    assert store_path.read_bytes() == expected
    # After a pull it is that memory.
    graph.pull()
    graph.undo(edited)
    assert store_path.read_bytes() == expected.replace(b"Likes oil", b"Likes ink")


def test_changes_of_a_memory_wait_for_its_undone_addition(graph: Workspace, store_path: Path) -> None:
    added = graph.add({"content": "Likes beer", "subject": "Bo"}, "graph")
    superseded = graph.supersede(added.ids, find_in_entity(graph, "Bo", "Likes ink")).journal_id
    restored = graph.restore(added.ids).journal_id
    graph.undo(added.journal_id)
    assert store_path.read_bytes() == FILE
    for entry_id in (superseded, restored):
        with pytest.raises(Refused, match="since been removed from its store; undo that first"):
            graph.undo(entry_id)
    assert store_path.read_bytes() == FILE


def test_an_observation_is_restored_though_its_entity_changed_type(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = graph.dismiss([find_in_entity(graph, "Bo", "Likes ink")]).journal_id
    changed = graph.edit([find_in_entity(graph, "Bo", "Likes milk")], {"category": "robot"}).journal_id
    bo = b'"name":"Bo","entityType":"person"'
    graph.undo(dismissed)
    assert store_path.read_bytes() == FILE.replace(bo, bo.replace(b"person", b"robot"))
    graph.undo(changed)
    assert store_path.read_bytes() == FILE
