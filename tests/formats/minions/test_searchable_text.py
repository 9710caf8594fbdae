"""`searchableText`, in which the minions SDK searches, follows the content of the memory (FORMATS 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.minions import Minions
from tests.support.stores.files import NOW, apply, read_tree, undo, write
from tests.support.stores.minions import item, make, read_minion

SDK = "k scout private k likes tea agent-run run-7"  # as the SDK writes it


def only_record(store: Minions) -> Record:
    (record,) = store.read().records
    return record


def searchable_text(store: Minions) -> str:
    return str(read_minion(store.root, 1)["searchableText"])


def test_a_new_memory_gets_the_searchable_text_of_the_sdk(tmp_path: Path) -> None:
    store = make(tmp_path)
    fields = {"content": "Bo likes Tea.", "title": "On Bo", "key": "drink", "owner": "ana", "scope": "fleet"}
    before = {record.ref for record in store.read().records}
    apply(store, Write("add", "", fields, {}, NOW))
    (record,) = (record for record in store.read().records if record.ref not in before)
    minion = json.loads((store.root / record.position[0]).read_bytes())
    assert minion["searchableText"] == "on bo ana fleet drink bo likes tea."


@pytest.mark.parametrize(
    ("stored", "fields", "after"),
    [
        # A writer's own form, with additional words: only the changed ones are replaced.
        ("k likes tea 2026", {"content": "Likes Ink"}, "k likes ink 2026"),
        ("k k likes tea", {"title": "Tee", "content": "Ink"}, "tee k ink"),
        # The SDK's form: values that stay are not mistaken for those that changed.
        (SDK, {"key": "likes", "content": "K"}, "k scout private likes k agent-run run-7"),
        # Anything else is replaced by the SDK's form.
        ("something else", {"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ("", {"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ("k", {"key": "tea"}, "k scout private tea likes tea agent-run run-7"),
    ],
)
def test_the_searchable_text_follows_an_edit(
    tmp_path: Path, stored: str, fields: dict[str, str], after: str
) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k", searchableText=stored))
    before = read_tree(store.root)
    plans = apply(store, write("edit", only_record(store), **fields))
    assert searchable_text(store) == after
    undo(store, plans)
    assert read_tree(store.root) == before


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ({"tags": ("a",)}, SDK),
        ({"confidence": 0.5}, SDK),
    ],
)
def test_an_edit_adds_a_missing_searchable_text(tmp_path: Path, fields: dict[str, Any], after: str) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k"))
    before = read_tree(store.root)
    plans = apply(store, write("edit", only_record(store), **fields))
    assert searchable_text(store) == after
    undo(store, plans)
    assert read_tree(store.root) == before


def test_an_edit_of_other_fields_leaves_the_searchable_text(tmp_path: Path) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", searchableText="of its writer"))
    apply(store, write("edit", only_record(store), tags=("a",)))
    assert searchable_text(store) == "of its writer"


@pytest.mark.parametrize("members", [{}, {"searchableText": SDK}, {"searchableText": "k likes tea 2026"}])
def test_the_searchable_text_follows_an_undo_below_a_later_edit(
    tmp_path: Path, members: dict[str, str]
) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k", **members))
    plans = apply(store, write("edit", only_record(store), content="Likes Ink"))
    apply(store, write("edit", only_record(store), key="drink"))
    undo(store, plans)
    assert "likes tea" in searchable_text(store)
    assert "drink" in searchable_text(store)
    assert "likes ink" not in searchable_text(store)
