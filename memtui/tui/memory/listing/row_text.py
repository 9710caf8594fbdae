"""A line of a list: what a memory says, what it warns of, how old it is; and the headings of groups.

At every width the text gets what the signs before it and the age behind it leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from memtui.memory.groups import Group
from memtui.memory.memory import LIVE, MemoryRow
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory import wording
from memtui.tui.text.glyphs import (
    ARRIVED,
    FINDING_SIGNS,
    FINDING_STYLES,
    MARK,
    NEW,
    PIN,
    SNOOZED,
    STATES,
    age,
    fit,
    grouped,
    state_of,
)
from memtui.tui.text.text_layout import one_line

_AGE = 5
_WIDE = 70  # cells from which on a state is named, and a heading names its store
_SUBJECT = 0.4  # of the room is the subject's, before a long text
_LEAST = 8  # cells that are worth showing of what follows a text
_NAMED_KIND = 50  # cells from which on a heading names its category
_KIND, _STORE = 14, 14  # cells of a heading at most
SOME_MARKED = "▎"
FOLDED, UNFOLDED = "▸", "▾"


@dataclass(frozen=True, slots=True)
class RowText:
    """What the line of a memory, or its two lines, say; `indent`ed by so many cells below a heading, or
    below another memory of the same subject. The `subject` stands before the text where nothing above says
    it; a flat list has the store's short name of `stores` after it."""

    row: MemoryRow
    indent: int
    subject: str
    stores: Mapping[str, str]
    two_lines: bool = False
    dated: bool = True
    """Whether there is a column for ages; below headings there is none if no memory has a time."""

    def first(self, width: int, now: float, *, marked: bool, arrived: str) -> list[Part]:
        """Return the first line, or the only one. `arrived` is "new" or "changed" for what an agent just
        wrote."""
        tail, room = self._tail(width, now)
        lead, text = self._lead(room), self._text
        if self.two_lines:
            text, _ = split_at_word(text, room - cell_len(lead))
        style = "news" if arrived else self._style
        return [
            *_gutter(self.row, marked=marked, arrived=arrived),
            *_fitted([(lead, "quiet"), (text, style)], "" if self.two_lines else self._more, room),
            *tail,
        ]

    def second(self, width: int, now: float) -> list[Part]:
        """Return the second line: the rest of the text, and what else there is to say."""
        _, room = self._tail(width, now)
        _, rest = split_at_word(self._text, room - cell_len(self._lead(room)))
        indent = 4 + self.indent
        parts, more = ([(rest, self._style)], self._more) if rest else ([(self._more, "quiet")], "")
        return [(" " * min(indent, width), "plain"), *_fitted(parts, more, max(1, width - indent - 1))]

    @property
    def _text(self) -> str:
        return self.row.text or self.row.label

    def _lead(self, room: int) -> str:
        """Return what stands before the text: of the `room` for both, a long subject gets what a short text
        leaves, but at least a part."""
        indent = " " * self.indent
        if self.subject and not names(self._text, self.subject):
            room -= len(indent)
            text = cell_len(one_line(self._text, room))
            subject = one_line(self.subject, room)
            most = max(int(room * _SUBJECT), room - text - 2)
            return f"{indent}{fit(subject, most).rstrip() if cell_len(subject) > most else subject}: "
        return indent

    @property
    def _more(self) -> str:
        store = self.stores.get(self.row.store, self.row.store) if self.stores else ""
        return " · ".join(filter(None, (self.row.more, store)))

    @property
    def _style(self) -> str:
        faded = self.row.removed or self.row.status in ("dismissed", "superseded", "expired")
        return "quiet" if faded else "plain"

    def _tail(self, width: int, now: float) -> tuple[list[Part], int]:
        """Return what stands behind the text, and the cells that it and the signs leave."""
        age_text = fit(age(self.row.updated_at, now), _AGE if self.dated else 0, right=True)
        tail = [*_state(self.row, width), (age_text, "quiet"), (" ", "plain")]
        return tail, max(1, width - 4 - sum(cell_len(part) for part, _ in tail))


def names(text: str, subject: str) -> bool:
    """Return whether a text names a subject, as words and not within one.

    >>> names("bo likes tea", "Bo"), names("Talks about tea", "Bo")
    (True, False)
    """
    text, subject = text.casefold(), subject.casefold()
    # No pattern is made of a subject of any length before it is known to be in the text.
    return subject in text and bool(re.search(rf"(?<!\w){re.escape(subject)}(?!\w)", text))


def split_at_word(text: str, room: int) -> tuple[str, str]:
    """Return a stored text made safe, in two: the words that fit into `room` cells, and the rest.

    >>> split_at_word("one two three", 9)
    ('one two', 'three')
    """
    safe = one_line(text, 600)
    if cell_len(safe) <= room:
        return safe, ""
    fitting = set_cell_size(safe, max(1, room))
    cut = fitting.rfind(" ")
    if cut < len(fitting) // 2:  # a long word is cut
        cut = len(fitting)
    return safe[:cut].rstrip(), safe[cut:].lstrip()


def _gutter(row: MemoryRow, *, marked: bool, arrived: str) -> list[Part]:
    """Return the three signs before the text: marked, else just arrived; pinned, else new; the worst
    finding."""
    return [
        (MARK if marked else ARRIVED.get(arrived, " "), "accent"),
        (PIN if row.pinned else NEW if row.new else " ", "accent"),
        (FINDING_SIGNS.get(row.finding, " "), FINDING_STYLES.get(row.finding, "quiet")),
        (" ", "plain"),
    ]


