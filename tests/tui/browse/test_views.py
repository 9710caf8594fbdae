"""Quick views, the order of the list, and news, over stores that another program writes (S-5, S-31, S-32)."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from memtui.tui.browse import quick_views
from memtui.tui.browse.quick_views import VIEWS, by_code, chosen, in_force, segments
from memtui.tui.browse.search_bar import QueryInput
from memtui.tui.browse.views_bar import ViewsBar
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import (
    Probe,
    Shots,
    Step,
    app_on,
    drive,
    line_with,
    stable_screen,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.stores import mcp_memory
from tests.support.stores.mcp_memory import entity
from tests.support.waiting.threads import wait_until

PEOPLE = (
    entity("Ana", "Lives in Sneek", "Lives in Utrecht", "Likes green tea"),
    entity("Bo", "Leads hiring", "Likes black tea"),
)
NEWER = entity("Cas", "Likes white tea")


def write(path: Path, *entities: dict[str, object]) -> None:
    path.write_text("\n".join(mcp_memory.lines(*entities)) + "\n")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A workspace with a graph: one memory is pinned, two contradict each other, one is new, one was removed,
    one of memtui's own is pending and one is fading."""
    graph = tmp_path / "graph" / "memory.jsonl"
    mcp_memory.make(graph, b"")
    write(graph, *PEOPLE)
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        workspace.attach(graph)
        write(graph, PEOPLE[0], entity("Bo", "Likes black tea"), NEWER)
        workspace.pull()
        workspace.scan()
        workspace.pin(workspace.search("green").ids)
        workspace.save_grouping("entity")
        workspace.add({"content": "An old plan", "confidence": 0.2}, "native")
        pending = workspace.add({"content": "Maybe likes milk"}, "native").ids
        workspace._ctx.db.run("UPDATE memories SET status = 'pending' WHERE id = ?", pending)
    return graph


def opened(store: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(store.parents[1] / "w.db", clock=clock), clock=clock)


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def texts(app: MemtuiApp) -> set[str]:
    assert app.workspace is not None
    return {each.content for each in app.workspace.memories(memories(app).ids)}


def click_view(code: str) -> Probe:
    async def click(app: MemtuiApp) -> None:
        bar = app.screen.query_one(ViewsBar)
        column = 0
        for text, each in bar._segments:
            if each == code:
                break
            column += len(text)
        await Pilot(app).click(ViewsBar, offset=(column + 1, 0))
        await wait_until_idle(app)

    return Probe(click)


EXPECTED = {
    "new": {"Likes white tea"},
    "flagged": {"Lives in Sneek", "Lives in Utrecht"},
    "pinned": {"Likes green tea"},
    "fading": {"An old plan"},
    "pending": {"Maybe likes milk"},
    "removed": {"Leads hiring"},
}


def test_each_view_by_key_and_by_click_lists_what_its_count_says(store: Path) -> None:
    seen: dict[str, set[str]] = {}
    clicked: dict[str, set[str]] = {}
    steps: list[Step] = []

    def note(into: dict[str, set[str]], code: str) -> Probe:
        return Probe(lambda app: into.update({code: texts(app)}))

    for code in EXPECTED:
        steps += ["V", by_code(code).key, note(seen, code)]
    for code in EXPECTED:
        steps += [click_view(code), note(clicked, code)]
    shots = Shots()
    last = drive(opened(store), shots, *steps, "escape", size=(140, 36))
    assert seen == clicked == EXPECTED
    bar = "[all 7] new 1  ≠≈ 2  ★ 1  fading 1  pending 1  removed 1"
    assert bar in shots[0]
    assert bar in last, "esc on the list leaves the view"


def test_counts_are_those_of_the_same_filter_on_the_command_line(store: Path) -> None:
    with closing(Workspace.open(store.parents[1] / "w.db", clock=clock)) as workspace:
        counts = workspace.match_counts([view.filter for view in VIEWS])
        assert (
            counts == [workspace.search(view.filter).total for view in VIEWS] == [7, 1, 2, 1, 1, 1, 0, 0, 1]
        )
        assert [workspace.search(view.filter, live=False).total for view in VIEWS] == counts
        workspace.mark_seen()
        assert workspace.match_counts(["is:new"]) == [0]


