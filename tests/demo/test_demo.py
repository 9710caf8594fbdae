"""The demo: some three hundred memories in a mess that every screen has something to say about."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.demo import build, coding, company, graph, household
from memtui.workspace.workspace import Workspace
from tests.support.stores import mem_skill, rows_in
from tests.support.stores.files import tree

NOW = 1_779_500_000.0


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    path = build(tmp_path_factory.mktemp("demo"), lambda: NOW)
    workspace = Workspace.open(path, clock=lambda: NOW)
    yield workspace
    workspace.close()


def test_it_holds_some_three_hundred_memories_of_five_stores(demo: Workspace) -> None:
    stores = demo.stores()
    assert len(stores) == 5
    assert 300 <= sum(store.count for store in stores) <= 350
    assert len({store.format for store in stores}) == 5


def test_several_people_own_memories(demo: Workspace) -> None:
    owners = {memory.owner for memory in demo.memories(demo.search("store:mem-skill*").ids)}
    assert {"ana", "pieter", "lotte"} <= owners


def test_agents_added_changed_and_removed_since_one_last_looked(demo: Workspace) -> None:
    found = demo.since().items
    assert min(Counter(item.what for item in found)[what] for what in ("added", "changed", "removed")) >= 3
    assert len({item.store for item in found}) == 5


def test_review_has_contradictions_and_repetitions_also_across_stores(demo: Workspace) -> None:
    pairs = demo.pairs()
    assert min(Counter(pair.family for pair in pairs).values()) >= 8
    assert any(len(set(pair.stores)) == 2 for pair in pairs)


def test_something_is_due_now_and_in_the_first_horizons(demo: Workspace) -> None:
    due = demo.due()
    assert any(each.leaves for each in due)
    assert any(not each.leaves for each in due)
    coming = [len(demo.soonest(500, days=days)[0]) for days in (7, 30, 90)]
    assert all(few < more for few, more in itertools.pairwise([0, *coming]))


def test_the_doctor_finds_some_of_every_kind_and_mends_some(demo: Workspace) -> None:
    found = [each for each in demo.doctor() if each.store]
    assert {"secret", "dangling", "no-line", "odd-tags", "mixed-times", "past-expiry"} <= {
        each.code for each in found
    }
    assert any(each.repair for each in found)
    assert any("Did you mean" in each.text for each in found)


def test_the_graph_has_a_hub(demo: Workspace) -> None:
    hub = demo.search("store:mcp* 14,000").ids[0]
    detail = demo.detail(hub)
    assert detail is not None
    assert len(detail.relations) >= 12
    names = [line.partition(" (")[0] for line in graph.ENTITIES.strip().splitlines()]
    assert len(set(names)) >= 60


def test_what_the_readme_asks_for_is_there(demo: Workspace) -> None:
    for query in ("brightwater category:fact", "conf:>0.8 updated:30d", "is:pinned", "subject:Larkfield"):
        assert demo.search(query).ids, query
    contents = {memory.content for memory in demo.memories(demo.search("allergic").ids)}
    assert any("nuts" in content for content in contents)


def test_the_same_clock_gives_the_same_stores(tmp_path: Path) -> None:
    for folder in (tmp_path / "one", tmp_path / "two"):
        company.build(folder / "company" / "memory.db", NOW)
        company.agents(folder / "company" / "memory.db", NOW)
        coding.agents(coding.build(folder / "coding"))
        graph.agents(graph.build(folder / "graph" / "memory.jsonl"))
        household.agents(household.build(folder / "household" / "mem.db", NOW), NOW)
    for name in ("coding", "graph"):
        assert tree(tmp_path / "one" / name) == tree(tmp_path / "two" / name)
    assert rows_in(tmp_path / "one/company/memory.db") == rows_in(tmp_path / "two/company/memory.db")
    facts = (mem_skill.rows_in(tmp_path / each / "household/mem.db") for each in ("one", "two"))
    assert next(facts) == next(facts)


def test_what_agents_change_is_there_to_be_changed() -> None:
    keys = {line.split()[0] for line in company.MEMORIES.strip().splitlines()}
    assert keys >= {*company.CHANGED, *company.GONE, *(key for key, *_ in company.ODD)}
    assert all(each in graph.ENTITIES for each in (*graph.CHANGED, *graph.GONE))
    files = {file: body for file, *_, body in coding.MEMORIES}
    assert all(old in files[file] for file, (old, _) in coding.CHANGED.items())
    assert coding.GONE in files
    facts = {tuple(line.split()[:2]) for line in household.FACTS.strip().splitlines()}
    assert facts >= {*household.CHANGED, *household.GONE}
