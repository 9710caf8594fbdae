"""Every sentence about the embedding model and its vectors."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import counted

SWITCHED_OFF = "Semantic search is off (setting: model)."
OTHER_MODEL = "Another memtui process is using a different model in this workspace."
OTHER_MODEL_HINT = "Set the same model for both, then restart this one."
REINSTALL = "Reinstall memtui."
NO_VECTORS_READ_ONLY = "The workspace is read-only and has no semantic search index for this model."
OPEN_WRITABLE = "Open it once with write access."
NO_USABLE_VECTOR = "the model returned no usable vector"
RETRIED = "Text search still finds them; memtui will retry automatically."


def vec_missing(reason: str) -> str:
    return f"Could not load sqlite-vec: {reason}."


def not_loaded(error: BaseException) -> str:
    return f"Could not load the model: {error!r}."


def question_failed(error: BaseException) -> str:
    return f"Could not embed the query: {error!r}."


def unreadable(error: BaseException) -> tuple[str, str]:
    return f"Could not read the semantic search index: {error}.", "Run memtui doctor for details."


def not_embedded(count: int, last: str) -> str:
    return f"{counted(count, 'memory')} could not be indexed for semantic search: {last}."


def other_model() -> Refused:
    return Refused("other-model", OTHER_MODEL, OTHER_MODEL_HINT)


def model_fails(reason: str) -> Refused:
    return Refused("model", f"The model failed: {reason}.", "Text search still works.")
