"""The queue of Review: open pairs, and those settled just now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.contradictions.pairs import DUPLICATE, Pair, kind_label
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.review import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import one_line

OVER = wording.OVER  # in place of a verdict: the pair is no longer found
BAR = 8  # cells of the progress bar


class PairList(VirtualList):
    """One line per pair.

    Pairs settled since the screen was opened stay in place with their verdict, and so do those that are no
    longer found: nothing moves while keys are pressed.
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.pairs: list[Pair] = []
        self.verdicts: Mapping[int, str] = {}
        """Verdicts given since the screen was opened, by pair id, or OVER."""

    @property
    def highlighted(self) -> Pair | None:
        """The pair under the cursor."""
        return self.pairs[self.cursor] if self.cursor < len(self.pairs) else None

    @property
    def cursor_active(self) -> bool:
        return True

    def show(self, pairs: Sequence[Pair], cursor: int, *, keep_place: bool) -> None:
        """List other pairs."""
        self.pairs = list(pairs)
        self.refill(len(self.pairs), cursor, keep_place=keep_place)

    def next_open(self) -> int | None:
        """Return the index of the next open pair from the cursor on, wrapping around; None if none is."""
        count = len(self.pairs)
        indexes = ((self.cursor + step) % count for step in range(count))
        return next((index for index in indexes if self.pairs[index].id not in self.verdicts), None)

    @property
    def waiting(self) -> int:
        """The number of listed pairs that are open."""
        return sum(pair.id not in self.verdicts for pair in self.pairs)

    def parts(self, index: int, width: int) -> list[Part]:
        pair = self.pairs[index]
        verdict = self.verdicts.get(pair.id, "")
        sign, style = ("▶", "accent") if index == self.cursor else (" ", "plain")
        if verdict and index != self.cursor:
            sign, style = ("−" if verdict == OVER else "✓"), "quiet"
        kind = wording.OPEN_LONG if pair.escalated else kind_label(one_line(pair.kind, 20), short=True)
        kind_style = "quiet" if verdict or not pair.escalated else "warn"
        tail: list[Part] = [("  ", "plain"), (fit(verdict or kind, min(19, max(1, width // 4))), kind_style)]
        head: list[Part] = [
            (" ", "plain"),
            (sign, style),
            (" ", "plain"),
            ("≈ " if pair.family == DUPLICATE else "≠ ", "quiet"),
        ]
        room = max(4, width - sum(cell_len(text) for text, _ in [*head, *tail]))
        plain, line = "quiet" if verdict else "plain", _pair_line(pair, room)
        differing = "quiet" if verdict else "accent" if line.begin or line.end else "plain"
        blank = " " * (room - cell_len(line.text))
        return [
            *head,
            (line.begin, plain),
            (line.a, differing),
            (line.between, "quiet"),
            (line.b, differing),
            (line.end + blank, "quiet"),
            *tail,
        ]

    def folded(self, width: int, settled: int) -> Content:
        """Return the queue in one line: progress, how many are left, and the next pair."""
        waiting = self.waiting
        full = round(BAR * settled / max(1, waiting + settled))
        progress = wording.progress(settled, waiting)
        parts: list[tuple[str, str]] = [
            (" " + "▰" * full, "$accent"),
            ("▱" * (BAR - full), "$quiet"),
            (f"  {progress}", ""),
        ]
        following = next((p for p in self.pairs[self.cursor + 1 :] if p.id not in self.verdicts), None)
        room = width - BAR - len(progress) - 14
        if following is not None and room > 12:
            parts.append((wording.next_pair(_pair_line(following, room).text), "$quiet"))
        return Content.assemble(*parts)


class _PairLine(NamedTuple):
    """A pair in one line; what both texts have in common at either end occurs once."""

    begin: str
    a: str
    between: str
    b: str
    end: str

    @property
    def text(self) -> str:
        return "".join(self)


def _pair_line(pair: Pair, room: int) -> _PairLine:
    """Return a pair in `room` cells; the subject comes first, and the difference is never cut off."""
    a, b = (one_line(label, 300) for label in pair.labels)
    words = [
        "" if word.casefold() in label.casefold() else f"“{word}”"
        for label, word in zip((a, b), (one_line(word, 30) for word in pair.words), strict=True)
    ]
    if not any(words) and _normalized(a) == _normalized(b):
        return _PairLine("", _truncate(a, room), "", "", "")
    begin, a, b, end = _split_common(a, b)
    # A conflicting word missing from a label occurs further down in the text.
    a, b = (f"{text} {word}".strip() for text, word in zip((a, b), words, strict=True))
    between = " / "
    if begin:
        begin = _truncate(begin.rstrip(), max(room // 3, room - cell_len(a + between + b)) - 1) + " "
    left = room - cell_len(begin) - len(between)
    half = left // 2
    first = min(cell_len(a), max(half, left - cell_len(b)))
    a = _truncate(a, first, word=words[0] or pair.words[0])
    b = _truncate(b, left - cell_len(a), word=words[1] or pair.words[1])
    return _PairLine(begin, a, between, b, _truncate(end, left - cell_len(a + b)))


def _normalized(text: str) -> str:
    """Return a text without case, blanks and punctuation."""
    return "".join(filter(str.isalnum, text.casefold()))


def _split_common(a: str, b: str) -> tuple[str, str, str, str]:
    """Split two texts by whole words: common beginning, the middle of each, common end."""
    words_a, words_b = a.split(" "), b.split(" ")
    shorter = min(len(words_a), len(words_b))
    same = [word_a == word_b for word_a, word_b in zip(words_a, words_b, strict=False)]
    head = same.index(False) if False in same else len(same)
    head = min(head, shorter - 1) if a != b else shorter
    tail = 0
    while tail < shorter - head - 1 and words_a[-1 - tail] == words_b[-1 - tail]:
        tail += 1
    begin = "".join(f"{word} " for word in words_a[:head])
    end = "".join(f" {word}" for word in words_a[len(words_a) - tail :])
    middle = [" ".join(each[head : len(each) - tail]) for each in (words_a, words_b)]
    return begin, middle[0], middle[1], end


def _truncate(text: str, room: int, *, word: str = "") -> str:
    """Return as much of a text as there is room for, including the conflicting word."""
    if cell_len(text) <= room:
        return text
    at = text.casefold().find(word.casefold()) if word else -1
    word_width = cell_len(text[at : at + len(word)])
    if at > 0 and cell_len(text[:at]) + word_width >= room > word_width + 4:
        front = fit(text[:at], room - word_width - 1).rstrip()
        return f"{front} {_truncate(text[at:], room - cell_len(front) - 1)}"
    return fit(text, max(room, 0)).rstrip()
