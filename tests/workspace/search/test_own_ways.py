"""What agents are given of stores whose formats have their own way of recalling, and what that leaves in them
(S-34, FORMATS 2, 3)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.memory import Memory
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty
from tests.support.stores import base_coat, founder_os, mem_skill, minions
from tests.support.stores import rows_in as rows

NOW = 1_760_000_000.0
TIME = "2025-10-09T08:53:20.000Z"
SCOUT = Caller("scout")
AWS = "AKIA" + "IOSFODNN7EXAMQQE"


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w" / "w.db"), clock=lambda: NOW)
    yield workspace
    workspace.close()


def contents(root: Path) -> dict[str, bytes]:
    return {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}


def queries(root: Path) -> list[dict[str, Any]]:
    return minions.of_type(root, "query")


def test_a_recall_is_noted_in_a_minions_store(work: Workspace, tmp_path: Path) -> None:
    first, second = "Tea is brewed at four.", "Tea is brewed in the kitchen."
    store = minions.make(
        tmp_path,
        minions.item(1, "tea:time", first, confidence=0.5),
        minions.item(2, "tea:place", second, confidence=0.9),
        minions.item(3, "coffee", "Coffee is bought on Monday."),
        minions.minion(
            4,
            "lesson",
            {"lesson": "Tea brewed twice is bitter.", "confidence": 0.1, "reinforcedCount": 1},
        ),
    )
    work.attach(store.root)
    before, entries = contents(store.root), len(work.journal())
    with work.calling("memory_recall", "run-8"):
        found = work.recall(f"tea brewed {AWS}", SCOUT)
    # By confidence, as recency and reinforcement are equal.
    assert [each.content for each in found.memories][:2] == [second, first]
    assert found.memories[-1].kind == "lesson"
    used = {name for name, data in contents(store.root).items() if before.get(name) != data}
    (query,) = queries(store.root)
    assert used == {minions.relative_path(minions.uid(n)) for n in (1, 2)} | {
        minions.relative_path(query["id"])
    }
    for number in (1, 2):
        item = minions.read_minion(store.root, number)
        assert item["fields"]["lastAccessedAt"] == TIME
        item["fields"]["lastAccessedAt"] = minions.AT
        assert minions.encode(item) == minions.encode(
            minions.item(1, "tea:time", first, confidence=0.5)
            if number == 1
            else minions.item(2, "tea:place", second, confidence=0.9)
        )
    fields = query["fields"]
    assert AWS not in json.dumps(query)
    assert fields.pop("query").startswith("tea brewed")
    assert query["minionTypeId"] == "memory-memory-query"
    assert fields == {
        "agentId": "scout",
        "strategy": "hybrid",
        "resultsFound": 3,
        "topResultIds": ", ".join(each.ref for each in found.memories),
        "executedAt": TIME,
        "usedInRunId": "run-8",
    }
    # The agent's own use is no news, and no change; each later recall is a query of its own.
    assert not work.pull().total
    assert len(work.journal()) == entries
    assert {(each.last_used_at, each.times_used) for each in memories(work)} == {(NOW, 1)}
    work.recall_by("key", "tea:time", SCOUT)
    assert len(queries(store.root)) == 2
    assert not work.pull().total
    assert {each.key: each.times_used for each in memories(work)} == {"tea:time": 2, "tea:place": 1, None: 1}


def memories(work: Workspace) -> list[Memory]:
    return work.memories(work.search("tea").ids)


def test_a_minions_store_orders_its_own_memories(work: Workspace, tmp_path: Path) -> None:
    text = "Tea is brewed at four."
    old = "2024-10-09T08:53:20.000Z"
    store = minions.make(
        tmp_path,
        # Of the two, memtui's own weights have the first one first.
        minions.item(1, "sure", text, confidence=0.9, lastReinforcedAt=old),
        minions.item(2, "recent", text, confidence=0.5, lastReinforcedAt=TIME),
    )
    work.attach(store.root)
    assert [each.key for each in work.recall("tea brewed", SCOUT).memories] == ["recent", "sure"]


def test_facts_that_wait_for_confirmation_are_recalled(work: Workspace, tmp_path: Path) -> None:
    more = [
        mem_skill.fact(f"t{n}", f"tea-{n}", f"Tea number {n} is brewed.", status="pending_confirmation")
        for n in range(25)
    ]
    odd = [
        mem_skill.fact("u1", "odd", "Soup is served at noon.", status="pending_confirmation"),
        mem_skill.fact("u2", "over", "Soup was served at one.", valid_to="2025-10-02T00:00:00Z"),
        mem_skill.fact("u3", "next", "Soup will be served at two.", valid_from="2026-01-01T00:00:00Z"),
        mem_skill.fact("u4", "gone", "Soup came at three.", status="superseded"),
        mem_skill.fact("u5", "new", "Soup is served at five.", status="of a later version"),
    ]
    path = mem_skill.make(tmp_path / "mem.db", [*more, *odd], columns=mem_skill.UNTYPED_COLUMNS)
    work.attach(path)
    mira = Caller("mira")
    assert [each.key for each in work.recall("soup served", mira).memories] == ["odd"]
    assert len(work.recall("tea brewed", mira, limit=100).memories) == 20
    assert len(work.recall("tea brewed", mira, limit=5).memories) == 5
    for n in range(22):
        work.add({"content": f"Tea pot {n} is where tea is brewed.", "owner": "mira", "scope": "fleet"})
    stores = [each.store for each in work.recall("tea brewed", mira, limit=100).memories]
    assert (stores.count("native"), len(stores)) == (22, 42)


@pytest.mark.parametrize(("module", "column"), [(founder_os, "times_used"), (base_coat, "access_count")])
def test_two_processes_that_recall_at_once_count_both(
    work: Workspace, tmp_path: Path, module: Any, column: str
) -> None:
    path = module.make(tmp_path / ".memory" / "memory.db")
    work.attach(path)
    work.add({"content": "The zebra drinks tea.", "scope": "fleet"})
    ids = work.search("").ids
    before = {each.uid: each.times_used for each in work.memories(ids)}
    texts = [each.content for each in work.memories(ids[:4])]
    questions = ["zebra tea", *(" ".join(text.split()[:6]) for text in texts)]
    others = [Workspace.open(work.path, clock=lambda: NOW) for _ in range(2)]
    given: list[str] = []

    def ask(opened: Workspace) -> None:
        for question in questions:
            opened.pull()
            found = opened.recall(question, Caller(), statuses=())
            given.extend(each.uid for each in found.memories)
        opened.close()

    threads = [threading.Thread(target=ask, args=(each,)) for each in others]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    work.pull()
    assert len(given) > len(questions)
    after = {each.uid: each for each in work.memories(ids)}
    assert {uid: each.times_used for uid, each in after.items()} == {
        uid: count + given.count(uid) for uid, count in before.items()
    }
    table = {row["id"][1]: row[column][1] for row in rows(path)["memories"].values()}
    assert all(table[each.ref] == each.times_used for each in after.values() if each.store != "native")
