"""The workspace's verbs, which screens, commands and agents call; each reads as a sentence."""

from __future__ import annotations

import gc
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from memtui.embedding.base import Opener
from memtui.errors import Refused
from memtui.memory.detail import Detail
from memtui.memory.journal import AgentActivity, Arrivals, Event, EventItem
from memtui.memory.memory import Memory, MemoryRow
from memtui.memory.ranking import DEFAULT, DEFAULT_RECALL, TOP_K, RecallWeights, Weights
from memtui.memory.secrets.masking import Masking
from memtui.memory.stores import Counts
from memtui.values import JsonObject
from memtui.workspace import wording
from memtui.workspace.agents_api import AgentsApi
from memtui.workspace.changes.own_records import false_positives
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.changes_api import ChangesApi
from memtui.workspace.connections_api import ConnectionsApi
from memtui.workspace.context import Context, no_step
from memtui.workspace.db.database import open_database, translate_errors
from memtui.workspace.db.leases import Leases
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.decay_api import DecayApi
from memtui.workspace.details import detail, list_rows, masked, match_counts
from memtui.workspace.export_api import ExportApi
from memtui.workspace.graph_api import GraphApi
from memtui.workspace.import_api import ImportApi
from memtui.workspace.inbox_api import InboxApi
from memtui.workspace.journal import arrivals, history
from memtui.workspace.maintenance import stats, wiping, workspace_checks
from memtui.workspace.maintenance.redact.resume import resume
from memtui.workspace.mirror import memory_rows, uids
from memtui.workspace.policies_api import PoliciesApi
from memtui.workspace.report_api import ReportApi
from memtui.workspace.review_api import ReviewApi
from memtui.workspace.rules_api import RulesApi
from memtui.workspace.search_api import SearchApi
from memtui.workspace.session_api import SessionApi
from memtui.workspace.stores import catalog
from memtui.workspace.stores_api import StoresApi
from memtui.workspace.sync import restore_backup
from memtui.workspace.sync.pull import pull
from memtui.workspace.vectors.model import SemanticModel

STEPS = 20_000  # SQLite instructions between two checks whether a read is still wanted


def _new_id() -> str:
    return uuid.uuid4().hex


_TURN = 15.0  # seconds that a decision waits for other processes; an agent that is refused may not try again


