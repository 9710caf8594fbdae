"""Reverting one journal entry as one change, in whole or as far as possible (S-51)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from memtui.errors import Refused
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import outbox, wording, wording_undo
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.own_records import own_states
from memtui.workspace.changes.revert import agent
from memtui.workspace.changes.revert.items import ItemInEffect, build_items, items_in_effect
from memtui.workspace.changes.summaries import require_done
from memtui.workspace.context import Context
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Checkpoint, JournalEntry
from memtui.workspace.journal.entries import BY_OTHERS, OVERWRITTEN
from memtui.workspace.journal.history import REDO, UNDO, is_undoable
from memtui.workspace.journal.items import IN_STORE

ALL_OR_NOTHING = (
    "resolved",
    "retied",
    "split",
)  # kinds of entries that are reverted as a whole or not at all
# A memory that was added together with the end of those that it supersedes. One query over the outbox.
_ADDED = "added"
_WHOLE = (
    "SELECT 1 FROM journal_items i JOIN outbox o ON o.item_id = i.id "
    "WHERE i.journal_id = ? AND o.plan ->> '$.whole' LIMIT 1"
)
_ROLLBACK_ACTOR = "rule:all-or-nothing"
# Codes of temporary refusals: they say nothing about the entry itself, which remains the next to be undone.
TRANSIENT = frozenset({"busy", "unsettled", "overtaken", "closing", "disk-full", "io"})
# A join of the outbox with the journal: a part of the entry, or of its undo, that is not settled.
_OPEN_STORE = (
    "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    "WHERE (i.journal_id = ?1 OR i.journal_id IN (SELECT id FROM journal WHERE undoes = ?1)) "
    "AND o.state IN ('intended', 'waiting') LIMIT 1"
)
# The marks of entries about these memories whose undo was refused: what was in the way may be undone now, as
# parts of two changes may alternate, so that neither is the newer one for all memories.
_IN_ITS_WAY = (
    "SELECT name FROM checkpoints WHERE name GLOB 'refused:*' AND entry_id IN (SELECT i.journal_id "
    "FROM journal_items i WHERE i.memory_id IN (SELECT value FROM json_each(?)))"
)


def revert_entry(ctx: Context, entry_id: int) -> Change:
    """Revert what is in effect of an entry; raise Refused if nothing of it can be reverted."""
    entry = ctx.db.find(JournalEntry, entry_id)
    if entry is None:
        raise wording_undo.no_entry(entry_id)
    if not is_undoable(entry.kind, entry.actor):
        from_backup = entry.kind in BY_OTHERS
        reason = wording_undo.FROM_BACKUP if from_backup else wording_undo.NO_MEMORY_CHANGED
        raise wording_undo.not_undoable(
            entry.summary, reason, wording_undo.SEE_BACKUPS if from_backup else ""
        )
    in_effect = items_in_effect(ctx, entry_id)
    if not in_effect:
        raise wording_undo.undone_already(entry.summary)
    is_redo = entry.kind in (UNDO, OVERWRITTEN)
    kind, verb = (REDO, wording_undo.REDONE) if is_redo else (UNDO, wording_undo.UNDONE)
    if own_states.is_one(in_effect):
        summary = wording_undo.undo_summary(verb, summary_of_change(ctx, entry_id))
        return own_states.revert(ctx, entry_id, kind, summary, in_effect)
    items, skipped, replan = _build(ctx, entry, in_effect)
    if (since := _may_be_in_the_way_of(in_effect, items)) and ctx.give_way(since):
        items, skipped, replan = _build(ctx, entry, in_effect)
    if whole := _is_all_or_nothing(ctx, entry):
        _require_all(ctx, entry_id, items, skipped)
    live = [item for item in items if item.refused is None]
    if not live:
        raise _refusal(items, skipped)
    summary = summary_of_change(ctx, entry_id)
    total = _memories_in(ctx, entry_id)
    if len(live) == len(in_effect) and (part := _memories_of(live)) < total:
        summary = wording_undo.only_done_part(summary, part, total)
    elif len(live) < len(in_effect):
        summary = wording_undo.only_unchanged_part(summary, len(live), len(in_effect))
    outcome = outbox.run(ctx, kind, wording_undo.undo_summary(verb, summary), live, entry_id, replan)
    if whole:
        ensure_all_or_nothing(ctx, outcome)
    change = change_of(kind, wording_undo.undo_summary(verb, summary), outcome, skipped, items)
    with (
        suppress(Refused, OSError),
        translate_errors(ctx.path),
    ):  # done, even if the workspace cannot be written
        freed = ctx.db.rows(_IN_ITS_WAY, (json.dumps(change.ids),))
        marks = [refusal_mark(entry_id), *(name for (name,) in freed)]
        ctx.db.write(Checkpoint.delete().where(Checkpoint.name.in_(marks)))
    return change


def _build(
    ctx: Context, entry: JournalEntry, in_effect: Sequence[ItemInEffect]
) -> tuple[list[ChangeItem], list[Skipped], outbox.Replan]:
    if entry.kind in BY_OTHERS:
        return agent.build_items(ctx, in_effect)
    return build_items(ctx, in_effect, entry.kind)


def _may_be_in_the_way_of(in_effect: Sequence[ItemInEffect], items: Sequence[ChangeItem]) -> dict[int, int]:
    """Return the memories that rules may have done something to since, each with the item after which that
    is: those that cannot be reverted as they are, and those that leave, as what a rule did for them goes with
    them."""
    free = {
        item.undoes_item for item in items if item.refused is None and item.after.get(IN_STORE) is not False
    }
    return {
        each.memory_id: max(each.item_id, each.effective_item)
        for each in in_effect
        if each.item_id not in free
    }


def refusal_mark(entry_id: int) -> str:
    """Return the name of the checkpoint of an entry whose undo was refused."""
    return f"refused:{entry_id}"


def summary_of_change(ctx: Context, entry_id: int) -> str:
    """Return the summary of the change that an entry made, undid or redid, and how much of it that was."""
    first = entry = ctx.db.find(JournalEntry, entry_id)
    while entry is not None and entry.kind in (UNDO, REDO, OVERWRITTEN) and entry.undoes is not None:
        entry = ctx.db.find(JournalEntry, entry.undoes)  # each leads to an older one
    if first is None or entry is None:
        return wording.A_CHANGE
    summary, total = str(entry.summary), _memories_in(ctx, entry.id)
    part = _memories_in(ctx, entry_id) if first.kind != OVERWRITTEN else total
    return wording_undo.only_done_part(summary, part, total) if part < total else summary


def _memories_in(ctx: Context, entry_id: int) -> int:
    """Return how many memories an entry is about: a move of one has two items."""
    sql = "SELECT count(*) - count(pair) FROM journal_items WHERE journal_id = ?"
    return int(ctx.db.one(sql, (entry_id,)))


def _memories_of(items: Sequence[ChangeItem]) -> int:
    """Return how many memories these items are about."""
    return sum(item.counterpart is None for item in items)


def change_of(
    kind: str, summary: str, outcome: Outcome, skipped: Sequence[Skipped], items: Sequence[ChangeItem]
) -> Change:
    """Return the result of an undo or redo; raise the first refusal if nothing was done."""
    done = require_done(outcome)
    left = [
        Skipped(item.row.memory.uid, "", item.refused.code, item.refused.message)
        for item in items
        if item.refused is not None and item.row is not None
    ]
    ids = tuple(item.memory_id for item in done)
    return Change(kind, ids, summary + outcome.pending_note, outcome.entry_id, (*skipped, *left))


def _refusal(items: Sequence[ChangeItem], skipped: Sequence[Skipped]) -> Refused:
    """Return why nothing of an entry can be reverted."""
    refused = [item.refused for item in items if item.refused is not None]
    if len(items) == 1 and not skipped and refused:
        return refused[0]
    reasons = [*(refusal.message for refusal in refused), *(each.reason for each in skipped), ""]
    return wording_undo.not_undone(_code(refused), reasons[0])


def _code(refused: Sequence[Refused]) -> str:
    return next((each.code for each in refused if each.code in TRANSIENT), "changed-since")


# -- entries of several stores


def _is_all_or_nothing(ctx: Context, entry: JournalEntry) -> bool:
    """Return whether an entry, or what it undoes, is one that is reverted only as a whole."""
    while entry.undoes is not None:
        entry = ctx.db.get(JournalEntry, entry.undoes)
    return entry.kind in ALL_OR_NOTHING or bool(entry.kind == _ADDED and ctx.db.one(_WHOLE, (entry.id,)))


def _require_all(
    ctx: Context, entry_id: int, items: Sequence[ChangeItem], skipped: Sequence[Skipped]
) -> None:
    """Raise Refused unless all of an entry can be reverted, and all of it is known to be in effect."""
    if ctx.db.one(_OPEN_STORE, (entry_id,)):
        raise wording_undo.store_unsettled()
    for item in items:
        item.all_or_nothing = True
    refused = [item.refused for item in items if item.refused is not None]
    reasons = [each.reason for each in skipped] + [refusal.message for refusal in refused]
    if reasons:
        raise wording_undo.not_undone(_code(refused), reasons[0])


def ensure_all_or_nothing(ctx: Context, outcome: Outcome) -> None:
    """Raise Refused if one store refused its part of an all-or-nothing change, after rolling back the parts
    of the others."""
    refused = [item.refused for item in outcome.items if item.refused is not None]
    if not refused:
        return
    first = next((each for each in refused if each.code != "needs"), refused[0])
    ctx.stale |= {item.store.id for item in outcome.items}
    try:
        roll_back(ctx, outcome.entry_id)
    finally:
        outbox.mark_refused(ctx, outcome.items, rolled_back=True)
    raise first


def roll_back(ctx: Context, entry_id: int) -> None:
    """Revert what was done of an all-or-nothing entry; raise Refused if that fails."""
    in_effect = items_in_effect(ctx, entry_id)
    if not in_effect:
        return
    entry = ctx.db.get(JournalEntry, entry_id)
    items, skipped, replan = build_items(ctx, in_effect, entry.kind)
    reason = next((each.reason for each in skipped), "")
    if items:
        summary = wording_undo.undo_summary(wording_undo.UNDONE, entry.summary)
        outcome = outbox.run(ctx, UNDO, summary, items, entry_id, replan, actor=_ROLLBACK_ACTOR)
        refused = [item.refused for item in outcome.items if item.refused is not None]
        reason = next((refusal.message for refusal in refused), reason)
    if reason:
        raise wording_undo.half_done(reason)
