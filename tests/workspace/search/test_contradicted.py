"""Openly contradicted memories in what agents recall, and the time in which memories are valid (S-34)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memtui.memory.ranking import DEFAULT_RECALL
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty

NOW = 1_760_000_000.0
DAY = 86_400.0
ADA = Caller("ada")
PORT = {"content": "The staging port is 8080.", "subject": "staging", "owner": "ada", "confidence": 0.9}
OTHER = {**PORT, "content": "The staging port is 9090.", "confidence": 0.2}
RIVAL = {"content": "The staging port is watched by Mo.", "subject": "watch", "confidence": 0.6}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return create_empty(tmp_path / "w.db")


@pytest.fixture
def work(path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(path, clock=lambda: NOW)
    yield workspace
    workspace.close()


def add(work: Workspace, fields: dict[str, object]) -> str:
    (memory,) = work.memories(work.add(fields).ids)
    return memory.uid


def ports(work: Workspace, caller: Caller = ADA) -> list[str]:
    return [each.content for each in work.recall("staging port", caller).memories]


def test_a_contradicted_memory_is_marked_and_ranks_lower(work: Workspace, path: Path) -> None:
    port, other = add(work, PORT), add(work, OTHER)
    add(work, RIVAL)
    assert ports(work)[0] == PORT["content"]
    assert work.recall("staging port", ADA).contradicted == {}
    work.scan()
    found = work.recall("staging port", ADA)
    assert found.memories[0].content == RIVAL["content"]
    assert found.contradicted == {port: (other,), other: (port,)}
    for told in (work.recall_by("uid", port, ADA), work.list_for(ADA)):
        assert told.contradicted[port] == (other,)
    # The weight is a setting; without it only the mark is left.
    unweighted = Workspace.open(
        path, clock=lambda: NOW, recall_weights=replace(DEFAULT_RECALL, contradicted=0.0)
    )
    assert ports(unweighted)[0] == PORT["content"]
    unweighted.close()
    # Settled, it counts in full again.
    (pair,) = work.pairs()
    work.settle(pair.id, "both-true")
    assert work.recall("staging port", ADA).contradicted == {}
    assert ports(work)[0] == PORT["content"]


def test_what_contradicts_is_not_told_to_whom_may_not_read_it(work: Workspace) -> None:
    port = add(work, {**PORT, "owner": "bob", "scope": "fleet"})
    other = add(work, {**OTHER, "owner": "bob", "scope": "private"})
    add(work, RIVAL)
    before = work.recall("staging port", ADA)
    work.scan()
    assert work.recall("staging port", Caller("bob")).contradicted == {port: (other,), other: (port,)}
    after = work.recall("staging port", ADA)
    assert after.contradicted == {}
    assert [each.uid for each in after.memories] == [each.uid for each in before.memories]
    assert work.list_for(ADA).contradicted == work.recall_by("uid", port, ADA).contradicted == {}
    work.set_policy("bob", read=["fleet"])
    assert work.recall("staging port", Caller("bob")).contradicted == {}


def test_memories_are_given_in_their_time_only(work: Workspace) -> None:
    shared = {"company_id": "acme", "source_ref": "P11", "category": "fact"}
    times = {
        "always": {},
        "now": {"valid_from": NOW, "valid_to": NOW + DAY, "expires_at": NOW + DAY},
        "not yet": {"valid_from": NOW + DAY},
        "no longer": {"valid_to": NOW},
        "expired": {"expires_at": NOW},
    }
    for name, fields in times.items():
        add(
            work, {"content": f"The kettle is {name} hot.", "key": name.replace(" ", "-"), **shared, **fields}
        )
    for found in (
        work.recall("kettle", ADA, strategy="keyword"),
        work.recall("fact", ADA, subject="fact", category="fact"),
        work.list_for(ADA),
        work.list_for(ADA, "fact"),
        work.recall_by("company_id", "acme", ADA),
        work.recall_by("source_ref", "P11", ADA),
    ):
        assert {each.key for each in found.memories} == {"always", "now"}, found.how
    # Asked for by name, its status can be checked.
    for key in ("not-yet", "no-longer", "expired"):
        assert [each.key for each in work.recall_by("key", key, ADA).memories] == [key]


def test_what_contradicts_counts_in_its_time_only(work: Workspace, path: Path) -> None:
    port, _ = add(work, PORT), add(work, {**OTHER, "expires_at": NOW + DAY})
    work.scan()
    assert port in work.recall("staging port", ADA).contradicted
    later = Workspace.open(path, clock=lambda: NOW + 2 * DAY)
    assert later.recall("staging port", ADA).contradicted == {}
    later.close()
