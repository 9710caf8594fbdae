"""Changes that other programs made in a store: bringing them into the mirror and the journal (S-5, S-53)."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from memtui.formats import registry
from memtui.formats.contract.plans import Receipt
from memtui.formats.contract.records import Record
from memtui.memory.memory import RECORD_FIELDS
from memtui.values import Fields
from memtui.workspace.context import Context
from memtui.workspace.db.models import ItemState, Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal import entries, removals
from memtui.workspace.journal.entries import OVERWRITTEN, PULLED
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror import memory_rows
from memtui.workspace.sync import matching, wording

# Kinds of changes that concern one memory each: if overwritten they count as undone, so that undo continues
# with the change before.
_SINGLE = ("edited", "dismissed", "restored", "confirmed", "pinned", "unpinned")
_USAGE = frozenset({"times_used", "last_used_at", "heat"})  # changes of these are not reported

# A row id, the fields before and after.
Change: TypeAlias = tuple[int, Fields, Fields]


@dataclass(slots=True)
class News:
    """What one transaction found; changes of `incidental` fields alone are left out."""

    incidental: frozenset[str] = frozenset()
    added: list[Record] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers added, changed and removed; changed while being removed counts as removed."""
        left = sum(after.get(IN_STORE) is False for _, _, after in self.changed)
        return len(self.added), len(self.changed) - left, len(self.removed) + left


def update_row(ctx: Context, id: int, record: Record, news: News) -> None:
    """Update a row from its changed record, and add the change to `news` unless only usage counts or fields
    that its program sets incidentally changed."""
    (old,) = memory_rows.load(ctx.db, [id])
    memory_rows.update(ctx.db, [(id, record, old.kept)])
    (new,) = memory_rows.load(ctx.db, [id])
    changed = [
        name
        for name in sorted(RECORD_FIELDS - _USAGE)
        if getattr(old.memory, name) != getattr(new.memory, name)
    ]
    before = {name: getattr(old.memory, name) for name in changed}
    after = {name: getattr(new.memory, name) for name in changed}
    if (old.removed_at is None) != (record.removed_at is None):
        # It was removed or came back, possibly with other fields: both are reported.
        before[IN_STORE], after[IN_STORE] = record.removed_at is not None, record.removed_at is None
    if not before.keys() <= news.incidental:
        news.changed.append((id, before, after))


def match_rows(
    ctx: Context, store: StoreRow, news: News, gone: Collection[int], busy: Collection[int] = ()
) -> set[int]:
    """Match rows of `gone` or dismissed memories to added records that are clearly the same, except the
    `busy` ones that a change of memtui's is about; return the rows matched."""
    kind = registry.by_name(store.format)
    found = matching.matches(ctx, store.id, kind.ref_depends_on_text, news.added, gone, busy)
    for id, record in found.items():
        update_row(ctx, id, record, news)
    taken = {record.ref for record in found.values()}
    news.added = [record for record in news.added if record.ref not in taken]
    return set(found)


def journal(ctx: Context, store: StoreRow, news: News, actor: str) -> None:
    """Journal the changes; nothing if there are none."""
    by_program = actor == f"sync:{store.name}"
    newest = matching.newest_own_changes(
        ctx, {id: after.keys() for id, _, after in news.changed if by_program}
    )
    reversals = [
        (newest[change[0]], change)
        for change in news.changed
        if change[0] in newest and newest[change[0]].is_reversed_by(*change[1:])
    ]
    overwritten = {change[0] for _, change in reversals}
    _journal_news(
        ctx,
        store,
        replace(news, changed=[each for each in news.changed if each[0] not in overwritten]),
        actor,
    )
    for entry_id in dict.fromkeys(own.entry_id for own, _ in reversals):
        group = [(own, change) for own, change in reversals if own.entry_id == entry_id]
        summary = wording.overwritten(store.name, len(group))
        is_single = group[0][0].kind in _SINGLE
        items = [change for _, change in group]
        undoes = entry_id if is_single else None
        made = entries.add(ctx, actor, OVERWRITTEN, summary, items, undoes=undoes)
        undone = [(made, own.item_id) for own, _ in group if is_single]
        ctx.db.update_many(ItemState, ("undone_by",), ("item_id",), undone)


def _journal_news(ctx: Context, store: StoreRow, news: News, actor: str) -> None:
    parts = wording.counts(*news.counts)
    if not parts:
        return
    items: list[Change] = [*news.changed]
    refs = json.dumps([record.ref for record in news.added])
    ids = ctx.db.rows(
        "SELECT id FROM memories WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))",
        (store.id, refs),
    )
    items += [(row[0], {IN_STORE: False}, {IN_STORE: True}) for row in ids]
    items += [(id, {IN_STORE: True}, {IN_STORE: False}) for id in news.removed]
    entries.add(ctx, actor, PULLED, wording.news(store.name, parts), items)
    removals.set_times(ctx.db, news.removed)


def absorb_concurrent(ctx: Context, store: StoreRow, receipt: Receipt, busy: Collection[int]) -> None:
    """Bring in what others had written to the records that a change of memtui's touched, as they were just
    before it; later, no pull could tell the two apart. The change itself is about the `busy` rows."""
    if ctx.db.get(Store, store.id).pulled_at is None:
        return  # never read completely, so unknown records need not be new
    sql = (
        "SELECT ref, id, digest, removed_at FROM memories "
        "WHERE store_id = ? AND ref IN (SELECT value FROM json_each(?))"
    )
    refs = json.dumps([record.ref for record in receipt.before])
    known = {row[0]: row[1:] for row in ctx.db.rows(sql, (store.id, refs))}
    news = News(registry.by_name(store.format).incidental_fields)
    for record in receipt.before:
        if record.ref not in known:
            news.added.append(record)
            continue
        id, digest, removed_at = known[record.ref]
        if digest and (digest != record.digest or (removed_at is None) != (record.removed_at is None)):
            update_row(ctx, id, record, news)
    if news.added and receipt.refs_before is not None:
        match_rows(ctx, store, news, _gone_before(ctx, store, receipt), busy)
    memory_rows.insert(ctx.db, store.id, store.format, store.path, news.added, ctx.clock())
    journal(ctx, store, news, f"sync:{store.name}")


def _gone_before(ctx: Context, store: StoreRow, receipt: Receipt) -> list[int]:
    """Return the rows whose records were gone before the change."""
    rows = ctx.db.rows(
        "SELECT id, ref FROM memories WHERE store_id = ? AND ref IS NOT NULL AND removed_at IS NULL",
        (store.id,),
    )
    return [id for id, ref in rows if ref not in (receipt.refs_before or ())]
