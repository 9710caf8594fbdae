"""The Decay screen on a real store: what leaves, why, and what each key does (S-26, S-27)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from textual.geometry import Size
from textual_hires_canvas import Canvas

from memtui.memory.lifecycles.outlook import Outlook
from memtui.settings import Loaded, Settings, load
from memtui.tui.app import MemtuiApp
from memtui.tui.decay.forecast_text import summary_text
from memtui.tui.decay.screen import DecayScreen
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, drive, stable_screen, wait_until_idle
from tests.support.demo_workspace import copy_with_stores
from tests.support.fake_workspace import clock
from tests.support.hostile.memories import unsafe_characters
from tests.support.sizes import sample_cases, shard
from tests.support.stores.databases import query
from tests.support.stores.founder_os import make
from tests.support.waiting.threads import wait_until

DAY = 86_400
NOW = int(clock())


def row(number: int, confidence: int, unused: float, **more: object) -> dict[str, object]:
    """Return a row of Founder OS that was last used `unused` days ago."""
    at = int(NOW - unused * DAY)
    return {
        "id": f"{number:032x}", "key": f"k-{number}", "category": "fact", "content": f"Fact number {number}.",
        "source_plugin": "P11", "confidence": confidence, "status": "confirmed", "times_used": 1,
        "times_confirmed": 1, "created_at": at, "updated_at": at, "last_used_at": at,
    } | more  # fmt: skip


ROWS = (
    row(1, 10, 42),  # falls to 5 in two days and is deleted
    row(2, 20, 40),  # falls to 15, 10 and 5, and is deleted in 18 days
    row(3, 80, 10, category="preference"),
    row(4, 50, 1, expires_at=NOW + 3 * DAY),
    row(5, 15, 300, status="dismissed"),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a workspace with one store of five rows."""
    return workspace_in(tmp_path_factory.mktemp("decay"), ROWS)


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """Return a copy of that workspace."""
    return copy_with_stores(template, tmp_path)


def workspace_in(folder: Path, rows: Sequence[dict[str, object]], **more: Any) -> Path:
    make(folder / "acme" / "memory.db", rows, adaptations=(), **more)
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(folder / "acme" / "memory.db")
    workspace.close()
    return folder


def app_at(folder: Path, *, read_only: bool = False) -> MemtuiApp:
    loaded = Loaded(Settings(), folder / "settings.toml")
    return MemtuiApp(
        lambda: Workspace.open(folder / "w.db", clock=clock, read_only=read_only), clock=clock, loaded=loaded
    )


def confidences(folder: Path) -> dict[str, int]:
    return dict(query(folder / "acme" / "memory.db", "SELECT key, confidence FROM memories"))


def rows(folder: Path, store: str = "acme") -> list[tuple[object, ...]]:
    return query(folder / store / "memory.db", "SELECT * FROM memories ORDER BY id")


def drive_decay(
    folder: Path, *steps: Step, size: tuple[int, int] = (120, 36), read_only: bool = False
) -> str:
    """Run steps on the Decay screen, each key after what the one before asked for is loaded; return the
    screen."""
    waiting = (
        each for step in steps for each in ((step, wait_for_forecast) if isinstance(step, str) else (step,))
    )
    return drive(app_at(folder, read_only=read_only), "5", wait_for_forecast, *waiting, size=size)


def wait_for_forecast(app: MemtuiApp) -> None:
    """A step that waits until the forecast is computed and listed, and the curves of a memory are drawn."""

    def is_listed() -> bool:
        shown = app.screen
        if not isinstance(shown, DecayScreen) or not shown._was_read or shown._reading:
            return False
        return shown.chart._curves is not None or not shown.memories.ids

    app.run_worker(wait_until(is_listed))


def test_it_lists_what_leaves_and_when_and_why(folder: Path, golden: Callable[[str, str], None]) -> None:
    shots = Shots()
    drive_decay(folder, shots, (80, 24), shots)
    for size, shown in zip(("120x36", "80x24"), shots, strict=True):
        golden(f"decay-{size}", shown)
        assert "Leaving in the next 30 days" in shown, size
        lines = [line for line in shown.splitlines() if "Fact number" in line and "┃" in line]
        assert [line.split()[1:4] for line in lines] == [
            ["in", "2", "d"], ["in", "3", "d"], ["in", "18", "d"],
        ], size  # fmt: skip
        assert "Why: below 10 (−5 per week unused beyond 30 days)" in shown, size
        assert "p pins it" in shown, size
        assert "Leaving per week: 2" in shown, size
    assert "p pins it (only in memtui)" in shots[0], "the store has no field for a pin"


