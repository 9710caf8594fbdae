"""Stores: attaching, naming, locking, their backups, the doctor, and purging."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.memory.memory import Memory
from memtui.memory.results import Change, PurgeResult
from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.workspace.context import NATIVE
from memtui.workspace.maintenance import purge
from memtui.workspace.stores import catalog
from memtui.workspace.stores.catalog import NAME_LENGTH
from tests.support.fake_workspace.changing import Changing


class Stores(Changing):
    """The stores that a test lists, or those that the memories name."""

    def stores(self) -> list[StoreInfo]:
        self._may("stores")
        return self._infos()

    def discover(self) -> list[DiscoveredStore]:
        self._may("discover")
        known = {(each.format, each.path) for each in self.stores()}
        return [each for each in self.found if (each.format, each.path) not in known]

    def recognise(self, path: Path) -> None:
        if not any(each.path == str(path) for each in self.found):
            raise Refused("missing", f"There is nothing at {path}.", "Nothing was changed.")

    def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
        self._may("attach")
        self._writable()
        self.recognise(Path(path))
        found = next(each for each in self.found if each.path == os.fspath(path))
        count = found.count or 0
        info = StoreInfo(name or f"{found.format}:{Path(found.path).name}", found.format, found.path, count)
        self.attached = [*self.stores(), info]
        for _ in range(count):
            id = self._next()
            text = f"memory {id} of {info.name}"
            self.memories[id] = Memory(
                uid=f"u{id}", store=info.name, ref=str(id), content=text, updated_at=self.clock()
            )
        return [info]

    def detach(self, name: str) -> StoreInfo:
        self._may("detach")
        self._writable()
        info = self._store(name)
        if info.format == NATIVE:
            raise Refused("native", "The fake workspace keeps its native store.", "No screen should ask.")
        self.attached = [each for each in self.stores() if each.name != name]
        return info

    def rename_store(self, name: str, new: str) -> StoreInfo:
        self._writable()
        new, info = " ".join(new.split()), self._store(name)
        if info.format == NATIVE:
            raise Refused("native", "The fake workspace renames no native store.", "No screen should ask.")
        if not 0 < len(new) <= NAME_LENGTH:
            raise Refused("name", "A store needs a name.", "Nothing was changed.")
        if new != name and any(each.name == new for each in self.stores()):
            raise Refused("name", f"{new} is the name of another store.", "Choose another.")
        return self._now(name, name=new)

    def lock_store(self, name: str, locked: bool) -> StoreInfo:
        self._may("lock_store")
        self._writable()
        why = f"{name} is read-only by your word; space on Stores (8) allows changes again."
        return self._now(name, locked=locked, read_only=why if locked else "")

    def consequences(self, name: str) -> dict[str, str]:
        return {
            "pin": "is kept in memtui: this format has no pin",
            "confirm": "raises confidence in its row",
            "edit": "is written to its row",
            "dismiss": "is taken out of the store and kept in memtui; R brings it back",
        }

    def doctor(self) -> list[Issue]:
        self._may("doctor")
        return list(self.ailments)

    def mend(self, ailments: Sequence[Issue]) -> list[str]:
        self._may("mend")
        self.mended += ailments
        self.ailments = [each for each in self.ailments if each not in ailments]
        return [f"Mended: {each.repair}." for each in ailments]

    def backups(self, store: str = "") -> list[Backup]:
        return [each for each in self.kept if not store or each.store == store]

    def restore_backup(self, id: str) -> Change:
        self._may("restore_backup")
        self._writable()
        backup = next((each for each in self.kept if each.id == id), None)
        if backup is None:
            raise Refused("no-backup", f"There is no backup {id}.", "memtui backup list shows them.")
        self.kept = [replace(backup, id="before", made_at=self.clock()), *self.kept]
        return Change("restored-backup", (), f"Restored {backup.store} from its backup {id}")

    def delete_backups(self, ids: Sequence[str]) -> int:
        gone = [each for each in self.kept if each.id in ids]
        self.kept = [each for each in self.kept if each.id not in ids]
        return len(gone)

    def holding(self, ids: Sequence[int]) -> list[Backup]:
        stores = {self.memories[id].store for id in ids if id in self.memories}
        return [each for each in self.kept if each.store in stores]

    def purge(self, ids: Sequence[int]) -> PurgeResult:
        self._may("purge")
        self._writable()
        gone = [id for id in dict.fromkeys(ids) if id in self.memories or id in self._away]
        if not gone:
            raise Refused("nothing", "There is no such memory.", "Nothing was erased.")
        for id in gone:
            purge._may_write(catalog.locked(self._row(id)))
        held = tuple(self.holding(ids))
        pieces = [self._piece(id, {"here": id in self.memories}, {"here": False}) for id in gone]
        summary = purge._summary(pieces)
        self._carry_out("purged", summary, pieces)
        for id in gone:
            self._erase(self._away.pop(id).uid)
        self.purged += gone
        return PurgeResult(len(gone), summary, held)

    def _now(self, store: str, **fields: Any) -> StoreInfo:
        self._store(store)
        self.attached = [replace(e, **fields) if e.name == store else e for e in self.stores()]
        return self._store(fields.get("name", store))
