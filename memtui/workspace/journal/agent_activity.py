"""What agents did since the person last looked, memory by memory (S-53)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memtui.memory.journal import UNREADABLE, AgentActivity, AgentChange
from memtui.memory.memory import EDITABLE, Memory, label_of
from memtui.workspace.context import Context
from memtui.workspace.journal import memory_names
from memtui.workspace.journal.entries import OVERWRITTEN
from memtui.workspace.journal.items import NO_FIELDS, unbody
from memtui.workspace.journal.items import told as unread
from memtui.workspace.mirror import memory_rows

MOST = 5_000  # steps of agents that are put together at a time, oldest first; a line's never apart
_NAME = "journal"
_AGENTS = "(j.actor GLOB 'sync:*' OR j.actor GLOB 'agent:*')"
_LINES = f"""
SELECT j.id, (SELECT count(*) FROM journal_items i WHERE i.journal_id = j.id) FROM journal j
WHERE j.id > ? AND {_AGENTS} ORDER BY j.id
"""
_STEPS = f"""
SELECT i.memory_id, i.uid, s.name, j.id, j.at, b.before, b.after,
       m.title, m.subject, m.content, m.removed_at, m.status, j.kind
FROM journal j
JOIN journal_items i ON i.journal_id = j.id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL
JOIN stores s ON s.id = i.store_id
LEFT JOIN bodies b ON b.item_id = i.id
LEFT JOIN memories m ON m.id = i.memory_id
WHERE j.id > ? AND j.id <= ? AND {_AGENTS}
ORDER BY i.id DESC
"""


def since(ctx: Context) -> AgentActivity:
    """One item a memory, all that happened to it put together; newest first."""
    seen = ctx.db.one("SELECT entry_id FROM checkpoints WHERE name = ?", (_NAME,)) or 0
    newest = ctx.db.one("SELECT max(id) FROM journal") or 0
    upto = _upto(ctx, seen, newest)
    steps: dict[int, list[tuple[Any, ...]]] = {}
    for row in ctx.db.rows(_STEPS, (seen, upto)):
        steps.setdefault(row[0], []).append(row)
    now = {held.id: held.memory for held in memory_rows.held(ctx.db, list(steps))}
    told = (_told(rows[::-1], now.get(id)) for id, rows in steps.items())
    found = [item for item in told if item is not None]
    names = memory_names.names(ctx, (side for each in found for side in (each.before, each.after)))
    found = [replace(each, names=names) for each in found] if names else found
    return AgentActivity(found, upto, upto < newest)


def _upto(ctx: Context, seen: int, newest: int) -> int:
    """Up to which line all steps are told at once: the newest, or the last one that is not too many."""
    count, last = 0, seen
    for line, steps in ctx.db.rows(_LINES, (seen,)):
        count += steps
        if count > MOST and last > seen:
            return last
        last = line
    return newest


def _told(rows: list[tuple[Any, ...]], now: Memory | None) -> AgentChange | None:
    """What several steps came to; a step that cannot be read hides no other memory's."""
    if any(unread(before, after)[1] for *_, before, after in (row[:7] for row in rows)):
        id, uid, store, line, at, _, _, title, subject, content, *_ = rows[-1]
        label = label_of(title, subject, content or "")
        return AgentChange(id, uid, store, label, UNREADABLE, at, line, {}, {})
    item = _together(rows)
    return _still(item, now) if item is not None and item.what == "changed" and now is not None else item


def _together(rows: list[tuple[Any, ...]]) -> AgentChange | None:
    """What several steps came to; None where in the end nothing is other than before."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for row in rows:
        for name, value in unbody(row[5]).items():
            before.setdefault(name, value)
        after |= unbody(row[6])
    id, uid, store, line, at, _, _, title, subject, content, removed_at, status, kind = rows[-1]
    was, stands = before.pop("here", True), after.pop("here", True)
    if not stands and removed_at is None:
        return None  # restored since
    if not was and (not stands or removed_at is not None or status == "dismissed"):
        return None  # it came and went, or the person dismissed it
    what = "added" if not was else "changed" if stands else "removed"
    differ = [name for name in after if before.get(name) != after[name]]
    if what == "changed" and not differ:
        return None
    return AgentChange(
        memory_id=id,
        uid=uid,
        store=store,
        label=label_of(title, subject, content or ""),
        what=what,
        at=at,
        entry_id=line,
        before={name: before.get(name) for name in differ},
        after={name: after[name] for name in differ},
        content=content or "",
        overwritten=kind == OVERWRITTEN,
    )


def _still(item: AgentChange, now: Memory) -> AgentChange | None:
    """What of it the person has not set back; None where that is all that can be."""
    # What became of a relation or a verdict does not stand in the memory itself.
    left = [
        name for name in item.before if name in NO_FIELDS or getattr(now, name, None) != item.before[name]
    ]
    can = {*EDITABLE, "status", *NO_FIELDS}
    if not left or (can & item.before.keys() and not can.intersection(left)):
        return None
    before, after = ({name: said[name] for name in left} for said in (item.before, item.after))
    return replace(item, before=before, after=after)


def looked(ctx: Context, upto: int | None = None) -> None:
    """All was seen that stands in the journal, up to line `upto` where that is given."""
    ctx.writable()
    with ctx.db.atomic():
        ctx.db.run(
            "INSERT INTO checkpoints (name, entry_id, at) "
            "SELECT ?1, coalesce(?2, max(id), 0), ?3 FROM journal WHERE true "
            "ON CONFLICT (name) DO UPDATE SET entry_id = max(entry_id, excluded.entry_id), at = excluded.at",
            (_NAME, upto, ctx.clock()),
        )
