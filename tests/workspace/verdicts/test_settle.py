"""Verdicts on pairs: one line, one unit, one undo, in each format and across stores (S-42, S-50, S-51)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    DUPLICATE,
    EXACT,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    VERDICTS,
)
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import (
    FORMATS,
    MAKERS,
    ContradictionStores,
    add_pair,
    pair_state,
    relations_of,
    workspace_rows,
)
from tests.support.demo_workspace import agent_executes, agent_replaces, memory
from tests.support.sizes import shard
from tests.support.stores import minions
from tests.support.stores.cognitive import DROPS_AT, INSIGHT_AT

TEXT = "Meets on Monday, and on Friday in May."


def verdicts(workspace: Workspace) -> list[tuple[object, ...]]:
    return workspace._ctx.db.rows("SELECT verdict, note, topic, subject, entry_id FROM verdicts ORDER BY id")


@pytest.mark.parametrize(("number", "format"), list(enumerate(FORMATS)))
def test_every_verdict_and_its_way_back(tmp_path: Path, number: int, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, format)
        id = add_pair(workspace, one, two)
    for verdict in shard(VERDICTS, number, 3):
        with stores.opened() as workspace:
            start = workspace_rows(workspace), stores.snapshot()
            change = workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None, note="as agreed")
            assert change.kind == "resolved"
            assert {one, two} <= set(change.ids)
            event = workspace.journal()[0]
            assert (event.id, event.state, event.undoable) == (change.journal_id, "done", True)
            assert "Monday" not in event.summary
            assert [row[0] for row in verdicts(workspace)] == [verdict]
            assert workspace.pull().total == 0, verdict
            assert pair_state(workspace, id) == ("later" if verdict == LATER else "settled")
            settled = workspace_rows(workspace), stores.snapshot()
        with stores.opened() as workspace:  # another day
            workspace.undo()
            assert stores.snapshot() == start[1], verdict
            assert workspace_rows(workspace) == start[0], verdict
            workspace.redo()
            again = workspace_rows(workspace), stores.snapshot()
            assert verdicts(workspace)[0][0] == verdict
            assert pair_state(workspace, id) == ("later" if verdict == LATER else "settled")
            assert [row[:5] for row in again[0]["verdicts"]] == [row[:5] for row in settled[0]["verdicts"]]
            assert len(again[0]["memories"]) == len(settled[0]["memories"])
            workspace.undo()
            assert stores.snapshot() == start[1], verdict
            assert workspace_rows(workspace) == start[0], verdict
            assert workspace.pull().total == 0, verdict


ACROSS = [
    ("founder-os", "mcp-memory"),
    ("cognitive", "base-coat"),
    ("native", "minions"),
    ("mem-skill", "native"),
]


@pytest.mark.parametrize(("number", "formats"), list(enumerate(ACROSS)))
def test_across_two_stores(tmp_path: Path, number: int, formats: tuple[str, str]) -> None:
    stores = ContradictionStores(tmp_path, formats).create()
    with stores.opened() as workspace:
        ones, twos = (stores.sample_ids(workspace, format) for format in formats)
        id = add_pair(workspace, ones[1], twos[1])
        a, b = sorted((ones[1], twos[1]))
        for verdict in shard(VERDICTS, number, 2):
            start = workspace_rows(workspace), stores.snapshot()
            workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
            gone = {KEEP_A: [b], KEEP_B: [a], MERGE: [b], DISCARD_BOTH: [a, b]}.get(verdict, [])
            for each in (a, b):
                live = memory(workspace, each).status in ("candidate", "confirmed", "applied", "pending")
                assert live == (each not in gone), (verdict, each)
            if verdict in (KEEP_A, MERGE):
                assert memory(workspace, b).superseded_by == memory(workspace, a).uid
            if verdict == MERGE:
                assert memory(workspace, a).content == TEXT
            assert workspace.pull().total == 0, verdict
            workspace.undo()
            assert stores.snapshot() == start[1], verdict
            assert workspace_rows(workspace) == start[0], verdict
            workspace.redo()
            workspace.undo()
            assert (workspace_rows(workspace), stores.snapshot()) == start, verdict


@pytest.mark.parametrize(
    ("format", "newest_first"),
    [(format, order) for number, format in enumerate(FORMATS) for order in shard((False, True), number, 2)],
)
def test_two_pairs_that_share_a_memory_are_taken_back_in_either_order(
    tmp_path: Path, format: str, newest_first: bool
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, two, _, three = stores.sample_ids(workspace, format)
        first, second = add_pair(workspace, one, two), add_pair(workspace, one, three)
        start = workspace_rows(workspace), stores.snapshot()
        keep = KEEP_A if one < two else KEEP_B
        lines = [
            workspace.settle(first, keep).journal_id,
            workspace.settle(second, KEEP_A if one < three else KEEP_B).journal_id,
        ]
        for line in reversed(lines) if newest_first else lines:
            workspace.undo(line)
        assert workspace_rows(workspace)["verdicts"] == []
        assert stores.snapshot() == start[1]
        assert workspace_rows(workspace) == start[0]


def _an_agent(stores: ContradictionStores, format: str) -> None:
    """Something else in the store changes: another memory, or a count of uses."""
    place = stores.store_paths[format]
    if format == "founder-os":
        agent_executes(place, "UPDATE memories SET times_used = times_used + 5")
    elif format == "base-coat":
        agent_executes(place, "UPDATE memories SET access_count = access_count + 5")
    elif format == "mem-skill":
        agent_executes(place, "UPDATE facts SET value_text = 'Changed.' WHERE fact_id = 'fact-4'")
    elif format == "mcp-memory":
        agent_replaces(place, "Outsider", "Stranger")
    elif format == "claude-code":
        agent_replaces(place / "MEMORY.md", "hook 4", "hook four")
    elif format == "cognitive":
        for name in (INSIGHT_AT, DROPS_AT):
            if (place / name).exists():
                agent_replaces(place / name, "title: ", "title:  ")
    elif format == "minions":
        agent_replaces(
            place / minions.relative_path(minions.uid(1)), '"scope": "private"', '"scope": "fleet"'
        )


@pytest.mark.parametrize(
    ("format", "verdict"),
    [
        (format, verdict)
        for number, format in enumerate(MAKERS)
        for verdict in shard((KEEP_A, MERGE, KEEP_B, DISCARD_BOTH), number + 1, 2)
    ],
)
def test_what_an_agent_wrote_beside_stays_on_undo(tmp_path: Path, format: str, verdict: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, format)
        before = {id: memory(workspace, id) for id in (one, two)}
        workspace.settle(add_pair(workspace, one, two), verdict, text=TEXT if verdict == MERGE else None)
        _an_agent(stores, format)
        workspace.pull()
        workspace.undo()
        for id, was in before.items():
            now = memory(workspace, id)
            assert (now.content, now.status, now.superseded_by) == (was.content, was.status, None)
        assert verdicts(workspace) == []
        assert workspace.pull().total == 0


# -- what a verdict is refused for


def test_what_was_changed_since_is_to_be_found_anew(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, one, two)
        workspace.edit([two], {"content": "Meets on Sunday."})
        for verdict in VERDICTS:
            with pytest.raises(Refused, match="it is compared again first"):
                workspace.settle(id, verdict, text=TEXT)
        workspace.undo()
        with pytest.raises(Refused, match="text is empty"):
            workspace.settle(id, MERGE, text="  ")
        with pytest.raises(Refused, match="text is empty"):
            workspace.settle(id, MERGE)
        with pytest.raises(Refused, match="A verdict is one of"):
            workspace.settle(id, "shrug")
        with pytest.raises(Refused, match="no such pair"):
            workspace.settle(id + 1, KEEP_A)
        workspace.settle(id, KEEP_A)
        with pytest.raises(Refused, match="It is settled already: keep-a"):
            workspace.settle(id, KEEP_B)


def test_a_locked_store_takes_verdicts_that_write_nothing(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "minions")
        id = add_pair(workspace, one, two)
        workspace.lock_store("minions", True)
        start = workspace_rows(workspace), stores.snapshot()
        for verdict in (KEEP_A, KEEP_B, MERGE, DISCARD_BOTH):
            with pytest.raises(Refused, match="Not settled"):
                workspace.settle(id, verdict, text=TEXT)
        for verdict in (BOTH_TRUE, FALSE_POSITIVE, LATER):
            change = workspace.settle(id, verdict)
            assert ("still says that they contradict" in change.summary) == (verdict != LATER)
            assert stores.snapshot() == start[1]
            workspace.undo()
            assert (workspace_rows(workspace), stores.snapshot()) == start


def test_what_becomes_read_only_meanwhile_takes_nothing(tmp_path: Path) -> None:
    """The text stands in one store, the other one refuses: neither is changed in the end."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    steps: list[str] = []

    def step(name: str) -> None:
        steps.append(name)
        if name == "after settling" and len(steps) == 3:
            file = stores.store_paths["mcp-memory"]
            file.write_bytes(file.read_bytes().replace(b"Friday", b"Sunday"))

    with stores.opened(on_step=step) as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        assert one < two
        id = add_pair(workspace, one, two)
        before = stores.snapshot()["founder-os"]
        with pytest.raises(Refused, match="no longer in the store"):
            workspace.settle(id, MERGE, text=TEXT)
        assert memory(workspace, one).content == "Meets on Friday."
        assert memory(workspace, two).status == "confirmed"
        assert verdicts(workspace) == []
        assert stores.snapshot()["founder-os"] == before
        assert "rule:all-or-nothing" in {event.actor for event in workspace.journal(3)}
        with pytest.raises(Refused, match="Nothing to redo"):
            workspace.redo()


