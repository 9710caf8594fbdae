"""Where the minions SDK searches for words: `searchableText` says what the memory says (FORMATS 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.formats.contract.adapter import Record, Write
from memtui.formats.minions import Minions
from tests.support.stores.files import NOW, do, tree, undo, write
from tests.support.stores.minions import item, make, told

SDK = "k scout private k likes tea agent-run run-7"  # as the SDK writes it


def only(store: Minions) -> Record:
    (record,) = store.read().records
    return record


def searched(store: Minions) -> str:
    return str(told(store.root, 1)["searchableText"])


def test_a_new_memory_is_found_by_all_that_it_says(tmp_path: Path) -> None:
    store = make(tmp_path)
    fields = {"content": "Bo likes Tea.", "title": "On Bo", "key": "drink", "owner": "ana", "scope": "fleet"}
    before = {record.ref for record in store.read().records}
    do(store, Write("add", "", fields, {}, NOW))
    (record,) = (each for each in store.read().records if each.ref not in before)
    minion = json.loads((store.root / record.at[0]).read_bytes())
    assert minion["searchableText"] == "on bo ana fleet drink bo likes tea."


@pytest.mark.parametrize(
    ("there", "changed", "after"),
    [
        # In the form of its writer, with what else stands in it.
        ("k likes tea 2026", {"content": "Likes Ink"}, "k likes ink 2026"),
        ("k k likes tea", {"title": "Tee", "content": "Ink"}, "tee k ink"),
        # By the SDK's rule, where it stands so: what stays is not taken for what changed.
        (SDK, {"key": "likes", "content": "K"}, "k scout private likes k agent-run run-7"),
        # By the SDK's rule, where that form is lost.
        ("something else", {"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ("", {"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ("k", {"key": "tea"}, "k scout private tea likes tea agent-run run-7"),
    ],
)
def test_what_the_sdk_searches_in_follows_an_edit(
    tmp_path: Path, there: str, changed: dict[str, str], after: str
) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k", searchableText=there))
    before = tree(store.root)
    plans = do(store, write("edit", only(store), **changed))
    assert searched(store) == after
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("changed", "after"),
    [
        ({"content": "Likes Ink"}, "k scout private k likes ink agent-run run-7"),
        ({"tags": ("a",)}, SDK),
        ({"confidence": 0.5}, SDK),
    ],
)
def test_every_edit_gives_one_to_a_minion_without(
    tmp_path: Path, changed: dict[str, Any], after: str
) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k"))
    before = tree(store.root)
    plans = do(store, write("edit", only(store), **changed))
    assert searched(store) == after
    undo(store, plans)
    assert tree(store.root) == before


def test_what_says_nothing_new_leaves_it(tmp_path: Path) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", searchableText="of its writer"))
    do(store, write("edit", only(store), tags=("a",)))
    assert searched(store) == "of its writer"


@pytest.mark.parametrize("more", [{}, {"searchableText": SDK}, {"searchableText": "k likes tea 2026"}])
def test_an_undo_before_a_later_edit_is_followed(tmp_path: Path, more: dict[str, str]) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k", **more))
    one = do(store, write("edit", only(store), content="Likes Ink"))
    do(store, write("edit", only(store), key="drink"))
    undo(store, one)
    assert "likes tea" in searched(store)
    assert "drink" in searched(store)
    assert "likes ink" not in searched(store)
