"""Databases of others: read without a trace, changed in one transaction, beside live writers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Planned, Receipt, Standing, Write
from memtui.formats.founder_os import FounderOs
from memtui.formats.media.sqlite import connection as foreign
from memtui.formats.media.sqlite.connection import tables_of
from memtui.formats.media.sqlite.store import RowEdit
from tests.support.sizes import turn
from tests.support.stores import Agent, bytes_of, changes, rows_in
from tests.support.stores.databases import alter
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    ODD_COLUMNS,
    REVIEW,
    SHIPPED_COLUMNS,
    make,
)

NOW = 1_800_000_000.0
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "memory.db")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait long for a store that stays locked."""
    monkeypatch.setattr(foreign, "PAUSE_MS", 20)


def edit(ref: str, content: str) -> Write:
    return Write("edit", ref, {"content": content}, {}, NOW)


def plans(store: FounderOs, *writes: Write) -> list[Planned]:
    """Plans of the writes, none of which is refused."""
    made = store.plan(writes)
    assert [plan for plan in made if isinstance(plan, Refused)] == []
    return [plan for plan in made if isinstance(plan, Planned)]


def undo(store: FounderOs, made: list[Planned]) -> list[Planned]:
    """Take plans back, last first."""
    back = store.reverse(made[::-1])
    assert [plan for plan in back if isinstance(plan, Refused)] == []
    good = [plan for plan in back if isinstance(plan, Planned)]
    store.carry_out(good, "t")
    return good


def look(path: Path) -> FounderOs:
    """Everything that memtui does to a store before it changes it."""
    assert tables_of(path)
    assert FounderOs.recognise(path) == path
    store = FounderOs(path)
    assert len(store.read().records) == len(MEMORIES)
    assert store.read_refs([ACME])[ACME].fields["content"] == "Committed."
    assert store.locked() == ""
    made = plans(store, edit(ACME, "Planned."), Write("add", "", {"content": "New."}, {}, NOW))
    assert store.standing(made, "t") == Standing.BEFORE
    return store


# -- reading leaves every byte as it was, and no file that was not there

COMMIT = f"UPDATE memories SET content = 'Committed.' WHERE id = '{ACME}'"


def clean_wal(path: Path) -> None:
    alter(path, COMMIT)


def rollback_journal(path: Path) -> None:
    alter(path, "PRAGMA journal_mode=DELETE", COMMIT)


def writer_that_died(path: Path) -> None:
    agent = Agent(path)
    agent.do(COMMIT)
    agent.kill()


def log_without_its_index(path: Path) -> None:
    writer_that_died(path)
    path.with_name(path.name + "-shm").unlink()


def empty_log(path: Path) -> None:
    clean_wal(path)
    path.with_name(path.name + "-wal").touch()


def rollback_cut_off(path: Path) -> None:
    """A writer died while half of its change stood in the file."""
    alter(path, "PRAGMA journal_mode=DELETE", COMMIT)
    before = bytes_of(path)
    agent = Agent(path)
    agent.do("PRAGMA cache_size=1")
    agent.do("BEGIN IMMEDIATE")
    agent.do("UPDATE memories SET content = 'Half done.', embedding = hex(zeroblob(30000))")
    agent.kill()
    assert path.with_name(path.name + "-journal").exists()
    assert bytes_of(path)["memory.db"] != before["memory.db"]


STATES = [clean_wal, rollback_journal, writer_that_died, log_without_its_index, empty_log, rollback_cut_off]


@pytest.mark.parametrize("state", STATES)
def test_a_database_at_rest_is_read_without_a_trace(path: Path, state: Any) -> None:
    state(path)
    files, held = set(os.listdir(path.parent)), bytes_of(path)
    look(path)
    assert bytes_of(path) == held
    assert set(os.listdir(path.parent)) == files


@pytest.mark.parametrize("state", STATES)
def test_a_change_goes_through_whatever_was_left_behind(path: Path, state: Any) -> None:
    state(path)
    files = set(os.listdir(path.parent)) - {"memory.db-journal"}
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Changed."))
    store.carry_out(made, "t")
    assert set(os.listdir(path.parent)) == files
    undo(store, made)
    assert store.read_refs([ACME])[ACME].fields["content"] == "Committed."


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_with_a_live_writer_is_read_without_a_trace(tmp_path: Path, journal: str) -> None:
    path = make(tmp_path / "memory.db", journal=journal)
    with Agent(path) as agent:
        agent.do(COMMIT)
        held = bytes_of(path)
        look(path)
        assert bytes_of(path) == held
        agent.do("BEGIN IMMEDIATE")
        agent.do(f"UPDATE memories SET content = 'Not yet.' WHERE id = '{NEWS}'")
        held = bytes_of(path)
        look(path)
        assert bytes_of(path) == held
        agent.do("COMMIT")
        assert FounderOs(path).read_refs([NEWS])[NEWS].fields["content"] == "Not yet."
    assert os.listdir(tmp_path) == ["memory.db"]


