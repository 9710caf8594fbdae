"""Where a redacted value may still be: files of the stores, what is beside them (S-62)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance.redact import wording
from memtui.workspace.secrets.sweep import TEXTS

_CHUNK = 1 << 22  # bytes that are searched at once


def traced_in_others(ctx: Context, ids: Sequence[int], redacted: Replacements) -> list[str]:
    """Return the uids of other memories in which a value is in another form alone: in small letters, or in a
    name that was made of it."""
    sql = f"SELECT uid, {', '.join(TEXTS)} FROM memories WHERE id NOT IN (SELECT value FROM json_each(?))"
    rows = ctx.db.rows(sql, (json.dumps(list(ids)),))
    found = [(uid, "\n".join(str(text) for text in texts if text)) for uid, *texts in rows]
    return [uid for uid, text in found if redacted.traced_in(text) and not redacted.plain.found_in(text)]


def still_holding(
    store: StoreRow, redacted: Replacements, unread: Collection[str], *, is_database: bool
) -> list[str]:
    """Return notes about what still has a value in a store that was written, or may have it; `unread` are the
    names of files that are not opened."""
    root = Path(store.path)
    notes = []
    for path in (each for each in _files(root) if each.name not in unread):
        name = os.path.relpath(path, root.parent)
        values = redacted.plain
        if any(values.held_by(part) for part in _parts(path, values.needles, is_database)):
            notes.append(wording.still_in(name))
        elif _has_trace(path, name, redacted, is_database):
            notes.append(wording.trace_in(name))
    if is_database:
        notes.append(wording.unused_parts_of_store(root.name))
    git = next((folder for folder in (root, *root.resolve().parents) if (folder / ".git").exists()), None)
    return [*notes, *([wording.in_git(str(git))] if git is not None else [])]


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield from (path for end in ("", "-wal", "-journal") if (path := Path(f"{root}{end}")).is_file())
        return
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (path for name in sorted(names) if (path := Path(folder, name)).is_file())


def _has_trace(path: Path, name: str, redacted: Replacements, is_database: bool) -> bool:
    """Return whether a file, or its name, has a value in small letters, or a name that was made of one."""
    parts = chain([os.fsencode(name)], _parts(path, redacted.traces, is_database))
    return any(trace in part.lower() for part in parts for trace in redacted.traces)


def _parts(path: Path, needles: Sequence[bytes], is_database: bool) -> Iterator[bytes]:
    """Yield the bytes of a file in parts, of which one has each needle that is in the file."""
    longest, tail = max(map(len, needles), default=1), b""
    try:
        with _read_elsewhere(path) if is_database else path.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                yield tail + chunk
                tail = chunk[-longest:]
    except OSError:
        return


@contextmanager
def _read_elsewhere(path: Path) -> Iterator[IO[bytes]]:
    """Yield what another process reads of a database: closing it in this one could drop locks that it has."""
    command = ["cat", "--", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        yield process.stdout
        process.stdout.close()
