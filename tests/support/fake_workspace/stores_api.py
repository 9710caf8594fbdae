"""Stores: attaching, naming, locking, their backups, the doctor, and purging."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.memory.detail import Consequence
from memtui.memory.memory import ADDABLE, KINDS, Memory
from memtui.memory.results import Change, ErasureResult
from memtui.memory.stores import AddTarget, Backup, DiscoveredStore, Issue, StoreInfo
from memtui.workspace.background import JobControl
from memtui.workspace.changes.wording import count_of
from memtui.workspace.context import NATIVE
from memtui.workspace.maintenance.purge import plan
from memtui.workspace.maintenance.purge import wording as purge_wording
from memtui.workspace.session.effects import AgentEffect
from memtui.workspace.session.view import StoreView
from memtui.workspace.stores import catalog, wording
from memtui.workspace.stores.catalog import NAME_LENGTH
from tests.support.fake_workspace.changes import Changes


class StoresApi(Changes):
    """The stores that a test sets, or those that the memories name."""

    def stores(self) -> list[StoreInfo]:
        self._raise_error("stores")
        return self._store_infos()

    def add_targets(self) -> list[AddTarget]:
        self._raise_error("add_targets")
        fields = dict.fromkeys(KINDS, frozenset(ADDABLE))
        owned = {
            info.name: tuple(
                sorted({m.owner for m in self.memories.values() if m.store == info.name and m.owner})
            )
            for info in self._store_infos()
        }
        return [
            AddTarget(info.name, info.count, info.read_only, fields, owned[info.name])
            for info in self._store_infos()
        ]

    def discover(self) -> list[DiscoveredStore]:
        self._raise_error("discover")
        attached = {(info.format, info.path) for info in self.stores()}
        return [store for store in self.discovered if (store.format, store.path) not in attached]

    def require_store(self, path: Path) -> None:
        if not any(store.path == str(path) for store in self.discovered):
            raise Refused("missing", f"{path} does not exist.", "Nothing was changed.")

    def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
        self._raise_error("attach")
        self._require_writable()
        self.require_store(Path(path))
        found = next(store for store in self.discovered if store.path == os.fspath(path))
        count = found.count or 0
        info = StoreInfo(name or f"{found.format}:{Path(found.path).name}", found.format, found.path, count)
        self.attached = [*self.stores(), info]
        for _ in range(count):
            id = self._next_id()
            text = f"memory {id} of {info.name}"
            self.memories[id] = Memory(
                uid=f"u{id}", store=info.name, ref=str(id), content=text, updated_at=self.clock()
            )
        return [info]

    def detach(self, name: str) -> StoreInfo:
        self._raise_error("detach")
        self._require_writable()
        info = self._store_info(name)
        if info.format == NATIVE:
            raise Refused("native", "The fake workspace keeps its native store.", "No screen should ask.")
        self.attached = [each for each in self.stores() if each.name != name]
        return info

    def rename_store(self, name: str, new: str) -> StoreInfo:
        self._require_writable()
        new, info = " ".join(new.split()), self._store_info(name)
        if info.format == NATIVE:
            raise Refused("native", "The fake workspace renames no native store.", "No screen should ask.")
        if not 0 < len(new) <= NAME_LENGTH:
            raise wording.bad_name_length(NAME_LENGTH)
        if new != name and any(each.name == new for each in self.stores()):
            raise wording.name_taken(new)
        return self._update_store(name, name=new)

    def lock_store(self, name: str, locked: bool) -> StoreInfo:
        self._raise_error("lock_store")
        self._require_writable()
        reason = wording.locked(name) if locked else ""
        return self._update_store(name, locked=locked, read_only=reason)

    def agent_view(self, name: str, about: str = "") -> StoreView:
        return StoreView(name, name, None, "Nothing is loaded.", {}, ())

    def agent_effects(self, entry_id: int, ids: Sequence[int]) -> list[AgentEffect]:
        return []

    def consequences(self, name: str) -> dict[str, Consequence]:
        texts = {
            "pin": "kept in memtui: this format has no pins",
            "confirm": "raises confidence in its row",
            "edit": "written to its row",
            "dismiss": "taken out of the store and kept in memtui; R brings it back",
        }
        return {action: Consequence(text, text) for action, text in texts.items()}

    def doctor(self) -> list[Issue]:
        self._raise_error("doctor")
        return list(self.issues)

    def repairable(self, store: str, code: str) -> list[Issue]:
        return [each for each in self.issues if (each.store, each.code) == (store, code) and each.repair]

    def repair(self, issues: Sequence[Issue]) -> list[str]:
        self._raise_error("repair")
        self.repaired += issues
        self.issues = [each for each in self.issues if each not in issues]
        return [f"Repaired: {each.text}" for each in issues]

    def backups(self, store: str = "") -> list[Backup]:
        return [each for each in self.stored_backups if not store or each.store == store]

    def restore_backup(self, id: str) -> Change:
        self._raise_error("restore_backup")
        self._require_writable()
        backup = next((each for each in self.stored_backups if each.id == id), None)
        if backup is None:
            raise Refused("no-backup", f"There is no backup {id}.", "memtui backup list shows all backups.")
        self.stored_backups = [replace(backup, id="before", made_at=self.clock()), *self.stored_backups]
        return Change("restored-backup", (), f"Restored {backup.store} from its backup {id}")

    def delete_backups(self, ids: Sequence[str]) -> int:
        before = len(self.stored_backups)
        self.stored_backups = [backup for backup in self.stored_backups if backup.id not in ids]
        return before - len(self.stored_backups)

    def backups_holding(self, ids: Sequence[int]) -> list[Backup]:
        stores = {self.memories[id].store for id in ids if id in self.memories}
        return [each for each in self.stored_backups if each.store in stores]

    def purge(self, ids: Sequence[int], control: JobControl | None = None) -> ErasureResult:
        self._raise_error("purge")
        self._require_writable()
        found = [id for id in dict.fromkeys(ids) if id in self.memories or id in self._removed]
        if not found:
            raise Refused("nothing", "No such memory.", "Nothing was purged.")
        for id in found:
            plan.ensure_writable(catalog.locked_reason(self._store_row(id)))
        backups = tuple(self.backups_holding(ids))
        items = [self._item(id, {"here": id in self.memories}, {"here": False}) for id in found]
        summary = purge_wording.summary(count_of(len(items), len(items)), [item.store.name for item in items])
        self._carry_out("purged", summary, items)
        for id in found:
            self._erase(self._removed.pop(id).uid)
        self.purged += found
        return ErasureResult(tuple(found), summary, backups)

    def _update_store(self, store: str, **fields: Any) -> StoreInfo:  # as `dataclasses.replace` takes them
        self._store_info(store)
        self.attached = [replace(info, **fields) if info.name == store else info for info in self.stores()]
        return self._store_info(fields.get("name", store))
