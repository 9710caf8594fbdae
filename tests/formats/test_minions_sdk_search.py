"""Where the minions SDK searches for words: `searchableText` says what the memory says (FORMATS 2)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.formats.base import Record, Write
from memtui.formats.minions import Minions
from tests.support.stores.files import NOW, do, the, tree, undo, write
from tests.support.stores.minions import item, make, told


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


def test_an_edit_gives_one_to_a_minion_without_where_the_sdk_writes(tmp_path: Path) -> None:
    others = item(2, "j", "Likes Milk", searchableText="j likes milk")
    store = make(tmp_path, item(1, "k", "Likes Tea", title="k"), others)
    before = tree(store.root)
    plans = do(store, write("edit", the(store, "Likes Tea"), content="Likes Ink"))
    assert told(store.root, 1)["searchableText"] == "k scout private k likes ink agent-run run-7"
    undo(store, plans)
    assert tree(store.root) == before


def test_what_says_nothing_new_leaves_it(tmp_path: Path) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", searchableText="of its writer"))
    do(store, write("edit", only(store), tags=("a",)))
    assert searched(store) == "of its writer"
