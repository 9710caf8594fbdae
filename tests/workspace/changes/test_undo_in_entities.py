"""Undo where memories belong to entities: what was changed of these outlives a memory of theirs (S-51)."""

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


def of(workspace: Workspace, name: str, content: str = "") -> int:
    """The memory of an entity that says this; without a text, the bare entity."""
    ids = workspace.search("store:graph", live=False).ids
    found = [
        id
        for id, each in zip(ids, workspace.memories(list(ids)), strict=True)
        if (each.subject, each.content) == (name, content)
    ]
    assert len(found) == 1, found
    return found[0]


# -- what comes back into an entity that was renamed


def by_undo(graph: Workspace, id: int, line: int | None) -> None:
    graph.undo(line)


def by_restore(graph: Workspace, id: int, line: int | None) -> None:
    graph.restore([id])


@pytest.mark.parametrize("back", [by_undo, by_restore])
def test_an_observation_comes_back_into_its_entity_by_its_new_name(
    graph: Workspace, store_path: Path, back: Callable[[Workspace, int, int | None], None]
) -> None:
    id = of(graph, "Bo", "Likes ink")
    gone = graph.dismiss([id]).journal_id
    graph.edit([of(graph, "Bo", "Likes milk")], {"subject": "Eva"})
    back(graph, id, gone)
    assert store_path.read_bytes() == FILE.replace(b'"Bo"', b'"Eva"')
    assert memory(graph, id).subject == "Eva"


def test_it_comes_back_beside_what_an_agent_said_of_it_meanwhile(graph: Workspace, store_path: Path) -> None:
    id = of(graph, "Bo", "Likes ink")
    gone = graph.dismiss([id]).journal_id
    graph.edit([of(graph, "Bo", "Likes milk")], {"subject": "Eva"})
    store_path.write_bytes(store_path.read_bytes().replace(b'["Likes milk"]', b'["Likes beer"]'))
    graph.pull()
    graph.undo(gone)
    renamed = FILE.replace(b'"Bo"', b'"Eva"')
    assert store_path.read_bytes() == renamed.replace(
        b'"Likes ink","Likes milk"', b'"Likes beer","Likes ink"'
    )


def test_it_does_not_follow_another_entity_that_had_its_name_for_a_while(
    graph: Workspace, store_path: Path
) -> None:
    tea = of(graph, "Ana", "Likes tea")
    graph.dismiss([tea])
    graph.dismiss([of(graph, "Ana")])
    renamed = graph.edit([of(graph, "Bo", "Likes ink")], {"subject": "Ana"}).journal_id
    graph.undo(renamed)
    graph.restore([tea])
    assert memory(graph, tea).subject == "Ana"
    assert (
        b'"name":"Bo","entityType":"person","observations":["Likes ink","Likes milk"]'
        in store_path.read_bytes()
    )


# -- what is seen of an entity that says nothing


def test_an_entity_that_was_filled_and_emptied_is_seen_after_each_redo(
    graph: Workspace, store_path: Path
) -> None:
    id = of(graph, "Cy")
    graph.edit([id], {"content": "Likes ink"})
    graph.dismiss([id])
    graph.unrelate(of(graph, "Cy"), "knows", of(graph, "Ana", "Likes tea"))
    there = store_path.read_bytes()
    for step in (*[graph.undo] * 3, *[graph.redo] * 3):
        step()
        assert_in_sync(graph)
    assert store_path.read_bytes() == there
    assert memory(graph, of(graph, "Cy")).status == "confirmed"


# -- what is taken out of a list again


def test_what_was_restored_goes_again_though_another_came_back_before_it(
    graph: Workspace, store_path: Path
) -> None:
    ink, milk = of(graph, "Bo", "Likes ink"), of(graph, "Bo", "Likes milk")
    first = graph.dismiss([ink]).journal_id
    graph.dismiss([milk])
    restored = graph.restore([milk]).journal_id
    graph.undo(first)
    graph.undo(restored)
    assert store_path.read_bytes() == FILE.replace(b',"Likes milk"', b"")
    graph.undo()
    assert store_path.read_bytes() == FILE


def test_what_was_added_goes_again_though_all_beside_it_changed(graph: Workspace, store_path: Path) -> None:
    """An agent filled the file before it and behind it; all that it says stays."""
    added = graph.add({"content": "Likes beer", "subject": "Bo"}, "graph").journal_id
    beside = store_path.read_bytes()
    for old, new in (
        (b'"Likes ink","Likes milk"', b'"Likes oil"'),
        (b'"Likes beer"', b'"Likes beer","Likes rye"'),
    ):
        beside = beside.replace(old, new)
    store_path.write_bytes(beside)
    graph.pull()
    graph.undo(added)
    assert store_path.read_bytes() == beside.replace(b'"Likes beer",', b"").replace(b',"Likes beer"', b"")


