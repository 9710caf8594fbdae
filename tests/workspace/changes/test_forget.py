"""Forgetting takes memories out of their stores, as each format deletes them; restore and undo put them back
byte by byte, until they are purged (S-106)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, workspace_rows
from tests.support.demo_workspace import refusal
from tests.support.sample_store import SampleStore
from tests.support.stores import mcp_memory


class Store(SampleStore):
    """A sample store, with what its records are and what searches find."""

    def refs(self) -> dict[int, str]:
        return {
            id: memory.ref for id, memory in zip(self.ids, self.workspace.memories(self.ids), strict=True)
        }

    def in_store(self) -> set[str]:
        """Return the refs of the records that the store itself has."""
        adapter = registry.by_name(self.format)(self.stores.store_paths[self.format])
        return {record.ref for record in adapter.read().records}

    def found(self, query: str) -> set[int]:
        return set(self.workspace.search(query, live=False).ids)


def opened(format: str, folder: Path) -> Iterator[Store]:
    stores = ContradictionStores(folder, (format,)).create()
    with stores.opened() as workspace:
        yield Store(stores, workspace, format)


@pytest.fixture(params=FORMATS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


@pytest.fixture
def minions(tmp_path: Path) -> Iterator[Store]:
    yield from opened("minions", tmp_path)


def test_forgotten_memories_leave_the_store_and_undo_puts_everything_back(store: Store) -> None:
    before, refs = store.everything(), store.refs()
    first, second, third, _ = store.ids
    change = store.workspace.forget([second, third])
    assert (change.kind, set(change.ids), change.skipped) == ("forgotten", {second, third}, ())
    assert store.found("is:removed") >= {second, third}
    assert store.found("") & {second, third} == set()
    assert first in store.found("")
    if store.format != "native":
        assert not store.in_store() & {refs[second], refs[third]}
        assert refs[first] in store.in_store()
    assert store.workspace.pull().total == 0
    store.workspace.undo()
    assert store.everything() == before
    store.workspace.redo()
    assert store.found("is:removed") >= {second, third}
    store.workspace.undo()
    assert store.everything() == before


def test_restore_brings_back_the_same_bytes(store: Store) -> None:
    before = store.everything()
    store.workspace.forget([store.ids[1]])
    assert store.everything() != before
    change = store.workspace.restore([store.ids[1]])
    assert change.ids == (store.ids[1],)
    assert store.everything() == before
    assert store.found("is:removed") == set()
    store.workspace.undo()
    assert store.found("is:removed") == {store.ids[1]}
    store.workspace.undo()
    assert store.everything() == before


def test_what_memtui_keeps_of_a_memory_comes_back_with_it(store: Store) -> None:
    id = store.ids[1]
    store.workspace.edit([id], {"note": "Ask Ana."})
    store.workspace.pin([id], "needed")
    before = store.workspace.memories([id])
    store.workspace.forget([id])
    store.workspace.restore([id])
    assert store.workspace.memories([id]) == before


def test_a_purge_ends_that_it_can_be_restored(store: Store) -> None:
    id = store.ids[1]
    store.workspace.forget([id])
    assert store.workspace.purge([id]).count == 1
    assert store.workspace.memories([id]) == []
    assert refusal(lambda: store.workspace.restore([id])).code == "nothing"


def test_a_memory_that_is_not_in_its_store_is_skipped(store: Store) -> None:
    first, second, *_ = store.ids
    store.workspace.forget([first])
    change = store.workspace.forget([first, second])
    assert change.ids == (second,)
    assert [each.reason for each in change.skipped] == ["It is no longer in its store."]


def test_relations_in_the_store_go_and_return(store: Store) -> None:
    second = store.ids[1]
    relations = workspace_rows(store.workspace)["relations"]
    store.workspace.forget([second])
    left = workspace_rows(store.workspace)["relations"]
    gone = {"base-coat", "cognitive"}
    assert (len(left) < len(relations)) == (store.format in gone)
    store.workspace.restore([second])
    assert workspace_rows(store.workspace)["relations"] == relations


def test_minions_record_the_deletion_with_reason_and_author(minions: Store) -> None:
    (memory,) = minions.workspace.memories([minions.ids[1]])
    minions.workspace.forget([minions.ids[1]])
    records = [fields for fields in _expiries(minions) if fields["memoryId"] == memory.ref]
    assert [(each["reason"], each["expiredBy"]) for each in records] == [("manual-delete", "person")]
    adapter = registry.by_name("minions")(minions.stores.store_paths["minions"])
    found = [each.text for each in adapter.read().findings if each.code == "dangling"]
    assert not any("Expiry" in text for text in found), "a record of what is gone is no finding"
    minions.workspace.undo()
    assert _expiries(minions) == []


def _expiries(store: Store) -> list[dict[str, Any]]:
    files = Path(store.stores.store_paths["minions"]).rglob("*.json")
    minions = [json.loads(file.read_text("utf-8")) for file in files]
    return [each["fields"] for each in minions if each["minionTypeId"].endswith("memory-expiry")]


def test_founder_os_reverts_the_adaptations(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os",)).create()
    with stores.opened() as workspace:
        id = stores.sample_ids(workspace, "founder-os")[1]
        before = _adaptations(stores)
        assert [row["reverted_at"] for row in before] == [("null", None)]
        workspace.forget([id])
        ((kind, _),) = [row["reverted_at"] for row in _adaptations(stores)]
        assert kind == "integer"
        workspace.restore([id])
        assert _adaptations(stores) == before


def _adaptations(stores: ContradictionStores) -> list[dict[str, Any]]:
    return list(stores.snapshot()["founder-os"]["adaptations"].values())


def test_a_change_by_an_agent_in_between_is_a_conflict(minions: Store) -> None:
    id = minions.ids[1]
    (memory,) = minions.workspace.memories([id])
    path = next(minions.stores.store_paths["minions"].rglob(f"{memory.ref}.json"))
    path.write_text(path.read_text("utf-8").replace("Friday", "Sunday"), "utf-8")
    assert refusal(lambda: minions.workspace.forget([id])).code == "conflict"
    assert path.exists()


def test_ids_in_selects_by_store_owner_and_key(minions: Store) -> None:
    workspace, memories = minions.workspace, minions.workspace.memories(minions.ids)
    assert set(workspace.ids_in(store="minions")) == set(minions.ids)
    owner = memories[0].owner or ""
    assert workspace.ids_in(owner=owner, key=memories[0].key or "") == [minions.ids[0]]
    assert workspace.ids_in(owner="nobody", key="key1") == []
    workspace.forget([minions.ids[0]])
    assert minions.ids[0] not in workspace.ids_in(store="minions")
    assert refusal(lambda: workspace.ids_in(store="nowhere")).code


def test_the_relations_of_a_forgotten_entity_are_told_before_and_after(tmp_path: Path) -> None:
    path = mcp_memory.make(
        tmp_path / "graph" / "memory.jsonl",
        "\n".join(
            mcp_memory.lines(
                mcp_memory.entity("Acme"),
                mcp_memory.entity("Bo", "Is in Bern"),
                mcp_memory.relation("Bo", "works_for", "Acme"),
            )
        ).encode(),
    ).root
    before = path.read_bytes()
    workspace = Workspace.open(tmp_path / "w.db")
    workspace.attach(path, "graph")
    ids = list(workspace.search("subject:Acme").ids)
    assert (
        "its only relation is removed and restored with it"
        in workspace.preview("forget", ids[:1], {})[0].text
    )
    assert "its only relation is removed" in workspace.forget(ids[:1]).summary
    assert b"works_for" not in path.read_bytes()
    workspace.undo()
    assert path.read_bytes() == before
    workspace.close()
