"""Reading memories: rows, one in full, the header's numbers, what decay takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from memtui.errors import Refused
from memtui.memory.detail import Detail
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import Ages, ages_of
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.memory.memory import LIVE, MemoryRow
from memtui.memory.stores import Counts, StoreInfo
from memtui.workspace.changes import planning
from memtui.workspace.details.detail import ACTIONS
from tests.support.fake_workspace.base import Base, label


class Reading(Base):
    """What is shown of memories; all age by memtui's own lifecycle."""

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        found = ((id, self.memories[id]) for id in ids if id in self.memories)
        return [
            MemoryRow(
                *(id, m.store, label(m), m.category or m.kind, m.status, m.confidence, m.pinned),
                *(m.updated_at, False, m.confidence),
            )
            for id, m in found
        ]

    def detail(self, id: int) -> Detail | None:
        m = self.memories.get(id)
        if m is None:
            return None
        held, store = self._held(id), self._row(id)
        whys = {action: planning.blocked(self._engine, action, held, store) for action in ACTIONS}
        blocked = {action: why for action, why in whys.items() if why}
        says = {
            "pin": "kept in memtui: this store has no pin",
            "unpin": "kept in memtui: this store has no pin",
            "confirm": f"writes confidence and confirmations to {m.store}",
            "dismiss": f"sets status to dismissed in {m.store}; R brings it back",
            "edit": f"writes the text to {m.store}, memory.jsonl",
        }
        history = tuple(
            replace(event, before=item.before, after=item.after)
            for event in reversed(self.events)
            for item in self.items[event.id]
            if item.uid == m.uid
        )
        place = "memory.jsonl, line 3", "/nowhere"
        return Detail(id, m, *place, None, says, blocked, self.relations.get(id, ()), history)

    def counts(self) -> Counts:
        live = sum(m.status in LIVE for m in self.memories.values())
        stores = 2 if self.attached is None else sum(each.format != "native" for each in self.attached)
        return Counts(live, len(self.memories), stores, tuple(info.name for info in self._infos()))

    def _infos(self) -> list[StoreInfo]:
        if self.attached is not None:
            return list(self.attached)
        names = sorted({m.store for m in self.memories.values()})
        return [StoreInfo(name, "fake", "/nowhere", 1) for name in names]

    def _store(self, name: str) -> StoreInfo:
        for each in self.stores():
            if each.name == name:
                return each
        names = ", ".join(each.name for each in self.stores())
        raise Refused("no-store", f"No store named {name} is attached.", f"Attached are: {names}.")

    def outlook(
        self, *, now: float | None = None, lifecycle: str = "", store: str = "", live: bool = True
    ) -> Outlook:
        import numpy as np

        now = self.now() if now is None else now
        held = {
            id: ages_of(memory, now)
            for id, memory in self.memories.items()
            if store in ("", memory.store) and (memory.status in LIVE or not live)
        }
        if not held:
            return Outlook(now, [])
        names = tuple(dict.fromkeys(ages.category for ages in held.values()))
        plain = [each.name for each in fields(Ages) if each.name not in ("category", "categories", "xp")]
        many = Ages(
            **{name: np.array([getattr(ages, name) for ages in held.values()]) for name in plain},
            category=np.array([names.index(ages.category) for ages in held.values()]),
            categories=names,
            xp=np,
        )
        rules = by_name(lifecycle or "memtui")
        group = Group(rules, np.array(list(held), dtype=np.int64), many, rules.course(many, now))
        frozen = many.live & many.pinned & np.isinf(group.course.leaving()[0])
        return Outlook(now, [group], int(many.live.sum()), int(frozen.sum()))
