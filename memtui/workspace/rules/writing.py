"""Writing what rules set, and taking it back, as changes of their own (S-60)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory import lifecycles
from memtui.memory.results import Skipped
from memtui.memory.rules.rule import HALF_LIFE, PIN, Action, Rule, fields_of
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import outbox, verbs
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.field_changes import of_verb
from memtui.workspace.changes.planning import AdapterClass, adapter_class_of, prepare
from memtui.workspace.changes.revert.entry import TRANSIENT
from memtui.workspace.changes.summaries import KINDS, summary
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import RuleException
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.mirror.without_rules import as_fields
from memtui.workspace.rules import held, kept, taking_back
from memtui.workspace.rules.held import Held

if TYPE_CHECKING:
    from memtui.workspace.context import Context

AGAIN = TRANSIENT | {"changed", "conflict"}  # codes of refusals that a later try may not meet

Change = Callable[[MirrorRow, AdapterClass | None], Mapping[str, FieldValue]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a rule wants of a memory; with `since`, the journal's last item when it was first set, if it is to
    be set anew."""

    memory_id: int
    rule: Rule
    action: Action
    since: int | None = None

    @property
    def done(self) -> str:
        """What is kept of it once it is set: the action, and what a pin tells of its rule."""
        told = (self.rule.name, self.rule.note) if self.action.kind == PIN else ()
        return "\n".join((self.action.text, *told))


def set_fields(ctx: Context, wanted: Sequence[Wanted]) -> set[int]:
    """Set what one rule and one action want of memories; return those to try again soon."""
    rule, action = wanted[0].rule, wanted[0].action
    by_id = {each.memory_id: each for each in wanted}
    since = kept.since(ctx.db, by_id)

    def change(row: MirrorRow, adapter_class: AdapterClass | None) -> Mapping[str, FieldValue]:
        if not can_set(adapter_class, action):
            return {}
        fields = fields_of(action, row.memory.tags, since[row.id], rule.note or rule.name)
        return fields | ({"pinned_by": f"rule:{rule.name}"} if action.kind == "pin" else {})

    def begun(items: Sequence[ChangeItem]) -> None:
        held.note(ctx, [by_id[item.memory_id] for item in items], [item.item_id for item in items])
        kept.begin(ctx.db, items, setting=True)

    done, again = _write(
        ctx, rule.name, "pin" if action.kind == "pin" else "edit", list(by_id), change, begun
    )
    _note_those_that_have_it(ctx, action, [each for id, each in by_id.items() if id not in done | again])
    return again


def hold(ctx: Context, wanted: Sequence[Wanted]) -> None:
    """Note what one rule and one action want of memories, where no field has it."""
    stores, by_id = store_rows.by_id(ctx.db), {each.memory_id: each for each in wanted}
    rows = memory_rows.load(ctx.db, list(by_id))
    held.note(
        ctx,
        [
            by_id[row.id]
            for row in rows
            if can_set(adapter_class_of(stores[row.store_id]), by_id[row.id].action)
        ],
    )


def can_set(adapter_class: AdapterClass | None, action: Action) -> bool:
    """Return whether an action changes one memory alone: what belongs to an entity is that of all its
    memories, whether they match or not. A half-life is of use where the lifecycle has one."""
    if action.kind == HALF_LIFE:
        return adapter_class is None or lifecycles.by_name(adapter_class.lifecycle).has_half_life
    columns = kept.COLUMNS.get(action.kind, ())
    return adapter_class is None or not any(name in adapter_class.entity_fields for name in columns)


def remove(ctx: Context, gone: Sequence[Held], names: Mapping[int, str]) -> set[int]:
    """Take back what rules no longer want, to what it was before; `names` are those of the rules by id.
    Return the memories to try again soon."""
    groups: dict[tuple[int, str], list[Held]] = {}
    for each in gone:
        groups.setdefault((each.rule_id, each.action), []).append(each)
    later: set[int] = set()
    for (rule_id, kind), group in groups.items():
        ids = [each.memory_id for each in group]
        bases, now = kept.read(ctx.db, ids), kept.columns_of(ctx.db, ids)
        names_of = kept.COLUMNS.get(kind, ())
        before = {
            id: {name: bases[id][name][0] for name in names_of if name in bases.get(id, {})} for id in ids
        }
        same = {id for id in ids if all(now[id][name] == value for name, value in before[id].items())}
        held.drop(ctx, [each for each in group if each.memory_id in same])

        def begun(items: Sequence[ChangeItem], kind: str = kind) -> None:
            held.note_going(ctx, kind, items)
            kept.begin(ctx.db, items, setting=False)

        rule = names.get(rule_id) or group[0].rule
        others = [each for each in group if each.memory_id not in same]
        undone = taking_back.undo(as_rule(ctx, rule), others, begun)
        done, again = _write(
            ctx,
            rule,
            "unpin" if kind == "pin" else "edit",
            [each.memory_id for each in others if each.memory_id not in undone],
            _back_to({id: as_fields(columns) for id, columns in before.items()}),
            begun,
        )
        held.drop(ctx, [each for each in group if each.memory_id in done | undone])
        later |= again
    return later


