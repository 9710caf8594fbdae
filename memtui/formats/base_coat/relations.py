"""Base Coat's `memory_relations`: how they read, and how they are made and taken away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.base_coat.schema import ENDS, KINDS, RELATIONS, text_of
from memtui.formats.contract.adapter import Link, Reading, clean
from memtui.formats.media.sqlite.block_scan import BESIDE
from memtui.formats.media.sqlite.connection import columns_of, row_of, rows_of
from memtui.formats.media.sqlite.store import RowEdit

UNNAMED = "related"  # the kind of a relation whose store names none


def there(connection: apsw.Connection) -> bool:
    """Whether the file has a table of relations."""
    return set(columns_of(connection, RELATIONS)) >= ENDS


def read(connection: apsw.Connection) -> Reading:
    """All relations, as links between ids."""
    out = Reading()
    if there(connection):
        columns = ["r.from_id", "r.to_id", "r.relation_type"]
        for source, target, kind in rows_of(connection, columns, f"FROM {RELATIONS} AS r ORDER BY 1, 2")[0]:
            ends = clean(text_of(source)), clean(text_of(target))
            out.links.append(Link(ends[0], kind_of(kind), ends[1], unit=BESIDE))
    return out


def look_around(connection: apsw.Connection, file: str, out: Reading) -> None:
    """Note relations that lead nowhere, to themselves, or say what Base Coat does not know."""
    if not there(connection):
        return
    for end in ("from_id", "to_id"):
        lost, _ = rows_of(
            connection,
            [f"r.{end}", "count(*)"],
            f"FROM {RELATIONS} AS r WHERE CAST(r.{end} AS TEXT) NOT IN"
            f" (SELECT CAST(id AS TEXT) FROM memories WHERE id IS NOT NULL) GROUP BY r.{end}",
        )
        for id, count in lost:
            said = clean(text_of(id))
            out.odd(
                "dangling", file, f"Relations {end[:-3]} a memory that is gone ({said}): {count}.", "", said
            )
    kinds, _ = rows_of(connection, ["r.relation_type", "count(*)"], f"FROM {RELATIONS} AS r GROUP BY 1")
    for kind, count in kinds:
        if kind not in KINDS:
            name = "" if kind is None else clean(text_of(kind))
            said = "without a kind" if kind is None else f"of the kind “{name}”"
            words = f"Relations {said}, which Base Coat does not know: {count}."
            out.odd("odd-relation", file, words, "", *([] if kind is None else [name]))
    selves, _ = rows_of(connection, ["r.from_id"], f"FROM {RELATIONS} AS r WHERE r.from_id = r.to_id")
    for (id,) in selves:
        name = clean(text_of(id))
        out.odd("self-relation", file, f"A relation leads from a memory to itself ({name}).", "", name)


def kind_of(value: Any) -> str:
    """A relation's kind as it is shown."""
    return clean(text_of(value)) or UNNAMED


def standing(connection: apsw.Connection, source: Any, target: Any) -> list[Any]:
    """The kinds that stand for an ordered pair: one, but for tables that let there be more."""
    rest = f"FROM {RELATIONS} AS r WHERE r.from_id = ? AND r.to_id = ?"
    return [kind for (kind,) in rows_of(connection, ["r.relation_type"], rest, (source, target))[0]]


def made(source: Any, target: Any, kind: str) -> RowEdit:
    """The row of a new relation."""
    ends = {"from_id": source, "to_id": target}
    return RowEdit(RELATIONS, ends, made={**ends, "relation_type": kind})


def related(connection: apsw.Connection, link: Link) -> RowEdit:
    """A relation between two memories that are there, in one direction. Raises Refused."""
    if link.kind not in KINDS:
        raise Refused("kind", f"Invalid relation: must be one of {', '.join(KINDS)}", "Nothing was changed.")
    if link.source == link.target:
        raise NotSaved("self", "a memory cannot be related to itself.")
    _must_be_there(connection)
    source, target = id_of(connection, link.source), id_of(connection, link.target)
    for kind in standing(connection, source, target):
        raise NotSaved(
            "exists",
            f"it “{kind_of(kind)}” that memory already, and Base Coat keeps one relation a pair.",
            "Take that relation away first." if kind != link.kind else "Nothing was changed.",
            kind=kind_of(kind),
        )
    return made(source, target, link.kind)


def unrelated(connection: apsw.Connection, link: Link) -> list[RowEdit]:
    """The relation's row goes. Raises Refused."""
    _must_be_there(connection)
    gone = [
        edit
        for edit in _rows(
            connection, "CAST(from_id AS TEXT) = ? AND CAST(to_id AS TEXT) = ?", (link.source, link.target)
        )
        if edit.lost is not None and kind_of(edit.lost["relation_type"]) == link.kind
    ]
    if not gone:
        raise NotSaved("gone", "the relation is no longer in the store.", "Nothing was changed.")
    return gone[:1]


