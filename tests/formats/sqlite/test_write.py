"""SQLite stores are changed in one transaction."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.plans import Receipt, Write, WriteState
from memtui.formats.founder_os import FounderOs
from memtui.formats.media.sqlite import connection as foreign
from tests.formats.sqlite.support import NOW, edit, plan_writes, undo
from tests.support.stores import Agent, file_hashes, rows_in
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import (
    ACME,
    MEMORIES,
    NEWS,
    SHIPPED_COLUMNS,
    UNTYPED_COLUMNS,
    make,
)

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def short_lock_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only 20 ms for a locked store."""
    monkeypatch.setattr(foreign, "PAUSE_MS", 20)


# -- locks


@pytest.mark.usefixtures("short_lock_wait")
@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_store_that_stays_locked_is_busy_and_unchanged(tmp_path: Path, journal: str) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    planned = plan_writes(store, edit(ACME, "Ours."))
    with Agent(store.root) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Refused) as refusal:
            store.apply(planned, "t")
        assert refusal.value.code == "busy"
        assert "memory.db is busy" in refusal.value.message
        agent.execute("ROLLBACK")
        assert store.write_state(planned, "t") == WriteState.BEFORE
        store.apply(planned, "t")
        assert agent.execute("SELECT content FROM memories WHERE id = ?", ACME) == [["Ours."]]


@pytest.mark.usefixtures("short_lock_wait")
def test_reading_next_to_a_writer_waits_only_where_it_must(tmp_path: Path) -> None:
    log = make(tmp_path / "log" / "memory.db")
    journal = make(tmp_path / "journal" / "memory.db", journal="delete")
    with Agent(log) as first, Agent(journal) as second:
        first.execute("BEGIN EXCLUSIVE")
        second.execute("BEGIN EXCLUSIVE")
        assert len(FounderOs(log).read().records) == len(MEMORIES)
        with pytest.raises(Refused, match="busy"):
            FounderOs(journal).read()


@pytest.mark.usefixtures("short_lock_wait")
def test_a_reader_that_keeps_its_lock_leaves_the_store_unchanged(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal="delete"))
    planned, before = plan_writes(store, edit(ACME, "Ours.")), rows_in(store.root)
    with Agent(store.root) as agent:
        agent.execute("BEGIN")
        agent.execute("SELECT count(*) FROM memories")
        with pytest.raises(Refused, match="busy"):
            store.apply(planned, "t")
    assert rows_in(store.root) == before


def test_a_write_waits_for_a_short_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "PAUSE_MS", 20_000)
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    with Agent(path) as agent:
        agent.execute("BEGIN IMMEDIATE")
        soon = threading.Timer(0.2, agent.execute, ["COMMIT"])
        soon.start()
        store.apply(planned, "t")
        soon.join()
    assert store.write_state(planned, "t") == WriteState.AFTER


# -- read-only stores


def test_an_unknown_trigger_makes_the_store_read_only(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    execute(path, "CREATE TRIGGER Gone AFTER UPDATE ON Memories BEGIN DELETE FROM observations; END")
    held = file_hashes(path)
    assert store.locked_reason() == "Unknown trigger “Gone” on Memories; a change could fire it."
    refusals = [*store.plan([edit(ACME, "Again.")]), *store.reverse(planned)]
    assert [refusal.code for refusal in refusals if isinstance(refusal, Refused)] == ["read-only"] * 2
    with pytest.raises(Refused, match="“Gone”"):
        store.apply(planned, "t")
    assert file_hashes(path) == held
    assert len(store.read().records) == len(MEMORIES)


def test_a_trigger_on_a_table_that_is_never_written_is_ignored(path: Path) -> None:
    execute(path, "CREATE TRIGGER log AFTER INSERT ON observations BEGIN SELECT 1; END")
    assert FounderOs(path).locked_reason() == ""


def test_a_table_name_that_is_not_text_means_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE aaaa (x); CREATE TABLE bbbb (y)")
    connection.close()
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"a\xff\xfea"))
    assert registry.find(path) == []
    assert "a damaged SQLite database" in registry.explain(path).message


