"""Verdicts with changed texts, purged memories or a missing store in between (S-42, S-50, S-51)."""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    VERDICTS,
)
from memtui.workspace.changes import prior_writes
from memtui.workspace.contradictions import compared
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, add_pair, pair_state, workspace_rows
from tests.support.demo_workspace import memory
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, sample_cases

WRITING = (KEEP_A, KEEP_B, MERGE)


def change_in_mirror(workspace: Workspace, id: int) -> None:
    """Change a text in the mirror, as a pull would."""
    workspace._ctx.db.run("UPDATE memories SET content = 'Meets no more.' WHERE id = ?", (id,))


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE, LATER, KEEP_A, DISCARD_BOTH])
def test_redo_is_refused_once_a_text_changed(tmp_path: Path, verdict: str) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "native")
        workspace.settle(add_pair(workspace, first_id, second_id), verdict)
        workspace.undo()
        change_in_mirror(workspace, second_id)
        with pytest.raises(Refused, match="has changed since"):
            workspace.redo()
        assert workspace_rows(workspace)["verdicts"] == []
        assert memory(workspace, second_id).status == "confirmed"


@pytest.mark.parametrize("verdict", sample_cases(VERDICTS, 4))
def test_a_verdict_on_outdated_texts_is_refused(tmp_path: Path, verdict: str) -> None:
    """The pair was found again after a change, so that only a verdict on the current texts is accepted."""
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, first_id, second_id)
        seen = workspace.pair(id)
        assert seen is not None
        change_in_mirror(workspace, second_id)
        digests = compared.current_digests(workspace._ctx, [first_id, second_id])
        workspace._ctx.db.run(
            "UPDATE pairs SET digest_a = ?, digest_b = ? WHERE id = ?",
            (digests[first_id], digests[second_id], id),
        )
        before = workspace_rows(workspace)
        with pytest.raises(Refused, match="one of the two texts has changed"):
            workspace.settle(id, verdict, text="Both.", seen=seen.digests)
        assert workspace_rows(workspace) == before
        current = workspace.pair(id)
        assert current is not None
        workspace.settle(id, verdict, text="Both.", seen=current.digests)
        assert len(workspace_rows(workspace)["verdicts"]) == 1


def test_redo_is_refused_once_a_memory_was_purged(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "native")
        workspace.settle(add_pair(workspace, first_id, second_id), BOTH_TRUE)
        workspace.undo()
        workspace.purge([second_id])
        with pytest.raises(Refused, match="is gone"):
            workspace.redo()


def test_a_pair_changed_by_another_memtui_just_before_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """“Both true” writes nothing to B, so that B is not checked by the write."""
    stores = ContradictionStores(tmp_path, ("native", "minions")).create()

    with stores.opened() as workspace:
        own, other = stores.sample_ids(workspace, "native")[0], stores.sample_ids(workspace, "minions")[0]
        first_id, second_id = sorted((own, other))
        id = add_pair(workspace, first_id, second_id)
        leases = workspace._ctx.leases
        real_own = leases.own

        def own_after_change() -> str:
            change_in_mirror(workspace, second_id)
            return real_own()

        monkeypatch.setattr(leases, "own", own_after_change)
        workspace.settle(id, BOTH_TRUE)
        assert pair_state(workspace, id) != "settled"


def test_undo_is_refused_while_half_of_a_verdict_is_unsettled(
    tmp_path: Path, kill_harness: KillHarness
) -> None:
    """The process is killed after both stores were written, and then one of them is missing."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id)
        start = workspace_rows(workspace), stores.snapshot()
    end = {"kind": "step", "at": 4, "after": False, "early": False}
    assert kill_harness.run(stores.path, ["settle", id, DISCARD_BOTH], end)["killed"]
    file = stores.store_paths["mcp-memory"]
    moved = file.rename(file.with_name("away"))
    with stores.opened() as workspace, pytest.raises(Refused, match="still pending"):
        workspace.undo()
    moved.rename(file)
    with stores.opened() as workspace:
        assert {memory(workspace, each).status for each in (first_id, second_id)} == {"dismissed"}
        assert [row[4] for row in workspace_rows(workspace)["verdicts"]] == [DISCARD_BOTH]
        workspace.undo()
        assert (workspace_rows(workspace), stores.snapshot()) == start


def test_a_purge_erases_merged_texts_and_notes_of_verdicts(tmp_path: Path) -> None:
    """A merge copied its text into a memory of another store, and a note quotes it."""
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        first_id = stores.sample_ids(workspace, "founder-os")[1]
        workspace.edit([first_id], {"content": "The ferry leaves at nine. Common words stay."})
        content = "Common words stay. Qwertyplum boards the quincunx vessel every other day."
        second_id = workspace.add({"content": content, "subject": "Quincunx"}).ids[0]
        id = add_pair(workspace, first_id, second_id, topic="quincunx day")
        detail = workspace.pair(id)
        assert detail is not None
        workspace.settle(id, MERGE, text=detail.merged_text)
        workspace.undo()
        workspace.settle(id, BOTH_TRUE, note="Qwertyplum said so.")
        workspace.purge([second_id])
        db = workspace._ctx.db
        tables = [row[0] for row in db.rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%'")]
        for table in tables:
            rows = str(db.rows(f"SELECT * FROM {table}")).casefold()
            assert "qwertyplum" not in rows, table
            assert "quincunx" not in rows, table
        assert memory(workspace, first_id).content == "The ferry leaves at nine. Common words stay."
        workspace.undo()
        assert workspace_rows(workspace)["verdicts"] == []


@pytest.mark.parametrize("format", ["cognitive", "mcp-memory"])
def test_undo_restores_the_bytes_after_many_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """More writes than the limit of prior writes that are searched, undone in any order."""
    limit = rounds(25, prior_writes._LIMIT)
    monkeypatch.setattr(prior_writes, "_LIMIT", limit)
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        first_id, second_id, _, fourth_id = stores.sample_ids(workspace, format)
        first, others = (
            add_pair(workspace, first_id, second_id),
            (add_pair(workspace, first_id, fourth_id), add_pair(workspace, second_id, fourth_id)),
        )
        start = workspace_rows(workspace), stores.snapshot()
        # The memory with the relation is removed by then, or its lines have moved.
        removed_first = (KEEP_A, DISCARD_BOTH, others[0])
        trials = [each for each in itertools.product(WRITING, VERDICTS, others) if each != removed_first]
        for one_verdict, other_verdict, other in (removed_first, *sample_cases(trials, 6)):
            entry_ids = [
                try_to_settle(workspace, first, one_verdict),
                try_to_settle(workspace, other, other_verdict),
            ]
            for entry_id in (*entry_ids, entry_ids[0]):
                with contextlib.suppress(Refused):  # undone already, or a later change depends on it
                    workspace.undo(entry_id)
            assert workspace_rows(workspace)["verdicts"] == []
            try_to_settle(workspace, others[0], KEEP_B)
            workspace.undo()
            assert (workspace_rows(workspace), stores.snapshot()) == start, (one_verdict, other_verdict)
        assert workspace._ctx.db.one("SELECT count(*) FROM outbox") > limit + 10


def try_to_settle(workspace: Workspace, id: int, verdict: str) -> int | None:
    try:
        text = "Meets on both days." if verdict == MERGE else None
        return workspace.settle(id, verdict, text=text).journal_id
    except Refused:  # one of the two was removed
        return -1
