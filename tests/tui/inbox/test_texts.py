"""Pace, and lines of the Inbox that are cut to the width."""

from __future__ import annotations

from memtui.memory.inbox.items import SECRET, InboxItem
from memtui.tui.command_table import footer_items
from memtui.tui.commands.names import INBOX
from memtui.tui.inbox.fitting import first_keys
from memtui.tui.inbox.inbox_list import pair_label
from memtui.tui.inbox.pace import USUAL, Pace
from memtui.tui.inbox.wording import time_left


def test_the_pace_is_that_of_the_session_once_there_are_decisions() -> None:
    pace = Pace()
    for n in range(3):
        pace.decided(("pending", n, ""), 10.0 * n)
    assert pace.seconds == USUAL
    pace.decided(("pending", 3, ""), 30.0 + 9_000)  # a break is cut
    assert pace.seconds == (10 + 10 + 120) / 3
    for n in range(4, 9):
        pace.decided(("secret", n, ""), 30.0 + 9_000)  # all of a bulk verb are one decision
    assert pace.seconds == (10 + 10 + 120) / 3
    for n in range(4, 9):
        pace.undone(("secret", n, ""))
    pace.undone(("pending", 3, ""))
    assert pace.seconds == USUAL
    assert [time_left(seconds) for seconds in (40, 61, 5_300, 12_000)] == [
        "under a minute", "about 2 min", "about 89 min", "about 3 h",
    ]  # fmt: skip


def test_what_differs_between_the_two_of_a_pair_is_cut_last() -> None:
    label = "A name that takes all the room there is: State: open / postponed"
    assert pair_label(label, 100) == label
    assert pair_label(label, 40).endswith(": open / postponed")
    assert pair_label("no prefix / at all", 8) == "no prefix / at all"


def test_the_footer_keeps_what_decides_on_the_item_the_most_important_first() -> None:
    secret = InboxItem(SECRET, "notes", "Deploys", "secret", id=7)
    assert first_keys(None) == ()
    assert first_keys(secret)[:2] == ("memory.redact", "memory.reveal")
    ranks = {each.id: each.rank for each in footer_items(INBOX, first=first_keys(secret))}
    assert ranks["memory.snooze"] == ranks["memory.redact"] < ranks["memory.pin"]