def test_brackets_change_the_horizon_within_its_limits(folder: Path) -> None:
    shots = Shots()
    nearer, farther = "left_square_bracket", "right_square_bracket"
    drive_decay(
        folder, *[nearer] * 2, shots, *[nearer] * 2, shots, *[farther] * 6, shots, *[farther] * 5, shots
    )
    near, nearest, far, farthest = shots
    assert "1 of 2 · 4 live" in near
    assert "One week is the shortest range." in nearest
    assert "1 of 4 · 4 live" in far
    assert "Five years is the longest range." in farthest


def test_pin_dismiss_confirm_and_undo_work_on_the_highlighted_memory(folder: Path) -> None:
    shots = Shots()
    drive_decay(folder, "p", shots, "u", shots, "g", "d", shots, "j", "v", shots)
    pinned, undone, dismissed, confirmed = shots
    assert "1 of 2 · 4 live" in pinned
    assert "1 pinned (never leaves)" in pinned
    assert "in 2 d" not in pinned
    assert "2 of 3 · 4 live" in undone, "the cursor follows its memory"

    assert "1 of 2" in dismissed
    assert query(folder / "acme" / "memory.db", "SELECT status FROM memories WHERE key = 'k-1'") == [
        ("dismissed",)
    ]
    assert "1 of 1" in confirmed
    assert confidences(folder)["k-2"] == 60


def test_enter_f_and_v_change_what_is_shown(folder: Path) -> None:
    shots = Shots()
    steps: list[Step] = ["f", shots, "f", "V", "V", shots, *["V"] * 4, shots, "escape", shots]
    drive_decay(folder, "enter", shots, "escape", shots, *steps)
    full, listed, changing, daily, cognitive, reset = shots
    assert "Decay" in full
    assert "lifecycle: Founder OS" in full
    assert "Leaving in the next" not in full
    assert "Leaving in the next" in listed
    assert "Changing in the next 30 days" in changing
    assert "0.20 → 0.15 · Fact number 2." in changing
    assert "deleted · Fact number 4." in changing
    assert "Trying Founder OS, daily for all memories." in daily
    assert "trial: Cognitive Memory for all memories" in cognitive
    assert "Nothing leaves in the next 30 days" in cognitive
    assert "each store uses its own lifecycle" not in cognitive
    assert "each store uses its own lifecycle" in reset


def test_a_half_life_is_tried_and_saved_as_a_setting(folder: Path) -> None:
    shots = Shots()
    farther = "right_square_bracket"
    drive_decay(
        folder, "plus", shots, "w", shots, *["V"] * 7, farther, farther, "minus", shots, "w", shots,
        "escape", "V", "V", "w", shots,
    )  # fmt: skip
    fixed, nothing, tried, saved, daily = shots
    assert "Founder OS has no adjustable half-life; press V to try another lifecycle." in fixed
    assert "Nothing to save" in nothing
    assert "Trying a half-life of 72 days for fact." in tried
    assert "fact half-life: 72 d (trial)" in tried
    assert "Saved: fact half-life: 72 days (was 90)." in saved
    assert "Founder OS decay: daily (was weekly)" in daily
    settings = load(folder / "settings.toml").settings
    assert settings.half_lives == {"fact": 72.0}
    assert settings.founder_os_decay == "daily"


def test_due_decay_is_previewed_then_run_with_the_same_key_and_undone(folder: Path) -> None:
    assert "Nothing is due, or decay already ran today." in drive_decay(folder, "D")
    make(folder / "due" / "memory.db", [row(9, 5, 1), row(8, 50, 1, expires_at=NOW - DAY)], adaptations=())
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(folder / "due" / "memory.db")
    workspace.close()
    before = rows(folder, "due")
    assert len(before) == 2
    shots, stores = Shots(), list[list[tuple[object, ...]]]()

    def note_rows(_: MemtuiApp) -> None:
        stores.append(rows(folder, "due"))

    drive_decay(folder, "D", shots, note_rows, "D", shots, note_rows, "u", shots, note_rows)
    preview, done, undone = shots
    assert "2 memories due, 2 will leave" in preview
    assert "press D again to run" in preview
    assert "Decay in founder-os:due: 2 left the store" in done
    assert "Undone: Decayed 2 memories in founder-os:due" in undone
    assert stores == [before, [], before]


def test_an_empty_workspace_has_no_decay(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "w.db", clock=clock).close()
    shots = Shots()
    drive_decay(tmp_path, shots, "enter", shots, "plus", shots)
    assert "No memories yet, so nothing to forecast." in shots[0]
    assert "Nothing to open: the list is empty." in shots[1]
    assert "The list is empty." in shots[2]


