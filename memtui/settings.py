"""What a person sets in one TOML file; a wrong file or value never stops the program, it is told (S-82)."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from memtui.errors import Refused

THEMES = ("dark", "light", "contrast", "ansi")
RANKINGS = ("memtui", "seed")
READINGS = ("weekly", "daily")
LONGEST_LIFE = 36_500  # days


def _told(words: str) -> dict[str, str]:
    return {"help": words}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults; `help` in a field's metadata stands above it in the file."""

    theme: str = field(
        default="dark", metadata=_told("dark, light, contrast or ansi (the terminal's colours).")
    )
    editor: str = field(default="", metadata=_told("For E, before $VISUAL and $EDITOR; for instance: nano"))
    mouse: bool = field(default=True, metadata=_told("false leaves the mouse to the terminal."))
    model: str = field(
        default="",
        metadata=_told(
            'What searches by meaning: "" is the model that came with memtui, "off" searches by words only; '
            "or a folder with model.onnx and tokenizer.json, or the name of a model that fastembed can fetch."
        ),
    )
    ranking: str = field(
        default="memtui", metadata=_told("memtui, or seed: 0.45 words, 0.45 meaning, 0.10 recency.")
    )
    top_k: int = field(
        default=30, metadata=_told("How many candidates a search takes from words and from meaning each.")
    )
    recall_confidence: float = field(
        default=0.5,
        metadata=_told("How much confidence counts in what agents are given: 0 not at all, 1 fully."),
    )
    recall_recency: float = field(
        default=0.25, metadata=_told("How much it counts there that a memory is recent: 0 to 1.")
    )
    recall_reinforcement: float = field(
        default=0.25, metadata=_told("How much it counts there that a memory was used and confirmed: 0 to 1.")
    )
    projects: tuple[str, ...] = field(
        default=(),
        metadata=_told(
            'Tags that stand for projects, for what repeats across them in REFLECTION.md: ["shop", "blog"]'
        ),
    )
    founder_os_decay: str = field(
        default="weekly",
        metadata=_told("How Founder OS is read: −5 for each whole week unused beyond 30 days, or daily."),
    )
    half_lives: Mapping[str, float] = field(
        default_factory=dict,
        metadata=_told("Days in which half of a memory fades in memtui's own lifecycle, by category."),
    )
    keys: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict, metadata=_told('A command\'s keys: "P" or ["P", "f5"]; digits and esc stay.')
    )


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, where they stand, and what in the file was not taken."""

    settings: Settings
    path: Path
    troubles: tuple[str, ...] = ()


def settings_path() -> Path:
    """$MEMTUI_SETTINGS, else settings.toml in the user's folder for configuration."""
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
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        return Loaded(Settings(), path, (f"{path.name} was not read: {why}",))
    import tomllib

    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Loaded(Settings(), path, (f"{path.name} was not read: {error}",))
    settings, troubles = _read(given)
    lined = (f"{path.name}{_line(text, name)}: {trouble}" for name, trouble in troubles)
    return Loaded(settings, path, tuple(lined))


def _read(given: dict[str, Any]) -> tuple[Settings, list[tuple[str, str]]]:
    """The settings, and (name, trouble) for what was not taken."""
    taken: dict[str, Any] = {}
    troubles: list[tuple[str, str]] = []
    for name, value in given.items():
        if name in _TABLES and isinstance(value, dict):
            taken[name], wrong = _TABLES[name](value)
            troubles += wrong
        elif name not in _ALLOWED:
            troubles.append((name, f"there is no setting “{name}”."))
        elif _ALLOWED[name][1](value):
            taken[name] = tuple(value) if isinstance(value, list) else value
        else:
            troubles.append((name, f"{name} must be {_ALLOWED[name][0]}."))
    return Settings(**taken), troubles


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _share(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


# What each setting must be, in words and as a test.
_ALLOWED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "theme": (f"one of {', '.join(THEMES)}", lambda value: value in THEMES),
    "editor": ("a text", _text),
    "mouse": ("true or false", lambda value: isinstance(value, bool)),
    "model": ("a text", _text),
    "ranking": (f"one of {', '.join(RANKINGS)}", lambda value: value in RANKINGS),
    "top_k": ("a whole number from 1 to 1000", lambda value: type(value) is int and 1 <= value <= 1000),
    "recall_confidence": ("a number from 0 to 1", _share),
    "recall_recency": ("a number from 0 to 1", _share),
    "recall_reinforcement": ("a number from 0 to 1", _share),
    "projects": ("a list of tags", lambda value: isinstance(value, list) and all(map(_text, value))),
    "founder_os_decay": (f"one of {', '.join(READINGS)}", lambda value: value in READINGS),
    "half_lives": ("a table: [half_lives]", lambda value: False),
    "keys": ("a table: [keys]", lambda value: False),
}


