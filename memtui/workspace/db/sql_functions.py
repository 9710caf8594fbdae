"""Functions that the workspace's SQL calls and SQLite lacks; every connection has them (S-31)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memtui.workspace.db.pair_status import SAID, said

# How far a memory is into decay, by its store's own lifecycle (SPEC 4).
LABEL = "memtui_label"
GIST, SECRET = "memtui_gist", "memtui_secret"


def _gist(content: Any) -> int | None:
    """The same number for texts that differ in case, spaces and end punctuation alone."""
    if not isinstance(content, str):
        return None
    gist = " ".join(content.casefold().split()).rstrip(" .,;:!?…。")
    return hash(gist) if gist else None


def _has_secret(said: Any) -> bool:
    from memtui.memory import secrets  # its many patterns are read where they are wanted

    return isinstance(said, str) and secrets.holds(said)


# Of one value each.
FUNCTIONS: dict[str, Callable[..., Any]] = {GIST: _gist, SECRET: _has_secret, SAID: said}
