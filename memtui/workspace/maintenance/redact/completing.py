"""The last part of a redaction: the values leave memtui, and the backups that were accepted for it (S-62)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.formats.media.files.store import FileStore
from memtui.memory.secrets import personal_data
from memtui.memory.secrets.redaction import Replacements, placeholder
from memtui.memory.stores import Backup
from memtui.values import JsonObject
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import wiping
from memtui.workspace.maintenance.purge.holding_backups import backups_with
from memtui.workspace.maintenance.purge.plan import ensure_settled
from memtui.workspace.maintenance.redact import places, plan, unfinished, wording
from memtui.workspace.maintenance.redact.erase import erase
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import backups

_PERSONAL = frozenset(map(placeholder, personal_data.KINDS))  # what takes the place of what cannot be changed


def complete(
    ctx: Context,
    name: str,
    ids: Sequence[int],
    redacted: Replacements,
    stores: Iterable[StoreRow],
    *,
    with_backups: bool,
) -> tuple[tuple[Backup, ...], int, list[str]]:
    """Take the values out of memtui, whose `stores` have them no more; return the backups that still have
    one, how many were deleted, and notes. `name` is that of the redaction in `unfinished`."""
    holding = backups_with(ctx, [*redacted.values, *redacted.names])
    doomed = [each.id for each in holding] if with_backups else []
    with ctx.db.atomic():
        lost, others, stopped = erase(ctx, ids, redacted, databases(stores))
        name = unfinished.set_erased(ctx, name, doomed)
    notes = [wording.not_undoable(lost)] if lost else []
    notes += [wording.rules_stopped(stopped)] if stopped else []
    traced = places.traced_in_others(ctx, ids, redacted)
    others = [uid for uid in others if uid not in traced]
    notes += [wording.others_hold(others)] if others else []
    notes += [wording.others_have_trace(traced)] if traced else []
    ctx.on_step("after erasing")
    deleted = _delete(ctx, name, doomed)
    return (() if with_backups else holding), deleted, [*notes, *wiping.wipe(ctx)]


def finish(ctx: Context, name: str, kept: JsonObject) -> list[str]:
    """Do what is left of an interrupted redaction, as `unfinished` kept it; return what there is to say."""
    by_id = unfinished.redactions(kept)
    if not by_id:
        _delete(ctx, name, kept["delete"])
        return wiping.wipe(ctx) or [wording.finished()]
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
    redacted = Replacements.of([by_id[id] for id in done])
    written = {rows[id].store_id: stores[rows[id].store_id] for id in done if id in rows}
    with_backups = bool(kept["with_backups"]) and len(done) == len(by_id)
    left, _, notes = complete(ctx, name, done, redacted, written.values(), with_backups=with_backups)
    held = [wording.backups_hold([each.id for each in left])] if left else []
    return [wording.finished(), *notes, *held, *to_change(redacted)]


def to_change(redacted: Replacements) -> list[str]:
    """Return what to do about the values themselves; personal data cannot be changed."""
    keys = sum(new not in _PERSONAL for new in redacted.values.values())
    return [wording.change_now(keys)] if keys else []


def databases(stores: Iterable[StoreRow]) -> list[int]:
    """Return the ids of those stores that are databases."""
    written = {store.id: adapter_class_of(store) for store in stores}
    return [id for id, each in written.items() if each is not None and not issubclass(each, FileStore)]


def _delete(ctx: Context, name: str, doomed: Sequence[str]) -> int:
    """Delete backups, by which a redaction is done but for unused pages; return how many."""
    present = {each.id for each in backups.listed(ctx)}
    deleted = backups.delete(ctx, [id for id in doomed if id in present])
    unfinished.end(ctx, name)
    return deleted
