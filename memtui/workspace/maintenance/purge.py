"""Purging: a memory leaves its store, then its text is erased from all that memtui keeps (S-50).

The store comes first, as a unit like any other: if the process dies in between, the memory stands
nowhere but here, and a second purge erases the rest.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from memtui.errors import Conflict, NotErased, Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter, How, Record, Write
from memtui.memory.contradictions.pairs import EXACT
from memtui.memory.relations import SAYS
from memtui.memory.results import PurgeResult
from memtui.memory.stores import Backup
from memtui.text import counted, plural
from memtui.workspace.changes import change_item, outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.db.models import COLUMNS
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import VERDICT, unbody
from memtui.workspace.maintenance.purge_matching import RUN, Traces, without
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import backups, catalog

# The fields that say what a memory says; the rest sorts it.
_SAYS = ("content", "title", "note", "value", "source_excerpt")
_SAYS_MORE = ("steps", "preconditions", "postconditions", "key_facts")
_IDS = "SELECT value FROM json_each(?)"
_ITEMS = "SELECT id FROM journal_items WHERE memory_id IN (SELECT value FROM json_each(?))"
_EMPTY = (
    "ref = NULL, anchor = '', place = '', digest = '', unit = '', kept = '{}', moved = NULL, hash = NULL, "
    f"removed_at = coalesce(removed_at, ?), {', '.join(f'{name} = ?' for name in COLUMNS)}"
)
# What verdicts, their undos and redos did to it and to the other memories.
_SETTLED = (
    "WITH RECURSIVE settled (id) AS (SELECT j.id FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    f"WHERE j.kind = 'resolved' AND i.memory_id IN ({_IDS}) "
    "UNION SELECT j.id FROM journal j JOIN settled s ON j.undoes = s.id) "
    "SELECT i.id, i.memory_id, b.before, b.after FROM journal_items i JOIN bodies b ON b.item_id = i.id "
    "WHERE i.journal_id IN (SELECT id FROM settled) AND (b.before IS NOT NULL OR b.after IS NOT NULL)"
)
_NOTHING = memory_rows.columns_of({}, {})
_SHORT, _CHUNK, _LINES = 12, 40, 4  # of what is looked for in backups: characters, lines of a text


def purge(ctx: Context, ids: Sequence[int]) -> PurgeResult:
    """Erase memories for good; Refused, with nothing erased, where a store cannot be written."""
    ctx.writable()
    found = memory_rows.held(ctx.db, ids)
    if not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was erased.")
    _settled(ctx, found)
    pieces = _pieces(ctx, found)
    said = {held.id: _said(ctx, held) for held in found}
    stays = _stays(ctx, [held.id for held in found])
    done = outbox.run(ctx, "purged", _summary(pieces), pieces)
    if not done.good:
        refusal = done.pieces[0].refused
        assert refusal is not None
        raise refusal
    if done.unsettled:
        raise _half(done, done.unsettled)
    gone = [piece.memory_id for piece in done.good]
    ctx.on_step("before erasing")
    notes = [
        f"{piece.held.memory.uid} was left as it is: {piece.refused.message}"
        for piece in done.pieces
        if piece.refused is not None and piece.held is not None
    ]
    notes += [*_left_elsewhere(ctx, gone, done.good), *stays]
    texts, beside = ([text for id in gone for text in said[id][which]] for which in (0, 1))
    try:
        with in_words(ctx.path):
            notes += _erase(ctx, gone, texts, beside)
    except (Refused, OSError) as trouble:
        raise _half(done, unwritable(trouble)) from trouble
    ctx.on_step("after erasing")
    notes += _wipe(ctx, gone)
    return PurgeResult(len(gone), _summary(done.good), _holding(ctx, texts), tuple(notes))


def _half(done: change_item.Done, why: str) -> Refused:
    """The stores have it no more, and the workspace still does."""
    names = ", ".join(dict.fromkeys(p.store.name for p in done.good if p.plan is not None))
    first = f"Erased from {names}, but not" if names else "Not erased"
    hint = "Purge it again to finish." if names else "Nothing was erased. Purge it again."
    return Refused("half" if names else "io", f"{first} from memtui: {why}.", hint)


def holding(ctx: Context, ids: Sequence[int]) -> tuple[Backup, ...]:
    """The backups that hold the text of these memories, as it is or as it was."""
    return _holding(ctx, [text for held in memory_rows.held(ctx.db, ids) for text in _said(ctx, held)[0]])


def _settled(ctx: Context, found: Sequence[MirrorRow]) -> None:
    ids = json.dumps([held.id for held in found])
    if ctx.db.one(
        f"SELECT 1 FROM outbox WHERE state IN ('intended', 'waiting') AND item_id IN ({_ITEMS}) LIMIT 1",
        (ids,),
    ):
        raise Refused("busy", "Another memtui is changing it just now.", "Nothing was erased. Try again.")


# -- out of the store


def _pieces(ctx: Context, found: Sequence[MirrorRow]) -> list[ChangeItem]:
    stores = store_rows.by_id(ctx.db)
    groups: dict[int, list[MirrorRow]] = {}
    for held in found:
        groups.setdefault(held.store_id, []).append(held)
    return [piece for id, group in groups.items() for piece in _of_store(ctx, stores[id], group)]


def _of_store(ctx: Context, store: StoreRow, group: Sequence[MirrorRow]) -> list[ChangeItem]:
    """The pieces of one store: what stands in it is planned out of it, the rest is ours alone."""
    adapter, there = _look(ctx, store, group)
    pieces: list[ChangeItem] = []
    for held in group:
        piece = ChangeItem(held, store, {"here": held.removed_at is None}, {"here": False}, adapter=adapter)
        if adapter is None or held.memory.ref not in there:
            if adapter is not None and held.memory.ref and held.removed_at is None:
                raise _changed(ctx, store)
            piece.adapter, piece.ours = None, {"here": False}
        pieces.append(piece)
    leaving = [piece for piece in pieces if piece.adapter is not None]
    if adapter is None or not leaving:
        return pieces
    try:
        answers = adapter.plan([_write(ctx, adapter, piece.held) for piece in leaving if piece.held])
    except OSError as trouble:
        raise Refused("io", f"Not erased: {trouble.strerror}.", "Nothing was erased.") from trouble
    for piece, answer in zip(leaving, answers, strict=True):
        if isinstance(answer, Conflict):
            raise _changed(ctx, store, answer)
        if isinstance(answer, Refused):
            raise answer
        piece.plan = replace(answer, ref_after=None)
    return pieces


def _changed(ctx: Context, store: StoreRow, conflict: Conflict | None = None) -> Refused:
    """Nothing is purged that nobody read; what the store says now is taken in at once."""
    ctx.stale.add(store.id)
    yours, theirs = (conflict.yours, conflict.theirs) if conflict is not None else ({}, {})
    return NotErased(f"it changed in {store.name} since it was read.", yours, theirs)


def _look(
    ctx: Context, store: StoreRow, group: Sequence[MirrorRow]
) -> tuple[Adapter | None, Mapping[str, Record]]:
    """The store's adapter, and which of the memories stand in it; Refused where that may not be."""
    refs = [held.memory.ref for held in group if held.memory.ref]
    stand = any(held.memory.ref and held.removed_at is None for held in group)
    if store.format == NATIVE:
        _may_write(catalog.locked(store))
    if store.format == NATIVE or not refs:
        return None, {}
    if store.detached_at is not None:
        try:
            there = registry.by_name(store.format)(Path(store.path)).read_refs(refs)
        except Refused as refusal:
            if refusal.code != "missing":
                raise
            there = {}
        except (FileNotFoundError, NotADirectoryError):
            there = {}
        except OSError as trouble:
            raise Refused(
                "io", f"{store.name} cannot be read: {trouble.strerror}.", "Nothing was erased."
            ) from trouble
        if not there:
            return None, {}
        raise Refused(
            "detached",
            f"{store.name} is detached, and its memories still stand in {store.path}.",
            "Nothing was erased. Attach it again first.",
        )
    try:
        adapter = ctx.adapter(store)
        assert adapter is not None
        there = adapter.read_refs(refs)
        _may_write((catalog.locked(store) or adapter.locked()) if there else "")
    except Refused as refusal:
        if stand or refusal.code != "missing":
            raise
        return None, {}
    except OSError as trouble:
        raise Refused("io", f"{store.name} cannot be read: {trouble.strerror}.") from trouble
    return adapter, there


