"""Carrying a change out as one unit: one journal entry, one undo, and nothing half done after a crash (S-7).

A change consists of items, one per memory, in three steps: a first transaction with the journal entry, all
that memtui alone keeps, and an intent for each write to a store; the writes, store by store; and after each
of them a second transaction that brings the receipt into the mirror and settles the intents.

The states of an item (`item_states.state`; an intent has a row in `outbox` with the same state):

    first transaction                    write                      second transaction

    nothing to write ───────────────────────────────────────────▶ done
    cannot be done ─────────────────────────────────────────────▶ refused
    planned ──▶ intended ──┬── applied ─────────────────────────▶ done
                           ├── the store refuses it ────────────▶ refused
                           ├── partly applied, or unknown ──────▶ intended until the next start
                           └── memtui ends here ────────────────▶ intended until the next start
    kept by memtui, but depends on a write of another item:
      all or nothing ──▶ intended (outbox: waiting) ──┬── that was applied ──▶ done
                                                      └── that was refused ──▶ refused
      otherwise ───────▶ failed (*) ──────────────────┴── likewise ──────────▶ done, refused

    next start (reconcile):
    intended ──┬── the store has the change, or a part that can be completed ──▶ done
               ├── the store does not have it, or was changed since ───────────▶ failed
               └── the store cannot be read now ───────────────────────────────▶ intended

(*) In advance, so that an interruption in between leaves the other store as it is: nothing is removed from
one store that has not been added to the other.

Items that are all or nothing may span several stores. Where a later store refuses its part, the refused items
stay intended until the caller has rolled back what was done (`revert.entry.ensure_all_or_nothing`).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.plans import Receipt, WriteState
from memtui.formats.media.files import atomic_write
from memtui.memory.secrets.masking import hidden
from memtui.workspace.changes import intents, preconditions, wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.settlement import settle, settle_waiting
from memtui.workspace.context import NATIVE
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.stores import backups

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_INTERRUPTED = ("io", "disk-full", "partly")  # codes of refusals in the middle of a write
# A write that an agent's writes keep overtaking is retried this often and this long (seconds) at least, with
# a growing pause in between.
ATTEMPTS, PATIENCE, PAUSE = 5, 5.0, 0.02

Replan = Callable[[Sequence[ChangeItem]], None]
"""Plans one store's items again, setting `plan` or `refused` of each."""


def run(
    ctx: Context,
    kind: str,
    summary: str,
    items: Sequence[ChangeItem],
    undoes: int | None = None,
    replan: Replan | None = None,
    on_begun: Callable[[int], None] | None = None,
    actor: str = "",
    later: Sequence[ChangeItem] = (),
) -> Outcome:
    """Carry a change out; refused items are journaled with their reason and change nothing.

    `replan` is called when a store was changed by another program since it was planned: an agent that writes
    all the time invalidates plans that its own records have no part in. `on_begun` is called with the entry's
    id within the first transaction. `later` are journaled as not reached; `carry_on` carries them out.
    """
    lease = ctx.leases.own()
    _prepare_own(ctx, items)
    with ctx.db.atomic():
        preconditions.refuse_changed(ctx, items)
        _link_all_or_nothing(items)
        entry_id = ctx.db.write(
            JournalEntry.insert(
                at=ctx.clock(), actor=actor or ctx.actor, kind=kind, summary=hidden(summary), undoes=undoes
            )
        )
        token = f"{lease}-{entry_id}"
        intents.record(ctx, entry_id, items, lease, token, later)
        if on_begun is not None:
            on_begun(entry_id)
    _write_stores(ctx, entry_id, items, token, replan)
    return Outcome(entry_id, items)


def carry_on(ctx: Context, entry_id: int, items: Sequence[ChangeItem], replan: Replan | None) -> None:
    """Carry out planned items that were journaled as `later`, as another part of their entry."""
    lease = ctx.leases.own()
    _prepare_own(ctx, items)
    token = f"{lease}-{entry_id}-{items[0].item_id}"  # of its own: an interruption cuts off this part alone
    with ctx.db.atomic():
        preconditions.refuse_changed(ctx, items)
        intents.reach(ctx, entry_id, items, lease, token)
    _write_stores(ctx, entry_id, items, token, replan)


