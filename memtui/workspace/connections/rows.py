"""The rows of connections. Setting one changes the file that it is about (S-87); `own_states` journals that.

The file is written first and the row after it, in a transaction that also journals the change: a process that
dies between the two leaves an entry that the next `connect` or `disconnect` takes over.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.formats.insertions import files
from memtui.formats.insertions.insertion import Inserted, Piece, Written
from memtui.values import Fields
from memtui.workspace.connections.connection import Connection, from_fields
from memtui.workspace.db.models import Connection as Row

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def listed(ctx: Context) -> list[Connection]:
    """Return the connections of this workspace, by file."""
    return [_connection(row) for row in ctx.db.fetch(Row.select().order_by(Row.file))]


def find(ctx: Context, file: str) -> Connection | None:
    """Return the connection of a file; None if there is none."""
    row = ctx.db.find(Row, file)
    return None if row is None else _connection(row)


def keep(ctx: Context, connection: Connection, written: Written) -> None:
    """Write the row of a connection."""
    inserted = {
        "pieces": [[each.at, each.text] for each in written.inserted.pieces],
        "made": written.inserted.made,
    }
    row = {
        "file": connection.file,
        "client": connection.client,
        "agent": connection.agent,
        "entries": _json({name: connection.fields[name] for name in ("syntax", "insertions")}),
        "before": written.before,
        "after": written.after,
        "inserted": _json(inserted),
        "folders": _json(written.folders),
        "at": ctx.clock(),
    }
    ctx.db.write(Row.insert(row).on_conflict_replace())


def drop(ctx: Context, file: str) -> None:
    """Delete the row of a connection; its file stays as it is."""
    ctx.db.write(Row.delete().where(Row.file == file))


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the connection of the file `key`, {} if there is none."""
    found = find(ctx, key)
    return {} if found is None else found.fields


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them, in the file and in the row; raise Refused if the file cannot be changed."""
    old = find(ctx, key)
    new = from_fields(key, fields) if fields else None
    written = files.edit(
        Path(key),
        old.entries if old is not None else None,
        old.written if old is not None else None,
        new.entries if new is not None else None,
    )
    if new is None or written is None:
        drop(ctx, key)
    else:
        keep(ctx, new, written)


def _connection(row: Row) -> Connection:
    inserted = json.loads(row.inserted)
    pieces = tuple(Piece(at, text) for at, text in inserted["pieces"])
    made = tuple(tuple(path) for path in inserted["made"])
    written = Written(row.before, row.after, Inserted(pieces, made), tuple(json.loads(row.folders)))
    fields = {"client": row.client, "agent": row.agent, **json.loads(row.entries)}
    plain = from_fields(row.file, fields)
    return Connection(plain.file, plain.client, plain.agent, plain.entries, row.at, written)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
