"""What an agent's write does in a minions store, file by file, as its own agent would (S-102)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.fake_models import open_with_model
from tests.workspace.remember.conftest import NOW, tree

AT = "2026-01-02T03:04:05.000Z"
NOW_TEXT = "2027-01-15T08:00:00.000Z"
IDS = [f"{n:08x}-1111-4222-8333-000000000000" for n in range(4)]
SHORT, LESSON, SUMMARY, INDEX = IDS


def file_of(id: str) -> str:
    digits = id.replace("-", "")
    return f"{digits[:2]}/{digits[2:4]}/{id}.json"


def put(root: Path, id: str, type: str, title: str, **fields: Any) -> None:
    minion = {"id": id, "title": title, "minionTypeId": f"memory-{type}", "fields": fields}
    path = root / file_of(id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**minion, "createdAt": AT, "updatedAt": AT}, indent=2))


@pytest.fixture
def store(tmp_path: Path, work: Workspace) -> Path:
    root = tmp_path / ".minions"
    put(
        root, SHORT, "memory-item", "client:xyz:prefers_proposals", agentId="scout", scope="private",
        key="client:xyz:prefers_proposals", value="Client xyz prefers short proposals.", confidence=0.7,
        sourceRefType="agent-run", sourceRefId="run-7", createdAt=AT, lastAccessedAt=AT, lastReinforcedAt=AT,
        expiresAt=None,
    )  # fmt: skip
    put(
        root, LESSON, "memory-lesson", "Short proposals", sourceType="task-outcome", sourceId="task-9",
        lesson="Short proposals on Upwork perform better than long ones.", domain="proposals", confidence=0.6,
        reinforcedCount=2, createdAt=AT, lastReinforcedAt=AT,
    )  # fmt: skip
    put(
        root, INDEX, "memory-index", "Index", memoryId=SHORT, memoryType="memory-item",
        keywords="client, xyz, short", embedding="", indexedAt=AT,
    )  # fmt: skip
    work.attach(root, "fleet")
    return root


def minions(root: Path, slug: str) -> list[dict[str, Any]]:
    """Return the fields of all minions of a type."""
    found = [json.loads(data) for _, data in sorted(tree(root).items())]
    return [each["fields"] for each in found if each["minionTypeId"] == f"memory-{slug}"]


def new_files(before: dict[str, bytes], root: Path) -> dict[str, dict[str, Any]]:
    """Return the fields of the minions that are new, by their type."""
    added = {name: data for name, data in tree(root).items() if name not in before}
    found = [json.loads(data) for data in added.values()]
    for name, each in zip(added, found, strict=True):
        assert name == file_of(each["id"])
    by_type = {each["minionTypeId"].removeprefix("memory-"): each for each in found}
    assert len(by_type) == len(found)
    return by_type


def stored(work: Workspace, **fields: Any) -> Any:
    return work.remember("scout", fields, "fleet")


def test_a_new_item_begins_at_070_and_has_its_index(work: Workspace, store: Path) -> None:
    before = tree(store)
    done = stored(work, key="client:abc:tone", content="Client abc likes plain words.", scope="fleet")
    new = new_files(before, store)
    assert new.keys() == {"memory-item", "memory-index"}
    assert {name: before[name] for name in before} == {name: tree(store)[name] for name in before}
    item, index = new["memory-item"], new["memory-index"]
    assert item["fields"] == {
        "agentId": "scout", "scope": "fleet", "key": "client:abc:tone",
        "value": "Client abc likes plain words.", "confidence": 0.7, "createdAt": NOW_TEXT, "expiresAt": None,
    }  # fmt: skip
    keywords = index["fields"].pop("keywords")
    assert {"client", "abc", "tone", "plain", "words"} <= set(keywords.split(", "))
    assert index["fields"] == {
        "memoryId": item["id"], "memoryType": "memory-item", "embedding": "", "indexedAt": NOW_TEXT,
    }  # fmt: skip
    assert work.pull().total == 0
    work.undo(done.change.journal_id)
    assert tree(store) == before


def test_the_session_of_the_agent_is_where_it_comes_from(work: Workspace, store: Path) -> None:
    with work.calling("memory_store", "run-9"):
        stored(work, key="tone", content="Be brief.")
        stored(work, key="tone", content="Be brief.")
        stored(work, kind="lesson", content="React jobs are posted on Mondays.")
        outcomes = [stored(work, key="☕☕", content=text).outcome for text in ("At four.", "At four.")]
    assert outcomes == ["added", "known"], "keys without words are equal, too"
    item = next(each for each in minions(store, "memory-item") if each["key"] == "tone")
    assert (item["sourceRefType"], item["sourceRefId"]) == ("agent-run", "run-9")
    assert [each["reinforcedBy"] for each in minions(store, "memory-reinforcement")] == 2 * ["run-9"]
    kinds = {each.get("sourceType") for each in minions(store, "memory-lesson")}
    assert kinds == {"task-outcome", None}, "no kind that a lesson cannot come from"


def test_the_index_has_the_embedding_where_a_model_is_loaded(work: Workspace, store: Path) -> None:
    opened = open_with_model(work.path, clock=lambda: float(NOW))
    done = opened.remember("scout", {"key": "tone", "content": "Be brief."}, "fleet")
    opened.close()
    texts = [each["embedding"] for each in minions(store, "memory-index") if each["embedding"]]
    (text,) = texts
    vector = json.loads(text)
    assert len(vector) == 64
    assert sum(each * each for each in vector) == pytest.approx(1, abs=1e-3)
    assert done.outcome == "added"


@pytest.mark.parametrize(
    ("key", "content"),
    [
        ("client:xyz:prefers_proposals", "Client xyz prefers short proposals."),
        ("Client/XYZ prefers-proposal", "client xyz prefers  short proposals"),
    ],
)
def test_the_same_value_of_an_equal_or_similar_key_is_a_reinforcement(
    work: Workspace, store: Path, key: str, content: str
) -> None:
    before = tree(store)
    done = stored(work, key=key, content=content)
    assert done.outcome == "known"
    new = new_files(before, store)
    assert new.keys() == {"memory-reinforcement"}
    assert new["memory-reinforcement"]["fields"] == {
        "memoryId": SHORT, "memoryType": "memory-item", "reinforcedBy": "agent:scout",
        "previousConfidence": 0.7, "newConfidence": 0.8, "reinforcedAt": NOW_TEXT, "reason": "stated again",
    }  # fmt: skip
    (item,) = minions(store, "memory-item")
    assert (item["confidence"], item["lastReinforcedAt"], item["lastAccessedAt"]) == (0.8, NOW_TEXT, AT)
    assert item["value"] == "Client xyz prefers short proposals."
    assert [each["indexedAt"] for each in minions(store, "memory-index")] == [NOW_TEXT]
    for _ in range(3):
        stored(work, key=key, content=content)
    assert minions(store, "memory-item")[0]["confidence"] == 0.95
    for event in [each for each in work.journal() if each.actor == "agent:scout"]:
        work.undo(event.id)
    assert tree(store) == before


@pytest.mark.parametrize("key", ["client:xyz:prefers_proposals", "client_xyz_prefers_proposal"])
def test_another_value_of_the_key_is_kept_beside_it_with_a_contradiction(
    work: Workspace, store: Path, key: str
) -> None:
    before = tree(store)
    done = stored(work, key=key, content="Client xyz asks for every detail.", confidence=0.9)
    new = new_files(before, store)
    assert new.keys() == {"memory-item", "memory-index", "memory-contradiction"}
    contradiction = new["memory-contradiction"]["fields"]
    description = contradiction.pop("description")
    assert description
    assert contradiction == {
        "memoryIdA": SHORT, "memoryIdB": new["memory-item"]["id"], "detectedAt": NOW_TEXT,
        "detectedBy": "agent:scout", "resolution": "unresolved",
    }  # fmt: skip
    assert {name: tree(store)[name] for name in before} == before  # the first value stays as it is
    (first,) = [each for each in work.memories(list(work.search("short").ids)) if each.kind == "item"]
    assert (done.outcome, done.other, done.family) == ("added", first.uid, "contradiction")
    assert work.pull().total == 0
    work.scan()
    assert [pair.family for pair in work.pairs()] == ["contradiction"]
    work.undo(done.change.journal_id)
    assert tree(store) == before


def test_what_it_contradicts_in_another_store_is_told_and_not_recorded(
    work: Workspace, store: Path, tmp_path: Path
) -> None:
    port = {"agentId": "scout", "scope": "fleet", "key": "port", "value": "The port is 8080."}
    put(tmp_path / "other", SUMMARY, "memory-item", "port", **port)
    work.attach(tmp_path / "other", "other")
    before = tree(store)
    done = stored(work, key="port", content="The port is 9090.")
    assert (done.outcome, done.family) == ("added", "contradiction")
    assert new_files(before, store).keys() == {"memory-item", "memory-index"}


def test_a_similar_lesson_is_reinforced_and_a_new_one_begins_at_060(work: Workspace, store: Path) -> None:
    before = tree(store)
    again = stored(work, kind="lesson", category="proposals",
                   content="Short proposals on Upwork perform better than the long ones.")  # fmt: skip
    assert again.outcome == "known"
    new = new_files(before, store)
    assert new.keys() == {"memory-reinforcement", "memory-index"}  # it had no index yet
    assert new["memory-reinforcement"]["fields"]["memoryType"] == "memory-lesson"
    (lesson,) = minions(store, "memory-lesson")
    assert (lesson["confidence"], lesson["reinforcedCount"], lesson["lastReinforcedAt"]) == (0.7, 3, NOW_TEXT)
    shared: dict[str, Any] = {"kind": "lesson", "scope": "fleet", "content": "Invoices go out on Fridays."}
    work.remember("ada", shared, "fleet")
    theirs = stored(work, **shared | {"content": "The invoices go out on Fridays."})
    assert theirs.outcome == "added", "another agent's lesson stays as it is"
    for event in work.journal(2):
        work.undo(event.id)
    other = stored(work, kind="lesson", category="jobs", content="React jobs are posted on Mondays.")
    lesson = next(each for each in minions(store, "memory-lesson") if each["domain"] == "jobs")
    assert (lesson["confidence"], lesson["reinforcedCount"]) == (0.6, 0)
    assert len(minions(store, "memory-index")) == 3
    for done in (other, again):
        work.undo(done.change.journal_id)
    assert tree(store) == before


def test_the_facts_of_a_summary_are_compared_with_what_is_known(work: Workspace, store: Path) -> None:
    stored(work, key="port", content="The port is 8080.")
    before = tree(store)
    done = stored(
        work, kind="summary", content="We agreed on the offer.", session_id="run-8", tone="relaxed",
        token_count=412, key_facts=(
            "The port is 8080.", "Client xyz prefers long proposals.", "It is due on Friday.",
        ),
    )  # fmt: skip
    assert done.family == "contradiction", "that a fact repeats one is nothing to tell"
    new = new_files(before, store)
    assert new.keys() == {"memory-summary", "memory-index", "memory-contradiction"}
    assert new["memory-summary"]["fields"] == {
        "agentId": "scout", "sessionId": "run-8", "summary": "We agreed on the offer.",
        "keyFacts": "The port is 8080.\nClient xyz prefers long proposals.\nIt is due on Friday.",
        "emotionalContext": "relaxed", "createdAt": NOW_TEXT, "tokenCount": 412,
    }  # fmt: skip
    assert new["memory-index"]["fields"]["memoryType"] == "memory-summary"
    ends = new["memory-contradiction"]["fields"]
    assert (ends["memoryIdA"], ends["memoryIdB"]) == (SHORT, new["memory-summary"]["id"])
    work.undo(done.change.journal_id)
    assert tree(store) == before


def test_forgetting_leaves_an_expiry_with_reason_and_author(work: Workspace, store: Path) -> None:
    before = tree(store)
    (id,) = [each for each in work.search("short").ids if work.memories([each])[0].kind == "item"]
    change = work.forget_for("scout", id)
    new = new_files(before, store)
    assert new["memory-expiry"]["fields"] == {
        "memoryId": SHORT, "memoryType": "memory-item", "reason": "manual-delete", "expiredAt": NOW_TEXT,
        "expiredBy": "agent:scout",
    }  # fmt: skip
    assert before.keys() - tree(store).keys() == {file_of(SHORT), file_of(INDEX)}
    work.undo(change.journal_id)
    assert tree(store) == before
