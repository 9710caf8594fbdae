"""`memtui connect`, `disconnect` and `connections`: memtui in the settings of agents' programs (S-87).

With --json, `connect` and `disconnect`: {"client", "file", "files", "agent", "diff": [lines]}, without the
agent for `disconnect`, with --yes also what all changes print; `connections`: [{"client", "file", "state",
"at", and what `memtui stats --as` tells of an agent, "writes_to"}], the state being connected, changed, gone
or unreadable, or none for an agent that calls without a connection, whose file is null.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtui.agents.connect.clients import CLIENTS
from memtui.agents.connect.difference import difference
from memtui.agents.connect.target import Surroundings, connection, hooks_connection, program, target
from memtui.cli.commands.change import wording_connect as wording
from memtui.cli.commands.change.erasing import can_ask
from memtui.cli.runtime.open_workspace import path_of, workspace
from memtui.errors import Refused
from memtui.memory.agents.wording import NO_CALLS, short
from memtui.memory.encoding import iso
from memtui.serialization.agents import agent_as_json

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from memtui.cli.runtime.output import Output
    from memtui.formats.insertions.files import Edit
    from memtui.memory.results import Change
    from memtui.values import JsonObject
    from memtui.workspace.agents.listing import ListedAgent
    from memtui.workspace.connections.connection import Connection
    from memtui.workspace.workspace import Workspace

NO_ENTRY = "none"  # the state of an agent without a connection


def connect(args: Namespace, output: Output) -> None:
    """Print what connecting a client would change in its settings, and do it where that is confirmed."""
    with workspace(args, output) as opened:
        wanted = _wanted(args, opened.path, args.agent)
        try:
            planned = opened.connect_plans(*wanted)
        except Refused as refused:
            if refused.code != "no-change":
                raise
            if output.json:
                output.data(_as_json("connect", wanted, []))
            else:
                output.note(refused.message)
            return
        _run("connect", planned, wanted, opened, opened.connect, args, output)


def disconnect(args: Namespace, output: Output) -> None:
    """Print what disconnecting a client would change in its settings, and do it where that is confirmed."""
    with workspace(args, output) as opened:
        wanted = _wanted(args, opened.path, "memtui")
        planned = opened.disconnect_plans(*wanted)
        _run("disconnect", planned, wanted, opened, opened.disconnect, args, output)


def connections(args: Namespace, output: Output) -> None:
    """Print the settings files that memtui is in, and the agents that call without one."""
    with workspace(args, output) as opened:
        found = opened.agents()
    if output.json:
        output.data([_agent_as_json(each) for each in found])
        return
    output.table([_row(each) for each in found], whole=True)
    if not found:
        output.note(wording.NO_CONNECTIONS)


def _agent_as_json(listed: ListedAgent) -> JsonObject:
    connection, state = listed.connection, listed.state
    return {
        "client": connection.client if connection else "",
        "file": connection.file if connection else None,
        "state": state.value if state else NO_ENTRY,
        "at": iso(connection.at) if connection else None,
        **agent_as_json(listed.figures),
        "writes_to": listed.store,
    }


def _row(listed: ListedAgent) -> tuple[str, ...]:
    connection = listed.connection
    return (
        connection.client if connection else "",
        listed.agent,
        wording.state(listed.state),
        short(listed.figures) if listed.figures.last is not None else NO_CALLS,
        connection.file if connection else "",
    )


def _wanted(args: Namespace, path: Path, agent: str | None) -> list[Connection]:
    """Return the files that are meant: that with the MCP servers of a client, and that with its hooks, where
    the client itself is named and has them."""
    around, word = Surroundings.here(), str(path_of(args.target))
    client, file = target(word, around, project=args.project)
    hooks = (
        hooks_connection(client, agent, path, program(), around, project=args.project)
        if word in CLIENTS and args.hooks
        else None
    )
    if hooks is None and not args.mcp:
        raise wording.nothing_wanted(hooks=args.hooks)
    server = [connection(client, file, agent, path, program(), around)] if args.mcp else []
    return [*server, *([hooks] if hooks is not None else [])]


def _run(
    verb: str,
    planned: Sequence[tuple[Connection, Edit]],
    wanted: Sequence[Connection],
    opened: Workspace,
    act: Callable[..., Change],
    args: Namespace,
    output: Output,
) -> None:
    """Print the difference; do it if that is confirmed."""
    edits = [(each.file, edit) for each, edit in planned]
    lines = [
        line
        for file, edit in edits
        if edit.before != edit.after
        for line in difference(file, edit.before, edit.after, output.shown)
    ]
    if not output.json:
        if lines:
            output.text("\n".join(lines))
        else:
            output.note(wording.SAME_BYTES[verb])
    shown = _as_json(verb, [each for each, _ in planned], lines)
    if not args.yes and (output.json or not _is_confirmed(verb, output)):
        if output.json:
            output.data(shown)
        else:
            output.note(wording.HOW_TO[verb])
        return
    output.change(opened, act(*wanted), (), shown)


def _as_json(verb: str, about: Sequence[Connection], diff: list[str]) -> JsonObject:
    first = about[0]
    agent = {"agent": first.agent} if verb == "connect" else {}
    files = [each.file for each in about]
    return {"client": first.client, "file": first.file, "files": files, **agent, "diff": [*diff]}


def _is_confirmed(verb: str, output: Output) -> bool:
    """Ask whether to write the files; a script cannot answer."""
    if not can_ask():
        return False
    output.note(wording.ask(verb))
    return sys.stdin.readline().strip() == verb
