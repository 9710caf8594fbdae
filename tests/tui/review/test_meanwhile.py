"""Agents, the scan and slow stores at work while the user reviews pairs (S-5, S-42)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.memory.contradictions.pairs import VERDICTS
from memtui.tui.app import MemtuiApp
from memtui.tui.review import screen as review
from memtui.tui.review import verdict_keys
from memtui.tui.workers import contradiction_scan
from tests.support.app_driver import (
    Shots,
    Step,
    app_on,
    drive,
    line_with,
    screen_text,
    stable_screen,
    wait_until_idle,
)
from tests.support.fake_workspace import FakeWorkspace, sample, with_pairs
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import clear_status, drive_review, reload
from tests.support.waiting.threads import wait_until

Play = Callable[[MemtuiApp, Pilot[Any]], Awaitable[str]]


def play(work: FakeWorkspace, steps: Play) -> str:
    """Open Review and run `steps`, which can act while a thread is blocked; return what they return."""

    async def run() -> str:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await pilot.press("3")
            return await steps(app, pilot)

    return asyncio.run(run())


def queue_lines(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if " ≠ " in line or " ≈ " in line]


def test_a_pair_that_ends_while_it_is_shown_stays_in_place() -> None:
    work, shots = with_pairs(), Shots()

    def end_pair(_: MemtuiApp) -> None:
        work.pairs_by_id[2] = replace(work.pairs_by_id[2], state="over")

    def delete_pair(_: MemtuiApp) -> None:
        del work.pairs_by_id[2]

    def delete_memory(_: MemtuiApp) -> None:
        del work.memories[12]

    drive_review(
        work, "j", end_pair, reload, shots, delete_pair, reload, "a", shots, delete_memory, "G", shots
    )  # fmt: skip
    over, refused, erased = shots
    assert "▶ ≠ editor is neovim" in over
    assert "gone" in line_with(over, "▶")
    assert "this is no longer a pair" in refused
    assert verdicts(work) == []
    assert "One of the two memories is no longer in the workspace." in erased


def test_pairs_found_meanwhile_are_counted_and_loaded_by_r() -> None:
    work, shots = with_pairs(), Shots()

    def add_pair(app: MemtuiApp) -> None:
        work.pairs_by_id[9] = replace(work.pairs_by_id[4], id=9, score=0.99, escalated=True)
        app.review = work.queue_counts()

    drive_review(work, "j", add_pair, shots, "r", shots)
    counted, loaded = shots
    assert "● 1 new, r to load" in counted
    assert "▶ ≠ editor is neovim" in counted
    assert "2 of 4" in counted
    assert "● 1 new" not in loaded
    assert "Loaded 1 new pair." in loaded
    assert "3 of 5" in loaded
    assert "▶ ≠ editor is neovim" in loaded


def test_after_fast_cursor_moves_the_last_pair_is_shown() -> None:
    async def burst(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await wait_until_idle(app)
        await pilot.press("j", "j", "j", "j", "k")
        return await stable_screen(app)

    shown = play(with_pairs(), burst)
    assert "3 of 4" in shown
    assert "They differ by punctuation alone." in shown


def test_a_key_pressed_twice_settles_one_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second key press comes before the next pair is on the screen, the third too soon after that."""
    work = with_pairs()
    work.gates["pair 2"] = threading.Event()
    between: list[str] = []

    async def twice(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await stable_screen(app)
        await pilot.press("a")
        await wait_until(lambda: "pair 2" in work.reached_gates)
        await pilot.press("a")
        await pilot.pause(0.05)
        between.append(screen_text(app))
        work.gates["pair 2"].set()
        await wait_until_idle(app)
        monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 60.0)
        await pilot.press("a")
        return await stable_screen(app)

    after = play(work, twice)
    assert "Key ignored: this pair is not on screen yet." in between[0]
    assert "Key ignored: this pair just appeared." in after
    assert states(work) == ["settled", "open", "open", "open"]


