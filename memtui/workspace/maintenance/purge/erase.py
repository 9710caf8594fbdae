"""Erasing purged texts from every table of the workspace, and from the unused parts of its file.

Conditions over the purged memories are raw SQL with `json_each`, one statement for all: a bulk purge has
thousands. They are built into queries of the models; only INSERT … SELECT and commands of SQLite and of the
full-text index are raw as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from peewee import SQL, fn

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import EXACT
from memtui.memory.relations import VALUE_FIELDS
from memtui.values import SqlRow
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import Database, translate_errors, unwritable
from memtui.workspace.db.models import (
    COLUMNS,
    ItemBody,
    ItemState,
    Memory,
    OutboxEntry,
    Pair,
    Recall,
    Relation,
    Scanned,
    ScanQueue,
    SecretFound,
    SecretQueue,
    SideRecord,
    Store,
    Unit,
    Verdict,
)
from memtui.workspace.maintenance.purge import other_changes, wording
from memtui.workspace.maintenance.purge.matching import TextMatcher
from memtui.workspace.mirror import memory_rows, relation_overrides

_LISTED = "(SELECT value FROM json_each(?))"
_ITEMS = f"(SELECT id FROM journal_items WHERE memory_id IN {_LISTED})"
_EMPTY = {
    **{"ref": None, "anchor": "", "place": "", "digest": "", "unit": "", "kept": "{}"},
    **{"moved": None, "hash": None},
    **dict(zip(COLUMNS, memory_rows.columns_of({}, {}), strict=True)),
}


def erase(ctx: Context, purged: Sequence[int], texts: Sequence[str], incidental: Sequence[str]) -> int:
    """Erase the texts from every table in one transaction; the journal keeps its digests.

    Return how many changes of other memories contained them too and cannot be undone any more.
    """
    db, ids = ctx.db, json.dumps(list(purged))
    db.run("PRAGMA secure_delete=ON")
    with db.atomic():
        matcher = TextMatcher(texts, lambda words: _unique_words(db, words, set(purged)), incidental)
        rows = db.rows(
            f"SELECT store_id, ref, anchor, place, unit FROM memories WHERE id IN {_LISTED}", (ids,)
        )
        stores = json.dumps(list(dict.fromkeys(row[0] for row in rows)))
        _erase_memories(ctx, ids)
        _erase_local_relations(db, ids, matcher)
        _erase_overrides(db, {(row[0], row[2]) for row in rows if row[2]}, matcher)
        _erase_pairs(db, ids, matcher)
        other_changes.redact_verdicts(db, ids)
        others = other_changes.erase(db, ids, stores, matcher)
        _erase_names(db, rows)
        _erase_findings(db, rows, matcher)
        _erase_side_records(db, stores, matcher)
        _erase_recalls(db, matcher)
        db.run("INSERT INTO words (words) VALUES ('optimize')")  # drops what was deleted earlier
    return others


def _unique_words(db: Database, words: Iterable[str], purged: Collection[int]) -> set[str]:
    """Return the words that no other memory contains."""
    unique = set()
    for word in words:  # read up to the first other memory, so that common words cost no more than rare ones
        found = db.connection().execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{word}"',))
        if all(id in purged for (id,) in found):
            unique.add(word)
    return unique


def _erase_memories(ctx: Context, ids: str) -> None:
    """Empty the rows, and erase the bodies, plans and reasons of their journal items."""
    db, items = ctx.db, SQL(_ITEMS, (ids,))
    db.write(ItemBody.update(before=None, after=None).where(ItemBody.item_id.in_(items)))
    db.write(OutboxEntry.update(plan=None).where(OutboxEntry.item_id.in_(items)))
    db.write(ItemState.update(why="").where((ItemState.why != "") & ItemState.item_id.in_(items)))
    removed_at = fn.COALESCE(Memory.removed_at, ctx.clock())
    db.write(Memory.update({**_EMPTY, "removed_at": removed_at}).where(Memory.id.in_(SQL(_LISTED, (ids,)))))


def _erase_local_relations(db: Database, ids: str, matcher: TextMatcher) -> None:
    """Delete memtui's own relations to purged memories, and from others the values that quote a text."""
    gone = {row[0] for row in db.rows(f"SELECT uid FROM memories WHERE id IN {_LISTED}", (ids,))}
    for id, text in db.rows("SELECT id, ties FROM memories WHERE ties <> '[]'"):
        for relation in json.loads(text):
            quoting = {n for n in ("context", "body") if matcher.quoted_in(str(relation.get(n) or ""))}
            if relation["to"] in gone:
                memory_rows.swap_local_relation(db, id, relation, None)
            elif quoting:
                rest = {name: value for name, value in relation.items() if name not in quoting}
                memory_rows.swap_local_relation(db, id, relation, rest)