def _may_write(why_not: str) -> None:
    if why_not:
        raise Refused("read-only", f"Not erased: {why_not}", "Nothing was erased.")


def _write(ctx: Context, adapter: Adapter, held: MirrorRow) -> Write:
    """Out of the store: as a dismissal where that takes it out, else its row is deleted."""
    names = (adapter.fields & {"content", "title"}) - held.kept.keys()
    seen = {name: getattr(held.memory, name) for name in names}
    if adapter.supports("dismiss").how is How.MOVED:
        return Write("dismiss", held.memory.ref, {"status": "dismissed"}, seen, ctx.clock())
    return Write("delete", held.memory.ref, {}, seen, ctx.clock())


def _summary(pieces: Sequence[ChangeItem]) -> str:
    noun = plural(len(pieces), "memory")
    names = ", ".join(dict.fromkeys(piece.store.name for piece in pieces))
    return f"Purged {len(pieces):,} {noun} of {names}"


# -- out of the workspace


def _said(ctx: Context, held: MirrorRow) -> tuple[list[str], list[str]]:
    """All that a memory says, and said as far as the journal knows; and what only stood beside that in
    its store and is no sentence (an author, a time), as many memories have it."""
    rows = ctx.db.rows(
        f"SELECT before, after FROM bodies WHERE item_id IN ({_ITEMS})", (json.dumps([held.id]),)
    )
    said = [{name: getattr(held.memory, name) for name in (*_SAYS, *_SAYS_MORE, "extra")}]
    said += [unbody(body) for row in rows for body in row]
    texts = [text for fields in said for name in (*_SAYS, *_SAYS_MORE) for text in _plain(fields.get(name))]
    extra = [text for fields in said for text in _plain(fields.get("extra"))]
    texts += [text for text in extra if len(text.split()) >= RUN]
    texts = list(dict.fromkeys(text for text in texts if text.strip()))
    return texts, [text for text in dict.fromkeys(extra) if text.strip() and text not in texts]


