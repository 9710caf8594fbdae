"""Rows of Base Coat's `memory_relations`: read, checked, added, changed and removed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import apsw

from memtui.formats.base_coat import wording
from memtui.formats.base_coat.schema import RELATION_COLUMNS, RELATION_KINDS, RELATIONS, text_of
from memtui.formats.contract.records import Link, Reading, clean
from memtui.formats.media.sqlite.block_scan import SIDE_UNIT
from memtui.formats.media.sqlite.connection import columns_of, row_of, rows_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.values import SqlRow, SqlValue

UNNAMED = "related"  # the kind that is shown for a relation without one


def has_table(connection: apsw.Connection) -> bool:
    """Return whether the file has a table of relations."""
    return set(columns_of(connection, RELATIONS)) >= RELATION_COLUMNS


def read(connection: apsw.Connection) -> Reading:
    """Return all relations, as links between ids."""
    out = Reading()
    if has_table(connection):
        columns = ["r.from_id", "r.to_id", "r.relation_type"]
        for source, target, kind in rows_of(connection, columns, f"FROM {RELATIONS} AS r ORDER BY 1, 2")[0]:
            ends = clean(text_of(source)), clean(text_of(target))
            out.links.append(Link(ends[0], kind_of(kind), ends[1], unit=SIDE_UNIT))
    return out


def check(connection: apsw.Connection, file: str, out: Reading) -> None:
    """Note relations that dangle, that lead from a memory to itself, and those of unknown kinds."""
    if not has_table(connection):
        return
    for end in ("from_id", "to_id"):
        dangling, _ = rows_of(
            connection,
            [f"r.{end}", "count(*)"],
            f"FROM {RELATIONS} AS r WHERE CAST(r.{end} AS TEXT) NOT IN"
            f" (SELECT CAST(id AS TEXT) FROM memories WHERE id IS NOT NULL) GROUP BY r.{end}",
        )
        for value, count in dangling:
            id = clean(text_of(value))
            text = wording.DANGLING.format(end=end.removesuffix("_id"), id=id, count=count)
            out.add_finding("dangling", file, text, "", id)
    kinds, _ = rows_of(connection, ["r.relation_type", "count(*)"], f"FROM {RELATIONS} AS r GROUP BY 1")
    for kind, count in kinds:
        if kind not in RELATION_KINDS:
            name = None if kind is None else clean(text_of(kind))
            text = wording.unknown_relations(name, count)
            out.add_finding("odd-relation", file, text, "", *([] if name is None else [name]))
    selves, _ = rows_of(connection, ["r.from_id"], f"FROM {RELATIONS} AS r WHERE r.from_id = r.to_id")
    for (value,) in selves:
        id = clean(text_of(value))
        out.add_finding("self-relation", file, wording.SELF_RELATION.format(id=id), "", id)


def kind_of(value: SqlValue) -> str:
    """Return a relation's kind as it is shown."""
    return clean(text_of(value)) or UNNAMED


def kinds_between(connection: apsw.Connection, source: SqlValue, target: SqlValue) -> list[SqlValue]:
    """Return the kinds of the relations from `source` to `target`: one at most, unless the table allows
    more."""
    rest = f"FROM {RELATIONS} AS r WHERE r.from_id = ? AND r.to_id = ?"
    return [kind for (kind,) in rows_of(connection, ["r.relation_type"], rest, (source, target))[0]]


def new_row(source: SqlValue, target: SqlValue, kind: str) -> RowEdit:
    """Return the edit that adds a relation."""
    ends = {"from_id": source, "to_id": target}
    return RowEdit(RELATIONS, ends, inserted={**ends, "relation_type": kind})


def relate(connection: apsw.Connection, link: Link) -> RowEdit:
    """Return the edit that adds a relation between two memories of the store. Raise Refused where it cannot
    be."""
    if link.kind not in RELATION_KINDS:
        raise wording.bad_kind(RELATION_KINDS)
    if link.source == link.target:
        raise wording.relation_to_itself()
    _require_table(connection)
    source, target = id_of(connection, link.source), id_of(connection, link.target)
    for kind in kinds_between(connection, source, target):
        raise wording.pair_taken(kind_of(kind), link.kind)
    return new_row(source, target, link.kind)


def unrelate(connection: apsw.Connection, link: Link) -> list[RowEdit]:
    """Return the edit that removes a relation's row. Raise Refused where there is none."""
    _require_table(connection)
    where = "CAST(from_id AS TEXT) = ? AND CAST(to_id AS TEXT) = ?"
    removals = [
        edit
        for edit in _removals(connection, where, (link.source, link.target))
        if edit.deleted is not None and kind_of(edit.deleted["relation_type"]) == link.kind
    ]
    if not removals:
        raise wording.relation_gone()
    return removals[:1]


