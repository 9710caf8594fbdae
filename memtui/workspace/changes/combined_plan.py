"""Several writes to one memory as one plan: the journal, undo and recovery work on items (S-7)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.formats.contract.plans import Plan


def combined(plans: Sequence[Plan]) -> Plan:
    """Return successive plans for one memory as one."""
    last = plans[-1]
    return Plan(
        plans[0].ref,
        last.ref_after,
        tuple(edit for plan in plans for edit in plan.edits),
        "; ".join(dict.fromkeys(plan.text for plan in plans if plan.text)),
        tuple(dict.fromkeys(each for plan in plans for each in plan.affected_anchors)),
        tuple(dict.fromkeys(each for plan in plans for each in plan.changed_fields)),
        last.digest_after,
        last.removed_fields,
    )
