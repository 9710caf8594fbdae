"""What agents changed since the user last looked, per memory (S-53).

Its queries join entries, items and bodies over a range of the journal, thousands of rows at a time.
"""

from __future__ import annotations

from dataclasses import replace

from memtui.memory.journal import UNREADABLE, AgentActivity, AgentChange
from memtui.memory.memory import EDITABLE, Memory, label_of
from memtui.values import Fields, SqlRow
from memtui.workspace.context import Context
from memtui.workspace.db.models import Checkpoint
from memtui.workspace.journal import memory_names
from memtui.workspace.journal.arrivals import AGENTS, SEEN
from memtui.workspace.journal.entries import OVERWRITTEN
from memtui.workspace.journal.items import IN_STORE, PSEUDO_FIELDS, decode_body, displayed
from memtui.workspace.mirror import memory_rows

MOST = 5_000  # items combined at a time, oldest first; those of one entry are never split
_ENTRIES = f"""
SELECT j.id, (SELECT count(*) FROM journal_items i WHERE i.journal_id = j.id) FROM journal j
WHERE j.id > ? AND {AGENTS} ORDER BY j.id
"""
_STEPS = f"""
SELECT i.memory_id, i.uid, s.name, j.id, j.at, b.before, b.after,
       m.title, m.subject, m.content, m.removed_at, m.status, j.kind, j.actor, j.tool, j.session
FROM journal j
JOIN journal_items i ON i.journal_id = j.id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL
JOIN stores s ON s.id = i.store_id
LEFT JOIN bodies b ON b.item_id = i.id
LEFT JOIN memories m ON m.id = i.memory_id
WHERE j.id > ? AND j.id <= ? AND {AGENTS}
ORDER BY i.id DESC
"""


def activity(ctx: Context) -> AgentActivity:
    """Return one change per memory, combined from all of its steps, newest first."""
    checkpoint = ctx.db.find(Checkpoint, SEEN)
    seen = checkpoint.entry_id if checkpoint is not None else 0
    newest = ctx.db.one("SELECT max(id) FROM journal") or 0
    last = _last(ctx, seen, newest)
    steps: dict[int, list[SqlRow]] = {}
    for row in ctx.db.rows(_STEPS, (seen, last)):
        steps.setdefault(row[0], []).append(row)
    now = {row.id: row.memory for row in memory_rows.load(ctx.db, list(steps))}
    changes = (_change(rows[::-1], now.get(id)) for id, rows in steps.items())
    found = [change for change in changes if change is not None]
    names = memory_names.names(ctx, (side for each in found for side in (each.before, each.after)))
    found = [replace(each, names=names) for each in found] if names else found
    return AgentActivity(found, last, last < newest)


def _last(ctx: Context, seen: int, newest: int) -> int:
    """Return the last entry to include: the newest, or the last before there are more than MOST items."""
    count, last = 0, seen
    for entry_id, steps in ctx.db.rows(_ENTRIES, (seen,)):
        count += steps
        if count > MOST and last > seen:
            return last
        last = entry_id
    return newest


def _change(rows: list[SqlRow], now: Memory | None) -> AgentChange | None:
    """Combine the steps of one memory; an unreadable one yields a change that says so."""
    if any(displayed(before, after)[1] for *_, before, after in (row[:7] for row in rows)):
        id, uid, store, entry_id, at, _, _, title, subject, content, *_, actor, tool, session = rows[-1]
        label = label_of(title, subject, content or "")
        caller = {"actor": actor, "tool": tool, "session": session}
        return AgentChange(id, uid, store, label, UNREADABLE, at, entry_id, {}, {}, **caller)
    change = _combined(rows)
    if change is None or change.kind != "changed" or now is None:
        return change
    return _without_reset(change, now)


def _combined(rows: list[SqlRow]) -> AgentChange | None:
    """Return the net change of several steps; None if there is none."""
    before: Fields = {}
    after: Fields = {}
    for row in rows:
        for name, value in decode_body(row[5]).items():
            before.setdefault(name, value)
        after |= decode_body(row[6])
    id, uid, store, entry_id, at, _, _, title, subject, content, *state = rows[-1]
    removed_at, status, kind, actor, tool, session = state
    existed, exists = before.pop(IN_STORE, True), after.pop(IN_STORE, True)
    if not exists and removed_at is None:
        return None  # restored since
    if not existed and (not exists or removed_at is not None or status == "dismissed"):
        return None  # added and removed again, or dismissed by the user
    what = "added" if not existed else "changed" if exists else "removed"
    differ = [name for name in after if before.get(name) != after[name]]
    if what == "changed" and not differ:
        return None
    return AgentChange(
        memory_id=id,
        uid=uid,
        store=store,
        label=label_of(title, subject, content or ""),
        kind=what,
        at=at,
        entry_id=entry_id,
        before={name: before.get(name) for name in differ},
        after={name: after[name] for name in differ},
        content=content or "",
        overwritten=kind == OVERWRITTEN,
        actor=actor,
        tool=tool,
        session=session,
    )


def _without_reset(change: AgentChange, now: Memory) -> AgentChange | None:
    """Leave out the fields that the user has set back; None if no editable one is left."""
    # Relations and verdicts are not fields of the memory, so they cannot be compared.
    left = [
        name
        for name in change.before
        if name in PSEUDO_FIELDS or getattr(now, name, None) != change.before[name]
    ]
    editable = {*EDITABLE, "status", *PSEUDO_FIELDS}
    if not left or (editable & change.before.keys() and not editable.intersection(left)):
        return None
    before, after = ({name: fields[name] for name in left} for fields in (change.before, change.after))
    return replace(change, before=before, after=after)


def mark_seen(ctx: Context, upto: int | None = None) -> None:
    """Record that the user has seen the journal, up to entry `upto` if given."""
    ctx.writable()
    with ctx.db.atomic():
        entry_id = upto if upto is not None else ctx.db.one("SELECT max(id) FROM journal") or 0
        seen = ctx.db.find(Checkpoint, SEEN)
        entry_id = max(entry_id, seen.entry_id if seen is not None else 0)
        ctx.db.write(Checkpoint.insert(name=SEEN, entry_id=entry_id, at=ctx.clock()).on_conflict_replace())
