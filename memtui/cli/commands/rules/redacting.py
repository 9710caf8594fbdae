"""Asking before a rule redacts secrets for good: once, when it begins to (S-60, S-62)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import erasing
from memtui.cli.commands.rules import wording
from memtui.memory.rules.rule import REDACT

if TYPE_CHECKING:
    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.rule import Rule
    from memtui.workspace.workspace import Workspace


def confirm(opened: Workspace, before: Rule, after: Rule, output: Output) -> None:
    """Raise Refused if a rule would begin to redact, unless the word is typed on a terminal."""
    if not after.begins_to_redact(before):
        return
    count = opened.try_rule(after).secret
    if output.json or not erasing.can_ask():
        raise wording.redacting_not_asked(after.name, count)
    output.note(wording.redacts(after.name, count))
    if not erasing.is_confirmed(REDACT, output):
        raise wording.redacting_not_confirmed()
