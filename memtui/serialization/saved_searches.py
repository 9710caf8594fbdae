"""Saved searches, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.memory.encoding import iso

if TYPE_CHECKING:
    from memtui.workspace.search.saved_searches import Saved


def saved_search_as_json(one: Saved) -> dict[str, Any]:
    return {"name": one.name, "query": one.query, "sort": one.sort, "at": iso(one.at)}
