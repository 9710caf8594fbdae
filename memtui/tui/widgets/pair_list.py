"""The queue of Review: pairs that wait for a word, and those that just got one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.pairs import DUPLICATE, Pair, kind_words
from memtui.tui.widgets.glyphs import fit, grouped
from memtui.tui.widgets.line_list import LineList, Part
from memtui.tui.widgets.memory_text import one

GONE = "over"
BAR = 12  # cells of the folded line's bar


class PairList(LineList):
    """A line a pair. What was settled since the screen was opened stays in its place, with what was
    said; so does what is found no more: nothing moves under the person's keys."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.pairs: list[Pair] = []
        self.said: Mapping[int, str] = {}
        """What was said of pairs since the screen was opened, or that they are over."""

    @property
    def highlighted(self) -> Pair | None:
        """The pair under the cursor."""
        return self.pairs[self.cursor] if self.cursor < len(self.pairs) else None

    @property
    def lit(self) -> bool:
        return True

    def show(self, pairs: Sequence[Pair], cursor: int, *, keep_place: bool) -> None:
        """Other lines now."""
        self.pairs = list(pairs)
        self.refill(len(self.pairs), cursor, keep_place=keep_place)

    def next_open(self) -> int | None:
        """The place of the next pair that still waits, from the cursor on and around; None if none does."""
        count = len(self.pairs)
        around = ((self.cursor + step) % count for step in range(count))
        return next((place for place in around if self.pairs[place].id not in self.said), None)

    @property
    def waiting(self) -> int:
        """Pairs shown that still wait."""
        return sum(pair.id not in self.said for pair in self.pairs)

    @property
    def settled(self) -> int:
        """Pairs shown that were settled since the screen was opened."""
        return sum(told != GONE for told in self.said.values())

    def parts(self, index: int, width: int) -> list[Part]:
        pair = self.pairs[index]
        said = self.said.get(pair.id, "")
        sign, style = ("▶", "accent") if index == self.cursor else (" ", "plain")
        if said and index != self.cursor:
            sign, style = ("−" if said == GONE else "✓"), "quiet"
        words = said or ("! open long" if pair.escalated else kind_words(one(pair.kind, 20), short=True))
        tone = "quiet" if said or not pair.escalated else "warn"
        tail: list[Part] = [("  ", "plain"), (fit(words, min(18, max(1, width // 4))), tone)]
        head: list[Part] = [
            (" ", "plain"),
            (sign, style),
            (" ", "plain"),
            ("≈ " if pair.family == DUPLICATE else "≠ ", "quiet"),
        ]
        room = max(4, width - sum(cell_len(text) for text, _ in [*head, *tail]) - 3)
        plain = "quiet" if said else "plain"
        half = room // 2
        a, b = _told(pair)
        first = max(half, room - cell_len(b)) if cell_len(a) > half else cell_len(a)
        return [*head, (fit(a, first), plain), (" / ", "quiet"), (fit(b, room - first), plain), *tail]

    def folded(self, width: int) -> Content:
        """The whole queue on one line: how far, how many are left, what comes next."""
        waiting, settled = self.waiting, self.settled
        whole = max(1, waiting + settled)
        full = round(BAR * settled / whole)
        told = f"{grouped(settled)} done · {grouped(waiting)} left"
        parts: list[tuple[str, str]] = [
            (" " + "▰" * full, "$accent"),
            ("▱" * (BAR - full), "$quiet"),
            (f"  {told}", ""),
        ]
        after = next((p for p in self.pairs[self.cursor + 1 :] if p.id not in self.said), None)
        room = width - BAR - len(told) - 14
        if after is not None and room > 12:
            both = " / ".join(_told(after))
            parts.append((f" · next: {fit(both, room).rstrip()}", "$quiet"))
        return Content.assemble(*parts)


def _told(pair: Pair) -> tuple[str, str]:
    """What stands for the two on a line: a name alone does not tell what clashes, so the word that does
    stands behind it."""
    a, b = (_with(label, word) for label, word in zip(pair.labels, pair.words, strict=True))
    return a, b


def _with(label: str, word: str) -> str:
    label, word = one(label, 200), one(word, 40)
    return label if word.casefold() in label.casefold() else f"{label} “{word}”"
