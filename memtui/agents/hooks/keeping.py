"""Keeping what was stated in a session, each once however many events tell of it (S-81, S-104)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.agents.hooks import transcript, wording
from memtui.agents.hooks.notes import digest
from memtui.agents.hooks.stated import BLOCKER, Statement, statements
from memtui.errors import PolicyRefused
from memtui.memory.secrets.masking import hidden

if TYPE_CHECKING:
    from memtui.agents.hooks.desk import Desk
    from memtui.values import Fields

CATEGORY, SOURCE = "decision", "session_end"


def keep_so_far(desk: Desk) -> None:
    """Keep what was decided and discovered until now. A blocker may be gone before the session ends."""
    last = desk.payload.text("last_assistant_message")
    texts = [last] if last else transcript.said(desk.payload.text("transcript_path"))
    _keep(desk, (each for text in texts for each in statements(text) if each.kind != BLOCKER))


def keep_at_end(desk: Desk) -> None:
    """Keep the same, and the blockers that the last word of the agent still names."""
    texts = transcript.said(desk.payload.text("transcript_path"))
    stated = [each for text in texts for each in statements(text) if each.kind != BLOCKER]
    _keep(desk, [*stated, *(each for each in statements(texts[-1] if texts else "") if each.kind == BLOCKER)])


def _keep(desk: Desk, stated: Iterable[Statement]) -> None:
    with desk.notes() as known:
        for each in stated:
            content = wording.stated(each.kind, each.text)
            mark = digest(f"{desk.project}\0{content.casefold()}")
            if mark in known.kept or hidden(content) != content:  # a secret would be refused each time
                continue
            fields: Fields = {
                "content": content,
                "category": CATEGORY,
                "subject": desk.project,
                "key": f"{CATEGORY}-{mark}",  # some formats would take the subject, and keep only one for it
                "source_ref": SOURCE,
            }
            with suppress(PolicyRefused):  # the journal has it, and the other statements may be kept
                desk.remember(fields)
            known.kept.append(mark)  # not before: what a busy store refuses is kept at the next event
