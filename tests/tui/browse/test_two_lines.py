"""A second line for each memory, by setting: long texts go on in it (S-31)."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from memtui.settings import Loaded, Settings
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import Probe, drive
from tests.support.fake_workspace import FakeWorkspace, clock, memory

LONG = "Backups run nightly from the replica in the other region, " * 3 + "and are read back on Sundays"


def app_on(work: FakeWorkspace) -> MemtuiApp:
    return MemtuiApp(
        lambda: work, clock=clock, loaded=Loaded(Settings(two_lines=True), Path("settings.toml"))
    )


def many(grouping: str = "") -> FakeWorkspace:
    """Thirty memories, newest first: the last one is long."""
    texts = [f"Fact {n}" for n in range(1, 30)] + [LONG]
    work = FakeWorkspace(
        [memory(n, text, subject=f"Entity {n // 4}", key=f"key-{n}") for n, text in enumerate(texts, 1)]
    )
    work.grouped_by = grouping
    return work


def test_a_long_text_goes_on_in_the_second_line_which_has_what_else_is_known() -> None:
    screen = drive(app_on(many()), "G")
    *_, former, first, second = [
        line[1:].split("┃")[0] for line in screen.splitlines() if line.startswith("┃")
    ]
    assert former.rstrip() == "      key-29"
    assert first.split()[:5] == LONG.split()[:5]
    assert "…" not in first
    shown = first.split()[:-1] + second.removesuffix("…").split()[:-1]
    assert shown == LONG.split()[: len(shown)]
    assert len(shown) > 18


def test_keys_and_pages_go_by_memories_and_the_last_one_is_shown_whole() -> None:
    for grouping in ("", "entity"):
        places: list[tuple[int, int, int]] = []

        def note(app: MemtuiApp, places: list[tuple[int, int, int]] = places) -> None:
            each = app.screen_stack[0].query_one(MemoryList)
            places.append((each.cursor, each.row_of(each.cursor) - each.top, each.page))

        probe = Probe(note)
        drive(app_on(many(grouping)), probe, "j", probe, "G", probe, "pageup", probe, "g", probe)
        opened, moved, end, paged, top = places
        assert moved[0] == opened[0] + 1
        assert end[1] == end[2] - 2
        assert end[0] - end[2] // 2 <= paged[0] < end[0]
        assert 0 <= paged[1] <= paged[2] - 2
        assert top[:2] == (0, 0)


def test_a_click_on_either_line_moves_the_cursor_there() -> None:
    cursors: list[int] = []

    def click(row: int) -> Probe:
        async def clicked(app: MemtuiApp) -> None:
            pilot: Pilot[None] = Pilot(app)
            await pilot.click(MemoryList, offset=(10, 1 + row))
            cursors.append(app.screen_stack[0].query_one(MemoryList).cursor)

        return Probe(clicked)

    drive(app_on(many()), click(4), click(1), click(7))
    assert cursors == [2, 0, 3]
