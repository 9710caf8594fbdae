"""Failures as memories: the same one once, counted, with the fix that worked (S-81, S-104)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.agents.hooks import wording
from memtui.agents.hooks.block import block
from memtui.agents.hooks.changes import change_of
from memtui.agents.hooks.failures import Failure, command_of, failure_of
from memtui.agents.hooks.notes import Notes, Unfixed, digest
from memtui.errors import PolicyRefused
from memtui.memory.secrets.masking import hidden

if TYPE_CHECKING:
    from memtui.agents.hooks.desk import Desk
    from memtui.memory.memory import Memory

CATEGORY, SUBJECT = "fact", "error-kb"
_FIX = "\nFix: "  # in a memory, between the failure and its fix
_MOST_CHANGES = 5
_LONGEST = 300  # characters of a command in a memory


def note_failure(desk: Desk) -> str:
    """Remember a failure, or that it came back; return its fix if one is known."""
    failure = failure_of(desk.payload)
    if failure is None:
        return ""
    key = f"{SUBJECT}-{failure.signature}"
    with desk.notes() as notes:
        known = desk.with_key(key)
        _remember(desk, failure, key, known)
        command = digest(failure.command)
        if not any((each.command, each.key) == (command, key) for each in notes.unfixed):
            notes.unfixed.append(Unfixed(command, key))
    if known is None or _FIX not in known.content:
        return ""
    return block(wording.KNOWN_FIX, desk.told(known), desk.opposed)


def note_success(desk: Desk) -> None:
    """Note what a tool changed; learn the fix of a command that failed and, after a change, succeeds."""
    with desk.notes() as notes:
        if not notes.unfixed:
            return
        if command := command_of(desk.payload):
            _learn(desk, notes, digest(command))
        if (change := change_of(desk.payload)) and hidden(change) == change:
            for each in notes.unfixed:
                if change not in each.changes:
                    each.changes = [*each.changes, change][-_MOST_CHANGES:]


def _remember(desk: Desk, failure: Failure, key: str, known: Memory | None) -> None:
    if known is not None and known.owner not in (desk.agent, "", None):
        return  # another's, who counts it
    command = failure.command[:_LONGEST]
    told = wording.failed(command, failure.code, failure.message)
    if failure.is_secret or hidden(failure.command)[:_LONGEST] != command or hidden(told) != told:
        return  # with a secret it would be refused each time, and what is left of one that is cut would not
    with suppress(PolicyRefused):  # the journal has it; the fix may be told all the same
        desk.remember(
            {
                "content": told if known is None else known.content,
                "category": CATEGORY,
                "subject": SUBJECT,
                "key": key,
                "source_ref": f"PostToolUse:{failure.tool}",
            }
        )


def _learn(desk: Desk, notes: Notes, command: str) -> None:
    """Add what was changed to the memories about a command that succeeds now. Without a change it says
    nothing of a fix."""
    for each in [each for each in notes.unfixed if each.command == command]:
        notes.unfixed.remove(each)
        known = desk.with_key(each.key) if each.changes else None
        if known is not None and known.owner == desk.agent:
            told = known.content.partition(_FIX)[0] + _FIX + wording.fix(each.changes)
            if told != known.content:
                with suppress(PolicyRefused):
                    desk.opened.edit_for(desk.agent, desk.opened.find(known.uid), told)
