"""Where bytes are after many edits: as a list of bytes that remember their origin has it."""

from __future__ import annotations

import random

import pytest

from memtui.formats.media.files import piece_table
from memtui.formats.media.files.hunks import FileEdit, Hunk
from memtui.formats.media.files.position_map import PositionMap


@pytest.mark.parametrize("block", [1, 3, piece_table._BLOCK])
def test_positions_after_any_edits_are_those_of_the_bytes(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piece_table, "_BLOCK", block)
    for seed in range(40):
        chance, size = random.Random(seed), 60
        data = list(range(size))  # origins; -1 is a new byte
        writers: list[FileEdit | None] = [None] * size
        positions = PositionMap()
        for _ in range(30):
            start = chance.randint(0, len(data))
            end = min(len(data), start + chance.choice([0, 0, 1, 5]))
            count = chance.choice([1, 4]) if start == end else chance.choice([0, 1, 4])
            edit = FileEdit("f", "x", "y", (Hunk(start, b"o" * (end - start), b"n" * count),))
            positions.add(edit)
            first = [data[start]] if start < end and count else []
            data[start:end] = [*first, *[-1] * (count - len(first))]
            writers[start:end] = [edit] * count
            if chance.random() < 0.5:
                _compare(positions, data, writers, size)


def _compare(positions: PositionMap, data: list[int], writers: list[FileEdit | None], size: int) -> None:
    for origin in range(size):
        now = ("f", data.index(origin)) if origin in data else None
        assert positions.locate(("f", origin)) == now
    for at, writer in enumerate(writers):
        assert positions.edit_at(("f", at)) is writer


def test_a_file_that_is_removed_or_replaced_has_no_old_bytes() -> None:
    created = FileEdit("f", None, "y", content=b"new")
    positions = PositionMap([FileEdit("f", "x", None, content=b"old")])
    assert positions.locate(("f", 0)) is None
    positions.add(created)
    assert positions.locate(("f", 0)) is None
    assert positions.edit_at(("f", 0)) is created
    assert positions.locate(("g", 5)) == ("g", 5)
