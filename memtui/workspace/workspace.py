"""The workspace's verbs, which screens, commands and agents call; each reads as a sentence."""

from __future__ import annotations

import gc
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType

from memtui.embedding.base import Opener
from memtui.errors import Refused
from memtui.memory.detail import Detail
from memtui.memory.journal import AgentActivity, Arrivals, Event, EventItem
from memtui.memory.memory import Memory, MemoryRow
from memtui.memory.ranking import DEFAULT, DEFAULT_RECALL, TOP_K, RecallWeights, Weights
from memtui.memory.replacement import Replacement
from memtui.memory.results import (
    Change,
    PurgeResult,
    ReplacePreview,
    ReplacingMemory,
    Skipped,
    SplitPreview,
    StorePreview,
    TransferPreview,
    TransferResult,
)
from memtui.memory.stores import Counts
from memtui.values import FieldValue, JsonObject
from memtui.workspace import wording
from memtui.workspace.background import JobControl
from memtui.workspace.changes import previews, transfer, undo, verbs
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.changes.replacing import replace
from memtui.workspace.changes.splitting import split
from memtui.workspace.context import NATIVE, Context, no_step
from memtui.workspace.db.database import open_database, translate_errors
from memtui.workspace.db.leases import Leases
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.decay_api import DecayApi
from memtui.workspace.details import detail, list_rows, match_counts
from memtui.workspace.export_api import ExportApi
from memtui.workspace.graph_api import GraphApi
from memtui.workspace.import_api import ImportApi
from memtui.workspace.journal import arrivals, history
from memtui.workspace.maintenance import stats, workspace_checks
from memtui.workspace.mirror import memory_rows, uids
from memtui.workspace.report_api import ReportApi
from memtui.workspace.review_api import ReviewApi
from memtui.workspace.search_api import SearchApi
from memtui.workspace.session_api import SessionApi
from memtui.workspace.stores import catalog
from memtui.workspace.stores_api import StoresApi
from memtui.workspace.sync import restore_backup
from memtui.workspace.sync.pull import pull
from memtui.workspace.vectors.model import SemanticModel

_NO_FIELDS: Mapping[str, FieldValue] = MappingProxyType({})
STEPS = 20_000  # SQLite instructions between two checks whether a read is still wanted


def _new_id() -> str:
    return uuid.uuid4().hex


