"""One of the two lists of the preview: the memories that are in the export, or those that are not (S-71)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from rich.cells import cell_len

from memtui.memory.memory import Memory, label_of
from memtui.memory.selection.budget import Judged
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.exporting import wording
from memtui.tui.text.glyphs import FINDING_SIGNS, fit, grouped
from memtui.tui.text.text_layout import one_line

_TOKENS = 7  # cells
_LABEL = 60  # characters of another memory that is named


class PackList(VirtualList):
    """A line per memory: its tokens, why it is there, its text, with a sign if that contains a secret."""

    def __init__(self, *, id: str, reason_width: int) -> None:
        super().__init__(id=id)
        self._reason_width = reason_width  # cells
        self._items: Sequence[Judged] = ()
        self._labels: Mapping[str, str] = {}
        self._secrets: Set[str] = frozenset()  # uids
        self._are_counted = False  # the tokens of each memory, which is so within a budget

    @property
    def highlighted(self) -> Judged | None:
        """The memory under the cursor."""
        return self._items[self.cursor] if self.cursor < len(self._items) else None

    def show(self, items: Sequence[Judged], labels: Mapping[str, str], secrets: Set[str]) -> None:
        """Replace the memories; the cursor stays on its memory, or on its line if that has left. `labels`
        are by uid, of all memories; `secrets` are the uids of those that contain one."""
        before, place = self.highlighted, self.cursor
        self._are_counted = any(each.tokens for each in items)
        self._items, self._labels, self._secrets = items, labels, secrets
        if before is not None and not (place < len(items) and items[place].uid == before.uid):
            place = next((n for n, each in enumerate(items) if each.uid == before.uid), place)
        self.refill(len(items), place, keep_place=True)

    def reason(self, judged: Judged) -> str:
        """Return why a memory is in or out."""
        return one_line(wording.reason(judged, self._labels.get(judged.other, judged.other)))

    def parts(self, index: int, width: int) -> list[Part]:
        judged = self._items[index]
        # Where no tokens were counted there is no column for them.
        size = _TOKENS if self._are_counted else 0
        tokens = fit(grouped(judged.tokens), min(size, width), right=True) if size else ""
        reason = fit(self.reason(judged), max(0, min(self._reason_width, (width - size) // 2)))
        sign = f"{FINDING_SIGNS['secret']} " if judged.uid in self._secrets else ""
        text = fit(
            sign + label(judged.candidate.memory), max(0, width - cell_len(tokens) - cell_len(reason) - 4)
        )
        return [
            (tokens, "quiet"),
            ("  " if tokens else " ", "plain"),
            (reason, "accent"),
            ("  ", "plain"),
            (text, "plain"),
        ]


def label(memory: Memory) -> str:
    """Return the label of a memory."""
    return label_of(memory.title, memory.subject, memory.content)


def labels_of(items: Sequence[Judged]) -> dict[str, str]:
    """Return the labels of the memories that others repeat or contradict, by uid."""
    named = {each.other for each in items if each.other}
    return {each.uid: one_line(label(each.candidate.memory), _LABEL) for each in items if each.uid in named}