def test_a_change_beside_a_live_writer_is_seen_by_it_and_its_own_by_us(path: Path) -> None:
    store = FounderOs(path)
    with Agent(path) as agent:
        agent.do(COMMIT)
        made = plans(store, edit(ACME, "Ours."))
        agent.do(f"UPDATE memories SET content = 'Theirs.' WHERE id = '{NEWS}'")
        store.carry_out(made, "t")
        assert agent.do("SELECT content FROM memories WHERE id = ?", ACME) == [["Ours."]]
        assert agent.do("PRAGMA journal_mode") == [["wal"]]
        assert store.read_refs([NEWS])[NEWS].fields["content"] == "Theirs."
    assert os.listdir(path.parent) == ["memory.db"]


def test_a_link_to_a_database_is_followed_to_its_logs(path: Path, tmp_path: Path) -> None:
    agent = Agent(path)
    agent.do(COMMIT)
    link = tmp_path / "dotfiles" / "memory.db"
    link.parent.mkdir()
    link.symlink_to(path)
    held = bytes_of(path)
    look(link)
    assert bytes_of(path) == held
    assert os.listdir(link.parent) == ["memory.db"]
    agent.kill()


# -- where this user may not write


@pytest.fixture
def foreign_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="memtui-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_another_user(path: Path) -> Any:
    """What a user without any rights here gets to see (root ignores rights)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            tempfile.tempdir = None  # that user's
            os.write(writer, json.dumps(_seen_in(path)).encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(99)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        told = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return json.loads(told)


def _seen_in(path: Path) -> list[Any]:
    try:
        FounderOs.recognise(path)
        store = FounderOs(path)
        content = store.read_refs([ACME])[ACME].fields["content"]
        (answer,) = store.plan([Write("dismiss", ACME, {}, {}, 1.0)])
        assert isinstance(answer, Refused)
        return [len(store.read().records), content, store.locked(), answer.code]
    except Refused as refusal:
        return [refusal.code, refusal.message]


@pytest.mark.parametrize(
    ("state", "mode"),
    [(state, mode) for number, state in enumerate(STATES) for mode in turn((0o444, 0o644), number, 2)],
)
def test_a_database_in_a_read_only_folder_is_read_from_a_copy(
    foreign_folder: Path, state: Any, mode: int
) -> None:
    path = make(foreign_folder / "memory.db")
    state(path)
    for file in foreign_folder.iterdir():
        file.chmod(mode)
    files, held = set(os.listdir(foreign_folder)), bytes_of(path)
    foreign_folder.chmod(0o555)
    count, content, locked, code = as_another_user(path)
    assert (count, content) == (len(MEMORIES), "Committed.")
    assert (locked, code) == ("memory.db may not be written by this user.", "read-only")
    assert bytes_of(path) == held
    assert set(os.listdir(foreign_folder)) == files


def test_a_database_that_may_not_be_read_is_named(foreign_folder: Path) -> None:
    path = make(foreign_folder / "memory.db")
    path.chmod(0o000)
    code, message = as_another_user(path)
    assert code == "unreadable"
    assert "memory.db may not be read" in message


# -- locked by another program


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_store_that_stays_locked_is_busy_and_nothing_is_changed(tmp_path: Path, journal: str) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    made = plans(store, edit(ACME, "Ours."))
    with Agent(store.root) as agent:
        agent.do("BEGIN EXCLUSIVE")
        with pytest.raises(Refused) as refusal:
            store.carry_out(made, "t")
        assert refusal.value.code == "busy"
        assert "memory.db is busy" in refusal.value.message
        agent.do("ROLLBACK")
        assert store.standing(made, "t") == Standing.BEFORE
        store.carry_out(made, "t")
        assert agent.do("SELECT content FROM memories WHERE id = ?", ACME) == [["Ours."]]


@pytest.mark.usefixtures("impatient")
def test_reading_goes_on_beside_a_writer_and_waits_only_where_it_must(tmp_path: Path) -> None:
    log = make(tmp_path / "log" / "memory.db")
    journal = make(tmp_path / "journal" / "memory.db", journal="delete")
    with Agent(log) as first, Agent(journal) as second:
        first.do("BEGIN EXCLUSIVE")
        second.do("BEGIN EXCLUSIVE")
        assert len(FounderOs(log).read().records) == len(MEMORIES)
        with pytest.raises(Refused, match="busy"):
            FounderOs(journal).read()


@pytest.mark.usefixtures("impatient")
def test_a_reader_that_will_not_let_go_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal="delete"))
    made, before = plans(store, edit(ACME, "Ours.")), rows_in(store.root)
    with Agent(store.root) as agent:
        agent.do("BEGIN")
        agent.do("SELECT count(*) FROM memories")
        with pytest.raises(Refused, match="busy"):
            store.carry_out(made, "t")
    assert rows_in(store.root) == before


def test_a_store_that_is_locked_for_a_moment_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "PAUSE_MS", 20_000)
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."))
    with Agent(path) as agent:
        agent.do("BEGIN IMMEDIATE")
        soon = threading.Timer(0.2, agent.do, ["COMMIT"])
        soon.start()
        store.carry_out(made, "t")
        soon.join()
    assert store.standing(made, "t") == Standing.AFTER


# -- what must not be written to


def test_an_unknown_trigger_makes_the_store_read_only(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."))
    alter(path, "CREATE TRIGGER Gone AFTER UPDATE ON Memories BEGIN DELETE FROM observations; END")
    held = bytes_of(path)
    assert store.locked() == "The trigger “Gone” on Memories is unknown; a change could set it off."
    refusals = [*store.plan([edit(ACME, "Again.")]), *store.reverse(made)]
    assert [refusal.code for refusal in refusals if isinstance(refusal, Refused)] == ["read-only"] * 2
    with pytest.raises(Refused, match="“Gone”"):
        store.carry_out(made, "t")
    assert bytes_of(path) == held
    assert len(store.read().records) == len(MEMORIES)


def test_a_trigger_on_a_table_that_is_never_written_does_not_matter(path: Path) -> None:
    alter(path, "CREATE TRIGGER log AFTER INSERT ON observations BEGIN SELECT 1; END")
    assert FounderOs(path).locked() == ""


def test_a_database_with_a_name_that_is_no_text_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE aaaa (x); CREATE TABLE bbbb (y)")
    connection.close()
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"a\xff\xfea"))
    assert registry.find(path) == []
    assert "a damaged SQLite database" in registry.explain(path).message


def test_a_database_with_a_second_name_is_not_written(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."))
    os.link(path, path.with_name("other.db"))
    assert "hard link" in store.locked()
    with pytest.raises(Refused, match="hard link"):
        store.carry_out(made, "t")
    assert len(store.read().records) == len(MEMORIES)


def test_a_database_that_went_is_not_made_anew(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."))
    path.unlink()
    assert store.locked() == "memory.db is no longer there."
    for call in (store.read, lambda: store.carry_out(made, "t"), lambda: store.standing(made, "t")):
        with pytest.raises(Refused, match="no longer there"):
            call()
    assert os.listdir(path.parent) == []


def test_a_database_that_is_replaced_meanwhile_is_noticed_before_the_commit(path: Path) -> None:
    class Replaced(FounderOs):
        def _receipt(self, connection: Any, plans: Any) -> Receipt:
            os.replace(other, path)
            return super()._receipt(connection, plans)

    other = make(path.with_name("other.db"))
    store = Replaced(path)
    made, before = plans(store, edit(ACME, "Ours.")), rows_in(other)
    with pytest.raises(Refused) as refusal:
        store.carry_out(made, "t")
    assert refusal.value.code == "swapped"
    assert rows_in(path) == before


# -- all or nothing


def test_a_row_that_changed_between_plan_and_write_stops_the_whole_batch(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    alter(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{NEWS}'")
    before = rows_in(path)
    with pytest.raises(Refused) as refusal:
        store.carry_out(made, "t")
    assert refusal.value.code == "changed"
    assert rows_in(path) == before


def test_a_row_that_went_between_plan_and_write_stops_the_whole_batch(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    alter(path, f"DELETE FROM memories WHERE id = '{NEWS}'")
    before = rows_in(path)
    with pytest.raises(Refused, match="changed while"):
        store.carry_out(made, "t")
    assert rows_in(path) == before


def test_what_the_store_itself_forbids_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    columns = SHIPPED_COLUMNS | {"content": "TEXT CHECK (length(content) < 80)"}
    store = FounderOs(make(tmp_path / "memory.db", columns=columns))
    made, before = plans(store, edit(ACME, "Short."), edit(NEWS, "long " * 40)), rows_in(store.root)
    with pytest.raises(Refused, match="CHECK constraint failed") as refusal:
        store.carry_out(made, "t")
    assert refusal.value.code == "constraint"
    assert rows_in(store.root) == before


def test_a_second_row_of_the_same_name_is_never_changed_with_the_first(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=ODD_COLUMNS))
    made = plans(store, edit(ACME, "Ours."))
    alter(store.root, "INSERT INTO memories SELECT * FROM memories WHERE key = 'acme-payment-terms'")
    before = rows_in(store.root)
    with pytest.raises(Refused) as refusal:
        store.carry_out(made, "t")
    assert refusal.value.code == "unsure"
    assert rows_in(store.root) == before


def test_a_full_disk_leaves_nothing_half_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = foreign._careful

    def full(connection: Any, write: bool) -> None:
        careful(connection, write)
        connection.execute("PRAGMA max_page_count=1")

    monkeypatch.setattr(foreign, "_careful", full)
    store = FounderOs(path)
    made, before = plans(store, edit(NEWS, "Short."), edit(ACME, "long " * 100_000)), rows_in(path)
    with pytest.raises(Refused, match="disk is full"):
        store.carry_out(made, "t")
    assert rows_in(path) == before


_KILLED = """
import json, os, signal, sys
from pathlib import Path
from memtui.formats.founder_os import FounderOs
class Killed(FounderOs):
    def _receipt(self, connection, plans):
        connection.cache_flush()
        os.kill(os.getpid(), signal.SIGKILL)
