"""The rows of rules (S-60); `own_states` journals their changes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.memory.rules.rule import Action, Rule, parse_action
from memtui.values import Fields
from memtui.workspace.db import rule_queue
from memtui.workspace.db.models import RuleRow, RuleSetting

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_ROWS = (
    "SELECT id, name, query, actions, note, position, is_on, source FROM rules ORDER BY source, position, id"
)


def listed(ctx: Context) -> list[Rule]:
    """Return the rules in their order, those of projects' files last; every write asks for them, so their
    rows are read as tuples."""
    return [_rule(*row) for row in ctx.db.rows(_ROWS)]


def twice(ctx: Context, names: Sequence[str]) -> str:
    """Return which of these names more than one rule has, in any case; "" if none."""
    count = Counter(rule.name.casefold() for rule in listed(ctx)) if names else Counter[str]()
    return next((name for name in names if count[name.casefold()] > 1), "")


def next_id(ctx: Context) -> int:
    """Return the id of the next rule; ids are never reused."""
    last = "SELECT seq AS last FROM sqlite_sequence WHERE name = 'rules'"
    return int(ctx.db.one(f"SELECT max(last) FROM ({last} UNION ALL SELECT max(id) FROM rules)") or 0) + 1


def fields_of(rule: Rule) -> Fields:
    """Return a rule as it is journaled, with its source if it has one: entries of an earlier memtui have
    none."""
    return {
        "name": rule.name,
        "when": rule.when,
        "actions": "\n".join(each.text for each in rule.actions),
        "note": rule.note,
        "position": rule.position,
        "on": rule.on,
        **({"source": rule.source} if rule.source else {}),
    }


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the rule with the id `key`, {} if there is none."""
    row = ctx.db.find(RuleRow, int(key))
    if row is None:
        return {}
    texts = row.name, row.query, row.actions, row.note
    return fields_of(_rule(row.id, *texts, row.position, row.is_on, row.source))


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them, and have rules applied to all memories again if it was on or is."""
    before = now(ctx, store_id, key)
    if fields:
        row = {
            "id": int(key),
            "name": fields["name"],
            "position": fields["position"],
            "is_on": fields["on"],
            "query": fields["when"],
            "actions": json.dumps([each for each in fields["actions"].split("\n") if each]),
            "note": fields["note"],
            "source": fields.get("source", ""),
        }
        ctx.db.write(RuleRow.insert(row).on_conflict_replace())
        is_other = (RuleSetting.rule_id == int(key)) & (RuleSetting.rule != fields["name"])
        ctx.db.write(RuleSetting.update(rule=fields["name"]).where(is_other))
    else:
        ctx.db.write(RuleRow.delete().where(RuleRow.id == int(key)))
    if before.get("on") or fields.get("on"):
        ctx.db.run(rule_queue.ALL)


def _rule(
    id: int, name: str, query: str, actions: str, note: str, position: int, is_on: bool, source: str
) -> Rule:
    return Rule(id, name, query, _actions(actions), note, position, bool(is_on), source)


@lru_cache(1_000)
def _actions(text: str) -> tuple[Action, ...]:
    return tuple(parse_action(each) for each in json.loads(text))
