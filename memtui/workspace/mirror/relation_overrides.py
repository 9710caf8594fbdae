"""What memtui keeps beside a relation that its store tells: what the format has no place for (SPEC 7, S-4).

A note hangs on the relation's kind and on the names of its ends in the store. While the store tells such a
relation, its row says what the note says; when it is told no more the note rests, and holds again if the
relation comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memtui.formats.contract.adapter import Adapter, Link
from memtui.memory.relations import SAYS
from memtui.workspace.db.database import Database

Note = Mapping[str, Any]
"""`source`, `kind` and `target`, and what is said: those of strength, context and body that are not empty.
One that says nothing tells that nothing is kept. In the journal, `ends` are uids of who bore the names."""

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
    rest = [(n, v) for n, v in zip(SAYS, said, strict=True) if n not in adapter.relation_says]
    filled = {name: value for name, value in rest if value not in (None, "")}
    return [_note(key, filled)] if filled else []


def all_of(db: Database, store_id: int) -> list[Note]:
    """The notes on all relations of a store."""
    rows = db.rows(
        "SELECT source, kind, target, strength, context, body FROM relation_overrides WHERE store_id = ?",
        (store_id,),
    )
    return [_note(row[:3], _said(row[3:])) for row in rows]


def at(db: Database, store_id: int, *keys: Key) -> list[Note]:
    """The notes on these relations."""
    found = []
    for key in dict.fromkeys(keys):
        sql = f"SELECT strength, context, body FROM relation_overrides WHERE {_KEY}"
        found += [_note(key, _said(row)) for row in db.rows(sql, (store_id, *key))]
    return found


def journaled(keys: Iterable[Key], notes: Iterable[Note], uids: Mapping[str, str]) -> list[Note]:
    """A note on each of these relations, as the journal has it; `uids` are of who bears the names."""
    by_key = {key_of(note): note for note in notes}
    return [
        {**by_key.get(key, _note(key, {})), "ends": [uids.get(key[0]), uids.get(key[2])]}
        for key in dict.fromkeys(keys)
    ]


def with_current_names(db: Database, store_id: int, notes: Iterable[Note]) -> list[Note]:
    """Notes of the journal, by the names of today: who bore a name that nobody bears now may have been
    given another one. What stands under its old names is meant as it is."""
    told = f"SELECT 1 FROM relations WHERE {_KEY} UNION ALL SELECT 1 FROM relation_overrides WHERE {_KEY}"
    out: list[Note] = []
    for note in notes:
        key = (store_id, *key_of(note))
        if db.one(told, (*key, *key)):
            out.append(note)
            continue
        names = (note["source"], note["target"])
        ends = zip(names, note.get("ends") or (None, None), strict=True)
        source, target = (_called(db, store_id, name, uid) for name, uid in ends)
        out.append({**note, "source": source, "target": target})
    return out


def _called(db: Database, store_id: int, name: str, uid: str | None) -> str:
    borne = "SELECT 1 FROM memories WHERE store_id = ? AND anchor = ? AND ref IS NOT NULL LIMIT 1"
    if uid is None or db.one(borne, (store_id, name)):
        return name
    return db.one("SELECT anchor FROM memories WHERE store_id = ? AND uid = ?", (store_id, uid)) or name


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
        db.run(f"DELETE FROM relation_overrides WHERE {_KEY}", key)
        if said := said_by(note):
            _say(db, key, {name: _EMPTY[name] for name in said})
    for note in come:
        key = (store_id, *key_of(note))
        said = said_by(note)
        if not said:
            continue
        db.run(
            "INSERT OR REPLACE INTO relation_overrides "
            "(store_id, source, kind, target, strength, context, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*key, *(_EMPTY | said).values()),
        )
        _say(db, key, said)


def _say(db: Database, key: tuple[Any, ...], said: Mapping[str, Any]) -> None:
    sets = ", ".join(f"{name} = ?" for name in said)
    db.run(f"UPDATE relations SET {sets} WHERE {_KEY}", (*said.values(), *key))


def why_not_again(db: Database, store_id: int, left: Sequence[Note], back: Sequence[Note]) -> str:
    """What was said since a change left the notes as `left`, where they are to be `back`."""
    was = {key_of(note): said_by(note) for note in left}
    now = {key_of(note): said_by(note) for note in at(db, store_id, *was, *map(key_of, back))}
    same = all(now.get(key, {}) == was.get(key, {}) for key in {*was, *now})
    return "" if same else "what memtui keeps of the relation was changed since."


def follow(db: Database, store_id: int, links: Iterable[Link], renamed: Mapping[str, str]) -> None:
    """Notes go along with relations whose ends are called otherwise from now on."""
    told = {(each.source, each.kind, each.target) for each in links} if renamed else set()
    for note in all_of(db, store_id) if renamed else ():
        source, kind, target = key_of(note)
        new = (renamed.get(source, source), kind, renamed.get(target, target))
        if (source, kind, target) not in told and new in told and not at(db, store_id, new):
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
