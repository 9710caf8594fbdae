"""The verbs that screens, commands and agents call; each is a sentence."""

from __future__ import annotations

import gc
import json
import os
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from memtui.embedding.base import Opener
from memtui.errors import NotSaved, Refused
from memtui.memory.detail import Detail
from memtui.memory.encoding import iso
from memtui.memory.journal import AgentActivity, Event, EventItem
from memtui.memory.lifecycles.forecast import Forecast
from memtui.memory.lifecycles.outlook import Outlook
from memtui.memory.memory import MemoryRow, label_of
from memtui.memory.ranking import DEFAULT, LEANING, TOP_K, Leaning, Weights
from memtui.memory.results import (
    Change,
    EmbeddingState,
    Hits,
    MatchReason,
    PurgeResult,
    RecallResult,
    TransferPreview,
    TransferResult,
)
from memtui.memory.stores import Backup, Counts, DiscoveredStore, Issue, PullResult, StoreInfo
from memtui.paths import no_url
from memtui.workspace.background import JobControl
from memtui.workspace.changes import planning, transfer, undo, verbs
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.context import NATIVE, Context, _no_step
from memtui.workspace.db.database import damaged, in_words, open_database
from memtui.workspace.db.leases import Leases
from memtui.workspace.db.models import Store
from memtui.workspace.decay import forecast, run
from memtui.workspace.decay.forecast import Due
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.decay.run import DecayRun
from memtui.workspace.details import detail
from memtui.workspace.graph_api import GraphApi
from memtui.workspace.journal import history
from memtui.workspace.maintenance import stats, workspace_checks
from memtui.workspace.mirror import memory_rows
from memtui.workspace.review_api import ReviewApi
from memtui.workspace.search import facets, lexical, recall, retrieval, saved_searches
from memtui.workspace.search.facets import Facets
from memtui.workspace.search.filters import STRENGTH_FIELDS
from memtui.workspace.search.recall import TOLD, Caller
from memtui.workspace.search.retrieval import BOTH
from memtui.workspace.search.saved_searches import Saved
from memtui.workspace.stores import catalog
from memtui.workspace.sync import attach, restore_backup
from memtui.workspace.sync.pull import pull
from memtui.workspace.vectors import queue, retries
from memtui.workspace.vectors.model import Meaning
from memtui.workspace.vectors.retries import Retry

_ROW = (
    "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, m.confidence, "
    f"m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at, s.format, {STRENGTH_FIELDS} "
    "FROM json_each(?) e "
    "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
)
STEPS = 20_000  # of SQLite's machine between two looks at whether a read is still wanted


def _new_id() -> str:
    return uuid.uuid4().hex


