"""The text of the dialog on what an agent is given: the text itself, then what was left out of it (S-72)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from textual.content import Content

from memtui.tui.stores import wording
from memtui.tui.text.pieces import Piece, assembled, wrapped
from memtui.tui.text.stored_text import stored_lines
from memtui.tui.text.text_layout import one_line
from memtui.workspace.session import wording as session
from memtui.workspace.session.view import StoreView

MIN_WIDTH = 12  # cells
_MAX_TEXT = 100_000  # characters of a text that are shown
_MAX_CUT = 20_000  # characters of a part that was left out
_MAX_PAIRS = 10  # contradictions and duplicates named
_MAX_NAMED = 200  # memories named in a part


def agent_view_text(found: StoreView, width: int) -> Content:
    """Return what the dialog shows, wrapped at `width` cells."""
    return assembled(piece for line in _lines(found, width) for piece in line)


def _lines(found: StoreView, width: int) -> Iterator[list[Piece]]:
    view = found.view
    if view is None:
        yield wrapped([Piece(one_line(found.instead, 1000))], width)
        return
    if view.text:
        yield from stored_lines(view.text, width, "", _MAX_TEXT)
    else:
        yield wrapped([Piece(session.NOTHING_LOADED, "$quiet")], width)
    notes = list(_notes(found, view.stale))
    if notes:  # below a rule, so that none of it is taken for the text
        yield [Piece("\n")]
        yield _rule(wording.PROBLEMS_IN_VIEW, width)
    for note in notes:
        yield wrapped([Piece("! ", "$warning"), Piece(note, "$warning")], width, 2)
    for cut in view.cut:
        yield [Piece("\n")]
        yield _rule(session.cut_line(cut, view.limits), width)
        if cut.text:
            yield from stored_lines(cut.text, width, "$quiet", _MAX_CUT)
            continue
        labels = [found.memories[ref].label if ref in found.memories else ref for ref in cut.refs]
        for label in labels[:_MAX_NAMED]:
            yield wrapped([Piece("• ", "$quiet"), Piece(one_line(label, 200), "$quiet")], width, 2)
        if len(labels) > _MAX_NAMED:
            yield wrapped([Piece(wording.more_memories(len(labels) - _MAX_NAMED), "$quiet")], width)


def _notes(found: StoreView, stale: Iterable[str]) -> Iterator[str]:
    yield from (session.stale(one_line(name)) for name in stale)
    for each in found.pairs[:_MAX_PAIRS]:
        yield wording.pair_in_view(one_line(each.labels[0], 80), one_line(each.labels[1], 80), each.family)
    if more := len(found.pairs[_MAX_PAIRS:]):
        yield wording.more_pairs_in_view(more)


def _rule(title: str, width: int) -> list[Piece]:
    line = f"── {title} "
    rest = "─" * max(0, width - cell_len(line))
    return wrapped([Piece(line + rest, "$accent")], width)
