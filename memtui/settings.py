"""The settings, in one TOML file: a wrong file or value is reported and never stops the program (S-82)."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from memtui import wording
from memtui.values import Fields, Json, JsonObject

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

THEMES = ("dark", "light", "contrast", "ansi")
RANKINGS = ("memtui", "seed")
READINGS = ("weekly", "daily")
MAX_HALF_LIFE = 36_500  # days


def _help(text: str) -> dict[str, str]:
    return {"help": text}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults; `help` in a field's metadata is its comment in the file."""

    theme: str = field(
        default="dark", metadata=_help("dark, light, contrast or ansi (the terminal's colors).")
    )
    editor: str = field(
        default="", metadata=_help("Editor that E opens, instead of $VISUAL or $EDITOR; for example nano.")
    )
    mouse: bool = field(default=True, metadata=_help("Use the mouse; false leaves it to the terminal."))
    model: str = field(
        default="",
        metadata=_help(
            'Model for semantic search: "" for the one shipped with memtui, "off" for none, '
            "a folder with model.onnx and tokenizer.json, or the name of a model fastembed can download."
        ),
    )
    ranking: str = field(
        default="memtui",
        metadata=_help(
            "Search ranking: memtui or seed; seed weights text 0.45, meaning 0.45 and recency 0.10."
        ),
    )
    top_k: int = field(
        default=30,
        metadata=_help("How many text matches, and how many semantic matches, a search ranks."),
    )
    recall_confidence: float = field(
        default=0.5,
        metadata=_help("How much confidence counts when agents recall memories: 0 not at all, 1 fully."),
    )
    recall_recency: float = field(
        default=0.25, metadata=_help("How much recency counts when agents recall memories: 0 to 1.")
    )
    recall_reinforcement: float = field(
        default=0.25,
        metadata=_help("How much use and confirmation count when agents recall memories: 0 to 1."),
    )
    projects: tuple[str, ...] = field(
        default=(),
        metadata=_help(
            'Project tags; REFLECTION.md lists what repeats across projects. Example: ["shop", "blog"]'
        ),
    )
    founder_os_decay: str = field(
        default="weekly",
        metadata=_help(
            "weekly or daily: Founder OS memories lose 5 points for each full week or "
            "day unused beyond 30 days."
        ),
    )
    half_lives: Mapping[str, float] = field(
        default_factory=dict,
        metadata=_help("Half-lives in days by category, for memtui's own lifecycle."),
    )
    keys: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict,
        metadata=_help('Keys for a command: "P" or ["P", "f5"]; digits and esc can\'t be changed.'),
    )


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, the path of their file, and what was wrong in it."""

    settings: Settings
    path: Path
    problems: tuple[str, ...] = ()


def settings_path() -> Path:
    """Return $MEMTUI_SETTINGS, else settings.toml in the user's configuration folder."""
    if named := os.environ.get("MEMTUI_SETTINGS"):
        return Path(named).expanduser().absolute()
    from platformdirs import user_config_path

    return user_config_path("memtui", appauthor=False) / "settings.toml"


