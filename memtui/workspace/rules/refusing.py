"""Rules that refuse what agents write, judged as the memory that it would be (S-60, S-85)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.formats.contract.records import Record
from memtui.memory.rules.rule import REFUSE, Rule
from memtui.values import Fields
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror import memory_rows
from memtui.workspace.rules import base

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def listed(ctx: Context) -> list[Rule]:
    """Return the rules that are on and refuse, in their order."""
    return [rule for rule in rule_rows.listed(ctx) if rule.on and rule.does(REFUSE)]


def first_on(ctx: Context, rules: list[Rule], item: ChangeItem) -> Rule | None:
    """Return the first rule that matches a planned addition, which is put among the memories for that and
    taken out again: nothing of it is ever committed."""
    record = _record_of(ctx, item)
    with ctx.db.atomic() as transaction:
        memory_rows.free_ref(ctx.db, item.store.id, record.ref, ctx.clock())
        memory_rows.insert(ctx.db, item.store.id, item.store.format, item.store.path, [record], ctx.clock())
        id = int(ctx.db.connection().last_insert_rowid())
        found = first_of(ctx, rules, id)
        transaction.rollback(begin=False)
    return found


def first_edited(ctx: Context, rules: list[Rule], id: int, fields: Fields) -> Rule | None:
    """Return the first rule that matches a memory as it would be with these fields, which it is given for
    that and loses again."""
    kept = memory_rows.load(ctx.db, [id])[0].kept
    with ctx.db.atomic() as transaction:
        memory_rows.set_local_fields(ctx.db, [(id, fields, kept, None)])
        found = first_of(ctx, rules, id)
        transaction.rollback(begin=False)
    return found


def first_of(ctx: Context, rules: list[Rule], id: int) -> Rule | None:
    """Return the first rule that matches a memory that is there. One that cannot be read matches none."""
    found = base.judged(ctx, [rule.when for rule in rules], [id], ctx.clock())
    return next((rule for rule, ids in zip(rules, found, strict=True) if ids), None)


def _record_of(ctx: Context, item: ChangeItem) -> Record:
    kept: Fields = {name: value for name, value in item.local_fields.items() if name != IN_STORE}
    if item.adapter is None or item.plan is None:
        return Record(ctx.new_id(), kept)
    record = item.adapter.added_record(item.plan)
    return Record(record.ref, {**record.fields, **kept}, record.anchor, record.place, unit=record.unit)
