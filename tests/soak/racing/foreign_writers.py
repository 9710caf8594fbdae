"""Programs that write into a store and do not know memtui, each as a kind of real program does.

Every text that they write is distinct and is logged once the write has returned, with the times between which
it was made. `Log.wrote` takes the whole content of what was replaced: for a program that rewrites a file,
this also tells what is no longer there.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import apsw

MAX_WRITES = 250
WHOLE_STORE = ""  # the scope of a write that replaces the whole store


class Log:
    """The log of one process, a line of JSON for each action."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def add(self, **entry: Any) -> None:
        self._file.write(json.dumps(entry, default=str) + "\n")
        self._file.flush()

    def read(self, started: float, texts: list[str], scope: str = WHOLE_STORE) -> None:
        """Log that exactly these texts of a scope were read."""
        self.add(kind="read", start=started, end=time.monotonic(), texts=texts, scope=scope)

    def wrote(
        self, started: float, texts: list[str], scope: str = WHOLE_STORE, *, displaced: bool = False
    ) -> None:
        """Log that exactly these texts of a scope were written. `displaced` says that another file has the
        name now, so the bytes may have gone to one without a name."""
        end = time.monotonic()
        self.add(kind="set", start=started, end=end, texts=texts, scope=scope, displaced=displaced)

    def changed(self, started: float, changes: dict[str, int], *, displaced: bool = False) -> None:
        """Log how many more or fewer of each text a transaction or an appended line made."""
        self.add(kind="add", start=started, end=time.monotonic(), changes=changes, displaced=displaced)


def run(kind: str, path: Path, chance: random.Random, log: Log, stopped: Callable[[], bool]) -> None:
    """Write into the store at `path` until `stopped` returns True."""
    writer = WRITERS[kind](path, chance, log)
    for number in range(MAX_WRITES):
        if stopped():
            break
        writer.write(number)
        time.sleep(chance.choice((0, 0.002, 0.01, 0.03)) * chance.random())
    writer.close()


class Writer:
    """A program; `write` makes its next change."""

    def __init__(self, path: Path, chance: random.Random, log: Log) -> None:
        self.path, self.chance, self.log = path, chance, log

    def write(self, number: int) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Close what is open; by default nothing is between two writes."""


# -- SQLite


class SqliteWriter(Writer):
    """Makes short transactions in a Founder OS database, in any journal mode."""

    def __init__(self, path: Path, chance: random.Random, log: Log) -> None:
        super().__init__(path, chance, log)
        self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        self._connection.set_busy_timeout(5_000)

    def write(self, number: int) -> None:
        started = time.monotonic()
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        changes = self._change(number)
        time.sleep(self.chance.choice((0, 0, 0.003)))
        connection.execute("COMMIT")
        self.log.changed(started, changes)

    def _change(self, number: int) -> dict[str, int]:
        execute = self._connection.execute
        kind = self.chance.choice(("insert", "insert", "count", "own", "delete", "target"))
        if kind == "insert":
            text = f"agent{number} race, said by an agent"
            sql = (
                "INSERT INTO memories (id, key, category, content, confidence, status, created_at,"
                " updated_at) VALUES (?, ?, 'fact', ?, 50, 'confirmed', 1760000000, 1760000000)"
            )
            execute(sql, (f"a{number:031x}", f"agent-{number}", text))
            return {text: 1, f"live:agent{number}": 1}
        if kind == "count":
            execute("UPDATE memories SET times_used = times_used + 1, last_used_at = 1763000000")
            return {}
        whose = "key NOT LIKE 'agent-%'" if kind == "target" else "key LIKE 'agent-%'"
        sql = f"SELECT id, content FROM memories WHERE {whose} AND status <> 'dismissed' ORDER BY id"
        rows = execute(sql).fetchall()
        if not rows:
            return {}
        id, old = map(str, self.chance.choice(rows))
        if kind == "delete":
            execute("DELETE FROM memories WHERE id = ?", (id,))
            return {old: -1, f"live:{old.split()[0]}": -1}
        new = f"{old.split()[0]} race, changed by an agent {number}"
        execute("UPDATE memories SET content = ? WHERE id = ?", (new, id))
        return {old: -1, new: 1}

    def close(self) -> None:
        self._connection.close()


# -- one file of lines


class FileWriter(Writer):
    """Reads a file of the MCP memory server, changes it and writes it back without a lock: it overwrites what
    was written in between."""

    def write(self, number: int) -> None:
        started = time.monotonic()
        try:
            lines = [json.loads(line) for line in self.path.read_text("utf-8").splitlines() if line.strip()]
        except (FileNotFoundError, ValueError):
            return  # the file is missing or incomplete just now
        self.log.read(started, texts_in(lines))
        self._change(lines, number)
        data = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
        time.sleep(self.chance.choice((0, 0, 0.004)))
        started = time.monotonic()
        displaced = self.put(data.encode())
        self.log.wrote(started, texts_in(lines), displaced=displaced)

    def put(self, data: bytes) -> bool:
        """Write `data` to the file; return whether the file had lost its name by then."""
        raise NotImplementedError

    def _change(self, lines: list[dict[str, Any]], number: int) -> None:
        entity = next(line for line in lines if line["type"] == "entity")
        texts: list[str] = entity["observations"]
        kind = self.chance.choice(("more", "more", "own", "target", "fewer"))
        own = [text for text in texts if text.startswith("agent")]
        others = [text for text in texts if not text.startswith("agent")]
        if kind == "fewer" and own:
            texts.remove(self.chance.choice(own))
        elif found := {"own": own, "target": others}.get(kind):
            at = texts.index(self.chance.choice(found))
            texts[at] = f"{texts[at].split()[0]} race, changed by an agent {number}"
        else:
            texts.append(f"agent{number} race, said by an agent")


class TruncatingWriter(FileWriter):
    """Truncates the file and writes it, here in two parts, as the server itself does."""

    def put(self, data: bytes) -> bool:
        with self.path.open("wb", buffering=0) as file:
            half = self.chance.randrange(len(data))
            file.write(data[:half])
            time.sleep(self.chance.choice((0, 0, 0.002)))
            file.write(data[half:])
            return not _has_name(file.fileno(), self.path)


class RenamingWriter(FileWriter):
    """Writes a new file and renames it over the old one, as editors do."""

    def put(self, data: bytes) -> bool:
        replace(self.path, data)
        return False


class DeletingWriter(FileWriter):
    """Deletes the file, and creates it again a moment later."""

    def put(self, data: bytes) -> bool:
        self.path.unlink(missing_ok=True)
        time.sleep(self.chance.choice((0, 0, 0.003)))
        with self.path.open("wb", buffering=0) as file:
            file.write(data)
            return not _has_name(file.fileno(), self.path)


class AppendingWriter(Writer):
    """Appends lines to the file, and never reads it."""

    def write(self, number: int) -> None:
        text = f"agent{number} race, said by an agent"
        entity = {"type": "entity", "name": f"Agent {number}", "entityType": "x", "observations": [text]}
        started = time.monotonic()
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            return
        try:
            os.write(file, b"\n" + json.dumps(entity).encode())
            self.log.changed(started, {text: 1}, displaced=not _has_name(file, self.path))
        finally:
            os.close(file)


def texts_in(lines: list[dict[str, Any]]) -> list[str]:
    """Return the observations of all entities."""
    return [text for line in lines if line["type"] == "entity" for text in line["observations"]]


def replace(path: Path, data: bytes) -> None:
    """Write a new file and rename it to `path`."""
    new_file = path.with_name(f".{path.name}.swp")
    new_file.write_bytes(data)
    os.replace(new_file, path)


def _has_name(file: int, path: Path) -> bool:
    """Return whether this open file still has the name."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


