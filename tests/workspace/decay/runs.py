"""Decay runs and forecasts, and the stores they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memtui.workspace.workspace import Workspace
from tests.support.lifecycle_stores import (
    LifecycleStores,
)
from tests.support.stores import file_hashes
from tests.support.stores.databases import query
from tests.support.stores.files import read_tree


def due_steps(workspace: Workspace, now: float | None = None) -> dict[str, str]:
    """Return what a run would do, by the label of the memory."""
    return {each.label: each.what for each in workspace.due(now=now)}


def run_decay(workspace: Workspace) -> str:
    """Run decay, which must skip nothing, and return the summary of the change."""
    result = workspace.run_decay()
    assert result.skipped == ()
    return result.change.summary if result.change is not None else ""


def forecasts_json(workspace: Workspace, days: float = 60, **options: Any) -> list[dict[str, Any]]:
    """Return the forecasts of all memories as JSON, with their uids."""
    return [
        forecast.to_json() | {"uid": memory.uid}
        for memory, forecast in workspace.forecasts(days=days, **options)
    ]


def entry_ids(workspace: Workspace) -> list[int]:
    return [event.id for event in workspace.journal()]


def confidences(path: Path) -> dict[str, int]:
    """Return the confidences of a Founder OS database by key."""
    return dict(query(path, "SELECT key, confidence FROM memories"))


def tiers(path: Path) -> dict[str, str]:
    return dict(query(path, "SELECT id, tier FROM memories"))


def store_bytes(stores: LifecycleStores) -> dict[str, Any]:
    """Return the bytes of all stores, with the WALs of databases."""
    databases = [path for path in (stores.founder, stores.skill, stores.coat) if path.exists()]
    trees = [root for root in (stores.minions, stores.cognitive) if root.exists()]
    return {str(path): file_hashes(path) for path in databases} | {
        str(root): read_tree(root) for root in trees
    }
