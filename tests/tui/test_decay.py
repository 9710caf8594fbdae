"""The Decay screen on a real store: what leaves, why, and what one key changes (S-26, S-27)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.settings import Loaded, Settings, load
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import drive, screen, settle, still
from tests.support.fake_workspace import clock
from tests.support.stores.databases import asked
from tests.support.stores.founder_os import make

DAY = 86_400
NOW = int(clock())


def row(number: int, confidence: int, unused: float, **more: object) -> dict[str, object]:
    """One row of Founder OS that was last used so many days ago."""
    at = int(NOW - unused * DAY)
    return {
        "id": f"{number:032x}", "key": f"k-{number}", "category": "fact", "content": f"Fact number {number}.",
        "source_plugin": "P11", "confidence": confidence, "status": "confirmed", "times_used": 1,
        "times_confirmed": 1, "created_at": at, "updated_at": at, "last_used_at": at,
    } | more  # fmt: skip


ROWS = (
    row(1, 10, 42),  # 5 in two days: gone
    row(2, 20, 40),  # 15, 10, 5: in 18 days
    row(3, 80, 10, category="preference"),
    row(4, 50, 1, expires_at=NOW + 3 * DAY),
    row(5, 15, 300, status="dismissed"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with one store of five rows."""
    make(tmp_path / "acme" / "memory.db", ROWS, adaptations=())
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(tmp_path / "acme" / "memory.db")
    workspace.close()
    return tmp_path


def app_at(folder: Path, *, read_only: bool = False) -> MemtuiApp:
    loaded = Loaded(Settings(), folder / "settings.toml")
    return MemtuiApp(
        lambda: Workspace.open(folder / "w.db", clock=clock, read_only=read_only), clock=clock, loaded=loaded
    )


def seen(folder: Path, *keys: str, size: tuple[int, int] = (120, 36), read_only: bool = False) -> str:
    """The Decay screen after some keys, each pressed once all stands."""

    async def go() -> str:
        app = app_at(folder, read_only=read_only)
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            await pilot.press("5")
            for _ in range(400):
                await pilot.pause(0.01)
                if " live " in screen(app) or "No memories yet" in screen(app):
                    break
            for key in ("", *keys):
                if key:
                    await pilot.press(key)
                await settle(app, pilot)
                await still(app, pilot)
            return screen(app)

    return asyncio.run(go())


def stored(folder: Path) -> dict[str, int]:
    return dict(asked(folder / "acme" / "memory.db", "SELECT key, confidence FROM memories"))


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_it_says_who_leaves_when_why_and_which_key_keeps_it(
    folder: Path, size: tuple[int, int], golden: Callable[[str, str], None]
) -> None:
    shown = seen(folder, size=size)
    golden(f"decay-{size[0]}x{size[1]}", shown)
    assert "Leaving in the next 30 days" in shown
    assert [line.split()[1:4] for line in shown.splitlines() if "Fact number" in line and "┃" in line] == [
        ["in", "2", "d"], ["in", "3", "d"], ["in", "18", "d"],
    ]  # fmt: skip
    assert "Why: below 10, by −5 a week unused beyond 30 days" in shown
    assert "p keeps it" in shown
    assert "2 leave this week" in shown


def test_the_horizon_goes_by_key(folder: Path) -> None:
    assert "1 of 2 · 4 live" in seen(folder, "left_square_bracket", "left_square_bracket")
    assert "1 of 4 · 4 live" in seen(folder, *["right_square_bracket"] * 4)
    assert "A week is the nearest." in seen(folder, *["left_square_bracket"] * 4)
    assert "Five years are the farthest." in seen(folder, *["right_square_bracket"] * 9)


def test_a_pin_keeps_it_and_undo_takes_that_back(folder: Path) -> None:
    pinned = seen(folder, "p")
    assert "1 of 2 · 4 live" in pinned
    assert "1 pinned never leaves" in pinned
    assert "in 2 d" not in pinned
    assert "2 of 3 · 4 live" in seen(folder, "u")  # the cursor stays with its memory


def test_dismissing_and_confirming_work_from_here(folder: Path) -> None:
    assert "1 of 2" in seen(folder, "d")
    assert asked(folder / "acme" / "memory.db", "SELECT status FROM memories WHERE key = 'k-1'") == [
        ("dismissed",)
    ]
    assert "1 of 1" in seen(folder, "j", "v")  # 60 now
    assert stored(folder)["k-2"] == 60


def test_all_that_changes_is_shown_by_key(folder: Path) -> None:
    shown = seen(folder, "f")
    assert "Changing in the next 30 days" in shown
    assert "0.20 → 0.15 · Fact number 2." in shown
    assert "deleted · Fact number 4." in shown


