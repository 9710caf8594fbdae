"""The difference that an edit makes to a settings file, as text, signed (S-87)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import screen_text
from memtui.tui.text.text_layout import Part

_LONGEST = 240  # characters of a line
_STYLES = {"+": "$success", "-": "$warning", "@": "$accent"}


def difference_parts(lines: Sequence[str]) -> list[Part]:
    """Return the lines of a unified diff."""
    parts: list[Part] = []
    for line in lines:
        style = "$quiet" if line.startswith(("--- ", "+++ ")) else _STYLES.get(line[:1], "")
        parts += [(screen_text(line, one_line=True, limit=_LONGEST), style), ("\n", "")]
    return parts
