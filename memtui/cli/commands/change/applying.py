"""Applying the rules from a command: with progress, and ctrl+c, which leaves the rest for later (S-60)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.runtime.long_work import interruptible
from memtui.errors import Refused

if TYPE_CHECKING:
    from memtui.cli.runtime.output import Output
    from memtui.workspace.workspace import Workspace

STOPPED = 130  # the exit code


def apply(opened: Workspace, output: Output) -> int:
    """Apply the rules to what changed since; return the exit code, 130 if ctrl+c stopped it. What cannot be
    applied now is only told, since the command has done its part."""
    from memtui.workspace.background import JobControl

    if opened.read_only:
        return 0
    waiting = 0

    def report(done: int, left: int) -> None:
        nonlocal waiting
        waiting = left
        if left:  # what is done at once shows nothing
            output.progress(wording.APPLYING, done / (done + left))

    with interruptible() as stopped:
        try:
            opened.apply_rules(JobControl(stop=stopped, report=report))
        except Refused as refused:
            output.note(wording.rules_not_applied(refused.reason))
            return 0
        finally:
            output.progress(wording.APPLYING, 1.0)
        if stopped() and waiting:
            output.note(wording.rules_stopped(waiting))
            return STOPPED
    return 0