def test_a_view_keeps_the_search_the_grouping_and_the_cursor(store: Path) -> None:
    shots, places = Shots(), list[int | None]()
    note = Probe(lambda app: places.append(memories(app).highlighted))

    @Probe
    def to_green_tea(app: MemtuiApp) -> None:
        (id,) = app.workspace.search("green").ids  # type: ignore[union-attr]
        memories(app).move_to_place(list(memories(app).ids).index(id))

    drive(
        opened(store),
        *(to_green_tea, note, "V", "p", note, shots, "escape", note),
        *("/", *typed("tea"), "enter", "V", "p", shots, "V", "f", shots, "escape", shots),
        *("escape", "V", "V", shots, "V", "escape", shots, "V", "p", "p", shots),
    )
    grouped, searched, empty, left, twice, closed, none_pinned = shots
    assert places[0] is not None
    assert places == places[:1] * 3
    assert "by entity · newest first · Ana" in grouped
    assert "Pinned memories. esc shows all." in grouped
    assert "/ is:pinned tea" in searched
    assert "[★ 1]" in searched
    assert "Likes green tea" in searched
    assert "Likes black tea" not in searched
    assert "No fading memories match “tea”." in empty
    assert "esc  leave this view" in empty
    assert "V  other views" in empty
    assert "[↘ 1]" in empty
    assert "/ tea" in left
    assert "Likes black tea" in left
    assert "[all 7]" in twice
    assert "[all 7]" in closed
    assert "No pinned memories." in none_pinned
    assert "[★ 0]" in none_pinned


def test_the_chooser_lists_all_views_with_their_keys_and_counts(store: Path) -> None:
    shots = Shots()
    drive(opened(store), "V", shots, "j", "enter", shots, size=(80, 24))
    assert "all memories" in line_with(shots[0], " ● a")
    assert " ".join(line_with(shots[0], "is:flagged").split("┃")[2].split()) == (
        "c ≠≈ contradictions, duplicates is:flagged 2"
    )
    assert "/ is:new" in shots[1]
    assert "Likes white tea" in shots[1]


def test_a_key_in_one_burst_with_the_one_that_opens_the_chooser_chooses_and_pins_nothing(store: Path) -> None:
    async def run() -> None:
        app = opened(store)
        async with app.run_test(size=(120, 36)):
            await wait_until_idle(app)
            pinned = app.workspace.search("is:pinned").total  # type: ignore[union-attr]
            app.post_message(events.Key("V", "V"))
            app.post_message(events.Key("p", "p"))
            await wait_until(lambda: "is:pinned" in app.screen_stack[0].query_one(QueryInput).value, app)
            await wait_until_idle(app)
            assert texts(app) == EXPECTED["pinned"]
            assert app.workspace.search("is:pinned").total == pinned  # type: ignore[union-attr]

    asyncio.run(run())


def test_a_capital_v_is_typed_into_the_search() -> None:
    work = FakeWorkspace([memory(1, "Vera")], clock=clock)
    assert "/ Ver" in drive(app_on(work), "/", *typed("Ver"))


def test_what_was_marked_as_seen_in_the_journal_is_no_longer_new(store: Path) -> None:
    shots = Shots()
    drive(opened(store), shots, "7", "V", "S", "1", shots)
    assert "new 1" in line_with(shots[0], "[all 7]")
    assert "new" not in line_with(shots[1], "[all 7]")


def test_the_bar_shrinks_to_signs_and_to_the_view_in_force() -> None:
    counts = dict(zip((view.code for view in VIEWS), (1179, 12, 13, 9, 31, 4, 0, 5, 2), strict=True))

    def bar(room: int, code: str = "all") -> str:
        return "".join(text for text, _ in segments(counts, by_code(code), room, "V views"))

    assert bar(80) == "[all 1,179] new 12  ≠≈ 13  ★ 9  fading 31  pending 4  ✗ 5  removed 2 "
    assert bar(60) == "[all 1,179] ● 12  ≠≈ 13  ★ 9  ↘ 31  ? 4  ✗ 5  − 2 "
    assert bar(30, "fading") == "[↘ 31] V views"
    assert bar(9) == " V views"
    assert bar(5) == ""


def test_a_typed_filter_puts_its_view_in_force_and_an_invalid_query_none() -> None:
    assert in_force("tea is:PINNED").code == "pinned"
    assert in_force("-is:pinned").code == "all"
    assert in_force("is:nonsense").code == "all"
    assert chosen("is:pinned is:new tea", by_code("removed")) == "is:removed tea"
    assert len({view.key for view in VIEWS}) == len(quick_views.VIEWS)


def test_views_of_an_invalid_query_say_what_is_wrong() -> None:
    work = FakeWorkspace([memory(1, "tea")], clock=clock)
    assert "is not valid" in drive(app_on(work), "/", *typed("is:nonsense"), "down", "V", "p")