def test_an_entity_that_came_with_what_was_added_does_not_stay_empty(
    graph: Workspace, store_path: Path
) -> None:
    """Where it became something else since, that is undone first."""
    added = graph.add({"content": "Likes beer", "subject": "Di"}, "graph").journal_id
    graph.edit([of(graph, "Di", "Likes beer")], {"category": "place"})
    there = store_path.read_bytes()
    with pytest.raises(Refused, match="changed since"):
        graph.undo(added)
    assert store_path.read_bytes() == there


# -- what was changed of an entity by way of a memory that stands no more


def knows(graph: Workspace) -> int | None:
    """Bo is known no more."""
    return graph.unrelate(of(graph, "Ana", "Likes tea"), "knows", of(graph, "Bo", "Likes ink")).journal_id


RELATED = b'\n{"type":"relation","from":"Ana","to":"Bo","relationType":"knows"}'


def test_a_relation_comes_back_after_the_memory_by_which_it_was_taken_away(
    graph: Workspace, store_path: Path
) -> None:
    tea = of(graph, "Ana", "Likes tea")
    unrelated = knows(graph)
    graph.dismiss([tea])
    graph.undo(unrelated)
    assert store_path.read_bytes() == FILE.replace(b'"Likes tea"', b"")
    assert (memory(graph, tea).status, memory(graph, tea).ref) == ("dismissed", "")
    graph.undo()
    assert store_path.read_bytes() == FILE


def test_a_relation_comes_back_to_an_entity_that_is_bare_no_more(graph: Workspace, store_path: Path) -> None:
    tea = of(graph, "Ana", "Likes tea")
    dismissed = graph.dismiss([tea]).journal_id
    unrelated = graph.unrelate(of(graph, "Ana"), "knows", of(graph, "Bo", "Likes ink")).journal_id
    assert store_path.read_bytes() == FILE.replace(b'"Likes tea"', b"").replace(RELATED, b"")
    graph.undo(dismissed)
    graph.undo(unrelated)
    assert store_path.read_bytes() == FILE
    graph.undo(graph.journal()[0].id)
    assert store_path.read_bytes() == FILE.replace(RELATED, b"")


def test_a_relation_comes_back_where_all_beside_it_changed(graph: Workspace, store_path: Path) -> None:
    unrelated = knows(graph)
    graph.edit([of(graph, "Cy")], {"content": "Likes all"})
    beside = store_path.read_bytes().replace(
        b'{"type":"relation","from":"Cy","to":"Ana","relationType":"knows"}', b""
    )
    store_path.write_bytes(beside)
    graph.pull()
    graph.undo(unrelated)
    assert store_path.read_bytes() == beside + RELATED[1:] + b"\n"


def test_a_relation_comes_back_to_an_entity_by_its_new_name(graph: Workspace, store_path: Path) -> None:
    ana, bo = of(graph, "Ana", "Likes tea"), of(graph, "Bo", "Likes ink")
    gone = graph.unrelate(ana, "knows", bo).journal_id
    renamed = graph.edit([bo], {"subject": "Bo Berg"}).journal_id
    graph.undo(gone)
    assert b'"from":"Ana","to":"Bo Berg","relationType":"knows"' in store_path.read_bytes()
    graph.undo(renamed)
    assert store_path.read_bytes() == FILE


