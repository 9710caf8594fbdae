"""What an agent's question leaves behind: uses are counted and the question is logged, in one write to each
store and one to the workspace (S-34)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import apsw
from peewee import SQL, fn

from memtui.errors import Refused
from memtui.formats.contract.recalling import Asked
from memtui.memory.secrets.masking import hidden
from memtui.workspace.context import NATIVE
from memtui.workspace.db import calls, store_rows
from memtui.workspace.db.models import Memory as MemoryRow
from memtui.workspace.db.models import Recall
from memtui.workspace.stores import backups

if TYPE_CHECKING:
    from memtui.workspace.context import Context

MAX_QUESTION = 2_000  # characters that are searched for and logged
_OF_STORES = "SELECT id, store_id, ref FROM memories WHERE id IN (SELECT value FROM json_each(?))"
_COUNTS = "SELECT id, times_used FROM memories WHERE id IN (SELECT value FROM json_each(?))"
_LOGGED = ("at", "actor", "text", "strategy", "how", "results", "seconds", "tool", "session")


@dataclass(slots=True)
class _Uses:
    """Which memories were used: `local` ones are counted by memtui alone; of others, `counts` has how often
    each was used according to its store."""

    own: list[int] = field(default_factory=list)
    local: list[int] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)


def log_question(
    ctx: Context,
    owner: str,
    text: str,
    strategy: str,
    how: str,
    ids: Sequence[int],
    begun: float,
    *,
    counted: bool = True,
) -> int:
    """Count the uses, if they are to be `counted`, and log the question; return the log's row, 0 if the
    workspace is read-only. `owner` is the agent that asks, "" for a person; `begun` is by the clock of
    `time.perf_counter`."""
    if ctx.read_only:
        return 0
    now, text = ctx.clock(), hidden(text)[:MAX_QUESTION]
    uses = _Uses()
    if counted and ids:
        uses = _count_in_stores(ctx, ids, Asked(text, owner, strategy, calls.session()), now)
    # A power cut may lose a use or a line of the log: no reason to let an agent wait for the disk.
    with ctx.writing, ctx.db.unsynced(), ctx.db.atomic():
        _count(ctx, uses, now)
        actor = f"agent:{owner}" if owner else ctx.actor
        seconds = time.perf_counter() - begun
        call = calls.tool(), calls.session()
        row = (now, actor, text, strategy, how, json.dumps(list(ids)), seconds, *call)
        ctx.db.insert_many(Recall, _LOGGED, [row])
        return ctx.db.connection().last_insert_rowid()


def _count_in_stores(ctx: Context, ids: Sequence[int], asked: Asked, now: float) -> _Uses:
    """Count one more use of each memory in its store, if that counts or notes uses."""
    rank = {id: place for place, id in enumerate(ids)}
    by_store: dict[int, list[tuple[int, str | None]]] = {}
    for id, store_id, ref in ctx.db.rows(_OF_STORES, (json.dumps(list(ids)),)):
        by_store.setdefault(store_id, []).append((id, ref))
    uses = _Uses()
    for store_id, rows in by_store.items():
        rows.sort(key=lambda row: rank[row[0]])
        store = store_rows.get(ctx.db, store_id)
        if store.format == NATIVE:
            uses.own += [id for id, _ in rows]
            continue
        try:
            adapter = ctx.adapter(store)
            if adapter is None or not (adapter.counts_uses or adapter.notes_uses):
                uses.local += [id for id, _ in rows]
                continue
            if not adapter.counts_uses:
                uses.local += [id for id, _ in rows]
            if not store.locked:
                backups.before_write(ctx, store, adapter)  # a write like any other (S-6)
                counts = adapter.count_uses([ref for _, ref in rows if ref], now, asked)
                if adapter.counts_uses:
                    uses.own += [id for id, _ in rows]
                    uses.counts |= _by_row(rows, counts)
        except (Refused, apsw.Error, OSError):
            pass  # an agent is answered even if a store is busy; the log has what was used
    return uses


def _by_row(rows: Sequence[tuple[int, str | None]], counts: Mapping[str, int]) -> dict[int, int]:
    return {id: counts[ref] for id, ref in rows if ref is not None and ref in counts}


def _count(ctx: Context, uses: _Uses, now: float) -> None:
    """Count the uses in the workspace, within its write lock. Of two processes that recall at once both
    count: a store says itself how often a memory was used, and pulling it may have been first."""
    used = json.dumps([*uses.own, *uses.local])
    counted = [
        (max(count, uses.counts.get(id, count + 1)), now, id) for id, count in ctx.db.rows(_COUNTS, (used,))
    ]
    ctx.db.update_many(MemoryRow, ("times_used", "last_used_at"), ("id",), counted)
    if uses.local:
        kept = fn.json_set(MemoryRow.kept, "$.times_used", SQL("times_used"), "$.last_used_at", now)
        listed = SQL("(SELECT value FROM json_each(?))", (json.dumps(uses.local),))
        ctx.db.write(MemoryRow.update(kept=kept).where(MemoryRow.id.in_(listed)))
