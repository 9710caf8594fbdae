"""Memories as they are shown: only those that may have a secret are searched for it (S-62)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.memory import Memory
from memtui.memory.secrets.masking import Masking
from memtui.workspace.mirror import memory_rows
from memtui.workspace.secrets.found import SUSPECT

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_SUSPECTS = f"SELECT value FROM json_each(?) WHERE {SUSPECT.format('value')}"
# Texts that the sweep does not search.
_BESIDE = ("pinned_why", "ties", "owner", "session_id", "company_id")


def suspects(ctx: Context, ids: Sequence[int]) -> set[int]:
    """Return those of these memories whose texts may have a secret."""
    return {id for (id,) in ctx.db.rows(_SUSPECTS, (json.dumps(list(ids)),))}


def masked(memory: Memory, masking: Masking, *, suspect: bool) -> Memory:
    """Return a memory as it is shown; `suspect` if its texts may have a secret."""
    if suspect or any(masking.of(each) is not each for name in _BESIDE if (each := getattr(memory, name))):
        return masking.of(memory)
    return memory


def load(ctx: Context, ids: Sequence[int], masking: Masking) -> list[Memory]:
    """Return the memories of these rows as they are shown."""
    suspected = suspects(ctx, ids)
    return [masked(row.memory, masking, suspect=row.id in suspected) for row in memory_rows.load(ctx.db, ids)]


def without_secrets(ctx: Context, ids: Sequence[int]) -> tuple[list[Memory], list[str]]:
    """Return the memories of these rows but those that hold a secret, and the uids of those."""
    masking, suspected = Masking(), suspects(ctx, ids)
    clean: list[Memory] = []
    withheld: list[str] = []
    for row in memory_rows.load(ctx.db, ids):
        if masked(row.memory, masking, suspect=row.id in suspected) is row.memory:
            clean.append(row.memory)
        else:
            withheld.append(row.memory.uid)
    return clean, withheld
