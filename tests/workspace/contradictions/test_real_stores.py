"""Stores as agents leave them: entities with keyed observations, notes of one template, a store's own word on
its contradictions (S-40, S-41, S-43)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import empty
from tests.support.stores.minions import item, make, minion, uid

DAY = 86_400.0
PAIRS = Path(__file__).parents[3] / "benchmarks" / "pairs"
SERVICES = (
    "billing ledger mailer search gateway catalogue pricing returns shipping loyalty voucher invoice session "
    "profile review rating stock courier refund tax"
).split()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(tmp_path / "w.db"), clock=Clock())
    yield workspace
    workspace.close()


def graph(place: Path, entities: dict[str, list[str]]) -> Path:
    lines = [
        {"type": "entity", "name": name, "entityType": "thing", "observations": said}
        for name, said in entities.items()
    ]
    place.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return place


def texts(desk: Workspace, family: str) -> set[frozenset[str]]:
    found = set()
    for pair in desk.pairs(family=family):
        a, b = desk.memories([pair.a, pair.b])
        assert a.subject == b.subject, "of one entity"
        found.add(frozenset((a.content, b.content)))
    return found


def test_a_graph_of_entities_raises_few_alarms_and_right_ones(desk: Workspace, tmp_path: Path) -> None:
    truth = json.loads((PAIRS / "graph_truth.json").read_text("utf-8"))
    named = {entity for entity, *_ in (*truth["contradictions"], *truth["duplicates"])}
    entities = {}
    for number, line in enumerate((PAIRS / "graph.jsonl").read_text("utf-8").splitlines()):
        told = json.loads(line)
        if told["type"] == "entity" and (told["name"] in named or number % 3 == 0):
            entities[told["name"]] = told["observations"]
    desk.attach(graph(tmp_path / "memory.jsonl", entities))
    desk.sweep()
    right = {frozenset(said) for _, *said in truth["contradictions"]}
    found = texts(desk, CONTRADICTION)
    assert len(found & right) >= 15
    assert len(found - right) <= 1
    assert not texts(desk, DUPLICATE) & right
    same = {frozenset(said) for _, *said in truth["duplicates"]}
    assert len(texts(desk, DUPLICATE)) == len(texts(desk, DUPLICATE) & same) >= 4


def test_what_two_entities_share_is_no_finding(desk: Workspace, tmp_path: Path) -> None:
    said = ["State: done", "Nr: K7", "Path: a.py", "Path: b.py", "Urgency: high"]
    place = graph(
        tmp_path / "memory.jsonl", {f"ticket-{n}": said for n in range(9)} | {"last": ["State: open"]}
    )
    desk.attach(place)
    desk.sweep()
    assert desk.pairs(state="") == []
    assert desk.search("is:duplicate").total == 0


def test_an_entity_is_compared_with_itself_though_its_texts_stand_at_many_others(
    desk: Workspace, tmp_path: Path
) -> None:
    entities = {f"ticket-{n}": ["State: done", "Nr: K7"] for n in range(9)}
    desk.attach(graph(tmp_path / "memory.jsonl", entities | {"kite": ["State: done", "State: open"]}))
    desk.sweep()
    assert texts(desk, CONTRADICTION) == {frozenset(("State: done", "State: open"))}


def test_notes_of_one_template_about_many_things_are_left_alone(desk: Workspace) -> None:
    for name in SERVICES:
        desk.add(
            {
                "title": f"{name}-deploys",
                "content": f"The {name} service is deployed by the pipeline; ask the team first.\n\n"
                f"**Why:** the {name} team is on call.\n**How to apply:** open a change for {name} first.",
            }
        )
    desk.sweep()
    assert desk.pairs(state="") == []
    desk.add({"title": "tax-rollout", "content": "The tax service is not deployed by the pipeline."})
    desk.sweep()
    (pair,) = desk.pairs()
    assert pair.family == CONTRADICTION
    assert pair.clauses == (
        "The tax service is deployed by the pipeline",
        "The tax service is not deployed by the pipeline.",
    )


def test_a_store_keeps_its_word_on_its_own_contradictions(desk: Workspace, tmp_path: Path) -> None:
    """minions: what is settled stays so, what is open is as old as it says, and found by both is one pair."""
    said = {"description": "two values", "detectedBy": "scout"}
    store = make(
        tmp_path / "fleet",
        item(1, "user.length", "prefers short proposals"),
        item(2, "user.length", "asked for detail"),
        item(3, "user.editor", "writes in Helix"),
        item(4, "user.editor", "writes in Emacs"),
        minion(
            5,
            "contradiction",
            {
                "memoryIdA": uid(1),
                "memoryIdB": uid(2),
                "resolution": "keep-b",
                "detectedAt": "2024-01-02",
                **said,
            },
        ),
        minion(
            6,
            "contradiction",
            {
                "memoryIdA": uid(3),
                "memoryIdB": uid(4),
                "resolution": "unresolved",
                "detectedAt": "2024-01-02T00:00:00Z",
                **said,
            },
        ),
    )
    desk.attach(store.root)
    desk.sweep()
    (pair,) = desk.pairs(state="")
    a, b = desk.memories([pair.a, pair.b])
    assert {a.content, b.content} == {"writes in Helix", "writes in Emacs"}
    assert (pair.kind, pair.escalated) == ("mark", True)
    assert pair.found_at < desk._ctx.clock() - 7 * DAY
    assert set(pair.words) == {"Helix", "Emacs"}
