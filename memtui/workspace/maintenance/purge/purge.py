"""Purging: a memory leaves its store, then its text is erased from all that memtui keeps (S-50).

The store comes first, as a unit like any other: if the process dies in between, the memory is only in the
workspace, and a second purge erases the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from memtui.errors import Refused
from memtui.memory.results import ErasureResult
from memtui.memory.stores import Backup
from memtui.values import FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from memtui.workspace.changes.change_item import Outcome
from memtui.workspace.changes.wording import count_of
from memtui.workspace.context import Context
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.journal.items import decode_body
from memtui.workspace.maintenance import wiping
from memtui.workspace.maintenance.purge import erase, leftovers, plan, wording
from memtui.workspace.maintenance.purge.holding_backups import backups_with
from memtui.workspace.maintenance.purge.matching import RUN
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow


def purge(ctx: Context, ids: Sequence[int], control: JobControl | None = None) -> ErasureResult:
    """Erase memories permanently; raise Refused, with nothing erased, if a store cannot be written.

    They leave their stores in parts, between which `control` can stop it. What has left its store by then is
    erased from memtui in one go, which cannot be stopped; the others stay as they are."""
    ctx.writable()
    rows = memory_rows.load(ctx.db, ids)
    if not rows:
        raise wording.no_such_memory()
    plan.ensure_settled(ctx, rows)
    items = plan.plan_items(ctx, rows)
    texts_by_id = {row.id: _texts_of(ctx, row) for row in rows}
    staying = leftovers.side_records(ctx, [row.id for row in rows])
    summary = wording.summary(count_of(len(items), len(items)), [item.store.name for item in items])
    again = partial(plan.reread, ctx)
    steps = parts.Steps("purged", summary, lambda part: None, None, again)
    outcome, unreached = parts.carry_out(ctx, steps, [[item] for item in items], control, parts.text_bond)
    if not outcome.done:
        refusal = outcome.items[0].refused
        assert refusal is not None
        raise refusal
    if outcome.pending_reason:
        raise _incomplete(outcome, outcome.pending_reason)
    purged = [item.memory_id for item in outcome.done]
    ctx.on_step("before erasing")
    left: dict[str, list[str]] = {}
    for item in outcome.items:
        if item.refused is not None and item.row is not None:
            left.setdefault(item.refused.reason, []).append(item.row.memory.uid)
    notes = [wording.left(uids, reason) for reason, uids in left.items()]
    notes += [*leftovers.elsewhere(ctx, purged, outcome.done), *staying]
    texts = [text for id in purged for text in texts_by_id[id][0]]
    incidental = [text for id in purged for text in texts_by_id[id][1]]
    try:
        with translate_errors(ctx.path):
            others = erase.erase(ctx, purged, texts, incidental)
    except (Refused, OSError) as error:
        raise _incomplete(outcome, unwritable(error)) from error
    notes += [wording.others_not_undoable(others)] if others else []
    ctx.on_step("after erasing")
    notes += wiping.wipe(ctx, purged)
    total = len(purged) + unreached
    count = count_of(len(purged), total, stopped=unreached > 0)
    summary = wording.summary(count, [item.store.name for item in outcome.done])
    return ErasureResult(tuple(purged), summary, backups_with(ctx, texts), tuple(notes), unreached)


def _incomplete(outcome: Outcome, reason: str) -> Refused:
    """Return the refusal of a purge that did not reach the workspace."""
    stores = dict.fromkeys(item.store.name for item in outcome.done if item.plan is not None)
    return wording.incomplete(list(stores), reason)


def backups_holding(ctx: Context, ids: Sequence[int]) -> tuple[Backup, ...]:
    """Return the backups that contain a present or former text of these memories."""
    rows = memory_rows.load(ctx.db, ids)
    return backups_with(ctx, [text for row in rows for text in _texts_of(ctx, row)[0]])


def _texts_of(ctx: Context, row: MirrorRow) -> tuple[list[str], list[str]]:
    """Return the texts that a memory has, and had as far as the journal knows; and what was only stored with
    them and is no sentence (an author, a time), since many memories share it."""
    bodies = ctx.db.rows(
        "SELECT before, after FROM bodies "
        "WHERE item_id IN (SELECT id FROM journal_items WHERE memory_id = ?)",
        (row.id,),
    )
    versions = [{name: getattr(row.memory, name) for name in plan.WORDS}]
    versions += [decode_body(body) for sides in bodies for body in sides]
    texts = [
        text
        for fields in versions
        for name in (*plan.TEXTS, *plan.LISTS)
        for text in _strings(fields.get(name))
    ]
    extra = [text for fields in versions for text in _strings(fields.get("extra"))]
    texts += [text for text in extra if len(text.split()) >= RUN]
    texts = list(dict.fromkeys(text for text in texts if text.strip()))
    return texts, [text for text in dict.fromkeys(extra) if text.strip() and text not in texts]


def _strings(value: FieldValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [text for each in value for text in _strings(each)] if isinstance(value, (list, tuple)) else []
