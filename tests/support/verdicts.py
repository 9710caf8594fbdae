"""What was said of the pairs of a fake workspace."""

from __future__ import annotations

from tests.support.fake_workspace import FakeWorkspace


def states(work: FakeWorkspace) -> list[str]:
    return [pair.state for pair in work.findings.values()]


def verdicts(work: FakeWorkspace) -> list[str]:
    return [pair.decision.verdict for pair in work.findings.values() if pair.decision]
