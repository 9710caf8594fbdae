"""Which values a person said are no secrets (S-62); `own_states` journals it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.secrets import false_positives, masking
from memtui.values import Fields
from memtui.workspace.db.models import ViewState

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_NAME = "no secrets"  # the name under which their digests are kept, with what they were found as
_KIND = "secret"


def load(ctx: Context) -> None:
    """Use those of this workspace from now on."""
    if false_positives.use(_kept(ctx)):
        masking.forget()


def found_as(kind: str) -> Fields:
    """Return the fields of a value that was found as a secret of a kind."""
    return {_KIND: kind}


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the value with the digest `key`."""
    kind = _kept(ctx).get(key)
    return {} if kind is None else {_KIND: kind}


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them, and have all memories searched again."""
    kept = _kept(ctx)
    kept.pop(key, None)
    if fields:
        kept[key] = fields[_KIND]
    ctx.db.write(ViewState.insert(name=_NAME, value=json.dumps(kept)).on_conflict_replace())
    ctx.db.run("INSERT OR IGNORE INTO secret_queue (memory_id) SELECT id FROM memories")
    load(ctx)


def _kept(ctx: Context) -> dict[str, str]:
    row = ctx.db.find(ViewState, _NAME)
    return dict(json.loads(row.value)) if row is not None else {}
