"""States of a pair, and topics that verdicts make multi-valued (S-42, S-43)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Pair
from memtui.workspace.contradictions import compared, queue, scan
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW, Clock
from tests.support.empty_workspace import create_empty
from tests.support.fake_workspace.base import digest_of

DAY = 86_400.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(tmp_path: Path, clock: Clock) -> Iterator[Workspace]:
    """A workspace with one contradiction and one duplicate."""
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=clock)
    for content in (
        "The kiln is lit on Monday.",
        "The kiln is never lit on Monday.",
        "Walnuts are stored in the cellar.",
        "walnuts are stored in the  cellar",
    ):
        workspace.add({"content": content})
    workspace.scan()
    yield workspace
    workspace.close()


def insert_verdict(workspace: Workspace, pair: Pair, verdict: str, **fields: Any) -> None:
    """Insert a verdict of the user."""
    digests = compared.current_digests(workspace._ctx, (pair.a, pair.b))
    row = {
        "a": pair.a, "b": pair.b, "digest_a": digests[pair.a], "digest_b": digests[pair.b],
        "verdict": verdict, "at": workspace._ctx.clock(), "actor": "person", **fields,
    }  # fmt: skip
    workspace._ctx.db.run(
        f"INSERT INTO verdicts ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        tuple(row.values()),
    )


def only_pair(workspace: Workspace, family: str) -> Pair:
    (pair,) = workspace.pairs(family=family, state="")
    return pair


def test_both_pairs_are_found(workspace: Workspace) -> None:
    assert [pair.family for pair in workspace.pairs()] == [CONTRADICTION, DUPLICATE]
    assert workspace.queue_counts().open == 2
    assert queue.row(workspace._ctx, only_pair(workspace, DUPLICATE).id) == only_pair(workspace, DUPLICATE)
    assert queue.row(workspace._ctx, 99) is None


@pytest.mark.parametrize("verdict", ["keep-a", "both-true", "not-so", "discard-both", "merge"])
def test_a_verdict_holds_until_a_text_changes(workspace: Workspace, verdict: str) -> None:
    pair = only_pair(workspace, CONTRADICTION)
    insert_verdict(workspace, pair, verdict, note="Two kilns.")
    settled = only_pair(workspace, CONTRADICTION)
    assert settled.state == "settled"
    assert settled.decision is not None
    assert (settled.decision.verdict, settled.decision.note, settled.decision.actor) == (
        verdict,
        "Two kilns.",
        "person",
    )
    assert workspace.pairs(family=CONTRADICTION) == []
    assert workspace.queue_counts().open == 1
    assert workspace.search("is:contradicted").ids.tolist() == []
    workspace._ctx.db.run("INSERT INTO scan_queue (memory_id) SELECT id FROM memories")
    workspace.scan()
    assert only_pair(workspace, CONTRADICTION).state == "settled"
    # A changed text is judged and opened again.
    workspace.edit([pair.b], {"content": "The kiln is not lit on Monday."})
    assert only_pair(workspace, CONTRADICTION).state == "over"
    workspace.scan()
    found_again = only_pair(workspace, CONTRADICTION)
    assert (found_again.id, found_again.state, found_again.decision) == (pair.id, "open", None)
    workspace.undo()
    workspace.scan()
    assert only_pair(workspace, CONTRADICTION).state == "settled"


def test_a_postponed_pair_opens_again_and_escalates_a_week_later(workspace: Workspace, clock: Clock) -> None:
    pair = only_pair(workspace, CONTRADICTION)
    insert_verdict(workspace, pair, "later", until=clock.now + 10 * DAY)
    assert only_pair(workspace, CONTRADICTION).state == "later"
    state = workspace.queue_counts()
    assert (state.open, state.later, state.settled_today) == (1, 1, 0)
    clock.now += 11 * DAY
    reopened = only_pair(workspace, CONTRADICTION)
    assert (reopened.state, reopened.escalated) == ("open", False)
    assert only_pair(workspace, DUPLICATE).escalated
    assert workspace.queue_counts().escalated == 1
    assert [pair.family for pair in workspace.pairs()] == [DUPLICATE, CONTRADICTION]
    clock.now += 7 * DAY
    assert only_pair(workspace, CONTRADICTION).escalated


def test_a_pair_keeps_its_date_until_it_is_over(workspace: Workspace, clock: Clock) -> None:
    pair = only_pair(workspace, CONTRADICTION)
    clock.now += 8 * DAY
    workspace.edit([pair.b], {"content": "The kiln is never ever lit on Monday."})
    workspace.scan()
    found_again = only_pair(workspace, CONTRADICTION)
    assert (found_again.found_at, found_again.escalated) == (pair.found_at, True)
    workspace.edit([pair.b], {"content": "Zebras are striped."})
    workspace.scan()
    workspace.edit([pair.b], {"content": "The kiln is never lit on Monday."})
    workspace.scan()
    assert not only_pair(workspace, CONTRADICTION).escalated


def test_a_duplicate_with_a_verdict_is_not_found_by_search(workspace: Workspace) -> None:
    pair = only_pair(workspace, DUPLICATE)
    assert set(workspace.search("is:duplicate").ids) == {pair.a, pair.b}
    insert_verdict(workspace, pair, "not-so")
    assert workspace.search("is:duplicate").ids.tolist() == []
    workspace.add({"content": "Walnuts are stored in the cellar."})
    assert len(workspace.search("is:duplicate", live=True).ids) >= 1


def test_pairs_are_filtered(workspace: Workspace) -> None:
    kind = only_pair(workspace, CONTRADICTION).kind
    assert [pair.kind for pair in workspace.pairs(kind=kind)] == [kind]
    assert len(workspace.pairs(store="native")) == len(workspace.pairs(store="NAT*")) == 2
    assert workspace.pairs(store="elsewhere") == []
    assert workspace.pairs(memory=only_pair(workspace, DUPLICATE).a) == [only_pair(workspace, DUPLICATE)]


def test_settled_today_is_counted(workspace: Workspace, clock: Clock) -> None:
    clock.now = time.mktime((*time.localtime(NOW)[:3], 12, 0, 0, 0, 0, -1))
    insert_verdict(workspace, only_pair(workspace, CONTRADICTION), "not-so")
    insert_verdict(workspace, only_pair(workspace, DUPLICATE), "later", until=clock.now + DAY)
    assert workspace.queue_counts().settled_today == 1
    clock.now += DAY
    assert workspace.queue_counts().settled_today == 0


def test_both_true_marks_a_topic_as_multi_valued_until_its_verdict_is_deleted(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w2.db"))
    for person in ("Ana", "Bo", "Eva"):
        for drink in ("tea", "coffee"):
            workspace.add({"content": f"{person} prefers {drink}.", "subject": person})
    workspace.scan()
    found = {pair.labels[0].split()[0]: pair for pair in workspace.pairs(family=CONTRADICTION)}
    assert set(found) == {"Ana", "Bo", "Eva"}
    topic = found["Ana"].topic
    assert topic
    insert_verdict(workspace, found["Ana"], "both-true", topic=topic, subject="Ana")
    assert scan.multi_valued(workspace._ctx) == {(topic, "ana")}
    assert workspace.queue_counts().unscanned > 0
    workspace.scan()
    assert {pair.labels[0].split()[0] for pair in workspace.pairs(family=CONTRADICTION)} == {"Bo", "Eva"}
    insert_verdict(workspace, found["Bo"], "both-true", topic=topic, subject="Bo")
    assert (topic, "") in scan.multi_valued(workspace._ctx)
    workspace.scan()
    assert workspace.pairs(family=CONTRADICTION) == []
    workspace._ctx.db.run("DELETE FROM verdicts")
    workspace.scan()
    found_again = {pair.labels[0].split()[0]: pair for pair in workspace.pairs(family=CONTRADICTION)}
    assert {name: pair.id for name, pair in found_again.items()} == {
        name: pair.id for name, pair in found.items()
    }
    workspace.close()


def test_digests_of_rows_equal_those_of_memories(workspace: Workspace) -> None:
    ctx = workspace._ctx
    workspace.edit([1], {"content": "a\x1f☕ 'b'\nc", "title": "T", "subject": "é", "key": "k"})
    ctx.db.run('UPDATE memories SET value = \'{"n": [1, 2.5, "ü"]}\' WHERE id = 2')
    digests = compared.current_digests(ctx, [1, 2, 3])
    assert [digests[id] for id in (1, 2, 3)] == [digest_of(each) for each in workspace.memories([1, 2, 3])]
    assert len(set(digests.values())) == 3
