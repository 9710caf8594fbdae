"""Each field that a user sets goes into the store where its format has it, else memtui keeps it; undo puts
everything back (S-4, S-8, S-50, S-51)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, workspace_rows
from tests.support.demo_workspace import refusal
from tests.support.sizes import sample_cases

DAY = 86_400.0
FUTURE = 1_800_000_000.0  # after the samples were created
# The fields of an edit that each format stores itself.
STORED = {
    "native": {"note", "scope", "importance", "confidence", "expires_at", "valid_from", "valid_to"},
    "founder-os": {"confidence", "expires_at"},
    "minions": {"scope", "confidence", "expires_at"},
    "mem-skill": {"confidence", "valid_from", "valid_to"},
    "base-coat": {"confidence", "expires_at"},
    "base-coat-shared": {"confidence"},
    "cognitive": {"importance", "confidence"},
    "claude-code": set[str](),
    "mcp-memory": set[str](),
}


class Store:
    """One store of a format, attached, and the memory without relations in it."""

    def __init__(self, stores: ContradictionStores, workspace: Workspace, format: str) -> None:
        self.stores, self.workspace, self.format = stores, workspace, format
        self.id = stores.sample_ids(workspace, format)[3]

    def memory(self, id: int | None = None) -> Memory:
        (memory,) = self.workspace.memories([self.id if id is None else id])
        return memory

    def everything(self) -> object:
        return self.stores.snapshot(), workspace_rows(self.workspace)

    def values(self) -> dict[str, Any]:
        return {
            "note": "Ask Ana.",
            "scope": "fleet",
            "importance": 0.8,
            "confidence": 0.85,
            "expires_at": FUTURE + 90 * DAY,
            "valid_from": FUTURE,
            "valid_to": FUTURE + 60 * DAY,
        }

    def record(self, ref: str) -> dict[str, Any]:
        """Return the fields of a record as its store has them."""
        adapter = registry.by_name(self.format)(self.stores.store_paths[self.format])
        return dict(adapter.read_refs([ref])[ref].fields)


@pytest.fixture(params=FORMATS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def opened(format: str, folder: Path) -> Iterator[Store]:
    stores = ContradictionStores(folder, (format,)).create()
    with stores.opened() as workspace:
        yield Store(stores, workspace, format)


@pytest.fixture
def minions(tmp_path: Path) -> Iterator[Store]:
    yield from opened("minions", tmp_path)


@pytest.fixture
def founder_os(tmp_path: Path) -> Iterator[Store]:
    yield from opened("founder-os", tmp_path)


@pytest.fixture
def base_coat(tmp_path: Path) -> Iterator[Store]:
    yield from opened("base-coat", tmp_path)


def test_all_fields_are_edited_at_once_and_undone(store: Store) -> None:
    before, values = store.everything(), store.values()
    change = store.workspace.edit([store.id], values)
    memory = store.memory()
    assert {name: getattr(memory, name) for name in values} == values
    if store.format != "native":
        record = store.record(memory.ref)
        stored = {name for name, value in values.items() if record.get(name) == value}
        assert stored == STORED[store.format]
        for name in values.keys() - stored:
            assert not stored or name in change.summary.partition("kept only in memtui: ")[2]
        assert stored or change.summary.endswith("kept in memtui")
    store.workspace.pull()
    assert store.memory() == memory
    store.workspace.undo()
    assert store.everything() == before
    store.workspace.redo()
    assert store.memory() == memory
    store.workspace.undo()
    assert store.everything() == before


@pytest.mark.parametrize(
    "name", sample_cases(["note", "scope", "importance", "confidence", "expires_at", "valid_to"], 3)
)
def test_a_field_is_cleared_unless_every_memory_of_the_format_has_it(store: Store, name: str) -> None:
    store.workspace.edit([store.id], {name: store.values()[name]})
    before, required = store.everything(), ("confidence", "scope", "importance")
    if store.format != "native" and name in STORED[store.format] and name in required:
        refused = refusal(lambda: store.workspace.edit([store.id], {name: None}))
        assert refused.code == "required"
        assert name in refused.message
        assert store.everything() == before
        return
    store.workspace.edit([store.id], {name: None})
    assert getattr(store.memory(), name) is None
    store.workspace.undo()
    assert store.everything() == before


def test_a_memory_is_added_with_all_fields_and_undone(store: Store) -> None:
    before = store.stores.snapshot()
    given = {**store.values(), "kind": "item", "owner": "scout", "source_ref": "a call", "tags": ("new",)}
    given |= {"content": "Sits at the window.", "subject": "team:window"}
    change = store.workspace.add(given, store.format)
    memory = store.memory(change.ids[0])
    assert {name: getattr(memory, name) for name in given} == given
    if store.format != "native":
        record = store.record(memory.ref)
        kept = {name for name in given if record.get(name) != given[name]} - {"kind"}
        assert set(change.summary.partition("kept only in memtui: ")[2].split(", ")) - {""} == kept
    store.workspace.pull()
    assert store.memory(change.ids[0]) == memory
    store.workspace.undo()
    if store.format != "mem-skill":  # its audit only grows
        assert store.stores.snapshot() == before


def test_the_user_is_recorded_as_the_source_as_the_format_does_it(store: Store) -> None:
    fields = {"content": "Sits at the window.", "subject": "team:window"}
    memory = store.memory(store.workspace.add(fields, store.format).ids[0])
    assert (memory.source_type, memory.source_ref) == {
        "native": ("user", None),
        "founder-os": ("user", "User"),
        "minions": ("user", None),
        "mem-skill": (None, "memtui"),
        "base-coat": (None, "user"),
        "claude-code": ("claude-code", None),
    }.get(store.format, (None, None))


def test_a_kind_that_the_format_cannot_store_is_refused(store: Store) -> None:
    before = store.stores.snapshot()
    fields = {"content": "Sits at the window.", "subject": "team:window", "kind": "lesson"}
    if store.format in ("native", "minions"):
        memory = store.memory(store.workspace.add(fields, store.format).ids[0])
        assert memory.kind == "lesson"
        return
    refused = refusal(lambda: store.workspace.add(fields, store.format))
    assert refused.code == "kind"
    assert "only: item" in refused.message
    assert store.stores.snapshot() == before


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"confidence": 1.2}, "confidence", "between 0 and 1"),
        ({"importance": -0.1}, "importance", "between 0 and 1"),
        ({"scope": "everybody"}, "scope", "private, fleet, session"),
        ({"expires_at": 1e18}, "expires_at", "out of range"),
        ({"valid_from": 2e9, "valid_to": 1e9}, "valid_to", "valid to (2001-09-09"),
        ({"expires_at": 1.0}, "expires_at", "is before creation"),
    ],
)
def test_a_wrong_value_is_refused_by_name(
    founder_os: Store, fields: dict[str, Any], code: str, words: str
) -> None:
    before = founder_os.everything()
    for refused in (
        refusal(lambda: founder_os.workspace.edit([founder_os.id], fields)),
        refusal(lambda: founder_os.workspace.add({"content": "x", **fields}, "founder-os")),
    ):
        assert refused.code == code
        assert words in refused.message
    assert founder_os.everything() == before


def test_the_end_is_compared_with_the_beginning_that_the_memory_has(founder_os: Store) -> None:
    founder_os.workspace.edit([founder_os.id], {"valid_from": 2e9})
    refused = refusal(lambda: founder_os.workspace.edit([founder_os.id], {"valid_to": 1e9}))
    assert refused.code == "valid_to"
    founder_os.workspace.edit([founder_os.id], {"note": "other fields can be changed"})


def test_minions_store_no_confidence_above_095(minions: Store) -> None:
    change = minions.workspace.edit([minions.id], {"confidence": 1.0})
    assert minions.memory().confidence == 0.95
    assert change.summary.endswith("minions stores confidence 1 as 0.95")
    refused = refusal(lambda: minions.workspace.edit([minions.id], {"confidence": 0.99}))
    assert refused.reason == "minions stores confidence 0.99 as 0.95"
    added = minions.workspace.add({"content": "x", "confidence": 0.99}, "minions")
    assert minions.memory(added.ids[0]).confidence == 0.95
    assert added.summary.endswith("minions stores confidence 0.99 as 0.95")


def test_founder_os_stores_whole_percents(founder_os: Store) -> None:
    change = founder_os.workspace.edit([founder_os.id], {"confidence": 0.856})
    assert founder_os.memory().confidence == 0.86
    assert change.summary.endswith("founder-os stores confidence 0.856 as 0.86")


def test_base_coat_confidence_neither_dismisses_nor_restores(base_coat: Store) -> None:
    before = base_coat.everything()
    refused = refusal(lambda: base_coat.workspace.edit([base_coat.id], {"confidence": 0.0}))
    assert refused.code == "confidence"
    assert base_coat.everything() == before
    base_coat.workspace.dismiss([base_coat.id])
    refused = refusal(lambda: base_coat.workspace.edit([base_coat.id], {"confidence": 0.5}))
    assert (refused.code, refused.hint) == ("confidence", "Restore it first.")


def test_an_owner_is_never_guessed_where_there_are_several(minions: Store) -> None:
    minions.workspace.add({"content": "Likes tea.", "owner": "butler"}, "minions")
    before = minions.stores.snapshot()
    refused = refusal(lambda: minions.workspace.add({"content": "Likes milk."}, "minions"))
    assert refused.code == "owner"
    assert "butler" in refused.message
    assert minions.stores.snapshot() == before
    added = minions.workspace.add({"content": "Likes milk.", "owner": "butler"}, "minions")
    assert minions.memory(added.ids[0]).owner == "butler"
