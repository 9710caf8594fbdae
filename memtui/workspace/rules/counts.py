"""What each rule holds, and what it did and refused today (S-60)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memtui.memory.policies.wording import RULE
from memtui.memory.rules.trial import RuleCounts
from memtui.workspace.changes.own_records import rule_rows

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# What is taken out of use keeps what rules set, in case that it comes back; no rule looks at it until then.
_HELD = (
    "SELECT s.rule_id, count(DISTINCT s.memory_id) FROM rule_settings s "
    "JOIN memories m ON m.id = s.memory_id WHERE m.live = 1 GROUP BY s.rule_id"
)
_TODAY = (
    "SELECT j.actor, count(DISTINCT i.memory_id) FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    "JOIN item_states st ON st.item_id = i.id WHERE j.at >= ? AND j.actor LIKE 'rule:%' "
    "AND st.state = 'done' GROUP BY j.actor"
)
_REFUSED = (
    "SELECT b.policy, count(*) FROM breaches b JOIN journal j ON j.id = b.journal_id "
    f"WHERE j.at >= ? AND b.code = '{RULE}' GROUP BY b.policy"
)


def of_rules(ctx: Context) -> dict[int, RuleCounts]:
    """Return the counts of each rule by its id."""
    now = datetime.fromtimestamp(ctx.clock())
    today = now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    held: dict[int, int] = dict(ctx.db.rows(_HELD))
    done: dict[str, int] = dict(ctx.db.rows(_TODAY, (today,)))
    refused: dict[str, int] = dict(ctx.db.rows(_REFUSED, (today,)))
    return {
        rule.id: RuleCounts(held.get(rule.id, 0), done.get(f"rule:{rule.name}", 0), refused.get(rule.name, 0))
        for rule in rule_rows.listed(ctx)
    }
