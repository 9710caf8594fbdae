"""What lifecycles need to know of the memories of a workspace, read from it (SPEC 4).

Steps are owed from the last run of a store on, from when it was attached, or from when a memory's number
was last set, whichever is latest. Sessions are told apart in the log of recalls.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.errors import Refused
from memtui.formats import registry
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import DAY, NEVER, Ages, Lifecycle, ages_of
from memtui.memory.lifecycles.none import NoDecay
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.memory.memory import Memory
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.search.filters import CREATED

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
    "seen_at",
)  # fmt: skip
_SELECT = (
    f"SELECT m.id, {', '.join(name if '.' in name else f'm.{name}' for name in _COLUMNS)}, "
    "coalesce(m.category, m.kind) FROM memories m "
    "WHERE m.store_id = ? AND m.shown AND m.removed_at IS NULL"
)


def lifecycle_of(ctx: Context, format: str) -> Lifecycle:
    """By whose rules the memories of a store age."""
    try:
        name = "memtui" if format == NATIVE else registry.by_name(format).lifecycle
    except Refused:  # of a newer memtui
        return NoDecay()
    if name == "founder-os" and ctx.founder_os_daily:
        name = "founder-os-daily"
    return lifecycles.by_name(name, ctx.half_lives)


@dataclass(frozen=True, slots=True)
class Since:
    """From when on steps are owed in one store: `mark` for most of its memories, None where it was never
    run; others by id. `attached` is when memtui came to know the store; `touched` when the number of a
    memory, or whether it is frozen, was last set otherwise than by decay: it is as of then."""

    mark: float | None
    attached: float
    others: Mapping[int, float | None] = field(default_factory=dict)
    touched: Mapping[int, float] = field(default_factory=dict)
    demoted: Mapping[int, float] = field(default_factory=dict)

    def run_at(self, id: int) -> float | None:
        """When decay was last run for a memory; None if never."""
        return self.others.get(id, self.mark)

    def until(self, now: float) -> float:
        """Up to when a run at `now` does what is due: a store is run once a day, as of the first time."""
        if self.mark is None or (self.mark < now and not same_day(self.mark, now)):
            return now
        return min(self.mark, now)

    def owed_from(self, id: int, now: float, seen: float) -> float:
        """From when on steps are owed; a moment later than `now` is none that it knows of."""
        run = self.run_at(id)
        since = min(self.attached, now) if run is None else run
        known = (self.attached, seen, self.touched.get(id, since))
        return max(since, *(at for at in known if at <= now)) if any(at <= now for at in known) else since


_ITEMS = """
SELECT i.memory_id, a.entry_id, st.state = 'done' AND st.undone_by IS NULL, a.at FROM decay_runs a
JOIN journal_items i ON i.journal_id = a.entry_id JOIN item_states st ON st.item_id = i.id
WHERE a.store_id = ?1 AND i.store_id = ?1{}
"""
# All runs, and whether each counts: one that did something anywhere that stands, or in which nothing was due.
_RUNS = """
SELECT a.entry_id, a.at, a.entry_id IS NULL OR EXISTS (
    SELECT 1 FROM journal_items i JOIN item_states st ON st.item_id = i.id
    WHERE i.journal_id = a.entry_id AND st.state = 'done' AND st.undone_by IS NULL)
FROM decay_runs a WHERE a.store_id = ? ORDER BY a.id
"""
# What set the number of a memory, or whether it is frozen; decay itself, taken back or done again, is none.
_TOUCHED = """
WITH RECURSIVE ours (id) AS (
    SELECT entry_id FROM decay_runs WHERE entry_id IS NOT NULL
    UNION SELECT j.id FROM journal j JOIN ours ON j.undoes = ours.id)
SELECT i.memory_id, max(j.at) FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id
WHERE i.store_id = ?1{} AND st.state = 'done' AND j.id NOT IN ours
AND (i.fields ->> 'confidence' IS NOT NULL OR i.fields ->> 'status' IS NOT NULL
     OR i.fields ->> 'pinned' IS NOT NULL OR i.fields ->> 'here' IS NOT NULL)
