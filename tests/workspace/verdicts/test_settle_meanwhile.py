"""Verdicts and what comes in between: other texts, a purge, a store that is away (S-42, S-50, S-51)."""

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
from memtui.workspace.contradictions import candidates
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, add_pair, pair_state, workspace_rows
from tests.support.demo_workspace import memory
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, sample_cases

WRITING = (KEEP_A, KEEP_B, MERGE)


def read_anew(workspace: Workspace, id: int) -> None:
    """An agent's text, as a pull takes it in."""
    workspace._ctx.db.run("UPDATE memories SET content = 'Meets no more.' WHERE id = ?", (id,))


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE, LATER, KEEP_A, DISCARD_BOTH])
def test_a_verdict_is_given_again_for_what_was_judged_only(tmp_path: Path, verdict: str) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "native")
        workspace.settle(add_pair(workspace, one, two), verdict)
        workspace.undo()
        read_anew(workspace, two)
        with pytest.raises(Refused, match="says something else since"):
            workspace.redo()
        assert workspace_rows(workspace)["verdicts"] == []
        assert memory(workspace, two).status == "confirmed"


@pytest.mark.parametrize("verdict", sample_cases(VERDICTS, 4))
def test_a_verdict_holds_for_the_texts_that_were_looked_at(tmp_path: Path, verdict: str) -> None:
    """An agent wrote since, and the pair was found anew, so that it could be settled; but not as seen."""
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, one, two)
        seen = workspace.pair(id)
        assert seen is not None
        read_anew(workspace, two)
        now = candidates.current_digests(workspace._ctx, [one, two])
        workspace._ctx.db.run(
            "UPDATE pairs SET digest_a = ?, digest_b = ? WHERE id = ?", (now[one], now[two], id)
        )
        before = workspace_rows(workspace)
        with pytest.raises(Refused, match="says something else by now"):
            workspace.settle(id, verdict, text="Both.", seen=seen.digests)
        assert workspace_rows(workspace) == before
        anew = workspace.pair(id)
        assert anew is not None
        workspace.settle(id, verdict, text="Both.", seen=anew.digests)
        assert len(workspace_rows(workspace)["verdicts"]) == 1


def test_a_verdict_on_what_was_purged_is_not_given_again(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "native")
        workspace.settle(add_pair(workspace, one, two), BOTH_TRUE)
        workspace.undo()
        workspace.purge([two])
        with pytest.raises(Refused, match="is gone"):
            workspace.redo()


def test_what_another_memtui_changes_at_the_last_moment_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B has no part in "both true", so nothing of it is asked when that is put down."""
    stores = ContradictionStores(tmp_path, ("native", "minions")).create()

    with stores.opened() as workspace:
        own, other = stores.sample_ids(workspace, "native")[0], stores.sample_ids(workspace, "minions")[0]
        one, two = sorted((own, other))
        id = add_pair(workspace, one, two)
        leases = workspace._ctx.leases
        mine = leases.own

        def mine_after_a_change() -> str:
            read_anew(workspace, two)
            return mine()

        monkeypatch.setattr(leases, "own", mine_after_a_change)
        workspace.settle(id, BOTH_TRUE)
        assert pair_state(workspace, id) != "settled"


def test_no_half_of_a_verdict_is_taken_back_while_the_other_is_not_settled(
    tmp_path: Path, kill_harness: KillHarness
) -> None:
    """Killed once both stores are written; then one of them is away for a while."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, one, two)
        start = workspace_rows(workspace), stores.snapshot()
    end = {"kind": "step", "at": 4, "after": False, "early": False}
    assert kill_harness.run(stores.path, ["settle", id, DISCARD_BOTH], end)["killed"]
    file = stores.store_paths["mcp-memory"]
    away = file.rename(file.with_name("away"))
    with stores.opened() as workspace, pytest.raises(Refused, match="could not be settled yet"):
        workspace.undo()
    away.rename(file)
    with stores.opened() as workspace:
        assert {memory(workspace, each).status for each in (one, two)} == {"dismissed"}
        assert [row[4] for row in workspace_rows(workspace)["verdicts"]] == [DISCARD_BOTH]
        workspace.undo()
        assert (workspace_rows(workspace), stores.snapshot()) == start


def test_of_a_purged_memory_no_word_stays_with_the_other_one(tmp_path: Path) -> None:
    """A merge put its words into a memory of another store, and a note quotes it."""
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        one = stores.sample_ids(workspace, "founder-os")[1]
        workspace.edit([one], {"content": "The ferry leaves at nine. Common words stay."})
        said = "Common words stay. Qwertyplum boards the quincunx vessel every other day."
        two = workspace.add({"content": said, "subject": "Quincunx"}).ids[0]
        id = add_pair(workspace, one, two, topic="quincunx day")
        detail = workspace.pair(id)
        assert detail is not None
        workspace.settle(id, MERGE, text=detail.merged_text)
        workspace.undo()
        workspace.settle(id, BOTH_TRUE, note="Qwertyplum said so.")
        workspace.purge([two])
        db = workspace._ctx.db
        tables = [row[0] for row in db.rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%'")]
        for table in tables:
            told = str(db.rows(f"SELECT * FROM {table}")).casefold()
            assert "qwertyplum" not in told, table
            assert "quincunx" not in told, table
        assert memory(workspace, one).content == "The ferry leaves at nine. Common words stay."
        workspace.undo()
        assert workspace_rows(workspace)["verdicts"] == []


@pytest.mark.parametrize("format", ["cognitive", "mcp-memory"])
def test_after_many_writes_undo_still_ends_in_the_very_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """More than what is looked at of a store's past, taken back in any order."""
    most = rounds(25, prior_writes._LIMIT)
    monkeypatch.setattr(prior_writes, "_LIMIT", most)
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, two, _, three = stores.sample_ids(workspace, format)
        first, others = (
            add_pair(workspace, one, two),
            (add_pair(workspace, one, three), add_pair(workspace, two, three)),
        )
        start = workspace_rows(workspace), stores.snapshot()
        # What holds the relation is gone by then, or its lines stand at another place.
        gone = (KEEP_A, DISCARD_BOTH, others[0])
        trials = [each for each in itertools.product(WRITING, VERDICTS, others) if each != gone]
        for one_verdict, other_verdict, other in (gone, *sample_cases(trials, 6)):
            lines = [settled(workspace, first, one_verdict), settled(workspace, other, other_verdict)]
            for line in (*lines, lines[0]):
                with contextlib.suppress(Refused):  # undone already, or stood upon
                    workspace.undo(line)
            assert workspace_rows(workspace)["verdicts"] == []
            settled(workspace, others[0], KEEP_B)
            workspace.undo()
            assert (workspace_rows(workspace), stores.snapshot()) == start, (one_verdict, other_verdict)
        assert workspace._ctx.db.one("SELECT count(*) FROM outbox") > most + 10


def settled(workspace: Workspace, id: int, verdict: str) -> int | None:
    try:
        text = "Meets on both days." if verdict == MERGE else None
        return workspace.settle(id, verdict, text=text).journal_id
    except Refused:  # one of the two is gone
        return -1
