"""What lifecycles need to know of memories, read from the workspace (SPEC 4)."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import Refused
from memtui.formats import registry
from memtui.memory import lifecycles
from memtui.memory.lifecycles.base import NEVER, DecayInputs, Lifecycle, Numbers, inputs_of
from memtui.memory.lifecycles.none import NoDecay
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.memory.memory import Memory
from memtui.memory.rules.rule import HALF_LIFE as RULED
from memtui.values import SqlValue
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.decay.owed import owed_since
from memtui.workspace.search.filters import CREATED, HALF_LIFE

if TYPE_CHECKING:
    import apsw

_NAN = math.nan
SESSION_PAUSE = 1_800.0  # seconds without a query of an agent, after which its next one begins a session
_CHUNK = 20_000
_FAST_CHUNKS = 5  # before progress is reported
# All memories of a store, read as columns of numbers: a workspace has up to a million.
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
# What rules set in a store, by memory.
_HALF_LIVES = (
    f"SELECT m.id, {HALF_LIFE} FROM rule_settings r JOIN memories m ON m.id = r.memory_id "
    f"WHERE r.action = '{RULED}' AND m.store_id = ?"
)


class Chunk(NamedTuple):
    """Some memories of a store: their ids, the columns of `DecayInputs` as arrays, and their categories."""

    lifecycle: Lifecycle
    ids: list[int]
    columns: dict[str, Numbers]
    categories: list[str]


def lifecycle_of(ctx: Context, format: str) -> Lifecycle:
    """Return the lifecycle of the memories in stores of a format."""
    try:
        name = "memtui" if format == NATIVE else registry.by_name(format).lifecycle
    except Refused:  # a format of a newer memtui
        return NoDecay()
    if name == "founder-os" and ctx.founder_os_daily:
        name = "founder-os-daily"
    return lifecycles.by_name(name, ctx.half_lives)


def sessions(ctx: Context) -> tuple[dict[int, int], int]:
    """Return in how many sessions each memory was recalled, and the number of sessions.

    A session is what one agent asks without a pause of half an hour, by the log of recalls.
    """
    newest = ctx.db.one("SELECT max(id) FROM recall_log") or 0
    if ctx.sessions is None or ctx.sessions[0] != newest:
        ctx.sessions = (newest, *_count_sessions(ctx))
    return ctx.sessions[1:]


def _count_sessions(ctx: Context) -> tuple[dict[int, int], int]:
    recalled: dict[int, int] = {}
    last: dict[str, tuple[float, set[int]]] = {}
    count = 0
    # The whole log, in order: it grows with every recall.
    for actor, at, results in ctx.db.rows("SELECT actor, at, results FROM recall_log ORDER BY at, id"):
        last_at, known = last.get(actor, (-math.inf, set()))
        if at - last_at > SESSION_PAUSE:
            known = set()
            count += 1
        last[actor] = (at, known)
        for id in json.loads(results):
            if id not in known:
                known.add(id)
                recalled[id] = recalled.get(id, 0) + 1
    return recalled, count


def load_outlook(
    ctx: Context, now: float, *, store: str = "", live: bool = True, only: Collection[int] | None = None
) -> Outlook:
    """Return the outlook of all memories, of one store's, or of these rows `only`, from `now`.

    It has `live` ones only, or also those that are dismissed, superseded or expired.
    """
    stores = [each for each in store_rows.attached(ctx.db) if store in ("", each.name)]
    stores_lifecycles = [lifecycle_of(ctx, each.format) for each in stores]
    log = sessions(ctx)
    chunks: dict[str, list[Chunk]] = {}
    for number, (each, lifecycle) in enumerate(zip(stores, stores_lifecycles, strict=True)):
        for chunk_number, chunk in enumerate(_read(ctx, each, lifecycle, now, log, live, only)):
            chunks.setdefault(lifecycle.name, []).append(chunk)
            if chunk_number > _FAST_CHUNKS:
                ctx.on_progress(each.name, number / len(stores))
    groups = [_group(group, now) for group in chunks.values()]
    count = sum(int(group.inputs.live.sum()) for group in groups)
    frozen = sum(group.count_frozen() for group in groups)
    return Outlook(now, groups, count, frozen)


def _read(
    ctx: Context,
    store: StoreRow,
    lifecycle: Lifecycle,
    now: float,
    log: tuple[dict[int, int], int],
    live: bool,
    only: Collection[int] | None,
) -> Iterator[Chunk]:
    """Yield the memories of a store."""
    import numpy as np

    owed = owed_since(ctx, store)
    sessions_of, session_count = log
    has_half_life = lifecycle.has_half_life
    by_rules: dict[int, float] = dict(ctx.db.rows(_HALF_LIVES, (store.id,))) if has_half_life else {}
    sql = _SELECT + (" AND m.live = 1" if live else "")
    values: list[SqlValue] = [store.id]
    if only is not None:
        sql += " AND m.id IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(list(only)))
    cursor: apsw.Cursor = ctx.db.connection().execute(sql, values)
    while rows := list(islice(cursor, _CHUNK)):
        ids, *columns, categories = zip(*rows, strict=True)
        numbers = [np.array(column, dtype=np.float64) for column in columns]
        confidence, importance, used, confirmed, created, last_used, last_confirmed = numbers[:7]
        expires, starts, ends, lives, pinned, lesson, tier, seen = numbers[7:]
        base = owed.owed_from(-1, now, -math.inf)
        # A memory owes nothing from before it was in its store.
        since, demoted = np.where(seen <= now, np.maximum(seen, base), base), np.full(len(ids), math.nan)
        recalled = np.full(len(ids), 0.0 if session_count else math.nan)
        different = owed.other_runs.keys() | owed.touched.keys()
        for place in (place for place, id in enumerate(ids) if id in different) if different else ():
            since[place] = owed.owed_from(ids[place], now, seen[place])
        for place, id in enumerate(ids) if owed.demoted else ():
            demoted[place] = owed.demoted.get(id, math.nan)
        for place, id in enumerate(ids) if sessions_of else ():
            recalled[place] = sessions_of.get(id, 0)
        half_lives = np.full(len(ids), math.nan)
        for place, id in enumerate(ids) if by_rules else ():
            half_lives[place] = by_rules.get(id, math.nan)
        yield Chunk(lifecycle, list(ids), {
            "confidence": confidence, "importance": importance, "used": used, "confirmed": confirmed,
            "created": created, "last_used": last_used, "last_confirmed": last_confirmed,
            "expires": np.where(np.isnan(expires), np.inf, expires),
            "valid_from": np.where(np.isnan(starts), -np.inf, starts),
            "valid_to": np.where(np.isnan(ends), np.inf, ends),
            "since": since, "demoted": demoted, "live": lives == 1, "pinned": pinned == 1,
            "lesson": lesson == 1, "tier": tier, "sessions": recalled,
            "share": recalled / session_count if session_count else recalled, "half_life": half_lives,
        }, list(categories))  # fmt: skip


def _group(chunks: Sequence[Chunk], now: float) -> Group:
    import numpy as np

    known: dict[str, int] = {}
    names: dict[str, int] = {}
    for name in (name for chunk in chunks for name in chunk.categories):
        if name not in known:
            known[name] = names.setdefault(name.casefold(), len(names))
    categories = [known[name] for chunk in chunks for name in chunk.categories]
    columns = {name: np.concatenate([chunk.columns[name] for chunk in chunks]) for name in chunks[0].columns}
    inputs = DecayInputs(
        **columns, category=np.array(categories, dtype=np.int32), categories=tuple(names), xp=np
    )
    ids = np.concatenate([np.array(chunk.ids, dtype=np.int64) for chunk in chunks])
    lifecycle = chunks[0].lifecycle
    return Group(lifecycle, ids, inputs, lifecycle.projection(inputs, now))


class Strengths:
    """Computes how strong memories are now, one at a time, by the lifecycles of their stores."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._lifecycles: dict[str, Lifecycle] = {}

    def of(self, format: str, now: float, *values: SqlValue) -> tuple[float | None, str]:
        """Return the score, None where the format has no number, and its label ("" then)."""
        confidence, importance, used, created, last_used, confirmed, starts, live, pinned = values[:9]
        category, half_life = values[9:]
        lifecycle = self._lifecycles.get(format)
        if lifecycle is None:
            lifecycle = self._lifecycles[format] = lifecycle_of(self._ctx, format)
        inputs = DecayInputs(
            confidence=_NAN if confidence is None else confidence,
            importance=_NAN if importance is None else importance,
            used=used, confirmed=0, created=created,
            last_used=_NAN if last_used is None else last_used,
            last_confirmed=_NAN if confirmed is None else confirmed,
            expires=NEVER, valid_from=-NEVER if starts is None else starts, valid_to=NEVER,
            since=now, demoted=_NAN, live=bool(live), pinned=bool(pinned), lesson=False, tier=-1,
            sessions=_NAN, share=_NAN, half_life=_NAN if half_life is None else half_life,
            category=category.casefold(),
        )  # fmt: skip
        scores = lifecycle.scores(inputs, now)
        score = float(scores.current)
        return (None if math.isnan(score) else score), lifecycle.label_at(scores, score, now)

    def label(self, format: str, now: float, *values: SqlValue) -> str:
        """Return the label alone; SQL calls it as a function."""
        return self.of(format, now, *values)[1]


def memory_inputs(
    ctx: Context, id: int, memory: Memory, store: StoreRow, now: float
) -> tuple[Lifecycle, DecayInputs]:
    """Return the lifecycle and the inputs of one memory."""
    lifecycle = lifecycle_of(ctx, store.format)
    # Of some 60 columns.
    ((seen, half_life),) = ctx.db.rows(f"SELECT m.seen_at, {HALF_LIFE} FROM memories m WHERE m.id = ?", (id,))
    owed = owed_since(ctx, store, id)
    known: dict[str, float] = {
        "seen": seen,
        "since": owed.owed_from(id, now, seen),
        "demoted": owed.demoted.get(id, math.nan),
    }
    if half_life is not None:
        known["half_life"] = half_life
    if lifecycle.name == "base-coat":
        recalled, count = sessions(ctx)
        if count:
            known |= {"sessions": recalled.get(id, 0), "share": recalled.get(id, 0) / count}
    return lifecycle, inputs_of(memory, now, **known)
