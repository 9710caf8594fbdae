"""SQL functions that every connection to the workspace has (S-31)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.values import SqlValue
from memtui.workspace.db.pair_status import DIGEST, digest

LABEL = "memtui_label"  # the decay label of a memory, by its store's lifecycle (SPEC 4)
FINGERPRINT, SECRET = "memtui_fingerprint", "memtui_secret"


def _fingerprint(content: SqlValue) -> int | None:
    """Return a number equal for texts that differ only in case, spacing and final punctuation."""
    if not isinstance(content, str):
        return None
    text = " ".join(content.casefold().split()).rstrip(" .,;:!?…。")
    return hash(text) if text else None


def _has_secret(content: SqlValue) -> bool:
    from memtui.memory import secrets  # compiles many patterns

    return isinstance(content, str) and secrets.contains_secret(content)


# Each takes one value.
FUNCTIONS: dict[str, Callable[..., SqlValue]] = {
    FINGERPRINT: _fingerprint,
    SECRET: _has_secret,
    DIGEST: digest,
}
