"""What a heading of the list stands for, in the detail pane."""

from __future__ import annotations

from memtui.memory.groups import Group
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.text.glyphs import ago, counted
from memtui.tui.text.text_layout import one_line


def group_text(group: Group, name: str, now: float, keys: str) -> list[Part]:
    """Return the lines of a group: its name, how many memories, what is open, the newest change, and keys."""
    facts = [counted(group.count, "memory"), one_line(group.kind, 40), one_line(group.store, 40)]
    lines: list[Part] = [
        (f"{one_line(name, 200)}\n", "bold"),
        (" · ".join(filter(None, facts)) + "\n", "$quiet"),
    ]
    if group.contradictions:
        lines.append((f"≠ {wording.with_contradictions(group.contradictions)}\n", "$warning"))
    if group.duplicates:
        lines.append((f"≈ {wording.with_duplicates(group.duplicates)}\n", "$warning"))
    if group.newest is not None:
        lines.append((f"{wording.newest_change(ago(group.newest, now))}\n", ""))
    return [*lines, ("\n", ""), (keys, "$quiet")]
