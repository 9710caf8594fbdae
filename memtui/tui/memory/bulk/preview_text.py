"""What a verb will do, store by store, as text; a pure function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.results import StorePreview
from memtui.tui.memory.bulk import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import Part, one_line

NAME = 24  # cells of a store's name, at most
MAX_LISTED = 30  # stores


def preview_text(previews: Sequence[StorePreview], names: Mapping[str, str], width: int) -> Content:
    """Return a line per store: its name, how many of its memories change, and what is done to them; below it
    why others stay as they are. `names` are shorter ones for the stores."""
    shown = [one_line(names.get(each.store, each.store), 60) for each in previews]
    room = min(NAME, max(map(cell_len, shown), default=0))
    counts = [wording.count_of(each.count, each.count + sum(each.blocked.values())) for each in previews]
    digits = max(map(len, counts), default=0)
    indent = room + digits + 4
    parts: list[Part] = []
    for each, name, count in list(zip(previews, shown, counts, strict=True))[:MAX_LISTED]:
        texts = [(one_line(each.text, 200), "")] if each.count else []
        texts += [
            (wording.skipped(number, one_line(why, 200)), "$warning") for why, number in each.blocked.items()
        ]
        lines = [(line, style) for text, style in texts for line in wrap(text, max(16, width - indent))]
        head = f"{fit(name, room)}  {count:>{digits}}  "
        for index, (line, style) in enumerate(lines or [("", "")]):
            parts += [(head if not index else " " * indent, "$accent" if not index else ""), (line, style)]
            parts.append(("\n", ""))
    if (more := len(previews) - MAX_LISTED) > 0:
        parts.append((wording.other_stores(more), "$quiet"))
    return Content.assemble(*parts).rstrip()
