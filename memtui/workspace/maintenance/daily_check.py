"""The daily check of the whole workspace file for damaged pages (LIMITS 1)."""

from __future__ import annotations

from memtui.workspace.context import Context
from memtui.workspace.db import wording
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Checkpoint
from memtui.workspace.maintenance import doctor

_NAME = "check"
_DAY = 86_400.0  # seconds


def run(ctx: Context) -> str:
    """Check the file unless that was done within a day; on damage make the workspace read-only and return
    why, else return ""."""
    last = ctx.db.find(Checkpoint, _NAME)
    if ctx.read_only or (last is not None and ctx.clock() - last.at < _DAY):
        return ""
    if damage := doctor.damage(ctx):
        ctx.read_only = wording.damaged(damage)
        return ctx.read_only
    with ctx.writing, translate_errors(ctx.path):
        ctx.finish_writes()
        ctx.db.write(Checkpoint.insert(name=_NAME, entry_id=0, at=ctx.clock()).on_conflict_replace())
    return ""