def _erase_overrides(db: Database, purged: set[tuple[int, str]], matcher: TextMatcher) -> None:
    """Delete overrides of relations to a name that no memory has any more, and from others the values that
    quote a text; `purged` are (store id, name)."""
    named = "SELECT 1 FROM memories WHERE store_id = ? AND anchor = ? AND ref IS NOT NULL LIMIT 1"
    gone = {each for each in purged if db.one(named, each) is None}
    for (store_id,) in db.rows("SELECT DISTINCT store_id FROM relation_overrides"):
        for override in relation_overrides.of_store(db, store_id):
            quoting = {n for n in ("context", "body") if matcher.quoted_in(str(override.get(n) or ""))}
            if (store_id, override["source"]) in gone or (store_id, override["target"]) in gone:
                relation_overrides.swap(db, store_id, [override], [])
            elif quoting:
                rest = {name: value for name, value in override.items() if name not in quoting}
                kept = [rest] if rest.keys() & set(VALUE_FIELDS) else []
                relation_overrides.swap(db, store_id, [override], kept)


def _erase_pairs(db: Database, ids: str, matcher: TextMatcher) -> None:
    """Delete the pairs and verdicts with purged memories, and from other verdicts notes that quote a text."""
    listed = SQL(_LISTED, (ids,))
    for purged, other in (("a", "b"), ("b", "a")):
        # The other memory of an exact duplicate is compared again: it may have another one.
        db.run(
            f"INSERT OR REPLACE INTO scan_queue (memory_id) SELECT {other} FROM pairs "
            f"WHERE {purged} IN {_LISTED} AND kind = ? AND is_current",
            (ids, EXACT),
        )
    for paired in (Pair, Verdict):
        db.write(paired.delete().where(paired.a.in_(listed) | paired.b.in_(listed)))
    for scanned in (ScanQueue, Scanned, SecretQueue, SecretFound):
        db.write(scanned.delete().where(scanned.memory_id.in_(listed)))
    noted = db.rows("SELECT id, note FROM verdicts WHERE note <> ''")
    db.update_many(Verdict, ("note",), ("id",), [("", id) for id, note in noted if matcher.quoted_in(note)])


def _erase_names(db: Database, rows: Sequence[SqlRow]) -> None:
    """Delete the relations, side records and units of names that no memory has any more."""
    gone: dict[str, list[tuple[int, str]]] = {"anchor": [], "unit": []}
    for store_id, _, anchor, _, unit in rows:
        for column, name in (("anchor", anchor), ("unit", unit)):
            shared = f"SELECT 1 FROM memories WHERE store_id = ? AND {column} = ? LIMIT 1"
            if name and not db.one(shared, (store_id, name)):
                gone[column].append((store_id, name))
    db.delete_many(Relation, ("store_id", "source"), gone["anchor"])
    db.delete_many(SideRecord, ("store_id", "about"), gone["anchor"])
    db.delete_many(Unit, ("store_id", "name"), gone["unit"])


def _erase_findings(db: Database, rows: Sequence[SqlRow], matcher: TextMatcher) -> None:
    """Delete the stores' findings and errors that are about purged memories or quote a text."""
    places: dict[int, set[str | None]] = {}
    for store_id, ref, _, place, _ in rows:
        places.setdefault(store_id, set()).update((ref, place))
    for store_id, of_purged in places.items():
        store = store_rows.get(db, store_id)
        findings = [
            [code, place, text]
            for code, place, text in json.loads(store.findings)
            if place not in of_purged and not matcher.quoted_in(f"{place} {text}")
        ]
        values = {"findings": json.dumps(findings)}
        if matcher.quoted_in(store.error):
            values |= {"error": "", "error_code": ""}
        db.write(Store.update(values).where(Store.id == store_id))


def _erase_side_records(db: Database, stores: str, matcher: TextMatcher) -> None:
    rows = db.rows(f"SELECT id, words FROM side_records WHERE store_id IN {_LISTED}", (stores,))
    db.delete_many(SideRecord, ("id",), [(id,) for id, text in rows if matcher.quoted_in(text)])


def _erase_recalls(db: Database, matcher: TextMatcher) -> None:
    rows = db.rows("SELECT id, text FROM recall_log")
    db.delete_many(Recall, ("id",), [(id,) for id, text in rows if matcher.quoted_in(text)])


def wipe(ctx: Context, purged: Sequence[int], what_then: str = wording.PURGE_AGAIN) -> list[str]:
    """Leave no unused page and no frame of the log with an erased text; return notes where another memtui
    prevents that, and `what_then` where it fails.

    The empty rows are deleted last, since a second purge needs them to finish.
    """
    file = ctx.path.name
    try:
        with translate_errors(ctx.path):
            ctx.db.run("VACUUM")
            busy = ctx.db.one("PRAGMA wal_checkpoint(TRUNCATE)")
            ctx.on_step("after wiping")
            listed = SQL(_LISTED, (json.dumps(list(purged)),))
            ctx.db.write(Memory.delete().where(Memory.id.in_(listed)))
    except (Refused, OSError) as error:
        is_busy = isinstance(error, Refused) and error.code == "busy"
        reason = wording.OTHER_PROCESS_WRITES if is_busy else unwritable(error)
        return [wording.unused_parts(file, reason, what_then)]
    return [wording.workspace_open_elsewhere(file)] if busy else []
