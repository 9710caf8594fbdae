"""What rules hold of memories now, and what they leave alone (S-60)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memtui.workspace.db.models import RuleException, RuleSetting
from memtui.workspace.journal.items import next_item
from memtui.workspace.rules import base

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.rules.writing import Wanted

_LISTED = "(SELECT value FROM json_each(?))"
_FAILED = (
    "SELECT s.memory_id, s.action FROM rule_settings s JOIN item_states st ON st.item_id = s.item_id "
    f"WHERE s.memory_id IN {_LISTED} AND st.state IN ('failed', 'refused')"
)
_CONFIRMED = (
    "SELECT 1 FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = ? AND i.id > ? AND j.actor = 'person' "
    "AND j.kind = 'confirmed' AND st.state = 'done' AND st.undone_by IS NULL LIMIT 1"
)


class Held(NamedTuple):
    """One setting of a memory that a rule made."""

    memory_id: int
    action: str
    rule_id: int
    rule: str
    done: str
    item_id: int


def of(ctx: Context, ids: Sequence[int]) -> list[Held]:
    """Return what rules hold of these memories."""
    sql = f"SELECT {', '.join(Held._fields)} FROM rule_settings WHERE memory_id IN {_LISTED}"
    return [Held(*row) for row in ctx.db.rows(sql, (json.dumps(list(ids)),))]


def exceptions(ctx: Context, ids: Sequence[int]) -> set[tuple[int, int, str]]:
    """Return what is not done again: memory, rule and kind of action."""
    sql = f"SELECT memory_id, rule_id, action FROM rule_exceptions WHERE memory_id IN {_LISTED}"
    return set(ctx.db.rows(sql, (json.dumps(list(ids)),)))


def note(ctx: Context, wanted: Sequence[Wanted], items: Sequence[int] = ()) -> None:
    """Note what rules hold from now on, with the items of the journal that set it, or the last one so far."""
    last = next_item(ctx.db) - 1  # what is confirmed later is dealt with
    rows = [
        (want.memory_id, want.action.kind, want.rule.id, want.rule.name, want.action.text, item)
        for want, item in zip(wanted, items or [last] * len(wanted), strict=True)
    ]
    ctx.db.insert_many(RuleSetting, Held._fields, rows, replace=True)


def let_go_of_changed(ctx: Context, ids: Sequence[int]) -> None:
    """Let go of what somebody changed since a rule set it, or undid: the rule leaves it from then on. What
    could not be written is forgotten, and tried again."""
    failed = set(ctx.db.rows(_FAILED, (json.dumps(list(ids)),)))
    found = of(ctx, ids)
    drop(ctx, [each for each in found if (each.memory_id, each.action) in failed], excepted=False)
    kept, now = base.kept(ctx.db, ids), base.columns_of(ctx.db, ids)
    changed = [
        each
        for each in found
        if (each.memory_id, each.action) not in failed
        and any(
            now[each.memory_id][name] != kept.get(each.memory_id, {}).get(name, (None, None))[1]
            for name in base.COLUMNS.get(each.action, ())
            if name in kept.get(each.memory_id, {})
        )
    ]
    drop(ctx, changed, excepted=True)


def confirmed_since(ctx: Context, held: Iterable[Held]) -> set[Held]:
    """Return those whose memory a person confirmed since: they stay, as the person's."""
    return {each for each in held if ctx.db.one(_CONFIRMED, (each.memory_id, each.item_id))}


def drop(ctx: Context, held: Collection[Held], *, excepted: bool) -> None:
    """Forget that rules hold these, and what was before; `excepted` are not set again."""
    if not held:
        return
    with ctx.db.atomic():
        kept = base.kept(ctx.db, {each.memory_id for each in held})
        for each in held:
            for name in base.COLUMNS.get(each.action, ()):
                kept.get(each.memory_id, {}).pop(name, None)
        base.keep(ctx.db, kept)
        ctx.db.delete_many(RuleSetting, ("memory_id", "action"), [each[:2] for each in held])
        if excepted:
            rows = [(each.memory_id, each.rule_id, each.action, each.item_id) for each in held]
            names = ("memory_id", "rule_id", "action", "item_id")
            ctx.db.insert_many(RuleException, names, rows, replace=True)
