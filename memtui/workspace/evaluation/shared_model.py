"""A model that is loaded once for many workspaces (S-36)."""

from __future__ import annotations

from memtui.embedding import opening
from memtui.embedding.base import ModelMissing, Opener


def once(setting: str) -> tuple[Opener | None, str]:
    """What gives the model of the setting `model`, loaded here; None and why, where there is none."""
    load = opening.opener(setting)
    if load is None:
        return None, "Searching by meaning is switched off (setting: model)."
    try:
        embedder = load()
    except ModelMissing as missing:
        return None, f"{missing} {missing.hint}".rstrip()
    except Exception as trouble:  # of many libraries
        return None, f"The model cannot be loaded: {trouble!r}."
    return (lambda: embedder), ""
