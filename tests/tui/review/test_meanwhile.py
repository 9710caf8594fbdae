"""What agents, the scan for contradictions and a slow store do while a person reviews pairs (S-5, S-42)."""

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
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, screen, settle, still
from tests.support.fake_workspace import FakeWorkspace, paired, sample
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import clear_status, on_review, reload
from tests.support.waiting.threads import until

Play = Callable[[MemtuiApp, Pilot[Any]], Awaitable[str]]


def play(work: FakeWorkspace, steps: Play) -> str:
    """Open Review and do what a list of steps cannot: act while a thread is held up."""

    async def go() -> str:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app)
            await pilot.press("3")
            return await steps(app, pilot)

    return asyncio.run(go())


def queue_lines(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if " ≠ " in line or " ≈ " in line]


def test_a_pair_that_ends_while_it_is_shown_moves_nothing() -> None:
    work, shots = paired(), Shots()

    def settled_elsewhere(_: MemtuiApp) -> None:
        work.findings[2] = replace(work.findings[2], state="over")

    def forgotten(_: MemtuiApp) -> None:
        del work.findings[2]

    def erased(_: MemtuiApp) -> None:
        del work.memories[12]

    on_review(
        work, "j", settled_elsewhere, reload, shots, forgotten, reload, "a", shots, erased, "G", shots
    )  # fmt: skip
    over, refused, erased_shot = shots
    assert "▶ ≠ editor is neovim" in over
    assert "over" in line_with(over, "▶")
    assert "This pair is over" in refused
    assert verdicts(work) == []
    assert "One of the two is gone from the workspace." in erased_shot


def test_pairs_found_meanwhile_are_counted_and_come_in_by_r() -> None:
    work, shots = paired(), Shots()

    def found(app: MemtuiApp) -> None:
        work.findings[9] = replace(work.findings[4], id=9, score=0.99, escalated=True)
        app.review = work.review()

    on_review(work, "j", found, shots, "r", shots)
    counted, taken = shots
    assert "● 1 new  r" in counted
    assert "▶ ≠ editor is neovim" in counted
    assert "2 of 4" in counted
    assert "● 1 new" not in taken
    assert "1 new pair taken in." in taken
    assert "3 of 5" in taken
    assert "▶ ≠ editor is neovim" in taken


