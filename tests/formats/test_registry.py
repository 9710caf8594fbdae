"""Which store is found at a path, and how a path without one is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.founder_os import FounderOs
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.sqlite import connection
from memtui.formats.registry import by_name, explain, find, formats
from tests.support.stores import Agent, file_hashes
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import make

ENTITY = '{"type":"entity","name":"Acme","entityType":"company","observations":["pays late"]}'


def file_contents(folder: Path) -> dict[str, bytes | None]:
    """Return the bytes of every file below a folder, None for folders."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}


# -- formats


def test_every_format_is_listed_once_and_found_by_its_name() -> None:
    names = [adapter.format for adapter in formats()]
    assert {"founder-os", "claude-code", "mcp-memory"} <= set(names)
    assert len(set(names)) == len(names)
    assert by_name("founder-os") is FounderOs


def test_every_format_describes_what_it_looks_for() -> None:
    for adapter in formats():
        assert adapter.title
        assert adapter.recognised_by
        assert all(not Path(place).is_absolute() for place in adapter.usual_paths)


def test_an_unknown_name_is_refused_with_the_known_names() -> None:
    with pytest.raises(Refused, match=r"must be one of .*founder-os") as refusal:
        by_name("notion")
    assert refusal.value.code == "format"


def test_no_format_is_imported_before_it_is_needed() -> None:
    code = "import sys, memtui.formats.registry; print([m for m in sys.modules if 'founder' in m])"
    child = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(registry.__file__).parents[2])},
    )
    assert child.stdout.strip() == "[]"


# -- find


def test_a_store_is_found_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    database = make(tmp_path / "notes.txt")
    lines = tmp_path / "brain.db"
    lines.write_text(ENTITY)
    assert find(database) == [(FounderOs, database)]
    assert find(lines) == [(McpMemory, lines)]


def test_a_folder_is_searched_at_the_usual_paths(tmp_path: Path) -> None:
    founder = make(tmp_path / ".memory" / "memory.db")
    lines = tmp_path / "memory.jsonl"
    lines.write_text(ENTITY)
    assert find(tmp_path) == [(FounderOs, founder), (McpMemory, lines)]
    assert find(tmp_path / ".memory") == [(FounderOs, founder)]


def test_a_store_reached_by_two_paths_is_found_once_at_its_real_path(tmp_path: Path) -> None:
    founder = make(tmp_path / ".memory" / "memory.db")
    (tmp_path / "memory.db").symlink_to(founder)
    (tmp_path / "linked").symlink_to(tmp_path)
    assert find(tmp_path / "linked") == [(FounderOs, founder)]
    assert find(tmp_path / "memory.db") == [(FounderOs, founder)]


def test_a_folder_named_like_a_log_is_a_folder(tmp_path: Path) -> None:
    founder = make(tmp_path / "project-journal" / "memory.db")
    assert find(tmp_path / "project-journal") == [(FounderOs, founder)]


def test_an_empty_file_is_an_mcp_memory_only_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, unnamed = tmp_path / "memory.jsonl", tmp_path / "graph.jsonl"
    named.touch()
    unnamed.touch()
    assert find(named) == [(McpMemory, named)]
    assert find(unnamed) == []
    unnamed.write_text("\n")  # SQLite takes a single byte for an empty database
    assert find(unnamed) == []
    assert "graph.jsonl is a text file in an unknown format." in explain(unnamed).message
    named.write_text("\n")
    assert find(named) == [(McpMemory, named)]
    monkeypatch.setenv("MEMORY_FILE_PATH", str(unnamed))
    assert find(unnamed) == [(McpMemory, unnamed)]


def test_searching_for_stores_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path / ".memory" / "memory.db")
    make(tmp_path / "memory.db", journal="delete")
    (tmp_path / "memory.jsonl").write_text(ENTITY)
    (tmp_path / "memory.json").write_bytes(b"\xff\xfe nothing")
    before = file_contents(tmp_path)
    assert len(find(tmp_path)) == 3
    assert file_contents(tmp_path) == before


def test_a_database_is_never_opened_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    execute(path, "PRAGMA journal_mode=WAL", "CREATE TABLE notes (id, body)")

    def never(self: Path, *_: Any, **__: Any) -> None:
        raise AssertionError(f"{self} was opened")

    monkeypatch.setattr(Path, "open", never)
    monkeypatch.setattr(Path, "read_bytes", never)
    monkeypatch.setattr("builtins.open", never)
    assert find(path) == []
    assert explain(path).code == "unknown-schema"


def test_an_unreadable_store_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PAUSE_MS", 20)
    busy = make(tmp_path / "memory.db", journal="delete")
    lines = tmp_path / "memory.jsonl"
    lines.write_text(ENTITY)
    with Agent(busy) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        assert find(tmp_path) == [(McpMemory, lines)]
        assert find(busy) == []
        assert explain(busy).code == "busy"
        agent.execute("ROLLBACK")


# -- explain


def missing(folder: Path) -> Path:
    return folder / "nowhere" / "memory.db"


def empty_folder(folder: Path) -> Path:
    (folder / "src").mkdir()
    return folder


def unknown_database(folder: Path) -> Path:
    path = folder / "notes.db"
    execute(path, "CREATE TABLE notes (id, body)", "CREATE VIRTUAL TABLE notes_fts USING fts5 (body)")
    return path


def unknown_memories(folder: Path) -> Path:
    path = folder / "memory.db"
    execute(path, "CREATE TABLE memories (id, subject, content, tier, heat, pinned)")
    return path


