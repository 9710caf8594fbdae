"""What the columns of an audit mean, judged by their names: no two make that table alike (FORMATS 3)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_WORDS = {
    "action": "action operation op change_type event event_type action_type change kind type verb".split(),
    "reason": "reason note notes comment why cause description explanation".split(),
    "who": "actor changed_by who by author agent performed_by updated_by source changed_from".split(),
    "turn": "turn_id source_turn source_turn_ref".split(),
    "hash": "action_hash hash idempotency_key change_hash".split(),
    "version": "version revision rev seq sequence version_no".split(),
    "row": "snapshot row row_json fact_json row_data fact_data record data fact".split(),
    "changes": "changes diff delta details detail payload metadata meta patch".split(),
    "time": "timestamp ts time at date changed_on recorded_on moment".split(),
}
_MEANS = {name: what for what, names in _WORDS.items() for name in names}
_OLD = re.compile(r"(?:old|previous|prev|prior|before)(?:_(.+))?|(.+)_(?:old|before|prev)")
_NEW = re.compile(r"(?:new|next|after)(?:_(.+))?|(.+)_(?:new|after)")


class Side(NamedTuple):
    """What a column tells: `what` is fact, action, old, new, row, …; `rest` which column of the fact an
    old, a new or a row's own value belongs to."""

    what: str
    rest: str = ""


@lru_cache(64)
def sides_of(names: tuple[str, ...], facts: tuple[str, ...]) -> dict[str, Side]:
    """What each column of the audit tells; `facts` are the columns of a fact."""
    out = {name: _side(name.casefold(), facts) for name in names}
    times = [name for name, side in out.items() if side.what == "time"]
    if any(name.casefold() not in facts for name in times):  # the fact's own times stand beside it
        out |= {name: Side("row", name.casefold()) for name in times if name.casefold() in facts}
    return out


def _side(name: str, facts: tuple[str, ...]) -> Side:
    if name == "fact_id":
        return Side("fact")
    for what, pattern in (("old", _OLD), ("new", _NEW)):
        if found := pattern.fullmatch(name):
            return Side(what, found[1] or found[2] or "")
    if name in _MEANS:
        return Side(_MEANS[name])
    if name in facts and not name.endswith("_at"):
        return Side("row", name)
    if name in ("value", "text", "content"):
        return Side("row", "value_text")
    return Side("time", name) if name.endswith("_at") else Side("", name)
