"""Undo looks for the timestamps of a row below changes that were undone since."""

from __future__ import annotations

from pathlib import Path

from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.plans import Plan, PriorWrite
from memtui.formats.media.sqlite.row_edit import RowEdit

ROW = {"id": "m1"}


def prior_write(edit: RowEdit, *, own: bool = False) -> PriorWrite:
    return PriorWrite(Plan(None, "m1", (edit,)), reverted=own, own=own, undone=not own)


def stamps_without(older: RowEdit) -> dict[str, tuple[object, object]]:
    """Return the timestamps of a change that was made on an older one, which was undone since."""
    store = BaseCoat(Path("memory.db"))
    newer = RowEdit("memories", ROW, stamps={"updated_at": (2, 3)})
    (edit,) = store.with_prior_writes(
        Plan("m1", "m1", (newer,)), (prior_write(newer, own=True), prior_write(older))
    ).edits
    return dict(edit.stamps)


def test_the_timestamp_of_an_undone_change_is_skipped() -> None:
    assert stamps_without(RowEdit("memories", ROW, stamps={"updated_at": (1, 2)})) == {"updated_at": (1, 3)}


def test_an_added_or_deleted_row_has_no_earlier_timestamp() -> None:
    row, stamps = {"id": "m1", "updated_at": 2}, {"updated_at": (1, 2)}
    for older in (
        RowEdit("memories", ROW, stamps=stamps, inserted=row),
        RowEdit("memories", ROW, stamps=stamps, deleted=row),
    ):
        assert stamps_without(older) == {"updated_at": (2, 3)}
