"""Rules whose process is killed, that meet another memtui, or a store that cannot be written (S-60, S-7)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.workspace.rules import sweep
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import sample_cases, shard

FORMATS = ("founder-os", "claude-code", "minions", "native")
# What was dismissed keeps its settings until it is restored.
HELD = "SELECT s.* FROM rule_settings s JOIN memories m ON m.id = s.memory_id WHERE m.live = 1"
KILLS = sample_cases(
    [("step", at) for at in range(9)]
    + [("sql", at) for at in range(0, 240, 3)]
    + [("call", at) for at in range(30)],
    8,
)


def governed(folder: Path) -> ContradictionStores:
    """Make stores and three rules, of which nothing is applied yet."""
    stores = ContradictionStores(folder, FORMATS).create()
    with stores.opened() as work:
        work.add_rule("Tags", "meets -tag:none", ["tag=meeting", "pin", "expire=400d"])
        work.add_rule("Old", "updated:>30d -tag:none", ["scope=fleet"])
        work.add_rule("Bystanders", "bystander -tag:none", ["dismiss"])
        _turn(work, on=True)
    return stores


def _turn(work: Workspace, *, on: bool) -> None:
    """Switch all rules on or off as another memtui does, that does not apply them."""
    work._ctx.db.run("UPDATE rules SET is_on = ?", (on,))
    work._ctx.db.run("INSERT OR IGNORE INTO rule_queue (memory_id) SELECT id FROM memories")


def set_fields(work: Workspace) -> list[tuple[Any, ...]]:
    """Return what rules can set, by memory."""
    ids = [row[0] for row in work._ctx.db.rows("SELECT id FROM memories ORDER BY id")]
    return [
        (m.uid, m.status, m.pinned, m.pinned_by, m.tags, m.scope, m.expires_at) for m in work.memories(ids)
    ]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """What the memories are like with the rules on, and then with them off."""
    stores = governed(tmp_path_factory.mktemp("expected"))
    with stores.opened() as work:
        work.apply_rules()
        on = set_fields(work)
        _turn(work, on=False)
        work.apply_rules()
        return on, set_fields(work)


@pytest.mark.parametrize(
    ("kill", "first"),
    [(kill, first) for number, kill in enumerate(KILLS) for first in shard((True, False), number, 2)],
)
def test_a_kill_loses_nothing_and_does_nothing_twice(
    kill_harness: KillHarness, tmp_path: Path, expected: Any, kill: tuple[str, int], first: bool
) -> None:
    stores = governed(tmp_path)
    if not first:
        with stores.opened() as work:
            work.apply_rules()
            _turn(work, on=False)
    kind, at = kill
    kill_harness.run(stores.path, ["apply_rules"], {"kind": kind, "at": at, "after": True, "early": False})
    with stores.opened() as work:
        work.apply_rules()
        if first:
            assert set_fields(work) == expected[0]
            _turn(work, on=False)
            work.apply_rules()
        assert set_fields(work) == expected[1]
        assert not work._ctx.db.rows(HELD)
        assert not work._ctx.db.rows("SELECT * FROM rule_exceptions WHERE action <> 'dismiss'")
        assert sweep.waiting(work._ctx) == 0


def test_a_locked_store_keeps_what_it_has_until_it_is_unlocked(tmp_path: Path, expected: Any) -> None:
    stores = governed(tmp_path)
    with stores.opened() as work:
        work.apply_rules()
        work.lock_store("founder-os", True)
        before = stores.snapshot()["founder-os"]
        _turn(work, on=False)
        work.apply_rules()
        assert stores.snapshot()["founder-os"] == before
        assert work._ctx.db.one("SELECT count(*) FROM rule_settings") > 0
        work.lock_store("founder-os", False)
        stores.clock.now += 3_601  # no rule is on, and the sweep looks all the same
        work.apply_rules()
        assert set_fields(work) == expected[1]


def test_two_memtuis_do_not_apply_rules_at_once(
    tmp_path: Path, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "_PERSISTENCE", 0)
    stores = governed(tmp_path)
    with stores.opened() as work, stores.opened() as other:
        with other._ctx.leases.alone(), pytest.raises(Refused):
            work.apply_rules()
        assert not work._ctx.db.one("SELECT count(*) FROM rule_settings")
        work.apply_rules()
        other.apply_rules()
        assert set_fields(other) == expected[0]


def sweeping(work: Workspace) -> None:
    work.apply_rules()
    work.close_thread()


def test_a_sweep_waits_for_its_turn_and_lets_others_have_theirs(tmp_path: Path, expected: Any) -> None:
    stores = governed(tmp_path)
    with stores.opened() as work, stores.opened() as other:
        with ThreadPoolExecutor() as threads, other._ctx.leases.alone():
            swept = threads.submit(sweeping, work)
            with pytest.raises(TimeoutError):
                swept.result(3 * sweep._PATIENCE)
            with work._ctx.writing:  # a thread of the same program may write meanwhile
                pass
        swept.result()
        assert set_fields(other) == expected[0]


def test_a_write_meanwhile_is_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stores = governed(tmp_path)
    with stores.opened() as work, stores.opened() as other:
        work.apply_rules()
        id = other.add({"content": "A note."}).ids[0]
        work._ctx.db.run("INSERT OR IGNORE INTO rule_queue (memory_id) VALUES (?)", (id,))
        settled = sweep._apply

        def slow(ctx: Any, ids: Any, duplicates: Any) -> Any:
            found = settled(ctx, ids, duplicates)
            ctx.db.run("UPDATE memories SET content = 'Meets now.' WHERE id = ?", (id,))
            return found

        monkeypatch.setattr(sweep, "_apply", slow)
        sweep.apply(
            work._ctx, {id: work._ctx.db.one("SELECT turn FROM rule_queue WHERE memory_id = ?", (id,))}
        )
        monkeypatch.undo()
        work.apply_rules()
        assert work.memories([id])[0].tags == ("meeting",)


def test_a_query_that_cannot_be_read_leaves_what_its_rule_holds(tmp_path: Path) -> None:
    stores = governed(tmp_path)
    with stores.opened() as work:
        work.apply_rules()
        before = set_fields(work)
        work._ctx.db.run("UPDATE rules SET query = 'later:>3 meets' WHERE name = 'Tags'")
        work._ctx.db.run("UPDATE rules SET query = 'is:later' WHERE name = 'Old'")
        _turn(work, on=True)
        work.apply_rules()
        assert [fields for fields in set_fields(work) if "meeting" in fields[4]]
        assert [each[5] for each in set_fields(work)] == [each[5] for each in before]