def update(connection: apsw.Connection, old: Link, new: Link) -> list[RowEdit]:
    """Return the edits that give a relation another kind or the opposite direction; its other columns stay.
    Raise Refused where the pair is related so already."""
    removal = unrelate(connection, old)[0]
    row = dict(removal.deleted or {})
    kind = row["relation_type"] if new.kind == old.kind else new.kind
    if new.kind not in (old.kind, *RELATION_KINDS):
        raise wording.bad_kind(RELATION_KINDS)
    ends = {"from_id": row["from_id"], "to_id": row["to_id"]}
    if (new.source, new.target) == (old.target, old.source):
        ends = {"from_id": row["to_id"], "to_id": row["from_id"]}
        _require_unrelated(kinds_between(connection, *ends.values()), new.kind)
    elif new.kind != old.kind:
        existing = kinds_between(connection, *ends.values())
        _require_unrelated([each for each in existing if kind_of(each) == new.kind], new.kind)
        if len(removal.row) == len(ends) and not _has_kind_in_key(connection):
            guards = {"relation_type": (row["relation_type"], kind)}
            return [RowEdit(RELATIONS, removal.row, guards=guards)]
    # The columns that name the row change: it is deleted and inserted again.
    names = {name: row[name] for name in (*ends, "relation_type")}
    inserted = {**row, **ends, "relation_type": kind}
    insertion = RowEdit(RELATIONS, {name: inserted[name] for name in names}, inserted=inserted)
    return [replace(removal, row=names), insertion]


def contradict(connection: apsw.Connection, winner: SqlValue, loser: SqlValue) -> list[RowEdit]:
    """Return the edit that relates two ids as contradicting, from the winner to the loser, or back where that
    pair has another relation; none where they contradict each other already."""
    if not has_table(connection) or winner == loser:
        return []
    pairs = ((winner, loser), (loser, winner))
    existing = [kinds_between(connection, *pair) for pair in pairs]
    if any("contradicts" in kinds for kinds in existing):
        return []
    free = [pair for pair, kinds in zip(pairs, existing, strict=True) if not kinds]
    return [new_row(*pair, "contradicts") for pair in free[:1]]


def remove_all(connection: apsw.Connection, id: SqlValue) -> list[RowEdit]:
    """Return the edits that remove all relations from and to a memory."""
    if not has_table(connection):
        return []
    return list(_removals(connection, "from_id = ?1 OR to_id = ?1", (id,)))


def id_of(connection: apsw.Connection, anchor: str) -> SqlValue:
    """Return a memory's id as its column holds it. Raise Refused where there is no such memory."""
    id = find_id(connection, anchor)
    if id is None:
        raise wording.other_memory_missing()
    return id


def find_id(connection: apsw.Connection, anchor: str) -> SqlValue:
    """Return a memory's id as its column holds it; None where there is no such memory."""
    ids = [anchor, *([int(anchor)] if anchor.isdecimal() and len(anchor) < 19 else [])]
    sql = "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    found = connection.execute(sql, (json.dumps(ids),)).fetchone()
    return None if found is None else found[0]


def _removals(connection: apsw.Connection, where: str, bindings: SqlRow) -> Iterator[RowEdit]:
    """Yield the edits that remove the rows of relations, each with all its columns."""
    columns = ["r.from_id", "r.to_id", "r.relation_type"]
    rows, _ = rows_of(connection, columns, f"FROM {RELATIONS} AS r WHERE {where}", bindings)
    names = list(dict.fromkeys(rows))
    pairs = Counter(name[:2] for name in names)
    all_columns = columns_of(connection, RELATIONS)
    for name in names:
        row = dict(zip(("from_id", "to_id", "relation_type"), name, strict=True))
        found = row_of(connection, RELATIONS, row, all_columns)
        # In a table without a key, a row that is not unique is refused when it is written.
        if found is not None:
            ends = {"from_id": name[0], "to_id": name[1]}
            yield RowEdit(RELATIONS, row if pairs[name[:2]] > 1 else ends, deleted=found)


def _has_kind_in_key(connection: apsw.Connection) -> bool:
    """Return whether the kind is part of the table's key, so that a pair may have several relations."""
    info = connection.execute(f"PRAGMA table_info({RELATIONS})")
    return any(row[1] == "relation_type" and row[5] for row in info)


def _require_unrelated(existing: Sequence[SqlValue], wanted: str) -> None:
    """Raise Refused where relations of `existing` kinds are in the way of one of the kind `wanted`."""
    for kind in map(kind_of, existing):
        raise wording.already_related(kind, wanted)


def _require_table(connection: apsw.Connection) -> None:
    if not has_table(connection):
        raise wording.no_relations_table()
