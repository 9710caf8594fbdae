"""The list of the Inbox: one line an item, worst first (S-52)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.inbox.items import BREACH, CANDIDATES, ESCALATED, LEAVING, RULE, SECRET, STORE, InboxItem
from memtui.memory.inbox.listing import Key, Listing
from memtui.memory.inbox.wording import secrets
from memtui.memory.lifecycles.forecast import relative_time
from memtui.memory.memory import MemoryRow
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.inbox import wording
from memtui.tui.inbox.fitting import is_pair, is_summary
from memtui.tui.text.glyphs import FINDING_SIGNS, MARK, STATES, age, fit
from memtui.tui.text.text_layout import one_line

SIGNS = {
    **FINDING_SIGNS,
    ESCALATED: "≠",
    BREACH: "×",
    RULE: "§",
    LEAVING: FINDING_SIGNS["fading"],
    STORE: "!",
    CANDIDATES: STATES["candidate"],
}
STYLES = {SECRET: "error", ESCALATED: "error", CANDIDATES: "quiet"}
KIND, STORE_NAME, AGE, KEYS = 13, 14, 7, 23  # cells of the columns
WITH_KIND, WITH_STORE, WITH_KEYS = 56, 90, 112  # cells from which they are shown


class InboxList(VirtualList):
    """One line per item. Its memories can be marked, and the verbs that act on memories act on them."""

    def __init__(self, clock: Callable[[], float], hint_of: Callable[[InboxItem], str], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._hint_of = hint_of
        self.items: Sequence[InboxItem] = ()
        self.marks: set[int] = set()
        """Ids of memories, of items or of one side of a pair."""
        self.marked_pairs: set[int] = set()
        """Ids of the pairs that are drawn as marked: since one of their memories is, or themselves."""
        self.opened: Collection[str] = ()
        """The stores whose candidates are listed below their line."""
        self.store_names: Mapping[str, str] = {}

    # What is listed

    @property
    def item(self) -> InboxItem | None:
        """What is under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def show(self, items: Sequence[InboxItem], listing: Listing, off: Collection[str], hidden: Collection[Key]
             ) -> None:  # fmt: skip
        """List other items; the cursor stays on its item, or goes to the next one that is still there."""
        before, cursor = self.items, self.cursor
        self.items = items
        index = 0
        if before:
            following = (listing.place_of(each.key, off, hidden) for each in before[cursor:])
            found = next((place for place in following if place is not None), None)
            index = found if found is not None else len(items) - 1
        self.refill(len(items), index, keep_place=bool(before))

    # As a selection of memories

    @property
    def highlighted(self) -> int | None:
        """The row id of the memory under the cursor; None on a pair or a store."""
        return self.item.id if self.item is not None else None

    @property
    def ids(self) -> Sequence[int]:
        return [each.id for each in self.items if each.id is not None]

    @property
    def answers(self) -> Sequence[int]:
        return self.ids

    @property
    def below(self) -> list[int]:
        return []

    def row(self, id: int) -> MemoryRow | None:
        return None

    def toggle_mark(self) -> None:
        raise NotImplementedError  # only what is alike is marked

    @property
    def pairs_to_settle(self) -> set[int]:
        """The pairs that are marked themselves, on which one verdict can be given."""
        return set() if self.marks else self.marked_pairs

    def mark(self, ids: set[int]) -> None:
        """Mark exactly these memories."""
        self.marks = ids
        if not ids:
            self.marked_pairs = set()
        self.refresh()

    def advance(self) -> None:
        """Stay: what a verb leaves in the Inbox still waits for another key."""

    def is_marked(self, index: int) -> bool:
        item = self.items[index]
        return item.id in self.marks if item.id is not None else item.pair in self.marked_pairs

    # Lines

    def parts(self, index: int, width: int) -> list[Part]:
        item = self.items[index]
        style = STYLES.get(item.kind, "warn")
        is_below = item.kind == CANDIDATES and not is_summary(item)
        head: list[Part] = [
            (MARK if self.is_marked(index) else " ", "accent"),
            (self._fold_sign(item), "quiet"),
            ("  " if is_below else "", "plain"),
            (SIGNS[item.kind] + " ", style),
        ]
        if width >= WITH_KIND:
            room = KIND - 2 * is_below
            head.append((fit(wording.KIND[item.kind], room) + " ", style if item.kind == SECRET else "quiet"))
        tail: list[Part] = []
        if width >= WITH_STORE and self.store_names:
            tail.append((f"  {fit(self._store(item), STORE_NAME)}", "quiet"))
        tail.append((f" {fit(self._when(item), AGE, right=True)} ", "quiet"))
        if width >= WITH_KEYS:
            tail.append((f" {fit(self._hint_of(item), KEYS)}", "quiet"))
        room = max(1, width - sum(cell_len(text) for text, _ in [*head, *tail]))
        text = self._text(item)
        shown = pair_label(text, room) if is_pair(item) else text
        return [*head, (fit(shown, room), "plain"), *tail]

    def _fold_sign(self, item: InboxItem) -> str:
        if not is_summary(item):
            return " "
        return "▾" if item.store in self.opened else "▸"

    def _store(self, item: InboxItem) -> str:
        return store_of(item, self.store_names)

    def _text(self, item: InboxItem) -> str:
        if is_summary(item):
            return wording.candidates_of(item.count, one_line(self._store(item), 60))
        text = f"{secrets(item)} · {item.label}" if item.kind == SECRET else item.label
        many = f"{item.count:,} × " if item.kind == STORE and item.count > 1 else ""
        return f"{many}{one_line(text, 400)}"  # what is cut at the end says less

    def _when(self, item: InboxItem) -> str:
        if item.since is None:
            return ""
        now = self._clock()
        return relative_time(item.since, now) if item.kind == LEAVING else age(item.since, now)


def store_of(item: InboxItem, store_names: Mapping[str, str]) -> str:
    """Return the store of an item, or both of a pair, as they are shown."""
    names = item.store.split(" · ") if is_pair(item) else [item.store]
    return " · ".join(store_names.get(name, name) for name in names)


def pair_label(label: str, room: int) -> str:
    """Return the label of a pair, "Cart: Owner: Bo / Jan", so that what differs is cut last."""
    a, slash, b = label.rpartition(" / ")
    if cell_len(label) <= room or not slash:
        return label
    parts = a.split(": ")
    own = min(b.count(": ") + 1, len(parts) - 1)
    begin, differing = ": ".join(parts[:-own] if own else []), ": ".join(parts[-own:] if own else parts)
    end = f": {differing}{slash}{b}" if begin else f"{differing}{slash}{b}"
    left = max(room // 3, room - cell_len(end))
    return f"{fit(begin, min(left, cell_len(begin)))}{end}" if begin else label
