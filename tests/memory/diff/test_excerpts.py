"""Excerpts of a change: at most a line, and always with the part that differs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.diff.excerpts import CONTEXT, MAX_EXCERPTS, change_excerpts, excerpts

FAR = " ".join(f"word{n}" for n in range(200))


def marked(parts: list[tuple[str, bool]]) -> str:
    return "".join(f"[{text}]" if differs else text for text, differs in parts)


def test_an_excerpt_shows_only_the_context_of_a_difference() -> None:
    removed, added = excerpts(f"{FAR} It runs on Monday. {FAR}", f"{FAR} It runs on Friday. {FAR}")
    assert marked(removed).startswith("… ")
    assert marked(removed).endswith(" …")
    assert "It runs on [Monday]" in marked(removed)
    assert "It runs on [Friday]" in marked(added)
    assert len(marked(added)) < 6 * CONTEXT


def test_two_distant_differences_are_joined_by_an_ellipsis() -> None:
    removed, _ = excerpts(f"Ana says {FAR} tea", f"Bo says {FAR} coffee")
    assert marked(removed).startswith("[Ana] says")
    assert " … " in marked(removed)
    assert marked(removed).endswith("[tea]")


def test_a_completely_new_text_is_cut() -> None:
    removed, added = excerpts("old " * 2_000, "new " * 2_000)
    assert len(marked(removed)) < 12 * CONTEXT
    assert marked(added).startswith("[new")


def test_a_text_without_spaces_is_cut_at_the_difference_too() -> None:
    same = "漢字仮名" * 500
    removed, added = excerpts(f"{same}月曜{same}", f"{same}金曜{same}")
    assert "[月]" in marked(removed)
    assert "[金]" in marked(added)
    assert len(marked(removed)) < 8 * CONTEXT


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_excerpt_is_short(old: str, new: str) -> None:
    for parts in excerpts(old, new):
        assert len(marked(parts)) < 40 * CONTEXT


def test_a_change_of_several_fields_is_limited_to_three_lines() -> None:
    before = {"content": "A tea.", "title": "Tea", "note": "Now.", "pinned": False}
    after = {"content": "A coffee.", "title": "Coffee", "note": "Then.", "pinned": True}
    lines = change_excerpts(before, after)
    assert [(name, sign) for name, sign, _ in lines] == [("content", "−"), ("content", "+"), ("title", "−")]
    assert len(lines) == MAX_EXCERPTS


def test_additions_erased_changes_and_other_fields_have_no_excerpt() -> None:
    assert change_excerpts({"here": False}, {"here": True, "content": "New."}) == []
    assert change_excerpts(None, None) == []
    assert change_excerpts({"pinned": False, "content": "Same."}, {"pinned": True, "content": "Same."}) == []


def test_added_words_are_one_line() -> None:
    ((name, sign, parts),) = change_excerpts({"title": None}, {"title": "A title"})
    assert (name, sign, marked(parts)) == ("title", "+", "[A title]")


def test_steps_are_shown_as_one_text() -> None:
    lines = change_excerpts({"steps": ("Open it.", "Close it.")}, {"steps": ("Open it.", "Lock it.")})
    assert [marked(parts) for *_, parts in lines] == ["Open it.; [Close] it.", "Open it.; [Lock] it."]
