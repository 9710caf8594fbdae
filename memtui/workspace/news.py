"""What others wrote in a store since the mirror last agreed with it, taken in and journaled (S-5, S-53)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memtui.formats.base import Record
from memtui.memory.records import RECORD_FIELDS
from memtui.workspace import lines, mirror
from memtui.workspace.core import Core

PULLED = "pulled"  # the kind of such a line: taken back only where it is asked for
_USE = frozenset({"times_used", "last_used_at", "heat"})  # an agent's reading is no news


@dataclass(slots=True)
class News:
    """What one transaction took in."""

    added: list[Record] = field(default_factory=list)
    changed: list[tuple[int, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Added, changed, removed; what was changed as it left counts as removed."""
        left = sum(after.get("here") is False for _, _, after in self.changed)
        return len(self.added), len(self.changed) - left, len(self.removed) + left


def renew(core: Core, id: int, record: Record, news: News) -> None:
    """One changed record; `news` hears of it unless only the counts of use moved."""
    (old,) = mirror.held(core.db, [id])
    mirror.renew(core.db, id, record, old.kept)
    (new,) = mirror.held(core.db, [id])
    differ = [
        name
        for name in sorted(RECORD_FIELDS - _USE)
        if getattr(old.memory, name) != getattr(new.memory, name)
    ]
    before = {name: getattr(old.memory, name) for name in differ}
    after = {name: getattr(new.memory, name) for name in differ}
    if (old.removed_at is None) != (record.removed_at is None):
        # It left or came back, and may say something else now: both are news.
        before["here"], after["here"] = record.removed_at is not None, record.removed_at is None
    if before:
        news.changed.append((id, before, after))


def journal(core: Core, store: Any, news: News, actor: str) -> None:
    """One line of what was done; nothing where they did nothing."""
    counts = zip(news.counts, ("added", "changed", "removed"), strict=True)
    parts = [f"{count} {word}" for count, word in counts if count]
    if not parts:
        return
    items: list[tuple[int, dict[str, Any], dict[str, Any]]] = [*news.changed]
    refs = json.dumps([record.ref for record in news.added])
    ids = core.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store.id, refs),
    )
    items += [(row[0], {"here": False}, {"here": True}) for row in ids]
    items += [(id, {"here": True}, {"here": False}) for id in news.removed]
    lines.note(core, actor, PULLED, f"{store.name}: {', '.join(parts)}", items)


def found_beside(core: Core, store: Any, records: Sequence[Record]) -> None:
    """Take in what others wrote in the records that a change of ours met: these are as they stood just
    before it. Once our own change is in the mirror, no pull could tell the two apart."""
    if core.db.one("SELECT pulled_at FROM stores WHERE id = ?", (store.id,)) is None:
        return  # never read to its end: what is unknown is not new
    sql = (
        "SELECT ref, id, digest, removed_at FROM memories "
        "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))"
    )
    refs = json.dumps([record.ref for record in records])
    known = {row[0]: row[1:] for row in core.db.rows(sql, (store.id, refs))}
    news = News()
    for record in records:
        if record.ref not in known:
            news.added.append(record)
            continue
        id, digest, removed_at = known[record.ref]
        if digest and (digest != record.digest or (removed_at is None) != (record.removed_at is None)):
            renew(core, id, record, news)
    mirror.insert(core.db, store.id, store.format, store.path, news.added, core.clock())
    journal(core, store, news, f"sync:{store.name}")
