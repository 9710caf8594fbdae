"""The settings, in one TOML file: a wrong file or value is reported and never stops the program (S-82)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from stat import S_ISREG

from memtui import wording
from memtui.values import Fields, Json, JsonObject

THEMES = ("dark", "light", "contrast", "ansi")
RANKINGS = ("memtui", "seed")
READINGS = ("weekly", "daily")
PERSONAL_DATA = ("keep", "flag")
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
    two_lines: bool = field(
        default=False, metadata=_help("Give each memory in Browse a second line, for long texts.")
    )
    model: str = field(
        default="",
        metadata=_help(
            'Model for semantic search: "" for the one shipped with memtui, "off" for none, '
            "a folder with model.onnx and tokenizer.json, or the name of a model fastembed can download."
        ),
    )
    tokenizer: str = field(
        default="",
        metadata=_help(
            'What exports count tokens with: "" for the tokenizer shipped with memtui, '
            "or a tokenizer.json file of another."
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
    recall_contradicted: float = field(
        default=0.3,
        metadata=_help("How much an open contradiction counts against a memory when agents recall: 0 to 1."),
    )
    personal_data: str = field(
        default="keep",
        metadata=_help(
            "E-mail addresses and phone numbers: keep, or flag to treat them as secrets "
            "(masked, listed in the Inbox, redacted with B)."
        ),
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
        path = Path(named)
        with suppress(RuntimeError, OSError):  # no such user: what reads or writes the file says so
            path = path.expanduser().absolute()
        return path
    from platformdirs import user_config_path

    return user_config_path("memtui", appauthor=False) / "settings.toml"


def load(path: Path | None = None) -> Loaded:
    """Read the file if there is one; what cannot be read keeps its default."""
    path = path or settings_path()
    try:
        text = _read_text(path)
        values = _parse(text)
    except FileNotFoundError:
        return Loaded(Settings(), path)
    except OSError as error:
        return Loaded(Settings(), path, (wording.not_read(path.name, error.strerror),))
    except _Unreadable as error:
        return Loaded(Settings(), path, (wording.not_read(path.name, error),))
    settings, problems = _read(values)
    located = (f"{path.name}{_line(text, name)}: {problem}" for name, problem in problems)
    return Loaded(settings, path, tuple(located))


class _Unreadable(Exception):
    """Why nothing in the file can be used."""


def _read_text(path: Path) -> str:
    try:
        target = path.expanduser()
        if not S_ISREG(target.stat().st_mode):  # reading a pipe might never end
            raise _Unreadable(wording.NOT_A_FILE)
        return target.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Unreadable(wording.NOT_UTF_8) from None
    except RuntimeError:
        raise _Unreadable(wording.NO_SUCH_USER) from None


def _parse(text: str) -> JsonObject:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _Unreadable(error) from None
    except ValueError:  # Python's limit on digits
        raise _Unreadable(wording.NUMBER_TOO_LONG) from None


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
    "two_lines": (wording.TRUE_OR_FALSE, lambda value: isinstance(value, bool)),
    "model": (wording.TEXT, _is_text),
    "tokenizer": (wording.TEXT, _is_text),
    "ranking": (wording.choice_of(RANKINGS), lambda value: value in RANKINGS),
    "top_k": (wording.TOP_K, lambda value: type(value) is int and 1 <= value <= 1000),
    "recall_confidence": (wording.SHARE, _is_share),
    "recall_recency": (wording.SHARE, _is_share),
    "recall_reinforcement": (wording.SHARE, _is_share),
    "recall_contradicted": (wording.SHARE, _is_share),
    "personal_data": (wording.choice_of(PERSONAL_DATA), lambda value: value in PERSONAL_DATA),
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
