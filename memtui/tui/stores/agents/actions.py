"""What the pane of agents reads and changes; these functions run in the lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.memory.secrets.masking import hidden
from memtui.tui.stores.store_text import short_path
from memtui.workspace.connections.connection import Connection
from memtui.workspace.connections.wording import not_connected

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.formats.insertions.files import Edit
    from memtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Choice:
    """Settings that can be connected: the client, whether those of this folder, the file of its MCP servers
    and that of its hooks (None: it has none), and the agent that they are connected as ("": they are not)."""

    client: str
    project: bool
    file: Path
    hooks: Path | None = None
    agent: str = ""

    @property
    def files(self) -> list[str]:
        """All of its files."""
        return [str(each) for each in (self.file, self.hooks) if each is not None]


@dataclass(frozen=True, slots=True)
class Planned:
    """What connecting or disconnecting would do: the connections, and the difference in their files; no lines
    where those stay as they are."""

    connections: Sequence[Connection]
    lines: Sequence[str]


def choices(workspace: Workspace) -> list[Choice]:
    """Return the settings of all clients: the person's own, then those of this folder."""
    from memtui.agents.connect.clients import CLIENTS
    from memtui.agents.connect.target import Surroundings

    around, found = Surroundings.here(), list[Choice]()
    for each in CLIENTS.values():
        if each.user is not None:
            hooks = each.hooks.user.path(around.home, around.environ) if each.hooks else None
            found.append(Choice(each.name, False, each.user.path(around.home, around.environ), hooks))
    for each in CLIENTS.values():
        if each.project:
            hooks = around.cwd / each.hooks.project if each.hooks else None
            found.append(Choice(each.name, True, around.cwd / each.project, hooks))
    agents = {each.file: each.agent for each, _ in workspace.connections()}
    return [
        replace(one, agent=next((agents[file] for file in one.files if file in agents), "")) for one in found
    ]


def plan_connection(workspace: Workspace, choice: Choice, agent: str) -> Planned:
    """Return what connecting would change; raise Refused if it cannot be, or is so already."""
    from memtui.agents.connect.clients import CLIENTS
    from memtui.agents.connect.target import Surroundings, connection, hooks_connection, program

    client, around, path = CLIENTS[choice.client], Surroundings.here(), workspace.path
    server = connection(client, choice.file, agent, path, program(), around)
    hooks = hooks_connection(client, agent, path, program(), around, project=choice.project)
    wanted = [server, *([hooks] if hooks is not None else [])]
    return Planned(wanted, _difference(workspace.connect_plans(*wanted)))


def plan_disconnection(workspace: Workspace, file: str) -> Planned:
    """Return what disconnecting a file, and the other one of the same settings, would change; raise Refused
    if nothing is connected there any more."""
    together = next((each.files for each in choices(workspace) if file in each.files), [file])
    wanted = [each for each, _ in workspace.connections() if each.file in together]
    if not wanted:
        raise not_connected(file)
    return Planned(wanted, _difference(workspace.disconnect_plans(*wanted)))


def _difference(planned: Sequence[tuple[Connection, Edit]]) -> list[str]:
    from memtui.agents.connect.difference import difference

    return [
        line
        for each, edit in planned
        if edit.before != edit.after
        for line in difference(short_path(each.file), edit.before, edit.after, hidden)
    ]
