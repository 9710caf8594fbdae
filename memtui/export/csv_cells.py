"""Cells of CSV that no spreadsheet takes for a formula, and that can be read back exactly (S-70)."""

from __future__ import annotations

import re

from memtui.export.inert_text import decoded, encoded

_FORMULA = re.compile(
    r"'*[=+\-@\t\r]"
)  # what a spreadsheet would compute, or what an escaped one begins with


def cell_of(text: str) -> str:
    """Return a text as a cell: control characters are escaped, and what a spreadsheet would compute begins
    with an apostrophe.

    >>> cell_of("=1+1"), cell_of("'=1"), cell_of("1=1"), cell_of("'tis")
    ("'=1+1", "''=1", '1=1', "'tis")
    """
    text = encoded(text)
    return f"'{text}" if _FORMULA.match(text) else text


def text_of(cell: str) -> str:
    """Return the text that `cell_of` was given."""
    return decoded(cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell)
