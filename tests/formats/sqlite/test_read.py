"""SQLite stores are read without a trace, also next to live writers."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.plans import Write, WriteState
from memtui.formats.founder_os import FounderOs
from memtui.formats.media.sqlite.connection import tables_of
from tests.formats.sqlite.support import COMMIT, NOW, edit, plan_writes, undo
from tests.support.sizes import shard
from tests.support.stores import Agent, file_hashes
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    REVIEW,
    make,
)


def read_everywhere(path: Path) -> FounderOs:
    """Do everything that memtui does with a store before it changes it."""
    assert tables_of(path)
    assert FounderOs.recognise(path) == path
    store = FounderOs(path)
    assert len(store.read().records) == len(MEMORIES)
    assert store.read_refs([ACME])[ACME].fields["content"] == "Committed."
    assert store.locked_reason() == ""
    planned = plan_writes(store, edit(ACME, "Planned."), Write("add", "", {"content": "New."}, {}, NOW))
    assert store.write_state(planned, "t") == WriteState.BEFORE
    return store


def clean_wal(path: Path) -> None:
    execute(path, COMMIT)


def rollback_journal(path: Path) -> None:
    execute(path, "PRAGMA journal_mode=DELETE", COMMIT)


def killed_writer(path: Path) -> None:
    agent = Agent(path)
    agent.execute(COMMIT)
    agent.kill()


def wal_without_index(path: Path) -> None:
    killed_writer(path)
    path.with_name(path.name + "-shm").unlink()


def empty_wal(path: Path) -> None:
    clean_wal(path)
    path.with_name(path.name + "-wal").touch()


def hot_rollback_journal(path: Path) -> None:
    """Leave the journal of a writer that died in the middle of its change."""
    execute(path, "PRAGMA journal_mode=DELETE", COMMIT)
    before = file_hashes(path)
    agent = Agent(path)
    agent.execute("PRAGMA cache_size=1")
    agent.execute("BEGIN IMMEDIATE")
    agent.execute("UPDATE memories SET content = 'Half done.', embedding = hex(zeroblob(30000))")
    agent.kill()
    assert path.with_name(path.name + "-journal").exists()
    assert file_hashes(path)["memory.db"] != before["memory.db"]


STATES = [clean_wal, rollback_journal, killed_writer, wal_without_index, empty_wal, hot_rollback_journal]


@pytest.mark.parametrize("state", STATES)
def test_reading_an_idle_database_changes_no_byte(path: Path, state: Any) -> None:
    state(path)
    files, held = set(os.listdir(path.parent)), file_hashes(path)
    read_everywhere(path)
    assert file_hashes(path) == held
    assert set(os.listdir(path.parent)) == files


@pytest.mark.parametrize("state", STATES)
def test_a_change_succeeds_whatever_another_program_left_behind(path: Path, state: Any) -> None:
    state(path)
    files = set(os.listdir(path.parent)) - {"memory.db-journal"}
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Changed."))
    store.apply(planned, "t")
    assert set(os.listdir(path.parent)) == files
    undo(store, planned)
    assert store.read_refs([ACME])[ACME].fields["content"] == "Committed."


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_reading_a_database_with_a_live_writer_changes_no_byte(tmp_path: Path, journal: str) -> None:
    path = make(tmp_path / "memory.db", journal=journal)
    with Agent(path) as agent:
        agent.execute(COMMIT)
        held = file_hashes(path)
        read_everywhere(path)
        assert file_hashes(path) == held
        agent.execute("BEGIN IMMEDIATE")
        agent.execute(f"UPDATE memories SET content = 'Not yet.' WHERE id = '{NEWS}'")
        held = file_hashes(path)
        read_everywhere(path)
        assert file_hashes(path) == held
        agent.execute("COMMIT")
        assert FounderOs(path).read_refs([NEWS])[NEWS].fields["content"] == "Not yet."
    assert os.listdir(tmp_path) == ["memory.db"]


def test_a_live_writer_and_memtui_see_the_changes_of_each_other(path: Path) -> None:
    store = FounderOs(path)
    with Agent(path) as agent:
        agent.execute(COMMIT)
        planned = plan_writes(store, edit(ACME, "Ours."))
        agent.execute(f"UPDATE memories SET content = 'Theirs.' WHERE id = '{NEWS}'")
        store.apply(planned, "t")
        assert agent.execute("SELECT content FROM memories WHERE id = ?", ACME) == [["Ours."]]
        assert agent.execute("PRAGMA journal_mode") == [["wal"]]
        assert store.read_refs([NEWS])[NEWS].fields["content"] == "Theirs."
    assert os.listdir(path.parent) == ["memory.db"]


def test_a_symlink_to_a_database_is_resolved_to_find_its_logs(path: Path, tmp_path: Path) -> None:
    agent = Agent(path)
    agent.execute(COMMIT)
    link = tmp_path / "dotfiles" / "memory.db"
    link.parent.mkdir()
    link.symlink_to(path)
    held = file_hashes(path)
    read_everywhere(link)
    assert file_hashes(path) == held
    assert os.listdir(link.parent) == ["memory.db"]
    agent.kill()


# -- missing permissions


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="memtui-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_another_user(path: Path) -> Any:
    """Return what `_read_as_user` gives a user without any rights (root ignores rights)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            tempfile.tempdir = None  # ask again as that user
            os.write(writer, json.dumps(_read_as_user(path)).encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(99)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        output = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return json.loads(output)


def _read_as_user(path: Path) -> list[Any]:
    try:
        FounderOs.recognise(path)
        store = FounderOs(path)
        content = store.read_refs([ACME])[ACME].fields["content"]
        (refusal,) = store.plan([Write("dismiss", ACME, {}, {}, 1.0)])
        assert isinstance(refusal, Refused)
        return [len(store.read().records), content, store.locked_reason(), refusal.code]
    except Refused as error:
        return [error.code, error.message]


@pytest.mark.parametrize(
    ("state", "mode"),
    [(state, mode) for number, state in enumerate(STATES) for mode in shard((0o444, 0o644), number, 2)],
)
def test_a_database_in_a_read_only_folder_is_read_from_a_copy(
    shared_folder: Path, state: Any, mode: int
) -> None:
    path = make(shared_folder / "memory.db")
    state(path)
    for file in shared_folder.iterdir():
        file.chmod(mode)
    files, held = set(os.listdir(shared_folder)), file_hashes(path)
    shared_folder.chmod(0o555)
    count, content, locked, code = as_another_user(path)
    assert (count, content) == (len(MEMORIES), "Committed.")
    assert (locked, code) == ("No write permission for memory.db.", "read-only")
    assert file_hashes(path) == held
    assert set(os.listdir(shared_folder)) == files


def test_an_unreadable_database_is_refused_by_name(shared_folder: Path) -> None:
    path = make(shared_folder / "memory.db")
    path.chmod(0o000)
    code, message = as_another_user(path)
    assert code == "unreadable"
    assert "Could not read memory.db" in message


# -- damaged databases


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
def test_a_truncated_database_is_damaged_and_left_alone(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    held = path.read_bytes()
    with pytest.raises(Refused) as refusal:
        FounderOs(path).read()
    assert refusal.value.code == "damaged"
    assert FounderOs.recognise(path) is None
    assert path.read_bytes() == held
    assert os.listdir(path.parent) == ["memory.db"]


def test_a_bad_page_is_an_error_and_not_a_shorter_list(tmp_path: Path) -> None:
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


def test_rows_are_read_in_the_order_of_the_store(path: Path) -> None:
    assert [record.ref for record in FounderOs(path).read().records] == [ACME, NEWS, FRIDAY, JOHN, REVIEW]
