"""Merging two memories and calling both true, in their dialogs over Review (S-42)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import BOTH_TRUE
from tests.support.app_driver import Shots, line_with, typed
from tests.support.fake_workspace import paired
from tests.support.hostile.memories import bad
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import on_review


def test_a_merge_is_edited_below_both_texts(golden: Callable[[str, str], None]) -> None:
    work, shots = paired(), Shots()
    on_review(
        work, "m", shots, "escape", (80, 24), "m", shots, "escape", (120, 36),
        "m", *typed(" Both."), "ctrl+s", shots,
    )  # fmt: skip
    golden("merge-120x36", shots[0])
    golden("merge-80x24", shots[1])
    assert "A takes the merged text, B gives way to it." in shots[0]
    assert verdicts(work) == ["merge"]
    assert work.memories[2].content.endswith("has 3.11. Both.")
    assert work.memories[9].status == "superseded"
    assert "merged" in line_with(shots[2], "✓ ≠")


def test_leaving_a_merge_changes_nothing_and_asks_once_if_something_was_typed() -> None:
    work, shots = paired(), Shots()
    on_review(work, "m", shots, "escape", shots, "m", "x", "escape", shots, "escape", shots)
    opened, left, asked, dropped = shots
    assert "Merge A and B" in opened
    assert "Merge A and B" not in left
    assert "Why these two" in left
    assert "esc again drops your text" in asked
    assert "Merge A and B" not in dropped
    assert states(work) == ["open"] * 4
    assert work.events == []


def test_a_refused_merge_keeps_the_text_and_an_empty_one_is_not_sent() -> None:
    work, shots = paired(), Shots()
    work.raising["settle"] = Refused("locked", "Not merged: the store is locked.", "Try again.")
    on_review(
        work, "m", *typed("XYZ"), "ctrl+s", shots, lambda _: work.raising.clear(),
        "f7", "delete", "ctrl+s", shots,
    )  # fmt: skip
    assert "Not merged: the store is locked. Try again." in shots[0]
    assert "XYZ" in shots[0]
    assert "write something first" in shots[1]
    assert verdicts(work) == []


def test_a_merged_text_with_odd_characters_is_written_only_once_it_was_cleaned() -> None:
    work, shots = paired(), Shots()
    work.merged[1] = "one\x1b[31m\u202etwo"
    unwritten: list[list[str]] = []
    on_review(
        work, "m", shots, "ctrl+s", shots, lambda _: unwritten.append(verdicts(work)), "ctrl+l", "ctrl+s"
    )
    assert "ctrl+l takes the odd characters out" in shots[0]
    assert not bad(shots[0])
    assert "cannot be written as it stands" in shots[1]
    assert unwritten == [[]]
    assert work.memories[2].content == "one[31mtwo"


def test_both_true_takes_a_note_or_none() -> None:
    work, shots = paired(), Shots()
    kept: list[list[str]] = []
    on_review(
        work, "t", shots, "escape", shots, lambda _: kept.append(states(work)),
        "t", *typed("until Nov"), "enter", "k", shots, "j", "t", "enter", "k", shots,
    )  # fmt: skip
    opened, left, noted, plain = shots
    assert "Both stay; this pair is not asked about again." in opened
    assert "Both are true" not in left
    assert kept == [["open"] * 4]
    first, second = work.findings[1].decision, work.findings[2].decision
    assert first is not None
    assert second is not None
    assert (first.verdict, first.note) == (BOTH_TRUE, "until Nov")
    assert "✓ both true" in noted
    assert "“until Nov”" in noted
    assert (second.verdict, second.note) == (BOTH_TRUE, "")
    assert "✓ both true" in plain
    assert "“" not in line_with(plain, "✓ both true")
