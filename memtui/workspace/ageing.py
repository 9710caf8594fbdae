"""What lifecycles need to know of the memories of a workspace, read from it (SPEC 4).

Steps are owed from the last run of a store on, or from when it was attached; nothing is owed for the
time in which a memory was pinned or dismissed. Sessions are told apart in the log of recalls.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.formats import registry
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY, NEVER, Ages, Lifecycle, ages_of
from memtui.memory.outlook import Group, Outlook
from memtui.memory.records import Memory
from memtui.workspace.conditions import CREATED
from memtui.workspace.core import NATIVE, Core

if TYPE_CHECKING:
    import apsw

_NAN = math.nan
PAUSE = 1_800.0  # seconds without a question of an agent, after which its next one begins a session
_CHUNK = 20_000
_SOON = 5  # chunks that nobody has to be told of
_COLUMNS = (
    "confidence", "importance", "times_used", "times_confirmed",
    CREATED, "last_used_at", "last_confirmed_at",
    "expires_at", "valid_from", "valid_to", "m.live", "pinned", "m.kind = 'lesson'",
    "CASE WHEN m.tier IN ('l0', 'l1', 'l2', 'l3', 'l4') THEN CAST(substr(m.tier, 2) AS INTEGER) ELSE -1 END",
)  # fmt: skip
_SELECT = (
    f"SELECT m.id, {', '.join(name if '.' in name else f'm.{name}' for name in _COLUMNS)}, "
    "lower(coalesce(m.category, m.kind)) FROM memories m "
    "WHERE m.store_id = ? AND m.shown AND m.removed_at IS NULL"
)


def lifecycle_of(core: Core, format: str, what_if: str = "") -> Lifecycle:
    """By whose rules the memories of a store age; `what_if` names another one to try."""
    name = what_if or ("memtui" if format == NATIVE else registry.by_name(format).lifecycle)
    if name == "founder-os" and not what_if and core.founder_os_daily:
        name = "founder-os-daily"
    return lifecycles.by_name(name, core.half_lives)


@dataclass(frozen=True, slots=True)
class Since:
    """From when on steps are owed in one store: `mark` for most of its memories, None where it was never
    run; others by id. `attached` is when memtui came to know the store; `thawed` when a memory was
    unpinned or restored."""

    mark: float | None
    attached: float
    others: Mapping[int, float | None] = field(default_factory=dict)
    thawed: Mapping[int, float] = field(default_factory=dict)
    demoted: Mapping[int, float] = field(default_factory=dict)

    def run_at(self, id: int) -> float | None:
        """When decay was last run for a memory; None if never."""
        return self.others.get(id, self.mark)

    def owed_from(self, id: int, now: float) -> float:
        """From when on steps are owed; a store that is attached later than `now` owes none before it."""
        run = self.run_at(id)
        since = min(self.attached, now) if run is None else run
        return max(since, min(self.thawed.get(id, since), now))


_ITEMS = """
SELECT i.memory_id, a.line, st.state = 'done' AND st.undone_by IS NULL FROM ageing a
JOIN journal_items i ON i.journal_id = a.line JOIN standings st ON st.item_id = i.id
WHERE a.store_id = ?1 AND i.store_id = ?1
"""
_THAWED = """
SELECT i.memory_id, max(j.at) FROM journal j JOIN journal_items i ON i.journal_id = j.id
JOIN standings st ON st.item_id = i.id LEFT JOIN journal u ON u.id = j.undoes
WHERE i.store_id = ? AND st.state = 'done' AND st.undone_by IS NULL AND (
    j.kind IN ('unpinned', 'restored') OR (j.kind = 'undone' AND u.kind IN ('pinned', 'dismissed')))
