"""Reading the journal: lines, what each did, and the history of one memory (S-50)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memtui.memory.journal import Event, EventItem
from memtui.workspace.context import Context
from memtui.workspace.journal import memory_names
from memtui.workspace.journal.entries import BY_OTHERS
from memtui.workspace.journal.items import told

# What `u` takes back: changes to memories by a person.
VERBS = (
    *("pinned", "unpinned", "confirmed", "dismissed", "restored", "edited", "added"),
    *("related", "unrelated", "retied", "superseded", "copied", "moved", "decayed", "resolved"),
)


UNDO, REDO = "undone", "redone"


_WHO = {"": "", "you": " AND actor = 'person'", "agents": " AND actor <> 'person'"}


_EVENTS = """
SELECT j.id, j.at, j.actor, j.kind, j.summary, j.undoes, count(i.id) - count(i.pair),
       sum(st.state = 'done' AND st.undone_by IS NULL), sum(st.undone_by IS NOT NULL),
       min(CASE st.state WHEN 'failed' THEN '0' WHEN 'refused' THEN '1' WHEN 'intended' THEN '2'
           ELSE '3' END),
       max(CASE WHEN st.why <> '' THEN st.why END), sum(st.state = 'done' AND (i.pair IS NOT NULL OR NOT
       EXISTS (SELECT 1 FROM journal_items p WHERE p.pair = i.id))), group_concat(DISTINCT s.name),
       iif(j.undoes IS NULL, '', (WITH RECURSIVE older (id) AS (SELECT j.undoes UNION ALL
       SELECT o.undoes FROM journal o JOIN older ON o.id = older.id WHERE o.undoes IS NOT NULL)
       SELECT o.summary FROM journal o WHERE o.id = (SELECT min(id) FROM older))),
       max(m.title), max(m.subject), max(substr(m.content, 1, 300)), max({purged})
FROM {source} j
LEFT JOIN journal_items i ON i.journal_id = j.id
LEFT JOIN item_states st ON st.item_id = i.id
LEFT JOIN stores s ON s.id = i.store_id
LEFT JOIN memories m ON m.id = i.memory_id
GROUP BY j.id ORDER BY j.id DESC
"""


# Of one memory alone: a line may name a hundred thousand.
_STEPS = """
SELECT j.id, j.at, j.actor, j.kind, j.summary, j.undoes, st.state, st.why, st.undone_by, b.before, b.after
FROM journal_items i JOIN journal j ON j.id = i.journal_id JOIN item_states st ON st.item_id = i.id
LEFT JOIN bodies b ON b.item_id = i.id WHERE i.memory_id = ? ORDER BY i.id DESC LIMIT ?
"""


def events(ctx: Context, limit: int, before: int | None = None, who: str = "") -> list[Event]:
    """The newest lines, or those before line `before`, by all, `you` or `agents`; newest first."""
    source = f"(SELECT * FROM journal WHERE id < ?{_WHO[who]} ORDER BY id DESC LIMIT ?)"
    sql = _EVENTS.format(source=source, purged=memory_names.PURGED.format("m"))
    rows = ctx.db.rows(sql, (before or (1 << 62), limit))
    return [_event(row) for row in rows]


def history(ctx: Context, memory_id: int, limit: int = 20) -> list[Event]:
    """What was done to one memory, newest first, with the fields touched; a line is told as it stands for
    this memory, however many others it names."""
    return [_step(row) for row in ctx.db.rows(_STEPS, (memory_id, limit))]


def _step(row: Sequence[Any]) -> Event:
    id, at, actor, kind, summary, undoes, state, why, undone_by, before, after = row
    if state == "done" and undone_by is not None:
        state = "undone"
    (before, after), _ = told(before, after)
    return Event(
        *(id, at, actor, kind, summary, state, why, undoes),
        undoable=state == "done" and _may_go(kind, actor),
        before=before,
        after=after,
    )


def _event(row: Sequence[Any]) -> Event:
    id, at, actor, kind, summary, undoes, *rest = row
    count, standing, undone, worst, why, done, stores, change, *said = rest
    state = "done"
    if count and not done:
        state = {"0": "failed", "1": "refused", "2": "intended"}.get(worst, "done")
    elif count and undone and not standing:
        state = "undone"
    undoable = bool(standing) and _may_go(kind, actor)
    if done and done < count:
        summary = f"{summary} ({done:,} of {count:,} done)"
    return Event(
        *(id, at, actor, kind, summary, state, why or "", undoes, count, stores or "", undoable),
        label=memory_names.label(*said) if count == 1 else "",
        change=change,
    )


def _may_go(kind: str, actor: str) -> bool:
    """Whether such a line can be taken back; not what came with a backup that was put back, which is none
    of an agent's changes."""
    return kind in (*VERBS, UNDO, REDO) or (kind in BY_OTHERS and actor.startswith("sync:"))


def items(ctx: Context, line: int) -> list[EventItem]:
    """What a line did, memory by memory; `before` and `after` are None where erased."""
    rows = ctx.db.rows(
        "SELECT i.uid, m.title, m.subject, m.content, s.name, st.state, st.why, st.undone_by, "
        f"b.before, b.after, {memory_names.PURGED.format('m')} "
        "FROM journal_items i JOIN item_states st ON st.item_id = i.id JOIN stores s ON s.id = i.store_id "
        "LEFT JOIN memories m ON m.id = i.memory_id LEFT JOIN bodies b ON b.item_id = i.id "
        "WHERE i.journal_id = ? ORDER BY i.id LIMIT 1000",
        (line,),
    )
    found = []
    for uid, title, subject, content, store, state, why, undone_by, *bodies, purged in rows:
        (before, after), unread = told(*bodies)
        label = memory_names.label(title, subject, content, bool(purged))
        state = "undone" if undone_by else state
        found.append(EventItem(uid, label, store, state, why or unread, before, after))
    names = memory_names.names(ctx, (side for each in found for side in (each.before, each.after)))
    return [replace(each, names=names) for each in found] if names else found
