"""What the columns of an audit mean, judged by their names: no two stores design that table alike
(FORMATS 3)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NAMES = {
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
_KIND_OF = {name: kind for kind, names in _NAMES.items() for name in names}
_OLD = re.compile(r"(?:old|previous|prev|prior|before)(?:_(.+))?|(.+)_(?:old|before|prev)")
_NEW = re.compile(r"(?:new|next|after)(?:_(.+))?|(.+)_(?:new|after)")


class Role(NamedTuple):
    """What a column of the audit holds: `kind` is fact, action, old, new, row, …; `column` is the fact's
    column that an old, a new or a row's own value belongs to."""

    kind: str
    column: str = ""


@lru_cache(64)
def column_roles(names: tuple[str, ...], fact_columns: tuple[str, ...]) -> dict[str, Role]:
    """Return the role of each column of the audit."""
    out = {name: _role(name.casefold(), fact_columns) for name in names}
    times = [name for name, role in out.items() if role.kind == "time"]
    # Beside a time of the audit's own, columns named like the fact's times are copies of these.
    if any(name.casefold() not in fact_columns for name in times):
        out |= {name: Role("row", name.casefold()) for name in times if name.casefold() in fact_columns}
    return out


def _role(name: str, fact_columns: tuple[str, ...]) -> Role:
    if name == "fact_id":
        return Role("fact")
    for kind, pattern in (("old", _OLD), ("new", _NEW)):
        if found := pattern.fullmatch(name):
            return Role(kind, found[1] or found[2] or "")
    if name in _KIND_OF:
        return Role(_KIND_OF[name])
    if name in fact_columns and not name.endswith("_at"):
        return Role("row", name)
    if name in ("value", "text", "content"):
        return Role("row", "value_text")
    return Role("time", name) if name.endswith("_at") else Role("", name)
