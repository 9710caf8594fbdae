"""What `memtui connect` is asked for: the file, whose it is, and what is to be in it (S-87)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memtui.agents.connect import wording
from memtui.agents.connect.clients import CLIENTS, NAME, Client, client_of
from memtui.memory.policies.policy import agent_name
from memtui.paths import default_workspace
from memtui.workspace.connections.connection import Connection


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a client's place depends on."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> Surroundings:
        """Return those of this process."""
        return cls(Path.home(), Path.cwd(), os.environ)


def target(word: str, around: Surroundings, *, project: bool) -> tuple[Client, Path]:
    """Return the client and the settings file that a word of the command line means: a client's name, or a
    path. Raises Refused for a name that is no client's, and where a client has no such settings."""
    client = CLIENTS.get(word)
    if client is None:
        path = Path(os.path.abspath(around.cwd / Path(word).expanduser()))
        if os.sep not in word and not path.suffix and not os.path.lexists(path):
            raise wording.no_client(word, list(CLIENTS))
        return client_of(path, around.home, around.cwd, around.environ), path
    if project:
        if not client.project:
            raise wording.no_project_settings(client.name)
        return client, around.cwd / client.project
    if client.user is None:
        raise wording.no_user_settings(client.name)
    return client, client.user.path(around.home, around.environ)


def connection(
    client: Client, file: Path, agent: str | None, workspace: Path, command: str, around: Surroundings
) -> Connection:
    """Return the connection of a settings file to a workspace, for an agent, by default named as the client.

    Raises Refused for what cannot be an agent's name.
    """
    if agent is None and client.name not in CLIENTS:
        raise wording.no_agent(str(file))
    name = agent_name(client.name if agent is None else agent)
    in_project = bool(client.project) and file == around.cwd / client.project
    args = ["mcp", *_arguments(name, workspace, around, in_project=in_project)]
    return Connection(str(file), client.name, name, client.of(command, args))


def hooks_connection(
    client: Client, agent: str | None, workspace: Path, command: str, around: Surroundings, *, project: bool
) -> Connection | None:
    """Return the connection of a client's hooks; None if it has none. Raises Refused as `connection`."""
    if client.hooks is None:
        return None
    place = client.hooks
    file = around.cwd / place.project if project else place.user.path(around.home, around.environ)
    name = agent_name(client.name if agent is None else agent)
    entries = place.of(command, _arguments(name, workspace, around, in_project=project))
    return Connection(str(file), client.name, name, entries)


def _arguments(agent: str, workspace: Path, around: Surroundings, *, in_project: bool) -> list[str]:
    is_found = _is_found(workspace, around, in_project=in_project)
    # A name that begins as an option does would be taken for one.
    named = [f"--as={agent}"] if agent.startswith("-") else ["--as", agent]
    return [*named, *([] if is_found else ["--workspace", str(workspace)])]


def _is_found(workspace: Path, around: Surroundings, *, in_project: bool) -> bool:
    """Return whether memtui, started by the client, finds the workspace without `--workspace`."""
    if in_project and workspace == around.cwd / ".memtui" / "workspace.db":
        return True
    return workspace == default_workspace()


def program() -> str:
    """Return the path of the program memtui; its name alone if it is not known where it is."""
    for path in (Path(sys.argv[0]), Path(sys.executable).parent / NAME):
        if path.name == NAME and path.is_file() and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return shutil.which(NAME) or NAME
