"""Forgetting all observations of an MCP entity: the entity stays, and is named, or goes with them and its
relations (S-106)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from memtui.workspace.workspace import Workspace
from tests.support.stores import mcp_memory

LINES = mcp_memory.lines(
    mcp_memory.entity("Ana", "one", "two", "three"),
    mcp_memory.entity("Bo", "four"),
    mcp_memory.entity("Cy"),
    mcp_memory.relation("Ana", "knows", "Bo"),
    mcp_memory.relation("Cy", "knows", "Ana"),
    mcp_memory.relation("Bo", "likes", "Cy"),
)
GOES = "the entity “Ana” goes, too; their 2 relations are removed and restored with them"
STAYS = "the entity “Ana” stays, without observations; their 2 relations stay unchanged"


class Store:
    """An MCP memory file that is attached, and the ids of its memories by text."""

    def __init__(self, workspace: Workspace, file: Path) -> None:
        self.workspace, self.file, self.before = workspace, file, file.read_bytes()
        ids = list(workspace.search("").ids)
        self.ids = dict(zip((each.content for each in workspace.memories(ids)), ids, strict=True))
        self.ana = [self.ids[text] for text in ("one", "two", "three")]

    def found(self, query: str = "") -> set[int]:
        return set(self.workspace.search(query).ids)

    def does(self, ids: list[int], *, with_entities: bool) -> str:
        """Return what the preview says besides what it says about each memory."""
        (preview,) = self.workspace.preview("forget", ids, with_entities=with_entities)
        return preview.text.partition("; ")[2]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    file = mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(LINES).encode()).root
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        workspace.attach(file, name="m")
        yield Store(workspace, file)


def test_an_entity_goes_with_its_observations_and_relations_and_one_undo_restores_the_bytes(
    store: Store,
) -> None:
    entries = len(store.workspace.journal())
    assert store.does(store.ana, with_entities=True) == GOES
    change = store.workspace.forget(store.ana, with_entities=True)
    assert change.summary == f"Forgot 3 memories in m (memory.jsonl); {GOES}"
    assert len(store.workspace.journal()) == entries + 1
    after = store.file.read_bytes()
    assert after == "\n".join([LINES[1], LINES[2], LINES[5]]).encode()
    assert store.found() == {store.ids["four"], store.ids[""]}
    assert store.workspace.pull().total == 0
    for expected in (store.before, after, store.before):
        (store.workspace.redo if expected == after else store.workspace.undo)()
        assert store.file.read_bytes() == expected
    assert store.found() == set(store.ids.values())
    assert store.found("is:removed") == set()


def test_an_entity_stays_where_its_observations_were_chosen_one_by_one(store: Store) -> None:
    assert store.does(store.ana, with_entities=False) == STAYS
    assert store.workspace.forget(store.ana).summary == f"Forgot 3 memories in m (memory.jsonl); {STAYS}"
    assert b'"name":"Ana"' in store.file.read_bytes()
    store.workspace.undo()
    assert "the entity “Ana” stays" in store.workspace.dismiss(store.ana).summary
    store.workspace.undo()
    assert store.file.read_bytes() == store.before


def test_an_entity_with_another_observation_stays_unmentioned(store: Store) -> None:
    assert store.does(store.ana[:2], with_entities=True) == "their 2 relations stay unchanged"
    assert "entity" not in store.workspace.forget(store.ana[:2], with_entities=True).summary
    assert store.workspace.memories(store.ana[2:])[0].ref
    assert "“Ana” goes, too" in store.workspace.forget(store.ana[2:], with_entities=True).summary
    store.workspace.undo()
    store.workspace.undo()
    assert store.file.read_bytes() == store.before


def test_all_entities_of_a_store_go_part_by_part(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)
    change = store.workspace.forget(list(store.ids.values()), JobControl(), with_entities=True)
    assert "; 2 entities go, too; their 3 relations are removed" in change.summary
    assert store.file.read_bytes() == b""
    store.workspace.undo()
    assert store.file.read_bytes() == store.before


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_its_observations_can_be_restored_one_by_one(store: Store, order: tuple[int, ...]) -> None:
    store.workspace.forget(store.ana, with_entities=True)
    for place in order:
        store.workspace.restore([store.ana[place]])
    assert store.file.read_bytes() == store.before


def test_undo_joins_an_entity_that_an_agent_made_again(store: Store) -> None:
    store.workspace.forget(store.ana, with_entities=True)
    again = mcp_memory.lines(mcp_memory.entity("Ana", "new"))[0]
    store.file.write_bytes(store.file.read_bytes() + b"\n" + again.encode())
    store.workspace.pull()
    store.workspace.undo()
    lines = store.file.read_text("utf-8").splitlines()
    assert len([line for line in lines if '"name":"Ana"' in line]) == 1
    assert set(lines) >= {*LINES[1:]}
    assert store.found() >= {*store.ids.values()}
    assert store.workspace.pull().total == 0
