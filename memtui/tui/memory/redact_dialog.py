"""The dialog that redacts secrets; it asks first, since that cannot be undone (S-62)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.content import Content

from memtui.memory.results import ErasureResult, Redacting
from memtui.memory.stores import Backup
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.memory.purge import PurgeDialog, backup_parts
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import Part, one_line

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl

SHOWN = 4  # memories, so that what is said below them is on a screen of 24 lines
LABEL = 40  # cells of a memory's label: it takes one line with its store


class RedactDialog(PurgeDialog):
    """Asks as the purge does, and closes with what was redacted."""

    WORD = "redact"
    SAID = wording.REDACT

    def title_of(self, count: int) -> str:
        return wording.redact_title(count)

    def found(self) -> tuple[Sequence[Any], list[Backup]]:
        return self._workspace.redact_preview(self._ids)

    def text_of(
        self, found: Sequence[Any], backups: Sequence[Backup], with_backups: bool, now: float
    ) -> Content:
        return redact_text(found, backups, with_backups, now)

    def makes_backup(self) -> bool:
        return any(each.backup for each in self._found)

    def erase_all(self, with_backups: bool, control: JobControl | None) -> ErasureResult:
        done = self._workspace.redact(self._ids, control, with_backups=with_backups)
        summary = wording.erased_with_backups(done.summary, done.deleted) if done.deleted else done.summary
        return replace(done, summary=summary)


def redact_text(
    memories: Sequence[Redacting], backups: Sequence[Backup], with_backups: bool, now: float
) -> Content:
    """Return what becomes of each secret, and which backups have one."""
    parts: list[Part] = []
    for each in memories[:SHOWN]:
        parts += [
            (f"◆ {fit(one_line(each.label, 200), LABEL).rstrip()}", ""),
            (f"  {one_line(each.store, 60)}\n", "$quiet"),
        ]
        lines = [wording.becomes(field, placeholder) for field, placeholder in each.secrets]
        lines += map(wording.number_becomes_text, each.numbers)
        parts += [(f"{one_line(line, 200)}\n", "") for line in lines]
        if each.refused:
            parts.append((f"{wording.not_redacted(one_line(each.refused, 200))}\n", "$warning"))
    if len(memories) > SHOWN:
        parts += [(wording.more_memories(len(memories) - SHOWN), "$quiet"), ("\n", "")]
    names = ", ".join(one_line(name, 60) for name in dict.fromkeys(each.store for each in memories))
    parts += [(wording.REDACTED_FROM, ""), (names, "$accent"), (wording.REDACTED_EVERYWHERE, "")]
    coming = [one_line(name, 60) for name in dict.fromkeys(each.store for each in memories if each.backup)]
    holds = wording.coming_backup_holds(coming) if coming else ""
    return Content.assemble(*parts, *backup_parts(backups, with_backups, now, holds))
