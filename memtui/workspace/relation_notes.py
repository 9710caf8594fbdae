"""What memtui keeps beside a relation that its store tells: what the format has no place for (SPEC 7, S-4).

A note hangs on the relation's kind and on the names of its ends in the store. While the store tells such a
relation, its row says what the note says; when it is told no more the note rests, and holds again if the
relation comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memtui.formats.base import Adapter, Link
from memtui.memory.ties import SAYS
from memtui.workspace.database import Database

Note = Mapping[str, Any]
"""`source`, `kind` and `target`, and what is said: those of strength, context and body that are not empty."""

Said = tuple[float | None, str, str]
Key = tuple[str, str, str]
NAMES = {"strength": "strength", "context": "why", "body": "text"}  # to a person
_EMPTY: dict[str, Any] = {"strength": None, "context": "", "body": ""}
_KEY = "store_id = ? AND source = ? AND kind = ? AND target = ?"


def own(adapter: Adapter, said: Said) -> Said:
    """What of it the store itself can say."""
    can = adapter.relation_says
    strength, context, body = said
    return (
        strength if "strength" in can else None,
        context if "context" in can else "",
        body if "body" in can else "",
    )


def beside(adapter: Adapter, key: Key, said: Said) -> list[Note]:
    """The note for the rest; none where there is no rest."""
    rest = {
        name: value
        for name, value in zip(SAYS, said, strict=True)
        if name not in adapter.relation_says and value not in (None, "")
    }
    return [_note(key, rest)] if rest else []


def all_of(db: Database, store_id: int) -> list[Note]:
    """The notes on all relations of a store."""
    rows = db.rows(
        "SELECT source, kind, target, strength, context, body FROM relation_notes WHERE store_id = ?",
        (store_id,),
    )
    return [_note(row[:3], _said(row[3:])) for row in rows]


def at(db: Database, store_id: int, *keys: Key) -> list[Note]:
    """The notes on these relations."""
    found = []
    for key in dict.fromkeys(keys):
        sql = f"SELECT strength, context, body FROM relation_notes WHERE {_KEY}"
        found += [_note(key, _said(row)) for row in db.rows(sql, (store_id, *key))]
    return found


def over(db: Database, store_id: int, links: Iterable[Link]) -> list[Link]:
    """Relations as their store tells them, with what is kept beside them."""
    notes = {key_of(note): said_by(note) for note in all_of(db, store_id)}
    if not notes:
        return list(links)
    return [replace(each, **notes.get((each.source, each.kind, each.target), {})) for each in links]


def put(db: Database, store_id: int, gone: Sequence[Note], come: Sequence[Note]) -> None:
    """These notes go, those come; relations that stand say so at once."""
    for note in gone:
        key = (store_id, *key_of(note))
        db.run(f"DELETE FROM relation_notes WHERE {_KEY}", key)
        _say(db, key, {name: _EMPTY[name] for name in SAYS if name in note})
    for note in come:
        key = (store_id, *key_of(note))
        said = said_by(note)
        db.run(
            "INSERT OR REPLACE INTO relation_notes "
            "(store_id, source, kind, target, strength, context, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*key, *(_EMPTY | said).values()),
        )
        _say(db, key, said)


def _say(db: Database, key: tuple[Any, ...], said: Mapping[str, Any]) -> None:
    sets = ", ".join(f"{name} = ?" for name in said)
    db.run(f"UPDATE relations SET {sets} WHERE {_KEY}", (*said.values(), *key))


def why_not_again(db: Database, store_id: int, left: Sequence[Note], back: Sequence[Note]) -> str:
    """What was said since a change left the notes as `left`, where they are to be `back`."""
    keys = {key_of(note) for note in (*left, *back)}
    now = {key_of(note): note for note in at(db, store_id, *keys)}
    if now != {key_of(note): note for note in left}:
        return "what memtui keeps of the relation was changed since."
    return ""


def follow(db: Database, store_id: int, links: Iterable[Link], renamed: Mapping[str, str]) -> None:
    """Notes go along with relations whose ends are called otherwise from now on."""
    told = {(each.source, each.kind, each.target) for each in links} if renamed else set()
    for note in all_of(db, store_id) if renamed else ():
        source, kind, target = key_of(note)
        new = (renamed.get(source, source), kind, renamed.get(target, target))
        if (source, kind, target) not in told and new in told:
            put(db, store_id, [note], [_note(new, said_by(note))])


def key_of(note: Note) -> Key:
    """The relation that a note is on."""
    return note["source"], note["kind"], note["target"]


def said_by(note: Note) -> dict[str, Any]:
    """What a note says, by field."""
    return {name: note[name] for name in SAYS if name in note}


def words(notes: Iterable[Note]) -> str:
    """What these notes say, by name: "strength, why"."""
    said = {name for note in notes for name in SAYS if name in note}
    return ", ".join(name for field, name in NAMES.items() if field in said)


def _note(key: Key, said: Mapping[str, Any]) -> Note:
    return {"source": key[0], "kind": key[1], "target": key[2], **said}


def _said(row: Sequence[Any]) -> dict[str, Any]:
    return {n: value for n, value in zip(SAYS, row, strict=True) if value not in (None, "")}
