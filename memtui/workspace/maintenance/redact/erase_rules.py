"""Taking redacted values out of rules, of what is kept of memories that they set, and out of policies (S-60,
S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from peewee import Model

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.db.models import RuleBase, RuleException, RuleSetting
from memtui.workspace.policies import rows

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# By table: its key, of which the memory is the first column, and the columns that may quote a text.
_TABLES: tuple[tuple[type[Model], tuple[str, ...], tuple[str, ...]], ...] = (
    (RuleSetting, ("memory_id", "action"), ("rule", "done")),
    (RuleBase, ("memory_id",), ("columns",)),
    (RuleException, ("memory_id", "rule_id", "action"), ("held",)),
)


def erase(ctx: Context, redacted: Replacements, holding: Collection[int]) -> list[str]:
    """Take the values out, but for memories of `holding`, which have one still. A rule that asked for one is
    switched off, since it would ask for what takes its place; return the names of those."""
    for model, keys, names in _TABLES:
        columns = ", ".join((*keys, *names))
        changed = [
            (*map(redacted.value, row[len(keys) :]), *row[: len(keys)])
            for row in ctx.db.rows(f"SELECT {columns} FROM {model._meta.table_name}")
            if row[0] not in holding and any(text and redacted.found_in(text) for text in row[len(keys) :])
        ]
        ctx.db.update_many(model, names, keys, changed)
    _erase_policies(ctx, redacted)
    return _erase_rules(ctx, redacted)


def _erase_policies(ctx: Context, redacted: Replacements) -> None:
    for policy in [*rows.kept(ctx), *rows.of_files(ctx)]:
        parts = rows.journaled(policy)
        # The agent's name is what it is known by.
        new = {**json.loads(redacted.value(json.dumps(parts, ensure_ascii=False))), "agent": policy.agent}
        if new != parts:
            rows.put(ctx, 0, rows.key_of(policy), new)


def _erase_rules(ctx: Context, redacted: Replacements) -> list[str]:
    stopped = []
    for rule in rule_rows.listed(ctx):
        fields = rule_rows.fields_of(rule)
        new = {
            name: redacted.text(value) if isinstance(value, str) else value for name, value in fields.items()
        }
        if new == fields:
            continue
        if rule.on and new["when"] != fields["when"]:
            new["on"] = False
            stopped.append(str(new["name"]))
        rule_rows.put(ctx, 0, str(rule.id), new)
    return stopped