class Workspace(
    ChangesApi,
    SearchApi,
    StoresApi,
    ReviewApi,
    GraphApi,
    DecayApi,
    ExportApi,
    ImportApi,
    ReportApi,
    SessionApi,
    InboxApi,
    RulesApi,
    PoliciesApi,
    AgentsApi,
    ConnectionsApi,
):
    """One open workspace. May be called from several threads; writes wait for each other."""

    def __init__(self, ctx: Context, reconciled: Sequence[str]) -> None:
        self._ctx = ctx
        self.path = ctx.path
        self.read_only = bool(ctx.read_only)
        self.watched = False  # whether stores are pulled all the time
        self.reconciled = tuple(reconciled)  # what was settled after an interruption, as sentences

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = _new_id,
        actor: str = "person",
        on_step: Callable[[str], None] = no_step,
        opener: Opener | None = None,
        weights: Weights = DEFAULT,
        top_k: int = TOP_K,
        recall_weights: RecallWeights = DEFAULT_RECALL,
        projects: Sequence[str] = (),
        half_lives: Mapping[str, float] | None = None,
        founder_os_daily: bool = False,
    ) -> Workspace:
        """Open or create the workspace at `path` (S-1); raise Refused if that is impossible.

        Writes that a dead process left unfinished are settled first (S-7).

        `opener` loads the embedding model on demand; without one, only words are searched. `weights` and
        `top_k` combine words and meaning (S-30), `recall_weights` add what else counts for agents (S-34).
        `projects` are the tags that name projects (S-83), `half_lives` days by category (S-25),
        `founder_os_daily` selects the daily reading of Founder OS's decay (S-20).
        """
        db, reason = open_database(path, read_only=read_only)
        ctx = Context(path, db, Leases(path), clock, new_id, SemanticModel(opener), actor, reason, on_step)
        ctx.weights, ctx.top_k, ctx.recall_weights = weights, top_k, recall_weights
        ctx.projects = tuple(projects)
        ctx.half_lives, ctx.founder_os_daily = dict(half_lives or {}), founder_os_daily
        db.label = Strengths(ctx).label
        false_positives.load(ctx)
        ctx.finish_writes, ctx.give_way = partial(reconcile, ctx), partial(_give_way, ctx)
        reconciled: list[str] = []
        if not reason:
            with ctx.writing, translate_errors(path):
                catalog.ensure_own(ctx)
                if dead := ctx.leases.dead():
                    restore_backup.clear_up(ctx, dead)
                reconciled = [*_settled(ctx), *wiping.finish(ctx)]
        return cls(ctx, reconciled)

    def report_progress(self, report: Callable[[str, float], None]) -> None:
        """Set a callback for long reads, called in the reading thread with a store's name and the share read
        (0 to 1)."""
        self._ctx.on_progress = report

    def stop_reading(self) -> None:
        """Have long reads stop at their next step; what was read so far is kept."""
        self._ctx.closing.set()

    def close(self) -> None:
        """Close this thread's connection and release the lease."""
        self._ctx.leases.close()
        self._ctx.db.close()
        self._ctx.db.private_copy.close()

    def close_thread(self) -> None:
        """Close the calling thread's connection; for threads that end before the workspace is closed."""
        self._ctx.db.close()

    @contextmanager
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]:
        """Run reads of this thread so that they end with InterruptError soon after `stop` returns True."""
        connection = self._ctx.db.connection()
        connection.set_progress_handler(stop, STEPS)
        try:
            yield
        finally:
            connection.set_progress_handler(None)

    def stats(self) -> JsonObject:
        """Return counts by store, status, category and actor, for `memtui stats`."""
        return stats.stats(self._ctx)

    # -- reading

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return list rows for these ids in the given order; missing ones are left out."""
        return list_rows.load(self._ctx, ids)

    def memories(self, ids: Sequence[int]) -> list[Memory]:
        """Return whole memories in the given order, with their secrets: for what is written (S-62)."""
        return [each.memory for each in memory_rows.load(self._ctx.db, ids)]

    def shown_memories(self, ids: Sequence[int], masking: Masking) -> list[Memory]:
        """Return whole memories in the given order as `masking` shows them (`list --json`)."""
        return masked.load(self._ctx, ids, masking)

    def memories_without_secrets(self, ids: Sequence[int]) -> tuple[list[Memory], list[str]]:
        """Return whole memories in the given order but those that hold a secret, and the uids of those."""
        return masked.without_secrets(self._ctx, ids)

    def find(self, uid: str) -> int:
        """Return the row id of a uid or of its unambiguous prefix; raise Refused otherwise."""
        return uids.find(self._ctx.db, uid)

    def ids_in(self, *, store: str = "", owner: str = "", key: str = "") -> list[int]:
        """Return the memories that are in their stores: in one of them, of an owner, with a key, exactly."""
        store_id = catalog.find_attached(self._ctx, store).id if store else None
        return memory_rows.ids_in(self._ctx.db, store_id, owner, key)

    def detail(self, id: int) -> Detail | None:
        """Return everything about one memory; None if there is no such row."""
        return detail.detail(self._ctx, id)

    def counts(self) -> Counts:
        """Return the numbers of the header."""
        live, everything, holding, dated = self._ctx.db.rows(
            "SELECT (SELECT count(*) FROM memories WHERE live = 1), (SELECT count(*) FROM memories) - "
            "(SELECT count(*) FROM memories WHERE removed_at IS NOT NULL OR shown = 0), "
            "(SELECT count(*) FROM stores s WHERE EXISTS (SELECT 1 FROM memories WHERE store_id = s.id)), "
            "EXISTS (SELECT 1 FROM memories WHERE updated_at IS NOT NULL OR created_at IS NOT NULL)"
        )[0]
        names = tuple(store.name for store in catalog.attached(self._ctx))
        return Counts(live, everything, len(names) - 1, names, holding, bool(dated))

    def match_counts(self, texts: Sequence[str], *, live: bool = True) -> list[int]:
        """Return how many memories each of these queries finds, which have filters only (S-32)."""
        return match_counts.match_counts(self._ctx, texts, live=live)

    def arrivals(self, after: int | None) -> Arrivals:
        """Return what agents added and changed after a journal entry, None for the newest one (S-5)."""
        return arrivals.arrivals(self._ctx, after)

    def journal(
        self, limit: int = 200, before: int | None = None, who: str = "", session: str = ""
    ) -> list[Event]:
        """Return the newest journal entries, newest first: all, those by `you`, by `agents` or by one actor
        ("agent:scout"); with `session` those of its calls, by how it begins."""
        return history.events(self._ctx, limit, before, who, session)

    def journal_items(self, entry_id: int) -> list[EventItem]:
        """Return the items of one entry, memory by memory."""
        return history.items(self._ctx, entry_id)

    def agent_activity(self) -> AgentActivity:
        """Return what agents did since the user last looked, newest first (S-53)."""
        from memtui.workspace.journal import agent_activity

        return agent_activity.activity(self._ctx)

    def mark_seen(self, upto: int | None = None) -> None:
        """Record that the user has seen what agents did, up to journal entry `upto` if given."""
        from memtui.workspace.journal import agent_activity

        with self._changing():
            agent_activity.mark_seen(self._ctx, upto)

    # -- changing

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Run one change at a time, after settling what an interruption left open."""
        ctx = self._ctx
        try:
            with self._exclusive(), _without_gc():
                yield
        finally:
            if ctx.stale:
                self._reread_stale()

    @contextmanager
    def _changing_alone(self) -> Iterator[None]:
        """Do the same while no other process does: for what is decided by what was read just before, as the
        next place in an order, or whether there is room under a limit."""
        with self._changing():
            self._ctx.writable()
            with self._ctx.leases.alone(_TURN):
                yield

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        ctx = self._ctx
        with ctx.writing, translate_errors(ctx.path):
            if not ctx.read_only:
                if workspace_checks.has_moved(ctx):
                    raise wording.moved(ctx.path)
                _settled(ctx)
            try:
                yield
            except Refused:  # what gave way to it is set again
                if not ctx.read_only:
                    _apply_rules(ctx)
                raise
            if not ctx.read_only:
                _apply_rules(ctx)

    def _reread_stale(self) -> None:
        """Read stores again that turned out to have changed (S-6), while others may write; skipped if the
        stores are watched, since that happens soon anyway."""
        ctx = self._ctx
        stale, ctx.stale = ctx.stale, set()
        with suppress(Refused), translate_errors(ctx.path):  # the outcome of the change is what to report
            for store in catalog.attached(ctx) if stale and not self.watched else ():
                if store.id in stale:
                    with suppress(Refused), translate_errors(ctx.path):
                        pull(ctx, store)


def _apply_rules(ctx: Context) -> None:
    """Apply the rules to what a change has queued (S-60); what fails is left to the sweep."""
    if ctx.db.one("SELECT 1 FROM rule_queue LIMIT 1"):
        from memtui.workspace.rules import sweep

        sweep.apply_few(ctx)


def _give_way(ctx: Context, since: Mapping[int, int]) -> bool:
    """Take back what rules did to memories, each after an item of the journal; return whether that was
    anything."""
    from memtui.workspace.rules import giving_way

    return giving_way.give_way(ctx, since)


def _settled(ctx: Context) -> list[str]:
    """Settle what interrupted processes left open; return a sentence for each change."""
    return [*reconcile(ctx), *resume(ctx)]


@contextmanager
def _without_gc() -> Iterator[None]:
    """Suspend Python's garbage collection. A bulk verb holds hundreds of thousands of objects to its end;
    traversing them again and again takes as long as writing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
