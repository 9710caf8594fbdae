"""Find and correct (S-54): a preview of every hit, and the change of those that were chosen.

Both plan the same edits, one for each memory, so the preview shows what could not be written and refuses what
the change would refuse.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.memory import replacement as replacements
from memtui.memory.replacement import Replacement
from memtui.memory.results import Change, ReplacePreview, ReplacingMemory, Skipped
from memtui.values import FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import field_changes, verbs, wording
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import group_by_store, prepare
from memtui.workspace.changes.replacing import pattern_process, unique_keys, wording_replace
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow

_PAGE = 200  # memories loaded and reported at once


def preview(
    ctx: Context, replacement: Replacement, ids: Sequence[int], control: JobControl | None = None
) -> ReplacePreview:
    """Return each hit in these memories, and those that cannot be changed. Writes nothing.

    It stops between two memories while it searches, then between two stores; there is nothing in its result
    then. Raise Refused if the replacement is
    invalid, or if no result is allowed, all for one reason.
    """
    replacements.check(replacement)
    ctx = dataclasses.replace(ctx, read_only="")  # which keeps nobody from looking
    control = control or JobControl()
    found: list[ReplacingMemory] = []
    skipped: list[Skipped] = []
    with pattern_process.matcher(replacement) as match:
        for row in _rows(ctx, ids, control):
            if control.stop():
                return ReplacePreview(())
            hits = replacements.find_hits(row.memory, replacement, match)
            if hits is None:
                skipped.append(_skipped(row, "too-slow", wording_replace.TOOK_TOO_LONG))
            elif hits:
                seen = {hit.field: getattr(row.memory, hit.field) for hit in hits}
                memory = row.memory
                found.append(ReplacingMemory(row.id, memory.uid, memory.store, row.label, hits, seen))
    items, blocked, refused = _items(ctx, found)
    if refused and len(refused) == len(found) and len({each.code for each in refused}) == 1:
        raise refused[0]
    for group in group_by_store(items):
        if control.stop():
            return ReplacePreview(())
        prepare(ctx, ["edit"] * len(group), group)
    skipped += blocked
    skipped += [
        _skipped(item.row, item.refused.code, item.refused.message)
        for item in items
        if item.refused is not None and item.row is not None
    ]
    kept = {item.row.id: _kept(item) for item in items if item.row is not None and item.refused is None}
    memories = [dataclasses.replace(each, kept=kept[each.id]) for each in found if each.id in kept]
    return ReplacePreview(tuple(memories), tuple(skipped))


def replace(
    ctx: Context,
    chosen: Sequence[ReplacingMemory],
    skipped: Sequence[Skipped] = (),
    control: JobControl | None = None,
) -> Change:
    """Replace the chosen hits of a preview as one change; memories that changed since are skipped.

    `skipped` are those that the preview left out, to be reported with the others. `control` stops it
    between two memories; what was written by then is one change.
    """
    ctx.writable()
    items, changed, _ = _items(ctx, [each for each in chosen if each.hits])
    if not (items or skipped or changed):
        raise wording.no_such_memory()
    hits = {each.id: len(each.hits) for each in chosen}

    def describe(done: Sequence[ChangeItem], stopped: bool) -> str:
        places = Counter(wording.KEPT_IN_MEMTUI if _kept_alone(item) else item.store.name for item in done)
        count = sum(hits[item.memory_id] for item in done)
        return wording_replace.replaced(count, places.most_common(), stopped=stopped)

    return verbs.carry_out(ctx, "edit", items, [*skipped, *changed], describe, control, "replace")


def _rows(ctx: Context, ids: Sequence[int], control: JobControl) -> Iterator[MirrorRow]:
    for start in range(0, len(ids), _PAGE):
        control.report(start, len(ids) - start)
        yield from memory_rows.load(ctx.db, ids[start : start + _PAGE])
    control.report(len(ids), 0)


def _items(
    ctx: Context, chosen: Sequence[ReplacingMemory]
) -> tuple[list[ChangeItem], list[Skipped], list[Refused]]:
    """Return the edits of the chosen hits, the memories that cannot be edited, and the refusals among these
    that are about what the memories would say."""
    rows = {row.id: row for row in memory_rows.load(ctx.db, [each.id for each in chosen])}
    stores = store_rows.by_id(ctx.db)
    items: list[ChangeItem] = []
    skipped: list[Skipped] = []
    refused: list[Refused] = []
    for each in chosen:
        row = rows.get(each.id)
        if row is None:
            reason = wording_replace.REMOVED_SINCE_PREVIEW
            skipped.append(Skipped(each.uid, each.label, "gone", reason))
        elif any(getattr(row.memory, name) != value for name, value in each.seen.items()):
            skipped.append(_skipped(row, "changed-since", wording_replace.CHANGED_SINCE_PREVIEW))
        else:
            try:
                item = verbs.item_of(ctx, "edit", row, stores[row.store_id], partial(_edited, ctx, each))
            except Refused as refusal:
                refused.append(refusal)
                item = _skipped(row, refusal.code, refusal.reason)
            if isinstance(item, Skipped):
                skipped.append(item)
            else:
                items.append(item)
    duplicates = unique_keys.duplicates(ctx, items)
    refused += duplicates.values()
    kept: list[ChangeItem] = []
    for item in items:
        assert item.row is not None
        if (duplicate := duplicates.get(item.row.id)) is None:
            kept.append(item)
        else:
            skipped.append(_skipped(item.row, duplicate.code, duplicate.reason))
    return kept, skipped, refused


def _edited(
    ctx: Context, chosen: ReplacingMemory, row: MirrorRow, adapter_class: type[Adapter] | None
) -> Mapping[str, FieldValue]:
    return field_changes.edited_fields(ctx, row, replacements.replaced_fields(row.memory, chosen.hits))


def _kept(item: ChangeItem) -> tuple[str, ...]:
    """Return the fields that the store of a memory cannot hold."""
    return () if item.adapter is None else tuple(item.local_fields)


def _kept_alone(item: ChangeItem) -> bool:
    return item.adapter is not None and item.plan is None


def _skipped(row: MirrorRow, code: str, reason: str) -> Skipped:
    return Skipped(row.memory.uid, row.label, code, reason)
