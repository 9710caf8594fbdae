"""A long list in groups starts with previews: the first memories of each, and how many more it has (S-31)."""

from __future__ import annotations

from dataclasses import replace

from memtui.memory.groups import Group
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.folds import HEADINGS, PREVIEWS, WHOLE, Folds
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.memory.listing.outline import Outline
from memtui.tui.text.glyphs import MARK
from tests.support.app_driver import Probe, Shots, app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, memory
from tests.tui.browse.test_grouping import lines, statuses

EACH, GROUPS = 7, 9


def things() -> FakeWorkspace:
    work = FakeWorkspace(
        [
            memory(n, f"Fact {n}", subject=f"Thing {(n - 1) // EACH}", category=f"c{n % 2}")
            for n in range(1, EACH * GROUPS + 1)
        ]
    )
    work.grouped_by = "entity"
    return work


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


PREVIEWED = ["▾ Thing 0 7", "Fact 1", "Fact 2", "Fact 3", "… 4"]


def test_a_long_list_starts_with_previews_and_the_last_line_of_one_opens_its_group() -> None:
    shots, places = Shots(), list[tuple[int | None, int]]()
    note = Probe(lambda app: places.append((memories(app).highlighted, memories(app).place)))
    keys = ("g", shots, "j", "j", "j", "j", note, shots, "enter", note, shots, "left", shots, "right", shots)
    drive(app_on(things()), *keys)
    start, on_more, opened, folded, unfolded = shots
    assert lines(start)[:7] == [*PREVIEWED, "▾ Thing 1 7", "Fact 8"]
    assert "7 memories" in on_more
    assert "by entity · newest first · Thing 0" in on_more
    assert places == [(None, 3), (4, 3)]
    whole = ["▾ Thing 0 7", *(f"Fact {n}" for n in range(1, 8)), "▾ Thing 1 7", "Fact 8"]
    assert lines(opened)[:10] == whole
    assert lines(folded)[:3] == ["▸ Thing 0 7", "▾ Thing 1 7", "Fact 8"]
    assert lines(unfolded)[:10] == whole


def test_number_sign_shows_all_then_headings_then_previews() -> None:
    shots = Shots()
    drive(app_on(things()), "g", "#", shots, "#", shots, "#", shots)
    assert "Fact 7" in lines(shots[0])[7]
    assert lines(shots[1]) == [f"▸ Thing {n} 7" for n in range(GROUPS)]
    assert lines(shots[2])[:5] == PREVIEWED


def test_verbs_on_the_line_of_more_are_refused_and_on_the_heading_act_on_the_hidden_ones_too() -> None:
    work, shots = things(), Shots()
    marks: list[int] = []
    note = Probe(lambda app: marks.append(len(memories(app).marks)))
    drive(app_on(work), *"gjjjjd", shots, "space", shots, "g", "space", note, shots)
    refused = "this line stands for 4 more; ⏎ shows them"
    assert f"Nothing to dismiss: {refused}" in shots[0]
    assert f"Nothing to mark: {refused}" in shots[1]
    assert set(statuses(work)) == {"confirmed"}
    assert marks == [EACH]
    assert f"{MARK}     … 4 more" in shots[2]
    opened = drive(app_on(things()), *"gjjjjd", "enter")
    assert "Nothing to" not in opened, "the message belonged to what was there"


def test_what_is_dismissed_in_a_preview_is_followed_by_what_it_hid() -> None:
    work, shots = things(), Shots()
    drive(app_on(work), "g", "j", *"dddd", shots)
    assert [n for n, each in enumerate(statuses(work), 1) if each == "dismissed"] == [1, 2, 3, 4]
    assert lines(shots[0])[:4] == ["▾ Thing 0 3", "Fact 5", "Fact 6", "Fact 7"]


def test_a_preview_never_hides_the_cursors_memory_and_a_search_shows_its_few_results_whole() -> None:
    shots, places = Shots(), list[int | None]()
    note = Probe(lambda app: places.append(memories(app).highlighted))
    work = things()
    work.grouped_by = ""
    for id in range(1, 2 * EACH + 1):
        work.memories[id] = replace(work.memories[id], store="near")
    few = ("/", *typed("store:near"), "enter")
    drive(app_on(work), *"jjjjj", note, "=", note, shots, *few, shots, "escape", shots)
    assert places == [6, 6]
    shown, found, all_again = ([row.removesuffix(" near") for row in lines(shot)] for shot in shots)
    assert shown[5:7] == ["Fact 6", "Fact 7"]
    assert shown[7:12] == ["▾ Thing 1 7", "Fact 8", "Fact 9", "Fact 10", "… 4"]
    assert found[:6] == ["▾ Thing 0 7", "Fact 1", "Fact 2", "Fact 3", "Fact 4", "Fact 5"]
    assert found[8:] == ["▾ Thing 1 7", *(f"Fact {n}" for n in range(8, 15))]
    assert all_again[7:13] == ["Fact 7", *shown[7:12]]


def test_rows_of_two_lines_count_headings_and_numbers_of_more_as_one() -> None:
    groups = [
        Group("a", "", "s", None, 0, 7),
        Group("b", "", "s", None, 7, 2),
        Group("c", "", "s", None, 9, 9),
    ]
    folds = Folds(PREVIEWS)
    folds.set(groups[2], HEADINGS)
    outline = Outline(groups, folds)
    row, starts = 0, []
    for line in range(outline.count):
        starts.append(row)
        assert outline.rows_before(line) == row
        row += 1 if outline.place_at(line) is None else 2
    for each in range(row):
        assert starts[outline.line_in(each)] <= each < [*starts[1:], row][outline.line_in(each)]
    assert [outline.more_at(line) for line in range(outline.count)] == [0, 0, 0, 0, 4, 0, 0, 0, 0]
    assert [outline.line_of(place) for place in (0, 2, 3, 6, 7, 8, 9, 17)] == [1, 3, 4, 4, 6, 7, 8, 8]
    folds.set(groups[2], WHOLE)
    assert Outline(groups, folds).count == outline.count + 9


def test_whatever_row_is_at_the_top_of_the_screen_names_its_group() -> None:
    shots = Shots()
    drive(app_on(things()), "G", *[step for height in range(20, 26) for step in ((120, height), "G", shots)])
    tops = [lines(shown)[0] for shown in shots]
    assert all("Thing" in top for top in tops), tops
    assert any("… 4" in line for line in tops)
    assert any(line.startswith("Thing") and "Fact" in line for line in tops)
