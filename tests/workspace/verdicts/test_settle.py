"""Verdicts on pairs: one entry and one undo, in each format and across stores (S-42, S-50, S-51)."""

from __future__ import annotations

from pathlib import Path

import apsw
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
def test_every_verdict_and_its_undo(tmp_path: Path, number: int, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, format)
        id = add_pair(workspace, first_id, second_id)
    for verdict in shard(VERDICTS, number, 3):
        with stores.opened() as workspace:
            start = workspace_rows(workspace), stores.snapshot()
            change = workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None, note="as agreed")
            assert change.kind == "resolved"
            assert {first_id, second_id} <= set(change.ids)
            event = workspace.journal()[0]
            assert (event.id, event.state, event.undoable) == (change.journal_id, "done", True)
            assert "Monday" not in event.summary
            assert [row[0] for row in verdicts(workspace)] == [verdict]
            assert workspace.pull().total == 0, verdict
            assert pair_state(workspace, id) == ("later" if verdict == LATER else "settled")
            settled = workspace_rows(workspace), stores.snapshot()
        with stores.opened() as workspace:  # a new session
            workspace.undo()
            assert stores.snapshot() == start[1], verdict
            assert workspace_rows(workspace) == start[0], verdict
            workspace.redo()
            redone = workspace_rows(workspace), stores.snapshot()
            assert verdicts(workspace)[0][0] == verdict
            assert pair_state(workspace, id) == ("later" if verdict == LATER else "settled")
            assert [row[:5] for row in redone[0]["verdicts"]] == [row[:5] for row in settled[0]["verdicts"]]
            assert len(redone[0]["memories"]) == len(settled[0]["memories"])
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
def test_verdicts_across_two_stores(tmp_path: Path, number: int, formats: tuple[str, str]) -> None:
    stores = ContradictionStores(tmp_path, formats).create()
    with stores.opened() as workspace:
        first_ids, second_ids = (stores.sample_ids(workspace, format) for format in formats)
        id = add_pair(workspace, first_ids[1], second_ids[1])
        a, b = sorted((first_ids[1], second_ids[1]))
        for verdict in shard(VERDICTS, number, 2):
            start = workspace_rows(workspace), stores.snapshot()
            workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
            removed = {KEEP_A: [b], KEEP_B: [a], MERGE: [b], DISCARD_BOTH: [a, b]}.get(verdict, [])
            for each in (a, b):
                live = memory(workspace, each).status in ("candidate", "confirmed", "applied", "pending")
                assert live == (each not in removed), (verdict, each)
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
def test_verdicts_on_pairs_that_share_a_memory_are_undone_in_any_order(
    tmp_path: Path, format: str, newest_first: bool
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        first_id, second_id, _, fourth_id = stores.sample_ids(workspace, format)
        first, second = add_pair(workspace, first_id, second_id), add_pair(workspace, first_id, fourth_id)
        start = workspace_rows(workspace), stores.snapshot()
        keep = KEEP_A if first_id < second_id else KEEP_B
        entry_ids = [
            workspace.settle(first, keep).journal_id,
            workspace.settle(second, KEEP_A if first_id < fourth_id else KEEP_B).journal_id,
        ]
        for entry_id in reversed(entry_ids) if newest_first else entry_ids:
            workspace.undo(entry_id)
        assert workspace_rows(workspace)["verdicts"] == []
        assert stores.snapshot() == start[1]
        assert workspace_rows(workspace) == start[0]


def _change_as_agent(stores: ContradictionStores, format: str) -> None:
    """Change something else in the store: another memory or a usage counter."""
    path = stores.store_paths[format]
    if format == "founder-os":
        agent_executes(path, "UPDATE memories SET times_used = times_used + 5")
    elif format == "base-coat":
        agent_executes(path, "UPDATE memories SET access_count = access_count + 5")
    elif format == "mem-skill":
        agent_executes(path, "UPDATE facts SET value_text = 'Changed.' WHERE fact_id = 'fact-4'")
    elif format == "mcp-memory":
        agent_replaces(path, "Outsider", "Stranger")
    elif format == "claude-code":
        agent_replaces(path / "MEMORY.md", "hook 4", "hook four")
    elif format == "cognitive":
        for name in (INSIGHT_AT, DROPS_AT):
            if (path / name).exists():
                agent_replaces(path / name, "title: ", "title:  ")
    elif format == "minions":
        agent_replaces(path / minions.relative_path(minions.uid(1)), '"scope": "private"', '"scope": "fleet"')


@pytest.mark.parametrize(
    ("format", "verdict"),
    [
        (format, verdict)
        for number, format in enumerate(MAKERS)
        for verdict in shard((KEEP_A, MERGE, KEEP_B, DISCARD_BOTH), number + 1, 2)
    ],
)
def test_undo_keeps_what_an_agent_wrote_to_the_store(tmp_path: Path, format: str, verdict: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, format)
        before = {id: memory(workspace, id) for id in (first_id, second_id)}
        workspace.settle(
            add_pair(workspace, first_id, second_id), verdict, text=TEXT if verdict == MERGE else None
        )
        _change_as_agent(stores, format)
        workspace.pull()
        workspace.undo()
        for id, original in before.items():
            current = memory(workspace, id)
            assert (current.content, current.status, current.superseded_by) == (
                original.content,
                original.status,
                None,
            )
        assert verdicts(workspace) == []
        assert workspace.pull().total == 0


# -- refusals


def test_invalid_verdicts_are_refused(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, first_id, second_id)
        workspace.edit([second_id], {"content": "Meets on Sunday."})
        for verdict in VERDICTS:
            with pytest.raises(Refused, match="This pair is no longer open"):
                workspace.settle(id, verdict, text=TEXT)
        workspace.undo()
        with pytest.raises(Refused, match="text is empty"):
            workspace.settle(id, MERGE, text="  ")
        with pytest.raises(Refused, match="text is empty"):
            workspace.settle(id, MERGE)
        with pytest.raises(Refused, match="The verdict must be one of"):
            workspace.settle(id, "shrug")
        with pytest.raises(Refused, match="No pair with ID"):
            workspace.settle(id + 1, KEEP_A)
        workspace.settle(id, KEEP_A)
        with pytest.raises(Refused, match="already resolved: keep-a"):
            workspace.settle(id, KEEP_B)


def test_a_locked_store_accepts_verdicts_that_write_nothing(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "minions")
        id = add_pair(workspace, first_id, second_id)
        workspace.lock_store("minions", True)
        start = workspace_rows(workspace), stores.snapshot()
        for verdict in (KEEP_A, KEEP_B, MERGE, DISCARD_BOTH):
            with pytest.raises(Refused, match="Not resolved"):
                workspace.settle(id, verdict, text=TEXT)
        for verdict in (BOTH_TRUE, FALSE_POSITIVE, LATER):
            change = workspace.settle(id, verdict)
            assert ("still marks them as contradictory" in change.summary) == (verdict != LATER)
            assert stores.snapshot() == start[1]
            workspace.undo()
            assert (workspace_rows(workspace), stores.snapshot()) == start


def test_a_verdict_that_one_store_refuses_changes_nothing(tmp_path: Path) -> None:
    """One store is written, the other refuses: the first is rolled back."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    steps: list[str] = []

    def step(name: str) -> None:
        steps.append(name)
        if name == "after settling" and len(steps) == 3:
            file = stores.store_paths["mcp-memory"]
            file.write_bytes(file.read_bytes().replace(b"Friday", b"Sunday"))

    with stores.opened(on_step=step) as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        assert first_id < second_id
        id = add_pair(workspace, first_id, second_id)
        before = stores.snapshot()["founder-os"]
        with pytest.raises(Refused, match="no longer matches what was read"):
            workspace.settle(id, MERGE, text=TEXT)
        assert memory(workspace, first_id).content == "Meets on Friday."
        assert memory(workspace, second_id).status == "confirmed"
        assert verdicts(workspace) == []
        assert stores.snapshot()["founder-os"] == before
        assert "rule:all-or-nothing" in {event.actor for event in workspace.journal(3)}
        with pytest.raises(Refused, match="Nothing to redo"):
            workspace.redo()


def test_an_interrupted_verdict_whose_store_is_lost_does_not_keep_the_workspace_from_opening(
    tmp_path: Path,
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()

    class Killed(BaseException):
        pass

    def step(name: str) -> None:
        if name == "before the foreign write":
            raise Killed

    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id)
    with stores.opened(on_step=step) as workspace, pytest.raises(Killed):
        workspace.settle(id, MERGE, text=TEXT)
    connection = apsw.Connection(str(stores.path))
    connection.execute("DELETE FROM stores WHERE format = 'mcp-memory'")
    connection.close()
    with stores.opened() as workspace:
        assert ["not applied" in line for line in workspace.reconciled] == [True, True]
        assert workspace._ctx.db.rows("SELECT 1 FROM outbox WHERE state IN ('intended', 'waiting')") == []


# -- relations and fields


def test_relations_move_to_the_memory_that_is_kept(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native", "base-coat")).create()
    with stores.opened() as workspace:
        a, b, third, _ = stores.sample_ids(workspace, "native")
        _, other, *_ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(other, "based on", b)
        change = workspace.settle(add_pair(workspace, a, b), KEEP_A)
        assert "moved 2 relations (kept in memtui)" in change.summary
        relations = relations_of(workspace, a)
        assert relations == {(a, "supports", third, True), (other, "based on", a, True)}
        workspace.undo()
        assert relations_of(workspace, a) == set()


def test_a_merge_combines_the_fields_of_both(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        a, b, *_ = stores.sample_ids(workspace, "native")
        workspace.edit([a], {"tags": ["x", "y"]})
        workspace.edit([b], {"tags": ["y", "z"]})
        workspace.confirm([b])
        workspace.pin([b], "dear")
        before = memory(workspace, a), memory(workspace, b)
        workspace.settle(add_pair(workspace, a, b, DUPLICATE, EXACT), MERGE)
        current = memory(workspace, a)
        assert current.content == before[0].content
        assert current.tags == ("x", "y", "z")
        assert current.confidence == before[1].confidence
        assert current.times_confirmed == 1
        assert (current.pinned, current.pinned_why) == (True, "dear")
        assert current.created_at == before[0].created_at
        assert memory(workspace, b).status == "superseded"
        workspace.undo()
        assert (memory(workspace, a), memory(workspace, b)) == before


def test_restoring_a_superseded_memory_restores_its_confidence(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("base-coat",)).create()
    with stores.opened() as workspace:
        a, b, *_ = stores.sample_ids(workspace, "base-coat")
        id = add_pair(workspace, a, b)
        workspace.settle(id, KEEP_A)
        assert memory(workspace, b).confidence == 0
        workspace.restore([b])
        assert memory(workspace, b).confidence == pytest.approx(0.6)
        assert memory(workspace, b).superseded_by is None


def test_both_true_and_later_are_recorded(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        a, b, third, _ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, a, b, topic="meets on")
        entry_id = workspace.settle(id, BOTH_TRUE, note="in turns").journal_id
        assert verdicts(workspace) == [("both-true", "in turns", "meets on", "", entry_id)]
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
def test_a_memory_changed_just_before_the_write_is_not_settled(
    tmp_path: Path, format: str, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    path = stores.store_paths[format]

    def change(name: str) -> None:
        if name != "before the foreign write":
            return
        if format == "founder-os":
            agent_executes(
                path, "UPDATE memories SET content = 'Other.', status = 'applied' WHERE key = 'key-2'"
            )
            agent_executes(path, "UPDATE memories SET status = 'applied' WHERE key = 'key-1'")
        else:
            for number in (1, 2):
                file = path / minions.relative_path(minions.uid(number)) if path.is_dir() else path
                agent_replaces(file, f"Meets on {'Monday' if number == 1 else 'Friday'}", f"Other {number}")

    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, format)
        id = add_pair(workspace, first_id, second_id)
    with stores.opened(on_step=change) as workspace:
        with pytest.raises(Refused, match=r"Not saved|Not changed"):
            workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
        assert verdicts(workspace) == []
        workspace.pull()
        states = {memory(workspace, each).status for each in (first_id, second_id)}
        assert states <= {"confirmed", "applied"}
        with pytest.raises(Refused, match="Nothing to undo"):
            workspace.undo()


def test_a_memory_changed_since_the_last_pull_is_not_settled(tmp_path: Path) -> None:
    """An agent changed the text of the memory that would be dismissed, but not its status."""
    stores = ContradictionStores(tmp_path, ("founder-os",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "founder-os")
        id = add_pair(workspace, first_id, second_id)
        path = stores.store_paths["founder-os"]
        agent_executes(path, "UPDATE memories SET content = 'Other.' WHERE key = 'key-2'")
        with pytest.raises(Refused, match="changed in the store"):
            workspace.settle(id, KEEP_A)
        assert verdicts(workspace) == []
        assert memory(workspace, second_id).status == "confirmed"
