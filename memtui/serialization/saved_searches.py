"""Saved searches, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.workspace.search.saved_searches import SavedSearch


def saved_search_as_json(saved: SavedSearch) -> JsonObject:
    """Return a saved search; "at" is ISO UTC text."""
    return {"name": saved.name, "query": saved.query, "sort": saved.sort, "at": iso(saved.at)}