def test_after_many_fast_moves_the_last_pair_is_shown() -> None:
    async def burst(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await settle(app)
        await pilot.press("j", "j", "j", "j", "k")
        return await still(app)

    shown = play(paired(), burst)
    assert "3 of 4" in shown
    assert "They differ by punctuation alone." in shown


def test_a_key_pressed_twice_settles_one_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second press comes before the next pair is on the screen, a third too soon after it is."""
    work = paired()
    work.gates["pair 2"] = threading.Event()
    between: list[str] = []

    async def twice(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await still(app)
        await pilot.press("a")
        await until(lambda: "pair 2" in work.waiting)
        await pilot.press("a")
        await pilot.pause(0.05)
        between.append(screen(app))
        work.gates["pair 2"].set()
        await settle(app)
        monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 60.0)
        await pilot.press("a")
        return await still(app)

    after = play(work, twice)
    assert "Not taken: this pair is not on the screen yet." in between[0]
    assert "Not taken: this pair has only just come up." in after
    assert states(work) == ["settled", "open", "open", "open"]


def test_while_a_store_is_slow_one_can_look_on_and_nothing_is_settled_twice() -> None:
    work = paired()
    work.gates["settle 1"] = threading.Event()
    between: list[str] = []

    async def busy(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await still(app)
        await pilot.press("a")
        await until(lambda: "settle 1" in work.waiting)
        await pilot.press("b")
        await pilot.pause(0.05)
        between.append(screen(app))
        await pilot.press("j", "j")
        await pilot.pause(0.1)
        work.gates["settle 1"].set()
        return await still(app)

    after = play(work, busy)
    assert "The verdict on this pair is still being written." in between[0]
    assert verdicts(work) == ["keep-a"]
    assert "3 of 4" in after, "the cursor stays where the person went"


def test_the_scan_shows_its_progress_and_what_it_found_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    monkeypatch.setattr(contradiction_scan, "INTERVAL", 0.02)
    monkeypatch.setattr(contradiction_scan, "TYPING_PAUSE", 0.0)
    monkeypatch.setattr(contradiction_scan, "COUNT_INTERVAL", 0.0)
    work = paired()
    found = work.findings.pop(1)
    work.findings.clear()
    work.to_compare = [None] * 50 + [found] + [None] * 49
    gate = work.gates["sweep"] = threading.Event()
    during: list[str] = []

    async def watched(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await until(lambda: "sweep" in work.waiting)
        await pilot.pause(0.1)
        during.append(screen(app))
        gate.set()
        await until(lambda: not work.to_compare)
        return await still(app)

    shown = play(work, watched)
    assert "Comparing … 0 of 100" in during[0]
    assert "targets Python [3.12]" in shown
    assert "1 contradiction ! 1" in shown.splitlines()[0]
    assert "Comparing" not in shown


def test_quitting_ends_the_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    work = sample()
    work.to_compare = [None] * 1000
    work.gates["sweep"] = threading.Event()

    def scanning() -> bool:
        return any(thread.name == "memtui-comparing" for thread in threading.enumerate())

    async def leave(app: MemtuiApp, pilot: Pilot[Any]) -> str:
        await until(lambda: "sweep" in work.waiting)
        assert scanning()
        await pilot.press("q")
        await until(lambda: app._exit)
        return ""

    play(work, leave)
    assert work.closed
    assert not scanning()
    assert work.to_compare, "it ended in the middle"


def test_a_key_that_comes_as_the_text_changes_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 30.0)
    work = paired()

    def change(app: MemtuiApp) -> None:
        shown = app.screen
        assert isinstance(shown, review.ReviewScreen)
        shown._painted_at -= 60  # it has been on the screen for a while
        work.memories[2] = replace(work.memories[2], content="It says something else now.")
        shown.load()

    shown = drive(app_on(work), "3", change, "a")
    assert "It says something else now." in shown
    assert "Not taken: this pair has only just come up." in shown
    assert states(work) == ["open"] * 4


def test_what_an_agent_wrote_meanwhile_is_not_overwritten_by_any_verdict() -> None:
    """The pair still clashes, so it could be settled; but the person has not seen it so. Where a verdict
    writes into one of the two or keeps one, the agent changed that one."""
    work, shots = paired(), Shots()
    keys = {
        "merge": ("m", "ctrl+s"), "both-true": ("t", "enter"), "keep-a": ("a",), "keep-b": ("b",),
        "discard-both": ("d",), "later": ("s",), "not-so": ("n",),
    }  # fmt: skip
    assert keys.keys() == set(VERDICTS)
    queue = work.pairs()
    written: dict[int, str] = {}
    steps: list[Step] = []
    for place, (name, (*opening, last)) in enumerate(keys.items()):
        pair = queue[place % len(queue)]
        side = pair.a if name in ("merge", "keep-a") else pair.b
        written[side] = f"The agent knows better by now: {name}."

        def write(_: MemtuiApp, side: int = side, text: str = written[side]) -> None:
            work.memories[side] = replace(work.memories[side], content=text)

        steps += [clear_status, *opening, write, last, shots, *(["escape"] if opening else [])]
        steps.append("g" if pair is queue[-1] else "j")
    on_review(work, *steps)
    for (name, pressed), shown in zip(keys.items(), shots, strict=True):
        assert "Not settled: one of the two says something else by now." in shown, name
        assert "Look again." in shown, name
        plain = shown.replace("[", "").replace("]", "")  # which mark the words that differ
        assert (f"agent knows better by now: {name}" in plain) == (len(pressed) == 1), name
    assert states(work) == ["open"] * 4
    assert work.events == []
    assert {id: work.memories[id].content for id in written} == written


def test_settled_pairs_stay_in_place_below_a_dialog_and_come_first_on_the_next_visit() -> None:
    shots = Shots()
    on_review(paired(), "j", "b", "question_mark", "escape", shots, "1", "3", shots)
    assert ["✓" in line for line in queue_lines(shots[0])] == [False, True, False, False]
    assert ["✓" in line for line in queue_lines(shots[1])] == [True, False, False, False]
