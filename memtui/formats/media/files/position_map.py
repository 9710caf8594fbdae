"""Where the bytes of files are after edits: a piece table for each file."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.media.files.piece_table import Piece, PieceTable


class PositionMap:
    """Maps byte positions before edits to those after them, and new bytes to the edit that wrote them.

    A position is (file name, offset); offset -1 is the file as a whole.
    """

    def __init__(self, edits: Iterable[FileEdit] = ()) -> None:
        self._tables: dict[str, PieceTable | None] = {}  # None for a file that was removed
        for edit in edits:
            self.add(edit)

    def add(self, edit: FileEdit) -> None:
        """Take one more edit into account."""
        if edit.after is None:
            self._tables[edit.name] = None
        elif edit.before is None:
            self._tables[edit.name] = PieceTable(Piece(len(edit.content) + 1, None, edit))
        else:
            table = self._tables.get(edit.name) or PieceTable(Piece(1 << 62, -1))
            self._tables[edit.name] = table
            for hunk in edit.hunks:
                table.replace(hunk, edit)

    def locate(self, position: tuple[str, int]) -> tuple[str, int] | None:
        """Return where the byte that was at `position` is now; None if it was removed."""
        name, offset = position
        if name not in self._tables:
            return position
        table = self._tables[name]
        now = table.position_of(offset) if table is not None else None
        return (name, now) if now is not None else None

    def edit_at(self, position: tuple[str, int]) -> FileEdit | None:
        """Return the edit that wrote the byte now at `position`; None if the byte is an old one."""
        table = self._tables.get(position[0])
        return table.edit_at(position[1]) if table is not None else None
