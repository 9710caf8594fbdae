"""The programs that memtui can be connected to: where their settings are, and what an entry looks like there
(FORMATS 13).

A new one is a line of CLIENTS. A client that needs several entries has them in `entries`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memtui.agents.hooks import entries
from memtui.formats.insertions.editing import Entries
from memtui.formats.insertions.insertion import Insertion
from memtui.values import JsonObject

NAME = "memtui"  # of the entry


@dataclass(frozen=True, slots=True)
class Place:
    """Where a client has its settings: files below a folder, of which the first that exists is meant, else
    the first. An environment variable may name the folder, which else is `default` below the home folder."""

    files: tuple[str, ...]
    default: str = ""
    variable: str = ""

    def path(self, home: Path, environ: Mapping[str, str]) -> Path:
        """Return the settings file that is meant."""
        named = environ.get(self.variable, "") if self.variable else ""
        folder = Path(named) if os.path.isabs(named) else home / self.default
        paths = [folder / each for each in self.files]
        return next((each for each in paths if os.path.lexists(each)), paths[0])


@dataclass(frozen=True, slots=True)
class Hooks:
    """Where a program has its hooks, for a person and in a project's folder: a JSON file."""

    user: Place
    project: str

    @staticmethod
    def of(command: str, args: Sequence[str]) -> Entries:
        """Return the entries by which this program asks at each event."""
        return Entries("json", entries.entries(command, args))


@dataclass(frozen=True, slots=True)
class Client:
    """A program: its name on the command line, where its settings are for a person (None: nowhere) and in a
    project's folder ("": nowhere), their syntax, and the entries that a command makes there; where it has the
    settings of hooks, None if it has none."""

    name: str
    user: Place | None
    project: str
    syntax: str
    entries: Callable[[str, Sequence[str]], tuple[Insertion, ...]]
    hooks: Hooks | None = None

    def of(self, command: str, args: Sequence[str]) -> Entries:
        """Return the entries by which this program starts a command."""
        return Entries(self.syntax, self.entries(command, args))


def _server(key: str, **more: str) -> Callable[[str, Sequence[str]], tuple[Insertion, ...]]:
    """Return what makes the entry of an MCP server under a key, as most clients have it."""

    def entries(command: str, args: Sequence[str]) -> tuple[Insertion, ...]:
        value: JsonObject = {**more, "command": command, "args": list(args)}
        return (Insertion((key, NAME), value),)

    return entries


def _opencode(command: str, args: Sequence[str]) -> tuple[Insertion, ...]:
    value = {"type": "local", "command": [command, *args], "enabled": True}
    return (Insertion(("mcp", NAME), value),)


_PLAIN = _server("mcpServers")
_CLAUDE = Place((".claude.json",), variable="CLAUDE_CONFIG_DIR")
_CLAUDE_HOOKS = Hooks(Place(("settings.json",), ".claude", "CLAUDE_CONFIG_DIR"), ".claude/settings.json")
_OPENCODE = Place(("opencode/opencode.json", "opencode/opencode.jsonc"), ".config", "XDG_CONFIG_HOME")

CLIENTS = {
    each.name: each
    for each in (
        Client(
            "claude-code", _CLAUDE, ".mcp.json", "json", _server("mcpServers", type="stdio"), _CLAUDE_HOOKS
        ),
        Client("codex", Place(("config.toml",), ".codex", "CODEX_HOME"), "", "toml", _server("mcp_servers")),
        Client("cursor", Place((".cursor/mcp.json",)), ".cursor/mcp.json", "json", _PLAIN),
        Client("gemini", Place((".gemini/settings.json",)), ".gemini/settings.json", "json", _PLAIN),
        Client("vscode", None, ".vscode/mcp.json", "json", _server("servers", type="stdio")),
        Client("opencode", _OPENCODE, "opencode.json", "json", _opencode),
    )
}
OTHER = Client("", None, "", "json", _PLAIN)  # any JSON file with `mcpServers`


def client_of(file: Path, home: Path, project: Path, environ: Mapping[str, str]) -> Client:
    """Return the client whose settings a file is, `OTHER` if it is none's."""
    for each in CLIENTS.values():
        places = [each.user.path(home, environ)] if each.user is not None else []
        if file in places or (each.project and file == project / each.project):
            return each
    return OTHER
