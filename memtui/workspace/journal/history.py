"""Reading the journal: entries, their items, and the history of one memory (S-50).

Each list is one query over entries, items, states and names: a window of the journal on the screen.
"""

from __future__ import annotations

from dataclasses import replace

from memtui.memory.journal import Event, EventItem
from memtui.memory.wording import PURGED_MEMORY
from memtui.values import SqlRow, SqlValue
from memtui.workspace.context import Context
from memtui.workspace.journal import memory_names, wording
from memtui.workspace.journal.entries import BY_OTHERS
from memtui.workspace.journal.items import displayed

# The kinds that `u` undoes: changes to memories by the user.
VERBS = (
    *("pinned", "unpinned", "confirmed", "dismissed", "restored", "edited", "added"),
    *("snoozed", "woken", "forgotten", "split", "rule-added", "rule-edited", "rule-removed"),
    *("rules-imported", "no-secret", "policy-set", "policy-removed", "rules-trusted", "rules-distrusted"),
    *("connected", "disconnected"),
    *("related", "unrelated", "retied", "superseded", "copied", "imported", "moved", "decayed", "resolved"),
)

UNDO, REDO = "undone", "redone"

_WHO = {"": "", "you": " AND actor = 'person'", "agents": " AND actor <> 'person'"}
_ONE = " AND actor = ?"
_SESSION = " AND substr(session, 1, length(?)) = ?"

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
       iif(count(m.subject) = count(i.id) AND min(m.subject) = max(m.subject), max(m.subject), ''),
       max(m.title), max(m.subject), max(substr(m.content, 1, 300)), max({purged}),
       max(i.memory_id), j.tool, j.session
FROM {source} j
LEFT JOIN journal_items i ON i.journal_id = j.id
LEFT JOIN item_states st ON st.item_id = i.id
LEFT JOIN stores s ON s.id = i.store_id
LEFT JOIN memories m ON m.id = i.memory_id
GROUP BY j.id ORDER BY j.id DESC
"""


# Of one memory only: an entry may have a hundred thousand items.
_STEPS = """
SELECT j.id, j.at, j.actor, j.kind, j.summary, j.undoes, st.state, st.why, st.undone_by, b.before, b.after,
       j.tool, j.session
FROM journal_items i JOIN journal j ON j.id = i.journal_id JOIN item_states st ON st.item_id = i.id
LEFT JOIN bodies b ON b.item_id = i.id WHERE i.memory_id = ? ORDER BY i.id DESC LIMIT ?
"""


def events(
    ctx: Context, limit: int, before: int | None = None, who: str = "", session: str = ""
) -> list[Event]:
    """Return the newest entries, or those before entry `before`, newest first; `who` is "" (all), "you",
    "agents", or one actor such as "agent:scout". With `session`, those of the calls of a session that begins
    so."""
    where, bindings = _WHO.get(who, _ONE), list[SqlValue]([] if who in _WHO else [who])
    if session:
        where += _SESSION
        bindings += [session, session]
    source = f"(SELECT * FROM journal WHERE id < ?{where} ORDER BY id DESC LIMIT ?)"
    sql = _EVENTS.format(source=source, purged=memory_names.PURGED.format("m"))
    rows = ctx.db.rows(sql, (before or (1 << 62), *bindings, limit))
    return [_event(row) for row in rows]


def history(ctx: Context, memory_id: int, limit: int = 20) -> list[Event]:
    """Return what was done to one memory, newest first, with the fields changed; states are those of this
    memory's item."""
    return [_step(row) for row in ctx.db.rows(_STEPS, (memory_id, limit))]


def _step(row: SqlRow) -> Event:
    id, at, actor, kind, summary, undoes, state, why, undone_by, before, after, tool, session = row
    if state == "done" and undone_by is not None:
        state = "undone"
    (before, after), _ = displayed(before, after)
    return Event(
        *(id, at, actor, kind, summary, state, why, undoes),
        undoable=state == "done" and is_undoable(kind, actor),
        before=before,
        after=after,
        tool=tool,
        session=session,
    )


def _event(row: SqlRow) -> Event:
    id, at, actor, kind, summary, undoes, *rest = row
    count, in_effect, undone, worst, why, done, stores, change, entity, *texts, memory_id = rest[:-2]
    tool, session = rest[-2:]
    state = "done"
    if count and not done:
        state = {"0": "failed", "1": "refused", "2": "intended"}.get(worst, "done")
    elif count and undone and not in_effect:
        state = "undone"
    undoable = bool(in_effect) and is_undoable(kind, actor)
    if done and done < count:
        why = None  # of the others, which were not changed
        summary = wording.partly_done(summary, done, count)
    if memory_id is not None and memory_id < 0:  # about no memory
        count = 0
    return Event(
        *(id, at, actor, kind, summary, state, why or "", undoes, count, stores or "", undoable),
        label=memory_names.label(*texts) if count == 1 else "",
        change=change,
        entity=entity if count > 1 else "",
        tool=tool,
        session=session,
    )


def is_undoable(kind: str, actor: str) -> bool:
    """Return whether such an entry can be undone; what came with a restored backup cannot, since no agent
    changed it."""
    return kind in (*VERBS, UNDO, REDO) or (kind in BY_OTHERS and actor.startswith("sync:"))


def items(ctx: Context, entry_id: int) -> list[EventItem]:
    """Return the items of an entry, 1,000 at most; `before` and `after` are None where erased."""
    rows = ctx.db.rows(
        "SELECT i.uid, m.title, m.subject, m.content, s.name, st.state, st.why, st.undone_by, "
        f"b.before, b.after, {memory_names.PURGED.format('m')}, i.memory_id "
        "FROM journal_items i JOIN item_states st ON st.item_id = i.id JOIN stores s ON s.id = i.store_id "
        "LEFT JOIN memories m ON m.id = i.memory_id LEFT JOIN bodies b ON b.item_id = i.id "
        "WHERE i.journal_id = ? ORDER BY i.id LIMIT 1000",
        (entry_id,),
    )
    found = []
    for uid, title, subject, content, store, state, why, undone_by, *bodies, purged, id in rows:
        (before, after), unread = displayed(*bodies)
        erased = wording.NOT_ADDED if content is None and state in ("failed", "refused") else PURGED_MEMORY
        label = memory_names.label(title, subject, content, bool(purged), erased=erased) if id > 0 else ""
        state = "undone" if undone_by else state
        found.append(EventItem(uid, label, store, state, why or unread, before, after))
    names = memory_names.names(ctx, (side for each in found for side in (each.before, each.after)))
    return [replace(each, names=names) for each in found] if names else found
