"""Leaving nothing of an erased text in unused parts of files (S-50, S-62).

That is owed from the transaction that erases on, and stays so while another process prevents it: the next
start does it, and so does the next purge or redaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from peewee import SQL

from memtui.errors import Refused
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import BUSY_SECONDS, Database, translate_errors, unwritable
from memtui.workspace.db.models import Checkpoint, Memory
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import wording_wiping as wording

_WORKSPACE, _STORE = "wipe", "wipe store "  # marks of what is owed, kept as checkpoints
_OWED, _PACKED = 0, 1  # what is left of it: all, or only to write the log back
_MARKS = "SELECT name, entry_id FROM checkpoints WHERE name = ? OR name GLOB ? ORDER BY name"


def owe(ctx: Context, store_ids: Iterable[int] = ()) -> None:
    """Note that the workspace and these stores are to be wiped, in the caller's transaction."""
    marks = [(_WORKSPACE, _OWED), *((f"{_STORE}{id}", id) for id in store_ids)]
    for name, value in marks:
        mark = Checkpoint.insert(name=name, entry_id=value, at=ctx.clock())
        ctx.db.write(mark.on_conflict_replace())


def finish(ctx: Context) -> list[str]:
    """Wipe what an earlier purge or redaction could not, without waiting for others; return a sentence if
    that is done now."""
    if not is_owed(ctx.db):
        return []
    connection = ctx.db.connection()
    connection.set_busy_timeout(0)
    try:
        wipe(ctx)
    finally:
        connection.set_busy_timeout(BUSY_SECONDS * 1000)
    return [] if is_owed(ctx.db) else [wording.finished(ctx.path.name)]


def is_owed(db: Database) -> bool:
    """Return whether anything is to be wiped still."""
    return bool(_marks(db))


def wipe(ctx: Context, purged: Sequence[int] = ()) -> list[str]:
    """Leave no unused page and no frame of a log with an erased text; return notes about what prevents that.

    The empty rows of purged memories are deleted last, since a second purge needs them to finish.
    """
    notes = []
    for name, value in _marks(ctx.db):
        file = ctx.path.name
        try:
            with translate_errors(ctx.path):
                if name == _WORKSPACE:
                    is_done, prevented = _pack(ctx, value, purged), wording.workspace_open_elsewhere(file)
                else:
                    store = store_rows.find(ctx.db, value)
                    file = store.name if store is not None else file
                    is_done, prevented = _write_back(ctx, store), wording.store_read_elsewhere(file)
                if is_done:
                    ctx.db.write(Checkpoint.delete().where(Checkpoint.name == name))
                else:
                    notes.append(prevented)
        except (Refused, OSError) as error:
            is_busy = isinstance(error, Refused) and error.code == "busy"
            notes.append(
                wording.unused_parts(file, wording.OTHER_PROCESS_WRITES if is_busy else unwritable(error))
            )
    return notes


def _marks(db: Database) -> list[tuple[str, int]]:
    return [(str(name), int(value)) for name, value in db.rows(_MARKS, (_WORKSPACE, f"{_STORE}*"))]


def _pack(ctx: Context, state: int, purged: Sequence[int]) -> bool:
    """Rewrite the workspace without unused pages and empty its log; return whether nobody prevented that."""
    if state == _OWED:
        ctx.db.run("VACUUM")
        # Not again at each try while somebody reads: each would add the whole file to the log.
        ctx.db.write(Checkpoint.update(entry_id=_PACKED).where(Checkpoint.name == _WORKSPACE))
    is_busy = ctx.db.one("PRAGMA wal_checkpoint(TRUNCATE)")
    ctx.on_step("after wiping")
    listed = SQL("(SELECT value FROM json_each(?))", (json.dumps(list(purged)),))
    ctx.db.write(Memory.delete().where(Memory.id.in_(listed)))
    return not is_busy


def _write_back(ctx: Context, store: StoreRow | None) -> bool:
    """Have the log of a store's database written back into it; return whether nobody prevented that."""
    adapter = ctx.adapter(store) if store is not None else None
    return adapter is None or adapter.write_back()