def _plain(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [text for each in value for text in _plain(each)] if isinstance(value, (list, tuple)) else []


def _erase(ctx: Context, gone: Sequence[int], texts: Sequence[str], beside: Sequence[str]) -> list[str]:
    """The text goes from every table, in one transaction; the journal's digests stay. Notes of what
    else went."""
    db, ids = ctx.db, json.dumps(list(gone))
    db.run("PRAGMA secure_delete=ON")
    with db.atomic():
        traces = Traces(texts, lambda words: _said_by_nobody_else(ctx, words, ids), beside)
        stores = json.dumps(
            [
                row[0]
                for row in db.rows(f"SELECT DISTINCT store_id FROM memories WHERE id IN ({_IDS})", (ids,))
            ]
        )
        rows = db.rows(
            f"SELECT store_id, ref, anchor, place, unit FROM memories WHERE id IN ({_IDS})", (ids,)
        )
        db.run(f"UPDATE bodies SET before = NULL, after = NULL WHERE item_id IN ({_ITEMS})", (ids,))
        db.run(f"UPDATE outbox SET plan = NULL WHERE item_id IN ({_ITEMS})", (ids,))
        db.run(f"UPDATE item_states SET why = '' WHERE why <> '' AND item_id IN ({_ITEMS})", (ids,))
        db.run(f"UPDATE memories SET {_EMPTY} WHERE id IN ({_IDS})", (ctx.clock(), *_NOTHING, ids))
        _erase_ties(ctx, ids, traces)
        _erase_notes(ctx, {(row[0], row[2]) for row in rows if row[2]}, traces)
        _erase_pairs(ctx, ids, traces)
        _erase_verdicts(ctx, ids)
        others = _erase_beside(ctx, ids, stores, traces)
        for store_id, ref, anchor, place, unit in rows:
            _erase_names(ctx, store_id, anchor, unit)
            _erase_findings(ctx, store_id, {ref, place}, traces)
        told = f"SELECT id, words FROM side_records WHERE store_id IN ({_IDS})"
        quoting = [(id,) for id, said in db.rows(told, (stores,)) if traces.in_words(said)]
        db.run_many("DELETE FROM side_records WHERE id = ?", quoting)
        asked = [(id,) for id, text in db.rows("SELECT id, text FROM recall_log") if traces.in_words(text)]
        db.run_many("DELETE FROM recall_log WHERE id = ?", asked)
        db.run("INSERT INTO words (words) VALUES ('optimize')")  # what was deleted long ago goes, too
    if not others:
        return []
    noun = "change of another memory" if others == 1 else "changes of other memories"
    return [f"{others:,} {noun} said it too and cannot be undone any more."]


def _said_by_nobody_else(ctx: Context, words: Iterable[str], ids: str) -> set[str]:
    found = f"SELECT 1 FROM words WHERE words MATCH ? AND rowid NOT IN ({_IDS}) LIMIT 1"
    return {word for word in words if ctx.db.one(found, (f'"{word}"', ids)) is None}


def _erase_ties(ctx: Context, ids: str, traces: Traces) -> None:
    """Relations that memtui keeps: those to what is erased go, of the others words that say it."""
    gone = {row[0] for row in ctx.db.rows(f"SELECT uid FROM memories WHERE id IN ({_IDS})", (ids,))}
    for id, text in ctx.db.rows("SELECT id, ties FROM memories WHERE ties <> '[]'"):
        for tie in json.loads(text):
            if tie["to"] in gone:
                memory_rows.tie(ctx.db, id, tie, None)
            elif said := {n for n in ("context", "body") if traces.in_words(str(tie.get(n) or ""))}:
                memory_rows.tie(ctx.db, id, tie, {n: v for n, v in tie.items() if n not in said})


def _erase_notes(ctx: Context, named: set[tuple[int, str]], traces: Traces) -> None:
    """What memtui keeps beside relations: of those whose end nobody bears the name of any more it goes, of
    the others words that say it."""
    stands = "SELECT 1 FROM memories WHERE store_id = ? AND anchor = ? AND ref IS NOT NULL LIMIT 1"
    gone = {each for each in named if ctx.db.one(stands, each) is None}
    for (store_id,) in ctx.db.rows("SELECT DISTINCT store_id FROM relation_overrides"):
        for note in relation_overrides.all_of(ctx.db, store_id):
            said = {n for n in ("context", "body") if traces.in_words(str(note.get(n) or ""))}
            if (store_id, note["source"]) in gone or (store_id, note["target"]) in gone:
                relation_overrides.put(ctx.db, store_id, [note], [])
            elif said:
                rest = {name: value for name, value in note.items() if name not in said}
                relation_overrides.put(ctx.db, store_id, [note], [rest] if rest.keys() & set(SAYS) else [])


def _erase_pairs(ctx: Context, ids: str, traces: Traces) -> None:
    """What was found of it beside another memory goes, with what was said of the two; of other notes
    those that say it."""
    db = ctx.db
    for one, other in (("a", "b"), ("b", "a")):  # what only said the same as it looks for another one
        db.run(
            f"INSERT OR REPLACE INTO scan_queue (memory_id) SELECT {other} FROM pairs "
            f"WHERE {one} IN ({_IDS}) AND kind = ? AND is_current",
            (ids, EXACT),
        )
    for table in ("pairs", "verdicts"):
        db.run(f"DELETE FROM {table} WHERE a IN ({_IDS}) OR b IN ({_IDS})", (ids, ids))
    for table in ("scan_queue", "scanned"):
        db.run(f"DELETE FROM {table} WHERE memory_id IN ({_IDS})", (ids,))
    noted = [(id,) for id, note in db.rows("SELECT id, note FROM verdicts WHERE note <> ''")
             if traces.in_words(note)]  # fmt: skip
    db.run_many("UPDATE verdicts SET note = '' WHERE id = ?", noted)


def _erase_verdicts(ctx: Context, ids: str) -> None:
    """Of verdicts on it that stand with the other memory, the journal keeps no word."""
    db = ctx.db
    named = " OR ".join(f"json_extract({side}, '$.verdict.b') IN ({_IDS})" for side in ("before", "after"))
    for item, *sides in db.rows(f"SELECT item_id, before, after FROM bodies WHERE {named}", (ids, ids)):
        db.run("UPDATE bodies SET before = ?, after = ? WHERE item_id = ?", (*map(_wordless, sides), item))
        plan = db.one("SELECT plan FROM outbox WHERE item_id = ?", (item,))
        if plan is not None:
            told = json.loads(plan)
            told["ours"] = json.loads(_wordless(json.dumps(told.get("ours", {}))) or "{}")
            db.run("UPDATE outbox SET plan = ? WHERE item_id = ?", (json.dumps(told), item))


def _wordless(body: str | None) -> str | None:
    """Fields as kept, with a verdict among them that quotes nobody."""
    fields = json.loads(body) if body is not None else {}
    if not fields.get(VERDICT):
        return body
    return json.dumps(fields | {VERDICT: fields[VERDICT] | {"note": "", "topic": "", "subject": ""}})


def _erase_beside(ctx: Context, ids: str, stores: str, traces: Traces) -> int:
    """What was kept of changes to other memories of these stores, where it holds the text: contexts
    lose it; what says all of it goes, and cannot be undone any more. How many such changes.

    By a verdict a memory of any store may have taken its words (a merge): there, a part is enough."""
    db = ctx.db
    plans: list[tuple[str | None, int]] = []
    bodies: set[int] = set()

    def own(memory_id: int) -> set[str]:
        """What another memory goes on saying in its row: what was kept of its changes may say it, too."""
        return traces.whole_in([asdict(held.memory) for held in memory_rows.held(db, [memory_id])])

    def quotes(memory_id: int, said: Sequence[Any]) -> bool:
        now = [asdict(held.memory) for held in memory_rows.held(db, [memory_id])]
        return traces.in_value(said) and not traces.in_value(now)

    for item, memory_id, before, after in db.rows(_SETTLED, (ids,)):
        if quotes(memory_id, [list(unbody(body).values()) for body in (before, after)]):
            bodies.add(item)
            plans.append((None, item))

    for item, memory_id, text in db.rows(
        "SELECT o.item_id, i.memory_id, o.plan FROM outbox o JOIN journal_items i ON i.id = o.item_id "
        f"WHERE o.plan IS NOT NULL AND o.store_id IN ({_IDS})",
        (stores,),
    ):
        plan = json.loads(text)
        kept = without(plan, traces, partial(own, memory_id))
        if kept is None:
            bodies.add(item)
            plans.append((None, item))
        elif kept != plan:
            plans.append((json.dumps(kept), item))
    for item, memory_id, before, after in db.rows(
        "SELECT b.item_id, i.memory_id, b.before, b.after FROM bodies b "
        "JOIN journal_items i ON i.id = b.item_id "
        f"WHERE (b.before IS NOT NULL OR b.after IS NOT NULL) AND i.store_id IN ({_IDS})",
        (stores,),
    ):
        whole = traces.whole_in([list(unbody(body).values()) for body in (before, after)])
        if whole and whole - own(memory_id):
            bodies.add(item)
    quoting = [
        (item,)
        for item, why in db.rows(
            "SELECT s.item_id, s.why FROM item_states s JOIN journal_items i ON i.id = s.item_id "
            f"WHERE s.why <> '' AND i.store_id IN ({_IDS})",
            (stores,),
        )
        if traces.in_words(why)
    ]
    db.run_many("UPDATE outbox SET plan = ? WHERE item_id = ?", plans)
    db.run_many(
        "UPDATE bodies SET before = NULL, after = NULL WHERE item_id = ?", [(item,) for item in bodies]
    )
    db.run_many("UPDATE item_states SET why = '' WHERE item_id = ?", quoting)
    return len(bodies)


def _erase_names(ctx: Context, store_id: int, anchor: str, unit: str) -> None:
    """Relations that the memory alone told, and the unit that it alone stood in."""
    for table, column, name, of in (
        ("relations", "source", anchor, "anchor"),
        ("side_records", "about", anchor, "anchor"),
        ("units", "name", unit, "unit"),
    ):
        shared = ctx.db.one(
            f"SELECT 1 FROM memories WHERE store_id = ? AND {of} = ? LIMIT 1", (store_id, name)
        )
        if name and not shared:
            ctx.db.run(f"DELETE FROM {table} WHERE store_id = ? AND {column} = ?", (store_id, name))


def _erase_findings(ctx: Context, store_id: int, names: set[str | None], traces: Traces) -> None:
    store = store_rows.get(ctx.db, store_id)
    findings = json.loads(store.findings)
    kept = [each for each in findings if each[1] not in names and not traces.in_words(f"{each[1]} {each[2]}")]
    error = "" if traces.in_words(store.error) else store.error
    ctx.db.run("UPDATE stores SET findings = ?, error = ? WHERE id = ?", (json.dumps(kept), error, store_id))


def _wipe(ctx: Context, gone: Sequence[int]) -> list[str]:
    """Leave no unused page and no frame of the log that holds what was erased; where another memtui
    is in the way, say where it may still lie.

    The empty rows go last: they are what a second purge is told to finish."""
    file = ctx.path.name
    try:
        with in_words(ctx.path):
            ctx.db.run("VACUUM")
            busy = ctx.db.one("PRAGMA wal_checkpoint(TRUNCATE)")
            ctx.on_step("after wiping")
            ctx.db.run(f"DELETE FROM memories WHERE id IN ({_IDS})", (json.dumps(list(gone)),))
    except (Refused, OSError) as trouble:
        busy = isinstance(trouble, Refused) and trouble.code == "busy"
        why = "another memtui is writing to it" if busy else unwritable(trouble)
        return [f"The text may still lie in unused parts of {file}: {why}. Purge it again to finish."]
    if busy:
        return [
            f"Another memtui is reading the workspace: the text may lie in {file} and {file}-wal until "
            "all of them are closed."
        ]
    return []


def _stays(ctx: Context, ids: Sequence[int]) -> list[str]:
    """What stands beside these memories in their stores, and is not theirs to take along."""
    rows = ctx.db.rows(
        "SELECT s.name, group_concat(DISTINCT a.kind), count(DISTINCT a.id) FROM memories m "
        "JOIN side_records a ON a.store_id = m.store_id AND a.via = '' AND a.about = m.anchor "
        f"JOIN stores s ON s.id = m.store_id WHERE m.anchor <> '' AND m.id IN ({_IDS}) GROUP BY s.id",
        (json.dumps(list(ids)),),
    )
    return [
        f"{counted(count, 'record')} beside it in {name} "
        f"({kinds.replace(',', ', ')}) may stay there and hold its text."
        for name, kinds, count in rows
    ]


def _left_elsewhere(ctx: Context, gone: Sequence[int], pieces: Sequence[ChangeItem]) -> list[str]:
    """What a purge does not reach, in sentences."""
    ids, notes = json.dumps(list(gone)), []
    same = ctx.db.one(
        f"SELECT count(*) FROM memories WHERE id NOT IN ({_IDS}) AND trim(content) <> '' "
        f"AND content IN (SELECT content FROM memories WHERE id IN ({_IDS}))",
        (ids, ids),
    )
    if same:
        others = counted(same, "other memory says", "other memories say")
        notes.append(f"{others} the same; nothing was changed there.")
    files = {
        piece.adapter.root.name
        for piece in pieces
        if piece.adapter is not None and piece.adapter.supports("dismiss").how is not How.MOVED
    }
    for store in {piece.store.id: piece.store for piece in pieces}.values():
        if store.format != NATIVE and not Path(store.path).exists():
            notes.append(f"{store.path} is not there now; if it comes back it may still hold the text.")
        elif store.detached_at is not None:
            notes.append(f"{store.path} is detached; under another name it may still hold the text.")
    notes += [
        f"{file} belongs to another program: unused parts of it may hold the text until that tidies it up."
        for file in sorted(files)
    ]
    return notes


# -- which backups still hold it


def _holding(ctx: Context, texts: Sequence[str]) -> tuple[Backup, ...]:
    """Those in which every telling line of one of the texts is found: what many memories say alike
    (a heading, a "because") is no sign of this one."""
    wanted = [lines for text in texts if (lines := _needles(text))]
    return tuple(each for each in backups.listed(ctx) if wanted and _holds(Path(each.path), wanted))


def _needles(text: str) -> list[list[bytes]]:
    """The longest lines of a text; of each some parts, in every spelling that a copy may hold them
    in. Parts, since a database may store a text in two places."""
    lines = sorted({line.strip() for line in text.splitlines() if line.strip()}, key=len, reverse=True)
    telling = [line for line in lines if len(line) >= _SHORT][:_LINES] or lines[:1]
    return [[each for part in _parts(line) for each in _spelled(part)] for line in telling]


def _parts(line: str) -> list[str]:
    middle = len(line) // 2
    if len(line) > _CHUNK:
        return [line[:_CHUNK], line[middle : middle + _CHUNK], line[-_CHUNK:]]
    return [line[:middle], line[middle:]] if len(line) >= 2 * _SHORT else [line]


def _spelled(part: str) -> list[bytes]:
    escaped = {part, json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]}
    out = [each.encode("utf-8", "surrogatepass") for each in sorted(escaped)]
    return [*out, part.encode("utf-16-le", "surrogatepass")]


def _holds(copy: Path, wanted: Sequence[list[list[bytes]]]) -> bool:
    """Whether a closed copy of ours holds all lines of one of these."""
    try:
        with copy.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(all(any(data.find(part) >= 0 for part in line) for line in lines) for lines in wanted)
    except (FileNotFoundError, ValueError):  # deleted just now; empty
        return False