def load(path: Path | None = None) -> Loaded:
    """Read the file if there is one; what cannot be read keeps its default."""
    path = path or settings_path()
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return Loaded(Settings(), path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else wording.NOT_UTF_8
        return Loaded(Settings(), path, (wording.not_read(path.name, reason),))
    import tomllib

    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Loaded(Settings(), path, (wording.not_read(path.name, error),))
    settings, problems = _read(values)
    located = (f"{path.name}{_line(text, name)}: {problem}" for name, problem in problems)
    return Loaded(settings, path, tuple(located))


Problems = list[tuple[str, str]]
"""Pairs of a setting's name and what is wrong with its value."""


def _read(values: JsonObject) -> tuple[Settings, Problems]:
    """Return the settings, and what was wrong."""
    accepted: Fields = {}
    problems: Problems = []
    for name, value in values.items():
        if name in _TABLES and isinstance(value, dict):
            accepted[name], wrong = _TABLES[name](value)
            problems += wrong
        elif name not in _ALLOWED:
            problems.append((name, wording.unknown_setting(name)))
        elif _ALLOWED[name][1](value):
            accepted[name] = tuple(value) if isinstance(value, list) else value
        else:
            problems.append((name, wording.bad_setting(name, _ALLOWED[name][0])))
    return Settings(**accepted), problems


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_share(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


# What each setting must be, as text and as a test.
_ALLOWED: dict[str, tuple[str, Callable[[Json], bool]]] = {
    "theme": (wording.choice_of(THEMES), lambda value: value in THEMES),
    "editor": (wording.TEXT, _is_text),
    "mouse": (wording.TRUE_OR_FALSE, lambda value: isinstance(value, bool)),
    "model": (wording.TEXT, _is_text),
    "ranking": (wording.choice_of(RANKINGS), lambda value: value in RANKINGS),
    "top_k": (wording.TOP_K, lambda value: type(value) is int and 1 <= value <= 1000),
    "recall_confidence": (wording.SHARE, _is_share),
    "recall_recency": (wording.SHARE, _is_share),
    "recall_reinforcement": (wording.SHARE, _is_share),
    "projects": (wording.LIST_OF_TAGS, lambda value: isinstance(value, list) and all(map(_is_text, value))),
    "founder_os_decay": (wording.choice_of(READINGS), lambda value: value in READINGS),
    "half_lives": (wording.table("half_lives"), lambda value: False),
    "keys": (wording.table("keys"), lambda value: False),
}


def _half_lives(values: JsonObject) -> tuple[dict[str, float], Problems]:
    """Return days by category, in lower case."""
    half_lives: dict[str, float] = {}
    problems: Problems = []
    for name, value in values.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MAX_HALF_LIFE:
            half_lives[name.casefold()] = float(value)
        else:
            problems.append((name, wording.bad_half_life(name, MAX_HALF_LIFE)))
    return half_lives, problems


def _keys(values: JsonObject, prefix: str = "") -> tuple[dict[str, tuple[str, ...]], Problems]:
    """Return keys by command id; memory.pin = "P" without quotes is a table within the table."""
    keys: dict[str, tuple[str, ...]] = {}
    problems: Problems = []
    for part, value in values.items():
        name = prefix + part
        if isinstance(value, dict) and not prefix:
            inner, wrong = _keys(value, f"{name}.")
            keys |= inner
            problems += wrong
            continue
        given = [value] if isinstance(value, str) else value
        if isinstance(given, list) and given and all(isinstance(key, str) and key for key in given):
            keys[name] = tuple(dict.fromkeys(given))
        else:
            problems.append((part, wording.bad_keys(name)))
    return keys, problems


_TABLES: dict[str, Callable[[JsonObject], tuple[JsonObject, Problems]]] = {
    "keys": _keys,
    "half_lives": _half_lives,
}
# The comment under the name of a table in a new settings file.
_EXAMPLES = {"keys": '# "memory.pin" = "P"', "half_lives": "# preference = 180"}


def _line(text: str, name: str) -> str:
    """Return ", line 3", if the name begins a line."""
    found = re.search(rf"""^[ \t]*\[?[ \t]*["']?{re.escape(name)}\b""", text, re.MULTILINE)
    return wording.line(text.count("\n", 0, found.start()) + 1) if found else ""


def defaults_text() -> str:
    """Return a settings file that changes nothing, with the help of each field."""
    lines = [wording.DEFAULTS_HEADER, ""]
    for each in fields(Settings):
        comment = f"# {each.metadata['help']}"
        if each.name in _EXAMPLES:
            lines += [f"[{each.name}]", comment, _EXAMPLES[each.name], ""]
            continue
        value = each.default
        literal = f'"{value}"' if isinstance(value, str) else "[]" if value == () else str(value).lower()
        lines += [comment, f"{each.name} = {literal}", ""]
    return "\n".join(lines).rstrip() + "\n"


def save(path: Path, values: Mapping[str, Json]) -> Settings:
    """Set values in the file and return its settings; everything else in it stays, comments included.

    The file is created if there is none. Raise Refused if it cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = path.resolve()  # the target of a link
    if not path.exists():
        write_defaults(path)
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        text = path.read_bytes().decode()
        bom = "\ufeff" if text.startswith("\ufeff") else ""
        document = tomlkit.parse(text.removeprefix(bom))
        for name, value in values.items():
            if isinstance(value, dict):
                _set_table(document, name, value)
            else:
                document[name] = value
        _replace(path, (bom + tomlkit.dumps(document)).encode())
    except (OSError, UnicodeError, TOMLKitError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else wording.NOT_EDITABLE
        raise wording.not_written(path, reason, wording.NOT_CHANGED) from None
    return load(path).settings


def _set_table(document: TOMLDocument, name: str, values: Mapping[str, Json]) -> None:
    """Set keys of a table, replacing those that differ only in case."""
    import tomlkit

    if name not in document:
        document[name] = tomlkit.table()
    table: Json = document[name]
    for key, value in values.items():
        for other in [each for each in table if each != key and each.casefold() == key.casefold()]:
            del table[other]
        table[key] = value


def _replace(path: Path, data: bytes) -> None:
    """Replace the file atomically, keeping its permissions."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, path.stat().st_mode & 0o777)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_defaults(path: Path) -> Path:
    """Create the file, readable by its owner only; raise Refused if it exists or cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise wording.file_exists(path) from None
    except OSError as error:
        raise wording.not_written(path, error.strerror) from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(defaults_text())
    return path
