"""How much of each group a list shows: its heading, a preview of its first memories, or all of it (S-31)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.groups import Group

HEADINGS, PREVIEWS, WHOLE = 0, 1, 2
"""How much of a group is shown: its heading, a preview, all of it."""
PREVIEW = 3
"""Memories of a preview."""
GroupId = tuple[str, str]


class Folds:
    """The level of most groups of a list, and the groups that differ from it.

    >>> ana, bo = Group("Ana", "", "", None, 0, 9), Group("Bo", "", "", None, 9, 4)
    >>> folds = Folds(PREVIEWS)
    >>> folds.shown(ana), folds.shown(bo)  # “… 1 more” would take the row of that one
    (3, 4)
    >>> folds.set(ana, HEADINGS)
    >>> folds.shown(ana)
    0
    """

    def __init__(self, level: int = WHOLE) -> None:
        self._level = level
        self._others: dict[GroupId, int] = {}

    def shown(self, group: Group) -> int:
        """Return how many memories of a group are shown."""
        level = self._others.get(group.id, self._level)
        if level == HEADINGS:
            return 0
        return PREVIEW if level == PREVIEWS and _has_preview(group) else group.count

    def set(self, group: Group, level: int) -> None:
        """Show this much of one group."""
        self._others[group.id] = level

    def next_level(self, groups: Sequence[Group]) -> None:
        """Show more of all groups: previews after headings, then all, then headings again."""
        shown = [self.shown(group) for group in groups]
        has_previews = any(map(_has_preview, groups))
        if not any(shown):
            level = PREVIEWS if has_previews else WHOLE
        elif any(number < group.count for number, group in zip(shown, groups, strict=True)):
            level = WHOLE if self._level == PREVIEWS else HEADINGS
        else:
            level = HEADINGS
        self._level, self._others = level, {}


def _has_preview(group: Group) -> bool:
    return group.count > PREVIEW + 1
