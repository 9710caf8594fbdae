"""Sample stores built in code, and the other programs that use them.

The other programs run as processes of their own: SQLite's locks belong to a process, and closing a second
handle on the database file drops the locks of every connection in that process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

_STATEMENT_LOOP = """
import json, sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(2000)
for line in sys.stdin:
    sql, bindings = json.loads(line)
    print(json.dumps(connection.execute(sql, bindings).fetchall()), flush=True)
connection.close()
"""

_COMMIT_LOOP = """
import sys, threading, time, apsw
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(20000)
connection.execute("PRAGMA synchronous=OFF")
parent = threading.Thread(target=sys.stdin.read)
parent.start()
print(flush=True)
while parent.is_alive():
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute(sys.argv[2])
    connection.execute("COMMIT")
    time.sleep(0.001)
connection.close()
"""


class Agent:
    """Another program that has a database open and runs the statements it is given."""

    def __init__(self, path: Path) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _STATEMENT_LOOP, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def execute(self, sql: str, *bindings: Any) -> list[Any]:
        """Run one statement in the other process and return its rows."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(json.dumps([sql, bindings]) + "\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline()
        assert answer, f"the agent failed at: {sql}"
        return list(json.loads(answer))

    def kill(self) -> None:
        """Kill the process with SIGKILL, so that it cleans nothing up."""
        self._child.kill()
        self._finish()

    def close(self) -> None:
        """Close the database and end the process."""
        if self._child.stdin is not None:
            self._child.stdin.close()
        self._finish()

    def _finish(self) -> None:
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def file_hashes(path: Path) -> dict[str, str]:
    """Return file name → sha256 of a database, its -wal and its -journal.

    Another process reads the files: opening them in this one would drop its SQLite locks.
    """
    files = [file for end in ("", "-wal", "-journal") if (file := path.with_name(path.name + end)).exists()]
    sums = subprocess.run(["sha256sum", *map(str, files)], capture_output=True, text=True, check=True).stdout
    return {Path(line[66:]).name: line[:64] for line in sums.splitlines()}


def rows_in(path: Path) -> dict[str, dict[int, dict[str, tuple[str, Any]]]]:
    """Return every value of every table with its type: table → rowid → column → (type, value)."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    out: dict[str, dict[int, dict[str, tuple[str, Any]]]] = {}
    try:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table in tables:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            selected = ", ".join(f'typeof("{name}"), "{name}"' for name in columns)
            out[table] = {
                rowid: dict(zip(columns, zip(values[::2], values[1::2], strict=True), strict=True))
                for rowid, *values in connection.execute(f'SELECT rowid, {selected} FROM "{table}"')
            }
    finally:
        connection.close()
    return out


def changed_columns(
    before: dict[str, dict[int, dict[str, Any]]], after: dict[str, dict[int, dict[str, Any]]]
) -> set[tuple[str, str]]:
    """Return the (table, column) pairs that differ; an added or removed row is (table, "*")."""
    out = set()
    for table in before.keys() | after.keys():
        old, new = before.get(table, {}), after.get(table, {})
        for rowid in old.keys() | new.keys():
            if rowid not in old or rowid not in new:
                out.add((table, "*"))
                continue
            out |= {(table, name) for name in new[rowid] if new[rowid][name] != old[rowid].get(name)}
    return out


@contextmanager
def busy_writer(path: Path, sql: str) -> Iterator[None]:
    """Run another program that keeps committing `sql`, with a pause of 1 ms in between."""
    child = subprocess.Popen(
        [sys.executable, "-c", _COMMIT_LOOP, str(path), sql],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        assert child.stdout.readline(), "the agent failed"
        yield
    finally:
        child.stdin.close()
        child.wait()
        child.stdout.close()
