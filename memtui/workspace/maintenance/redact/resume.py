"""Redactions that a process left half done are completed by the next one (S-7, S-62)."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.workspace.context import Context
from memtui.workspace.db.database import translate_errors
from memtui.workspace.maintenance.redact import unfinished, wording


def resume(ctx: Context) -> list[str]:
    """Do what is left of interrupted redactions; return sentences about them. The workspace can be used where
    that fails: it is tried again."""
    sentences: list[str] = []
    try:
        with translate_errors(ctx.path):
            for name, kept in unfinished.of_dead_processes(ctx):
                from memtui.workspace.maintenance.redact import completing

                sentences += completing.finish(ctx, name, kept)
    except (Refused, OSError) as error:
        sentences.append(wording.not_finished_yet(str(error)))
    return sentences
