"""The bytes of a settings file with and without entries of memtui; nothing is read or written here (S-87)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from memtui.formats.insertions import wording
from memtui.formats.insertions.insertion import (
    Inserted,
    Insertion,
    Keys,
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
        return [each.found(whole) for each in entries.insertions]


def with_entries(path: Path, data: bytes | None, entries: Entries) -> tuple[bytes, Inserted]:
    """Return a file's bytes with entries that it does not have, and what was inserted.

    Raises Refused if that cannot be done without changing anything else.
    """
    with _Refusing(path, entries):
        syntax, text = SYNTAXES[entries.syntax], _text(path, data)
        whole = deepcopy(syntax.read(text))
        done = Inserted()
        for each in entries.insertions:
            if each.place(whole):
                raise Unfit
            one = syntax.insert(text, each)
            text = apply_pieces(text, one.pieces)
            done = Inserted(done.pieces + one.pieces, done.made + one.made)
            _put(whole, each)
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
            while place := each.place(whole):  # a client may have made several of an item
                if not each.in_list and not each.owns(value_at(whole, place)):
                    raise wording.not_ours(str(path), ".".join(each.path))
                text = syntax.remove(text, place, made)
                now = _read_back(syntax, text)
                if _pruned(now, place) != _dropped(whole, place):
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


def _put(whole: JsonObject, insertion: Insertion) -> None:
    *outer, last = insertion.path
    for key in outer:
        whole = whole.setdefault(key, {})
    if insertion.in_list:
        whole.setdefault(last, []).append(insertion.value)
    else:
        whole[last] = insertion.value


def _dropped(whole: JsonObject, path: Keys) -> JsonObject:
    """Return settings without what is at a path, pruned."""
    whole = deepcopy(whole)
    holder = value_at(whole, path[:-1])
    del holder[path[-1]]
    return _pruned(whole, path)


def _pruned(whole: JsonObject, path: Keys) -> JsonObject:
    """Return settings without those on a path that are empty: whether these stay is the syntax's to say."""
    whole = deepcopy(whole)
    levels: list[Json] = [whole]
    for key in path[:-1]:
        holder = levels[-1]
        if not (key in holder if isinstance(holder, dict) else isinstance(key, int) and key < len(holder)):
            break
        levels.append(holder[key])
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
