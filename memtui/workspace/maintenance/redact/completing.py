"""The last part of a redaction: the values leave memtui, and the backups that were accepted for it (S-62)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Backup
from memtui.values import JsonObject
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.maintenance.purge.erase import wipe
from memtui.workspace.maintenance.purge.holding_backups import backups_with
from memtui.workspace.maintenance.purge.plan import ensure_settled
from memtui.workspace.maintenance.redact import plan, unfinished, wording
from memtui.workspace.maintenance.redact.erase import erase
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import backups


def complete(
    ctx: Context, name: str, ids: Sequence[int], redacted: Replacements, *, with_backups: bool
) -> tuple[tuple[Backup, ...], int, list[str]]:
    """Take the values out of memtui, whose stores have them no more; return the backups that still have one,
    how many were deleted, and notes. `name` is that of the redaction in `unfinished`."""
    holding = backups_with(ctx, list(redacted.values))
    doomed = [each.id for each in holding] if with_backups else []
    with ctx.db.atomic():
        lost, others = erase(ctx, ids, redacted)
        name = unfinished.set_erased(ctx, name, doomed)
    notes = [wording.not_undoable(lost)] if lost else []
    notes += [wording.others_hold(others)] if others else []
    ctx.on_step("after erasing")
    deleted, more = _clear_up(ctx, name, doomed)
    return (() if with_backups else holding), deleted, [*notes, *more]


def finish(ctx: Context, name: str, kept: JsonObject) -> list[str]:
    """Do what is left of an interrupted redaction, as `unfinished` kept it; return what there is to say."""
    by_id = {int(id): Replacements(values) for id, values in kept.get("values", {}).items()}
    if not by_id:
        _, notes = _clear_up(ctx, name, kept["delete"])
        return notes or [wording.finished()]
    rows = {row.id: row for row in memory_rows.load(ctx.db, list(by_id))}
    ensure_settled(ctx, list(rows.values()))
    stores = store_rows.by_id(ctx.db)
    done = [
        id
        for id, redacted in by_id.items()
        if id not in rows or not plan.fields_of(ctx, rows[id], stores[rows[id].store_id], redacted)
    ]
    if not done:  # it had not begun
        unfinished.end(ctx, name)
        return []
    values = {old: new for id in done for old, new in by_id[id].values.items()}
    with_backups = bool(kept["with_backups"]) and len(done) == len(by_id)
    left, _, notes = complete(ctx, name, done, Replacements(values), with_backups=with_backups)
    held = [wording.backups_hold([each.id for each in left])] if left else []
    return [wording.finished(), *notes, *held, wording.CHANGE_KEY]


def _clear_up(ctx: Context, name: str, doomed: Sequence[str]) -> tuple[int, list[str]]:
    """Delete backups and empty what the workspace does not use; return how many were deleted, and notes."""
    present = {each.id for each in backups.listed(ctx)}
    deleted = backups.delete(ctx, [id for id in doomed if id in present])
    notes = wipe(ctx, (), wording.WIPED_AT_START)
    if notes:
        unfinished.set_erased(ctx, name, ())
    else:
        unfinished.end(ctx, name)
    return deleted, notes
