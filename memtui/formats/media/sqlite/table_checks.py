"""What is odd about the columns of a database: times of several kinds, counts, vectors, JSON, its version."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apsw

from memtui.formats.checkup.findings import found
from memtui.formats.media.files import raw_checks
from memtui.formats.media.sqlite.connection import columns_of, quoted, rows_of
from memtui.memory.stores import Finding
from memtui.text import counted

_SHOWN = 200  # rows of a column that are told one by one
_KIND = (
    "CASE WHEN typeof({0}) = 'text' AND {0} NOT GLOB '[0-9]*' THEN ''"  # none: its reader tells it
    " WHEN typeof({0}) = 'text' AND {0} GLOB '*[^0-9.]*' THEN 'dates as text'"
    " WHEN abs(CAST({0} AS REAL)) >= 1e11 THEN 'milliseconds' ELSE 'seconds' END"
)


def mixed_times(
    connection: apsw.Connection, table: str, columns: Sequence[str], place: str
) -> Iterator[Finding]:
    """Columns whose rows hold times of several kinds."""
    there = columns_of(connection, table)
    for name in columns:
        if name not in there:
            continue
        column = quoted(name)
        sql = (
            f"SELECT {_KIND.format(column)}, count(*) FROM {quoted(table)}"
            f" WHERE typeof({column}) IN ('integer', 'real', 'text') AND {column} NOT IN ('', 0) GROUP BY 1"
        )
        kinds = Counter({str(kind): int(count) for kind, count in connection.execute(sql) if kind})
        if len(kinds) > 1:
            said = [f"{kind} ({counted(count, 'row')})" for kind, count in kinds.most_common()]
            yield found("mixed-times", place, name=name, kinds=" and ".join(said))


def counts(
    connection: apsw.Connection, table: str, columns: Sequence[str], places: Mapping[Any, str], id: str
) -> Iterator[Finding]:
    """Numbers of times that are none."""
    there = columns_of(connection, table)
    for name in columns:
        if name not in there:
            continue
        column = f"m.{quoted(name)}"
        rest = (
            f"FROM {quoted(table)} AS m WHERE {column} IS NOT NULL AND (typeof({column}) <> 'integer'"
            f" OR {column} < 0) LIMIT {_SHOWN}"
        )
        for key, value in rows_of(connection, [f"m.{quoted(id)}", column], rest)[0]:
            if not _is_count(value):
                yield found("odd-count", places.get(str(key), ""), name=name, said=str(value))


def _is_count(value: Any) -> bool:
    try:
        return float(value) >= 0 and float(value).is_integer()
    except (TypeError, ValueError):
        return False


def vectors(
    connection: apsw.Connection, table: str, column: str, places: Mapping[Any, str], id: str
) -> Iterator[Finding]:
    """Vectors that cannot be read, or that have another length than most. SQLite takes those that are
    spelled as JSON apart: a store may hold a great many."""
    if column not in columns_of(connection, table):
        return
    vector, text = f"m.{quoted(column)}", f"typeof(m.{quoted(column)}) = 'text'"
    rows = connection.execute(
        f"SELECT CAST(m.{quoted(id)} AS BLOB), {text}, CASE WHEN {text} THEN json_valid({vector}) END,"
        f" CASE WHEN {text} AND json_valid({vector}) THEN json_array_length({vector}) END,"
        f" CASE WHEN {text} AND json_valid({vector}) THEN json_type({vector}, '$[0]') END,"
        f" CASE WHEN {text} THEN NULL ELSE {vector} END"
        f" FROM {quoted(table)} AS m WHERE {vector} IS NOT NULL AND {vector} <> ''"
    )
    yield from lengths(
        (
            places.get((key or b"").decode(errors="replace"), ""),
            *(_spelled(valid, size, kind) if is_text else blob_vector(blob)),
        )
        for key, is_text, valid, size, kind, blob in rows
    )


def lengths(read: Iterator[tuple[str, int, str]]) -> Iterator[Finding]:
    """Of vectors as place, length and trouble: those with trouble, and those of another length than most."""
    sizes: Counter[int] = Counter()
    first: dict[int, list[str]] = {}
    for place, size, why in read:
        if why:
            yield found("odd-embedding", place, why=why)
            continue
        sizes[size] += 1
        first.setdefault(size, [])
        if len(first[size]) < _SHOWN:
            first[size].append(place)
    most = sizes.most_common(1)[0][0] if sizes else 0
    for size, places in first.items():
        for place in places if size != most else ():
            yield found("other-dimension", place, count=size, most=most)


def _spelled(valid: int, size: int, kind: str | None) -> tuple[int, str]:
    if not valid:
        return 0, "not valid JSON"
    if kind not in ("integer", "real"):
        return 0, "not a list of numbers"
    return size, ""


def json_vector(text: Any) -> tuple[int, str]:
    """The length of a vector that is spelled as JSON, and why it cannot be read."""
    try:
        return number_list(json.loads(text))
    except (ValueError, RecursionError, TypeError):
        return 0, "not valid JSON"


def number_list(value: Any) -> tuple[int, str]:
    """Likewise of a list."""
    if not isinstance(value, list) or not value or any(type(each) not in (int, float) for each in value):
        return 0, "not a list of numbers"
    return len(value), "" if all(map(math.isfinite, value)) else "contains NaN or Infinity"


def blob_vector(value: Any) -> tuple[int, str]:
    """Likewise of one in bytes, four a number."""
    if not isinstance(value, bytes):
        return 0, "not a vector"
    if len(value) % 4:
        return 0, "truncated"
    numbers = array("f", value)
    return len(numbers), "" if math.isfinite(sum(numbers)) else "contains NaN or Infinity"


def numbers(
    connection: apsw.Connection, table: str, column: str, places: Mapping[Any, str], id: str
) -> Iterator[Finding]:
    """Numbers that stand there as texts; those that are no numbers at all are told as they are read."""
    if column not in columns_of(connection, table):
        return
    rest = f"FROM {quoted(table)} AS m WHERE typeof(m.{quoted(column)}) = 'text' LIMIT {_SHOWN}"
    for key, text in rows_of(connection, [f"m.{quoted(id)}", f"m.{quoted(column)}"], rest)[0]:
        if _is_number(text):
            yield found("no-plain-number", places.get(str(key), ""), name=column, said=text)


def _is_number(text: Any) -> bool:
    try:
        return math.isfinite(float(text))
    except (TypeError, ValueError):
        return False


def nuls(
    connection: apsw.Connection, table: str, places: Mapping[Any, str], id: str, but: str
) -> Iterator[Finding]:
    """Texts with a NUL in them, in other columns than `but`."""
    for name in columns_of(connection, table):
        column = f"m.{quoted(name)}"
        if name == but:
            continue
        holds = f"typeof({column}) = 'text' AND instr({column}, char(0))"
        rest = f"FROM {quoted(table)} AS m WHERE {holds} LIMIT {_SHOWN}"
        for (key,) in rows_of(connection, [f"m.{quoted(id)}"], rest)[0]:
            yield found("nul", places.get(str(key), ""), count=1)


def searches(connection: apsw.Connection, table: str) -> Iterator[Finding]:
    """Full-text tables over `table` that were never filled, or know rows that it has no more. Some rows may
    be left out on purpose."""
    made = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%fts5%'"
    )
    for name, sql in made.fetchall():
        kept, rows = quoted(f"{name}_docsize"), quoted(table)
        if not _over(table).search(str(sql)) or not columns_of(connection, f"{name}_docsize"):
            continue
        gone = f"SELECT count(*) FROM {kept} WHERE id NOT IN (SELECT rowid FROM {rows})"
        none = f"SELECT count(*) FROM {rows} WHERE NOT EXISTS (SELECT 1 FROM {kept})"
        if count := connection.execute(gone).get + connection.execute(none).get:
            yield found(
                "search-behind", str(name), name=str(name), rows=counted(count, "row differs", "rows differ")
            )


def _over(table: str) -> re.Pattern[str]:
    return re.compile(rf"content\s*=\s*['\"]?{re.escape(table)}\b", re.IGNORECASE)


def json_columns(
    connection: apsw.Connection, table: str, columns: Sequence[str], places: Mapping[Any, str], id: str
) -> Iterator[Finding]:
    """What is odd about values that are spelled as JSON."""
    there = columns_of(connection, table)
    for name in columns:
        if name not in there:
            continue
        rest = f"FROM {quoted(table)} AS m WHERE typeof(m.{quoted(name)}) = 'text' AND m.{quoted(name)} <> ''"
        for key, text in rows_of(connection, [f"m.{quoted(id)}", f"m.{quoted(name)}"], rest)[0]:
            yield from raw_checks.json_text(places.get(str(key), ""), text)


def version(connection: apsw.Connection) -> int:
    """The version of its schema that a database tells: SQLite's own number, or a row for it."""
    told = [int(connection.pragma("user_version") or 0)]
    for table, sql in _VERSIONS.items():
        if set(columns_of(connection, table)) >= sql[0]:
            told += [int(row[0]) for row in connection.execute(sql[1]) if _NUMBER.fullmatch(str(row[0]))]
    return max(told)


_NUMBER = re.compile(r"[0-9]{1,18}")
_VERSIONS: dict[str, tuple[set[str], str]] = {
    "schema_version": ({"version"}, "SELECT max(version) FROM schema_version"),
    "meta": ({"key", "value"}, "SELECT value FROM meta WHERE key = 'schema_version'"),
    "metadata": ({"key", "value"}, "SELECT value FROM metadata WHERE key = 'schema_version'"),
}