def _state(row: MemoryRow, width: int) -> list[Part]:
    """Return an unusual state: its sign, and its name if there is room; a candidate is usual enough for the
    sign alone, and a pending memory has one before its text. A live memory may be snoozed."""
    name = "removed" if row.removed else row.status
    if row.snoozed and not row.removed and name in LIVE:
        return [(" ", "plain"), (f"{SNOOZED} snoozed" if width >= _WIDE else SNOOZED, "quiet")]
    if name not in STATES or name == "pending":
        return []
    text = STATES[name] if name == "candidate" or width < _WIDE else state_of(row.status, row.removed)
    return [(" ", "plain"), (text, "quiet")]


def _fitted(parts: list[Part], more: str, room: int) -> list[Part]:
    """Return parts in exactly `room` cells, with what else there is to say in the rest of them."""
    out: list[Part] = []
    for text, style in parts:
        # A text of the store may have any length and any characters: it is made safe before it is measured.
        shown = fit(text, min(room, max(1, len(text) * 2))).rstrip() if text.strip() else text[:room]
        if text.endswith(" ") and cell_len(shown) < room and text.strip():
            shown += " "
        out.append((shown, style))
        room -= cell_len(shown)
        if room <= 0:
            return out
    if more and room >= _LEAST + 2:
        return [*out, ("  ", "plain"), (fit(more, room - 2), "quiet")]
    return [*out, (" " * room, "plain")]


def waiting_parts(width: int, *, marked: bool, gone: bool) -> list[Part]:
    """Return the line of a memory that is still being read, or is no longer in the workspace."""
    mark = (MARK if marked else " ", "accent")
    return [mark, (fit(wording.GONE_ROW if gone else "   …", width - 1), "quiet")]


def more_parts(more: int, width: int, *, marked: int, group: str) -> list[Part]:
    """Return the line that stands for the memories of a group that a preview leaves out; it names the `group`
    where no heading above does."""
    named = f"{one_line(group, 60)}: " if group else ""
    return [
        (_mark_of(marked, more), "accent"),
        (fit(f"     {named}… {wording.more(more)}", width - 1), "quiet"),
    ]


def _mark_of(marked: int, count: int) -> str:
    return MARK if marked == count else SOME_MARKED if marked else " "


@dataclass(frozen=True, slots=True)
class HeadingColumns:
    """The widths of the columns of headings in cells, as the groups need them; 0 for one that none has."""

    kind: int = 0
    count: int = 1
    contradictions: int = 0
    duplicates: int = 0
    store: int = 0
    age: int = 0

    @staticmethod
    def of(groups: Sequence[Group], stores: Mapping[str, str]) -> HeadingColumns:
        """Return the columns for these groups; `stores` are the names of stores, if there are several."""

        def widest(texts: Iterable[str], most: int) -> int:
            return min(max((cell_len(one_line(text, most * 2)) for text in set(texts)), default=0), most)

        open_a = max((group.contradictions for group in groups), default=0)
        open_b = max((group.duplicates for group in groups), default=0)
        return HeadingColumns(
            kind=widest((group.kind for group in groups if group.kind != group.name), _KIND),
            count=max((len(grouped(group.count)) for group in groups), default=1),
            contradictions=1 + len(grouped(open_a)) if open_a else 0,
            duplicates=1 + len(grouped(open_b)) if open_b else 0,
            store=widest((_store_of(group, stores) for group in groups), _STORE),
            age=_AGE if any(group.newest is not None for group in groups) else 0,
        )


def _store_of(group: Group, stores: Mapping[str, str]) -> str:
    name = stores.get(group.store, group.store) if stores and group.store else ""
    return "" if group.store == group.name else name


def heading_parts(
    group: Group,
    width: int,
    now: float,
    columns: HeadingColumns,
    *,
    folded: bool,
    marked: int,
    stores: Mapping[str, str],
) -> list[Part]:
    """Return a heading: name, category, how many, what is open below it, the store, the newest change."""
    tail: list[Part] = []
    if columns.kind and width >= _NAMED_KIND:
        kind = group.kind if group.kind != group.name else ""
        tail.append(("  " + fit(kind, columns.kind), "quiet"))
    tail.append(("  " + fit(grouped(group.count), columns.count, right=True), "plain"))
    for sign, count, cells in (
        ("≠", group.contradictions, columns.contradictions),
        ("≈", group.duplicates, columns.duplicates),
    ):
        if cells:
            tail.append(("  " + fit(f"{sign}{grouped(count)}" if count else "", cells, right=True), "warn"))
    if columns.store and width >= _WIDE:
        tail.append(("  " + fit(_store_of(group, stores), columns.store), "quiet"))
    tail += [(fit(age(group.newest, now), columns.age, right=True), "quiet"), (" ", "plain")]
    name = stores.get(group.name, group.name) or wording.NO_CATEGORY
    room = max(1, width - 6 - sum(cell_len(text) for text, _ in tail))
    return [
        (_mark_of(marked, group.count), "accent"),
        ("   ", "plain"),
        (f"{FOLDED if folded else UNFOLDED} ", "accent"),
        (fit(name, room), "heading"),
        *tail,
    ]
