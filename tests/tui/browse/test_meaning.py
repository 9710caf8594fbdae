"""Searching by meaning: results by words first, then those by meaning, without moving the cursor (S-30,
S-35)."""

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
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.workers import embedding
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import (
    Probe,
    Shots,
    app_on,
    drive,
    key_presses,
    line_with,
    screen_text,
    stable_screen,
    strips,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.sizes import shard
from tests.support.waiting.threads import run_with_pilot, wait_until


def with_model(work: FakeWorkspace | None = None, **nearest: tuple[int, ...]) -> FakeWorkspace:
    """Return a workspace whose model is loaded; the keywords are queries, with _ for a space."""
    work = work if work is not None else sample()
    work.phase, work.nearest = "ready", {text.replace("_", " "): ids for text, ids in nearest.items()}
    return work


def animals(count: int = 60) -> FakeWorkspace:
    """Return a workspace in which every second memory says cat; the last ones are the nearest in meaning."""
    memories = [memory(n, f"{'cat' if n % 2 else 'dog'} number {n}") for n in range(1, count + 1)]
    return with_model(FakeWorkspace(memories, clock=clock), cat=tuple(range(count, 0, -3)))


def memory_list(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def place(app: MemtuiApp) -> tuple[int | None, int]:
    """Return the highlighted memory and its line on the screen."""
    shown = memory_list(app)
    return shown.highlighted, shown.cursor - shown.top


async def search(app: MemtuiApp, pilot: Pilot[Any], text: str) -> None:
    """Type a query and go to the list, while the answer by meaning is blocked."""
    await pilot.press("/", *text, "enter")
    await wait_until(lambda: app.focused is memory_list(app))
    work = app.workspace
    assert isinstance(work, FakeWorkspace)
    await wait_until(lambda: f"fused {text}" in work.reached_gates)
    await pilot.pause(0.05)


def test_results_by_words_come_first_and_those_by_meaning_are_added() -> None:
    work = with_model(ci=(4, 7))
    work.gates["fused ci"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await wait_until(lambda: "fused ci" in work.reached_gates)
        await pilot.pause(0.05)
        assert "by text · 1 of 7" in screen_text(app)
        bar = app.screen.query_one("#query", SafeInput)
        bar.value = "cix"  # so that the answer that comes now is for another query
        work.gates["fused ci"].set()
        bar.value = "ci"
        seen = await stable_screen(app)
        assert "by text and meaning · 2 of 7" in seen
        assert "releases ship" in seen
        await pilot.press("escape", "escape")
        await wait_until_idle(app)
        work.reached_gates.clear()
        work.gates["fused ci"].clear()
        await search(app, pilot, "ci")
        assert "by text · 1 of 7" in screen_text(app)
        work.gates["fused ci"].set()
        assert "by text and meaning · 2 of 7" in await stable_screen(app)

    run_with_pilot(work, play)


def test_a_late_answer_for_an_old_query_is_dropped() -> None:
    work = with_model(ci=(4, 7), cix=(1,))
    work.gates = {"fused ci": threading.Event(), "fused cix": threading.Event()}

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await wait_until(lambda: "fused ci" in work.reached_gates)
        await pilot.press("x")
        work.gates["fused ci"].set()
        await wait_until(lambda: "fused cix" in work.reached_gates)
        await pilot.pause(0.05)
        assert list(memory_list(app).ids) == []
        assert "semantic search running" in screen_text(app)
        work.gates["fused cix"].set()
        seen = await stable_screen(app)
        assert list(memory_list(app).ids) == [1]
        assert "by text and meaning · 1 of 7" in seen

    run_with_pilot(work, play)


def test_the_highlighted_line_stays_in_place_when_results_by_meaning_arrive() -> None:
    work = animals()
    gate = work.gates["fused cat"] = threading.Event()

    async def search_again(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("escape")
        gate.clear()
        await wait_until_idle(app)
        work.reached_gates.clear()
        assert memory_list(app).count == 60
        await search(app, pilot, "cat")

    async def place_after_answer(app: MemtuiApp, pilot: Pilot[Any]) -> tuple[int | None, int]:
        """Let the answer come, check that the highlighted memory did not move, and return its place."""
        before = None
        for _ in range(100):  # until the list has come to rest, with the answer still blocked
            await pilot.pause(0.05)
            if before == (before := place(app)):
                break
        else:
            raise AssertionError("the list never came to rest")
        gate.set()
        await wait_until(lambda: "text and meaning" in screen_text(app))
        assert "text and meaning" in await stable_screen(app)
        assert place(app) == before
        return before

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await search(app, pilot, "cat")
        await pilot.press(*["j"] * 25, "k", "k")
        await wait_until(lambda: memory_list(app).top > 0)
        assert place(app)[0] is not None
        assert memory_list(app).top > 0
        await place_after_answer(app, pilot)

        await search_again(app, pilot)
        await pilot.press("j", "j", "j", "j")
        await place_after_answer(app, pilot)

        await search_again(app, pilot)
        memory_list(app).scroll_to(y=12, animate=False, immediate=True, force=True)
        await wait_until(lambda: place(app)[1] < 0)
        assert (await place_after_answer(app, pilot))[1] < 0, "it is above the visible lines"

    run_with_pilot(work, play, (80, 24))


def test_memories_found_only_by_meaning_are_listed_with_the_reason() -> None:
    work, shots = with_model(automobile=(5, 2)), Shots()
    work.reasons[5] = MatchReason(0.45, 0.0, (), None, 0.42, 0.0)
    drive(
        app_on(work), "/", *typed("automobile"), shots, (80, 24), shots, (120, 36),
        "escape", "escape", "/", *typed("zebra"), shots,
    )  # fmt: skip
    found, narrow, nothing = shots
    assert "planning call" in found
    assert "by text and meaning · 2 of 7" in found
    assert "Nothing matches" not in found
    assert "words    none" in narrow
    assert "0.42, related" in narrow
    assert "Nothing matches “zebra” by text or by meaning." in nothing


def test_a_change_keeps_the_order_of_the_results() -> None:
    work = with_model(automobile=(5, 2, 7))
    orders: list[list[int]] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        orders.append(list(memory_list(app).ids))

    def drop_vector(app: MemtuiApp) -> None:
        work.nearest["automobile"] = (7, 5)  # a changed memory has no vector for a moment

    keys = ["/", *typed("automobile"), "down", "j"]
    seen = drive(app_on(work), *keys, note, drop_vector, "p", note, "r", note, "d", note, "u", note)
    assert "by text and meaning" in seen
    first, pinned, reloaded, dismissed, undone = orders
    assert first == pinned == [5, 2, 7]
    assert reloaded == [7, 5]  # 2 is not near any more
    assert dismissed == [5]
    assert sorted(undone) == [5, 7]


def test_the_search_bar_says_that_the_model_is_loading() -> None:
    work = with_model(ci=(4, 7))
    work.phase = "waiting"
    work.gates["load_model"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        assert (
            work.reached_gates == []
        )  # nothing was searched and nothing is to be embedded, so the model is not loaded
        await pilot.press("/", "c", "i")
        await wait_until(lambda: "load_model" in work.reached_gates)
        seen = await stable_screen(app)
        assert "by text; semantic search is loading · 1 of 7" in seen
        await pilot.press("x")
        assert "No memory has all of these words; semantic search is loading" in await stable_screen(app)
        await pilot.press("backspace")
        work.gates["load_model"].set()
        await wait_until(lambda: app.embedding_worker.phase == "ready")
        assert "by text and meaning · 2 of 7" in await stable_screen(app)

    run_with_pilot(work, play)


def test_a_model_that_cannot_be_loaded_is_reported_once_and_marked_in_the_bar() -> None:
    work = sample()
    work.phase, work.errors = "waiting", {"load_model": OSError()}

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", "c", "i")
        await wait_until(lambda: app.embedding_worker.phase == "failed")
        seen = await stable_screen(app)
        assert "Text search only. The model is broken." in seen
        assert "Install it again." in seen
        assert "by text; semantic search is off · 1 of 7" in seen
        await pilot.press("backspace")
        seen = await stable_screen(app)
        assert "by text; semantic search is off" in seen
        assert "The model is broken." not in seen

    run_with_pilot(work, play)


async def embed_one_batch(work: FakeWorkspace) -> None:
    """Let the first batch be embedded, and block the next."""
    gate = work.gates["embed"]
    await wait_until(lambda: "embed" in work.reached_gates)
    work.gates["embed"] = threading.Event()
    gate.set()
    await wait_until(lambda: len(work.reached_gates) > 1)


def test_embedding_shows_its_progress_and_blocks_nothing() -> None:
    work = with_model()
    work.unembedded, work.gates["embed"] = 12_845, threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await embed_one_batch(work)
        seen = await stable_screen(app)
        assert "Indexing for semantic search … 500 of 12,845" in seen
        await pilot.press("/", "c", "i", "enter")
        seen = await stable_screen(app)
        assert "by text and meaning (12,345 not indexed yet) · 1 of 7" in seen
        await pilot.resize_terminal(80, 24)
        bar = line_with(await stable_screen(app), "/ ci")
        assert bar.endswith("meaning (12,345 to index) · 1 of 7"), "short enough for 80 columns"
        await pilot.resize_terminal(120, 36)
        await pilot.press("p")
        seen = await stable_screen(app)
        assert "Pinned 1 memory" in seen
        work.nearest = {"ci": (4, 7)}
        work.gates["embed"].set()
        await wait_until(lambda: not app.embedding_worker.pending and not work.unembedded)
        seen = await stable_screen(app)
        assert "Pinned 1 memory" in seen
        assert "by text and meaning · 2 of 7" in seen, "it searched again once all were embedded"

    run_with_pilot(work, play)


def test_the_embedding_progress_disappears_at_the_end() -> None:
    work = with_model()
    work.unembedded, work.gates["embed"] = 10_000, threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await embed_one_batch(work)
        assert "Indexing for semantic search" in await stable_screen(app)
        work.gates["embed"].set()
        await wait_until(lambda: not app.embedding_worker.pending and not work.unembedded)
        assert "Indexing for semantic search" not in await stable_screen(app)

    run_with_pilot(work, play)


def test_quitting_waits_for_neither_loading_nor_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "JOIN_TIMEOUT", 0.05)
    for gate, phase in (("load_model", "waiting"), ("embed", "ready")):
        work = sample()
        work.phase, work.unembedded, work.gates[gate] = phase, 10_000, threading.Event()

        async def run(work: FakeWorkspace = work, gate: str = gate) -> None:
            app = app_on(work)
            async with app.run_test() as pilot:
                await wait_until_idle(app)
                await wait_until(lambda: gate in work.reached_gates)
                await pilot.press("q")

        asyncio.run(asyncio.wait_for(run(), 20))
        assert work.closed
        work.gates[gate].set()


def test_without_a_model_meaning_is_not_mentioned_and_escape_clears_query_and_order() -> None:
    shots = Shots()
    drive(app_on(), "/", *typed("ci"), shots, "enter", ",", shots, "escape", "escape", shots)
    searched, ordered, cleared = shots
    assert line_with(searched, "/ ci")
    assert "meaning" not in line_with(searched, "/ ci")
    assert "Memories · newest first" in ordered
    assert "ci" not in line_with(cleared, " / ")
    assert "[all 7]" in line_with(cleared, " / "), cleared


def test_a_sorted_search_uses_words_only_and_says_so() -> None:
    shots = Shots()
    drive(app_on(with_model(ci=(4, 7))), "/", *typed("ci"), "down", ",", shots, *[","] * 7, shots)
    bar = line_with(shots[0], "/ ci")
    assert "by text" in bar
    assert "1 of 7" in bar
    assert "Sorted by time, newest first. Text search only." in shots[0]
    assert "by text and meaning · 2 of 7" in shots[1]


def test_the_match_reason_is_shown_and_matched_words_are_marked() -> None:
    work = with_model()
    work.reasons[2] = MatchReason(0.92, 0.5, ("support", "versions", "cpy"), 1, 0.61, 0.01, ("store:base*",))
    bold: list[str] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        found = (segment for line in strips(app) for strip in line for segment in strip)
        bold.extend(s.text for s in found if s.style and s.style.underline and s.style.bold)

    work.nearest["store:base* support versions cpy"] = (2,)
    shots, query = Shots(), typed("store:base* support versions cpy")
    drive(app_on(work), "j", shots, "/", *query, note, shots, size=(160, 36))
    browsed, seen = shots
    for line in (
        "Match",
        "words    support, versions, cpy; ranked 1st by text",
        "meaning  0.61, close",
        "score    0.92, including 0.01 for recency",
        "filters  store:base*",
    ):
        assert line in seen
    assert bold == ["supports", "CPython"]
    assert "Match" not in browsed


def test_a_real_workspace_is_embedded_and_keeps_its_results_over_changes(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    made = Workspace.open(path, clock=clock)
    for text in ("The cat sleeps on the shelf", "Cats and dogs", "Deploys happen on Tuesday"):
        made.add({"content": text})
    made.close()
    opened = Workspace.open(path, clock=clock, opener=HashEmbedder)
    app = MemtuiApp(lambda: opened, clock=clock)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await wait_until(
                lambda: app.embedding_worker.phase == "ready" and not app.embedding_worker.pending
            )
            await pilot.press("/", *key_presses("cats shelf cat"), "enter")
            seen = await stable_screen(app)
            assert "by text and meaning · 2 of 3" in seen
            assert "meaning  0." in seen
            before = list(memory_list(app).ids)
            for key in ("j", "e", *key_presses("XX "), "ctrl+s"):
                await pilot.press(key)
                await wait_until_idle(app)
            seen = await stable_screen(app)
            assert "XX" in seen
            assert list(memory_list(app).ids) == before
            assert "by text and meaning · 2 of 3" in seen
            await pilot.press("u")
            await stable_screen(app)
            assert list(memory_list(app).ids) == before

    asyncio.run(run())


def test_keys_typed_before_the_editor_opens_change_nothing() -> None:
    work = sample()
    gate = threading.Event()
    is_slow, detail = threading.Event(), work.detail

    def slow_detail(id: int) -> Detail | None:
        if is_slow.is_set():
            gate.wait(5)
        return detail(id)

    work.detail = slow_detail  # type: ignore[method-assign]

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        is_slow.set()
        await pilot.press("e", "d", "d")
        gate.set()
        await stable_screen(app)
        assert not [event for event in work.events if event.kind == "dismissed"]

    run_with_pilot(work, play)


def with_related() -> FakeWorkspace:
    """Return twelve memories, of which three answer “cat” (one contains the word) and six are related."""
    work = FakeWorkspace(
        [memory(n, f"{'cat' if n == 2 else 'dog'} number {n}") for n in range(1, 13)], clock=clock
    )
    with_model(work, cat=(2, 4, 6, 7, 8, 9, 10, 11, 12))
    work.related_counts["cat"] = 6
    return work


@pytest.mark.parametrize("size", shard([(80, 24), (120, 36)], 0, 2))
def test_related_results_come_below_a_separator_that_the_cursor_skips(size: tuple[int, int]) -> None:
    work = with_related()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"cat", "enter")
        seen = await stable_screen(app)
        assert "by text and meaning · 3 of 12, 6 related" in seen
        lines = [
            line
            for line in seen.splitlines()
            if line.startswith("┃") and ("number" in line or "Related" in line)
        ]
        assert ["Related" in line for line in lines] == [False] * 3 + [True] + [False] * 6
        places = list[tuple[int | None, int]]()
        for _ in range(5):
            places.append((memory_list(app).highlighted, memory_list(app).row_of(memory_list(app).cursor)))
            await pilot.press("j")
            await wait_until_idle(app)
        assert places == [(2, 0), (4, 1), (6, 2), (7, 4), (8, 5)]
        await pilot.press("g", "g", "*")
        assert "Marked 3 memories" in await stable_screen(app)
        assert memory_list(app).marks == {2, 4, 6}
        await pilot.click("#list", offset=(5, 4))  # the separator
        await wait_until_idle(app)
        assert memory_list(app).highlighted == 2
        await pilot.click("#list", offset=(5, 5))
        await wait_until_idle(app)
        assert memory_list(app).highlighted == 7

    run_with_pilot(work, play, size=size)


def test_the_separator_scrolls_into_view_with_the_first_related_result() -> None:
    texts = [f"{'cat' if n < 40 else 'dog'} number {n}" for n in range(1, 81)]
    work = with_model(
        FakeWorkspace([memory(n, text) for n, text in enumerate(texts, 1)], clock=clock),
        cat=tuple(range(1, 81)),
    )
    work.related_counts["cat"] = 41
    work.gates["fused cat"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await search(app, pilot, "cat")
        await pilot.press("G")
        await wait_until(lambda: memory_list(app).highlighted == 39)
        before = place(app)
        work.gates["fused cat"].set()
        assert "39 of 80, 41 related" in await stable_screen(app)
        assert place(app) == before == (39, before[1])
        await pilot.press("j")
        assert "── Related ──" in await stable_screen(app)
        assert memory_list(app).highlighted == 40
        await pilot.press("G", "g", "g", "ctrl+d", "ctrl+d")
        await stable_screen(app)
        while memory_list(app).highlighted != 40:
            await pilot.press("k" if memory_list(app).cursor > 39 else "j")
            await wait_until_idle(app)
        assert "── Related ──" in await stable_screen(app)
        assert list(memory_list(app).answers) == list(range(1, 40))

    run_with_pilot(work, play)


def test_if_all_results_are_related_the_separator_comes_first_and_none_can_be_marked() -> None:
    work = with_model(sample(), zebra=(4, 7))
    work.related_counts["zebra"] = 2

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"zebra", "enter")
        seen = await stable_screen(app)
        assert "0 of 7, 2 related" in seen
        assert seen.index("── Related ──") < seen.index("releases ship")
        await pilot.press("*")
        assert "mark all related results" in await stable_screen(app)
        assert memory_list(app).marks == set()

    run_with_pilot(work, play)