def test_a_hard_linked_database_is_not_written(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    os.link(path, path.with_name("other.db"))
    assert "hard link" in store.locked_reason()
    with pytest.raises(Refused, match="hard link"):
        store.apply(planned, "t")
    assert len(store.read().records) == len(MEMORIES)


def test_a_deleted_database_is_not_recreated(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    path.unlink()
    assert store.locked_reason() == "memory.db no longer exists."
    for call in (store.read, lambda: store.apply(planned, "t"), lambda: store.write_state(planned, "t")):
        with pytest.raises(Refused, match="no longer exists"):
            call()
    assert os.listdir(path.parent) == []


def test_a_replaced_database_is_noticed_before_the_commit(path: Path) -> None:
    class Replaced(FounderOs):
        def _receipt(self, connection: Any, plans: Any) -> Receipt:
            os.replace(replacement, path)
            return super()._receipt(connection, plans)

    replacement = make(path.with_name("other.db"))
    store = Replaced(path)
    planned, before = plan_writes(store, edit(ACME, "Ours.")), rows_in(replacement)
    with pytest.raises(Refused) as refusal:
        store.apply(planned, "t")
    assert refusal.value.code == "swapped"
    assert rows_in(path) == before


# -- atomic writes


def test_a_row_that_changed_between_plan_and_write_stops_the_whole_batch(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    execute(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{NEWS}'")
    before = rows_in(path)
    with pytest.raises(Refused) as refusal:
        store.apply(planned, "t")
    assert refusal.value.code == "changed"
    assert rows_in(path) == before


def test_a_row_deleted_between_plan_and_write_stops_the_whole_batch(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    execute(path, f"DELETE FROM memories WHERE id = '{NEWS}'")
    before = rows_in(path)
    with pytest.raises(Refused, match="changed during"):
        store.apply(planned, "t")
    assert rows_in(path) == before


def test_a_constraint_of_the_store_is_reported_and_nothing_is_written(tmp_path: Path) -> None:
    columns = SHIPPED_COLUMNS | {"content": "TEXT CHECK (length(content) < 80)"}
    store = FounderOs(make(tmp_path / "memory.db", columns=columns))
    planned, before = plan_writes(store, edit(ACME, "Short."), edit(NEWS, "long " * 40)), rows_in(store.root)
    with pytest.raises(Refused, match="CHECK constraint failed") as refusal:
        store.apply(planned, "t")
    assert refusal.value.code == "constraint"
    assert rows_in(store.root) == before


def test_a_second_row_with_the_same_id_is_never_changed_with_the_first(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=UNTYPED_COLUMNS))
    planned = plan_writes(store, edit(ACME, "Ours."))
    execute(store.root, "INSERT INTO memories SELECT * FROM memories WHERE key = 'acme-payment-terms'")
    before = rows_in(store.root)
    with pytest.raises(Refused) as refusal:
        store.apply(planned, "t")
    assert refusal.value.code == "unsure"
    assert rows_in(store.root) == before


def test_a_full_disk_leaves_no_partial_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = foreign._configure

    def full(connection: Any, write: bool) -> None:
        careful(connection, write)
        connection.execute("PRAGMA max_page_count=1")

    monkeypatch.setattr(foreign, "_configure", full)
    store = FounderOs(path)
    planned, before = plan_writes(store, edit(NEWS, "Short."), edit(ACME, "long " * 100_000)), rows_in(path)
    with pytest.raises(Refused, match="disk is full"):
        store.apply(planned, "t")
    assert rows_in(path) == before


_KILLED_WRITER = """
import json, os, signal, sys
from pathlib import Path
from memtui.formats.founder_os import FounderOs
class Killed(FounderOs):
    def _receipt(self, connection, plans):
        connection.cache_flush()
        os.kill(os.getpid(), signal.SIGKILL)
store = Killed(Path(sys.argv[1]))
store.apply([store.load_plan(plan) for plan in json.load(sys.stdin)], "t")
"""


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_killed_write_leaves_the_store_unchanged_and_can_be_repeated(tmp_path: Path, journal: str) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    new = Write("add", "", {"content": "New."}, {}, NOW)
    planned, before = plan_writes(store, edit(ACME, "Ours."), new), rows_in(store.root)
    child = subprocess.run(
        [sys.executable, "-c", _KILLED_WRITER, str(store.root)],
        input=json.dumps([store.dump_plan(plan) for plan in planned]),
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert child.returncode == -signal.SIGKILL
    assert store.write_state(planned, "t") == WriteState.BEFORE
    assert rows_in(store.root) == before
    store.apply(planned, "t")
    assert store.write_state(planned, "t") == WriteState.AFTER


# -- batches


def test_changes_of_one_row_in_a_batch_build_on_each_other_and_are_undone(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    planned = plan_writes(
        store,
        edit(ACME, "First."),
        Write("edit", ACME, {"content": "Second.", "tags": ("x",)}, {}, NOW + 1),
        Write("confirm", ACME, {"confidence": 1.0, "times_confirmed": 4}, {}, NOW + 2),
        edit(ACME, "Acme Corp pays invoices on net-30 terms."),
    )
    receipt = store.apply(planned, "t")
    assert store.write_state(planned, "t") == WriteState.AFTER
    assert [(r.fields["content"], r.fields["tags"], r.fields["confidence"]) for r in receipt.records] == [
        ("Acme Corp pays invoices on net-30 terms.", ("x",), 1.0)
    ]
    undos = undo(store, planned)
    assert rows_in(path) == before
    assert store.write_state(planned, "t") == WriteState.BEFORE
    undo(store, undos)
    assert store.read_refs([ACME])[ACME].fields["tags"] == ("x",)
