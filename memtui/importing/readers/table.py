"""CSV with a header that names the fields, as `memtui export --as csv` writes it: an apostrophe before what a
spreadsheet would take for a formula is none of the text, and escapes are read back."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from memtui.export.csv_cells import cell_of, text_of
from memtui.importing import wording
from memtui.importing.fields import WrongValue, fields_of_cells, uids_of
from memtui.importing.reader import MOST_LINE, Found, Reader
from memtui.memory.imported import Imported, Unreadable

MOST_COLUMNS = 500
_CONTENT = ("content", "memory", "text", "statement", "fact")


def recognise(path: Path, head: str) -> bool:
    """Return whether it has the suffix, or its first line names a column of texts and others."""
    if path.suffix.lower() == ".csv":
        return True
    header = [name.strip().strip('"') for name in head.partition("\n")[0].lower().split(",")]
    return len(header) > 1 and any(name in _CONTENT for name in header)


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each row below the header."""
    csv.field_size_limit(MOST_LINE)
    lines = _Lines(text)
    rows = csv.reader(lines)
    begin = 1
    try:
        header = [name.strip().lower() for name in next(rows, [])]
        if len(header) > MOST_COLUMNS:
            yield Unreadable(1, "too-many-columns", wording.too_many_columns(MOST_COLUMNS))
            return
        if not any(name in _CONTENT for name in header):
            yield Unreadable(1, "no-header", wording.NO_HEADER)
            return
        begin = rows.line_num + 1
        for row in rows:
            if lines.ended:  # the row asked for more: nothing ends a quotation mark in it
                yield Unreadable(begin, "not-csv", wording.BAD_CSV)
            elif any(row):
                yield _row(begin, header, row)
            begin = rows.line_num + 1
    except csv.Error:  # a cell that is too long
        yield Unreadable(begin, "not-csv", wording.BAD_CSV)


def _row(number: int, header: list[str], row: list[str]) -> Found:
    if len(row) > len(header):
        return Unreadable(number, "too-many-cells", wording.more_cells(len(row), len(header)))
    cells = {name: _text(cell) for name, cell in zip(header, row, strict=False)}
    try:
        return Imported(number, *fields_of_cells(cells), "", *uids_of(cells))
    except WrongValue as wrong:
        return Unreadable(number, "wrong-value", wrong.reason)


def _text(cell: str) -> str:
    """Return the text of a cell, unless an export would have written that differently."""
    text = text_of(cell)
    return text if cell_of(text) == cell else cell


class _Lines:
    """The lines of a text with their ends, which belong to a cell in quotation marks; `ended` once one was
    asked for after the last."""

    def __init__(self, text: str) -> None:
        self._text, self._start = text, 0
        self.ended = False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        start = self._start
        if start >= len(self._text):
            self.ended = True
            raise StopIteration
        self._start = self._text.find("\n", start) + 1 or len(self._text)
        return self._text[start : self._start]


READER = Reader("csv", "CSV", recognise, read)
