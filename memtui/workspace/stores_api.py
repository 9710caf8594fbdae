"""The verbs of `Workspace` for stores: attaching, pulling, checking, backups (S-2 … S-8, S-91)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.detail import Consequence
from memtui.memory.results import Change
from memtui.memory.stores import AddTarget, Backup, DiscoveredStore, Issue, PullResult, StoreInfo
from memtui.paths import refuse_url
from memtui.workspace.changes import planning
from memtui.workspace.db.database import translate_errors
from memtui.workspace.details import detail
from memtui.workspace.stores import add_targets, catalog
from memtui.workspace.sync import attach, restore_backup
from memtui.workspace.sync.pull_stores import pull_stores

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class StoresApi:
    """Stores, their checks and repairs, and their backups."""

    read_only: bool
    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def stores(self) -> list[StoreInfo]:
        """Return the attached stores, memtui's own first."""
        return [catalog.info(self._ctx, store) for store in catalog.attached(self._ctx)]

    def add_targets(self) -> list[AddTarget]:
        """Return the attached stores with what a new memory can be in each, memtui's own first."""
        return add_targets.add_targets(self._ctx)

    def require_store(self, path: Path) -> None:
        """Raise Refused, naming what was looked for, if there is no store at `path`; changes nothing."""
        attach.recognise(path)

    def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
        """Attach the stores at `path` and read them (S-2)."""
        refuse_url(os.fspath(path))
        with self._changing():
            pass  # what an interruption left is settled first; the reading itself lets others in
        with translate_errors(self._ctx.path):
            return attach.attach(self._ctx, Path(path), name)

    def create_store(self, format: str, path: str | os.PathLike[str], name: str = "") -> StoreInfo:
        """Create an empty store of a format and attach it."""
        refuse_url(os.fspath(path))
        with self._changing():
            pass
        with translate_errors(self._ctx.path):
            folder = os.fspath(path).endswith(os.sep)
            return attach.create(self._ctx, format, Path(path), name, folder=folder)

    def consequences(self, name: str) -> dict[str, Consequence]:
        """Return what each action does in a store, by action (S-8)."""
        ctx = self._ctx
        adapter = ctx.adapter(catalog.find_attached(ctx, name))
        return {action: detail.consequence(planning.support(adapter, action)) for action in detail.ACTIONS}

    def detach(self, name: str) -> StoreInfo:
        """Stop watching a store; everything that memtui knows about it is kept (S-2a)."""
        with self._changing():
            return catalog.detach(self._ctx, name)

    def pull(self) -> PullResult:
        """Read what agents changed, store by store; one that fails does not stop the others."""
        return pull_stores(self._ctx)

    def rename_store(self, name: str, new: str) -> StoreInfo:
        """Rename an attached store (S-2a)."""
        with self._changing():
            return catalog.rename(self._ctx, name, new)

    def lock_store(self, name: str, locked: bool) -> StoreInfo:
        """Make a store read-only for memtui, or writable again (S-8)."""
        with self._changing():
            return catalog.lock(self._ctx, name, locked)

    def discover(self) -> list[DiscoveredStore]:
        """Return the stores in known places that are not attached; attaches nothing (S-3)."""
        from memtui.formats import discovery

        known = {(store.format, store.path) for store in catalog.attached(self._ctx)}
        return [each for each in discovery.discover() if (each.format, each.path) not in known]

    def doctor(self) -> list[Issue]:
        """Return the problems of the workspace and of each store; changes nothing (S-91)."""
        from memtui.workspace.maintenance import doctor

        return doctor.examine(self._ctx)

    def repairable(self, store: str, code: str) -> list[Issue]:
        """Return those of a store's issues of one kind that can be repaired."""
        from memtui.workspace.maintenance import doctor

        return doctor.repairable(self._ctx, store, code)

    def check(self) -> str:
        """Check the whole file for damaged pages once a day; return why the workspace is read-only from now
        on, or "". Takes long for a large file (LIMITS 1)."""
        from memtui.workspace.maintenance import daily_check

        damage = daily_check.run(self._ctx)
        self.read_only = bool(self._ctx.read_only)
        return damage

    def repair(self, issues: Sequence[Issue]) -> list[str]:
        """Repair these issues and return a sentence for each."""
        from memtui.workspace.maintenance import doctor

        with self._changing():
            return doctor.repair(self._ctx, issues)

    def backups(self, store: str = "") -> list[Backup]:
        """Return the copies of stores made before each day's first write, newest first (S-6)."""
        from memtui.workspace.stores import backups

        return backups.listed(self._ctx, store)

    def backups_holding(self, ids: Sequence[int]) -> list[Backup]:
        """Return the backups that would still hold the texts of these memories after a purge."""
        from memtui.workspace.maintenance.purge import purge

        return list(purge.backups_holding(self._ctx, ids))

    def restore_backup(self, id: str) -> Change:
        """Replace a store with a backup; the current content is backed up first."""

        with self._changing():
            return restore_backup.restore(self._ctx, id)

    def delete_backups(self, ids: Sequence[str]) -> int:
        """Delete these backups permanently and return how many there were."""
        from memtui.workspace.stores import backups

        with self._changing():
            return backups.delete(self._ctx, ids)

    def rebuild(self, store: str, what: str) -> tuple[str, ...]:
        """Rebuild a derived file of a Cognitive Memory tree (index, state, core or reflection) and return the
        names of the files written, none if it was up to date (S-83)."""
        from memtui.workspace.sync import rebuild_derived

        with self._changing():
            return rebuild_derived.rebuild(self._ctx, store, what)
