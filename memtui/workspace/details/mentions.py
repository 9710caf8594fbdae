"""Which memories the links in a text lead to."""

from __future__ import annotations

import json
import posixpath

from memtui.memory.mentions import mentioned_names
from memtui.text import LIMIT
from memtui.workspace.context import Context
from memtui.workspace.mirror.memory_rows import MirrorRow

# Raw SQL: by the name that relations use, in any store, the memory's own first; by
# uid; or by file, in its own store. The crossed joins keep SQLite on the indexes of anchors and units.
_NAMED = """
SELECT e.value, m.id, m.store_id <> ?1 AS far FROM json_each(?2) e CROSS JOIN stores s
CROSS JOIN memories m ON m.store_id = s.id AND m.anchor = e.value
WHERE m.removed_at IS NULL AND m.shown = 1 AND +m.ref IS NOT NULL
UNION ALL
SELECT e.value, m.id, 0 FROM json_each(?2) e CROSS JOIN memories m ON m.store_id = ?1 AND m.unit = e.value
WHERE +m.place = m.unit AND m.removed_at IS NULL
UNION ALL
SELECT m.uid, m.id, 0 FROM json_each(?2) e CROSS JOIN memories m ON m.uid = e.value
ORDER BY far, 2
"""


def mentions_of(ctx: Context, row: MirrorRow) -> dict[str, int]:
    """Return the memory that each link in a text leads to, by what the link names; not the memory itself.

    A link to a file leads to the memory in that file, else to one that is named like the file."""
    wanted: dict[str, list[str]] = {}  # the links, by the names that they may mean
    for name in mentioned_names(row.memory.content[:LIMIT]):
        for spelling in dict.fromkeys((name, *_file_names(name, row.place))):
            wanted.setdefault(spelling, []).append(name)
    if not wanted:
        return {}
    found: dict[str, int] = {}
    for spelling, id, _ in ctx.db.rows(_NAMED, (row.store_id, json.dumps(list(wanted)))):
        for name in wanted[spelling] if id != row.id else ():
            found.setdefault(name, id)
    return found


def _file_names(target: str, place: str) -> tuple[str, ...]:
    """Return what a link to a file may mean, in a text at `place`: the file, and a name like the file's."""
    path = target.partition("#")[0]
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    if not dot or suffix != "md":
        return ()
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), path)), stem
