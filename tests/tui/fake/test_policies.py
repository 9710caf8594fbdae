"""The fake workspace keeps policies as a real one does, with the same refusals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace import FakeWorkspace, clock
from tests.tui.fake.test_rules import answer

CALLS: list[Callable[[Workspace], object]] = [
    lambda w: w.set_policy("scout", read=["fleet"], most=["private=3"], expiry="30d"),
    lambda w: w.set_policy("Scout", read=["fleet"]),
    lambda w: w.set_policy("SCOUT", write=["none"]),
    lambda w: w.set_policy("ada"),
    lambda w: w.set_policy("ada", read=["everything"]),
    lambda w: w.set_policy("", read=["all"]),
    lambda w: w.set_policy("*", categories=["fact"], sensitive=["a:*"]),
    lambda w: w.set_policy("rover", instead_of="scout", expiry="never"),
    lambda w: w.set_policy("Rover", instead_of="rover"),
    lambda w: w.set_policy("rover", instead_of="rover"),
    lambda w: w.set_policy("*", instead_of="rover"),
    lambda w: w.set_policy("ada", instead_of="scout", read=["fleet"]),
    lambda w: w.remove_policy("scout"),
    lambda w: w.remove_policy("ROVER"),
    lambda w: w.refused_lately(),
]


def test_policies_are_kept_with_the_same_answers(tmp_path: Path) -> None:
    fake = FakeWorkspace([], clock=clock)
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as real:
        for number, call in enumerate(CALLS):
            assert answer(fake, call) == answer(real, call), number
            assert fake.policies() == real.policies(), number
        assert [each.kind for each in fake.events] == [each.kind for each in reversed(real.journal())]