def database_without_tables(folder: Path) -> Path:
    path = folder / "new.db"
    execute(path, "PRAGMA user_version=3")
    return path


def folder_with_unknown_database(folder: Path) -> Path:
    (folder / ".memory").mkdir()
    execute(folder / ".memory" / "memory.db", "CREATE TABLE notes (id, body)")
    return folder


def empty_file(folder: Path) -> Path:
    (folder / "memory.db").touch()
    return folder / "memory.db"


def text_file(folder: Path) -> Path:
    (folder / "todo.txt").write_text("Bücher zurückbringen\n" * 999)
    return folder / "todo.txt"


def json_file(folder: Path) -> Path:
    (folder / "package.json").write_text('{"name": "thing", "version": "1.0.0"}')
    return folder / "package.json"


def binary_file(folder: Path) -> Path:
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    return folder / "photo.png"


def damaged_database(folder: Path) -> Path:
    path = make(folder / "memory.db")
    path.write_bytes(path.read_bytes()[:50])
    return path


def log_of_a_database(folder: Path) -> Path:
    (folder / "memory.db-wal").write_bytes(b"log")
    return folder / "memory.db-wal"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "memory.jsonl")
    return folder / "memory.jsonl"


def broken_link(folder: Path) -> Path:
    (folder / "memory.db").symlink_to(folder / "gone.db")
    return folder / "memory.db"


def looping_link(folder: Path) -> Path:
    (folder / "memory.db").symlink_to(folder / "memory.db")
    return folder / "memory.db"


UNKNOWN: list[Any] = [
    (empty_folder, "no-store", "No memory store found in {path}."),
    (
        unknown_database,
        "unknown-schema",
        "notes.db is an SQLite database in an unknown format, with the tables notes, notes_fts.",
    ),
    (
        unknown_memories,
        "unknown-schema",
        "memory.db is an SQLite database in an unknown format, with the tables memories.",
    ),
    (
        folder_with_unknown_database,
        "unknown-schema",
        ".memory/memory.db is an SQLite database in an unknown format, with the tables notes.",
    ),
    (database_without_tables, "unknown-schema", "new.db is an SQLite database with no tables."),
    (empty_file, "empty", "memory.db is empty."),
    (text_file, "unknown-file", "todo.txt is a text file in an unknown format."),
    (json_file, "unknown-file", "package.json is a text file in an unknown format."),
    (binary_file, "unknown-file", "photo.png is a binary file or an encrypted database."),
    (damaged_database, "unknown-file", "memory.db is a damaged SQLite database."),
    (pipe, "no-store", "{path} is neither a file nor a folder."),
]


@pytest.mark.parametrize(
    ("make_path", "code", "text"), UNKNOWN, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_path_without_a_store_is_refused_with_what_was_looked_for(
    tmp_path: Path, make_path: Any, code: str, text: str
) -> None:
    path = make_path(tmp_path)
    before = file_contents(tmp_path)
    assert find(path) == []
    refusal = explain(path)
    message, _, looked_for = refusal.message.partition(" Looked for: ")
    assert (refusal.code, message) == (code, text.format(path=path))
    for adapter in formats():
        assert f"{adapter.title}: {adapter.recognised_by}" in looked_for
    assert refusal.hint.startswith("Nothing was changed.")
    assert file_contents(tmp_path) == before


@pytest.mark.parametrize("make_path", [missing, broken_link, looping_link])
def test_a_missing_path_is_refused_in_one_line(tmp_path: Path, make_path: Any) -> None:
    path = make_path(tmp_path)
    assert find(path) == []
    assert str(explain(path)) == f"{path} does not exist."


def test_an_unusable_path_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)  # longer than any name
    assert find(path) == []
    refusal = explain(path)
    assert refusal.code == "unreadable"
    assert refusal.message.startswith(f"Could not read {path}: file name too long. Looked for: ")
    assert refusal.hint.startswith("Nothing was changed.")


def test_a_log_is_skipped_and_its_database_named(tmp_path: Path) -> None:
    refusal = explain(log_of_a_database(tmp_path))
    assert find(tmp_path / "memory.db-wal") == []
    assert refusal.code == "sidecar"
    assert refusal.message == "memory.db-wal belongs to the database memory.db; attach memory.db itself."


def test_many_tables_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "wide.db"
    execute(path, *(f"CREATE TABLE t{number:02} (x)" for number in range(15)))
    assert "t00, t01" in explain(path).message
    assert "t11 and 3 more. Looked for" in explain(path).message


def test_an_unknown_database_in_use_keeps_its_bytes(tmp_path: Path) -> None:
    path = unknown_database(tmp_path)
    with Agent(path) as agent:
        agent.execute("PRAGMA journal_mode=WAL")
        agent.execute("INSERT INTO notes VALUES (1, 'x')")
        before = file_hashes(path)
        assert explain(path).code == "unknown-schema"
        assert find(tmp_path) == []
        assert file_hashes(path) == before


def test_an_unreadable_path_is_refused(tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from memtui.formats.registry import explain, find, formats
import subprocess, tempfile
formats()
if os.geteuid() == 0:
    os.setuid(65534)
for path in map(Path, sys.argv[1:]):
    print(find(path), explain(path).code)
"""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    inside = make(hidden / "memory.db")
    hidden.chmod(0o000)
    child = subprocess.run(
        [sys.executable, "-c", code, str(hidden), str(inside)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(Path(registry.__file__).parents[2])},
    )
    hidden.chmod(0o755)
    assert child.stdout.splitlines() == ["[] unreadable", "[] unreadable"], child.stderr