def _half_lives(given: dict[str, Any]) -> tuple[dict[str, float], list[tuple[str, str]]]:
    """Days by category, in lower case."""
    taken: dict[str, float] = {}
    troubles: list[tuple[str, str]] = []
    for name, value in given.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= LONGEST_LIFE:
            taken[name.casefold()] = float(value)
        else:
            troubles.append((name, f"the half-life of {name} must be days, up to {LONGEST_LIFE:,}."))
    return taken, troubles


def _keys(
    given: dict[str, Any], prefix: str = ""
) -> tuple[dict[str, tuple[str, ...]], list[tuple[str, str]]]:
    """Command ids and their keys; memory.pin = "P" without quotes is a table within the table."""
    keys: dict[str, tuple[str, ...]] = {}
    troubles: list[tuple[str, str]] = []
    for part, value in given.items():
        name = prefix + part
        if isinstance(value, dict) and not prefix:
            inner, wrong = _keys(value, f"{name}.")
            keys |= inner
            troubles += wrong
            continue
        each = [value] if isinstance(value, str) else value
        if isinstance(each, list) and each and all(isinstance(key, str) and key for key in each):
            keys[name] = tuple(dict.fromkeys(each))
        else:
            troubles.append((part, f'keys of {name} must be "KEY" or ["KEY", …].'))
    return keys, troubles


_TABLES: dict[str, Callable[[dict[str, Any]], tuple[Any, list[tuple[str, str]]]]] = {
    "keys": _keys,
    "half_lives": _half_lives,
}
# What stands in a settings file under the name of a table.
_EXAMPLES = {"keys": '# "memory.pin" = "P"', "half_lives": "# preference = 180"}


def _line(text: str, name: str) -> str:
    """, line 3, where the name begins a line."""
    found = re.search(rf"""^[ \t]*\[?[ \t]*["']?{re.escape(name)}\b""", text, re.MULTILINE)
    return f", line {text.count(chr(10), 0, found.start()) + 1}" if found else ""


def defaults_text() -> str:
    """A settings file that changes nothing, with each field's help."""
    lines = ["# Settings of memtui. What is not said here has its default.", ""]
    for one in fields(Settings):
        words = f"# {one.metadata['help']}"
        if one.name in _EXAMPLES:
            lines += [f"[{one.name}]", words, _EXAMPLES[one.name], ""]
            continue
        value = one.default
        shown = f'"{value}"' if isinstance(value, str) else "[]" if value == () else str(value).lower()
        lines += [words, f"{one.name} = {shown}", ""]
    return "\n".join(lines).rstrip() + "\n"


def save(path: Path, values: Mapping[str, Any]) -> Settings:
    """Set these in the file, made if there is none; all else in it stays, comments too. What it then says.
    Raises Refused where it cannot be read or written."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = path.resolve()  # where a link leads to
    if not path.exists():
        write_defaults(path)
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        text = path.read_bytes().decode()
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        document = tomlkit.parse(text.removeprefix(mark))
        for name, value in values.items():
            if isinstance(value, dict):
                _set_table(document, name, value)
            else:
                document[name] = value
        _replace(path, (mark + tomlkit.dumps(document)).encode())
    except (OSError, UnicodeError, TOMLKitError, TypeError, AttributeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no settings file that can be changed"
        raise Refused("write", f"{path} could not be written: {why}.", "It was left as it is.") from None
    return load(path).settings


def _set_table(document: Any, name: str, values: Mapping[str, Any]) -> None:
    """Set keys of a table, in place of those that differ in case alone."""
    import tomlkit

    if name not in document:
        document[name] = tomlkit.table()
    table = document[name]
    for key, value in values.items():
        for other in [each for each in table if each != key and each.casefold() == key.casefold()]:
            del table[other]
        table[key] = value


def _replace(path: Path, data: bytes) -> None:
    """The whole file or nothing, with the rights that it has."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, path.stat().st_mode & 0o777)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_defaults(path: Path) -> Path:
    """Create the file for its owner alone; one that is there stays as it is."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refused("there", f"{path} is there already; it was left as it is.") from None
    except OSError as error:
        raise Refused("write", f"{path} could not be written: {error.strerror}.") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(defaults_text())
    return path