GROUP BY 1
"""
_DEMOTED = """
SELECT i.memory_id, max(a.at) FROM ageing a JOIN journal_items i ON i.journal_id = a.line
JOIN standings st ON st.item_id = i.id
WHERE a.store_id = ?1 AND i.store_id = ?1 AND st.state = 'done' AND st.undone_by IS NULL GROUP BY 1
"""


def since_of(core: Core, store: Any) -> Since:
    """From when on steps are owed in a store."""
    db = core.db
    runs = db.rows("SELECT line, at FROM ageing WHERE store_id = ? ORDER BY id", (store.id,))
    stands: dict[int, dict[int, bool]] = {}
    for memory, line, done in db.rows(_ITEMS, (store.id,)) if runs else ():
        stands.setdefault(memory, {})[line] = bool(done)
    others = {memory: _newest(runs, lines) for memory, lines in stands.items() if not all(lines.values())}
    return Since(
        _newest(runs, {}),
        store.attached_at,
        others,
        dict(db.rows(_THAWED, (store.id,))),
        dict(db.rows(_DEMOTED, (store.id,))) if runs else {},
    )


def _newest(runs: Sequence[tuple[int | None, float]], lines: Mapping[int, bool]) -> float | None:
    """Up to when decay was run; `lines` are those in which a memory had a part, and whether that stands.
    What was refused or taken back is owed until a later run has done it."""
    newest, owed = None, False
    for line, at in runs:
        owed = not lines[line] if line is not None and line in lines else owed
        if not owed:
            newest = at if newest is None else max(newest, at)
    return newest


def sessions(core: Core) -> tuple[dict[int, int], int]:
    """In how many sessions each memory was recalled, and how many there were; from the log of recalls.

    A session is what one agent asks without a pause of half an hour."""
    seen: dict[int, int] = {}
    last: dict[str, tuple[float, set[int]]] = {}
    count = 0
    for actor, at, results in core.db.rows("SELECT actor, at, results FROM queries ORDER BY at, id"):
        before = last.get(actor)
        if before is None or at - before[0] > PAUSE:
            before = (at, set())
            count += 1
        last[actor] = (at, before[1])
        for id in json.loads(results):
            if id not in before[1]:
                before[1].add(id)
                seen[id] = seen.get(id, 0) + 1
    return seen, count


def outlook(core: Core, now: float, *, store: str = "", live: bool = True) -> Outlook:
    """All that is foretold of the memories from `now`; `live` ones only, or also those that are frozen
    since they are dismissed, superseded or expired."""
    stores = [
        each
        for each in core.t.Store.select().where(core.t.Store.detached_at.is_null()).order_by(core.t.Store.id)
        if store in ("", each.name)
    ]
    wanted = [lifecycle_of(core, each.format) for each in stores]
    log = sessions(core)
    parts: dict[str, list[tuple[Lifecycle, list[int], dict[str, Any], list[str]]]] = {}
    for number, (each, lifecycle) in enumerate(zip(stores, wanted, strict=True)):
        for turn, chunk in enumerate(_read(core, each, now, log, live)):
            parts.setdefault(lifecycle.name, []).append((lifecycle, *chunk))
            if turn > _SOON:
                core.on_progress(each.name, number / len(stores))
    groups = [_group(chunks, now) for chunks in parts.values()]
    count = sum(int(group.ages.live.sum()) for group in groups)
    frozen = sum(int((group.ages.live & group.ages.pinned).sum()) for group in groups)
    return Outlook(now, groups, count, frozen)


Chunk = tuple[list[int], dict[str, Any], list[str]]


def _read(core: Core, store: Any, now: float, log: tuple[dict[int, int], int], live: bool) -> Iterator[Chunk]:
    """The memories of a store as columns of numbers, some thousands at a time."""
    import numpy as np

    since = since_of(core, store)
    seen, count = log
    sql = _SELECT + (" AND m.live = 1" if live else "")
    cursor: apsw.Cursor = core.db.connection().execute(sql, (store.id,))
    while rows := list(islice(cursor, _CHUNK)):
        ids, *columns, names = zip(*rows, strict=True)
        numbers = [np.array(column, dtype=np.float64) for column in columns]
        confidence, importance, used, confirmed, created, last_used, last_confirmed = numbers[:7]
        expires, starts, ends, lives, pinned, lesson, tier = numbers[7:]
        base = since.owed_from(-1, now)
        owed, demoted = np.full(len(ids), base), np.full(len(ids), math.nan)
        recalled = np.full(len(ids), 0.0 if count else math.nan)
        if since.others or since.thawed:
            odd = since.others.keys() | since.thawed.keys()
            for place in (place for place, id in enumerate(ids) if id in odd):
                owed[place] = since.owed_from(ids[place], now)
        for place, id in enumerate(ids) if since.demoted else ():
            demoted[place] = since.demoted.get(id, math.nan)
        for place, id in enumerate(ids) if seen else ():
            recalled[place] = seen.get(id, 0)
        yield list(ids), {
            "confidence": confidence, "importance": importance, "used": used, "confirmed": confirmed,
            "created": created, "last_used": last_used, "last_confirmed": last_confirmed,
            "expires": np.where(np.isnan(expires), np.inf, expires),
            "valid_from": np.where(np.isnan(starts), -np.inf, starts),
            "valid_to": np.where(np.isnan(ends), np.inf, ends),
            "since": owed, "demoted": demoted, "live": lives == 1, "pinned": pinned == 1,
            "lesson": lesson == 1, "tier": tier, "sessions": recalled,
            "share": recalled / count if count else recalled,
        }, list(names)  # fmt: skip


def _group(chunks: Sequence[tuple[Lifecycle, list[int], dict[str, Any], list[str]]], now: float) -> Group:
    import numpy as np

    names: dict[str, int] = {}
    categories = [names.setdefault(name, len(names)) for chunk in chunks for name in chunk[3]]
    columns = {name: np.concatenate([chunk[2][name] for chunk in chunks]) for name in chunks[0][2]}
    ages = Ages(**columns, category=np.array(categories, dtype=np.int32), categories=tuple(names), xp=np)
    ids = np.concatenate([np.array(chunk[1], dtype=np.int64) for chunk in chunks])
    lifecycle = chunks[0][0]
    return Group(lifecycle, ids, ages, lifecycle.course(ages, now))


class Strengths:
    """How strong memories are now, by the lifecycles of their stores: cheap, one at a time."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._known: dict[str, Lifecycle] = {}

    def of(self, format: str, now: float, *said: Any) -> tuple[float | None, str]:
        """The score, None where the format keeps no number, and its label ("" then)."""
        confidence, importance, used, created, last_used, confirmed, starts, live, pinned, category = said
        lifecycle = self._known.get(format)
        if lifecycle is None:
            lifecycle = self._known[format] = lifecycle_of(self._core, format)
        ages = Ages(
            confidence=_NAN if confidence is None else confidence,
            importance=_NAN if importance is None else importance,
            used=used, confirmed=0, created=created,
            last_used=_NAN if last_used is None else last_used,
            last_confirmed=_NAN if confirmed is None else confirmed,
            expires=NEVER, valid_from=-NEVER if starts is None else starts, valid_to=NEVER,
            since=now, demoted=_NAN, live=bool(live), pinned=bool(pinned), lesson=False, tier=-1,
            sessions=_NAN, share=_NAN, category=category,
        )  # fmt: skip
        course = lifecycle.number(ages, now)
        score = float(course.current)
        return (None if score != score else score), lifecycle.word(course, score, now)

    def label(self, *said: Any) -> str:
        """The label alone, as SQL asks for it."""
        return self.of(*said)[1]


def one(core: Core, id: int, memory: Memory, store: Any, now: float) -> tuple[Lifecycle, Ages]:
    """What its lifecycle looks at, of one memory."""
    lifecycle = lifecycle_of(core, store.format)
    beside: dict[str, float] = {}
    if lifecycle.name in ("founder-os", "founder-os-daily", "minions", "base-coat"):
        since = since_of(core, store)
        beside["since"] = since.owed_from(id, now)
        beside["demoted"] = since.demoted.get(id, math.nan)
    if lifecycle.name == "base-coat":
        seen, count = sessions(core)
        if count:
            beside |= {"sessions": seen.get(id, 0), "share": seen.get(id, 0) / count}
    return lifecycle, ages_of(memory, now, **beside)


def same_day(one: float, other: float) -> bool:
    """Whether two instants lie on one day of the calendar, in UTC; a run is done once a day."""
    return math.floor(one / DAY) == math.floor(other / DAY)