GROUP BY 1
"""


def since_of(ctx: Context, store: StoreRow, id: int | None = None) -> Since:
    """From when on steps are owed in a store; with `id`, all that this one memory needs."""
    db, only = ctx.db, "" if id is None else " AND i.memory_id = ?2"
    asked = (store.id,) if id is None else (store.id, id)
    runs = db.rows(_RUNS, (store.id,))
    stands: dict[int, dict[int, bool]] = {}
    demoted: dict[int, float] = {}
    for memory, line, done, at in db.rows(_ITEMS.format(only), asked) if runs else ():
        stands.setdefault(memory, {})[line] = bool(done)
        if done:
            demoted[memory] = max(at, demoted.get(memory, at))
    others = {memory: _newest(runs, lines) for memory, lines in stands.items() if not all(lines.values())}
    touched: dict[int, float] = dict(db.rows(_TOUCHED.format(only), asked))
    return Since(_newest(runs, {}), store.attached_at, others, touched, demoted)


def _newest(runs: Sequence[tuple[int | None, float, int]], lines: Mapping[int, bool]) -> float | None:
    """Up to when decay was run; `lines` are those in which a memory had a part, and whether that stands.
    What was refused or taken back is owed until a later run has done it: one in which nothing was due was
    run while it stood."""
    newest, owed = None, False
    for line, at, counts in runs:
        owed = not lines[line] if line is not None and line in lines else owed
        if counts and not owed:
            newest = at if newest is None else max(newest, at)
    return newest


def sessions(ctx: Context) -> tuple[dict[int, int], int]:
    """In how many sessions each memory was recalled, and how many there were; from the log of recalls.

    A session is what one agent asks without a pause of half an hour."""
    newest = ctx.db.one("SELECT max(id) FROM recall_log") or 0
    if ctx.sessions is None or ctx.sessions[0] != newest:
        ctx.sessions = (newest, *_sessions(ctx))
    return ctx.sessions[1:]


def _sessions(ctx: Context) -> tuple[dict[int, int], int]:
    seen: dict[int, int] = {}
    last: dict[str, tuple[float, set[int]]] = {}
    count = 0
    for actor, at, results in ctx.db.rows("SELECT actor, at, results FROM recall_log ORDER BY at, id"):
        began, known = last.get(actor, (-math.inf, set()))
        if at - began > PAUSE:
            known = set()
            count += 1
        last[actor] = (at, known)
        for id in json.loads(results):
            if id not in known:
                known.add(id)
                seen[id] = seen.get(id, 0) + 1
    return seen, count


def outlook(ctx: Context, now: float, *, store: str = "", live: bool = True) -> Outlook:
    """All that is foretold of the memories from `now`; `live` ones only, or also those that are frozen
    since they are dismissed, superseded or expired."""
    stores = [each for each in store_rows.attached(ctx.db) if store in ("", each.name)]
    wanted = [lifecycle_of(ctx, each.format) for each in stores]
    log = sessions(ctx)
    parts: dict[str, list[tuple[Lifecycle, list[int], dict[str, Any], list[str]]]] = {}
    for number, (each, lifecycle) in enumerate(zip(stores, wanted, strict=True)):
        for turn, chunk in enumerate(_read(ctx, each, now, log, live)):
            parts.setdefault(lifecycle.name, []).append((lifecycle, *chunk))
            if turn > _SOON:
                ctx.on_progress(each.name, number / len(stores))
    groups = [_group(chunks, now) for chunks in parts.values()]
    count = sum(int(group.ages.live.sum()) for group in groups)
    frozen = sum(_frozen(group) for group in groups)
    return Outlook(now, groups, count, frozen)


def _frozen(group: Group) -> int:
    """How many are pinned and never leave; an expiry date may stand all the same."""
    never = group.ages.xp.isinf(group.course.leaving()[0])
    return int((group.ages.live & group.ages.pinned & never).sum())


Chunk = tuple[list[int], dict[str, Any], list[str]]


def _read(
    ctx: Context, store: StoreRow, now: float, log: tuple[dict[int, int], int], live: bool
) -> Iterator[Chunk]:
    """The memories of a store as columns of numbers, some thousands at a time."""
    import numpy as np

    since = since_of(ctx, store)
    seen, count = log
    sql = _SELECT + (" AND m.live = 1" if live else "")
    cursor: apsw.Cursor = ctx.db.connection().execute(sql, (store.id,))
    while rows := list(islice(cursor, _CHUNK)):
        ids, *columns, names = zip(*rows, strict=True)
        numbers = [np.array(column, dtype=np.float64) for column in columns]
        confidence, importance, used, confirmed, created, last_used, last_confirmed = numbers[:7]
        expires, starts, ends, lives, pinned, lesson, tier, first = numbers[7:]
        base = since.owed_from(-1, now, -math.inf)
        # What stands in its store only since then owes nothing from before.
        owed, demoted = np.where(first <= now, np.maximum(first, base), base), np.full(len(ids), math.nan)
        recalled = np.full(len(ids), 0.0 if count else math.nan)
        odd = since.others.keys() | since.touched.keys()
        for place in (place for place, id in enumerate(ids) if id in odd) if odd else ():
            owed[place] = since.owed_from(ids[place], now, first[place])
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

    known: dict[str, int] = {}
    names: dict[str, int] = {}
    for name in (name for chunk in chunks for name in chunk[3]):
        if name not in known:
            known[name] = names.setdefault(name.casefold(), len(names))
    categories = [known[name] for chunk in chunks for name in chunk[3]]
    columns = {name: np.concatenate([chunk[2][name] for chunk in chunks]) for name in chunks[0][2]}
    ages = Ages(**columns, category=np.array(categories, dtype=np.int32), categories=tuple(names), xp=np)
    ids = np.concatenate([np.array(chunk[1], dtype=np.int64) for chunk in chunks])
    lifecycle = chunks[0][0]
    return Group(lifecycle, ids, ages, lifecycle.course(ages, now))


class Strengths:
    """How strong memories are now, by the lifecycles of their stores: cheap, one at a time."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._known: dict[str, Lifecycle] = {}

    def of(self, format: str, now: float, *said: Any) -> tuple[float | None, str]:
        """The score, None where the format keeps no number, and its label ("" then)."""
        confidence, importance, used, created, last_used, confirmed, starts, live, pinned, category = said
        lifecycle = self._known.get(format)
        if lifecycle is None:
            lifecycle = self._known[format] = lifecycle_of(self._ctx, format)
        ages = Ages(
            confidence=_NAN if confidence is None else confidence,
            importance=_NAN if importance is None else importance,
            used=used, confirmed=0, created=created,
            last_used=_NAN if last_used is None else last_used,
            last_confirmed=_NAN if confirmed is None else confirmed,
            expires=NEVER, valid_from=-NEVER if starts is None else starts, valid_to=NEVER,
            since=now, demoted=_NAN, live=bool(live), pinned=bool(pinned), lesson=False, tier=-1,
            sessions=_NAN, share=_NAN, category=category.casefold(),
        )  # fmt: skip
        course = lifecycle.number(ages, now)
        score = float(course.current)
        return (None if score != score else score), lifecycle.word(course, score, now)

    def label(self, *said: Any) -> str:
        """The label alone, as SQL asks for it."""
        return self.of(*said)[1]


def one(ctx: Context, id: int, memory: Memory, store: StoreRow, now: float) -> tuple[Lifecycle, Ages]:
    """What its lifecycle looks at, of one memory."""
    lifecycle = lifecycle_of(ctx, store.format)
    seen = ctx.db.one("SELECT seen_at FROM memories WHERE id = ?", (id,))
    since = since_of(ctx, store, id)
    beside: dict[str, float] = {
        "seen": seen,
        "since": since.owed_from(id, now, seen),
        "demoted": since.demoted.get(id, math.nan),
    }
    if lifecycle.name == "base-coat":
        recalled, count = sessions(ctx)
        if count:
            beside |= {"sessions": recalled.get(id, 0), "share": recalled.get(id, 0) / count}
    return lifecycle, ages_of(memory, now, **beside)


def same_day(one: float, other: float) -> bool:
    """Whether two instants lie on one day of the calendar, in UTC; a run is done once a day."""
    return math.floor(one / DAY) == math.floor(other / DAY)
