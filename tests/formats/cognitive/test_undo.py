"""Cognitive Memory: undo in any order, use counts, and interrupted writes."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.plans import WriteState
from tests.formats.cognitive.support import change_of, changed_files, codes, related
from tests.support.sizes import sample_cases, shard
from tests.support.stores.cognitive import (
    DAY_AT,
    DEPLOY,
    DROPS,
    FILES,
    INDEX,
    INSIGHT,
    REDIS,
    REDIS_AT,
    REDIS_FILE,
    SOCKETS,
    make,
)
from tests.support.stores.files import NOW, apply, read_tree, record_with, undo, write

ACTIONS = {
    "pin": lambda store: change_of(store, REDIS, "pin", pinned=True),
    "rename": lambda store: change_of(store, REDIS, "edit", title="Redis keepalive: on"),
    "edit": lambda store: change_of(store, REDIS, "edit", content="Another text.", tags=("x",)),
    "type": lambda store: change_of(store, REDIS, "edit", category="fix"),
    "relate": lambda store: related(REDIS, "FOLLOWS", INSIGHT, body="A description."),
    "relate back": lambda store: related(DEPLOY, "CAUSES", INSIGHT),
    "relate more": lambda store: related(INSIGHT, "CAUSES", DROPS),
    "rename the other": lambda store: change_of(store, DROPS, "edit", title="Drops"),
    "pin the other": lambda store: change_of(store, DROPS, "pin", pinned=True),
    "rename the insight": lambda store: change_of(store, INSIGHT, "edit", title="Look at defaults"),
    "pin the insight": lambda store: change_of(store, INSIGHT, "pin", pinned=True),
    "dismiss another": lambda store: change_of(store, SOCKETS, "dismiss"),
    "add": lambda store: write("add", content="New."),
}


# Pinning and changing the type both move the file, so these pairs are always tried.
PAIRS = [
    *(("type", "pin"), ("pin", "type")),
    *sample_cases([pair for pair in itertools.permutations(ACTIONS, 2) if {*pair} != {"pin", "type"}], 22),
]


@pytest.mark.parametrize(
    ("number", "first", "second"), [(number, *pair) for number, pair in enumerate(PAIRS)]
)
def test_two_changes_are_undone_in_either_order(tmp_path: Path, number: int, first: str, second: str) -> None:
    for order in shard((1, -1), number, 2) if number > 1 else (1, -1):
        store = make(tmp_path / f"m{order}")
        applied = [apply(store, ACTIONS[name](store)) for name in (first, second)]
        for plans in applied[::order]:
            undo(store, plans)
        assert changed_files(store) == {}, order


@pytest.mark.parametrize("first", [REDIS, DROPS])
def test_both_ends_of_a_relation_are_restored_in_either_order(store: Cognitive, first: str) -> None:
    applied = [apply(store, change_of(store, ref, "dismiss")) for ref in (REDIS, DROPS)]
    for plans in applied if first == REDIS else reversed(applied):
        undo(store, plans)
    assert {name: text for name, text in changed_files(store).items() if name != "_index.json"} == {}
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert link.body


def test_an_index_rebuilt_since_does_not_prevent_the_undo(store: Cognitive) -> None:
    (plan,) = apply(store, change_of(store, REDIS, "edit", title="Redis keepalive: on"))
    index = store.root / "_index.json"
    index.write_text(json.dumps(json.loads(index.read_text()), sort_keys=True))
    (store.root / "CORE.md").write_text("# Memory Core (auto-generated)\n")
    undo(store, [plan])
    after = changed_files(store)
    assert after.keys() == {"_index.json", "CORE.md"}
    assert json.loads(after["_index.json"]) == INDEX


def test_a_stale_entry_and_a_missing_index_are_not_repaired_by_a_change(tmp_path: Path) -> None:
    index = json.loads(str(FILES["_index.json"]))
    index["entries"][REDIS]["tags"] = ["of old"]
    stale = json.dumps(index, indent=2)
    store = make(tmp_path / "m", {**FILES, "_index.json": stale})
    apply(store, change_of(store, REDIS, "pin", pinned=True))
    assert (store.root / "_index.json").read_text() == stale
    (store.root / "_index.json").unlink()
    apply(store, change_of(store, REDIS, "unpin", pinned=False))
    assert not (store.root / "_index.json").exists()


def test_the_plans_of_a_batch_build_on_each_other(store: Cognitive) -> None:
    writes = [change_of(store, ref, "pin", pinned=True) for ref in (REDIS, DROPS, INSIGHT)]
    plans = apply(store, *writes)
    assert sum(bool(record.fields.get("pinned")) for record in store.read().records) == 4
    assert "stale-index" not in {code for code, _ in codes(store.read())}
    undo(store, plans)
    assert changed_files(store) == {}


def test_uses_are_counted_in_the_state_file(store: Cognitive) -> None:
    store.count_uses([REDIS, DEPLOY, f"{DAY_AT}#10:30 Fixed Redis", "gone"], NOW)
    after = changed_files(store)
    assert after.keys() == {"_state.json"}
    state = json.loads(after["_state.json"])["entries"]
    assert state[REDIS] == {
        "access_count": 6,
        "last_accessed": "2027-01-15T08:00:00+00:00",
        "decay_score": 0.75,
    }
    assert state[DEPLOY] == {"access_count": 1, "last_accessed": "2027-01-15T08:00:00+00:00"}
    assert after["_state.json"].count("\n") == str(FILES["_state.json"]).count("\n") + 4
    (store.root / "_state.json").unlink()
    store.count_uses([REDIS], NOW)
    assert record_with(store, "socket_keepalive").fields["times_used"] == 1


@pytest.mark.parametrize(
    "state", ['{"entries":{}}', '{"entries": {"a": {"x": 1}}}', '{"entries":\n{"a": {}}\n}']
)
def test_uses_are_counted_in_any_notation(tmp_path: Path, state: str) -> None:
    store = make(tmp_path / "m", {REDIS_AT: REDIS_FILE, "_state.json": state})
    for count in (1, 2):
        store.count_uses([REDIS], NOW)
        assert record_with(store, "socket_keepalive").fields["times_used"] == count
    stored = json.loads((store.root / "_state.json").read_text())["entries"]
    assert stored.get("a") == json.loads(state)["entries"].get("a")


@pytest.mark.parametrize("action", ["rename", "pin", "type", "relate", "add"])
def test_an_interrupted_write_is_completed(tmp_path: Path, action: str) -> None:
    store = make(tmp_path / "whole")
    (plan,) = apply(store, ACTIONS[action](store))
    after = read_tree(store.root)
    names = list(dict.fromkeys(edit.name for edit in plan.edits))
    for count in range(len(names) + 1):
        cut = make(tmp_path / f"cut-{count}")
        for name in names[:count]:
            (cut.root / name).parent.mkdir(parents=True, exist_ok=True)
            if name in after:
                (cut.root / name).write_bytes(after[name])
            else:
                (cut.root / name).unlink()
        state = {0: WriteState.BEFORE, len(names): WriteState.AFTER}.get(count, WriteState.PARTLY)
        assert cut.write_state([plan], "token") is state
        cut.finish([plan], "token")
        assert changed_files(cut) == changed_files(store), count
        undo(cut, [plan])
        assert changed_files(cut) == {}
