"""What becomes of the relations of memories that are dismissed, in words (SPEC 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.base import Parting
from memtui.workspace.core import Core
from memtui.workspace.mirror import Held

MOST = 200  # memories whose relations are counted
_COUNTED = (
    "SELECT (SELECT count(*) FROM relations WHERE store_id = ?1 AND source = ?2) AS away, "
    "(SELECT count(*) FROM relations WHERE store_id = ?1 AND target = ?2 AND source <> ?2) AS here"
)
_KEPT = (
    "SELECT count(*) FROM ties t WHERE t.source_id IN (SELECT value FROM json_each(?1)) "
    "OR t.target IN (SELECT uid FROM memories WHERE id IN (SELECT value FROM json_each(?1)))"
)


def words(core: Core, leaving: Sequence[Held], stores: dict[int, Any]) -> str:
    """ "its 3 relations go with it and come back with it"; "" where they have none, or are too many to be
    asked one by one."""
    if not leaving or len(leaving) > MOST:
        return ""
    counts = dict.fromkeys(Parting, 0)
    seen: set[tuple[int, str]] = set()
    for held in leaving:
        if held.anchor and (held.store_id, held.anchor) not in seen:
            seen.add((held.store_id, held.anchor))
            away, here = core.db.rows(_COUNTED, (held.store_id, held.anchor))[0]
            how = _how(core, held, stores[held.store_id])
            # Where its own text tells them, they leave with it; those of others stay behind.
            counts[Parting.GO] += away + here if how is Parting.GO else away if how is Parting.DANGLE else 0
            counts[Parting.DANGLE] += here if how is Parting.DANGLE else 0
            counts[Parting.STAY] += away + here if how is Parting.STAY else 0
    counts[Parting.STAY] += core.db.one(_KEPT, (json.dumps([held.id for held in leaving]),))
    many = len(leaving) > 1
    whose, until = ("their", "until they are restored") if many else ("its", "until it is restored")
    back = "go along, and come back when they do" if many else "go with it, and come back with it"
    told = [
        (counts[Parting.GO], back),
        (counts[Parting.DANGLE], f"lead nowhere {until}"),
        (counts[Parting.STAY], "stay"),
    ]
    return "; ".join(f"{whose} {_counted(count)} {_for(count, what)}" for count, what in told if count)


def _counted(count: int) -> str:
    return "one relation" if count == 1 else f"{count:,} relations"


def _for(count: int, what: str) -> str:
    """The same of one alone: goes, leads, stays."""
    if count != 1:
        return what
    verb, _, rest = what.partition(" ")
    verb = "goes" if verb == "go" else f"{verb}s"
    return f"{verb} {rest.replace('come back', 'comes back', 1)}".rstrip()


def _how(core: Core, held: Held, store: Any) -> Parting:
    try:
        adapter = core.adapter(store)
    except Refused:
        return Parting.STAY
    return Parting.STAY if adapter is None else adapter.parts_with(held.memory.content)
