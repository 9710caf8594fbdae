"""Checks of the columns of a database: times of several kinds, counts, vectors, JSON, the schema version."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import apsw

from memtui.formats.checkup.findings import make_finding, mixed_kinds
from memtui.formats.media.files import raw_checks
from memtui.formats.media.sqlite import wording
from memtui.formats.media.sqlite.connection import columns_of, quoted, rows_of
from memtui.memory.stores import Finding
from memtui.text import counted
from memtui.values import Json, SqlValue

_MOST = 200  # findings about one column
_KIND = (
    # Not a time: the format's reader reports it.
    "CASE WHEN typeof({0}) = 'text' AND {0} NOT GLOB '[0-9]*' THEN ''"
    " WHEN typeof({0}) = 'text' AND {0} GLOB '*[^0-9.]*' THEN 'dates as text'"
    " WHEN abs(CAST({0} AS REAL)) >= 1e11 THEN 'milliseconds' ELSE 'seconds' END"
)


def mixed_times(
    connection: apsw.Connection, table: str, columns: Sequence[str], place: str
) -> Iterator[Finding]:
    """Yield the columns whose rows contain times of several kinds; `place` is that of the findings."""
    present = columns_of(connection, table)
    for name in columns:
        if name not in present:
            continue
        column = quoted(name)
        sql = (
            f"SELECT {_KIND.format(column)}, count(*) FROM {quoted(table)}"
            f" WHERE typeof({column}) IN ('integer', 'real', 'text') AND {column} NOT IN ('', 0) GROUP BY 1"
        )
        kinds = Counter({str(kind): int(count) for kind, count in connection.execute(sql) if kind})
        if len(kinds) > 1:
            texts = [f"{kind} ({counted(count, 'row')})" for kind, count in kinds.most_common()]
            yield make_finding("mixed-times", place, name=name, kinds=mixed_kinds(texts))


def counts(
    connection: apsw.Connection, table: str, columns: Sequence[str], places: Mapping[str, str], id: str
) -> Iterator[Finding]:
    """Yield values in columns of counts that are not counts.

    `id` is the column that identifies rows, `places` are those of the findings by id.
    """
    present = columns_of(connection, table)
    for name in columns:
        if name not in present:
            continue
        column = f"m.{quoted(name)}"
        rest = (
            f"FROM {quoted(table)} AS m WHERE {column} IS NOT NULL AND (typeof({column}) <> 'integer'"
            f" OR {column} < 0) LIMIT {_MOST}"
        )
        for key, value in rows_of(connection, [f"m.{quoted(id)}", column], rest)[0]:
            if not _is_count(value):
                yield make_finding("odd-count", places.get(str(key), ""), name=name, value=str(value))


def _is_count(value: SqlValue) -> bool:
    try:
        return float(value) >= 0 and float(value).is_integer()
    except (TypeError, ValueError):
        return False


def vectors(
    connection: apsw.Connection, table: str, column: str, places: Mapping[str, str], id: str
) -> Iterator[Finding]:
    """Yield vectors that cannot be read, or that have another length than most.

    SQLite itself parses those that are JSON: a store may contain very many.
    """
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
            *(_json_length(valid, size, kind) if is_text else blob_vector(blob)),
        )
        for key, is_text, valid, size, kind, blob in rows
    )


def lengths(read: Iterator[tuple[str, int, str]]) -> Iterator[Finding]:
    """Yield findings about vectors, given as (place, length, problem): those with a problem, and those of
    another length than most."""
    sizes: Counter[int] = Counter()
    first: dict[int, list[str]] = {}
    for place, size, problem in read:
        if problem:
            yield make_finding("odd-embedding", place, why=problem)
            continue
        sizes[size] += 1
        first.setdefault(size, [])
        if len(first[size]) < _MOST:
            first[size].append(place)
    most = sizes.most_common(1)[0][0] if sizes else 0
    for size, places in first.items():
        for place in places if size != most else ():
            yield make_finding("other-dimension", place, count=size, most=most)


def _json_length(valid: int, size: int, kind: str | None) -> tuple[int, str]:
    if not valid:
        return 0, wording.INVALID_JSON
    if kind not in ("integer", "real"):
        return 0, wording.NOT_NUMBERS
    return size, ""


def json_vector(text: SqlValue) -> tuple[int, str]:
    """Return the length of a vector in JSON, and why it cannot be read ("" if it can)."""
    try:
        return number_list(json.loads(text))
    except (ValueError, RecursionError, TypeError):
        return 0, wording.INVALID_JSON


def number_list(value: Json) -> tuple[int, str]:
    """Likewise for a parsed list."""
    if not isinstance(value, list) or not value or any(type(each) not in (int, float) for each in value):
        return 0, wording.NOT_NUMBERS
    return len(value), "" if all(map(math.isfinite, value)) else wording.NOT_FINITE


def blob_vector(value: SqlValue) -> tuple[int, str]:
    """Likewise for a vector of 32-bit floats."""
    if not isinstance(value, bytes):
        return 0, wording.NOT_A_VECTOR
    if len(value) % 4:
        return 0, wording.TRUNCATED
    numbers = array("f", value)
    return len(numbers), "" if math.isfinite(sum(numbers)) else wording.NOT_FINITE


def numbers(
    connection: apsw.Connection, table: str, column: str, places: Mapping[str, str], id: str
) -> Iterator[Finding]:
    """Yield numbers that are stored as text; the format's reader reports what is not a number."""
    if column not in columns_of(connection, table):
        return
    rest = f"FROM {quoted(table)} AS m WHERE typeof(m.{quoted(column)}) = 'text' LIMIT {_MOST}"
    for key, text in rows_of(connection, [f"m.{quoted(id)}", f"m.{quoted(column)}"], rest)[0]:
        if _is_number(text):
            yield make_finding("no-plain-number", places.get(str(key), ""), name=column, value=text)


