"""What others wrote in a store since the mirror last agreed with it, taken in and journaled (S-5, S-53)."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from memtui.formats import registry
from memtui.formats.contract.adapter import Receipt, Record
from memtui.memory.memory import RECORD_FIELDS
from memtui.text import counted
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries
from memtui.workspace.journal.entries import OVERWRITTEN, PULLED
from memtui.workspace.mirror import memory_rows
from memtui.workspace.sync import matching

# Changes that a memory has for itself: one that was overwritten counts as undone, so that undo goes on to the
# change before it.
_ALONE = ("edited", "dismissed", "restored", "confirmed", "pinned", "unpinned")
_USE = frozenset({"times_used", "last_used_at", "heat"})  # an agent's reading is no news


Change = tuple[int, dict[str, Any], dict[str, Any]]
"""A memory's row, its fields before and after."""


@dataclass(slots=True)
class News:
    """What one transaction took in; a change of fields `in_passing` alone is none."""

    in_passing: frozenset[str] = frozenset()
    added: list[Record] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Added, changed, removed; what was changed as it left counts as removed."""
        left = sum(after.get("here") is False for _, _, after in self.changed)
        return len(self.added), len(self.changed) - left, len(self.removed) + left


def renew(ctx: Context, id: int, record: Record, news: News) -> None:
    """One changed record; `news` hears of it unless only the counts of use moved, or what its program sets in
    passing."""
    (old,) = memory_rows.held(ctx.db, [id])
    memory_rows.renew(ctx.db, [(id, record, old.kept)])
    (new,) = memory_rows.held(ctx.db, [id])
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
    if not before.keys() <= news.in_passing:
        news.changed.append((id, before, after))


def follow(
    ctx: Context, store: StoreRow, news: News, gone: Collection[int], busy: Collection[int] = ()
) -> set[int]:
    """Have the rows of `gone` or dismissed memories go on as added ones where they are clearly the same, but
    none of those that a change of ours is about. Returns those that did."""
    kind = registry.by_name(store.format)
    found = matching.followed(ctx, store.id, kind.named_by_text, news.added, gone, busy)
    for id, record in found.items():
        renew(ctx, id, record, news)
    taken = {record.ref for record in found.values()}
    news.added = [record for record in news.added if record.ref not in taken]
    return set(found)


def journal(ctx: Context, store: StoreRow, news: News, actor: str) -> None:
    """Lines of what was done; nothing where they did nothing."""
    by_program = actor == f"sync:{store.name}"
    newest = matching.ours(ctx, {id: after.keys() for id, _, after in news.changed if by_program})
    back = [
        (newest[change[0]], change)
        for change in news.changed
        if change[0] in newest and newest[change[0]].is_back(*change[1:])
    ]
    lost = {change[0] for _, change in back}
    _note(ctx, store, replace(news, changed=[each for each in news.changed if each[0] not in lost]), actor)
    for line in dict.fromkeys(ours.line for ours, _ in back):
        here = [(ours, change) for ours, change in back if ours.line == line]
        count = counted(len(here), "change was", "changes were")
        told = f"{store.name}: {count} overwritten by the agent's program"
        alone = here[0][0].kind in _ALONE
        items = [change for _, change in here]
        made = entries.note(ctx, actor, OVERWRITTEN, told, items, undoes=line if alone else None)
        undone = [(made, ours.item) for ours, _ in here if alone]
        ctx.db.run_many("UPDATE item_states SET undone_by = ? WHERE item_id = ?", undone)


def _note(ctx: Context, store: StoreRow, news: News, actor: str) -> None:
    counts = zip(news.counts, ("added", "changed", "removed"), strict=True)
    parts = [f"{count} {word}" for count, word in counts if count]
    if not parts:
        return
    items: list[Change] = [*news.changed]
    refs = json.dumps([record.ref for record in news.added])
    ids = ctx.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store.id, refs),
    )
    items += [(row[0], {"here": False}, {"here": True}) for row in ids]
    items += [(id, {"here": True}, {"here": False}) for id in news.removed]
    entries.note(ctx, actor, PULLED, f"{store.name}: {', '.join(parts)}", items)


def found_beside(ctx: Context, store: StoreRow, receipt: Receipt, busy: Collection[int]) -> None:
    """Take in what others wrote in the records that a change of ours met, as they stood just before it. Once
    our own change is in the mirror, no pull could tell the two apart. The change is about the `busy` rows."""
    if ctx.db.one("SELECT pulled_at FROM stores WHERE id = ?", (store.id,)) is None:
        return  # never read to its end: what is unknown is not new
    sql = (
        "SELECT ref, id, digest, removed_at FROM memories "
        "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))"
    )
    refs = json.dumps([record.ref for record in receipt.before])
    known = {row[0]: row[1:] for row in ctx.db.rows(sql, (store.id, refs))}
    news = News(registry.by_name(store.format).in_passing)
    for record in receipt.before:
        if record.ref not in known:
            news.added.append(record)
            continue
        id, digest, removed_at = known[record.ref]
        if digest and (digest != record.digest or (removed_at is None) != (record.removed_at is None)):
            renew(ctx, id, record, news)
    if news.added and receipt.stood is not None:
        follow(ctx, store, news, _gone_beside(ctx, store, receipt), busy)
    memory_rows.insert(ctx.db, store.id, store.format, store.path, news.added, ctx.clock())
    journal(ctx, store, news, f"sync:{store.name}")


def _gone_beside(ctx: Context, store: StoreRow, receipt: Receipt) -> list[int]:
    """The rows that had left the store before a change of ours."""
    rows = ctx.db.rows(
        "SELECT id, ref FROM memories WHERE store_id = ? AND ref IS NOT NULL AND removed_at IS NULL",
        (store.id,),
    )
    return [id for id, ref in rows if ref not in (receipt.stood or ())]
