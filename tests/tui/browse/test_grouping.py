"""Browse in groups: headings, folding, the next grouping, and verbs on a heading (S-31)."""

from __future__ import annotations

from dataclasses import replace

from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, memory

ANA = ("Ana", ("Likes tea", "Lives in Sneek", "Plays the viola"))
BO = ("Bo", ("Leads hiring", "Left Utrecht"))


def people(grouping: str = "") -> FakeWorkspace:
    rows = [(subject, text) for subject, texts in (ANA, BO) for text in texts]
    work = FakeWorkspace(
        [memory(n, text, subject=name, category=f"c{n % 2}") for n, (name, text) in enumerate(rows, 1)]
    )
    work.grouped_by = grouping
    return work


def lines(screen: str) -> list[str]:
    """Return the rows of the list without their borders, signs and ages."""
    rows = [line[1:].split("┃")[0] for line in screen.splitlines() if line.startswith("┃")]
    return [" ".join(row[4:].split()[:-1]) for row in rows if row.strip()]


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def statuses(work: FakeWorkspace) -> list[str]:
    return [work.memories[id].status for id in sorted(work.memories)]


def test_equals_groups_the_list_by_one_after_another_and_the_choice_is_remembered() -> None:
    work, shots = people(), Shots()
    drive(app_on(work), shots, "=", shots, "=", shots, "=", "=", shots, "=", shots)
    flat, entity, folder, store, flat_again = shots
    assert "by entity" not in flat
    assert "┏━ Memories · by entity · newest first · Ana ━" in entity
    assert "Grouped by entity." in entity
    assert lines(entity) == ["▾ Ana 3", *ANA[1], "▾ Bo 2", *BO[1]]
    assert "by folder" in folder
    assert lines(store)[0] == "▾ native 5"
    assert "No groups: one list." in flat_again
    assert lines(flat_again) == lines(flat)
    assert work.grouped_by == ""


def test_the_list_opens_as_it_was_grouped_last() -> None:
    assert "by entity" in drive(app_on(people("entity")), "j")


def test_a_flat_list_names_the_entity_where_it_changes() -> None:
    assert lines(drive(app_on(people()), "j")) == [
        "Ana: Likes tea",
        *ANA[1][1:],
        "Bo: Leads hiring",
        *BO[1][1:],
    ]


def test_groups_of_other_kinds_name_the_entity_where_it_changes_and_the_top_row_names_it_in_all() -> None:
    texts = [("Launch", "State: open"), ("Launch", "Owner: Bo"), ("Audit", "State: done"), ("", "Rain")]
    texts += [("Audit", f"State {n}") for n in range(40)]
    work = FakeWorkspace(
        [memory(n, text, subject=name, category="task") for n, (name, text) in enumerate(texts, 1)]
    )
    work.grouped_by, shots = "category", Shots()
    drive(app_on(work), shots, "G", shots, size=(80, 24))
    work.grouped_by = "entity"
    drive(app_on(work), shots, "right", *["ctrl+d"] * 3, shots, size=(80, 24))
    start, end, by_entity, below = shots
    for line in ("▾ task ", "  Launch: State: open ", "    Owner: Bo ", "  Audit: State: done ", "  Rain "):
        assert f"┃    {line}" in start
    assert lines(end)[0].startswith("Audit: State ")
    assert lines(end)[1].startswith("State ")
    assert "┃    ▾ Launch " in by_entity
    assert "┃      State: open " in by_entity, "the heading above says it"
    assert lines(below)[0].startswith("Audit: State ")


def test_a_flat_list_indents_what_has_the_entity_of_the_row_above_and_names_it_at_the_top_of_the_screen() -> (
    None
):
    name = "The token secret is made anew at every start of the memory server, in production too"
    texts = [("State: open", name), ("Talks about it", "Bo")] + [
        (f"State {n}", "Event replay") for n in range(30)
    ]
    work = FakeWorkspace([memory(n, text, subject=subject) for n, (text, subject) in enumerate(texts, 1)])
    shots = Shots()
    drive(app_on(work), "j", shots, "G", shots, "/", *typed("state"), "enter", shots, size=(80, 24))
    start, end, found = shots
    assert "The token secret is made anew" in line_with(start, "…: State: open")
    assert "┃    Bo: Talks about it " in start, (
        "a word of the text that begins like the name does not name it"
    )
    assert "┃    Event replay: State 0 " in start
    assert "┃      State 1 " in start
    assert lines(end)[0].startswith("Event replay: State ")
    assert "┃      State 29 " in end
    assert "┃    Event replay: State 0 " in found


def test_left_folds_a_group_and_right_unfolds_it_with_the_cursor_on_its_heading() -> None:
    shots = Shots()
    drive(app_on(people("entity")), "j", "left", shots, "left", "right", shots, "#", shots, "#", shots)
    folded, unfolded, all_folded, none_folded = shots
    assert lines(folded) == ["▸ Ana 3", "▾ Bo 2", *BO[1]]
    assert "by entity · newest first · Ana" in folded
    assert lines(unfolded) == ["▾ Ana 3", *ANA[1], "▾ Bo 2", *BO[1]]
    assert lines(all_folded) == ["▸ Ana 3", "▸ Bo 2"]
    assert lines(none_folded) == lines(unfolded)


def test_a_heading_shows_what_is_below_it_and_enter_folds_it() -> None:
    shots = Shots()
    drive(app_on(people("entity")), "g", shots, "enter", shots, "enter", shots)
    assert "3 memories" in shots[0]
    assert "space marks all" in shots[0]
    assert lines(shots[1])[0] == "▸ Ana 3"
    assert lines(shots[2])[0] == "▾ Ana 3"


