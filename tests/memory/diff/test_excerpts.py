"""What a change did to a text, in a few words: never more than a line, and never without what differs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.diff.excerpts import AROUND, MOST, lines, nearby

FAR = " ".join(f"word{n}" for n in range(200))


def shown(pieces: list[tuple[str, bool]]) -> str:
    return "".join(f"[{text}]" if only else text for text, only in pieces)


def test_only_what_stands_near_a_difference_is_told() -> None:
    went, came = nearby(f"{FAR} It runs on Monday. {FAR}", f"{FAR} It runs on Friday. {FAR}")
    assert shown(went).startswith("… ")
    assert shown(went).endswith(" …")
    assert "It runs on [Monday]" in shown(went)
    assert "It runs on [Friday]" in shown(came)
    assert len(shown(came)) < 6 * AROUND


def test_two_differences_far_apart_are_both_told_with_an_ellipsis_between() -> None:
    went, _ = nearby(f"Ana says {FAR} tea", f"Bo says {FAR} coffee")
    assert shown(went).startswith("[Ana] says")
    assert " … " in shown(went)
    assert shown(went).endswith("[tea]")


def test_what_was_written_anew_is_cut() -> None:
    went, came = nearby("old " * 2_000, "new " * 2_000)
    assert len(shown(went)) < 12 * AROUND
    assert shown(came).startswith("[new")


def test_a_text_without_blanks_is_cut_at_the_difference_too() -> None:
    same = "漢字仮名" * 500
    went, came = nearby(f"{same}月曜{same}", f"{same}金曜{same}")
    assert "[月]" in shown(went)
    assert "[金]" in shown(came)
    assert len(shown(went)) < 8 * AROUND


@given(st.text(max_size=400), st.text(max_size=400))
def test_it_is_short_and_tells_whatever_the_texts_are(old: str, new: str) -> None:
    for pieces in nearby(old, new):
        assert len(shown(pieces)) < 40 * AROUND


def test_a_change_of_several_texts_takes_three_lines() -> None:
    before = {"content": "A tea.", "title": "Tea", "note": "Now.", "pinned": False}
    after = {"content": "A coffee.", "title": "Coffee", "note": "Then.", "pinned": True}
    told = lines(before, after)
    assert [(name, sign) for name, sign, _ in told] == [("content", "−"), ("content", "+"), ("title", "−")]
    assert len(told) == MOST


def test_an_addition_an_erased_change_and_one_of_no_text_tell_nothing() -> None:
    assert lines({"here": False}, {"here": True, "content": "New."}) == []
    assert lines(None, None) == []
    assert lines({"pinned": False, "content": "Same."}, {"pinned": True, "content": "Same."}) == []


def test_words_that_only_came_are_one_line() -> None:
    ((name, sign, pieces),) = lines({"title": None}, {"title": "A title"})
    assert (name, sign, shown(pieces)) == ("title", "+", "[A title]")


def test_steps_are_told_as_a_text() -> None:
    told = lines({"steps": ("Open it.", "Close it.")}, {"steps": ("Open it.", "Lock it.")})
    assert [shown(pieces) for *_, pieces in told] == ["Open it.; [Close] it.", "Open it.; [Lock] it."]
