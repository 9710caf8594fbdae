"""The demo: some three hundred memories, with something to show on every screen."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.demo import build, coding, company, graph, household
from memtui.workspace.workspace import Workspace
from tests.support.stores import mem_skill, rows_in
from tests.support.stores.files import read_tree

NOW = 1_779_500_000.0


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    path = build(tmp_path_factory.mktemp("demo"), lambda: NOW)
    workspace = Workspace.open(path, clock=lambda: NOW)
    yield workspace
    workspace.close()


def test_the_demo_has_three_hundred_memories_in_five_stores(demo: Workspace) -> None:
    stores = demo.stores()
    assert len(stores) == 5
    assert 300 <= sum(store.count for store in stores) <= 350
    assert len({store.format for store in stores}) == 5


def test_several_people_own_memories(demo: Workspace) -> None:
    owners = {memory.owner for memory in demo.memories(demo.search("store:mem-skill*").ids)}
    assert {"ana", "pieter", "lotte"} <= owners


def test_agents_have_added_changed_and_removed_memories(demo: Workspace) -> None:
    found = demo.agent_activity().items
    assert min(Counter(item.kind for item in found)[kind] for kind in ("added", "changed", "removed")) >= 3
    assert len({item.store for item in found}) == 5


def test_review_has_contradictions_and_duplicates_also_across_stores(demo: Workspace) -> None:
    pairs = demo.pairs()
    assert min(Counter(pair.family for pair in pairs).values()) >= 8
    assert any(len(set(pair.stores)) == 2 for pair in pairs)


def test_memories_are_due_now_and_within_each_horizon(demo: Workspace) -> None:
    due = demo.due()
    assert any(each.leaves for each in due)
    assert any(not each.leaves for each in due)
    coming = [len(demo.soonest(500, days=days)[0]) for days in (7, 30, 90)]
    assert all(few < more for few, more in itertools.pairwise([0, *coming]))


def test_the_doctor_finds_issues_of_many_kinds(demo: Workspace) -> None:
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


def test_the_queries_of_the_readme_find_something(demo: Workspace) -> None:
    for query in ("brightwater category:fact", "conf:>0.8 updated:30d", "is:pinned", "subject:Larkfield"):
        assert demo.search(query).ids, query
    contents = {memory.content for memory in demo.memories(demo.search("allergic").ids)}
    assert any("nuts" in content for content in contents)


def test_the_same_clock_gives_the_same_stores(tmp_path: Path) -> None:
    for folder in (tmp_path / "one", tmp_path / "two"):
        company.build(folder / "company" / "memory.db", NOW)
        company.change_by_agents(folder / "company" / "memory.db", NOW)
        coding.change_by_agents(coding.build(folder / "coding"))
        graph.change_by_agents(graph.build(folder / "graph" / "memory.jsonl"))
        household.change_by_agents(household.build(folder / "household" / "mem.db", NOW), NOW)
    for name in ("coding", "graph"):
        assert read_tree(tmp_path / "one" / name) == read_tree(tmp_path / "two" / name)
    assert rows_in(tmp_path / "one/company/memory.db") == rows_in(tmp_path / "two/company/memory.db")
    facts = (mem_skill.rows_in(tmp_path / each / "household/mem.db") for each in ("one", "two"))
    assert next(facts) == next(facts)


def test_the_changes_by_agents_name_existing_memories() -> None:
    keys = {line.split()[0] for line in company.MEMORIES.strip().splitlines()}
    assert keys >= {*company.CHANGED, *company.REMOVED, *(key for key, *_ in company.DAMAGED)}
    assert all(each in graph.ENTITIES for each in (*graph.CHANGED, *graph.REMOVED))
    files = {file: body for file, *_, body in coding.MEMORIES}
    assert all(old in files[file] for file, (old, _) in coding.CHANGED.items())
    assert coding.REMOVED in files
    facts = {tuple(line.split()[:2]) for line in household.FACTS.strip().splitlines()}
    assert facts >= {*household.CHANGED, *household.REMOVED}