def _is_number(text: SqlValue) -> bool:
    try:
        return math.isfinite(float(text))
    except (TypeError, ValueError):
        return False


def nuls(
    connection: apsw.Connection, table: str, places: Mapping[str, str], id: str, skip: str
) -> Iterator[Finding]:
    """Yield texts that contain NUL, in all columns but `skip`."""
    for name in columns_of(connection, table):
        column = f"m.{quoted(name)}"
        if name == skip:
            continue
        holds = f"typeof({column}) = 'text' AND instr({column}, char(0))"
        rest = f"FROM {quoted(table)} AS m WHERE {holds} LIMIT {_MOST}"
        for (key,) in rows_of(connection, [f"m.{quoted(id)}"], rest)[0]:
            yield make_finding("nul", places.get(str(key), ""), count=1)


def searches(connection: apsw.Connection, table: str) -> Iterator[Finding]:
    """Yield full-text tables over `table` that were never filled, or contain rows that it no longer has.

    Rows may be left out on purpose.
    """
    full_text = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%fts5%'"
    )
    for name, sql in full_text.fetchall():
        indexed, rows = quoted(f"{name}_docsize"), quoted(table)
        if not _content_option(table).search(str(sql)) or not columns_of(connection, f"{name}_docsize"):
            continue
        removed = f"SELECT count(*) FROM {indexed} WHERE id NOT IN (SELECT rowid FROM {rows})"
        unfilled = f"SELECT count(*) FROM {rows} WHERE NOT EXISTS (SELECT 1 FROM {indexed})"
        if count := connection.execute(removed).get + connection.execute(unfilled).get:
            yield make_finding(
                "search-behind", str(name), name=str(name), rows=counted(count, "row differs", "rows differ")
            )


def _content_option(table: str) -> re.Pattern[str]:
    return re.compile(rf"content\s*=\s*['\"]?{re.escape(table)}\b", re.IGNORECASE)


def json_columns(
    connection: apsw.Connection, table: str, columns: Sequence[str], places: Mapping[str, str], id: str
) -> Iterator[Finding]:
    """Yield findings about the JSON in these columns."""
    present = columns_of(connection, table)
    for name in columns:
        if name not in present:
            continue
        rest = f"FROM {quoted(table)} AS m WHERE typeof(m.{quoted(name)}) = 'text' AND m.{quoted(name)} <> ''"
        for key, text in rows_of(connection, [f"m.{quoted(id)}", f"m.{quoted(name)}"], rest)[0]:
            yield from raw_checks.json_text(places.get(str(key), ""), text)


def version(connection: apsw.Connection) -> int:
    """Return the schema version of a database: SQLite's user_version, or a row of a table for it."""
    versions = [int(connection.pragma("user_version") or 0)]
    for table, sql in _VERSIONS.items():
        if set(columns_of(connection, table)) >= sql[0]:
            versions += [int(row[0]) for row in connection.execute(sql[1]) if _NUMBER.fullmatch(str(row[0]))]
    return max(versions)


_NUMBER = re.compile(r"[0-9]{1,18}")
_VERSIONS: dict[str, tuple[set[str], str]] = {
    "schema_version": ({"version"}, "SELECT max(version) FROM schema_version"),
    "meta": ({"key", "value"}, "SELECT value FROM meta WHERE key = 'schema_version'"),
    "metadata": ({"key", "value"}, "SELECT value FROM metadata WHERE key = 'schema_version'"),
}
