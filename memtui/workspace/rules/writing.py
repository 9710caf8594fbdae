"""Writing what rules set, and taking it back, as changes of their own (S-60)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.results import Skipped
from memtui.memory.rules.rule import Action, Rule, fields_of
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import outbox, verbs
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.field_changes import of_verb
from memtui.workspace.changes.planning import AdapterClass, prepare
from memtui.workspace.changes.summaries import KINDS, summary
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import RuleException
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.rules import base, held
from memtui.workspace.rules.held import Held

if TYPE_CHECKING:
    from memtui.workspace.context import Context

Change = Callable[[MirrorRow, AdapterClass | None], Mapping[str, FieldValue]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a rule wants of a memory."""

    memory_id: int
    rule: Rule
    action: Action


def set_fields(ctx: Context, wanted: Sequence[Wanted]) -> None:
    """Set what one rule and one action want of memories."""
    rule, action = wanted[0].rule, wanted[0].action
    by_id = {each.memory_id: each for each in wanted}
    since = base.since(ctx.db, by_id)

    def change(row: MirrorRow, adapter_class: AdapterClass | None) -> Mapping[str, FieldValue]:
        if not can_set(adapter_class, action):
            return {}
        fields = fields_of(action, row.memory.tags, since[row.id], rule.note or rule.name)
        return fields | ({"pinned_by": f"rule:{rule.name}"} if action.kind == "pin" else {})

    def begun(items: Sequence[ChangeItem]) -> None:
        done = [item for item in items if item.refused is None and item.memory_id in by_id]
        held.note(ctx, [by_id[item.memory_id] for item in done], [item.item_id for item in done])
        _keep(ctx, done)

    items = _write(ctx, rule.name, "pin" if action.kind == "pin" else "edit", list(by_id), change, begun)
    _keep_as_written(ctx, items)
    # What has the value already is held, too: it would be set again if somebody took it away.
    refused = {item.row.id for item in items if item.refused is not None and item.row is not None}
    same = [each for id, each in by_id.items() if id not in {item.memory_id for item in items} | refused]
    held.note(ctx, [each for each in same if _has(ctx, each)])


def can_set(adapter_class: AdapterClass | None, action: Action) -> bool:
    """Return whether an action changes one memory alone: what belongs to an entity is that of all its
    memories, whether they match or not."""
    columns = base.COLUMNS.get(action.kind, ())
    return adapter_class is None or not any(name in adapter_class.entity_fields for name in columns)


def remove(ctx: Context, gone: Sequence[Held], names: Mapping[int, str]) -> None:
    """Take back what rules no longer want, to what it was before; `names` are those of the rules by id."""
    groups: dict[tuple[int, str], list[Held]] = {}
    for each in gone:
        groups.setdefault((each.rule_id, each.action), []).append(each)
    for (rule_id, kind), group in groups.items():
        ids = [each.memory_id for each in group]
        kept = base.kept(ctx.db, ids)
        before = {
            id: base.fields({n: kept[id][n][0] for n in base.COLUMNS.get(kind, ()) if n in kept.get(id, {})})
            for id in ids
        }
        changing = [id for id in ids if before[id]]
        action = "unpin" if kind == "pin" else "edit"

        items = _write(
            ctx, names.get(rule_id) or group[0].rule, action, changing, _back_to(before), lambda items: None
        )
        refused = {item.memory_id for item in items if item.refused is not None}
        held.drop(ctx, [each for each in group if each.memory_id not in refused], excepted=False)
        _keep_as_written(ctx, items)


def _back_to(before: Mapping[int, Fields]) -> Change:
    return lambda row, adapter_class: before[row.id]


def dismiss(ctx: Context, wanted: Sequence[Wanted]) -> None:
    """Dismiss memories, each once: what a person restores stays."""
    groups: dict[int, list[Wanted]] = {}
    for each in wanted:
        groups.setdefault(each.rule.id, []).append(each)
    names = ("memory_id", "rule_id", "action", "item_id")
    for rule_id, group in groups.items():

        def begun(items: Sequence[ChangeItem], rule_id: int = rule_id) -> None:
            rows = [(i.memory_id, rule_id, "dismiss", i.item_id) for i in items if i.refused is None]
            ctx.db.insert_many(RuleException, names, rows, replace=True)

        ids = [each.memory_id for each in group]
        _write(ctx, group[0].rule.name, "dismiss", ids, of_verb(ctx, "dismiss"), begun)


def _write(
    ctx: Context,
    rule: str,
    action: str,
    ids: Sequence[int],
    change: Change,
    begun: Callable[[Sequence[ChangeItem]], None],
) -> Sequence[ChangeItem]:
    """Carry a change out with the rule as its actor; `begun` is called within its first transaction. Return
    its items; a memory that needs no change has none, and one that cannot be changed is left out."""
    by_rule = copy.copy(ctx)
    by_rule.actor = f"rule:{rule}"
    stores = store_rows.by_id(ctx.db)
    found = [
        verbs.item_of(by_rule, action, row, stores[row.store_id], change)
        for row in memory_rows.load(ctx.db, ids)
    ]
    items = [item for item in found if not isinstance(item, Skipped)]
    if not items:
        return ()
    verbs.plan(by_rule, action, items)

    def replan(group: Sequence[ChangeItem]) -> None:
        prepare(by_rule, [action] * len(group), group)

    try:
        outbox.run(
            by_rule, KINDS[action], summary(action, items), items,
            replan=replan, on_begun=lambda entry_id: begun(items),
        )  # fmt: skip
    except (Refused, OSError):
        return ()
    return items


def _keep(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Keep what the columns of these items were, as the bases of their memories."""
    ids = [item.memory_id for item in items]
    kept, now = base.kept(ctx.db, ids), base.columns_of(ctx.db, ids)
    for item in items:
        columns = kept.setdefault(item.memory_id, {})
        for name, value in item.after.items():
            if name in base.KEPT:
                before = item.before[name]
                columns[name] = [base.raw(name, before), base.raw(name, value)]
        columns.setdefault(base.TIME, [now[item.memory_id][base.TIME], None])
    base.keep(ctx.db, kept)


def _keep_as_written(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Note what the columns of these items are now, as their stores have them."""
    ids = [item.memory_id for item in items if item.refused is None]
    if not ids:
        return
    kept, now = base.kept(ctx.db, ids), base.columns_of(ctx.db, ids)
    for id, columns in kept.items():
        for name, both in columns.items():
            if id in now:
                both[1] = now[id][name]
    base.keep(ctx.db, kept)


def _has(ctx: Context, wanted: Wanted) -> bool:
    """Return whether a memory has already what is wanted."""
    (row,) = memory_rows.load(ctx.db, [wanted.memory_id])
    since = base.since(ctx.db, [row.id])[row.id]
    fields = fields_of(wanted.action, row.memory.tags, since, "")
    fields.pop("pinned_why", None)
    return all(getattr(row.memory, name) == value for name, value in fields.items())