store = Killed(Path(sys.argv[1]))
store.carry_out([store.load_plan(plan) for plan in json.load(sys.stdin)], "t")
"""


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_write_that_is_killed_leaves_the_store_as_it_was_and_can_be_made_again(
    tmp_path: Path, journal: str
) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    new = Write("add", "", {"content": "New."}, {}, NOW)
    made, before = plans(store, edit(ACME, "Ours."), new), rows_in(store.root)
    child = subprocess.run(
        [sys.executable, "-c", _KILLED, str(store.root)],
        input=json.dumps([store.dump(plan) for plan in made]),
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert child.returncode == -signal.SIGKILL
    assert store.standing(made, "t") == Standing.BEFORE
    assert rows_in(store.root) == before
    store.carry_out(made, "t")
    assert store.standing(made, "t") == Standing.AFTER


# -- one batch, several changes of one row


def test_changes_of_one_row_build_on_each_other_and_come_off_again(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    made = plans(
        store,
        edit(ACME, "First."),
        Write("edit", ACME, {"content": "Second.", "tags": ("x",)}, {}, NOW + 1),
        Write("confirm", ACME, {"confidence": 1.0, "times_confirmed": 4}, {}, NOW + 2),
        edit(ACME, "Acme Corp pays invoices on net-30 terms."),
    )
    receipt = store.carry_out(made, "t")
    assert store.standing(made, "t") == Standing.AFTER
    assert [(r.fields["content"], r.fields["tags"], r.fields["confidence"]) for r in receipt.records] == [
        ("Acme Corp pays invoices on net-30 terms.", ("x",), 1.0)
    ]
    again = undo(store, made)
    assert rows_in(path) == before
    assert store.standing(made, "t") == Standing.BEFORE
    undo(store, again)
    assert store.read_refs([ACME])[ACME].fields["tags"] == ("x",)


# -- undo


def test_changes_come_off_in_any_order_where_they_do_not_meet(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    text = plans(store, edit(ACME, "Ours."))
    store.carry_out(text, "t")
    tags = plans(store, Write("edit", ACME, {"tags": ("x",)}, {}, NOW + 5))
    store.carry_out(tags, "t")
    undo(store, text)
    assert store.read_refs([ACME])[ACME].fields["tags"] == ("x",)
    undo(store, tags)
    assert changes(before, rows_in(path)) <= {("memories", "updated_at")}


def test_a_change_that_another_stands_on_stays_and_the_rest_comes_off(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    store.carry_out(made, "t")
    alter(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    news, acme = store.reverse(made[::-1])
    assert isinstance(acme, Refused)
    assert acme.code == "changed-since"
    assert isinstance(news, Planned)
    store.carry_out([news], "t")
    texts = {ref: record.fields["content"] for ref, record in store.read_refs([ACME, NEWS]).items()}
    assert texts == {ACME: "Theirs.", NEWS: "Always archive newsletters."}


def test_an_embedding_that_was_made_anew_goes_with_the_text_that_it_belongs_to(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    made = plans(store, edit(ACME, "Ours."))
    store.carry_out(made, "t")
    alter(path, f"UPDATE memories SET embedding = '[7.0]' WHERE id = '{ACME}'")
    undo(store, made)
    assert rows_in(path) == before


def test_a_clock_that_an_agent_set_meanwhile_stays(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."))
    store.carry_out(made, "t")
    alter(path, f"UPDATE memories SET updated_at = 1900000000 WHERE id = '{ACME}'")
    undo(store, made)
    fields = store.read_refs([ACME])[ACME].fields
    assert (fields["updated_at"], fields["content"]) == (1_900_000_000.0, MEMORIES[0]["content"])


def test_an_undo_that_was_planned_is_checked_again_when_it_is_made(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.carry_out(made, "t")
    back = store.reverse(made)
    alter(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{made[0].ref_after}'")
    with pytest.raises(Refused, match="changed while"):
        store.carry_out([plan for plan in back if isinstance(plan, Planned)], "t")
    assert "Theirs." in {record.fields["content"] for record in store.read().records}


def test_a_change_and_the_row_it_was_made_on_come_off_together(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    new = plans(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.carry_out(new, "t")
    changed = plans(store, edit(str(new[0].ref_after), "Newer."))
    store.carry_out(changed, "t")
    both = rows_in(path)
    back = undo(store, new + changed)
    assert rows_in(path) == before
    undo(store, back)
    assert [*rows_in(path)["memories"].values()] == [*both["memories"].values()]


def test_a_generated_column_is_neither_read_nor_written(tmp_path: Path) -> None:
    path = make(tmp_path / "memory.db")
    alter(path, "ALTER TABLE memories ADD COLUMN shouted TEXT AS (upper(content)) VIRTUAL")
    store, before = FounderOs(path), rows_in(path)
    made = plans(store, edit(ACME, "Ours."), Write("add", "", {"content": "New."}, {}, NOW))
    store.carry_out(made, "t")
    undo(store, undo(store, made))
    undo(store, made)
    assert rows_in(path) == before


def test_a_table_without_rowids_is_read_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    columns = ", ".join(f'"{name}" {kind}' for name, kind in SHIPPED_COLUMNS.items())
    columns = columns.replace('"id" TEXT PRIMARY KEY', '"id" TEXT NOT NULL PRIMARY KEY')
    alter(
        path,
        f"CREATE TABLE memories ({columns}) WITHOUT ROWID",
        "INSERT INTO memories (id, key, category, content, created_at, updated_at)"
        " VALUES ('a', 'k', 'fact', 'Text.', 1, 1)",
    )
    store = FounderOs(path)
    made = plans(store, edit("a", "Ours."))
    store.carry_out(made, "t")
    assert store.read_refs(["a"])["a"].fields["content"] == "Ours."
    undo(store, made)
    assert store.read_refs(["a"])["a"].fields["content"] == "Text."


# -- how a change stands, and plans that are kept


def test_how_a_change_stands_is_told_from_what_it_means_alone(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."), Write("add", "", {"content": "New."}, {}, NOW))
    assert store.standing(made, "t") == Standing.BEFORE
    store.carry_out(made, "t")
    alter(path, "UPDATE memories SET times_used = 99, updated_at = 5, tags = 'x'")
    assert store.standing(made, "t") == Standing.AFTER
    receipt = store.finish(made, "t")
    assert {record.fields["content"] for record in receipt.records} == {"Ours.", "New."}
    alter(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    assert store.standing(made[:1], "t") == Standing.OTHER
    assert store.standing(made, "t") == Standing.AFTER  # all was written or nothing
    alter(path, f"DELETE FROM memories WHERE id = '{ACME}'")
    assert store.standing(made[:1], "t") == Standing.OTHER
    assert store.standing(made, "t") == Standing.AFTER
    assert [r.fields["content"] for r in store.finish(made, "t").records] == ["New."]


def test_one_untouched_row_tells_that_nothing_was_written(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, edit(ACME, "Ours."), edit(NEWS, "Ours too."))
    alter(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    assert store.standing(made, "t") == Standing.BEFORE


def test_an_undo_of_a_new_row_stands_too(path: Path) -> None:
    store = FounderOs(path)
    made = plans(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.carry_out(made, "t")
    back = [plan for plan in store.reverse(made) if isinstance(plan, Planned)]
    assert store.standing(back, "t") == Standing.BEFORE
    receipt = store.carry_out(back, "t")
    assert (receipt.records, receipt.gone) == ([], [made[0].ref_after])
    assert store.standing(back, "t") == Standing.AFTER
    assert store.finish(back, "t").gone == [made[0].ref_after]


def test_plans_are_kept_as_json_with_every_type(path: Path) -> None:
    store = FounderOs(path)
    whole = {"blob": b"\x00\xff", "text": "é\n\0", "whole": 2**60, "real": 0.1, "none": None}
    rows = (
        RowEdit("a", {"id": b"\x01"}, {"x": (b"\x02", None)}, {"y": (1, 1.5)}, {"z": ("[0.1]", None)}),
        RowEdit("b", {"rowid": 7}, made=whole),
        RowEdit("c", {"id": "k"}, lost=whole, stamps={"t": (None, 3)}),
    )
    for plan in (Planned("r", None, rows), *plans(store, edit(ACME, "Ours."), edit(JOHN, "Theirs."))):
        assert store.load_plan(json.loads(json.dumps(store.dump(plan)))) == plan


def test_a_kept_plan_is_carried_out_and_taken_back_by_another_run(path: Path) -> None:
    alter(path, f"UPDATE memories SET content = x'00ff', embedding = x'01' WHERE id = '{FRIDAY}'")
    before = rows_in(path)
    kept = json.dumps([FounderOs(path).dump(plan) for plan in plans(FounderOs(path), edit(FRIDAY, "Ours."))])
    later = FounderOs(path)
    loaded = [later.load_plan(plan) for plan in json.loads(kept)]
    later.carry_out(loaded, "t")
    assert later.read_refs([FRIDAY])[FRIDAY].fields["content"] == "Ours."
    undo(FounderOs(path), [later.load_plan(plan) for plan in json.loads(kept)])
    assert rows_in(path) == before


# -- is it a database at all


def test_only_a_database_has_tables(tmp_path: Path) -> None:
    for name, data in {
        "text.db": b"not a database",
        "empty.db": b"",
        "head.db": b"SQLite format 3\0",
        "memory.db-wal": b"x",
    }.items():
        (tmp_path / name).write_bytes(data)
        assert tables_of(tmp_path / name) is None
        assert (tmp_path / name).read_bytes() == data
    os.mkfifo(tmp_path / "pipe")
    assert tables_of(tmp_path / "pipe") is None
    assert tables_of(tmp_path) is None
    assert tables_of(tmp_path / "missing") is None
    assert "memories" in (tables_of(make(tmp_path / "real.db")) or {})


@pytest.mark.parametrize("size", [20, 50, 99, 100, 512, 4096, 5000])
def test_a_database_that_was_cut_is_damaged_and_left_alone(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    held = path.read_bytes()
    with pytest.raises(Refused) as refusal:
        FounderOs(path).read()
    assert refusal.value.code == "damaged"
    assert FounderOs.recognise(path) is None
    assert path.read_bytes() == held
    assert os.listdir(path.parent) == ["memory.db"]


def test_a_bad_page_is_an_error_and_never_a_shorter_list(tmp_path: Path) -> None:
    rows = [{**MEMORIES[0], "id": str(n), "key": f"k-{n}", "embedding": "x" * 3000} for n in range(200)]
    path = make(tmp_path / "memory.db", rows, adaptations=())
    data = bytearray(path.read_bytes())
    for page in range(10, len(data) // 4096 - 10):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(Refused) as refusal:
        FounderOs(path).read()
    assert refusal.value.code == "damaged"
    assert path.read_bytes() == data


def test_the_order_of_rows_is_that_of_the_store(path: Path) -> None:
    assert [record.ref for record in FounderOs(path).read().records] == [ACME, NEWS, FRIDAY, JOHN, REVIEW]
