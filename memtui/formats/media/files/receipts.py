"""What a write did to a store, from its content before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.formats.contract.plans import Plan, Receipt
from memtui.formats.contract.records import Reading, Record


def receipt_of(before: Reading, after: Reading, plans: Sequence[Plan], matched: Mapping[str, str]) -> Receipt:
    """Return the receipt of carried-out plans. `matched` maps refs before to those after."""
    matched = dict(matched)
    refs_after = {record.ref for record in after.records}
    for plan in plans:  # the placeholder of an entity that became an observation
        if plan.ref is not None and plan.ref not in matched and plan.ref_after in refs_after:
            matched[plan.ref] = plan.ref_after or ""
    by_ref = {record.ref: record for record in before.records}
    ref_before = {now: ref for ref, now in matched.items()}
    planned = {plan.ref_after for plan in plans}  # reported even if their content did not change

    def is_changed(record: Record) -> bool:
        previous = by_ref.get(ref_before.get(record.ref, ""))
        return previous is not record and (previous is None or not record.is_same_as(previous))

    changed = [record for record in after.records if record.ref in planned or is_changed(record)]
    return Receipt(
        records=changed,
        before=[by_ref[ref] for record in changed if (ref := ref_before.get(record.ref, "")) in by_ref],
        refs_before=by_ref.keys(),
        removed_refs=[record.ref for record in before.records if record.ref not in matched],
        renamed={ref: now for ref, now in matched.items() if ref != now},
        links=after.links,
        side_records=after.side_records,
    )
