"""Paths that agents' settings name: MCP servers, hooks, memory folders (S-3).

Settings are read and never believed: bounded in size, never run, never written. Only what turns out
to be an existing path leaves this file; tokens and keys beside it do not.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

LIMIT = 1 << 20  # bytes; a longer settings file is passed over
_MOST = 500  # paths from one file
_LONGEST = 4096  # characters of a path
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")

# Below ~ or the working folder (.), as in `known_places`.
FILES = (
    "~/.claude.json",
    "~/.claude/settings.json",
    "~/.claude/settings.local.json",
    "./.mcp.json",
    "./.claude/settings.json",
    "./.claude/settings.local.json",
    "~/.cursor/mcp.json",
    "./.cursor/mcp.json",
    "~/.codex/config.toml",
    "~/.gemini/settings.json",
    "~/.config/Claude/claude_desktop_config.json",
    "~/Library/Application Support/Claude/claude_desktop_config.json",
)


@dataclass(frozen=True, slots=True)
class Here:
    """What a path in settings is meant from."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]

    def at(self, place: str) -> Path:
        """A place below ~ or the working folder."""
        start, _, rest = place.partition("/")
        return (self.home if start == "~" else self.cwd) / rest


def named_paths(here: Here) -> Iterator[Path]:
    """The existing paths that all settings files name."""
    for place in FILES:
        file = here.at(place)
        base = here.cwd if place.startswith(".") else None
        yield from islice(_existing(_texts(_settings(file), base), here), _MOST)


def _existing(texts: Iterator[tuple[str, Path | None]], here: Here) -> Iterator[Path]:
    for text, base in texts:
        path = _path(text, base, here)
        with suppress(OSError, ValueError):
            if path is not None and path.exists():
                yield path


def _path(text: str, base: Path | None, here: Here) -> Path | None:
    """A text as a path, if it can be one; a relative one only where it is known from where."""
    if len(text) > _LONGEST or not text.isprintable() or ("/" not in text and base is None):
        return None

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name == "CLAUDE_PROJECT_DIR":
            return str(base or here.cwd)
        return str(here.home) if name == "HOME" else here.environ.get(name, match[0])

    text = _VARIABLE.sub(value, text.strip())
    if text == "~" or text.startswith("~/"):
        return here.home / text[2:]
    if text.startswith("/"):
        return Path(text)
    return base / text if base is not None and text and not text.startswith("~") else None


def _settings(file: Path) -> Any:
    """What a settings file says; None where it cannot be read."""
    try:
        real = file.resolve()
        if real.suffix != file.suffix:  # a link to something else, perhaps to a database in use
            return None
        fd = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(fd, "rb") as handle:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LIMIT:
                return None
            text = handle.read(LIMIT).decode("utf-8-sig", "replace")
        return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError, RuntimeError):
        return None


def _texts(said: Any, base: Path | None) -> Iterator[tuple[str, Path | None]]:
    """Every text that may be a path, and what it is relative to."""
    if not isinstance(said, dict):
        return
    folder = said.get("autoMemoryDirectory")
    if isinstance(folder, str):
        yield folder, base
    for key in ("mcpServers", "mcp_servers", "servers"):
        for server in _values(said.get(key)):
            yield from _of_server(server, base)
    for hooks in _values(said.get("hooks")):
        yield from ((word, base) for word in _of_hooks(hooks))
    projects = said.get("projects")
    if isinstance(projects, dict):
        for path, project in projects.items():
            if path.startswith("/") and isinstance(project, dict) and "projects" not in project:
                yield from _texts(project, Path(path))


def _of_server(server: Any, base: Path | None) -> Iterator[tuple[str, Path | None]]:
    if not isinstance(server, dict):
        return
    cwd = server.get("cwd")
    start = Path(cwd) if isinstance(cwd, str) and cwd.startswith("/") else base
    for text in (*_values(server.get("env")), *_list(server.get("args"))):
        if isinstance(text, str):
            yield text, start
            if text.startswith("-") and "=" in text:
                yield text.partition("=")[2], start


def _of_hooks(hooks: Any, depth: int = 0) -> Iterator[str]:
    """The words of the commands in a list of hooks, in either nesting."""
    for hook in _list(hooks):
        if not isinstance(hook, dict):
            continue
        command = hook.get("command")
        if isinstance(command, str) and len(command) <= 4 * _LONGEST:
            yield from _words(command)
        if depth == 0:
            yield from _of_hooks(hook.get("hooks"), 1)


def _words(command: str) -> Iterator[str]:
    """The words of a shell command, and the values of `--name=value`."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that does not end
        words = command.split()
    for word in words:
        yield word
        if "=" in word:
            yield word.partition("=")[2]


def _values(said: Any) -> list[Any]:
    return list(said.values()) if isinstance(said, dict) else []


def _list(said: Any) -> list[Any]:
    return said if isinstance(said, list) else []
