"""States and verdicts of the pairs of a fake workspace."""

from __future__ import annotations

from tests.support.fake_workspace import FakeWorkspace


def states(workspace: FakeWorkspace) -> list[str]:
    """Return the state of each pair."""
    return [pair.state for pair in workspace.pairs_by_id.values()]


def verdicts(workspace: FakeWorkspace) -> list[str]:
    """Return the verdict of each settled pair."""
    return [pair.decision.verdict for pair in workspace.pairs_by_id.values() if pair.decision]