def test_another_lifecycle_is_tried_on_all_and_left_again(folder: Path) -> None:
    assert "What if all aged as in Founder OS, daily?" in seen(folder, "t", "t")
    tried = seen(folder, *["t"] * 6)
    assert "what if all aged as in Cognitive Memory" in tried
    assert "Nothing leaves in the next 30 days" in tried
    assert "each store by its own lifecycle" in seen(folder, "t", "escape")


def test_a_half_life_is_tried_and_kept_as_a_setting(folder: Path) -> None:
    assert "Founder OS has no half-life that can be set; t tries another." in seen(folder, "plus")
    assert "Nothing to keep" in seen(folder, "w")
    to_memtui = ["t"] * 7
    tried = seen(folder, *to_memtui, "right_square_bracket", "right_square_bracket", "minus")
    assert "Tried: half of a fact fades in 72 days." in tried
    assert "half-life of fact 72 d (tried)" in tried
    kept = seen(folder, *to_memtui, "right_square_bracket", "right_square_bracket", "minus", "w")
    assert "Kept: half of a fact fades in 72 days (was 90)." in kept
    assert load(folder / "settings.toml").settings.half_lives == {"fact": 72.0}
    assert "Founder OS is read daily (was weekly)" in seen(folder, "t", "t", "w")
    assert load(folder / "settings.toml").settings.founder_os_decay == "daily"


def test_what_is_due_is_told_first_done_by_the_same_key_and_taken_back(folder: Path) -> None:
    assert "Nothing is due, or it was done today." in seen(folder, "D")
    make(folder / "due" / "memory.db", [row(9, 5, 1), row(8, 50, 1, expires_at=NOW - DAY)], adaptations=())
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(folder / "due" / "memory.db")
    workspace.close()
    before = asked(folder / "due" / "memory.db", "SELECT * FROM memories ORDER BY id")
    told = seen(folder, "D")
    assert "2 memories due, 2 leave" in told
    assert "D again does it" in told
    assert asked(folder / "due" / "memory.db", "SELECT * FROM memories ORDER BY id") == before
    done = seen(folder, "D", "D")
    assert "Decay: 2 left in founder-os:due" in done
    assert asked(folder / "due" / "memory.db", "SELECT * FROM memories") == []
    assert "Undone: Decay of 2 memories in founder-os:due" in seen(folder, "u")
    assert asked(folder / "due" / "memory.db", "SELECT * FROM memories ORDER BY id") == before


def test_enter_shows_the_whole_memory_and_how_it_ages(folder: Path) -> None:
    shown = seen(folder, "enter")
    assert "How it ages" in shown
    assert "by Founder OS" in shown
    assert "Leaving in the next" in seen(folder, "enter", "escape")


def test_nothing_leaves_from_an_empty_workspace(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "w.db", clock=clock).close()
    shown = seen(tmp_path)
    assert "No memories yet, so nothing fades." in shown
    assert "Nothing to open: the list is empty." in seen(tmp_path, "enter")
    assert "empty" in seen(tmp_path, "plus")


def test_a_read_only_workspace_says_why_nothing_is_done(folder: Path) -> None:
    shown = seen(folder, "p", read_only=True)
    assert "read-only" in shown
    assert stored(folder)["k-1"] == 10


def test_it_is_drawn_without_colour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = seen(folder)
    assert "A as it is" in shown
    assert "✗" in shown


def test_a_key_pressed_while_it_is_read_stops_nothing(folder: Path) -> None:
    shown = drive(app_at(folder), "5", "f", "t", size=(120, 36))
    assert "Working out" not in shown
    assert "Changing in the next 30 days" in shown


def test_a_pin_that_the_store_does_not_know_is_said_to_be_ours_alone(folder: Path) -> None:
    assert "p keeps it, in memtui alone" in seen(folder)


HOSTILE = (
    "\x1b[31mred\x1b[0m [bold]no markup[/bold] [/]",
    "日本語の記憶はとても長いので切られます " * 4,
    "שלום \u202eabc\u202c عالم",
    "e\u0301" * 50 + "\u200b\ufeff\x07",
    "👩‍👩‍👧‍👦 emoji 🇩🇪 " * 9,
)


@pytest.mark.parametrize("size", [(40, 10), (60, 16), (80, 24), (99, 30), (200, 60)])
def test_hostile_texts_at_all_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    rows = [{**row(n, 20, 40), "content": text, "category": "fact\x1b[2J"} for n, text in enumerate(HOSTILE)]
    make(tmp_path / "acme" / "memory.db", rows, columns=dict.fromkeys(rows[0], ""), adaptations=())
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(tmp_path / "acme" / "memory.db")
    workspace.close()
    for keys in (["G"], ["f", "t", "t"], ["enter"], ["right_square_bracket", "plus"]):
        shown = drive(app_at(tmp_path), "5", *keys, (120, 36), size, size=size)
        assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(shown)