def _prepare_own(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Back memtui's own store up, once a day, and read the stores' own values of what memtui keeps."""
    own = next((item.store for item in items if item.store.format == NATIVE and item.refused is None), None)
    if own is not None:
        backups.before_write(ctx, own, None)
    preconditions.read_stored_fields(items)


def _write_stores(
    ctx: Context, entry_id: int, items: Sequence[ChangeItem], token: str, replan: Replan | None
) -> None:
    """Write the plans, store by store, and settle each."""
    for store_id, group in _planned_by_store(items).items():
        group = _ready(ctx, group)
        if not group:
            continue
        ctx.on_step("before the foreign write")
        receipt = _write(ctx, group, token, replan)
        group = [item for item in group if item.refused is None]
        if receipt is None:
            continue
        ctx.on_step("after the foreign write")
        with _settlement(ctx, group):
            settle(ctx, store_id, entry_id, group, receipt)
            dependents = [i for i in items if i.is_waiting and any(i.depends_on is each for each in group)]
            settle_waiting(ctx, entry_id, dependents)
        ctx.on_step("after settling")
    _refuse_waiting(ctx, [item for item in items if item.is_waiting])


def _link_all_or_nothing(items: Sequence[ChangeItem]) -> None:
    """Refuse all items that are all or nothing if one is refused; else have each store's depend on those of
    the store before it, and what memtui alone keeps on the last store."""
    linked = [item for item in items if item.all_or_nothing]
    _refuse_together(linked)
    groups = list(_planned_by_store(linked).values())
    for previous, group in itertools.pairwise(groups):
        for item in group:
            item.depends_on = previous[-1]
    for item in linked:
        if item.plan is None and groups:
            item.depends_on = groups[-1][-1]


def _refuse_together(items: Sequence[ChangeItem]) -> None:
    first = next((item.refused for item in items if item.refused is not None), None)
    if first is None:
        return
    for item in items:
        item.refused = item.refused or wording.dependency_refused(first.message)


@contextmanager
def _settlement(ctx: Context, written: Sequence[ChangeItem]) -> Iterator[None]:
    """The transaction after a write. If the workspace cannot be written now, the write to the store is still
    valid: the intents stay open, and the next start settles them (reconcile.py)."""
    try:
        with translate_errors(ctx.path), ctx.db.atomic():
            yield
    except (Refused, OSError) as error:
        for item in written:
            item.pending_reason = unwritable(error)


def _refuse_waiting(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Refuse items whose dependency was not carried out."""
    for item in items:
        if (refusal := _dependency_refusal(item)) is not None:
            item.refused = refusal
            mark_refused(ctx, [item])


def _ready(ctx: Context, group: Sequence[ChangeItem]) -> list[ChangeItem]:
    """Return the items whose dependency was carried out; the others are refused."""
    ready: list[ChangeItem] = []
    for item in group:
        if (refusal := _dependency_refusal(item)) is None:
            ready.append(item)
            continue
        item.refused = refusal
        mark_refused(ctx, [item])
    return ready


def _dependency_refusal(item: ChangeItem) -> Refused | None:
    """Return why an item cannot be carried out: its dependency was refused, or is not journaled yet."""
    dependency = item.depends_on
    if dependency is None:
        return None
    if dependency.refused is not None:
        return wording.dependency_refused(dependency.refused.message)
    if dependency.pending_reason and not item.all_or_nothing:
        return wording.dependency_pending(dependency.pending_reason)
    return None


def _write(ctx: Context, group: Sequence[ChangeItem], token: str, replan: Replan | None) -> Receipt | None:
    """Write one store's plans, planned again where the store was changed meanwhile; None if it is refused."""
    adapter = group[0].adapter
    assert adapter is not None
    end = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            if not attempt:
                backups.before_write(ctx, group[0].store, adapter)
            return adapter.apply([item.plan for item in group if item.plan is not None], token)
        except (Refused, OSError) as error:
            refusal = error if isinstance(error, Refused) else atomic_write.refusal(error)
        late = attempt >= ATTEMPTS - 1 and time.monotonic() > end
        if refusal.code != "changed" or replan is None or late:
            break
        time.sleep(PAUSE * min(attempt, ATTEMPTS))
        replan(group)
        _refuse_together([item for item in group if item.all_or_nothing])
        with ctx.db.atomic():
            intents.replace_plans(ctx, group)
        group = [item for item in group if item.refused is None]
        if not group:
            return None
    if refusal.code in _INTERRUPTED:
        return _after_interruption(ctx, group, token, refusal)
    _refuse(ctx, group, refusal)
    return None


def _refuse(ctx: Context, group: Sequence[ChangeItem], refusal: Refused) -> None:
    for item in group:
        item.refused = refusal
    mark_refused(ctx, group)


def _after_interruption(
    ctx: Context, group: Sequence[ChangeItem], token: str, refusal: Refused
) -> Receipt | None:
    """Return the receipt of a write that failed midway and is complete all the same, as where only the folder
    could not be synced. A partial write, or one that cannot be judged, stays intended for the next start."""
    adapter, store = group[0].adapter, group[0].store.name
    assert adapter is not None
    plans = [item.plan for item in group if item.plan is not None]
    state = None
    try:
        state = adapter.write_state(plans, token)
        if state is WriteState.AFTER:
            return adapter.finish(plans, token)
    except (Refused, OSError):
        if state is WriteState.AFTER:
            for item in group:
                item.pending_reason = wording.not_read_back(store)
            return None
    if state is None and not any(item.all_or_nothing for item in group):
        still_open = wording.write_unknown(store, refusal.reason)
    elif state is WriteState.PARTLY and not any(item.all_or_nothing for item in group):
        still_open = wording.written_partly(store, refusal.reason)
    else:
        _refuse(ctx, group, refusal)
        return None
    for item in group:
        item.refused = still_open
    return None


def mark_refused(ctx: Context, items: Sequence[ChangeItem], *, rolled_back: bool = False) -> None:
    """Mark refused items as refused; those that are all or nothing only once the change is `rolled_back`.

    If the workspace cannot be written now, the next start finds that the intents came to nothing.
    """
    with _settlement(ctx, ()):
        refused = [
            (item, item.refused.message)
            for item in items
            if item.refused is not None and (rolled_back or not item.all_or_nothing)
        ]
        intents.close(ctx, "refused", refused)


def _planned_by_store(items: Iterable[ChangeItem]) -> dict[int, list[ChangeItem]]:
    groups: dict[int, list[ChangeItem]] = {}
    for item in items:
        if item.plan is not None and item.refused is None:
            groups.setdefault(item.store.id, []).append(item)
    return groups