class Workspace(
    SearchApi, StoresApi, ReviewApi, GraphApi, DecayApi, ExportApi, ImportApi, ReportApi, SessionApi
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
        ctx.finish_writes = partial(reconcile, ctx)
        reconciled: list[str] = []
        if not reason:
            with ctx.writing, translate_errors(path):
                catalog.ensure_own(ctx)
                if dead := ctx.leases.dead():
                    restore_backup.clear_up(ctx, dead)
                reconciled = reconcile(ctx)
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
        """Return whole memories in the given order (`list --json`)."""
        return [each.memory for each in memory_rows.load(self._ctx.db, ids)]

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

    def journal(self, limit: int = 200, before: int | None = None, who: str = "") -> list[Event]:
        """Return the newest journal entries, newest first: all, those by `you`, or by `agents`."""
        return history.events(self._ctx, limit, before, who)

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
    def _exclusive(self) -> Iterator[None]:
        ctx = self._ctx
        with ctx.writing, translate_errors(ctx.path):
            if not ctx.read_only:
                if workspace_checks.has_moved(ctx):
                    raise wording.moved(ctx.path)
                reconcile(ctx)
            yield

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

    def preview(
        self,
        action: str,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue] = _NO_FIELDS,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        *,
        with_entities: bool = False,
    ) -> list[StorePreview]:
        """Return what a verb would do to these memories, store by store (S-8); changes nothing.

        `action` is pin, reason, unpin, snooze, wake, confirm, dismiss, forget, restore or edit. `fields` and
        `retag` are those of an edit; a snooze has its moment there, as `snoozed_until`; `with_entities` is
        that of `forget`.
        """
        return previews.preview(self._ctx, action, ids, fields, retag, with_entities=with_entities)

    # A verb with a `control` reports its progress and can be stopped between two memories: what was done
    # until then is one change. Without one it is carried out at once.

    def pin(self, ids: Sequence[int], why: str = "", control: JobControl | None = None) -> Change:
        """Pin memories; `why` replaces the reason of those that are all pinned already."""
        with self._changing():
            return verbs.pin(self._ctx, ids, why, control)

    def unpin(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Unpin memories."""
        with self._changing():
            return verbs.run(self._ctx, "unpin", ids, control)

    def snooze(self, ids: Sequence[int], until: float | None, control: JobControl | None = None) -> Change:
        """Hide memories from Review until a moment (Unix seconds); None shows them again."""
        with self._changing():
            return verbs.snooze(self._ctx, ids, until, control)

    def confirm(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Mark memories as right, at least with status confirmed."""
        with self._changing():
            return verbs.run(self._ctx, "confirm", ids, control)

    def dismiss(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Dismiss memories as their format does; `restore` brings them back."""
        with self._changing():
            return verbs.take_out(self._ctx, "dismiss", ids, control)

    def forget(
        self, ids: Sequence[int], control: JobControl | None = None, *, with_entities: bool = False
    ) -> Change:
        """Take memories out of their stores, as their format deletes them; `restore` brings them back until
        they are purged (S-106). Entities that lose their last memory go `with_entities`, else they stay."""
        with self._changing():
            return verbs.take_out(self._ctx, "forget", ids, control, with_entities=with_entities)

    def restore(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
        """Bring back dismissed memories at their old places."""
        with self._changing():
            return verbs.run(self._ctx, "restore", ids, control)

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, FieldValue],
        *,
        seen: Mapping[str, FieldValue] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
        control: JobControl | None = None,
    ) -> Change:
        """Set fields (those of memory.EDITABLE); a Conflict carries both texts.

        `retag` maps each memory's tags to new ones. `seen` are the values that the user saw: if a memory
        differs from them, that is a conflict even if the difference was pulled meanwhile.
        """
        with self._changing():
            return verbs.edit(self._ctx, ids, fields, seen, retag, control)

    def replace_preview(
        self, replacement: Replacement, ids: Sequence[int], control: JobControl | None = None
    ) -> ReplacePreview:
        """Return every place in these memories where a text would be replaced (S-54); changes nothing."""
        return replace.preview(self._ctx, replacement, ids, control)

    def replace(
        self,
        only: Sequence[ReplacingMemory],
        skipped: Sequence[Skipped] = (),
        control: JobControl | None = None,
    ) -> Change:
        """Replace the chosen hits of a preview as one change; `skipped` is reported with it."""
        with self._changing():
            return replace.replace(self._ctx, only, skipped, control)

    def add(self, fields: Mapping[str, FieldValue], store: str = NATIVE) -> Change:
        """Add a memory with fields of memory.ADDABLE to a store, memtui's own unless named."""
        with self._changing():
            return verbs.add(self._ctx, fields, store)

    def split_preview(self, id: int, parts: Sequence[str], relations: str = "first") -> SplitPreview:
        """Return what splitting a memory into these parts would do, and where; changes nothing."""
        return split.preview(self._ctx, id, parts, relations)

    def split(
        self,
        id: int,
        parts: Sequence[str],
        *,
        relations: str = "first",
        seen: Mapping[str, FieldValue] | None = None,
    ) -> Change:
        """Split a memory: the first part stays it, the others are added next to it.

        `relations` says who has its relations: the first, all or none. `seen` are the values that the user
        saw: if the memory differs from them, that is a conflict.
        """
        with self._changing():
            return split.split(self._ctx, id, parts, relations, seen)

    def preview_transfer(self, ids: Sequence[int], store: str) -> list[TransferPreview]:
        """Return what a store would hold of these memories and what not; changes nothing."""
        return transfer.preview(self._ctx, ids, store)

    def preview_transfer_stores(self, ids: Sequence[int], store: str, *, move: bool) -> list[StorePreview]:
        """Return from which stores how many of these memories would be copied or moved, and what a move does
        there; changes nothing."""
        return transfer.preview_stores(self._ctx, ids, store, move=move)

    def copy(self, ids: Sequence[int], store: str, control: JobControl | None = None) -> TransferResult:
        """Copy memories into another store, keeping what it cannot hold in memtui."""
        with self._changing():
            return transfer.transfer(self._ctx, ids, store, move=False, control=control)

    def move(self, ids: Sequence[int], store: str, control: JobControl | None = None) -> TransferResult:
        """Move memories into another store; the originals go once the copies are written."""
        with self._changing():
            return transfer.transfer(self._ctx, ids, store, move=True, control=control)

    def purge(self, ids: Sequence[int], control: JobControl | None = None) -> PurgeResult:
        """Erase memories permanently from their stores and from memtui (S-50).

        This cannot be undone; the result names the backups that still hold a text.
        """
        from memtui.workspace.maintenance.purge import purge

        with self._changing():
            return purge.purge(self._ctx, ids, control)

    def undo(self, entry_id: int | None = None, *, warn: bool = False) -> Change:
        """Undo the newest change by the user, or a given journal entry (S-51).

        With `warn`, raise Refused once if the newest change cannot be undone and an older one would be.
        """
        self._ctx.writable()
        with self._changing():
            return undo.undo(self._ctx, entry_id, warn=warn)

    def redo(self) -> Change:
        """Redo what the newest undo undid."""
        self._ctx.writable()
        with self._changing():
            return undo.redo(self._ctx)


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
