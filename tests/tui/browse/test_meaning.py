"""Searching by meaning: words at once, then meaning, and nothing moves under the cursor (S-30, S-35)."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.embedding.hashed import HashEmbedder
from memtui.memory.detail import Detail
from memtui.memory.results import MatchReason
from memtui.tui.app import MemtuiApp
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.workers import embedding
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import (
    Look,
    Shots,
    app_on,
    drive,
    keys_of,
    line_with,
    screen,
    settle,
    still,
    strips,
    typed,
)
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.waiting.threads import held_up, until


def understanding(work: FakeWorkspace | None = None, **near: tuple[int, ...]) -> FakeWorkspace:
    """A workspace whose model is loaded."""
    work = work if work is not None else sample()
    work.phase, work.near = "ready", {text.replace("_", " "): ids for text, ids in near.items()}
    return work


def many(count: int = 60) -> FakeWorkspace:
    """Every second one says cat; in meaning the last ones are the nearest."""
    animals = [memory(n, f"{'cat' if n % 2 else 'dog'} number {n}") for n in range(1, count + 1)]
    return understanding(FakeWorkspace(animals, clock=clock), cat=tuple(range(count, 0, -3)))


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def place(app: MemtuiApp) -> tuple[int | None, int]:
    """The highlighted memory and its line on the screen."""
    found = memories(app)
    return found.highlighted, found.cursor - found.top


async def search(app: MemtuiApp, pilot: Pilot[Any], text: str) -> None:
    """Type it and go to the list, while the answer by meaning is held back."""
    await pilot.press("/", *text, "enter")
    await until(lambda: app.focused is memories(app))
    work = app.workspace
    assert isinstance(work, FakeWorkspace)
    await until(lambda: f"fused {text}" in work.waiting)
    await pilot.pause(0.05)


def test_words_are_shown_first_and_meaning_is_added_even_if_its_first_answer_was_dropped() -> None:
    work = understanding(ci=(4, 7))
    work.gates["fused ci"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await until(lambda: "fused ci" in work.waiting)
        await pilot.pause(0.05)
        assert "by words · 1 of 7" in screen(app)
        bar = app.screen.query_one("#query", SafeInput)
        bar.value = "cix"  # the answer that comes now is for another text
        work.gates["fused ci"].set()
        bar.value = "ci"
        seen = await still(app)
        assert "by meaning and words · 2 of 7" in seen
        assert "releases ship" in seen
        await pilot.press("escape", "escape")
        await settle(app)
        work.waiting.clear()
        work.gates["fused ci"].clear()
        await search(app, pilot, "ci")
        assert "by words · 1 of 7" in screen(app)
        work.gates["fused ci"].set()
        assert "by meaning and words · 2 of 7" in await still(app)

    held_up(work, play)


def test_a_late_answer_for_an_old_text_never_lands() -> None:
    work = understanding(ci=(4, 7), cix=(1,))
    work.gates = {"fused ci": threading.Event(), "fused cix": threading.Event()}

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await until(lambda: "fused ci" in work.waiting)
        await pilot.press("x")
        work.gates["fused ci"].set()
        await until(lambda: "fused cix" in work.waiting)
        await pilot.pause(0.05)
        assert list(memories(app).ids) == []
        assert "looking by meaning" in screen(app)
        work.gates["fused cix"].set()
        seen = await still(app)
        assert list(memories(app).ids) == [1]
        assert "by meaning and words · 1 of 7" in seen

    held_up(work, play)


def test_the_highlighted_line_stays_where_it_is_also_after_moving_on_or_scrolling_away() -> None:
    work = many()
    gate = work.gates["fused cat"] = threading.Event()

    async def again(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("escape")
        gate.clear()
        await settle(app)
        work.waiting.clear()
        assert memories(app).count == 60
        await search(app, pilot, "cat")

    async def answered(app: MemtuiApp, pilot: Pilot[Any]) -> tuple[int | None, int]:
        """Where the highlighted memory stood when the answer came, and still stands."""
        before = None
        for _ in range(100):  # until the list has come to rest, with the answer still held back
            await pilot.pause(0.05)
            if before == (before := place(app)):
                break
        else:
            raise AssertionError("the list never came to rest")
        gate.set()
        await until(lambda: "by meaning" in screen(app))
        assert "by meaning" in await still(app)
        assert place(app) == before
        return before

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await search(app, pilot, "cat")
        await pilot.press(*["j"] * 25, "k", "k")
        await until(lambda: memories(app).top > 0)
        assert place(app)[0] is not None
        assert memories(app).top > 0
        await answered(app, pilot)

        await again(app, pilot)
        await pilot.press("j", "j", "j", "j")
        await answered(app, pilot)

        await again(app, pilot)
        memories(app).scroll_to(y=12, animate=False, immediate=True, force=True)
        await until(lambda: place(app)[1] < 0)
        assert (await answered(app, pilot))[1] < 0, "it is above what is shown"

    held_up(work, play, (80, 24))


def test_what_no_word_finds_is_found_by_meaning_and_says_so() -> None:
    work, shots = understanding(automobile=(5, 2)), Shots()
    work.reasons[5] = MatchReason(0.45, 0.0, (), None, 0.42, 0.0)
    drive(
        app_on(work), "/", *typed("automobile"), shots, (80, 24), shots, (120, 36),
        "escape", "escape", "/", *typed("zebra"), shots,
    )  # fmt: skip
    found, narrow, nothing = shots
    assert "planning call" in found
    assert "by meaning and words · 2 of 7" in found
    assert "Nothing matches" not in found
    assert "none of them" in narrow
    assert "0.42, related" in narrow
    assert "Nothing matches “zebra”, by words or by meaning." in nothing


def test_a_change_keeps_the_list_as_it_was_found() -> None:
    work = understanding(automobile=(5, 2, 7))
    orders: list[list[int]] = []

    @Look
    def look(app: MemtuiApp) -> None:
        orders.append(list(memories(app).ids))

    def forget(app: MemtuiApp) -> None:
        work.near["automobile"] = (7, 5)  # the one that was changed has no vector for a moment

    keys = ["/", *typed("automobile"), "down", "j"]
    seen = drive(app_on(work), *keys, look, forget, "p", look, "r", look, "d", look, "u", look)
    assert "by meaning and words" in seen
    first, pinned, read_again, dismissed, undone = orders
    assert first == pinned == [5, 2, 7]
    assert read_again == [7, 5]  # read anew: 2 is not near any more
    assert dismissed == [5]
    assert sorted(undone) == [5, 7]


def test_until_the_model_is_loaded_the_bar_says_so_and_then_meaning_is_added() -> None:
    work = understanding(ci=(4, 7))
    work.phase = "waiting"
    work.gates["load_model"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        assert work.waiting == []  # nobody searched, nothing waits: nothing heavy is loaded
        await pilot.press("/", "c", "i")
        await until(lambda: "load_model" in work.waiting)
        seen = await still(app)
        assert "by words; meaning loads in the background · 1 of 7" in seen
        await pilot.press("x")
        assert "No memory says all of these words; meaning loads" in await still(app)
        await pilot.press("backspace")
        work.gates["load_model"].set()
        await until(lambda: app.embedding_worker.phase == "ready")
        assert "by meaning and words · 2 of 7" in await still(app)

    held_up(work, play)


def test_a_model_that_cannot_be_loaded_is_reported_once_and_stays_marked_in_the_bar() -> None:
    work = sample()
    work.phase, work.raising = "waiting", {"load_model": OSError()}

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await until(lambda: app.embedding_worker.phase == "failed")
        seen = await still(app)
        assert "Searching by words only. The model is broken." in seen
        assert "Install it again." in seen
        assert "by words; meaning is off · 1 of 7" in seen
        await pilot.press("backspace")
        seen = await still(app)
        assert "by words; meaning is off" in seen
        assert "The model is broken." not in seen

    held_up(work, play)


async def one_batch_read(work: FakeWorkspace) -> None:
    """Let the first batch be embedded, and hold up the next."""
    gate = work.gates["embed"]
    await until(lambda: "embed" in work.waiting)
    work.gates["embed"] = threading.Event()
    gate.set()
    await until(lambda: len(work.waiting) > 1)


def test_reading_the_memories_shows_its_progress_and_holds_nothing_up() -> None:
    work = understanding()
    work.unread, work.gates["embed"] = 12_845, threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await one_batch_read(work)
        seen = await still(app)
        assert "Reading the memories for their meaning … 500 of 12 845" in seen
        await pilot.press("/", "c", "i", "enter")
        seen = await still(app)
        assert "by meaning and words (12 345 not read yet) · 1 of 7" in seen
        await pilot.resize_terminal(80, 24)
        bar = line_with(await still(app), "/ ci")
        assert bar.endswith("words (12 345 to read) · 1 of 7"), "short enough for 80 columns"
        await pilot.resize_terminal(120, 36)
        await pilot.press("p")
        seen = await still(app)
        assert "Pinned 1 memory" in seen
        work.near = {"ci": (4, 7)}
        work.gates["embed"].set()
        await until(lambda: not app.embedding_worker.pending and not work.unread)
        seen = await still(app)
        assert "Pinned 1 memory" in seen
        assert "by meaning and words · 2 of 7" in seen, "searched again, now that all were read"

    held_up(work, play)


def test_the_progress_of_reading_goes_away_at_the_end() -> None:
    work = understanding()
    work.unread, work.gates["embed"] = 10_000, threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await one_batch_read(work)
        assert "Reading the memories" in await still(app)
        work.gates["embed"].set()
        await until(lambda: not app.embedding_worker.pending and not work.unread)
        assert "Reading the memories" not in await still(app)

    held_up(work, play)


def test_quitting_waits_for_neither_loading_nor_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "JOIN_TIMEOUT", 0.05)
    for gate, phase in (("load_model", "waiting"), ("embed", "ready")):
        work = sample()
        work.phase, work.unread, work.gates[gate] = phase, 10_000, threading.Event()

        async def go(work: FakeWorkspace = work, gate: str = gate) -> None:
            app = app_on(work)
            async with app.run_test() as pilot:
                await settle(app)
                await until(lambda: gate in work.waiting)
                await pilot.press("q")

        asyncio.run(asyncio.wait_for(go(), 20))
        assert work.closed
        work.gates[gate].set()


def test_without_a_model_meaning_is_not_mentioned_and_escape_clears_a_search_with_its_order() -> None:
    shots = Shots()
    drive(app_on(), "/", *typed("ci"), shots, "enter", ",", shots, "escape", "escape", shots)
    searched, ordered, cleared = shots
    assert line_with(searched, "/ ci")
    assert "meaning" not in line_with(searched, "/ ci")
    assert "newest first" in ordered
    assert "newest first · 7" in line_with(cleared, " / "), cleared


def test_a_sorted_search_is_one_by_words_and_says_so() -> None:
    shots = Shots()
    drive(app_on(understanding(ci=(4, 7))), "/", *typed("ci"), "down", ",", shots, *[","] * 7, shots)
    bar = line_with(shots[0], "/ ci")
    assert "by words" in bar
    assert "1 of 7" in bar
    assert "Sorted newest first: what has the words, not what is near in meaning." in shots[0]
    assert "by meaning and words · 2 of 7" in shots[1]


def test_it_says_why_a_memory_is_here_and_marks_the_words() -> None:
    work = understanding()
    work.reasons[2] = MatchReason(0.92, 0.5, ("support", "versions", "cpy"), 1, 0.61, 0.01, ("store:base*",))
    bold: list[str] = []

    @Look
    def look(app: MemtuiApp) -> None:
        found = (segment for line in strips(app) for strip in line for segment in strip)
        bold.extend(s.text for s in found if s.style and s.style.underline and s.style.bold)

    work.near["store:base* support versions cpy"] = (2,)
    shots, query = Shots(), typed("store:base* support versions cpy")
    drive(app_on(work), "j", shots, "/", *query, look, shots, size=(160, 36))
    browsed, seen = shots
    for line in (
        "Why it is here",
        "words    support, versions, cpy; 1st by words",
        "meaning  0.61, close",
        "score    0.92, recency 0.01 of it",
        "filters  store:base*",
    ):
        assert line in seen
    assert bold == ["supports", "CPython"]
    assert "Why it is here" not in browsed


def test_on_a_real_workspace_it_reads_all_and_keeps_a_list_over_changes(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    made = Workspace.open(path, clock=clock)
    for text in ("The cat sleeps on the shelf", "Cats and dogs", "Deploys happen on Tuesday"):
        made.add({"content": text})
    made.close()
    opened = Workspace.open(path, clock=clock, opener=HashEmbedder)
    app = MemtuiApp(lambda: opened, clock=clock)

    async def go() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app)
            await until(lambda: app.embedding_worker.phase == "ready" and not app.embedding_worker.pending)
            await pilot.press("/", *keys_of("cats shelf cat"), "enter")
            seen = await still(app)
            assert "by meaning and words · 2 of 3" in seen
            assert "meaning  0." in seen
            before = list(memories(app).ids)
            for key in ("j", "e", *keys_of("XX "), "ctrl+s"):
                await pilot.press(key)
                await settle(app)
            seen = await still(app)
            assert "XX" in seen
            assert list(memories(app).ids) == before
            assert "by meaning and words · 2 of 3" in seen
            await pilot.press("u")
            await still(app)
            assert list(memories(app).ids) == before

    asyncio.run(go())


def test_letters_typed_before_the_editor_is_open_change_nothing() -> None:
    work = sample()
    gate = threading.Event()
    reading, detail = threading.Event(), work.detail

    def slowly(id: int) -> Detail | None:
        if reading.is_set():
            gate.wait(5)
        return detail(id)

    work.detail = slowly  # type: ignore[method-assign]

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        reading.set()
        await pilot.press("e", "d", "d")
        gate.set()
        await still(app)
        assert not [event for event in work.events if event.kind == "dismissed"]

    held_up(work, play)


def related() -> FakeWorkspace:
    """Of twelve, three answer “cat”, of which one says it, and six are only related."""
    work = FakeWorkspace(
        [memory(n, f"{'cat' if n == 2 else 'dog'} number {n}") for n in range(1, 13)], clock=clock
    )
    understanding(work, cat=(2, 4, 6, 7, 8, 9, 10, 11, 12))
    work.related["cat"] = 6
    return work


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_what_is_only_related_stands_under_a_line_that_no_key_stops_at(size: tuple[int, int]) -> None:
    work = related()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"cat", "enter")
        seen = await still(app)
        assert "by meaning and words · 3 of 12, 6 related" in seen
        lines = [
            line
            for line in seen.splitlines()
            if line.startswith("┃") and ("number" in line or "Related" in line)
        ]
        assert ["Related" in line for line in lines] == [False] * 3 + [True] + [False] * 6
        at = list[tuple[int | None, int]]()
        for _ in range(5):
            at.append((memories(app).highlighted, memories(app).row_of(memories(app).cursor)))
            await pilot.press("j")
            await settle(app)
        assert at == [(2, 0), (4, 1), (6, 2), (7, 4), (8, 5)]
        await pilot.press("g", "g", "*")
        assert "3 memories marked" in await still(app)
        assert memories(app).marks == {2, 4, 6}
        await pilot.click("#list", offset=(5, 4))  # the line itself, below the border
        await settle(app)
        assert memories(app).highlighted == 2
        await pilot.click("#list", offset=(5, 5))
        await settle(app)
        assert memories(app).highlighted == 7

    held_up(work, play, size=size)


def test_the_line_comes_into_sight_with_what_stands_under_it_and_nothing_else_moves() -> None:
    animals = [memory(n, f"{'cat' if n < 40 else 'dog'} number {n}") for n in range(1, 81)]
    work = understanding(FakeWorkspace(animals, clock=clock), cat=tuple(range(1, 81)))
    work.related["cat"] = 41
    work.gates["fused cat"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await search(app, pilot, "cat")
        await pilot.press("G")
        await until(lambda: memories(app).highlighted == 39)
        before = place(app)
        work.gates["fused cat"].set()
        assert "39 of 80, 41 related" in await still(app)
        assert place(app) == before == (39, before[1])
        await pilot.press("j")
        assert "── Related ──" in await still(app)
        assert memories(app).highlighted == 40
        await pilot.press("G", "g", "g", "ctrl+d", "ctrl+d")
        await still(app)
        while memories(app).highlighted != 40:
            await pilot.press("k" if memories(app).cursor > 39 else "j")
            await settle(app)
        assert "── Related ──" in await still(app)
        assert list(memories(app).answers) == list(range(1, 40))

    held_up(work, play)


def test_where_all_is_only_related_the_line_stands_first_and_nothing_is_marked() -> None:
    work = understanding(sample(), zebra=(4, 7))
    work.related["zebra"] = 2

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"zebra", "enter")
        seen = await still(app)
        assert "0 of 7, 2 related" in seen
        assert seen.index("── Related ──") < seen.index("releases ship")
        await pilot.press("*")
        assert "these are only related" in await still(app)
        assert memories(app).marks == set()

    held_up(work, play)
