"""Noting that what was found as a secret is none (S-52, S-62)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory import secrets
from memtui.memory.results import Change
from memtui.memory.secrets.false_positives import digest
from memtui.memory.secrets.redaction import strings_of
from memtui.workspace.changes import wording
from memtui.workspace.changes.own_records import false_positives, own_states
from memtui.workspace.journal.items import NO_SECRET
from memtui.workspace.mirror import memory_rows
from memtui.workspace.secrets.sweep import TEXTS

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def mark(ctx: Context, ids: Sequence[int]) -> Change:
    """Note that the values found in these memories are no secrets; raise Refused if there is none."""
    ctx.writable()
    rows = memory_rows.load(ctx.db, ids)
    found: dict[str, str] = {}
    for row in rows:
        for name in TEXTS:
            for text in strings_of(getattr(row.memory, name)):
                found |= {digest(text[each.start : each.end]): each.kind for each in secrets.find(text)}
    if not found:
        raise wording.no_secret_found()
    store = rows[0].store_id
    states = [
        own_states.State(NO_SECRET, each, store, false_positives.found_as(kind))
        for each, kind in found.items()
    ]
    summary = wording.marked_no_secret(len(found))
    entry_id = own_states.change(ctx, "no-secret", summary, states)
    return Change("no-secret", tuple(row.id for row in rows), summary, entry_id)