class Workspace(ReviewApi, GraphApi):
    """One open workspace. May be called from several threads; writes wait for each other."""

    def __init__(self, ctx: Context, told: Sequence[str]) -> None:
        self._ctx = ctx
        self.path = ctx.path
        self.read_only = bool(ctx.read_only)
        self.watched = False  # somebody pulls all the time
        self.reconciled = tuple(told)  # what was settled after an interruption, in sentences

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = _new_id,
        actor: str = "person",
        on_step: Callable[[str], None] = _no_step,
        opener: Opener | None = None,
        weights: Weights = DEFAULT,
        top_k: int = TOP_K,
        leaning: Leaning = LEANING,
        projects: Sequence[str] = (),
        half_lives: Mapping[str, float] | None = None,
        founder_os_daily: bool = False,
    ) -> Workspace:
        """Open or make the workspace at `path` (S-1); Refused says why it cannot be.

        Intents that a dead process left are settled first (S-7). `opener` loads the model once it is
        wanted; without one, only words are searched. `weights` and `top_k` say how words and meaning are
        put together (S-30), `leaning` what else counts in what agents are given (S-34), `projects` which
        tags stand for projects (S-83), `half_lives` how many days half a memory lasts, by category (S-25),
        `founder_os_daily` which reading of its decay is meant (S-20).
        """
        db, reason = open_database(path, read_only=read_only)
        mind = Meaning(opener)
        ctx = Context(path, db, Leases(path), clock, new_id, mind, actor, reason, on_step)
        ctx.weights, ctx.top_k, ctx.leaning = weights, top_k, leaning
        ctx.projects = tuple(projects)
        ctx.half_lives, ctx.founder_os_daily = dict(half_lives or {}), founder_os_daily
        db.label = Strengths(ctx).label
        ctx.finish_writes = partial(reconcile, ctx)
        told: list[str] = []
        if not reason:
            with ctx.writing, in_words(path):
                _own_store(ctx)
                if dead := ctx.leases.dead():
                    restore_backup.clear_up(ctx, dead)
                told = reconcile(ctx)
        return cls(ctx, told)

    def stats(self) -> dict[str, Any]:
        """Counts by store, status, category and actor, for `memtui stats`."""
        return stats.stats(self._ctx)

    def retries(self) -> list[Retry]:
        """What the model failed on, by reason, the most frequent first (S-35)."""
        return retries.retries(self._ctx)

    @staticmethod
    def model_opener(setting: str) -> Opener | None:
        """What loads the model of the setting `model`, once it is wanted; None for "off" (S-35)."""
        from memtui.embedding.opening import opener

        return opener(setting)

    def tell_progress(self, tell: Callable[[str, float], None]) -> None:
        """Have `tell` called with a store's name and how much of it was read, 0 to 1, while a long
        reading goes on; in the thread that reads."""
        self._ctx.on_progress = tell

    def end(self) -> None:
        """Long readings stop at their next step; what was taken in stays."""
        self._ctx.closing.set()

    def close(self) -> None:
        """Close this thread's connection and give the lease back."""
        self._ctx.leases.close()
        self._ctx.db.close()
        self._ctx.db.private.close()

    def close_thread(self) -> None:
        """Close the calling thread's connection; for threads that end before the workspace does."""
        self._ctx.db.close()

    # -- reading

    def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
        """The memories that match a query (S-30, S-31); QueryError points at what is wrong.

        With `live`, only live ones unless the query asks for a status."""
        return lexical.search(self._ctx.db, text, live=live, sort=sort, now=self._ctx.clock())

    def listing(self, text: str, *, live: bool = True, sort: str = "") -> Generator[Hits]:
        """The same in parts, the first one soon; to be read in one thread."""
        return lexical.listing(self._ctx.db, text, live=live, sort=sort, now=self._ctx.clock())

    def matching(self, text: str, ids: Sequence[int], *, live: bool = True) -> set[int]:
        """Which of these rows match a query."""
        return lexical.matching(self._ctx.db, text, ids, live=live, now=self._ctx.clock())

    def fused(
        self, text: str, listed: Sequence[int], *, live: bool = True, by: str = BOTH, sort: str = ""
    ) -> Hits | None:
        """The best answers by words and meaning, then the rest of what words alone found (`listed`);
        None where there is nothing to understand, or no model is loaded."""
        return retrieval.fused(self._ctx, text, listed, live=live, by=by, sort=sort)

    def whys(
        self, text: str, ids: Sequence[int], *, live: bool = True, by: str = BOTH
    ) -> dict[int, MatchReason]:
        """Why each of these memories answers a query, weighed against each other (S-33)."""
        return retrieval.whys(self._ctx, text, ids, live=live, by=by)

    def why(self, text: str, id: int, *, live: bool = True) -> MatchReason | None:
        """Why a memory answers a query (S-33)."""
        return retrieval.why(self._ctx, text, id, live=live)

    def recall(
        self,
        text: str,
        caller: Caller,
        *,
        strategy: str = "",
        limit: int = 10,
        statuses: Sequence[str] = TOLD,
        subject: str = "",
    ) -> RecallResult:
        """What answers an agent's question best among what it may know; counted and logged (S-34)."""
        with in_words(self.path):
            return recall.recall(
                self._ctx,
                text,
                caller,
                strategy=strategy,
                limit=limit,
                statuses=statuses,
                subject=subject,
            )

    def recall_by(self, field: str, value: str, caller: Caller, limit: int = 10) -> RecallResult:
        """Founder OS's lists: by `company_id` or `source_ref`, surest first; by `key`, any status."""
        with in_words(self.path):
            return recall.by_field(self._ctx, field, value, caller, limit)

    def facets(self, text: str, *, live: bool = True) -> Facets:
        """How many of what a query matches are in which store, category, status, … (S-32)."""
        return facets.counts(self._ctx.db, text, live=live, now=self._ctx.clock())

    def values(self, name: str, beginning: str = "", *, live: bool = True) -> list[tuple[str, int]]:
        """What may stand behind a filter's colon, with counts (S-31); raw, as stored."""
        return facets.values(self._ctx.db, name, beginning, live=live)

    def saved(self) -> list[Saved]:
        """The searches that a person keeps (S-32)."""
        return saved_searches.listed(self._ctx.db)

    def save_search(self, name: str, query: str, sort: str = "") -> Saved:
        """Keep a search under a name; one of the same name is replaced."""
        with self._changing():
            self._ctx.writable()
            return saved_searches.save(self._ctx.db, name, query, sort, self._ctx.clock())

    def forget_search(self, name: str) -> None:
        """Keep a search no longer."""
        with self._changing():
            self._ctx.writable()
            saved_searches.forget(self._ctx.db, name)

    # -- meaning

    def meaning(self) -> EmbeddingState:
        """How searching by meaning stands (S-35)."""
        return queue.state(self._ctx, self._ctx.meaning)

    def load_model(self) -> bool:
        """Load the model if that was not done yet; takes a second or more. Whether there is one."""
        return self._ctx.meaning.load(self._ctx) is not None

    def embed(self, manners: JobControl | None = None) -> int:
        """Give a vector to each memory that waits for one; how many got it. Takes long (S-35)."""
        with in_words(self.path):
            return queue.work_off(self._ctx, self._ctx.meaning, manners)

    @contextmanager
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]:
        """What this thread reads meanwhile ends soon once `stop` says so, with InterruptError."""
        connection = self._ctx.db.connection()
        connection.set_progress_handler(stop, STEPS)
        try:
            yield
        finally:
            connection.set_progress_handler(None)

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        """One line each, in the given order; ids that are gone are left out."""
        rows = {row[0]: row for row in self._ctx.db.rows(_ROW, (json.dumps(list(ids)),))}
        now, strengths = self._ctx.clock(), Strengths(self._ctx)
        found = {id: strengths.of(row[11], now, *row[12:]) for id, row in rows.items()}
        return [
            MemoryRow(
                id=row[0],
                store=row[1],
                label=label_of(row[2], row[3], row[4]),
                category=row[5] or "",
                status=row[6],
                confidence=row[7],
                pinned=bool(row[8]),
                updated_at=row[9],
                removed=row[10] is not None,
                score=found[row[0]][0],
                decay_state=found[row[0]][1],
            )
            for row in (rows[i] for i in ids if i in rows)
        ]

    def memories(self, ids: Sequence[int]) -> list[Any]:
        """Whole memories in the given order (`list --json`)."""
        return [each.memory for each in memory_rows.held(self._ctx.db, ids)]

    def find(self, uid: str) -> int:
        """The row of a uid or of its unambiguous beginning; Refused otherwise."""
        rows = self._ctx.db.rows(
            "SELECT id, uid FROM memories WHERE uid >= ? AND uid < ? || '~' ORDER BY uid LIMIT 2", (uid, uid)
        )
        if len(rows) == 1 or (rows and rows[0][1] == uid):
            return int(rows[0][0])
        if rows:
            raise Refused("ambiguous", f"More than one memory's uid begins with {uid}.", "Give more of it.")
        raise Refused("no-memory", f"There is no memory with the uid {uid}.", "memtui list shows them.")

    def detail(self, id: int) -> Detail | None:
        """Everything about one memory; None if there is no such row."""
        return detail.detail(self._ctx, id)

    def counts(self) -> Counts:
        """The header's numbers."""
        live, everything = self._ctx.db.rows(
            "SELECT (SELECT count(*) FROM memories WHERE live = 1), (SELECT count(*) FROM memories) - "
            "(SELECT count(*) FROM memories WHERE removed_at IS NOT NULL OR shown = 0)"
        )[0]
        names = tuple(store.name for store in catalog.attached(self._ctx))
        return Counts(live, everything, len(names) - 1, names)

    def journal(self, limit: int = 200, before: int | None = None, who: str = "") -> list[Event]:
        """The newest journal lines, newest first: by all, by `you` or by `agents`."""
        return history.events(self._ctx, limit, before, who)

    def journal_items(self, line: int) -> list[EventItem]:
        """What one line did, memory by memory."""
        return history.items(self._ctx, line)

    # -- stores

    def stores(self) -> list[StoreInfo]:
        """The attached stores, our own first."""
        return [catalog.info(self._ctx, store) for store in catalog.attached(self._ctx)]

    def recognise(self, path: Path) -> None:
        """Refused, saying what was looked for, if there is no store at `path`; changes nothing."""
        attach.recognise(path)

    def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
        """Attach and read the stores at `path` (S-2)."""
        no_url(os.fspath(path))
        with self._changing():
            pass  # what an interruption left is settled first; the reading itself lets others in
        with in_words(self.path):
            return attach.attach(self._ctx, Path(path), name)

    def create_store(self, format: str, path: str | os.PathLike[str], name: str = "") -> StoreInfo:
        """Make an empty store of a format, and attach it."""
        no_url(os.fspath(path))
        with self._changing():
            pass
        with in_words(self.path):
            folder = os.fspath(path).endswith(os.sep)
            return attach.create(self._ctx, format, Path(path), name, folder=folder)

    def consequences(self, name: str) -> dict[str, str]:
        """What each action will do in a store, in words (S-8)."""
        ctx = self._ctx
        adapter = ctx.adapter(catalog.named(ctx, name))
        return {action: planning.consequence(adapter, action) for action in detail.ACTIONS}

    def holding(self, ids: Sequence[int]) -> list[Backup]:
        """The backups that would still hold the text of these memories after a purge."""
        from memtui.workspace.maintenance import purge

        return list(purge.holding(self._ctx, ids))

    def detach(self, name: str) -> StoreInfo:
        """Stop watching a store; everything that memtui knows of it stays (S-2a)."""
        with self._changing():
            return catalog.detach(self._ctx, name)

    def pull(self) -> PullResult:
        """Take in what agents changed, store by store; one that fails does not stop the others."""
        news: dict[str, tuple[int, int, int]] = {}
        errors: dict[str, str] = {}
        relations: dict[str, int] = {}
        later: list[str] = []
        ctx = self._ctx
        if ctx.read_only:
            return PullResult(news, errors)
        for store in catalog.attached(ctx):
            if store.format == NATIVE:
                continue
            try:
                taken = pull(ctx, store)
                if any(taken.memories):
                    news[store.name] = taken.memories
                elif taken.relations:
                    relations[store.name] = taken.relations
                continue
            except Refused as refusal:
                if refusal.code in ("overtaken", "closing"):
                    later.append(store.name)
                    continue  # the store is well
                errors[store.name] = refusal.message
            except Exception as trouble:  # a store that no reader foresaw must not hide the others
                errors[store.name] = f"It cannot be read: {trouble!r}"
            if errors[store.name] != store.error:
                with in_words(ctx.path):
                    error = errors[store.name]
                    ctx.db.write(Store.update(error=error).where(Store.id == store.id))
        return PullResult(news, errors, tuple(later), relations)

    def rename_store(self, name: str, new: str) -> StoreInfo:
        """Give an attached store another name (S-2a)."""
        with self._changing():
            return catalog.rename(self._ctx, name, new)

    def lock_store(self, name: str, locked: bool) -> StoreInfo:
        """Refuse every change to a store, by a person's word, or allow them again (S-8)."""
        with self._changing():
            return catalog.lock(self._ctx, name, locked)

    def discover(self) -> list[DiscoveredStore]:
        """The stores in the known places that are not attached; attaches nothing (S-3)."""
        from memtui.formats import discovery

        known = {(store.format, store.path) for store in catalog.attached(self._ctx)}
        return [each for each in discovery.discover() if (each.format, each.path) not in known]

    def doctor(self) -> list[Issue]:
        """What is wrong or odd, with the workspace and with each store; changes nothing (S-91)."""
        from memtui.workspace.maintenance import doctor

        return doctor.examine(self._ctx)

    def check(self) -> str:
        """Once a day, look through the whole file for broken pages: "" if there are none, else why the
        workspace is only read from now on. Takes long for a large file (LIMITS 1)."""
        from memtui.workspace.maintenance import doctor

        ctx = self._ctx
        day, last = 86_400.0, ctx.db.one("SELECT at FROM checkpoints WHERE name = 'check'")
        if ctx.read_only or (last is not None and ctx.clock() - last < day):
            return ""
        if damage := doctor.damaged(ctx):
            ctx.read_only = damaged(damage)
            self.read_only = True
            return ctx.read_only
        with self._changing():
            sql = "INSERT OR REPLACE INTO checkpoints (name, entry_id, at) VALUES ('check', 0, ?)"
            ctx.db.run(sql, (ctx.clock(),))
        return ""

    def mend(self, ailments: Sequence[Issue]) -> list[str]:
        """Mend what the doctor can; a sentence for each."""
        from memtui.workspace.maintenance import doctor

        with self._changing():
            return doctor.mend(self._ctx, ailments)

    def backups(self, store: str = "") -> list[Backup]:
        """The copies of stores that were made before a day's first write, newest first (S-6)."""
        from memtui.workspace.stores import backups

        return backups.listed(self._ctx, store)

    def restore_backup(self, id: str) -> Change:
        """Make a store what a backup holds; what stands there now is backed up first."""

        with self._changing():
            return restore_backup.restore(self._ctx, id)

    def delete_backups(self, ids: Sequence[str]) -> int:
        """Delete these backups for good; how many there were."""
        from memtui.workspace.stores import backups

        with self._changing():
            return backups.delete(self._ctx, ids)

    def since(self) -> AgentActivity:
        """What agents did since the person last looked, newest first (S-53)."""
        from memtui.workspace.journal import agent_activity

        return agent_activity.since(self._ctx)

    def looked(self, upto: int | None = None) -> None:
        """The person has seen all that agents did until now, or up to the journal's line `upto`."""
        from memtui.workspace.journal import agent_activity

        with self._changing():
            agent_activity.looked(self._ctx, upto)

    # -- changing

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """One change at a time; what an interruption left is settled before it."""
        ctx = self._ctx
        try:
            with self._alone(), _uncollected():
                yield
        finally:
            if ctx.stale:
                self._look_again()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        ctx = self._ctx
        with ctx.writing, in_words(ctx.path):
            if not ctx.read_only:
                if workspace_checks.has_moved(ctx):
                    raise NotSaved(
                        "moved",
                        f"{ctx.path} was deleted or replaced while it is open.",
                        "Close memtui, put the file back, and open it anew.",
                    )
                reconcile(ctx)
            yield

    def _look_again(self) -> None:
        """After a conflict the store is read again (S-6), while others may write; where somebody
        watches, that is done soon anyway."""
        ctx = self._ctx
        stale, ctx.stale = ctx.stale, set()
        with suppress(Refused), in_words(ctx.path):  # what the change came to is what to report
            for store in catalog.attached(ctx) if stale and not self.watched else ():
                if store.id in stale:
                    with suppress(Refused), in_words(ctx.path):
                        pull(ctx, store)

    def pin(self, ids: Sequence[int], why: str = "") -> Change:
        """Keep: what must stay."""
        with self._changing():
            return verbs.pin(self._ctx, ids, why)

    def unpin(self, ids: Sequence[int]) -> Change:
        """Take the pin off."""
        with self._changing():
            return verbs.unpin(self._ctx, ids)

    def confirm(self, ids: Sequence[int]) -> Change:
        """A person's word that it is right: at least confirmed."""
        with self._changing():
            return verbs.confirm(self._ctx, ids)

    def dismiss(self, ids: Sequence[int]) -> Change:
        """What is wrong goes, as its format lets it go; restorable."""
        with self._changing():
            return verbs.dismiss(self._ctx, ids)

    def restore(self, ids: Sequence[int]) -> Change:
        """Bring back what was dismissed, at its old place."""
        with self._changing():
            return verbs.restore(self._ctx, ids)

    def edit(
        self,
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
    ) -> Change:
        """Set fields (content, title, category, tags, key, subject); Conflict shows both texts. `retag`
        makes each memory's tags of those that it has.

        `seen` are the values that the person had before them: where the memory says something
        else by now, it is a conflict even if that was taken in meanwhile."""
        with self._changing():
            return verbs.edit(self._ctx, ids, fields, seen, retag)

    def add(self, fields: Mapping[str, Any], store: str = NATIVE) -> Change:
        """A new memory in a store, our own unless named."""
        with self._changing():
            return verbs.add(self._ctx, fields, store)

    def carrying(self, ids: Sequence[int], store: str) -> list[TransferPreview]:
        """What a store would hold of these memories, and what not; changes nothing."""
        return transfer.preview(self._ctx, ids, store)

    def copy(self, ids: Sequence[int], store: str) -> TransferResult:
        """Copy memories into another store, with what it cannot hold."""
        with self._changing():
            return transfer.carry(self._ctx, ids, store, move=False)

    def move(self, ids: Sequence[int], store: str) -> TransferResult:
        """Move memories into another store; the originals leave once the copies stand."""
        with self._changing():
            return transfer.carry(self._ctx, ids, store, move=True)

    def outlook(
        self, *, now: float | None = None, lifecycle: str = "", store: str = "", live: bool = True
    ) -> Outlook:
        """What decay takes and when, of all memories or those of a store (S-26); `lifecycle` tries another
        one than each store's own."""
        return forecast.preview(self._ctx, self._at(now), lifecycle, store=store, live=live)

    def forecast(
        self, id: int, *, now: float | None = None, days: float = 30, lifecycle: str = ""
    ) -> Forecast | None:
        """What becomes of one memory; None if it is gone."""
        return forecast.forecast_of(self._ctx, id, self._at(now), days, lifecycle)

    def forecasts(
        self, *, now: float | None = None, days: float = 30, lifecycle: str = "", store: str = ""
    ) -> Iterator[tuple[Any, Forecast]]:
        """Each memory with what becomes of it; none that another hand removed."""
        return forecast.forecasts(self._ctx, self._at(now), forecast.within(days), lifecycle, store)

    def use_lifecycles(self, half_lives: Mapping[str, float], founder_os_daily: bool) -> None:
        """From now on these half-lives, and this reading of Founder OS's decay."""
        ctx = self._ctx
        ctx.half_lives, ctx.founder_os_daily = dict(half_lives), founder_os_daily
        ctx.db.label = Strengths(ctx).label

    def soonest(
        self, most: int, *, now: float | None = None, days: float = 30, lifecycle: str = "", store: str = ""
    ) -> tuple[list[tuple[Any, Forecast]], Outlook]:
        """The first so many memories to which something happens within so many days, and the whole."""
        return forecast.soonest(self._ctx, self._at(now), forecast.within(days), lifecycle, store, most)

    def due(self, *, now: float | None = None) -> list[Due]:
        """What a run of decay would do now; changes nothing (S-27)."""
        return forecast.due(self._ctx, self._at(now))

    def run_decay(self, *, now: float | None = None) -> DecayRun:
        """Do what is due, as one batch that one undo takes back (S-27)."""
        with self._changing():
            return run.run(self._ctx, self._at(now))

    def now(self) -> float:
        """What the workspace's clock says, Unix seconds."""
        return self._ctx.clock()

    def _at(self, now: float | None) -> float:
        moment = self._ctx.clock() if now is None else now
        if iso(moment) is None or not isfinite(moment):
            raise Refused("now", "That moment cannot be reckoned with.", "Nothing was changed.")
        return moment

    def rebuild(self, store: str, what: str) -> tuple[str, ...]:
        """Rebuild what a Cognitive Memory tree derives: index, state, core or reflection; the names of
        what was written, none where it was up to date (S-83)."""
        from memtui.workspace.sync import rebuild_derived

        with self._changing():
            return rebuild_derived.rebuild(self._ctx, store, what)

    def purge(self, ids: Sequence[int]) -> PurgeResult:
        """Erase memories for good: from their stores and from all that memtui keeps (S-50).

        Cannot be undone; the backups that still hold a text are named."""
        from memtui.workspace.maintenance import purge

        with self._changing():
            return purge.purge(self._ctx, ids)

    def undo(self, line: int | None = None, *, warn: bool = False) -> Change:
        """Take back the newest change by a person, or the journal's line (S-51).

        With `warn`, Refused once where the newest one cannot be undone and an older one would be."""
        self._ctx.writable()
        with self._changing():
            return undo.undo(self._ctx, line, warn=warn)

    def redo(self) -> Change:
        """Do again what the newest undo took back."""
        self._ctx.writable()
        with self._changing():
            return undo.redo(self._ctx)


def _own_store(ctx: Context) -> None:
    there = "SELECT 1 FROM stores WHERE format = ?"
    if ctx.db.one(there, (NATIVE,)) is None:
        with ctx.db.atomic():
            if ctx.db.one(there, (NATIVE,)) is None:
                now = ctx.clock()
                own = Store.insert(
                    name=NATIVE, format=NATIVE, path=str(ctx.path), attached_at=now, pulled_at=now
                )
                ctx.db.write(own)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep Python from looking for cycles meanwhile. A bulk verb makes hundreds of thousands of objects that
    it needs to its end; going through all of them again and again takes as long as writing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
