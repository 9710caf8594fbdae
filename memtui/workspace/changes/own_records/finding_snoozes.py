"""Until when findings of stores are hidden from the Inbox (S-52); `own_states` journals it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.values import Fields
from memtui.workspace.db.models import ViewState

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_NAME = "inbox later"  # the name under which the moments are kept
_UNTIL = "snoozed_until"


def snoozed(ctx: Context, now: float) -> Mapping[tuple[int, str], float]:
    """Return until when findings are hidden, by the store's id and the code."""
    found: dict[tuple[int, str], float] = {}
    for key, until in _kept(ctx).items():
        id, _, code = key.partition("\n")
        if until > now and id.isdigit():
            found[int(id), code] = until
    return found


def until(moment: float) -> Fields:
    """Return the fields of a finding that is snoozed until a moment (Unix seconds)."""
    return {_UNTIL: moment}


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of a store's finding of the code `key`."""
    moment = _kept(ctx).get(f"{store_id}\n{key}")
    return {} if moment is None else {_UNTIL: moment}


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them."""
    kept = _kept(ctx)
    kept.pop(f"{store_id}\n{key}", None)
    if fields:
        kept[f"{store_id}\n{key}"] = fields[_UNTIL]
    ctx.db.write(ViewState.insert(name=_NAME, value=json.dumps(kept)).on_conflict_replace())


def _kept(ctx: Context) -> dict[str, float]:
    row = ctx.db.find(ViewState, _NAME)
    return dict(json.loads(row.value)) if row is not None else {}
