"""Reading memories: list rows, details, the numbers of the header, the outlook of decay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from memtui.errors import Refused
from memtui.memory.detail import Consequence, Detail
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DecayInputs, inputs_of
from memtui.memory.lifecycles.outlook import Group, Outlook
from memtui.memory.memory import LIVE, Memory, MemoryRow, line_of
from memtui.memory.secrets.masking import Masking
from memtui.memory.stores import Counts, StoreInfo
from memtui.workspace.changes import planning
from memtui.workspace.details.detail import BLOCKABLE
from tests.support.fake_workspace.base import Base, label


class Reads(Base):
    """What is shown of memories; all of them decay by memtui's own lifecycle."""

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        found = ((id, self.memories[id]) for id in ids if id in self.memories)
        rows = []
        for id, m in found:
            text, more = Masking().of(line_of(m.title, m.key, m.content))
            row = MemoryRow(
                *(id, m.store, label(m), m.category or m.kind, m.status, m.confidence, m.pinned),
                *(m.updated_at, False, m.confidence),
                text=text,
                more=more,
                subject=m.subject or "",
                finding="pending" if m.status == "pending" else "",
                snoozed=m.snoozed_until is not None and m.snoozed_until > self.clock(),
            )
            rows.append(row)
        return rows

    def memories_without_secrets(self, ids: Sequence[int]) -> tuple[list[Memory], list[str]]:
        found = self.memories(ids)
        shown = [Masking().of(each) for each in found]
        pairs = list(zip(found, shown, strict=True))
        return [a for a, b in pairs if a == b], [a.uid for a, b in pairs if a != b]

    def detail(self, id: int) -> Detail | None:
        m = self.memories.get(id)
        if m is None:
            return None
        row, store = self._row(id), self._store_row(id)
        reasons = {action: planning.blocked_reason(self._context, action, row, store) for action in BLOCKABLE}
        blocked = {action: reason for action, reason in reasons.items() if reason}
        texts = {
            "pin": "kept in memtui: this store has no pins",
            "unpin": "kept in memtui: this store has no pins",
            "confirm": f"writes confidence and confirmations to {m.store}",
            "dismiss": f"sets status to dismissed in {m.store}; R brings it back",
            "edit": f"writes the text to {m.store}, memory.jsonl",
        }
        consequences = {action: Consequence(text, text) for action, text in texts.items()}
        history = tuple(
            replace(event, before=item.before, after=item.after)
            for event in reversed(self.events)
            for item in self.items[event.id]
            if item.uid == m.uid
        )
        place = "memory.jsonl, line 3", "/nowhere"
        return Detail(id, m, *place, None, consequences, blocked, self.relations.get(id, ()), history)

    def counts(self) -> Counts:
        live = sum(m.status in LIVE for m in self.memories.values())
        stores = 2 if self.attached is None else sum(info.format != "native" for info in self.attached)
        names = tuple(info.name for info in self._store_infos())
        holding = len({each.store for each in self.memories.values()})
        return Counts(live, len(self.memories), stores, names, holding)

    def _store_infos(self) -> list[StoreInfo]:
        if self.attached is not None:
            return list(self.attached)
        names = sorted({m.store for m in self.memories.values()})
        return [StoreInfo(name, "fake", "/nowhere", 1) for name in names]

    def _store_info(self, name: str) -> StoreInfo:
        """Return an attached store; raise Refused if there is none of that name."""
        for info in self.stores():
            if info.name == name:
                return info
        names = ", ".join(info.name for info in self.stores())
        raise Refused("no-store", f"No store named {name} is attached.", f"Attached stores: {names}.")

    def outlook(
        self, *, now: float | None = None, lifecycle: str = "", store: str = "", live: bool = True
    ) -> Outlook:
        import numpy as np

        now = self.now() if now is None else now
        inputs = {
            id: inputs_of(memory, now)
            for id, memory in self.memories.items()
            if store in ("", memory.store) and (memory.status in LIVE or not live)
        }
        if not inputs:
            return Outlook(now, [])
        categories = tuple(dict.fromkeys(each.category for each in inputs.values()))
        names = [
            field.name for field in fields(DecayInputs) if field.name not in ("category", "categories", "xp")
        ]
        arrays = DecayInputs(
            **{name: np.array([getattr(each, name) for each in inputs.values()]) for name in names},
            category=np.array([categories.index(each.category) for each in inputs.values()]),
            categories=categories,
            xp=np,
        )
        rules = by_name(lifecycle or "memtui")
        group = Group(rules, np.array(list(inputs), dtype=np.int64), arrays, rules.projection(arrays, now))
        frozen = arrays.live & arrays.pinned & np.isinf(group.projection.removal()[0])
        return Outlook(now, [group], int(arrays.live.sum()), int(frozen.sum()))
