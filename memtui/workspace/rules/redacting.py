"""Redacting what rules want redacted, for good; what was refused is not tried over and over (S-60, S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.results import ErasureResult
from memtui.memory.rules.rule import REDACT
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.changes.revert.entry import TRANSIENT
from memtui.workspace.context import NATIVE
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import RuleException
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.rules import wording
from memtui.workspace.rules.writing import Wanted, as_rule
from memtui.workspace.secrets.found import SUSPECT
from memtui.workspace.secrets.sweep import TEXTS
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_AMONG = "IN (SELECT value FROM json_each(?))"
_SUSPECTS = f"SELECT m.id FROM memories m WHERE m.id {_AMONG} AND {SUSPECT.format('m.id')}"
_TEXTS = f"SELECT id, {', '.join(TEXTS)} FROM memories WHERE id {_AMONG}"
_REFUSED = (
    "SELECT e.memory_id, e.rule_id, e.held, r.is_on FROM rule_exceptions e "
    f"LEFT JOIN rules r ON r.id = e.rule_id WHERE e.action = '{REDACT}' AND e.memory_id {_AMONG}"
)
_LATER = TRANSIENT | {"conflict", "changed"}  # codes of refusals that a later try may not meet


def secrets_of(ctx: Context, ids: Collection[int]) -> dict[int, int]:
    """Return how many secrets a redaction would replace in each of these memories, where it can and there is
    any."""
    from memtui.workspace.maintenance.redact import judging

    suspects = [row[0] for row in ctx.db.rows(_SUSPECTS, (json.dumps(list(ids)),))]
    stores = store_rows.by_id(ctx.db)
    counts = {
        row.id: len({value for values in judging.held(row).values() for value in values})
        for row in memory_rows.load(ctx.db, suspects)
        if _can_redact(row, stores[row.store_id])
    }
    return {id: count for id, count in counts.items() if count}


def _can_redact(row: MirrorRow, store: StoreRow) -> bool:
    """Return whether a store is written at all, and its format redacts: neither depends on the memory, so it
    is looked at each time."""
    adapter_class = adapter_class_of(store)
    return (
        (adapter_class is None or adapter_class.redactable_fields is not None)
        and not catalog.locked_reason(store)
        and (store.format == NATIVE or store.detached_at is None)
    )


def redact(ctx: Context, wanted: Sequence[Wanted]) -> tuple[set[int], set[int]]:
    """Redact memories that have a secret; return those that were, and those to try again soon. One that is
    refused for what it is itself is not tried again until it changes."""
    having = secrets_of(ctx, [each.memory_id for each in wanted]) if wanted else {}
    by_rule: dict[int, list[Wanted]] = {}
    for each in wanted:
        if each.memory_id in having:
            by_rule.setdefault(each.rule.id, []).append(each)
    done, later = set[int](), set[int]()
    for group in by_rule.values():
        ids = [each.memory_id for each in group]
        marks, left = _marks(ctx, ids), dict[int, Refused]()
        done |= _redact(ctx, group[0].rule.name, ids, left, later)
        again = {id for id, refusal in left.items() if refusal.code in _LATER}
        _note_refused(ctx, group[0].rule.id, {id: marks[id] for id in left.keys() - again - done})
        later |= again
    return done, later


def _redact(
    ctx: Context, rule: str, ids: Sequence[int], left: dict[int, Refused], later: set[int]
) -> set[int]:
    """Redact memories and return those that were; `left` gets those that cannot be, `later` those to try
    again soon. Where a store as a whole is to blame, those of the others are redacted all the same."""
    from memtui.workspace.maintenance.redact import redact

    by_rule = as_rule(ctx, rule)
    try:
        result = redact.redact(by_rule, ids, left=left)
    except (Refused, OSError) as error:
        code = error.code if isinstance(error, Refused) else "io"
        if code == "half":  # its stores are written; the next change does what is left
            return set(ids) - left.keys()
        stores: dict[int, list[int]] = {}
        for row in memory_rows.load(ctx.db, [id for id in ids if id not in left]):
            stores.setdefault(row.store_id, []).append(row.id)
        if len(stores) > 1:
            return {id for part in stores.values() for id in _redact(ctx, rule, part, left, later)}
        later |= {id for part in stores.values() for id in part if code in _LATER}
        return set()
    _journal_rest(by_rule, rule, result)
    return set(result.ids)


def _journal_rest(ctx: Context, rule: str, result: ErasureResult) -> None:
    """Journal where the values still are, which whoever redacts by hand is told."""
    rest = wording.still_there(rule, [each.id for each in result.backups], result.notes)
    if rest:
        with ctx.db.atomic():
            entries.add(ctx, ctx.actor, "redacted", rest, [])


def _note_refused(ctx: Context, rule_id: int, marks: Mapping[int, str]) -> None:
    names = ("memory_id", "rule_id", "action", "held")
    rows = [(id, rule_id, REDACT, mark) for id, mark in marks.items()]
    ctx.db.insert_many(RuleException, names, rows, replace=True)


def forget_refused(ctx: Context, ids: Iterable[int]) -> None:
    """Forget what was refused in memories that changed since, and to rules that are off."""
    kept = ctx.db.rows(_REFUSED, (json.dumps(list(ids)),))
    if not kept:
        return
    now = _marks(ctx, [row[0] for row in kept])
    gone = [(id, rule_id, REDACT) for id, rule_id, mark, is_on in kept if not is_on or now.get(id) != mark]
    ctx.db.delete_many(RuleException, ("memory_id", "rule_id", "action"), gone)


def _marks(ctx: Context, ids: Sequence[int]) -> dict[int, str]:
    """Return for each memory what is another one once a text of it changes."""
    rows = ctx.db.rows(_TEXTS, (json.dumps(list(ids)),))
    return {
        id: blake2b(repr(texts).encode("utf-8", "replace"), digest_size=16).hexdigest() for id, *texts in rows
    }