def test_an_entity_that_was_edited_while_it_was_bare_goes_back_once_it_is_not(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = [
        graph.dismiss([of(graph, "Bo", content)]).journal_id for content in ("Likes ink", "Likes milk")
    ]
    edits = [
        graph.edit([of(graph, "Bo")], {"category": "robot"}).journal_id,
        graph.edit([of(graph, "Bo")], {"content": "Is a robot"}).journal_id,
    ]
    for line in (*dismissed, *edits):
        graph.undo(line)
    assert store_path.read_bytes() == FILE
    assert graph.pull().total == 0


def test_what_a_bare_entity_was_made_to_say_goes_though_others_wrote_and_it_says_more(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = graph.dismiss([of(graph, "Ana", "Likes tea")]).journal_id
    bare = of(graph, "Ana")
    filled = graph.edit([bare], {"content": "Is a robot"}).journal_id
    reworded = graph.edit([bare], {"content": "Is a ship"}).journal_id
    theirs = store_path.read_bytes().replace(b'"Likes ink",', b"")
    store_path.write_bytes(theirs)
    graph.pull()
    graph.undo(dismissed)
    with pytest.raises(Refused, match="changed since"):
        graph.undo(filled)
    graph.undo(reworded)
    graph.undo(filled)
    assert store_path.read_bytes() == FILE.replace(b'"Likes ink",', b"")
    assert_in_sync(graph)


@pytest.mark.parametrize("times", [1, 2])
def test_the_very_bytes_return_where_a_redo_was_taken_back_by_its_own_line(
    graph: Workspace, store_path: Path, times: int
) -> None:
    spaced = FILE.replace(b'["Likes tea"]', b'[ "Likes tea" ]')
    store_path.write_bytes(spaced)
    graph.pull()
    graph.dismiss([of(graph, "Ana", "Likes tea")])
    for _ in range(times):
        graph.undo()
        redone = graph.redo().journal_id
    filled = graph.edit([of(graph, "Ana")], {"content": "Is a robot"}).journal_id
    graph.undo(redone)
    graph.undo(filled)
    assert store_path.read_bytes() == spaced


def test_a_relation_that_an_agent_made_again_does_not_come_twice(graph: Workspace, store_path: Path) -> None:
    unrelated = knows(graph)
    there = store_path.read_bytes() + RELATED
    store_path.write_bytes(there)
    graph.pull()
    with pytest.raises(Refused, match="related so already"):
        graph.undo(unrelated)
    assert store_path.read_bytes() == there


@pytest.mark.parametrize("change", [{"subject": "Eva"}, {"category": "place"}])
def test_what_an_entity_was_comes_back_once_it_is_bare_no_more(
    graph: Workspace, store_path: Path, change: dict[str, str]
) -> None:
    dismissed = graph.dismiss([of(graph, "Ana", "Likes tea")]).journal_id
    changed = graph.edit([of(graph, "Ana")], change).journal_id
    graph.undo(dismissed)
    assert_in_sync(graph)
    graph.undo(changed)
    assert store_path.read_bytes() == FILE
    for step in (*[graph.redo] * 2, *[graph.undo] * 2):
        step()
        assert_in_sync(graph)
    assert store_path.read_bytes() == FILE


# -- lists whose texts are alike


def test_two_that_are_alike_come_back_in_their_order(graph: Workspace, store_path: Path) -> None:
    """What the file was is known: the place of each is not looked for by what stands around it."""
    for name in ("a12", "a13", "a14", "a18"):
        graph.add({"content": name, "subject": "Di"}, "graph")
    there = store_path.read_bytes()
    one, other = of(graph, "Di", "a13"), of(graph, "Di", "a14")
    graph.dismiss([one])
    graph.dismiss([other])
    graph.restore([one])
    for _ in range(3):
        graph.undo()
    assert store_path.read_bytes() == there


def test_an_agents_equal_text_that_was_not_seen_is_not_taken_for_the_memory_that_was_dismissed(
    graph: Workspace, store_path: Path
) -> None:
    id = of(graph, "Bo", "Likes ink")
    edited = graph.edit([id], {"content": "Likes oil"}).journal_id
    graph.dismiss([id])
    there = store_path.read_bytes().replace(b'["Likes milk"]', b'["Likes oil","Likes milk"]')
    store_path.write_bytes(there)
    with pytest.raises(Refused, match="taken out of its store since"):
        graph.undo(edited)
    assert store_path.read_bytes() == there
    # Once it is seen, it is that memory.
    graph.pull()
    graph.undo(edited)
    assert store_path.read_bytes() == there.replace(b"Likes oil", b"Likes ink")


def test_what_became_of_a_memory_waits_for_its_addition_that_was_taken_back(
    graph: Workspace, store_path: Path
) -> None:
    added = graph.add({"content": "Likes beer", "subject": "Bo"}, "graph")
    gave_way = graph.supersede(added.ids, of(graph, "Bo", "Likes ink")).journal_id
    restored = graph.restore(added.ids).journal_id
    graph.undo(added.journal_id)
    assert store_path.read_bytes() == FILE
    for line in (gave_way, restored):
        with pytest.raises(Refused, match="taken out of its store since; undo that first"):
            graph.undo(line)
    assert store_path.read_bytes() == FILE


def test_an_observation_comes_back_to_its_place_though_its_entity_is_something_else_by_now(
    graph: Workspace, store_path: Path
) -> None:
    dismissed = graph.dismiss([of(graph, "Bo", "Likes ink")]).journal_id
    changed = graph.edit([of(graph, "Bo", "Likes milk")], {"category": "robot"}).journal_id
    bo = b'"name":"Bo","entityType":"person"'
    graph.undo(dismissed)
    assert store_path.read_bytes() == FILE.replace(bo, bo.replace(b"person", b"robot"))
    graph.undo(changed)
    assert store_path.read_bytes() == FILE
