"""Whether mem-skill's full-text search matches its facts; checking writes nothing."""

from __future__ import annotations

import apsw

from memtui.formats.contract.records import Reading
from memtui.formats.media.sqlite.connection import columns_of, has_rowids, quoted, rows_of
from memtui.formats.mem_skill import wording
from memtui.formats.mem_skill.schema import FACTS, RETRIEVED
from memtui.formats.mem_skill.schema_detection import FullTextTable, Schema
from memtui.values import SqlRow

FEW = 20_000  # facts up to which each is compared
SMALL = 64 << 20  # bytes of a database that is copied to check its index


def check_tables(connection: apsw.Connection, schema: Schema, out: Reading, place: str) -> None:
    """Note a search that is missing or stale, or that a change would break."""
    if not schema.full_text:
        out.add_finding("no-search", place, wording.NO_SEARCH)
        return
    count = connection.execute(f"SELECT count(*) FROM {FACTS}").get
    for table in schema.full_text:
        if table.breaking_trigger:
            text = wording.BREAKING_TRIGGER.format(trigger=table.breaking_trigger, table=table.name)
            out.add_finding("search-trap", place, text)
        if count > FEW:
            continue
        try:
            outdated, surplus = _differences(connection, table)
        except (apsw.Error, UnicodeDecodeError):
            continue  # a kind of table that is not known here
        if outdated or surplus:
            out.add_finding("search-behind", place, wording.search_behind(table.name, outdated, surplus))


def _differences(connection: apsw.Connection, table: FullTextTable) -> tuple[int, int]:
    """Return how many retrieved facts are missing or different in a full-text table, and how many of its
    rows have no fact."""
    live = ", ".join(f"'{status}'" for status in RETRIEVED)
    if table.content is None:
        names = [name for name in ("fact_id", "key", "value_text") if name in table.columns]
        if not names:
            return 0, 0
        columns = ", ".join(map(quoted, names))
        facts = _rows(connection, columns, f"{FACTS} WHERE status IN ({live})")
        indexed = _rows(connection, columns, quoted(table.name))
        every = _rows(connection, quoted(names[0]), FACTS)
        return len(facts - indexed), len({row[:1] for row in indexed} - every)
    sizes = f"{table.name}_docsize"
    is_known = columns_of(connection, sizes) and has_rowids(connection, FACTS)
    if not is_known or table.content not in ("", FACTS):
        return 0, 0
    facts = _rows(connection, "rowid", f"{FACTS} WHERE status IN ({live})")
    every = _rows(connection, "rowid", FACTS)
    indexed = _rows(connection, "id", quoted(sizes))
    return len(facts - indexed), len(indexed - every)


def _rows(connection: apsw.Connection, columns: str, rest: str) -> set[SqlRow]:
    return set(rows_of(connection, columns.split(", "), f"FROM {rest}")[0])


def check_content(connection: apsw.Connection, schema: Schema, out: Reading, place: str) -> None:
    """Check word by word what an index over the facts contains, in a copy: SQLite's own check is a write."""
    over = [table for table in schema.full_text if table.content and table.content == FACTS]
    size = connection.pragma("page_count") * connection.pragma("page_size")
    if not over or size > SMALL or any(finding.code == "search-behind" for finding in out.findings):
        return
    copy = apsw.Connection(":memory:")
    try:
        with copy.backup("main", connection, "main") as backup:
            backup.step()
        for table in over:
            name = quoted(table.name)
            try:
                copy.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
            except apsw.CorruptError:
                out.add_finding("search-behind", place, wording.OTHER_WORDS.format(table=table.name))
    except apsw.Error:
        return  # another program writes; the next check may succeed
    finally:
        copy.close()
