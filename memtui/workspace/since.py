"""What agents did since the person last looked, memory by memory (S-53)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memtui.memory.records import EDITABLE, Memory, SinceItem, label_of
from memtui.workspace import mirror
from memtui.workspace.bodies import unbody
from memtui.workspace.core import Core
from memtui.workspace.news import OVERWRITTEN
from memtui.workspace.outbox import NO_FIELDS

MOST = 5_000  # steps of agents that are put together
_NAME = "journal"
_STEPS = """
SELECT i.memory_id, i.uid, s.name, j.id, j.at, b.before, b.after,
       m.title, m.subject, m.content, m.removed_at, m.status, j.kind
FROM journal j
JOIN journal_items i ON i.journal_id = j.id
JOIN standings st ON st.item_id = i.id AND st.state = 'done' AND st.undone_by IS NULL
JOIN stores s ON s.id = i.store_id
LEFT JOIN bodies b ON b.item_id = i.id
LEFT JOIN memories m ON m.id = i.memory_id
WHERE j.id > ? AND (j.actor GLOB 'sync:*' OR j.actor GLOB 'agent:*')
ORDER BY i.id DESC LIMIT ?
"""


def items(core: Core) -> list[SinceItem]:
    """One a memory, all that happened to it put together; newest first."""
    since = core.db.one("SELECT line FROM looked WHERE name = ?", (_NAME,)) or 0
    steps: dict[int, list[tuple[Any, ...]]] = {}
    for row in core.db.rows(_STEPS, (since, MOST)):
        steps.setdefault(row[0], []).append(row)
    found = [item for rows in steps.values() if (item := _together(rows[::-1])) is not None]
    changed = [item.memory_id for item in found if item.what == "changed"]
    now = {held.id: held.memory for held in mirror.held(core.db, changed)}
    still = (_still(item, now[item.memory_id]) if item.what == "changed" else item for item in found)
    return [item for item in still if item is not None]


def _together(rows: list[tuple[Any, ...]]) -> SinceItem | None:
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
    return SinceItem(
        memory_id=id,
        uid=uid,
        store=store,
        label=label_of(title, subject, content or ""),
        what=what,
        at=at,
        line=line,
        before={name: before.get(name) for name in differ},
        after={name: after[name] for name in differ},
        content=content or "",
        overwritten=kind == OVERWRITTEN,
    )


def _still(item: SinceItem, now: Memory) -> SinceItem | None:
    """What of it the person has not set back; None where that is all that can be."""
    # What became of a relation or a verdict does not stand in the memory itself.
    left = [name for name in item.before if name in NO_FIELDS or getattr(now, name) != item.before[name]]
    can = {*EDITABLE, "status", *NO_FIELDS}
    if not left or (can & item.before.keys() and not can.intersection(left)):
        return None
    before, after = ({name: said[name] for name in left} for said in (item.before, item.after))
    return replace(item, before=before, after=after)


def looked(core: Core) -> None:
    """All that stands in the journal now was seen."""
    core.writable()
    with core.db.atomic():
        core.db.run(
            "INSERT OR REPLACE INTO looked (name, line, at) SELECT ?, coalesce(max(id), 0), ? FROM journal",
            (_NAME, core.clock()),
        )
