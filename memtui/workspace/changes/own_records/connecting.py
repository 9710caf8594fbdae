"""Connecting an agent's program and disconnecting it: each is one journal entry, and changes the settings
files of that program (S-87)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

Planned = tuple[Connection, Edit]
_AGENT = "--as"  # the option of `memtui mcp` and `memtui hook` that names the agent


def states(ctx: Context) -> list[tuple[Connection, ConnectionState]]:
    """Return all connections, and how each stands in its file now."""
    return [(each, _state(each)) for each in rows.listed(ctx)]


def connect_plans(ctx: Context, wanted: Sequence[Connection]) -> list[Planned]:
    """Return what connecting would change, a file each; raise Refused if it cannot be, or if all are
    connected so already."""
    due = _due(ctx, wanted)
    return [
        (each, files.plan(Path(each.file), *_known(rows.find(ctx, each.file)), each.entries)) for each in due
    ]


def connect(ctx: Context, wanted: Sequence[Connection]) -> Change:
    """Put the entries in the files, in place of those that memtui has there."""
    ctx.writable()
    due = _due(ctx, wanted)
    summary = wording.connected(due[0].client, due[0].agent, [each.file for each in due])
    with ctx.db.atomic():
        for each in due:
            if rows.now(ctx, 0, each.file) == each.fields:
                rows.drop(ctx, each.file)  # the file has them no longer: this is a new connection
        return _change(ctx, "connected", summary, {each.file: each.fields for each in due})


def disconnect_plans(ctx: Context, wanted: Sequence[Connection]) -> list[Planned]:
    """Return what disconnecting would change, a file each; raise Refused if memtui has nothing in them."""
    return [(each, files.plan(Path(each.file), *_known(each), None)) for each in _connected(ctx, wanted)]


def disconnect(ctx: Context, wanted: Sequence[Connection]) -> Change:
    """Take the entries out of the files: those that are known, else those that `wanted` names."""
    ctx.writable()
    with ctx.db.atomic():
        connected = _connected(ctx, wanted)
        for each in connected:
            if each.written is None:  # memtui made them, but no entry of the journal is about it
                rows.keep(ctx, each, files.ADOPTED)
        summary = wording.disconnected(connected[0].client, [each.file for each in connected])
        return _change(ctx, "disconnected", summary, {each.file: {} for each in connected})


def _change(ctx: Context, kind: str, summary: str, fields: Mapping[str, Fields]) -> Change:
    own = int(ctx.db.one("SELECT id FROM stores WHERE format = 'native'"))
    states = [own_states.State(CONNECTION, file, own, each) for file, each in fields.items()]
    return Change(kind, (), summary, own_states.change(ctx, kind, summary, states))


def _due(ctx: Context, wanted: Sequence[Connection]) -> list[Connection]:
    """Return those that are not connected like this already; raise Refused if there are none."""
    due = []
    for each in wanted:
        old = rows.find(ctx, each.file)
        if old is None or old.fields != each.fields or _state(old) is not ConnectionState.CONNECTED:
            due.append(each)
    if not due:
        raise wording.connected_already(wanted[0].agent, *(each.file for each in wanted))
    return due


def _connected(ctx: Context, wanted: Sequence[Connection]) -> list[Connection]:
    """Return what memtui has in those of the files that it is in; raise Refused if it is in none, or an entry
    is not memtui's."""
    known = [rows.find(ctx, each.file) or _as_found(each) for each in wanted]
    connected = [each for each in known if each is not None]
    if not connected:
        raise wording.not_connected(*(each.file for each in wanted))
    return connected


def _as_found(wanted: Connection) -> Connection | None:
    """Return a connection with the entries that its file has, and the agent that they name, None if it has
    none; raise Refused for one that memtui did not make."""
    found = zip(wanted.entries.insertions, files.values(Path(wanted.file), wanted.entries), strict=True)
    there = [(each, value) for each, value in found if value is not None]
    if not there:
        return None
    for each, value in there:
        if not each.owns(value):
            raise not_ours(wanted.file, ".".join(each.path))
    insertions = tuple(replace(each, value=value) for each, value in there)
    agent = _agent_in(words_of(insertions[0].value)) or wanted.agent
    return replace(wanted, agent=agent, entries=replace(wanted.entries, insertions=insertions))


def _agent_in(words: Sequence[str]) -> str:
    """Return the agent that an entry names, "" if it names none."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    named = (
        after if word == _AGENT else word.removeprefix(f"{_AGENT}=")
        for word, after in pairs
        if word == _AGENT or word.startswith(f"{_AGENT}=")
    )
    return next(named, "")


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
