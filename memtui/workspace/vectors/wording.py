"""Every sentence about the embedding model and its vectors."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import counted

SWITCHED_OFF = "Searching by meaning is switched off (setting: model)."
OTHER_MODEL = "Another memtui uses another model in this workspace."
OTHER_MODEL_HINT = "Set the same model for both, then start this one again."
REINSTALL = "Reinstall memtui."
NO_VECTORS_READ_ONLY = "The workspace is only read, and holds no vectors of this model."
OPEN_WRITABLE = "Open it once where it may be written."
NO_USABLE_VECTOR = "the model gave no usable vector"
RETRIED = "Words find them; memtui tries again later by itself."


def vec_missing(reason: str) -> str:
    return f"Could not load sqlite-vec: {reason}."


def not_loaded(error: BaseException) -> str:
    return f"Could not load the model: {error!r}."


def question_failed(error: BaseException) -> str:
    return f"Could not embed the query: {error!r}."


def unreadable(error: BaseException) -> tuple[str, str]:
    return f"Could not read the semantic index: {error}.", "Run memtui doctor for details."


def not_embedded(count: int, last: str) -> str:
    return f"Could not index {counted(count, 'memory')} for semantic search: {last}."


def other_model() -> Refused:
    return Refused("other-model", OTHER_MODEL, OTHER_MODEL_HINT)


def model_fails(reason: str) -> Refused:
    return Refused("model", f"The model failed: {reason}.", "Search by words still works.")