def retied(connection: apsw.Connection, was: Link, link: Link) -> list[RowEdit]:
    """The relation's row says another kind, or leads the other way; its other columns stay. Raises
    Refused."""
    gone = unrelated(connection, was)[0]
    lost = dict(gone.lost or {})
    kind = lost["relation_type"] if link.kind == was.kind else link.kind
    if link.kind not in (was.kind, *KINDS):
        raise Refused("kind", f"Invalid relation: must be one of {', '.join(KINDS)}", "Nothing was changed.")
    ends = {"from_id": lost["from_id"], "to_id": lost["to_id"]}
    if (link.source, link.target) == (was.target, was.source):
        ends = {"from_id": lost["to_id"], "to_id": lost["from_id"]}
        _must_be_free(standing(connection, *ends.values()), link.kind)
    elif link.kind != was.kind:
        there = [each for each in standing(connection, *ends.values()) if kind_of(each) == link.kind]
        _must_be_free(there, link.kind)
        if len(gone.row) == len(ends) and not _is_named_by_kind(connection):
            return [RowEdit(RELATIONS, gone.row, guards={"relation_type": (lost["relation_type"], kind)})]
    # A row whose very name changes is found again under the new one.
    names = {name: lost[name] for name in (*ends, "relation_type")}
    made = {**lost, **ends, "relation_type": kind}
    return [replace(gone, row=names), RowEdit(RELATIONS, {name: made[name] for name in names}, made=made)]


def contradicted(connection: apsw.Connection, winner: Any, loser: Any) -> list[RowEdit]:
    """What says that the one contradicts the other, unless it stands there already: from the winner to
    the loser, or back where that pair says something else."""
    if not there(connection) or winner == loser:
        return []
    ways = ((winner, loser), (loser, winner))
    stand = [standing(connection, *way) for way in ways]
    if any("contradicts" in kinds for kinds in stand):
        return []
    return [made(*way, "contradicts") for way, kinds in zip(ways, stand, strict=True) if not kinds][:1]


def cut(connection: apsw.Connection, id: Any) -> list[RowEdit]:
    """All relations from and to a memory go with it."""
    if not there(connection):
        return []
    return list(_rows(connection, "from_id = ?1 OR to_id = ?1", (id,)))


def id_of(connection: apsw.Connection, anchor: str) -> Any:
    """The id that a memory has in its column. Raises Refused where there is no such memory."""
    id = found_id(connection, anchor)
    if id is None:
        raise NotSaved("missing", "the other memory is not in this store.", "Nothing was changed.")
    return id


def found_id(connection: apsw.Connection, anchor: str) -> Any:
    """The same, or None."""
    asked = [anchor, *([int(anchor)] if anchor.isdecimal() and len(anchor) < 19 else [])]
    sql = "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    found = connection.execute(sql, (json.dumps(asked),)).fetchone()
    return None if found is None else found[0]


def _rows(connection: apsw.Connection, where: str, bindings: tuple[Any, ...]) -> Iterator[RowEdit]:
    """The rows of relations, each taken away with all its columns."""
    asked = ["r.from_id", "r.to_id", "r.relation_type"]
    names = list(
        dict.fromkeys(rows_of(connection, asked, f"FROM {RELATIONS} AS r WHERE {where}", bindings)[0])
    )
    pairs = Counter(name[:2] for name in names)
    columns = columns_of(connection, RELATIONS)
    for name in names:
        row = dict(zip(("from_id", "to_id", "relation_type"), name, strict=True))
        found = row_of(connection, RELATIONS, row, columns)
        # A row that SQL cannot name alone, in a table without a key, is refused when it is written.
        if found is not None:
            ends = {"from_id": name[0], "to_id": name[1]}
            yield RowEdit(RELATIONS, row if pairs[name[:2]] > 1 else ends, lost=found)


def _is_named_by_kind(connection: apsw.Connection) -> bool:
    """Whether a row's kind is part of its key, so that a pair may have several."""
    info = connection.execute(f"PRAGMA table_info({RELATIONS})")
    return any(row[1] == "relation_type" and row[5] for row in info)


def _must_be_free(kinds: Sequence[Any], kind: str) -> None:
    """Raise Refused where relations of these kinds stand where one of `kind` is to be."""
    for there in map(kind_of, kinds):
        more = "" if there == kind else f": it “{there}” that memory, and Base Coat keeps one relation a pair"
        raise Refused("exists", f"They are related so already{more}.", "Nothing was changed.", kind=there)


def _must_be_there(connection: apsw.Connection) -> None:
    if not there(connection):
        raise NotSaved("no-field", "this file has no relations.", "Nothing was changed.")
