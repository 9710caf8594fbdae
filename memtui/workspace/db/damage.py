"""Whether a workspace's file is damaged."""

from __future__ import annotations

import apsw


def damage_in(connection: apsw.Connection) -> str:
    """Return the damage in a database in SQLite's words, or "".

    A stale full-text index is not damage: it is rebuilt from the rows.
    """
    try:
        found = [text for (text,) in connection.execute("PRAGMA quick_check(20)") if text != "ok"]
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, UnicodeDecodeError) as error:
        return str(error)
    pages = [text for text in found if "fts5" not in text.lower()]
    return " ".join(pages[0].removeprefix("*** in database main ***").split()) if pages else ""