def test_the_detail_of_a_heading_survives_a_resize() -> None:
    shots = Shots()
    drive(app_on(people("entity")), "g", (130, 30), shots, (80, 24), shots, (120, 36), shots)
    for shown in shots:
        assert "3 memories" in shown


def test_a_verb_on_a_heading_acts_on_all_below_and_one_undo_restores_them() -> None:
    work, shots = people("entity"), Shots()
    done: list[list[str]] = []
    note = Probe(lambda app: done.append(statuses(work)))
    drive(app_on(work), "g", "d", note, shots, "d", note, shots, "u", note)
    unchanged = ["confirmed"] * 5
    assert done == [unchanged, ["dismissed"] * 3 + ["confirmed"] * 2, unchanged]
    assert "Press the key again to dismiss all 3 memories below this heading." in shots[0]
    assert "Dismissed 3 memories" in shots[1]
    assert lines(shots[1]) == ["▾ Bo 2", *BO[1]]


def test_moving_away_from_a_heading_drops_what_was_asked() -> None:
    work, shots = people("entity"), Shots()
    drive(app_on(work), "g", "d", "j", "k", "d", shots)
    assert statuses(work) == ["confirmed"] * 5
    assert "Press the key again" in shots[0]


def test_dismissing_one_after_another_never_reaches_a_heading() -> None:
    work = people("entity")
    places: list[int | None] = []
    note = Probe(lambda app: places.append(memories(app).highlighted))
    drive(app_on(work), "j", "j", note, "d", note, "d", note)
    assert places == [3, 4, 5]
    assert statuses(work) == ["confirmed"] * 2 + ["dismissed"] * 2 + ["confirmed"]


def test_marking_one_after_another_passes_headings() -> None:
    marks: list[set[int]] = []
    note = Probe(lambda app: marks.append(set(memories(app).marks)))
    drive(app_on(people("entity")), "j", "space", "space", "space", note)
    assert marks == [{2, 3, 4}]


def test_space_on_a_heading_marks_all_below() -> None:
    marks: list[int] = []
    note = Probe(lambda app: marks.append(len(memories(app).marks)))
    drive(app_on(people("entity")), "g", "space", note, "g", "space", note)
    assert marks == [3, 0]


def test_keys_for_one_memory_say_why_they_do_nothing_on_a_heading() -> None:
    shots = Shots()
    clear: list[Step] = [lambda app: app.show_status("")]
    drive(app_on(people("entity")), "g", *(step for key in "eOc" for step in (*clear, key, shots)))
    assert all("this is a heading; select a memory below it" in shown for shown in shots)


def test_folding_a_flat_list_says_how_to_group_it() -> None:
    shots = Shots()
    clear: list[Step] = [lambda app: app.show_status("")]
    keys = ("left", "right", "#")
    drive(app_on(people()), *(step for key in keys for step in (*clear, key, shots)))
    assert all("The list is not grouped. Press = to group it." in shown for shown in shots)


def test_the_ranked_results_of_a_text_search_are_not_grouped() -> None:
    shots = Shots()
    drive(app_on(people("entity")), "/", *typed("le"), "enter", shots, "=", shots)
    assert "by entity" not in shots[0]
    assert "▾" not in shots[0]
    assert "Results of a text search are ranked and not grouped." in shots[1]


def test_the_cursor_stays_on_its_memory_when_the_grouping_changes() -> None:
    seen: list[int | None] = []
    note = Probe(lambda app: seen.append(memories(app).highlighted))
    drive(app_on(people()), "j", "j", "j", note, "=", note, "=", note, "=", note)
    assert seen == [4, 4, 4, 4]


def test_the_text_has_three_quarters_of_the_list_at_120_columns_and_all_but_signs_and_age_at_80() -> None:
    text = "x" * 200
    work = FakeWorkspace([memory(n, text, subject="A", key=f"k{n}") for n in range(1, 4)])
    signs, indent, age, ellipsis = 4, 2, 6, 1
    for size in ((120, 36), (80, 24)):
        line = line_with(drive(app_on(work), "j", size=size), "   xxx").split("┃")[1]
        assert line.count("x") >= len(line) - signs - indent - age - ellipsis - 1, size
        assert line.count("x") >= 0.75 * len(line), size


def test_a_hostile_name_is_shown_inert_in_heading_title_and_detail() -> None:
    name = "\x1b[31mred\x07\n\u202egnirts " + "界" * 300
    work = FakeWorkspace([memory(1, "Tea", subject=name), memory(2, "Ink", subject=name)])
    work.grouped_by = "entity"
    shots = Shots()
    drive(app_on(work), "g", "left", shots, (80, 24), shots, (40, 12), shots)
    assert len(shots) == 3
    for screen in shots:
        assert "\x1b" not in screen
        assert "\u202e" not in screen
        assert "▸" in screen
        assert "red" in screen


def test_what_is_searched_for_is_shown_unfolded() -> None:
    shots = Shots()
    drive(app_on(people("entity")), "#", shots, "/", *typed("category:c1"), "enter", shots)
    folded, found = shots
    assert lines(folded) == ["▸ Ana 3", "▸ Bo 2"]
    assert lines(found)[0].startswith("▾ Ana")
    assert "Likes tea" in found


def test_there_is_no_column_for_ages_below_headings_if_no_memory_has_a_time() -> None:
    work = people("entity")
    for id, each in work.memories.items():
        work.memories[id] = replace(each, created_at=None, updated_at=None)
    row = line_with(drive(app_on(work), "j", size=(80, 24)), "▾ Ana")
    assert row.rstrip("┃ ").endswith("3")
    assert len(row.rstrip("┃").rstrip()) == 78
