"""What each agent did, in numbers, and what it was given that no longer holds (S-84, S-87)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.errors import PolicyRefused
from memtui.memory.agents.figures import CONTRADICTED, DISMISSED, REMOVED, REPLACED, AgentFigures
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty


class Clock:
    """The time, which a test moves."""

    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def work(tmp_path: Path, clock: Clock) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=clock)
    yield workspace
    workspace.close()


def test_writes_refusals_recalls_and_the_last_call_are_counted_by_agent(
    work: Workspace, clock: Clock
) -> None:
    assert work.agent_figures().agents == []
    work.set_policy("scout", sensitive=["password:*"])
    with work.calling("memory_store", "s-1"):
        work.remember("scout", {"content": "The kettle is new."})
        with pytest.raises(PolicyRefused):
            work.remember("scout", {"content": "x", "key": "password:db"})
    clock.now += 60
    with work.calling("memory_recall", "s-2"):
        work.recall("kettle", Caller("scout"))
        work.recall("zebra", Caller("scout"))
    work.remember("ada", {"content": "The bus is late."})
    work.recall("bus", Caller())  # the person's own question is no agent's
    ada, scout = work.agent_figures().agents
    assert (ada.agent, ada.writes, ada.recalls, ada.hit_rate, ada.p50) == ("ada", 1, 0, None, None)
    assert (scout.writes, scout.refusals, scout.recalls, scout.answered) == (1, 1, 2, 1)
    assert (scout.hit_rate, scout.last, scout.tool, scout.session) == (0.5, NOW + 60, "memory_recall", "s-2")
    total = work.agent_figures().total
    assert (total.writes, total.refusals, total.recalls, total.answered) == (2, 1, 2, 1)
    assert work.agent_figures("scout").agents == [scout]
    assert work.agent_figures("nobody").agents == []


@pytest.mark.parametrize(
    ("milliseconds", "p50", "p95"),
    [([7], 7, 7), ([1, 2], 1, 2), ([*range(1, 101)], 50, 95), ([*range(1, 21), 900], 11, 20)],
)
def test_percentiles_are_times_that_were_measured(
    work: Workspace, milliseconds: list[int], p50: int, p95: int
) -> None:
    add = "INSERT INTO recall_log (at, actor, text, strategy, how, results, seconds) VALUES "
    for each in reversed(milliseconds):
        work._ctx.db.run(f"{add}(1, 'agent:ada', '', '', '', '[]', ?)", (each / 1000,))
    (ada,) = work.agent_figures().agents
    assert (ada.p50, ada.p95) == (p50 / 1000, p95 / 1000)


def test_what_an_agent_was_given_and_no_longer_holds_is_listed_with_its_cause(
    work: Workspace, clock: Clock, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text(
        json.dumps({"type": "entity", "name": "Bo", "entityType": "x", "observations": ["Owns a bee"]})
    )
    work.attach(notes, "notes")
    (bee,) = work.search("bee").ids
    port, deploy, tea, stays = (
        work.add({"content": text}).ids[0]
        for text in (
            "The API port is 8080.", "The deploy runs on Tuesday.", "Dana likes tea.", "The lake is deep.",
        )
    )  # fmt: skip
    work.scan()
    for question in ("bee", "port", "deploy", "tea", "lake"):
        clock.now += 1
        assert work.recall(question, Caller("scout"), strategy="keyword").memories
    assert work.overtaken("scout") == []
    clock.now += 100
    other = work.add({"content": "The API port is 9090."}).ids[0]
    assert work.scan()
    friday = work.add({"content": "The release is on Friday."}).ids[0]
    work.supersede([deploy], friday)
    work.dismiss([tea])
    notes.write_text("")
    work.pull()
    found = work.overtaken("scout")
    uid = {id: work.detail(id).memory.uid for id in (bee, port, deploy, tea, other, friday)}  # type: ignore[union-attr]
    assert [(each.uid, each.cause, each.other) for each in found] == [
        (uid[tea], DISMISSED, ""),
        (uid[deploy], REPLACED, uid[friday]),
        (uid[port], CONTRADICTED, uid[other]),
        (uid[bee], REMOVED, ""),
    ]
    assert found[2].other_label == "The API port is 9090."
    assert work.overtaken("ada") == []
    work.recall("port", Caller("scout"), strategy="keyword")  # now it was given with the contradiction
    assert uid[port] not in [each.uid for each in work.overtaken("scout")]
    assert stays


def test_an_agent_without_a_connection_is_listed_with_the_store_it_writes_to(work: Workspace) -> None:
    work.remember("scout", {"content": "The kettle is new."})
    work.set_policy("*", writes_to="native", expiry="30d")
    (listed,) = work.agents()
    assert (listed.agent, listed.connection, listed.state, listed.store) == ("scout", None, None, "native")
    assert isinstance(listed.figures, AgentFigures)