# -- what goes along


def test_relations_of_the_one_that_leaves_lead_to_the_other(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native", "base-coat")).create()
    with stores.opened() as workspace:
        a, b, third, _ = stores.sample_ids(workspace, "native")
        _, other, *_ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(other, "rests on", b)
        change = workspace.settle(add_pair(workspace, a, b), KEEP_A)
        assert "2 relations move along, kept in memtui" in change.summary
        told = relations_of(workspace, a)
        assert told == {(a, "supports", third, True), (other, "rests on", a, True)}
        workspace.undo()
        assert relations_of(workspace, a) == set()


def test_a_merge_keeps_what_both_were(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        a, b, *_ = stores.sample_ids(workspace, "native")
        workspace.edit([a], {"tags": ["x", "y"]})
        workspace.edit([b], {"tags": ["y", "z"]})
        workspace.confirm([b])
        workspace.pin([b], "dear")
        before = memory(workspace, a), memory(workspace, b)
        workspace.settle(add_pair(workspace, a, b, DUPLICATE, EXACT), MERGE)
        now = memory(workspace, a)
        assert now.content == before[0].content
        assert now.tags == ("x", "y", "z")
        assert now.confidence == before[1].confidence
        assert now.times_confirmed == 1
        assert (now.pinned, now.pinned_why) == (True, "dear")
        assert now.created_at == before[0].created_at
        assert memory(workspace, b).status == "superseded"
        workspace.undo()
        assert (memory(workspace, a), memory(workspace, b)) == before


def test_restoring_the_one_that_left_brings_back_what_it_was(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("base-coat",)).create()
    with stores.opened() as workspace:
        a, b, *_ = stores.sample_ids(workspace, "base-coat")
        id = add_pair(workspace, a, b)
        workspace.settle(id, KEEP_A)
        assert memory(workspace, b).confidence == 0
        workspace.restore([b])
        assert memory(workspace, b).confidence == pytest.approx(0.6)
        assert memory(workspace, b).superseded_by is None


def test_both_true_teaches_and_later_waits(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        a, b, third, _ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, a, b, topic="meets on")
        line = workspace.settle(id, BOTH_TRUE, note="in turns").journal_id
        assert verdicts(workspace) == [("both-true", "in turns", "meets on", "", line)]
        assert pair_state(workspace, id) == "settled"
        other = add_pair(workspace, a, third)
        workspace.settle(other, LATER)
        (until,) = workspace._ctx.db.rows("SELECT until - at FROM verdicts WHERE verdict = 'later'")[0]
        assert until == 7 * 86_400
        assert pair_state(workspace, other) == "later"
        workspace.settle(other, KEEP_A)
        workspace.undo()
        assert pair_state(workspace, other) == "later"
        workspace.undo()
        workspace.undo()
        assert verdicts(workspace) == []
        assert pair_state(workspace, id) == "open"


@pytest.mark.parametrize(
    ("format", "verdict"),
    [
        (format, verdict)
        for number, format in enumerate(["founder-os", "mcp-memory", "minions"])
        for verdict in shard((MERGE, KEEP_A, DISCARD_BOTH), number, 3)
    ],
)
def test_what_an_agent_changes_at_the_last_moment_is_not_judged(
    tmp_path: Path, format: str, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    place = stores.store_paths[format]

    def change(name: str) -> None:
        if name != "before the foreign write":
            return
        if format == "founder-os":
            agent_executes(
                place, "UPDATE memories SET content = 'Other.', status = 'applied' WHERE key = 'key-2'"
            )
            agent_executes(place, "UPDATE memories SET status = 'applied' WHERE key = 'key-1'")
        else:
            for number in (1, 2):
                file = place / minions.relative_path(minions.uid(number)) if place.is_dir() else place
                agent_replaces(file, f"Meets on {'Monday' if number == 1 else 'Friday'}", f"Other {number}")

    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, format)
        id = add_pair(workspace, one, two)
    with stores.opened(on_step=change) as workspace:
        with pytest.raises(Refused, match=r"Not saved|Left as it is"):
            workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
        assert verdicts(workspace) == []
        workspace.pull()
        states = {memory(workspace, each).status for each in (one, two)}
        assert states <= {"confirmed", "applied"}
        with pytest.raises(Refused, match="Nothing to undo"):
            workspace.undo()


def test_what_was_not_read_yet_is_not_judged(tmp_path: Path) -> None:
    """An agent changed the text of the one that would leave; nothing in its status tells."""
    stores = ContradictionStores(tmp_path, ("founder-os",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "founder-os")
        id = add_pair(workspace, one, two)
        place = stores.store_paths["founder-os"]
        agent_executes(place, "UPDATE memories SET content = 'Other.' WHERE key = 'key-2'")
        with pytest.raises(Refused, match="changed in the store"):
            workspace.settle(id, KEEP_A)
        assert verdicts(workspace) == []
        assert memory(workspace, two).status == "confirmed"
