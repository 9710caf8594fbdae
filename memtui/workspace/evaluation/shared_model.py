"""A model that is loaded once for several workspaces (S-36)."""

from __future__ import annotations

from memtui.embedding import factory
from memtui.embedding.base import ModelMissing, Opener
from memtui.workspace.evaluation import wording


def load_once(setting: str) -> tuple[Opener | None, str]:
    """Load the model of the setting `model` and return an opener for it; None and the reason if there is
    none."""
    load = factory.opener(setting)
    if load is None:
        return None, wording.SWITCHED_OFF
    try:
        embedder = load()
    except ModelMissing as missing:
        return None, f"{missing} {missing.hint}".rstrip()
    except Exception as error:  # of several libraries
        return None, wording.not_loaded(error)
    return (lambda: embedder), ""
