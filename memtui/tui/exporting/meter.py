"""The meter of an export: how large it is, of which budget (S-71)."""

from __future__ import annotations

from memtui.export.pack import Pack
from memtui.tui.exporting import wording
from memtui.tui.exporting.packing import Choices
from memtui.tui.text.glyphs import FINDING_SIGNS
from memtui.tui.text.text_layout import one_line

FULL, EMPTY = "▰", "▱"
_CELLS = 10


def meter(pack: Pack, choices: Choices) -> list[tuple[str, str]]:
    """Return the meter as texts with their styles; what counts comes last, by its name."""
    if choices.kind.store is not None:
        return [(wording.STORE_HAS_NONE, "$quiet")]
    if pack.tokens is None:
        return [(wording.not_counted(choices.kind.title), "$quiet")]
    parts = [(wording.uses(pack.tokens, choices.budget, pack.unit), "")]
    if pack.over:
        parts[:0] = [(wording.too_many(pack.over), "$error"), (": ", "")]
    if choices.budget is not None:
        parts.append((f" {_bar(pack.tokens, choices.budget)}", "$error" if pack.over else "$accent"))
    if pack.secrets:
        sign = FINDING_SIGNS["secret"]
        parts.append((f"  {sign} {wording.with_secrets(len(pack.secrets))}", "$warning"))
    if pack.counter != pack.unit:  # else characters are counted, as said
        parts.append((f"  {one_line(pack.counter, 40)}", "$quiet"))
    return parts


def _bar(tokens: int, budget: int) -> str:
    """Return ten cells, full as far as the budget is used; one of them for the least use."""
    full = _CELLS if tokens >= budget else max(tokens > 0, tokens * _CELLS // budget)
    return FULL * full + EMPTY * (_CELLS - full)
