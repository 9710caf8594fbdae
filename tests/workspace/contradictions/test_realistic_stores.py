"""Scans of realistic stores: graphs, notes of one template, settled pairs (S-40, S-41, S-43)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores.minions import item, make, minion, uid

DAY = 86_400.0
PAIRS = Path(__file__).parents[3] / "benchmarks" / "pairs"
SERVICES = (
    "billing ledger mailer search gateway catalogue pricing returns shipping loyalty voucher invoice session "
    "profile review rating stock courier refund tax"
).split()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=Clock())
    yield workspace
    workspace.close()


def write_graph(path: Path, entities: dict[str, list[str]]) -> Path:
    lines = [
        {"type": "entity", "name": name, "entityType": "thing", "observations": observations}
        for name, observations in entities.items()
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def pair_texts(workspace: Workspace, family: str) -> set[frozenset[str]]:
    found = set()
    for pair in workspace.pairs(family=family):
        a, b = workspace.memories([pair.a, pair.b])
        assert a.subject == b.subject, "of one entity"
        found.add(frozenset((a.content, b.content)))
    return found


def test_contradictions_in_a_graph_are_found_with_few_false_positives(
    workspace: Workspace, tmp_path: Path
) -> None:
    truth = json.loads((PAIRS / "graph_truth.json").read_text("utf-8"))
    named = {entity for entity, *_ in (*truth["contradictions"], *truth["duplicates"])}
    entities = {}
    for number, line in enumerate((PAIRS / "graph.jsonl").read_text("utf-8").splitlines()):
        entity = json.loads(line)
        if entity["type"] == "entity" and (entity["name"] in named or number % 3 == 0):
            entities[entity["name"]] = entity["observations"]
    workspace.attach(write_graph(tmp_path / "memory.jsonl", entities))
    workspace.scan()
    expected = {frozenset(pair) for _, *pair in truth["contradictions"]}
    found = pair_texts(workspace, CONTRADICTION)
    assert len(found & expected) >= 15
    assert len(found - expected) <= 1
    assert not pair_texts(workspace, DUPLICATE) & expected
    duplicates = {frozenset(pair) for _, *pair in truth["duplicates"]}
    assert len(pair_texts(workspace, DUPLICATE)) == len(pair_texts(workspace, DUPLICATE) & duplicates) >= 4


def test_texts_shared_by_entities_are_not_paired(workspace: Workspace, tmp_path: Path) -> None:
    observations = ["State: done", "Nr: K7", "Path: a.py", "Path: b.py", "Urgency: high"]
    path = write_graph(
        tmp_path / "memory.jsonl", {f"ticket-{n}": observations for n in range(9)} | {"last": ["State: open"]}
    )
    workspace.attach(path)
    workspace.scan()
    assert workspace.pairs(state="") == []
    assert workspace.search("is:duplicate").total == 0


def test_contradictions_within_an_entity_are_found_though_others_share_its_texts(
    workspace: Workspace, tmp_path: Path
) -> None:
    entities = {f"ticket-{n}": ["State: done", "Nr: K7"] for n in range(9)}
    workspace.attach(
        write_graph(tmp_path / "memory.jsonl", entities | {"kite": ["State: done", "State: open"]})
    )
    workspace.scan()
    assert pair_texts(workspace, CONTRADICTION) == {frozenset(("State: done", "State: open"))}


def test_notes_of_one_template_are_not_paired(workspace: Workspace) -> None:
    for name in SERVICES:
        workspace.add(
            {
                "title": f"{name}-deploys",
                "content": f"The {name} service is deployed by the pipeline; ask the team first.\n\n"
                f"**Why:** the {name} team is on call.\n**How to apply:** open a change for {name} first.",
            }
        )
    workspace.scan()
    assert workspace.pairs(state="") == []
    workspace.add({"title": "tax-rollout", "content": "The tax service is not deployed by the pipeline."})
    workspace.scan()
    (pair,) = workspace.pairs()
    assert pair.family == CONTRADICTION
    assert pair.clauses == (
        "The tax service is deployed by the pipeline",
        "The tax service is not deployed by the pipeline.",
    )


def test_contradictions_recorded_by_a_store_are_respected(workspace: Workspace, tmp_path: Path) -> None:
    """A settled pair stays settled; an open one keeps its date and is not found twice."""
    details = {"description": "two values", "detectedBy": "scout"}
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
                **details,
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
                **details,
            },
        ),
    )
    workspace.attach(store.root)
    workspace.scan()
    (pair,) = workspace.pairs(state="")
    a, b = workspace.memories([pair.a, pair.b])
    assert {a.content, b.content} == {"writes in Helix", "writes in Emacs"}
    assert (pair.kind, pair.escalated) == ("mark", True)
    assert pair.found_at < workspace._ctx.clock() - 7 * DAY
    assert set(pair.words) == {"Helix", "Emacs"}
