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
from memtui.workspace.contradictions import queue
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStore, known, pair, state
from tests.support.demo_workspace import memory
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, share

WRITING = (KEEP_A, KEEP_B, MERGE)


def read_anew(workspace: Workspace, id: int) -> None:
    """An agent's text, as a pull takes it in."""
    workspace._ctx.db.run("UPDATE memories SET content = 'Meets no more.' WHERE id = ?", (id,))


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE, LATER, KEEP_A, DISCARD_BOTH])
def test_a_verdict_is_given_again_for_what_was_judged_only(tmp_path: Path, verdict: str) -> None:
    disputed = ContradictionStore(tmp_path, ("native",)).begin()
    with disputed.opened() as workspace:
        one, two, *_ = disputed.four(workspace, "native")
        workspace.settle(pair(workspace, one, two), verdict)
        workspace.undo()
        read_anew(workspace, two)
        with pytest.raises(Refused, match="says something else since"):
            workspace.redo()
        assert known(workspace)["verdicts"] == []
        assert memory(workspace, two).status == "confirmed"


@pytest.mark.parametrize("verdict", share(VERDICTS, 4))
def test_a_verdict_holds_for_the_texts_that_were_looked_at(tmp_path: Path, verdict: str) -> None:
    """An agent wrote since, and the pair was found anew, so that it could be settled; but not as seen."""
    disputed = ContradictionStore(tmp_path, ("native",)).begin()
    with disputed.opened() as workspace:
        one, two, *_ = disputed.four(workspace, "native")
        id = pair(workspace, one, two)
        seen = workspace.pair(id)
        assert seen is not None
        read_anew(workspace, two)
        now = queue.said_now(workspace._ctx, [one, two])
        workspace._ctx.db.run(
            "UPDATE pairs SET digest_a = ?, digest_b = ? WHERE id = ?", (now[one], now[two], id)
        )
        before = known(workspace)
        with pytest.raises(Refused, match="says something else by now"):
            workspace.settle(id, verdict, text="Both.", seen=seen.digests)
        assert known(workspace) == before
        anew = workspace.pair(id)
        assert anew is not None
        workspace.settle(id, verdict, text="Both.", seen=anew.digests)
        assert len(known(workspace)["verdicts"]) == 1


def test_a_verdict_on_what_was_purged_is_not_given_again(tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, ("native",)).begin()
    with disputed.opened() as workspace:
        one, two, *_ = disputed.four(workspace, "native")
        workspace.settle(pair(workspace, one, two), BOTH_TRUE)
        workspace.undo()
        workspace.purge([two])
        with pytest.raises(Refused, match="is gone"):
            workspace.redo()


def test_what_another_memtui_changes_at_the_last_moment_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B has no part in "both true", so nothing of it is asked when that is put down."""
    disputed = ContradictionStore(tmp_path, ("native", "minions")).begin()

    with disputed.opened() as workspace:
        own, other = disputed.four(workspace, "native")[0], disputed.four(workspace, "minions")[0]
        one, two = sorted((own, other))
        id = pair(workspace, one, two)
        leases = workspace._ctx.leases
        mine = leases.mine

        def mine_after_a_change() -> str:
            read_anew(workspace, two)
            return mine()

        monkeypatch.setattr(leases, "mine", mine_after_a_change)
        workspace.settle(id, BOTH_TRUE)
        assert state(workspace, id) != "settled"


def test_no_half_of_a_verdict_is_taken_back_while_the_other_is_not_settled(
    tmp_path: Path, kill_harness: KillHarness
) -> None:
    """Killed once both stores are written; then one of them is away for a while."""
    disputed = ContradictionStore(tmp_path, ("founder-os", "mcp-memory")).begin()
    with disputed.opened() as workspace:
        one, two = (disputed.four(workspace, format)[1] for format in disputed.formats)
        id = pair(workspace, one, two)
        start = known(workspace), disputed.stands()
    end = {"kind": "step", "at": 4, "after": False, "early": False}
    assert kill_harness.run(disputed.path, ["settle", id, DISCARD_BOTH], end)["killed"]
    file = disputed.places["mcp-memory"]
    away = file.rename(file.with_name("away"))
    with disputed.opened() as workspace, pytest.raises(Refused, match="could not be settled yet"):
        workspace.undo()
    away.rename(file)
    with disputed.opened() as workspace:
        assert {memory(workspace, each).status for each in (one, two)} == {"dismissed"}
        assert [row[4] for row in known(workspace)["verdicts"]] == [DISCARD_BOTH]
        workspace.undo()
        assert (known(workspace), disputed.stands()) == start


def test_of_a_purged_memory_no_word_stays_with_the_other_one(tmp_path: Path) -> None:
    """A merge put its words into a memory of another store, and a note quotes it."""
    disputed = ContradictionStore(tmp_path, ("founder-os", "native")).begin()
    with disputed.opened() as workspace:
        one = disputed.four(workspace, "founder-os")[1]
        workspace.edit([one], {"content": "The ferry leaves at nine. Common words stay."})
        said = "Common words stay. Qwertyplum boards the quincunx vessel every other day."
        two = workspace.add({"content": said, "subject": "Quincunx"}).ids[0]
        id = pair(workspace, one, two, topic="quincunx day")
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
        assert known(workspace)["verdicts"] == []


@pytest.mark.parametrize("format", ["cognitive", "mcp-memory"])
def test_after_many_writes_undo_still_ends_in_the_very_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """More than what is looked at of a store's past, taken back in any order."""
    most = rounds(25, prior_writes._MOST)
    monkeypatch.setattr(prior_writes, "_MOST", most)
    disputed = ContradictionStore(tmp_path, (format,)).begin()
    with disputed.opened() as workspace:
        one, two, _, three = disputed.four(workspace, format)
        first, others = pair(workspace, one, two), (pair(workspace, one, three), pair(workspace, two, three))
        start = known(workspace), disputed.stands()
        # What holds the relation is gone by then, or its lines stand at another place.
        gone = (KEEP_A, DISCARD_BOTH, others[0])
        trials = [each for each in itertools.product(WRITING, VERDICTS, others) if each != gone]
        for one_verdict, other_verdict, other in (gone, *share(trials, 6)):
            lines = [settled(workspace, first, one_verdict), settled(workspace, other, other_verdict)]
            for line in (*lines, lines[0]):
                with contextlib.suppress(Refused):  # undone already, or stood upon
                    workspace.undo(line)
            assert known(workspace)["verdicts"] == []
            settled(workspace, others[0], KEEP_B)
            workspace.undo()
            assert (known(workspace), disputed.stands()) == start, (one_verdict, other_verdict)
        assert workspace._ctx.db.one("SELECT count(*) FROM outbox") > most + 10


def settled(workspace: Workspace, id: int, verdict: str) -> int | None:
    try:
        text = "Meets on both days." if verdict == MERGE else None
        return workspace.settle(id, verdict, text=text).journal_id
    except Refused:  # one of the two is gone
        return -1
