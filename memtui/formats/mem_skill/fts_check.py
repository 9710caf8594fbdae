"""Whether mem-skill's own search by words still says what its facts say; nothing is written to find out."""

from __future__ import annotations

from typing import Any

import apsw

from memtui.formats.contract.adapter import Reading
from memtui.formats.media.sqlite.connection import columns_of, has_rowids, quoted, rows_of
from memtui.formats.mem_skill.schema import FACTS, RETRIEVED
from memtui.formats.mem_skill.schema_detection import Mirror, Shape

FEW = 20_000  # facts up to which each is compared
SMALL = 64 << 20  # bytes of a database that is copied to check its index


def look(connection: apsw.Connection, shape: Shape, out: Reading, place: str) -> None:
    """Note a search that is missing, behind, or that a change would break."""
    if not shape.mirrors:
        out.odd("no-search", place, "There is no full-text table over the facts.")
        return
    count = connection.execute(f"SELECT count(*) FROM {FACTS}").get
    for mirror in shape.mirrors:
        if mirror.trap:
            words = f"The trigger “{mirror.trap}” would break {mirror.name} as a text changes."
            out.odd("search-trap", place, words)
        if count > FEW:
            continue
        try:
            behind, stale = _apart(connection, mirror)
        except (apsw.Error, UnicodeDecodeError):
            continue  # it is made in another way than is known here
        if behind or stale:
            told = [
                f"{behind} not as the facts say" if behind else "",
                f"{stale} of no fact" if stale else "",
            ]
            words = f"{mirror.name} is out of step: {', '.join(part for part in told if part)}."
            out.odd("search-behind", place, words)


def _apart(connection: apsw.Connection, mirror: Mirror) -> tuple[int, int]:
    """How many facts that agents are given it lacks or tells otherwise, and how many it has too many."""
    live = ", ".join(f"'{status}'" for status in RETRIEVED)
    if mirror.content is None:
        told = [name for name in ("fact_id", "key", "value_text") if name in mirror.columns]
        if not told:
            return 0, 0
        asked = ", ".join(map(quoted, told))
        facts = _rows(connection, asked, f"{FACTS} WHERE status IN ({live})")
        indexed = _rows(connection, asked, quoted(mirror.name))
        every = _rows(connection, quoted(told[0]), FACTS)
        return len(facts - indexed), len({row[:1] for row in indexed} - every)
    kept = f"{mirror.name}_docsize"
    known = columns_of(connection, kept) and has_rowids(connection, FACTS)
    if not known or mirror.content not in ("", FACTS):
        return 0, 0
    facts = _rows(connection, "rowid", f"{FACTS} WHERE status IN ({live})")
    every = _rows(connection, "rowid", FACTS)
    indexed = _rows(connection, "id", quoted(kept))
    return len(facts - indexed), len(indexed - every)


def _rows(connection: apsw.Connection, columns: str, rest: str) -> set[tuple[Any, ...]]:
    return set(rows_of(connection, columns.split(", "), f"FROM {rest}")[0])


def look_within(connection: apsw.Connection, shape: Shape, out: Reading, place: str) -> None:
    """Check what an index over the facts holds, word by word, in a copy that can be asked."""
    over = [mirror for mirror in shape.mirrors if mirror.content and mirror.content == FACTS]
    size = connection.pragma("page_count") * connection.pragma("page_size")
    if not over or size > SMALL or any(finding.code == "search-behind" for finding in out.findings):
        return
    copy = apsw.Connection(":memory:")
    try:
        with copy.backup("main", connection, "main") as backup:
            backup.step()
        for mirror in over:
            name = quoted(mirror.name)
            try:
                copy.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
            except apsw.CorruptError:
                out.odd("search-behind", place, f"{mirror.name} holds other words than the facts.")
    except apsw.Error:
        return  # somebody writes; the next look may tell
    finally:
        copy.close()
