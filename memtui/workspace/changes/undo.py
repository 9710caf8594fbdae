"""Undo and redo: which journal entry is meant (S-51). `revert` takes it back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.errors import NotUndone, Refused
from memtui.memory.results import Change
from memtui.workspace.changes import wording_undo
from memtui.workspace.changes.revert.entry import TRANSIENT, refusal_mark, revert_entry, summary_of_change
from memtui.workspace.context import Context
from memtui.workspace.db.models import Checkpoint, JournalEntry
from memtui.workspace.journal.entries import OVERWRITTEN
from memtui.workspace.journal.history import REDO, UNDO, VERBS

# Kinds of entries that cannot be undone.
FINAL = (
    "rebuilt",
    "purged",
    "redacted",
    "restored-backup",
    "attached",
    "detached",
    "renamed",
    "locked",
    "unlocked",
)

# Each of these queries joins the journal with the states of its items.
# The user's newest entry of some kinds that is in effect; those whose undo was refused are checkpoints.
_NEWEST = """
SELECT j.id FROM journal j
WHERE j.actor = 'person' AND j.kind IN (SELECT value FROM json_each(?)) AND EXISTS (
    SELECT 1 FROM journal_items i JOIN item_states st ON st.item_id = i.id
    WHERE i.journal_id = j.id AND st.state = 'done' AND st.undone_by IS NULL)
AND j.id {}IN (SELECT entry_id FROM checkpoints WHERE name GLOB 'refused:*') ORDER BY j.id DESC LIMIT 1
"""
# The user's newest entry after another that cannot be undone, or was overwritten. One that had no effect does
# not count; most have no items.
_NEWER_FINAL = (
    f"SELECT id, summary, kind IN {FINAL} FROM journal j WHERE id > ? AND actor = 'person' "
    f"AND (kind IN {FINAL} OR EXISTS (SELECT 1 FROM journal o WHERE o.undoes = j.id AND o.kind = ?)) "
    "AND coalesce((SELECT max(st.state = 'done') FROM journal_items i JOIN item_states st "
    "ON st.item_id = i.id WHERE i.journal_id = j.id), 1) ORDER BY id DESC LIMIT 1"
)
_NEWER_CHANGE = (
    "SELECT 1 FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    "JOIN item_states st ON st.item_id = i.id "
    f"WHERE j.id > ? AND j.actor = 'person' AND j.kind IN {VERBS} AND st.state = 'done' LIMIT 1"
)


def undo(ctx: Context, entry_id: int | None = None, *, warn: bool = False) -> Change:
    """Undo an entry, or the user's newest change that is not undone.

    A change whose undo was refused is skipped from then on, so that it does not block those before it; it can
    still be undone by its id. With `warn`, a change that is older than one that cannot be undone is undone
    only on the second request."""
    if entry_id is not None:
        return revert_entry(ctx, entry_id)
    newest = _newest(ctx, VERBS)
    if newest is None:
        raise _nothing(ctx, "undo", VERBS, wording_undo.SEE_JOURNAL)
    if warn:
        _warn(ctx, newest)
    return _revert_or_skip(ctx, newest, UNDO, VERBS)


def redo(ctx: Context) -> Change:
    """Redo what the newest undo reversed, unless something else was changed since."""
    entry_id = _newest(ctx, [UNDO])
    newer = ctx.db.one(_NEWER_CHANGE, (entry_id or 0,))
    if entry_id is None:
        raise _nothing(ctx, "redo", [UNDO], wording_undo.SEE_JOURNAL)
    if newer:
        raise wording_undo.redo_outdated()
    return _revert_or_skip(ctx, entry_id, REDO, [UNDO])


def _newest(ctx: Context, kinds: Sequence[str]) -> int | None:
    """Return the user's newest entry of these kinds that is in effect and whose undo was not refused."""
    found = ctx.db.one(_NEWEST.format("NOT "), (json.dumps(kinds),))
    return None if found is None else int(found)


def _nothing(ctx: Context, verb: str, kinds: Sequence[str], hint: str) -> Refused:
    refused = ctx.db.one(_NEWEST.format(""), (json.dumps(kinds),))
    return wording_undo.nothing(verb, refused, hint)


def _revert_or_skip(ctx: Context, entry_id: int, done: str, kinds: Sequence[str]) -> Change:
    """Revert an entry; if that is refused, say which one is next."""
    try:
        return revert_entry(ctx, entry_id)
    except Refused as refusal:
        if refusal.code in TRANSIENT:
            raise
        mark = Checkpoint.insert(name=refusal_mark(entry_id), entry_id=entry_id, at=ctx.clock())
        ctx.db.write(mark.on_conflict_replace())
        older = _newest(ctx, kinds)
        then = None if older is None else (older, summary_of_change(ctx, older))
        asked = entry_id, summary_of_change(ctx, entry_id)
        raise skipped_refusal(refusal, asked, done, then) from refusal


def skipped_refusal(
    refusal: Refused, asked: tuple[int, str], done: str, older: tuple[int, str] | None
) -> Refused:
    """Return a refusal that names the entry asked for and the one that comes next, each given as its id and
    the summary of the change that it is about."""
    entry_id, summary = asked
    return wording_undo.skipped_refusal(
        refusal.code,
        summary,
        done,
        refusal.reason if isinstance(refusal, NotUndone) else refusal.message,
        entry_id,
        older[1] if older is not None else None,
        {**refusal.detail, "line": entry_id, "next": older and older[0]},
    )


def _warn(ctx: Context, entry_id: int) -> None:
    """Raise Refused, once, if the user's newest change is another one, which cannot be undone or was
    overwritten by the agent's program."""
    newer = ctx.db.rows(_NEWER_FINAL, (entry_id, OVERWRITTEN))
    if newer and ctx.warned != newer[0][0]:
        ctx.warned, summary, is_final = newer[0]
        next_summary = ctx.db.get(JournalEntry, entry_id).summary
        if is_final:
            raise wording_undo.newer_final(summary, next_summary)
        raise wording_undo.newer_overwritten(summary, next_summary)
