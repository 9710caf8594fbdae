"""The bytes of a settings file with and without entries of memtui; nothing is read or written here (S-87)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from memtui.formats.insertions import wording
from memtui.formats.insertions.insertion import (
    Inserted,
    Insertion,
    Syntax,
    Unfit,
    Unparsable,
    Written,
    apply_pieces,
    take_out_pieces,
    value_at,
)
from memtui.formats.insertions.json_entry import JsonSyntax
from memtui.formats.insertions.toml_entry import TomlSyntax
from memtui.formats.media.files.digests import digest, digest_of
from memtui.values import Json, JsonObject

SYNTAXES: dict[str, Syntax] = {"json": JsonSyntax(), "toml": TomlSyntax()}


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries that one connection has in a file, which is written in one of SYNTAXES."""

    syntax: str
    insertions: tuple[Insertion, ...]


def found(path: Path, data: bytes | None, entries: Entries) -> list[Json]:
    """Return the value of each entry as the file has it, None where it has none.

    Raises Refused if the file cannot be read as settings.
    """
    with _Refusing(path, entries):
        whole = SYNTAXES[entries.syntax].read(_text(path, data))
        return [value_at(whole, each.path) for each in entries.insertions]


def with_entries(path: Path, data: bytes | None, entries: Entries) -> tuple[bytes, Inserted]:
    """Return a file's bytes with entries that it does not have, and what was inserted.

    Raises Refused if that cannot be done without changing anything else.
    """
    with _Refusing(path, entries):
        syntax, text = SYNTAXES[entries.syntax], _text(path, data)
        whole = deepcopy(syntax.read(text))
        done = Inserted()
        for each in entries.insertions:
            if value_at(whole, each.path) is not None:
                raise Unfit
            one = syntax.insert(text, each)
            text = apply_pieces(text, one.pieces)
            done = Inserted(done.pieces + one.pieces, done.made + one.made)
            _put(whole, each.path, each.value)
        if _read_back(syntax, text) != whole:
            raise Unfit
        return text.encode("utf-8"), done


def without_entries(path: Path, data: bytes, entries: Entries, written: Written | None) -> bytes | None:
    """Return a file's bytes without the entries that it has: exactly those that were there before if nobody
    wrote since, else with nothing else changed but separators. None: the file was made for them and goes.

    Raises Refused for an entry that memtui did not make, and if the rest cannot be kept as it is.
    """
    with _Refusing(path, entries):
        text = _text(path, data)
        if written is not None and digest(data) == written.after:
            before = take_out_pieces(text, written.inserted.pieces).encode("utf-8")
            if written.before is None and not before:
                return None
            if digest_of(before) == written.before:
                return before
        syntax = SYNTAXES[entries.syntax]
        made = written.inserted.made if written is not None else ()
        whole = syntax.read(text)
        for each in reversed(entries.insertions):
            there = value_at(whole, each.path)
            if there is None:
                continue
            if not each.owns(there):
                raise wording.not_ours(str(path), ".".join(each.path))
            text = syntax.remove(text, each.path, made)
            now = _read_back(syntax, text)
            if value_at(now, each.path) is not None or _drop(now, each.path) != _drop(whole, each.path):
                raise Unfit
            whole = now
        if written is not None and written.before is None and not text.strip("\ufeff \t\r\n"):
            return None
        return text.encode("utf-8")


def _read_back(syntax: Syntax, text: str) -> JsonObject:
    """Return what an edited text has; raise Unfit if it is none of the syntax any more."""
    try:
        return syntax.read(text)
    except Unparsable:
        raise Unfit from None


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise wording.not_utf8(str(path)) from None


def _put(whole: JsonObject, path: Sequence[str], value: JsonObject) -> None:
    for key in path[:-1]:
        whole = whole.setdefault(key, {})
    whole[path[-1]] = value


def _drop(whole: JsonObject, path: tuple[str, ...]) -> JsonObject:
    """Return nested objects without what is at a path, and without those on it that are empty then: whether
    these stay is the syntax's to say."""
    whole = deepcopy(whole)
    levels = [whole]
    for key in path[:-1]:
        if key not in levels[-1]:
            break
        levels.append(levels[-1][key])
    else:
        levels[-1].pop(path[-1], None)
    for depth in reversed(range(1, len(levels))):
        if not levels[depth]:
            del levels[depth - 1][path[depth - 1]]
    return whole


class _Refusing:
    """Turns what a syntax cannot read or edit into refusals that name the file."""

    def __init__(self, path: Path, entries: Entries) -> None:
        self.path = path
        self.name = ".".join(entries.insertions[0].path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Unparsable):
            raise wording.unparsable(str(self.path), error.line, error.column) from error
        if isinstance(error, Unfit):
            raise wording.unfit(str(self.path), self.name) from error
