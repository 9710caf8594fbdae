"""The dialog that filters the queue: by family, kind, or store (S-42)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.memory.contradictions.pairs import Pair, kind_label
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.review import wording
from memtui.tui.review.queue_filter import ALL_PAIRS, QueueFilter
from memtui.tui.text.glyphs import fit, grouped
from memtui.tui.text.text_layout import one_line


class QueueFilterList(VirtualList):
    """One line per part of the queue, with the number of its open pairs."""

    def __init__(self, parts: list[tuple[QueueFilter, str, int]], *, id: str) -> None:
        super().__init__(id=id)
        self.choices = parts

    def parts(self, index: int, width: int) -> list[Part]:
        choice, name, count = self.choices[index]
        number = fit(grouped(count), 8, right=True)
        style = "quiet" if choice.kind else "plain"
        return [(" ", "plain"), (fit(name, max(1, width - 10)), style), (number, "quiet"), (" ", "plain")]


class PairFilterDialog(Dialog[QueueFilter | None]):
    """Returns the chosen part of the queue, or None."""

    BINDINGS = command_table.bindings(names.PAIR_FILTER)

    def __init__(self, pairs: Sequence[Pair], choice: QueueFilter) -> None:
        super().__init__()
        self._parts = _parts(pairs)
        self._choice = choice

    def compose(self) -> ComposeResult:
        with Vertical(id="which-pairs", classes="dialog"):
            yield QueueFilterList(self._parts, id="parts")

    def on_mount(self) -> None:
        box = self.query_one("#which-pairs")
        box.border_title = Content(wording.WHICH_PAIRS)
        box.border_subtitle = Content(command_table.dialog_keys(names.PAIR_FILTER))
        self.list = self.query_one(QueueFilterList)
        current = next((n for n, (choice, *_) in enumerate(self._parts) if choice == self._choice), 0)
        self.list.refill(len(self._parts), current, keep_place=False)
        self.list.focus()

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def action_choose(self) -> None:
        self.dismiss(self._parts[self.list.cursor][0])

    def action_cancel(self) -> None:
        self.dismiss(None)


def _parts(pairs: Sequence[Pair]) -> list[tuple[QueueFilter, str, int]]:
    """Return the parts that have pairs, with name and count: all, each family with its kinds, each store."""
    parts = [(ALL_PAIRS, wording.ALL_PAIRS, len(pairs))]
    kinds = Counter((pair.family, pair.kind) for pair in pairs)
    for family, title in wording.FAMILIES.items():
        present = [(kind, count) for (known, kind), count in kinds.most_common() if known == family]
        if present:
            parts.append((QueueFilter(family), title, sum(count for _, count in present)))
            parts += [
                (QueueFilter(family, kind), f"  {kind_label(one_line(kind, 40))}", count)
                for kind, count in present
                if kind
            ]
    stores = Counter(store for pair in pairs for store in set(pair.stores))
    if len(stores) > 1:
        parts += [
            (QueueFilter(store=store), wording.with_store(safe_text(store, one_line=True, limit=60)), count)
            for store, count in stores.most_common()
        ]
    return parts