def test_a_read_only_workspace_shows_why_nothing_is_done(folder: Path) -> None:
    shown = drive_decay(folder, "j", "k", "p", read_only=True)
    assert "Opened with --read-only." in shown.splitlines()[-2]
    assert confidences(folder)["k-1"] == 10


def test_it_is_drawn_without_colour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = drive_decay(folder)
    assert "A as is" in shown
    assert "✗" in shown


def test_the_chart_is_drawn_although_the_layout_gives_it_its_size_late(folder: Path) -> None:
    def lose_size(app: MemtuiApp) -> None:
        plot = app.screen.query_one("#plot", Canvas)
        plot.reset(size=Size(1, 1))  # as before the layout
        plot.post_message(Canvas.Resize(canvas=plot, size=plot.size))

    assert "✗" in drive_decay(folder, lose_size)


def test_keys_pressed_before_the_list_is_loaded_take_effect(folder: Path) -> None:
    async def press_early() -> str:
        app = app_at(folder)
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await pilot.press("5", "f", "V")
            return await stable_screen(app)

    shown = asyncio.run(press_early())
    assert "Working out" not in shown
    assert "Changing in the next 30 days" in shown


HOSTILE = (
    "\x1b[31mred\x1b[0m [bold]no markup[/bold] [/]",
    "日本語の記憶はとても長いので切られます " * 4,
    "שלום \u202eabc\u202c عالم",
    "e\u0301" * 50 + "\u200b\ufeff\x07",
    "👩‍👩‍👧‍👦 emoji 🇩🇪 " * 9,
)


SIZES = ((40, 10), (60, 16), (80, 24), (99, 30), (200, 60))


def test_hostile_texts_are_drawn_as_plain_text_at_all_sizes(tmp_path: Path) -> None:
    hostile = [
        {**row(n, 20, 40), "content": text, "category": "fact\x1b[2J"} for n, text in enumerate(HOSTILE)
    ]
    workspace_in(tmp_path, hostile, columns=dict.fromkeys(hostile[0], ""))
    shots = {size: Shots() for size in sample_cases(SIZES, 3)}
    steps: list[Step] = []
    for number, (size, taken) in enumerate(shots.items()):
        variants: list[list[Step]] = [
            ["G", taken, "enter", taken, "escape"],
            ["f", "V", "V", taken, "escape", "f"],
            ["right_square_bracket", "plus", taken, "left_square_bracket", "g"],
        ]
        wide = shard([(120, 36)], number, 2)
        steps += [*wide, size, taken, *(step for variant in shard(variants, number, 3) for step in variant)]
    drive_decay(tmp_path, *steps, size=SIZES[0])
    for size, taken in shots.items():
        assert [unsafe_characters(shown) for shown in taken] == [[]] * len(taken), size
        assert {len(shown.splitlines()) for shown in taken} == {size[1]}


def test_it_opens_at_the_first_horizon_in_which_something_leaves(tmp_path: Path) -> None:
    far = workspace_in(tmp_path / "far", [row(1, 100, 1, expires_at=NOW + 80 * DAY)])
    shots = Shots()
    drive(app_at(far), "5", shots, "left_square_bracket", "1", "5", shots, size=(100, 30))
    opened, reopened = shots
    assert "Leaving in the next 90 days; none leave in the first 30" in opened
    assert "Fact number 1." in opened
    assert "Leaving in the next 60 days ━" in reopened, "a chosen horizon is kept"


@pytest.mark.parametrize("width", [60, 80, 120, 400])
def test_weeks_that_do_not_fit_are_shown_as_left_out(width: int) -> None:
    class Weekly:
        now, frozen = NOW, 0

        def by_week(self, days: float, *, removals: bool) -> list[int]:
            return [3, 4, 6, 2, 4, 1, 2, 1, 2][: -(-int(days) // 7)]

        def count_until(self, days: float, *, removals: bool) -> int:
            return sum(self.by_week(days, removals=removals))

        def by_category(self, days: float, *, removals: bool) -> dict[str, int]:
            return {"fact": 20, "note": 5}

    def pace(days: int) -> str:
        outlook = cast(Outlook, Weekly())
        more: dict[str, Any] = {"tried": "", "half_life": "", "key": str, "line": None}
        text = summary_text(outlook, days, leaving=True, width=width, **more)
        return text.plain.splitlines()[0].rstrip()

    assert pace(14).startswith("Leaving per week: 3, 4 · 7 in 14 days")
    shown = pace(60)
    assert ("3, 4, 6, 2, 4, 1, 2, 1, 2 · 25 in 60 days" in shown) == (width >= 80)
    assert (", … · 25 in 60 days" in shown) == (width < 80)
    assert "3, 4, 6, 2" in shown
