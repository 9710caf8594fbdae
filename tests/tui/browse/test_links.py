"""Links in the detail: walked with tab, followed, and back again; scrolling and folding beside the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.detail.detail_pane import DetailPane
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, strips
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.sizes import shard

SIZES = [(80, 24), (120, 36)]


def linked(text: str = "Ana leads hiring") -> FakeWorkspace:
    """Return a workspace whose first memory leads to one in the list, to a dismissed one, and to none."""
    work = FakeWorkspace(
        [
            memory(1, text),
            memory(2, "Bo builds feeders"),
            memory(3, "Cy left Utrecht", status="dismissed"),
            memory(4, "Di drives"),
        ],
        clock=clock,
    )
    work.relations[1] = (
        Relation("Ana", "knows", "Bo", source_id=1, target_id=2),
        Relation("Ana", "knew", "Cy", source_id=1, target_id=3),
        Relation("Ana", "haunts", "Ghost", source_id=1),
    )
    return work


def view(app: MemtuiApp) -> DetailPane:
    return app.screen_stack[0].query_one(DetailPane)


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def noting(read: Callable[[MemtuiApp], Any]) -> tuple[list[Any], Probe]:
    """Return a list, and a step that appends to it what `read` returns."""
    found: list[Any] = []
    return found, Probe(lambda app: found.append(read(app)))


def place(app: MemtuiApp) -> tuple[int | None, int | None, str | None]:
    """Return the memory under the cursor, the one in the detail, and what has the focus."""
    detail, focused = view(app).detail, app.focused
    shown = detail.id if detail is not None else None
    return memories(app).highlighted, shown, focused.id if focused is not None else None


@pytest.mark.parametrize("size", shard(SIZES, 0, 2))
def test_tab_walks_the_links_and_enter_follows_one_to_the_list(size: tuple[int, int]) -> None:
    shots = Shots()
    places, note = noting(place)
    keys: list[Step] = [
        "g",
        "tab",
        note,
        "tab",
        shots,
        "enter",
        note,
        "backspace",
        note,
        shots,
        "enter",
        note,
    ]
    drive(app_on(linked()), *keys, size=size)
    assert places == [(1, 1, "detail"), (2, 2, "detail"), (1, 1, "detail"), (2, 2, "detail")]
    # After the way back the link is selected again, so that ⏎ follows it once more.
    assert all(("→ knows ❯Bo" in shot and "→ knew ›Cy" in shot) or size[1] == 24 for shot in shots)
    assert all("❯Bo" in shot for shot in shots)


@pytest.mark.parametrize("size", shard(SIZES, 1, 2))
def test_a_link_out_of_the_list_is_shown_by_the_detail_alone_and_keys_act_on_it(
    size: tuple[int, int],
) -> None:
    work, shots = linked(), Shots()
    places, note = noting(place)
    keys: list[Step] = [
        "g",
        "tab",
        "tab",
        "tab",
        "enter",
        note,
        shots,
        "p",
        "space",
        shots,
        "backspace",
        note,
        shots,
    ]
    drive(app_on(work), *keys, size=size)
    assert places == [(1, 3, "detail"), (1, 1, "detail")]
    assert "Opened from a link, not in the" in " ".join(shots[0].replace("│", " ").split())
    assert "Cy left Utrecht" in shots[0]
    assert (work.memories[3].pinned, work.memories[1].pinned) == (True, False)
    assert "Nothing to mark: this memory is not in the list." in shots[1]
    assert "Opened from a link" not in shots[2]


def test_a_visit_ends_with_esc_or_when_the_cursor_moves_but_not_with_a_reload() -> None:
    places, note = noting(place)
    visit = ["g", "tab", "tab", "tab", "enter"]
    drive(app_on(linked()), *visit, "r", note, "escape", note, *visit, "shift+tab", "j", note, size=(120, 36))
    assert places == [(1, 3, "detail"), (1, 1, "list"), (2, 2, "list")]


def test_a_visit_that_began_on_a_heading_ends_when_the_cursor_moves_to_the_next_heading() -> None:
    work = FakeWorkspace([memory(n, f"text {n}", subject=f"entity {n}") for n in (1, 2, 3)], clock=clock)
    work.grouped_by = "entity"
    work.memories[3] = replace(work.memories[3], status="dismissed")
    work.relations[1] = (Relation("a", "knows", "c", source_id=1, target_id=3),)
    work.relations[3] = (Relation("c", "knew", "a", source_id=3, target_id=1),)
    places, note = noting(lambda app: (memories(app).heading is not None, *place(app)))
    # From 1 to 3, which is not in the list, back to 1 by a link; all folded, and with ⌫ to 3 again.
    there: list[Step] = ["tab", "tab", "enter", "tab", "enter", "shift+tab", "#", note, "backspace", note]
    drive(app_on(work), "g", "j", *there, "j", note)
    assert places[1][:3] == (True, None, 3), places
    assert places[2][:3] == (True, None, None)


def test_a_visited_memory_that_is_purged_gives_way_to_that_under_the_cursor() -> None:
    work = linked()
    places, note = noting(place)

    def purge(app: MemtuiApp) -> None:
        del work.memories[3]
        app.reload_all()

    drive(app_on(work), "g", "tab", "tab", "tab", "enter", note, purge, note)
    assert places == [(1, 3, "detail"), (1, 1, "detail")]


def test_a_link_to_nothing_says_why_and_the_next_tab_leaves() -> None:
    shots = Shots()
    focused, note = noting(lambda app: app.focused and app.focused.id)
    keys: list[Step] = [
        "g",
        "tab",
        "tab",
        "tab",
        "tab",
        "enter",
        shots,
        note,
        "tab",
        note,
        "shift+tab",
        note,
        "shift+tab",
        note,
    ]
    drive(app_on(linked()), *keys)
    assert "“Ghost” is not a memory in this store." in shots[0]
    assert focused == ["detail", "query", "detail", "list"]


def test_shift_tab_walks_back() -> None:
    shots = Shots()
    drive(app_on(linked()), "g", "tab", "tab", "tab", "shift+tab", shots, "shift+tab", shots)
    assert "❯Bo" in shots[0]
    assert "❯" not in shots[1]


def test_without_a_way_back_the_key_says_so_and_a_memory_purged_meanwhile_is_reported() -> None:
    work, shots = linked(), Shots()

    def purge(app: MemtuiApp) -> None:
        del work.memories[3]

    keys: list[Step] = ["g", "backspace", shots, "tab", "tab", "tab", purge, "enter", shots]
    drive(app_on(work), *keys)
    assert "Nothing to go back to" in shots[0]
    assert "no longer in the workspace" in shots[1]


def test_full_screen_stays_full_and_leaving_it_ends_the_visit() -> None:
    full, note = noting(lambda app: (app.screen.has_class("full"), place(app)))
    keys: list[Step] = [
        "g",
        "enter",
        "tab",
        "enter",
        note,
        "backspace",
        note,
        "tab",
        "enter",
        note,
        "escape",
        note,
    ]
    drive(app_on(linked()), *keys, size=(80, 24))
    assert full == [
        (True, (2, 2, "detail")),
        (True, (1, 1, "detail")),
        (True, (1, 3, "detail")),
        (False, (1, 1, "list")),
    ]


def test_enter_without_a_selected_link_opens_full_screen() -> None:
    full, note = noting(lambda app: app.screen.has_class("full"))
    drive(app_on(linked()), "g", "tab", "enter", note)
    assert full == [True]


def test_the_selected_link_is_reversed_where_the_theme_has_no_colour_for_the_cursor() -> None:
    def look(app: MemtuiApp) -> tuple[bool, bool]:
        parts = [part for strip in strips(app) for segments in strip for part in segments]
        (style,) = [part.style for part in parts if "❯" in part.text]
        return bool(style.reverse), style.bgcolor == view(app).rich_style.bgcolor

    def use(name: str) -> Step:
        return lambda app: app.use_theme(f"memtui-{name}")

    looks, note = noting(look)
    drive(app_on(linked()), "g", "tab", "tab", note, use("ansi"), note, use("light"), note)
    assert looks == [(False, False), (True, True), (False, False)]


def test_a_link_scrolled_out_of_sight_is_shown_before_it_is_followed() -> None:
    work = linked("\n".join(f"Line {n}" for n in range(100)))
    shown, note = noting(lambda app: (round(view(app).scroll_y) > 0, place(app)[1]))
    drive(app_on(work), "g", "tab", "tab", note, "g", "enter", note, "enter", note, size=(80, 24))
    assert shown == [(True, 1), (True, 1), (False, 2)]


@pytest.mark.parametrize("size", shard(SIZES, 2, 2))
def test_capital_j_and_k_scroll_the_detail_and_the_list_keeps_the_focus(size: tuple[int, int]) -> None:
    work = linked("\n".join(f"Line {n}" for n in range(30)))
    rows, note = noting(lambda app: (round(view(app).scroll_y), place(app)))
    keys: list[Step] = ["g", "J", note, "J", note, "K", note, "K", "K", note, *["J"] * 30, note, "J", note]
    drive(app_on(work), *keys, size=size)
    assert [row for row, _ in rows[:4]] == [3, 6, 3, 0]
    assert rows[4] == rows[5]
    assert rows[4][0] > 6
    assert {where for _, where in rows} == {(1, 1, "list")}


def test_where_no_text_is_beside_the_list_the_keys_say_so() -> None:
    shots = Shots()
    drive(app_on(linked()), "5", "J", shots, "escape", "i", shots)
    assert all("No detail is shown here" in shot for shot in shots)
    assert "no memory is selected" in drive(app_on(FakeWorkspace([], clock=clock)), "1", "J", "K", "i")


def test_raw_fields_unfold_with_a_key_and_stay_so_while_moving() -> None:
    shots = Shots()
    drive(app_on(linked()), "g", "i", shots, "j", shots, "enter", shots, "i", shots, size=(120, 50))
    assert "▾ ids and fields" in shots[0]
    assert [line_with(shot, " uid: ").split()[-2] for shot in shots[:3]] == ["u1", "u2", "u2"]
    assert "▸ ids and fields · i shows them" in shots[3]
    assert " uid: " not in shots[3]


def test_unfolded_fields_come_into_sight() -> None:
    work = linked("\n".join(f"Line {n}" for n in range(60)))
    assert " uid: " in drive(app_on(work), "g", "i", size=(80, 24))


def test_stored_text_makes_no_link_of_the_terminal() -> None:
    work = linked("[x](https://evil.org) \x1b]8;;https://evil.org\x1b\\x [@click=app.quit]y[/] [[z]]")
    links, note = noting(
        lambda app: [
            part.style.link
            for strip in strips(app)
            for segments in strip
            for part in segments
            if part.style and part.style.link
        ]
    )
    seen = drive(app_on(work), "g", "enter", note)
    assert "x (https://evil.org)" in seen
    assert links == [[]]
