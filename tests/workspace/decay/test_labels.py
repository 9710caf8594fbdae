"""Fading memories are counted over arrays as the filter finds them one by one (S-24 … S-26)."""

from __future__ import annotations

from tests.support.lifecycle_stores import LifecycleStores

DAYS = (0, 20, 60, 150, 400)


def test_fading_memories_of_all_lifecycles_are_counted_as_they_are_found(all_stores: LifecycleStores) -> None:
    counts = []
    with all_stores.opened() as workspace:
        workspace.pin(workspace.search("is:fading").ids[:1])
        for day in DAYS:
            all_stores.calendar.set_day(day)
            (count,) = workspace.match_counts(["is:fading"])
            assert count == workspace.search("is:fading").total
            counts.append(count)
    assert len(set(counts)) > 2, "memories begin and cease to fade"
