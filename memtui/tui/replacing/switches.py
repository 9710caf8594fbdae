"""The switches of find and replace: how a text is found, and in which fields."""

from __future__ import annotations

from memtui.memory.replacement import FIELDS, Replacement
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.replacing import wording
from memtui.tui.text.glyphs import fit

_NAMES = tuple(wording.SWITCHES)
_LABEL = 24  # cells


class SwitchList(VirtualList):
    """A line per switch; [x] marks those that are on."""

    def __init__(self, on: set[str], *, id: str) -> None:
        super().__init__(id=id)
        self._on = on

    def on_mount(self) -> None:
        self.refill(len(_NAMES), 0, keep_place=False)

    def toggle(self, name: str = "") -> None:
        """Turn a switch on or off, by default the one under the cursor."""
        self._on.symmetric_difference_update({name or _NAMES[self.cursor]})
        self.refresh()

    def replacement(self, find: str, new: str) -> Replacement:
        """Return what is to be found and replaced as the switches are."""
        return Replacement(
            find,
            new,
            regex="regex" in self._on,
            ignore_case="ignore_case" in self._on,
            keep_case="keep_case" in self._on,
            fields=tuple(name for name in FIELDS if name in self._on),
        )

    def parts(self, index: int, width: int) -> list[Part]:
        name = _NAMES[index]
        label, hint = wording.SWITCHES[name]
        on = name in self._on
        return [
            (" [x] " if on else " [ ] ", "accent" if on else "quiet"),
            (fit(label, min(_LABEL, max(1, width - 5))), "plain"),
            (fit(hint, max(0, width - 5 - _LABEL)), "quiet"),
        ]
