"""The journal says when a rule leaves what it set, since it was changed or confirmed (S-50, S-60)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace


class Left:
    """A workspace with three memories and a rule that sets two things in two of them."""

    def __init__(self, folder: Path) -> None:
        self.work = Workspace.open(folder / "w.db", clock=lambda: 1_763_000_000.0)
        texts = ("Lunch is at noon", "Lunch is soup", "Tokens expire after a day")
        self.noon, self.soup, self.tokens = (self.work.add({"content": text}).ids[0] for text in texts)
        self.work.add_rule("Keep lunch", "lunch", ["pin", "tag=food", "inbox"])
        self.work.turn_rule("Keep lunch", on=True)
        self.work.apply_rules()

    def lines(self) -> list[str]:
        """Return what rules left, the newest first."""
        self.work.apply_rules()
        return [each.summary for each in self.work.journal() if each.kind == "rule-left"]


@pytest.fixture
def left(tmp_path: Path) -> Iterator[Left]:
    found = Left(tmp_path)
    with closing(found.work):
        yield found


def test_a_line_says_what_stays_as_it_was_changed_and_only_once(left: Left) -> None:
    work = left.work
    assert left.lines() == []
    work.edit([left.noon, left.soup], {"tags": ("mine",)})
    work.unpin([left.noon])
    lines = [
        "The rule “Keep lunch” leaves 1 memory as it is, changed since",
        "The rule “Keep lunch” leaves 2 memories as they are, changed since",
    ]
    assert left.lines() == lines
    assert left.lines() == lines
    event = next(each for each in work.journal() if each.kind == "rule-left")
    assert (event.actor, event.state, event.count, event.undoable) == ("rule:Keep lunch", "done", 1, False)
    (item,) = work.journal_items(event.id)
    assert (item.label, item.state, item.reason) == ("Lunch is at noon", "left", "pin changed since")
    with pytest.raises(Refused):
        work.undo(event.id)
    assert work.undo().summary.startswith("Undone: Unpinned")
    assert left.lines() == lines
    assert work.memories([left.noon])[0].pinned
    work.turn_rule("Keep lunch", on=False)
    left.lines()
    # The rule held its pin again, and not the tags.
    assert (work.memories([left.noon])[0].pinned, work.memories([left.noon])[0].tags) == (False, ("mine",))


def test_a_line_says_what_stays_as_a_person_confirmed_it(left: Left) -> None:
    work = left.work
    work.confirm([left.soup])
    assert left.lines() == []  # that it left the Inbox is the person's own line
    work.turn_rule("Keep lunch", on=False)
    assert left.lines() == ["The rule “Keep lunch” leaves 1 memory as it is, confirmed since"]
    event = next(each for each in work.journal() if each.kind == "rule-left")
    assert [each.reason for each in work.journal_items(event.id)] == ["pin, tag confirmed since"]
    assert work.memories([left.soup])[0].pinned
    assert not work.memories([left.noon])[0].pinned
    assert work.rule_counts()[work.rules()[0].id].today == 2  # what it leaves, it did not change