# -- a folder of notes


class NotesWriter(Writer):
    """Changes notes of a Claude Code folder one by one, without its index.

    Once it has written a note that memtui had dismissed, and memtui restores that beside it, there are two
    notes of one slot. It leaves both alone, since what it logs is about the slot.
    """

    def write(self, number: int) -> None:
        notes = sorted(file for file in self.path.glob("*.md") if self._is_alone(file))
        if not notes or self.chance.random() < 0.2:
            slot = f"agent{number}"
            head = f"---\nname: {slot}\ndescription: by an agent\ntype: user\n---\n\n"
            file, text = self.path / f"{slot}.md", f"{slot} race, said by an agent"
            started = time.monotonic()
        else:
            file = self.chance.choice(notes)
            started = time.monotonic()
            try:
                data = file.read_text("utf-8")
            except FileNotFoundError:
                return  # dismissed meanwhile
            head, _, body = data.partition("\n---\n\n")
            slot, head = body.split()[0], head + "\n---\n\n"
            self.log.read(started, [body.strip()], slot)
            text = f"{slot} race, changed by an agent {number}"
            time.sleep(self.chance.choice((0, 0, 0.004)))
            if not self._is_alone(file):
                return
            started = time.monotonic()
        self.put(file, f"{head}{text}\n".encode())
        self.log.wrote(started, [text], slot)

    def _is_alone(self, file: Path) -> bool:
        """Return whether a file is the only note of its slot."""
        stem = file.stem
        return stem != "MEMORY" and "_" not in stem and not file.with_name(f"{stem}_2.md").exists()

    def put(self, file: Path, data: bytes) -> None:
        replace(file, data)


class NotesDeletingWriter(NotesWriter):
    """Deletes a note, and creates it again a moment later."""

    def put(self, file: Path, data: bytes) -> None:
        file.unlink(missing_ok=True)
        time.sleep(self.chance.choice((0, 0, 0.003)))
        file.write_bytes(data)


WRITERS: dict[str, type[Writer]] = {
    "sqlite": SqliteWriter,
    "truncating": TruncatingWriter,
    "renaming": RenamingWriter,
    "deleting": DeletingWriter,
    "appending": AppendingWriter,
    "notes-renaming": NotesWriter,
    "notes-deleting": NotesDeletingWriter,
}
