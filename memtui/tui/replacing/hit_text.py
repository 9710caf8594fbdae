"""A match as it is and as it would be, and the question before writing; pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from memtui.memory.replacement import Hit
from memtui.memory.results import ReplacingMemory
from memtui.memory.secrets import masked
from memtui.text import screen_text
from memtui.tui.replacing import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import Part, one_line

_LIMIT = 400  # characters of a match or its replacement that are shown
_LEAST_AROUND = 12  # cells of the line on each side of a match, however long that is
_MOST_STORES = 10  # that are listed
_VISIBLE = str.maketrans({"\n": "⏎", "\t": "⇥"})


def hit_text(memory: ReplacingMemory, hit: Hit, store: str, width: int) -> Content:
    """Return a match in its line, before and after, below the memory that it is in."""
    before, after = _shown(hit.before), _shown(hit.after)
    left, right = _context(hit, width - 2 - max(cell_len(before), cell_len(after)))
    tag = hit.part + 1 if hit.field == "tags" else 0
    parts: list[Part] = [
        (fit(masked(memory.label), width).rstrip(), "bold"),
        ("\n", ""),
        (wording.hit_place(one_line(store, 60), hit.field, tag), "$quiet"),
        ("\n\n", ""),
        *_neighbor(hit.above, width),
        *_line("-", left, (before, "$warning strike"), right, "$quiet"),
        *_line("+", left, (after, "bold underline"), right, ""),
        *_neighbor(hit.below, width),
    ]
    if hit.in_link:
        parts += [("\n", ""), (f"! {wording.IN_LINK}", "$warning")]
    if hit.field in memory.kept:
        parts += [("\n", ""), (wording.kept_in_memtui(hit.field), "$quiet")]
    return Content.assemble(*parts)


def question_text(
    accepted: Sequence[tuple[str, int, int]], hits: int, names: dict[str, str], undo_key: str
) -> Content:
    """Return what is about to be written where; `accepted` as by `count_by_store`, `hits` are all matches."""
    memories, chosen = sum(each[1] for each in accepted), sum(each[2] for each in accepted)
    parts: list[Part] = [(wording.question(chosen, hits, memories), "bold"), ("\n\n", "")]
    shown = [(one_line(names.get(name, name), 40), a, b) for name, a, b in accepted[:_MOST_STORES]]
    room = max(cell_len(store) for store, *_ in shown)
    for store, in_store, in_text in shown:
        parts += [
            (f"  {set_cell_size(store, room)}  ", ""),
            (wording.in_store(in_store, in_text), "$quiet"),
            ("\n", ""),
        ]
    if len(accepted) > len(shown):
        parts += [(f"  {wording.other_stores(len(accepted) - len(shown))}", "$quiet"), ("\n", "")]
    return Content.assemble(*parts, ("\n", ""), (wording.one_change(undo_key), "$quiet"))


def _line(sign: str, left: str, middle: Part, right: str, style: str) -> list[Part]:
    return [(f"{sign} ", "bold $accent"), (left, style), middle, (right, style), ("\n", "")]


def _neighbor(text: str, width: int) -> list[Part]:
    """Return the line above or below that of a match, as context."""
    return [("  ", ""), (fit(text, width - 2).rstrip(), "$quiet"), ("\n", "")] if text else []


def _context(hit: Hit, room: int) -> tuple[str, str]:
    """Return the line on both sides of a match, cut to this many cells together; where one side is short,
    the other one gets the rest."""
    left, right = (screen_text(text, one_line=True) for text in (hit.left, hit.right))
    half = max(_LEAST_AROUND, room // 2)
    for_left = max(half, room - cell_len(right))
    if cell_len(left) > for_left:
        left = left.removeprefix("…")
        while cell_len(left) > for_left - 1:
            left = left[1:]
        left = f"…{left}"
    for_right = max(half, room - cell_len(left))
    if cell_len(right) > for_right:
        right = f"{set_cell_size(right.removesuffix('…'), for_right - 1)}…"
    return left, right


def _shown(text: str) -> str:
    """Return a match or replacement as it is shown: line breaks and tabs visible, they may be all of it."""
    return screen_text(masked(text).translate(_VISIBLE), limit=_LIMIT)
