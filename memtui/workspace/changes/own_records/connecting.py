"""Connecting an agent's program and disconnecting it: each is one journal entry, and changes the settings
file of that program (S-87)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.insertions import files
from memtui.formats.insertions.editing import Entries
from memtui.formats.insertions.files import Edit
from memtui.formats.insertions.insertion import Written, words_of
from memtui.formats.insertions.wording import not_ours
from memtui.memory.results import Change
from memtui.values import Fields
from memtui.workspace.changes.own_records import own_states
from memtui.workspace.connections import rows, wording
from memtui.workspace.connections.connection import Connection, ConnectionState
from memtui.workspace.journal.items import CONNECTION

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_AGENT = "--as"  # the option of `memtui mcp` that names the agent


def states(ctx: Context) -> list[tuple[Connection, ConnectionState]]:
    """Return all connections, and how each stands in its file now."""
    return [(each, _state(each)) for each in rows.listed(ctx)]


def connect_plan(ctx: Context, wanted: Connection) -> Edit:
    """Return what connecting would change in the file; raise Refused if it cannot be, or is connected so
    already."""
    _require_change(ctx, wanted)
    return files.plan(Path(wanted.file), *_known(rows.find(ctx, wanted.file)), wanted.entries)


def connect(ctx: Context, wanted: Connection) -> Change:
    """Put the entries in the file, in place of those that memtui has there."""
    ctx.writable()
    _require_change(ctx, wanted)
    summary = wording.connected(wanted.client, wanted.agent, wanted.file)
    with ctx.db.atomic():
        if rows.now(ctx, 0, wanted.file) == wanted.fields:
            rows.drop(ctx, wanted.file)  # the file has them no longer: this is a new connection
        return _change(ctx, "connected", summary, wanted.file, wanted.fields)


def disconnect_plan(ctx: Context, wanted: Connection) -> Edit:
    """Return what disconnecting would change in the file; raise Refused if memtui has nothing there."""
    return files.plan(Path(wanted.file), *_known(rows.find(ctx, wanted.file) or _as_found(wanted)), None)


def disconnect(ctx: Context, wanted: Connection) -> Change:
    """Take the entries out of the file: those that are known, else those that `wanted` names."""
    ctx.writable()
    old = rows.find(ctx, wanted.file)
    with ctx.db.atomic():
        if old is None:  # memtui made them, but no entry of the journal is about it
            old = _as_found(wanted)
            rows.keep(ctx, old, files.ADOPTED)
        return _change(ctx, "disconnected", wording.disconnected(old.client, old.file), old.file, {})


def _change(ctx: Context, kind: str, summary: str, file: str, fields: Fields) -> Change:
    own = int(ctx.db.one("SELECT id FROM stores WHERE format = 'native'"))
    state = own_states.State(CONNECTION, file, own, fields)
    return Change(kind, (), summary, own_states.change(ctx, kind, summary, [state]))


def _require_change(ctx: Context, wanted: Connection) -> None:
    """Raise Refused if a file is connected like this already."""
    old = rows.find(ctx, wanted.file)
    if old is not None and old.fields == wanted.fields and _state(old) is ConnectionState.CONNECTED:
        raise wording.connected_already(wanted.file, wanted.agent)


def _as_found(wanted: Connection) -> Connection:
    """Return a connection with the entries that its file has, and the agent that they name; raise Refused if
    it has none, or one that memtui did not make."""
    found = zip(wanted.entries.insertions, files.values(Path(wanted.file), wanted.entries), strict=True)
    there = [(each, value) for each, value in found if value is not None]
    if not there:
        raise wording.not_connected(wanted.file)
    for each, value in there:
        if not each.owns(value):
            raise not_ours(wanted.file, ".".join(each.path))
    insertions = tuple(replace(each, value=value) for each, value in there)
    words = words_of(insertions[0].value)
    agent = words[words.index(_AGENT) + 1] if _AGENT in words[:-1] else wanted.agent
    return replace(wanted, agent=agent, entries=replace(wanted.entries, insertions=insertions))


def _known(old: Connection | None) -> tuple[Entries | None, Written | None]:
    return (None, None) if old is None else (old.entries, old.written)


def _state(connection: Connection) -> ConnectionState:
    try:
        found = files.values(Path(connection.file), connection.entries)
    except Refused:
        return ConnectionState.UNREADABLE
    if found == [each.value for each in connection.entries.insertions]:
        return ConnectionState.CONNECTED
    return ConnectionState.CHANGED if any(each is not None for each in found) else ConnectionState.GONE
