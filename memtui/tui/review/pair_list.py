"""The queue of Review: pairs that wait for a word, and those that just got one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.contradictions.pairs import DUPLICATE, Pair, kind_label
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.text.glyphs import fit, grouped
from memtui.tui.text.text_layout import one_line

GONE = "over"
BAR = 8  # cells of the folded line's bar


class PairList(VirtualList):
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
    def cursor_active(self) -> bool:
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

    def parts(self, index: int, width: int) -> list[Part]:
        pair = self.pairs[index]
        said = self.said.get(pair.id, "")
        sign, style = ("▶", "accent") if index == self.cursor else (" ", "plain")
        if said and index != self.cursor:
            sign, style = ("−" if said == GONE else "✓"), "quiet"
        words = said or ("! open long" if pair.escalated else kind_label(one_line(pair.kind, 20), short=True))
        tone = "quiet" if said or not pair.escalated else "warn"
        tail: list[Part] = [("  ", "plain"), (fit(words, min(18, max(1, width // 4))), tone)]
        head: list[Part] = [
            (" ", "plain"),
            (sign, style),
            (" ", "plain"),
            ("≈ " if pair.family == DUPLICATE else "≠ ", "quiet"),
        ]
        room = max(4, width - sum(cell_len(text) for text, _ in [*head, *tail]))
        plain, told = "quiet" if said else "plain", _told(pair, room)
        clash = "quiet" if said else "accent" if told.begin or told.end else "plain"
        blank = " " * (room - cell_len(told.line))
        return [
            *head,
            (told.begin, plain),
            (told.a, clash),
            (told.between, "quiet"),
            (told.b, clash),
            (told.end + blank, "quiet"),
            *tail,
        ]

    def folded(self, width: int, settled: int) -> Content:
        """The whole queue on one line: how far, how many are left, what comes next."""
        waiting = self.waiting
        full = round(BAR * settled / max(1, waiting + settled))
        told = f"{grouped(settled)} settled today · " if settled else ""
        told += f"{grouped(waiting)} left"
        parts: list[tuple[str, str]] = [
            (" " + "▰" * full, "$accent"),
            ("▱" * (BAR - full), "$quiet"),
            (f"  {told}", ""),
        ]
        after = next((p for p in self.pairs[self.cursor + 1 :] if p.id not in self.said), None)
        room = width - BAR - len(told) - 14
        if after is not None and room > 12:
            parts.append((f" · next: {_told(after, room).line}", "$quiet"))
        return Content.assemble(*parts)


class _Told(NamedTuple):
    """What stands for a pair: what both say in front and behind is said once."""

    begin: str
    a: str
    between: str
    b: str
    end: str

    @property
    def line(self) -> str:
        return "".join(self)


def _told(pair: Pair, room: int) -> _Told:
    """A pair in `room` cells. Whom it is about stands in front, and what clashes is never cut off."""
    a, b = (one_line(label, 300) for label in pair.labels)
    words = [
        "" if word.casefold() in label.casefold() else f"“{word}”"
        for label, word in zip((a, b), (one_line(word, 30) for word in pair.words), strict=True)
    ]
    if not any(words) and _bare(a) == _bare(b):
        return _Told("", _cut(a, room), "", "", "")
    begin, a, b, end = _apart(a, b)
    # A word of the clash that a label lacks stands further down in its text.
    a, b = (f"{text} {word}".strip() for text, word in zip((a, b), words, strict=True))
    between = " / "
    if begin:
        begin = _cut(begin.rstrip(), max(room // 3, room - cell_len(a + between + b)) - 1) + " "
    left = room - cell_len(begin) - len(between)
    half = left // 2
    first = min(cell_len(a), max(half, left - cell_len(b)))
    a = _cut(a, first, word=words[0] or pair.words[0])
    b = _cut(b, left - cell_len(a), word=words[1] or pair.words[1])
    return _Told(begin, a, between, b, _cut(end, left - cell_len(a + b)))


def _bare(text: str) -> str:
    """Only what is said: no case, blanks or punctuation."""
    return "".join(filter(str.isalnum, text.casefold()))


def _apart(a: str, b: str) -> tuple[str, str, str, str]:
    """What two texts begin with, how each goes on, and how both end: in whole words."""
    words_a, words_b = a.split(" "), b.split(" ")
    most = min(len(words_a), len(words_b))
    same = [one_line == other for one_line, other in zip(words_a, words_b, strict=False)]
    head = next((place for place, is_same in enumerate([*same, False]) if not is_same), 0)
    head = min(head, most - 1) if a != b else most
    tail = 0
    while tail < most - head - 1 and words_a[-1 - tail] == words_b[-1 - tail]:
        tail += 1
    begin = "".join(f"{word} " for word in words_a[:head])
    end = "".join(f" {word}" for word in words_a[len(words_a) - tail :])
    middle = [" ".join(each[head : len(each) - tail]) for each in (words_a, words_b)]
    return begin, middle[0], middle[1], end


def _cut(text: str, room: int, *, word: str = "") -> str:
    """As much of a text as there is room for, with the word that clashes in it."""
    if cell_len(text) <= room:
        return text
    at = text.casefold().find(word.casefold()) if word else -1
    wanted = cell_len(text[at : at + len(word)])
    if at > 0 and cell_len(text[:at]) + wanted >= room > wanted + 4:
        front = fit(text[:at], room - wanted - 1).rstrip()
        return f"{front} {_cut(text[at:], room - cell_len(front) - 1)}"
    return fit(text, max(room, 0)).rstrip()
