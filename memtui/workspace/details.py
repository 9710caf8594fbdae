"""All that is known of one memory: itself, what can be done with it, and what stands beside it."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.records import EDITABLE, Beside, Detail, Relation, label_of
from memtui.workspace import curate, decay, journal, mirror
from memtui.workspace.core import Core
from memtui.workspace.mirror import Held

ACTIONS = ("pin", "unpin", "confirm", "edit", "dismiss", "restore")
AHEAD = 90  # days that its decay is told for
_MOST = 500  # relations, and records beside, of one memory
# The first memory that stands at one end of a relation.
_END = (
    "(SELECT min(m.id) FROM memories m WHERE m.store_id = r.store_id AND m.anchor = r.{} "
    "AND m.ref IS NOT NULL AND m.removed_at IS NULL)"
)
_TIES = """
SELECT t.kind, t.strength, t.context, t.body, a.id, a.title, a.subject, a.content,
       b.id, b.title, b.subject, b.content, t.target
FROM ties t JOIN memories a ON a.id = t.source_id LEFT JOIN memories b ON b.uid = t.target
WHERE t.source_id = ?1 OR t.target = ?2 LIMIT ?3
"""
# What belongs to the memory itself, and to all memories of which a field says so.
_VIA = ("owner", "source_ref", "session_id", "company_id")
_BESIDE = f"""
SELECT kind, words, at FROM asides WHERE store_id = ?1 AND (
    (via = '' AND about = ?2 AND about <> ''){
    "".join(f" OR (via = '{name}' AND about = ?{number})" for number, name in enumerate(_VIA, 4))
})
ORDER BY at IS NULL, at DESC, id LIMIT ?3
"""


def detail(core: Core, id: int) -> Detail | None:
    """Everything about one memory; None if there is no such row."""
    found = mirror.held(core.db, [id])
    if not found:
        return None
    held = found[0]
    store = core.t.Store.get_by_id(held.store_id)
    try:
        adapter = core.adapter(store)
        blocked = {action: curate.blocked(core, action, held, store) for action in ACTIONS}
    except Refused as refusal:
        adapter, blocked = None, dict.fromkeys(ACTIONS, refusal.message)
    return Detail(
        id=held.id,
        memory=held.memory,
        place=held.place,
        path=store.path,
        removed_at=held.removed_at,
        consequences={
            **{action: curate.consequence(adapter, action, "", held.memory.kind) for action in ACTIONS},
            **{f"edit {name}": curate.consequence(adapter, "edit", name) for name in EDITABLE},
        },
        blocked={action: why for action, why in blocked.items() if why},
        relations=relations_of(core, held),
        history=tuple(journal.history(core, held.id)),
        beside=_beside(core, held),
        forecast=decay.forecast_of(core, id, core.clock(), AHEAD),
    )


def relations_of(core: Core, held: Held) -> tuple[Relation, ...]:
    """What a memory is related to, by its store's word and by ours."""
    return (*_relations(core, held), *_ties(core, held))


def _relations(core: Core, held: Held) -> list[Relation]:
    if not held.anchor:
        return []
    rows = core.db.rows(
        "SELECT source, kind, target, strength, context, body, "
        f"{_END.format('source')}, {_END.format('target')} "
        f"FROM relations r WHERE store_id = ? AND (source = ? OR target = ?) ORDER BY r.id LIMIT {_MOST}",
        (held.store_id, held.anchor, held.anchor),
    )
    ends = {end for row in rows for end in row[6:] if end is not None and end != held.id}
    names = _labels(core, ends)
    return [
        Relation(
            source,
            kind,
            target,
            strength,
            context,
            held.id if source == held.anchor else one,
            held.id if target == held.anchor else two,
            body,
            label=names.get(two if source == held.anchor else one, ""),
        )
        for source, kind, target, strength, context, body, one, two in rows
    ]


def _labels(core: Core, ids: set[int]) -> dict[int | None, str]:
    """What memories whose name in their store is a mere number are called in a list."""
    return {
        other.id: label_of(other.memory.title, other.memory.subject, other.memory.content)
        for other in mirror.held(core.db, sorted(ids))
        if other.memory.ref == other.anchor
    }


def _ties(core: Core, held: Held) -> list[Relation]:
    rows = core.db.rows(_TIES, (held.id, held.memory.uid, _MOST))
    return [
        Relation(
            label_of(row[5], row[6], row[7]),
            row[0],
            label_of(row[9], row[10], row[11]) if row[8] is not None else row[12],
            row[1],
            row[2],
            row[4],
            row[8],
            row[3],
            kept=True,
        )
        for row in rows
    ]


def _beside(core: Core, held: Held) -> tuple[Beside, ...]:
    values = (getattr(held.memory, name) for name in _VIA)
    rows = core.db.rows(_BESIDE, (held.store_id, held.anchor, _MOST, *values))
    return tuple(Beside(*row) for row in rows)