def test_while_a_store_is_slow_the_user_can_move_on_and_nothing_is_settled_twice() -> None:
    work = with_pairs()
    work.gates["settle 1"] = threading.Event()
    between: list[str] = []

    async def busy(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await stable_screen(app)
        await pilot.press("a")
        await wait_until(lambda: "settle 1" in work.reached_gates)
        await pilot.press("b")
        await pilot.pause(0.05)
        between.append(screen_text(app))
        await pilot.press("j", "j")
        await pilot.pause(0.1)
        work.gates["settle 1"].set()
        return await stable_screen(app)

    after = play(work, busy)
    assert "The verdict on this pair is still being saved." in between[0]
    assert verdicts(work) == ["keep-a"]
    assert "3 of 4" in after, "the cursor stays where the user moved it"


def test_the_scan_shows_its_progress_and_its_findings_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    monkeypatch.setattr(contradiction_scan, "INTERVAL", 0.02)
    monkeypatch.setattr(contradiction_scan, "TYPING_PAUSE", 0.0)
    monkeypatch.setattr(contradiction_scan, "COUNT_INTERVAL", 0.0)
    work = with_pairs()
    found = work.pairs_by_id.pop(1)
    work.pairs_by_id.clear()
    work.scan_queue = [None] * 50 + [found] + [None] * 49
    gate = work.gates["scan"] = threading.Event()
    during: list[str] = []

    async def watch(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await wait_until(lambda: "scan" in work.reached_gates)
        await pilot.pause(0.1)
        during.append(screen_text(app))
        gate.set()
        await wait_until(lambda: not work.scan_queue)
        return await stable_screen(app)

    shown = play(work, watch)
    assert "Comparing memories … 0 of 100" in during[0]
    assert "targets Python [3.12]" in shown
    assert "1 contradiction ! 1" in shown.splitlines()[0]
    assert "Comparing" not in shown


def test_quitting_ends_the_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    work = sample()
    work.scan_queue = [None] * 1000
    work.gates["scan"] = threading.Event()

    def is_scanning() -> bool:
        return any(thread.name == "memtui-comparing" for thread in threading.enumerate())

    async def quit_app(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await wait_until(lambda: "scan" in work.reached_gates)
        assert is_scanning()
        await pilot.press("q")
        await wait_until(lambda: app._exit)
        return ""

    play(work, quit_app)
    assert work.closed
    assert not is_scanning()
    assert work.scan_queue, "it stopped before the end"


def test_a_key_pressed_just_after_the_text_changed_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 30.0)
    work = with_pairs()

    def change(app: MemtuiApp) -> None:
        shown = app.screen
        assert isinstance(shown, review.ReviewScreen)
        shown._drawn_at -= 60  # it has been on the screen for a while
        work.memories[2] = replace(work.memories[2], content="It says something else now.")
        shown.load()

    shown = drive(app_on(work), "3", change, "a")
    assert "It says something else now." in shown
    assert "Key ignored: this pair just appeared." in shown
    assert states(work) == ["open"] * 4


def test_no_verdict_overwrites_what_an_agent_wrote_meanwhile() -> None:
    """The pair could still be settled, but the user has not seen it as it is. The agent changed the memory
    that the verdict writes to or keeps, if there is one."""
    work, shots = with_pairs(), Shots()
    keys = {
        "merge": ("m", "ctrl+s"), "both-true": ("t", "enter"), "keep-a": ("a",), "keep-b": ("b",),
        "discard-both": ("delete",), "later": ("s",), "not-so": ("n",),
    }  # fmt: skip
    assert keys.keys() == set(VERDICTS)
    queue = work.pairs()
    written: dict[int, str] = {}
    steps: list[Step] = []
    for number, (name, (*opening, last)) in enumerate(keys.items()):
        pair = queue[number % len(queue)]
        side = pair.a if name in ("merge", "keep-a") else pair.b
        written[side] = f"The agent knows better by now: {name}."

        def write(_: MemtuiApp, side: int = side, text: str = written[side]) -> None:
            work.memories[side] = replace(work.memories[side], content=text)

        steps += [clear_status, *opening, write, last, shots, *(["escape"] if opening else [])]
        steps.append("g" if pair is queue[-1] else "j")
    drive_review(work, *steps)
    for (name, pressed), shown in zip(keys.items(), shots, strict=True):
        assert "Not resolved: one of the two texts has changed." in shown, name
        assert "Read both" in shown, name
        plain = shown.replace("[", "").replace("]", "")  # the brackets mark the words that differ
        assert (f"agent knows better by now: {name}" in plain) == (len(pressed) == 1), name
    assert states(work) == ["open"] * 4
    assert work.events == []
    assert {id: work.memories[id].content for id in written} == written


def test_settled_pairs_keep_their_place_until_the_next_visit() -> None:
    shots = Shots()
    drive_review(with_pairs(), "j", "b", "question_mark", "escape", shots, "1", "3", shots)
    assert ["✓" in line for line in queue_lines(shots[0])] == [False, True, False, False]
    assert ["✓" in line for line in queue_lines(shots[1])] == [True, False, False, False]
