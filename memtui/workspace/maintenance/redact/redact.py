"""Redacting: each secret of a memory is replaced in its store, then in all that memtui keeps (S-50, S-62).

The stores come first, as a unit like any other. What is left to do then is known to `unfinished.py`, in case
the process dies in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memtui.errors import Refused
from memtui.formats.media.files import redact_text
from memtui.memory.results import ErasureResult, Redacting
from memtui.memory.secrets import masked
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Backup
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.changes.wording import count_of
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import wiping
from memtui.workspace.maintenance.purge.holding_backups import backups_with
from memtui.workspace.maintenance.purge.plan import ensure_settled
from memtui.workspace.maintenance.redact import (
    completing,
    derived,
    judging,
    names,
    places,
    plan,
    unfinished,
    wording,
)
from memtui.workspace.maintenance.redact.history import REDACTED
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import backups
from memtui.workspace.sync.pull import pull


def preview(ctx: Context, ids: Sequence[int]) -> list[Redacting]:
    """Return what would be redacted in each of these memories, or why it cannot be. Writes nothing."""
    stores = store_rows.by_id(ctx.db)
    out = []
    for row in memory_rows.load(ctx.db, ids):
        held = judging.held(row)
        redacted = _replacements(ctx, row, stores[row.store_id], set())
        reason, backup = wording.no_secret().message if not redacted else "", False
        numbers: tuple[str, ...] = ()
        if redacted:
            item = plan.item_of(ctx, row, stores[row.store_id], redacted)
            if isinstance(item, Refused):
                reason = item.message
            else:
                numbers = _numbers(item, redacted)
                backup = _is_backed_up(ctx, item, redacted)
        kinds = tuple((name, new) for name, values in held.items() for new in values.values())
        label = masked(row.label)
        out.append(Redacting(row.memory.uid, row.memory.store, label, kinds, numbers, reason, backup))
    return out


def redact(
    ctx: Context,
    ids: Sequence[int],
    control: JobControl | None = None,
    with_backups: bool = False,
    left: dict[int, Refused] | None = None,
) -> ErasureResult:
    """Replace each secret of these memories; raise Refused, with nothing done, if none can be redacted.
    `left` gets those that cannot be, by row.

    The stores are written in parts, between which `control` can stop it; what was reached by then is erased
    from memtui in one go, which cannot be stopped. Then backups that have a value are deleted if
    `with_backups`, unless it was stopped."""
    ctx.writable()
    rows = _judged_anew(ctx, ids)
    ensure_settled(ctx, rows)
    is_owed = wiping.is_owed(ctx.db)
    try:
        redactions, items, notes = _items(ctx, rows, left)
    except Refused as nothing:
        if nothing.code != "nothing" or not is_owed:
            raise
        return _finished(ctx)
    summary = wording.summary(count_of(len(items), len(items)), [item.store.name for item in items])
    planned = partial(plan.plan, ctx, redactions)
    steps = parts.Steps(REDACTED, summary, planned, planned, partial(plan.reread, ctx))
    name = unfinished.begin(ctx, redactions, with_backups=with_backups)
    outcome, unreached = parts.carry_out(ctx, steps, [[item] for item in items], control, parts.text_bond)
    if left is not None:
        left |= {item.memory_id: item.refused for item in outcome.items if item.refused is not None}
    if not outcome.done:
        unfinished.end(ctx, name)
        refusal = outcome.items[0].refused
        assert refusal is not None
        raise _with_place(outcome.items[0], refusal, redactions)
    written = [item.store.name for item in outcome.done]
    if outcome.pending_reason:
        raise wording.incomplete(written, outcome.pending_reason)
    ctx.on_step("before erasing")
    for item in outcome.items:
        if item.refused is not None and item.row is not None:
            refusal = _with_place(item, item.refused, redactions)
            notes.append(wording.left(item.row.memory.uid, refusal.message))
    done = [item.memory_id for item in outcome.done]
    moved = names.moved_by(item.plan for item in outcome.done if item.plan is not None)
    redacted = Replacements.of([Replacements({}, moved), *(redactions[id] for id in done)])
    try:
        with translate_errors(ctx.path):
            accepted = with_backups and not unreached
            holding, deleted, more = completing.complete(
                ctx, name, done, redacted, [item.store for item in outcome.done], with_backups=accepted
            )
    except (Refused, OSError) as error:
        raise wording.incomplete(written, unwritable(error)) from error
    notes += [*more, *_places(outcome, redacted)]
    total = len(done) + unreached
    summary = wording.summary(count_of(len(done), total, stopped=unreached > 0), written)
    notes += completing.to_change(redacted)
    return ErasureResult(tuple(done), summary, holding, tuple(notes), unreached, deleted)


def _finished(ctx: Context) -> ErasureResult:
    """Do what an earlier redaction or purge left to do; raise Refused if that is still prevented."""
    if notes := wiping.wipe(ctx):
        raise wording.still_prevented(notes)
    return ErasureResult((), wording.FINISHED_EARLIER)


def backups_holding(ctx: Context, ids: Sequence[int]) -> tuple[Backup, ...]:
    """Return the backups that have one of the secrets of these memories."""
    stores = store_rows.by_id(ctx.db)
    rows = memory_rows.load(ctx.db, ids)
    redacted = Replacements.of([_replacements(ctx, row, stores[row.store_id], set()) for row in rows])
    return backups_with(ctx, [*redacted.values, *redacted.names])


def _judged_anew(ctx: Context, ids: Sequence[int]) -> list[MirrorRow]:
    """Return the memories as their stores have them now."""
    rows = memory_rows.load(ctx.db, ids)
    stores = store_rows.by_id(ctx.db)
    for id in dict.fromkeys(row.store_id for row in rows):
        if stores[id].format != NATIVE and stores[id].detached_at is None:
            pull(ctx, stores[id])
    rows = memory_rows.load(ctx.db, ids)
    if not rows:
        raise wording.no_such_memory()
    return rows


def _replacements(ctx: Context, row: MirrorRow, store: StoreRow, taken: names.Taken) -> Replacements:
    held = {old: new for values in judging.held(row).values() for old, new in values.items()}
    redacted = Replacements({**judging.kept(ctx, row), **held})
    return derived.with_derived(store, names.with_names(ctx, row, store, redacted, taken))


def _items(
    ctx: Context, rows: Sequence[MirrorRow], left: dict[int, Refused] | None
) -> tuple[dict[int, Replacements], list[ChangeItem], list[str]]:
    """Return what is redacted in each memory, the items, and notes about memories that are left; raise the
    first refusal if there are no items."""
    stores = store_rows.by_id(ctx.db)
    redactions: dict[int, Replacements] = {}
    items: list[ChangeItem] = []
    refusals: list[tuple[MirrorRow, Refused]] = []
    taken: names.Taken = set()
    for row in rows:
        redacted = _replacements(ctx, row, stores[row.store_id], taken)
        item = plan.item_of(ctx, row, stores[row.store_id], redacted) if redacted else wording.no_secret()
        if isinstance(item, Refused):
            refusals.append((row, item))
            continue
        redactions[row.id] = redacted
        items.append(item)
    if left is not None:
        left |= {row.id: refusal for row, refusal in refusals}
    if not items:
        raise refusals[0][1]
    return redactions, items, [wording.left(row.memory.uid, each.message) for row, each in refusals]


def _with_place(item: ChangeItem, refusal: Refused, redactions: dict[int, Replacements]) -> Refused:
    """Return a refusal with the line and column of the value, where its file cannot be rewritten."""
    if item.row is None or item.adapter is None or refusal.code in ("conflict", "unparsable"):
        return refusal
    root = item.adapter.root
    path = root / item.row.place if root.is_dir() else root
    try:
        data = path.read_bytes() if path.suffix in (".md", ".json", ".jsonl") else b""
    except OSError:
        return refusal
    at = redact_text.place_of(data, redactions[item.row.id])
    return refusal if at is None else wording.at_place(refusal, path.name, *at)


def _places(outcome: Outcome, redacted: Replacements) -> list[str]:
    notes: list[str] = []
    databases = completing.databases([item.store for item in outcome.done])
    for item in {item.store.id: item for item in outcome.done}.values():
        adapter_class = adapter_class_of(item.store)
        if adapter_class is not None:
            unread, is_database = adapter_class.unread_files, item.store.id in databases
            notes += places.still_holding(item.store, redacted, unread, is_database=is_database)
    return notes


def _numbers(item: ChangeItem, redacted: Replacements) -> tuple[str, ...]:
    """Return the fields of a memory in which a number is a secret, as it is stored."""
    assert item.row is not None
    memory, adapter = item.row.memory, item.adapter
    found = [name for name in ("value", "extra") if _has_number(getattr(memory, name), redacted)]
    if adapter is not None:
        stored = adapter.stored_values(item.row.place)
        found += [name for name, value in stored.items() if _has_number(value, redacted)]
    return tuple(dict.fromkeys(found))


def _is_backed_up(ctx: Context, item: ChangeItem, redacted: Replacements) -> bool:
    """Return whether a redaction of a memory backs its store up first, with the value in it."""
    adapter = item.adapter
    if adapter is None:
        is_written = item.store.format == NATIVE
    else:
        is_written = bool(item.after) or adapter.repeats((item.row and item.row.memory.ref) or "", redacted)
    return is_written and backups.is_due(ctx, item.store, adapter)


def _has_number(value: object, redacted: Replacements) -> bool:
    if isinstance(value, dict):
        return any(_has_number(each, redacted) for each in value.values())
    if isinstance(value, (list, tuple)):
        return any(_has_number(each, redacted) for each in value)
    return isinstance(value, (int, float)) and str(value) in redacted.values