def test_the_order_of_the_list_survives_a_restart_and_a_search_has_its_own(store: Path) -> None:
    shots = Shots()
    drive(opened(store), ",", shots, "/", *typed("tea"), "enter", shots, "escape", shots, size=(80, 24))
    assert "Sorted by time, oldest first." in shots[0]
    assert "oldest first" in line_with(shots[0], "━ Memories")
    assert "best match first" in line_with(shots[1], "━ Memories")
    assert "oldest first" in line_with(shots[2], "━ Memories")
    assert "oldest first" in line_with(drive(opened(store), "j"), "━ Memories")
    with closing(Workspace.open(store.parents[1] / "w.db", clock=clock)) as workspace:
        assert workspace.sorting() == "oldest"
        workspace.save_search("all by title", "", "title")
    by_title = drive(opened(store), "f", *typed("all by title"), "enter")
    assert "by title" in line_with(by_title, "━ Memories")
    assert "by title" in line_with(drive(opened(store), "j"), "━ Memories"), (
        "kept like an order chosen by key"
    )
    with closing(Workspace.open(store.parents[1] / "w.db", clock=clock)) as workspace:
        assert workspace.sorting() == "title"
        workspace.detach(next(each.name for each in workspace.stores() if each.name != "native"))
        assert workspace.sorting() == "", "other stores, another choice"


def test_news_is_highlighted_until_the_cursor_moves_and_removals_are_counted_apart(store: Path) -> None:
    async def run() -> None:
        app = opened(store)
        async with app.run_test(size=(120, 30)) as pilot:
            await wait_until_idle(app)
            await pilot.press("j")
            changed = entity(
                "Ana", "Lives in Sneek", "Lives in Utrecht", "Likes green tea", "Plays the viola"
            )
            write(store, changed, entity("Bo", "Likes black tea"))
            await wait_until(lambda: app.news == 2, app)
            assert "● 1 new · 1 removed  r" in (await stable_screen(app)).splitlines()[0]
            await pilot.resize_terminal(80, 24)
            assert "● 2  r" in (await stable_screen(app)).splitlines()[0]
            await pilot.press("r")
            await wait_until(lambda: app.news == 0, app)
            shown = await stable_screen(app)
            assert "Loaded 1 new · 1 removed in" in shown
            assert "┃+" in line_with(shown, "Plays the viola")
            assert "┃+" not in line_with(shown, "Likes black tea")
            assert "− 2" in shown
            await pilot.press("j")
            assert "┃+" not in await stable_screen(app)

    asyncio.run(run())


def test_news_out_of_sight_is_named_also_in_folded_groups() -> None:
    people = [memory(n, f"number {n}", subject="Ana" if n < 30 else "Bo") for n in range(1, 61)]
    work = FakeWorkspace(people, clock=clock)
    work.grouped_by = "entity"
    work.news = [memory(n, f"The agent learned {n}", subject="Bo") for n in range(2)]
    shots = Shots()
    drive(app_on(work), "#", "j", "r", shots, "G", shots, size=(80, 24))
    assert "new: 2 below" in shots[0]
    assert "new: " not in shots[1]
    assert "┃+" in line_with(shots[1], "agent learned 1"), "seen for the first time"
    work = FakeWorkspace(people, clock=clock)
    work.grouped_by = "entity"
    work.news = [memory(1, "The agent learned it", subject="Bo")]
    folded = drive(app_on(work), "#", "#", "g", "r", size=(80, 24))
    assert "new: in ▸ Bo" in folded


def test_marks_that_a_verb_takes_out_of_a_view_are_dropped() -> None:
    work = FakeWorkspace([memory(n, f"text {n}", pinned=n > 1) for n in (1, 2, 3)], clock=clock)
    found: list[tuple[int, set[int]]] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        listed = app.screen_stack[0].query_one(MemoryList)
        found.append((len(listed.ids), listed.marks))

    drive(app_on(work), "V", "p", "*", note, "p", note, shots)
    assert found == [(2, {2, 3}), (0, set())]
    assert "marked" not in shots[0]


def test_a_verb_asks_before_it_changes_marked_memories_that_the_view_hides() -> None:
    work = FakeWorkspace([memory(1, "text 1"), memory(2, "text 2", pinned=True)], clock=clock)
    shots, found = Shots(), []
    note = Probe(lambda app: found.append([each.status for each in work.memories.values()]))
    drive(app_on(work), "*", "V", "f", "d", note, shots, "escape", "V", "a", "d", note, size=(80, 24))
    assert "Dismiss 2 memories" in shots[0]
    assert found == [["confirmed"] * 2, ["dismissed"] * 2]
