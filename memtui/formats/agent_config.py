"""Paths in the settings of agents: MCP servers, hooks, memory folders (S-3).

Settings are untrusted: bounded in size, never run, never written. Only paths that exist leave this module;
tokens and keys next to them do not.
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

from memtui.values import Json

LIMIT = 1 << 20  # bytes; a longer settings file is skipped
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
class PathContext:
    """What the paths in settings are relative to."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]

    def resolve(self, place: str) -> Path:
        """Return the path of a place below ~ or the working folder."""
        start, _, rest = place.partition("/")
        return (self.home if start == "~" else self.cwd) / rest


def named_paths(context: PathContext) -> Iterator[Path]:
    """Yield the existing paths in all settings files."""
    for place in FILES:
        file = context.resolve(place)
        base = context.cwd if place.startswith(".") else None
        yield from islice(_existing(_texts(_settings(file), base), context), _MOST)


def _existing(texts: Iterator[tuple[str, Path | None]], context: PathContext) -> Iterator[Path]:
    for text, base in texts:
        path = _path(text, base, context)
        with suppress(OSError, ValueError):
            if path is not None and path.exists():
                yield path


def _path(text: str, base: Path | None, context: PathContext) -> Path | None:
    """Return a text as a path, if it can be one; a relative path only if `base` is known."""
    if len(text) > _LONGEST or not text.isprintable() or ("/" not in text and base is None):
        return None

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name == "CLAUDE_PROJECT_DIR":
            return str(base or context.cwd)
        return str(context.home) if name == "HOME" else context.environ.get(name, match[0])

    text = _VARIABLE.sub(value, text.strip())
    if text == "~" or text.startswith("~/"):
        return context.home / text[2:]
    if text.startswith("/"):
        return Path(text)
    return base / text if base is not None and text and not text.startswith("~") else None


def _settings(file: Path) -> Json:
    """Return the content of a settings file; None if it cannot be read."""
    try:
        real = file.resolve()
        if real.suffix != file.suffix:  # a link to another kind of file, perhaps to a database in use
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


def _texts(settings: Json, base: Path | None) -> Iterator[tuple[str, Path | None]]:
    """Yield every text that may be a path, with the folder that it is relative to."""
    if not isinstance(settings, dict):
        return
    folder = settings.get("autoMemoryDirectory")
    if isinstance(folder, str):
        yield folder, base
    for key in ("mcpServers", "mcp_servers", "servers"):
        for server in _values(settings.get(key)):
            yield from _server_texts(server, base)
    for hooks in _values(settings.get("hooks")):
        yield from ((word, base) for word in _hook_words(hooks))
    projects = settings.get("projects")
    if isinstance(projects, dict):
        for path, project in projects.items():
            if path.startswith("/") and isinstance(project, dict) and "projects" not in project:
                yield from _texts(project, Path(path))


def _server_texts(server: Json, base: Path | None) -> Iterator[tuple[str, Path | None]]:
    if not isinstance(server, dict):
        return
    cwd = server.get("cwd")
    start = Path(cwd) if isinstance(cwd, str) and cwd.startswith("/") else base
    for text in (*_values(server.get("env")), *_list(server.get("args"))):
        if isinstance(text, str):
            yield text, start
            if text.startswith("-") and "=" in text:
                yield text.partition("=")[2], start


def _hook_words(hooks: Json, depth: int = 0) -> Iterator[str]:
    """Yield the words of the commands in a list of hooks, in either nesting."""
    for hook in _list(hooks):
        if not isinstance(hook, dict):
            continue
        command = hook.get("command")
        if isinstance(command, str) and len(command) <= 4 * _LONGEST:
            yield from _words(command)
        if depth == 0:
            yield from _hook_words(hook.get("hooks"), 1)


def _words(command: str) -> Iterator[str]:
    """Yield the words of a shell command, and the values of `--name=value`."""
    try:
        words = shlex.split(command)
    except ValueError:  # an unclosed quote
        words = command.split()
    for word in words:
        yield word
        if "=" in word:
            yield word.partition("=")[2]


def _values(data: Json) -> list[Json]:
    return list(data.values()) if isinstance(data, dict) else []


def _list(data: Json) -> list[Json]:
    return data if isinstance(data, list) else []
