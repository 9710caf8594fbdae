"""The fake workspace keeps rules as a real one does, with the same refusals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace import FakeWorkspace, clock

CALLS: list[Callable[[Workspace], object]] = [
    lambda w: w.add_rule(" Keep  decisions ", " category:decision ", ["pin", "tag=final", " "], "so"),
    lambda w: w.add_rule("keep decisions", "tea", ["pin"]),
    lambda w: w.add_rule("Tea", "tea", ["expire=30d", "importance=0.9"]),
    lambda w: w.add_rule("Inbox", "-is:pinned", ["inbox"]),
    lambda w: w.add_rule("", "tea", ["pin"]),
    lambda w: w.add_rule("x" * 61, "tea", ["pin"]),
    lambda w: w.add_rule("A", "tea", ["pin"], "y" * 501),
    lambda w: w.add_rule("A", " ", ["pin"]),
    lambda w: w.add_rule("A", "scope:nowhere", ["pin"]),
    lambda w: w.add_rule("A", "tea", []),
    lambda w: w.add_rule("A", "tea", ["fly"]),
    lambda w: w.add_rule("A", "tea", ["pin=x"]),
    lambda w: w.add_rule("A", "tea", ["tag=x", "tag=y"]),
    lambda w: w.edit_rule("tea"),
    lambda w: w.edit_rule("TEA", new_name="Green tea", note="n"),
    lambda w: w.edit_rule("Green tea", actions=["dismiss"], when="green"),
    lambda w: w.edit_rule("nobody", note="n"),
    lambda w: w.turn_rule("Inbox", on=True),
    lambda w: w.turn_rule("inbox", on=True),
    lambda w: w.move_rule("Inbox", -2),
    lambda w: w.move_rule("Inbox", -1),
    lambda w: w.move_rule("Inbox", 9),
    lambda w: w.remove_rule("Green tea"),
    lambda w: w.remove_rule("Green tea"),
    lambda w: w.rule_counts(),
]


def test_rules_are_kept_with_the_same_answers(tmp_path: Path) -> None:
    fake = FakeWorkspace([], clock=clock)
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as real:
        for number, call in enumerate(CALLS):
            assert answer(fake, call) == answer(real, call), number
            assert fake.rules() == real.rules(), number
        assert [each.kind for each in fake.events] == [each.kind for each in reversed(real.journal())]


def answer(workspace: Workspace, call: Callable[[Workspace], object]) -> object:
    try:
        return call(workspace)
    except Refused as refusal:
        return refusal.to_json()