def _back_to(before: Mapping[int, Fields]) -> Change:
    return lambda row, adapter_class: before[row.id]


def dismiss(ctx: Context, wanted: Sequence[Wanted]) -> set[int]:
    """Dismiss memories, each once: what a person restores stays. Return those to try again soon."""
    groups: dict[int, list[Wanted]] = {}
    for each in wanted:
        groups.setdefault(each.rule.id, []).append(each)
    names = ("memory_id", "rule_id", "action", "item_id")
    later: set[int] = set()
    for rule_id, group in groups.items():

        def begun(items: Sequence[ChangeItem], rule_id: int = rule_id) -> None:
            rows = [(i.memory_id, rule_id, "dismiss", i.item_id) for i in items]
            ctx.db.insert_many(RuleException, names, rows, replace=True)

        ids = [each.memory_id for each in group]
        _, again = _write(ctx, group[0].rule.name, "dismiss", ids, of_verb(ctx, "dismiss"), begun)
        later |= again
    return later


def _write(
    ctx: Context,
    rule: str,
    action: str,
    ids: Sequence[int],
    change: Change,
    begun: Callable[[Sequence[ChangeItem]], None],
) -> tuple[set[int], set[int]]:
    """Carry a change out with the rule as its actor; `begun` is called within its first transaction, with the
    items that are carried out. Return the memories that were changed, and those to try again soon.

    What a store never takes is not journaled: it would be again with each sweep."""
    by_rule = as_rule(ctx, rule)
    stores = store_rows.by_id(ctx.db)
    found = [
        verbs.item_of(by_rule, action, row, stores[row.store_id], change)
        for row in memory_rows.load(ctx.db, ids)
    ]
    planned = [item for item in found if not isinstance(item, Skipped)]
    verbs.plan(by_rule, action, planned)
    items = [item for item in planned if item.refused is None]
    again = _to_try_again(planned)
    if not items:
        return set(), again

    def replan(group: Sequence[ChangeItem]) -> None:
        prepare(by_rule, [action] * len(group), group)

    try:
        outbox.run(
            by_rule, KINDS[action], summary(action, items), items, replan=replan,
            on_begun=lambda entry_id: begun([item for item in items if item.refused is None]),
        )  # fmt: skip
    except (Refused, OSError):  # nothing was begun
        return set(), again | {item.row.id for item in items if item.row is not None}
    kept.finish(ctx.db, [item.memory_id for item in items])
    return {item.memory_id for item in items if item.refused is None}, again | _to_try_again(items)


def as_rule(ctx: Context, rule: str) -> Context:
    """Return the context in which the journal names a rule."""
    by_rule = copy.copy(ctx)
    by_rule.actor = f"rule:{rule}"
    return by_rule


def _to_try_again(items: Iterable[ChangeItem]) -> set[int]:
    return {
        item.row.id
        for item in items
        if item.row is not None and item.refused is not None and item.refused.code in AGAIN
    }


def _note_those_that_have_it(ctx: Context, action: Action, wanted: Sequence[Wanted]) -> None:
    """Have rules hold what is as they want it already: what somebody changes then, they leave."""
    ids = [each.memory_id for each in wanted]
    rows = {row.id: row.memory for row in memory_rows.load(ctx.db, ids)}
    since = kept.since(ctx.db, ids)
    names = kept.COLUMNS[action.kind]
    bases, now, have = kept.read(ctx.db, ids), kept.columns_of(ctx.db, ids), []
    for each in wanted:
        id = each.memory_id
        fields = fields_of(action, rows[id].tags, since[id], "") if id in rows else {}
        fields.pop("pinned_why", None)
        if fields and all(getattr(rows[id], name) == value for name, value in fields.items()):
            have.append(each)
            bases.setdefault(id, {}).update({name: [now[id][name]] * 2 for name in names})
    with ctx.db.atomic():
        held.note(ctx, have)
        kept.write(ctx.db, {each.memory_id: bases[each.memory_id] for each in have})
