"""How a pair stands: open, put off, settled, over; and what a verdict teaches (S-42, S-43)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Pair
from memtui.workspace.contradictions import queue, scan
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW, Clock
from tests.support.empty_workspace import empty
from tests.support.fake_workspace.base import digest_of

DAY = 86_400.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(tmp_path: Path, clock: Clock) -> Iterator[Workspace]:
    """Two that clash, and two that say the same."""
    workspace = Workspace.open(empty(tmp_path / "w.db"), clock=clock)
    for content in (
        "The kiln is lit on Monday.",
        "The kiln is never lit on Monday.",
        "Walnuts are stored in the cellar.",
        "walnuts are stored in the  cellar",
    ):
        workspace.add({"content": content})
    workspace.sweep()
    yield workspace
    workspace.close()


def said(workspace: Workspace, pair: Pair, verdict: str, **more: Any) -> None:
    """A verdict's row, as a person's word leaves it."""
    now = queue.said_now(workspace._ctx, (pair.a, pair.b))
    names = {
        "a": pair.a, "b": pair.b, "digest_a": now[pair.a], "digest_b": now[pair.b], "verdict": verdict,
        "at": workspace._ctx.clock(), "actor": "person", **more,
    }  # fmt: skip
    workspace._ctx.db.run(
        f"INSERT INTO verdicts ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        tuple(names.values()),
    )


def the(workspace: Workspace, family: str) -> Pair:
    (pair,) = workspace.pairs(family=family, state="")
    return pair


def test_the_two_are_found(workspace: Workspace) -> None:
    assert [pair.family for pair in workspace.pairs()] == [CONTRADICTION, DUPLICATE]
    assert workspace.review().open == 2
    assert queue.row(workspace._ctx, the(workspace, DUPLICATE).id) == the(workspace, DUPLICATE)
    assert queue.row(workspace._ctx, 99) is None


@pytest.mark.parametrize("verdict", ["keep-a", "both-true", "not-so", "discard-both", "merge"])
def test_a_verdict_holds_while_both_texts_stand(workspace: Workspace, verdict: str) -> None:
    pair = the(workspace, CONTRADICTION)
    said(workspace, pair, verdict, note="Two kilns.")
    settled = the(workspace, CONTRADICTION)
    assert settled.state == "settled"
    assert settled.decision is not None
    assert (settled.decision.verdict, settled.decision.note, settled.decision.actor) == (verdict, "Two kilns.", "person")
    assert workspace.pairs(family=CONTRADICTION) == []
    assert workspace.review().open == 1
    assert workspace.search("is:contradicted").ids.tolist() == []
    workspace._ctx.db.run("INSERT INTO scan_queue (memory_id) SELECT id FROM memories")
    workspace.sweep()
    assert the(workspace, CONTRADICTION).state == "settled"
    # Other words are judged anew, and asked about again.
    workspace.edit([pair.b], {"content": "The kiln is not lit on Monday."})
    assert the(workspace, CONTRADICTION).state == "over"
    workspace.sweep()
    again = the(workspace, CONTRADICTION)
    assert (again.id, again.state, again.decision) == (pair.id, "open", None)
    workspace.undo()
    workspace.sweep()
    assert the(workspace, CONTRADICTION).state == "settled"


def test_later_ends_and_the_week_counts_from_there(workspace: Workspace, clock: Clock) -> None:
    pair = the(workspace, CONTRADICTION)
    said(workspace, pair, "later", until=clock.now + 10 * DAY)
    assert the(workspace, CONTRADICTION).state == "later"
    state = workspace.review()
    assert (state.open, state.later, state.settled_today) == (1, 1, 0)
    clock.now += 11 * DAY
    back = the(workspace, CONTRADICTION)
    assert (back.state, back.escalated) == ("open", False)
    assert the(workspace, DUPLICATE).escalated
    assert workspace.review().escalated == 1
    assert [pair.family for pair in workspace.pairs()] == [DUPLICATE, CONTRADICTION]
    clock.now += 7 * DAY
    assert the(workspace, CONTRADICTION).escalated


def test_a_finding_keeps_its_day_while_it_stands(workspace: Workspace, clock: Clock) -> None:
    pair = the(workspace, CONTRADICTION)
    clock.now += 8 * DAY
    workspace.edit([pair.b], {"content": "The kiln is never ever lit on Monday."})
    workspace.sweep()
    again = the(workspace, CONTRADICTION)
    assert (again.found_at, again.escalated) == (pair.found_at, True)
    workspace.edit([pair.b], {"content": "Zebras are striped."})
    workspace.sweep()
    workspace.edit([pair.b], {"content": "The kiln is never lit on Monday."})
    workspace.sweep()
    assert not the(workspace, CONTRADICTION).escalated


def test_two_that_say_the_same_may_do_so_once_a_person_says_it(workspace: Workspace) -> None:
    pair = the(workspace, DUPLICATE)
    assert set(workspace.search("is:duplicate").ids) == {pair.a, pair.b}
    said(workspace, pair, "not-so")
    assert workspace.search("is:duplicate").ids.tolist() == []
    workspace.add({"content": "Walnuts are stored in the cellar."})
    assert len(workspace.search("is:duplicate", live=True).ids) >= 1


def test_lists_are_narrowed(workspace: Workspace) -> None:
    kind = the(workspace, CONTRADICTION).kind
    assert [pair.kind for pair in workspace.pairs(kind=kind)] == [kind]
    assert len(workspace.pairs(store="native")) == len(workspace.pairs(store="NAT*")) == 2
    assert workspace.pairs(store="elsewhere") == []
    assert workspace.pairs(memory=the(workspace, DUPLICATE).a) == [the(workspace, DUPLICATE)]


def test_settled_today_is_counted(workspace: Workspace, clock: Clock) -> None:
    clock.now = time.mktime((*time.localtime(NOW)[:3], 12, 0, 0, 0, 0, -1))
    said(workspace, the(workspace, CONTRADICTION), "not-so")
    said(workspace, the(workspace, DUPLICATE), "later", until=clock.now + DAY)
    assert workspace.review().settled_today == 1
    clock.now += DAY
    assert workspace.review().settled_today == 0


def test_both_true_teaches_and_is_forgotten_with_its_verdict(tmp_path: Path) -> None:
    workspace = Workspace.open(empty(tmp_path / "taught.db"))
    for person in ("Ana", "Bo", "Eva"):
        for drink in ("tea", "coffee"):
            workspace.add({"content": f"{person} prefers {drink}.", "subject": person})
    workspace.sweep()
    found = {pair.labels[0].split()[0]: pair for pair in workspace.pairs(family=CONTRADICTION)}
    assert set(found) == {"Ana", "Bo", "Eva"}
    topic = found["Ana"].topic
    assert topic
    said(workspace, found["Ana"], "both-true", topic=topic, subject="Ana")
    assert scan.taught(workspace._ctx) == {(topic, "ana")}
    assert workspace.review().unscanned > 0
    workspace.sweep()
    assert {pair.labels[0].split()[0] for pair in workspace.pairs(family=CONTRADICTION)} == {"Bo", "Eva"}
    said(workspace, found["Bo"], "both-true", topic=topic, subject="Bo")
    assert (topic, "") in scan.taught(workspace._ctx)
    workspace.sweep()
    assert workspace.pairs(family=CONTRADICTION) == []
    workspace._ctx.db.run("DELETE FROM verdicts")
    workspace.sweep()
    again = {pair.labels[0].split()[0]: pair for pair in workspace.pairs(family=CONTRADICTION)}
    assert {name: pair.id for name, pair in again.items()} == {name: pair.id for name, pair in found.items()}
    workspace.close()


def test_the_digest_of_a_row_is_that_of_its_memory(workspace: Workspace) -> None:
    ctx = workspace._ctx
    workspace.edit([1], {"content": "a\x1f☕ 'b'\nc", "title": "T", "subject": "é", "key": "k"})
    ctx.db.run('UPDATE memories SET value = \'{"n": [1, 2.5, "ü"]}\' WHERE id = 2')
    now = queue.said_now(ctx, [1, 2, 3])
    assert [now[id] for id in (1, 2, 3)] == [digest_of(each) for each in workspace.memories([1, 2, 3])]
    assert len(set(now.values())) == 3
