"""What a row said before changes that were undone meanwhile."""

from __future__ import annotations

from pathlib import Path

from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import Planned, PriorWrites
from memtui.formats.media.sqlite.store import RowEdit

ROW = {"id": "m1"}


def past(edit: RowEdit, *, own: bool = False) -> PriorWrites:
    return PriorWrites(Planned(None, "m1", (edit,)), dead=own, mine=own, undone=not own)


def stamps_without(older: RowEdit) -> dict[str, tuple[object, object]]:
    """The stamps of a change that stood on an older one, which was undone since."""
    store = BaseCoat(Path("memory.db"))
    newer = RowEdit("memories", ROW, stamps={"updated_at": (2, 3)})
    (edit,) = store.without(Planned("m1", "m1", (newer,)), (past(newer, own=True), past(older))).edits
    return dict(edit.stamps)


def test_the_stamp_of_an_older_change_that_was_undone_is_passed_over() -> None:
    assert stamps_without(RowEdit("memories", ROW, stamps={"updated_at": (1, 2)})) == {"updated_at": (1, 3)}


def test_a_row_that_came_or_went_had_no_earlier_stamp() -> None:
    row, stamps = {"id": "m1", "updated_at": 2}, {"updated_at": (1, 2)}
    for older in (
        RowEdit("memories", ROW, stamps=stamps, made=row),
        RowEdit("memories", ROW, stamps=stamps, lost=row),
    ):
        assert stamps_without(older) == {"updated_at": (2, 3)}
