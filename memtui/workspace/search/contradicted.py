"""Which memories an open contradiction speaks against, as far as an agent may read both sides (S-34).

One whose other side is hidden from it has no mark: that would tell of the other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.workspace.db.pair_status import states

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.search.visibility import Condition

_LISTED = "SELECT value FROM json_each(?)"
# Two lists of ids, so that the index of each end is used.
_OF_THESE = (
    f"p.family = '{CONTRADICTION}' AND p.id IN (SELECT id FROM pairs WHERE a IN ({_LISTED}) "
    f"UNION ALL SELECT id FROM pairs WHERE b IN ({_LISTED}))"
)
_OTHERS = (
    "SELECT s.one, m.uid FROM (SELECT iif(side, b, a) AS one, iif(side, a, b) AS other FROM "
    f"({states(_OF_THESE)}), (SELECT 0 AS side UNION ALL SELECT 1) WHERE state = 'open') s "
    f"JOIN memories m ON m.id = s.other WHERE s.one IN ({_LISTED}) AND {{readable}} ORDER BY s.one, m.uid"
)


def others(ctx: Context, ids: Sequence[int], readable: Condition) -> dict[int, tuple[str, ...]]:
    """Return the uids of the memories that openly contradict each of these and meet a condition on `m`, by
    row; rows without any are left out."""
    where, bindings = readable
    listed = json.dumps(list(ids))
    found: dict[int, list[str]] = defaultdict(list)
    sql = _OTHERS.format(readable=where)
    for id, uid in ctx.db.rows(sql, (ctx.clock(), listed, listed, listed, *bindings)):
        found[id].append(uid)
    return {id: tuple(dict.fromkeys(uids)) for id, uids in found.items()}
