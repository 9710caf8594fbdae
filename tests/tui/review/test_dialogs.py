"""The dialogs of Review for merging two memories and for keeping both as true (S-42)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import BOTH_TRUE
from tests.support.app_driver import Shots, line_with, typed
from tests.support.fake_workspace import with_pairs
from tests.support.hostile.memories import unsafe_characters
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import drive_review


def test_a_merge_is_edited_below_both_texts(golden: Callable[[str, str], None]) -> None:
    work, shots = with_pairs(), Shots()
    drive_review(
        work, "m", shots, "escape", (80, 24), "m", shots, "escape", (120, 36),
        "m", *typed(" Both."), "ctrl+s", shots,
    )  # fmt: skip
    golden("merge-120x36", shots[0])
    golden("merge-80x24", shots[1])
    assert "A gets the merged text and replaces B." in shots[0]
    assert verdicts(work) == ["merge"]
    assert work.memories[2].content.endswith("has 3.11. Both.")
    assert work.memories[9].status == "superseded"
    assert "merged" in line_with(shots[2], "✓ ≠")


def test_closing_a_merge_changes_nothing_and_asks_first_if_something_was_typed() -> None:
    work, shots = with_pairs(), Shots()
    drive_review(work, "m", shots, "escape", shots, "m", "x", "escape", shots, "escape", shots)
    opened, closed, asked, discarded = shots
    assert "Merge A and B" in opened
    assert "Merge A and B" not in closed
    assert "Why these two" in closed
    assert "Press esc again to discard your text" in asked
    assert "Merge A and B" not in discarded
    assert states(work) == ["open"] * 4
    assert work.events == []


def test_a_refused_merge_keeps_the_text_and_an_empty_one_is_rejected() -> None:
    work, shots = with_pairs(), Shots()
    work.errors["settle"] = Refused("locked", "Not merged: the store is locked.", "Try again.")
    drive_review(
        work, "m", *typed("XYZ"), "ctrl+s", shots, lambda _: work.errors.clear(),
        "f7", "delete", "ctrl+s", shots,
    )  # fmt: skip
    assert "Not merged: the store is locked. Try again." in shots[0]
    assert "XYZ" in shots[0]
    assert "the text is empty. Press esc" in shots[1]
    assert verdicts(work) == []


def test_a_merged_text_with_control_characters_must_be_cleaned_first() -> None:
    work, shots = with_pairs(), Shots()
    work.merged_texts[1] = "one\x1b[31m\u202etwo"
    before_cleaning: list[list[str]] = []
    drive_review(
        work,
        "m",
        shots,
        "ctrl+s",
        shots,
        lambda _: before_cleaning.append(verdicts(work)),
        "ctrl+l",
        "ctrl+s",
    )
    assert "press ctrl+l to remove unsupported characters" in shots[0]
    assert not unsafe_characters(shots[0])
    assert "too long or has unsupported characters" in shots[1]
    assert before_cleaning == [[]]
    assert work.memories[2].content == "one[31mtwo"


def test_both_true_has_an_optional_note() -> None:
    work, shots = with_pairs(), Shots()
    after_cancel: list[list[str]] = []
    drive_review(
        work, "t", shots, "escape", shots, lambda _: after_cancel.append(states(work)),
        "t", *typed("until Nov"), "enter", "k", shots, "j", "t", "enter", "k", shots,
    )  # fmt: skip
    opened, cancelled, noted, plain = shots
    assert "Both memories stay unchanged." in opened
    assert "Both are true" not in cancelled
    assert after_cancel == [["open"] * 4]
    first, second = work.pairs_by_id[1].decision, work.pairs_by_id[2].decision
    assert first is not None
    assert second is not None
    assert (first.verdict, first.note) == (BOTH_TRUE, "until Nov")
    assert "✓ both true" in noted
    assert "“until Nov”" in noted
    assert (second.verdict, second.note) == (BOTH_TRUE, "")
    assert "✓ both true" in plain
    assert "“" not in line_with(plain, "✓ both true")
