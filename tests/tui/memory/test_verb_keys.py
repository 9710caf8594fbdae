"""Verbs on several memories: asked for once, store by store; progress, a stop between two, one undo (S-8,
S-51); forgetting, snoozing, tags and category, the reason of a pin."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.memory.results import StorePreview
from memtui.memory.stores import AddTarget
from memtui.tui.app import MemtuiApp
from memtui.tui.command_table import textual_key
from memtui.tui.memory.bulk.preview_text import MAX_LISTED, preview_text
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import (
    Probe,
    Shots,
    Step,
    app_on,
    drive,
    screen_text,
    stable_screen,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, memory
from tests.support.sizes import sample_cases
from tests.support.waiting.threads import run_with_pilot, wait_until, wait_until_shown

SMALL = (80, 24)


def many(count: int, stores: Sequence[str] = ("native",), **fields: object) -> FakeWorkspace:
    """Return a workspace of numbered memories, in these stores in turn."""
    memories = [memory(n, f"number {n}", subject="Ana") for n in range(1, count + 1)]
    return FakeWorkspace(
        [replace(each, store=stores[n % len(stores)], **fields) for n, each in enumerate(memories)],  # type: ignore[arg-type]
        clock=clock,
    )


def statuses(work: FakeWorkspace) -> dict[str, int]:
    found = [each.status for each in work.memories.values()]
    return {status: found.count(status) for status in sorted(set(found))}


def test_above_ten_memories_a_verb_shows_what_it_does_and_asks_once() -> None:
    work, shots = many(12), Shots()
    states: list[dict[str, int]] = []
    note = Probe(lambda app: states.append(statuses(work)))
    keys: list[Step] = ["*", "d", shots, note, "escape", note, "d", "enter", note, shots, "u", note]
    drive(app_on(work), *keys, size=SMALL)
    assert states == [{"confirmed": 12}, {"confirmed": 12}, {"dismissed": 12}, {"confirmed": 12}]
    assert "Dismiss 12 memories" in shots[0]
    assert "native  12  sets its status to dismissed" in shots[0]
    assert "⏎ dismiss · esc cancel" in shots[0]
    assert "Dismissed 12 memories" in shots[1]


def test_a_few_memories_of_one_store_are_changed_at_once_and_of_two_stores_after_a_question() -> None:
    shots = Shots()
    drive(app_on(many(4, ("native", "graph"))), "space", "j", "space", "d", shots)
    drive(app_on(many(4, ("native", "graph"))), "space", "space", "p", shots, "enter", shots)
    assert "Dismissed 2 memories" in shots[0]
    assert "graph   1  pins it in memtui" in shots[1]
    assert "native  1  pins it in memtui" in shots[1]
    assert "Pinned 2 memories" in shots[2]


def test_a_heading_asks_one_question_however_many_are_below_it() -> None:
    work, shots = many(12), Shots()
    work.grouped_by = "entity"
    drive(app_on(work), "g", "d", shots, "enter", shots)
    assert "Press the key again" not in shots[0]
    assert "Dismiss 12 memories" in shots[0]
    assert statuses(work) == {"dismissed": 12}


def test_p_on_pinned_memories_asks_to_unpin_them_and_says_what_cannot_be_done() -> None:
    work, shots = many(11, pinned=True), Shots()
    work.locked |= {1}
    drive(app_on(work), "*", "p", shots, "enter", shots)
    assert "Unpin 11 memories" in shots[0]
    assert "10 of 11" in shots[0]
    assert "1 skipped: native is read-only" in shots[0]
    assert "Unpinned 10 of 11 memories" in shots[1]
    nothing = drive(app_on(work), "*", "R", "enter")
    assert "Nothing to restore: " in nothing


def test_esc_stops_between_two_memories_and_one_undo_takes_back_what_was_done() -> None:
    work, gate = many(240), threading.Event()
    work.gates["part"] = gate
    seen: list[str] = []
    states: list[dict[str, int]] = []

    async def play() -> None:
        app = app_on(work)
        async with app.run_test(size=SMALL) as pilot:
            await wait_until_idle(app)
            await pilot.press("*", "d")
            await wait_until_idle(app)
            await pilot.press("enter")
            while "part" not in work.reached_gates or "10 of" not in app.status.text:
                await asyncio.sleep(0.005)
            seen.append(f"{app.status.text} {app.status.hint}")
            await pilot.press("escape")
            await wait_until_idle(app)
            seen.append(screen_text(app))
            states.append(statuses(work))
            gate.set()
            await pilot.press("u")
            await wait_until_idle(app)
            states.append(statuses(work))

    asyncio.run(play())
    assert seen[0] == "Dismissing 10 of 240 memories … esc stops"
    assert "Dismissed 10 of 240 memories (stopped)" in seen[1]
    assert "u undo" in seen[1]
    assert states == [{"confirmed": 230, "dismissed": 10}, {"confirmed": 240}]


def test_the_same_key_after_a_stop_is_for_the_rest() -> None:
    work = many(40)
    work.gates["part"] = threading.Event()
    seen: list[object] = []

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("*", "p")
        await wait_until(lambda: getattr(app.screen, "previews", None), app)
        await pilot.press("enter")
        await wait_until(lambda: "part" in work.reached_gates, app)
        await pilot.press("escape")
        await wait_until_idle(app)
        pinned = {id for id, each in work.memories.items() if each.pinned}
        seen.append((len(pinned), app.screen.query_one(MemoryList).marks == set(work.memories) - pinned))
        work.gates["part"].set()
        await pilot.press("p")
        await wait_until(lambda: getattr(app.screen, "previews", None), app)
        await pilot.press("enter")
        await wait_until_idle(app)
        seen.append(len([each for each in work.memories.values() if each.pinned]))

    run_with_pilot(work, play)
    assert seen == [(10, True), 40]


async def dismiss_and_pin_all(work: FakeWorkspace, app: MemtuiApp, pilot: Pilot[Any]) -> None:
    """Have one verb held at its first part, and another one wait for it."""
    await pilot.press("*")
    for key in ("d", "p"):
        await pilot.press(key)
        await wait_until(lambda: getattr(app.screen, "previews", None), app)
        await pilot.press("enter")
    await wait_until(lambda: "part" in work.reached_gates, app)


def test_esc_stops_the_verb_that_is_running_and_then_the_one_that_waits_for_it() -> None:
    work = many(40)
    work.gates["part"] = threading.Event()
    seen: list[object] = []

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await dismiss_and_pin_all(work, app, pilot)
        await pilot.press("escape")
        await wait_until(lambda: len(work.reached_gates) == 2, app)
        seen.append(statuses(work))
        await pilot.press("escape")
        await wait_until_idle(app)
        seen.append(len([each for each in work.memories.values() if each.pinned]))
        # With nothing left to stop, the key clears the marks.
        await pilot.press("escape")
        await wait_until_idle(app)
        seen.append(app.screen.query_one(MemoryList).marks)

    run_with_pilot(work, play)
    assert seen == [{"confirmed": 30, "dismissed": 10}, 10, set()]


def test_a_verb_that_waits_for_another_one_and_is_stopped_changes_nothing() -> None:
    work = many(40)
    work.gates["part"] = threading.Event()
    seen: list[object] = []

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await dismiss_and_pin_all(work, app, pilot)
        await pilot.press("escape", "escape")  # the one that runs, the one that waits
        await wait_until_idle(app)
        seen.append(statuses(work))
        seen.append([each for each in work.memories.values() if each.pinned])
        seen.append((await stable_screen(app)).splitlines()[-2])

    run_with_pilot(work, play)
    shown = " The change was stopped before it began.  Nothing was changed."
    assert seen == [{"confirmed": 30, "dismissed": 10}, [], shown]


def test_del_forgets_after_a_question_and_restore_brings_it_back() -> None:
    work, shots = many(3), Shots()
    kept: list[int] = []
    note = Probe(lambda app: kept.append(len(work.memories)))
    keys: list[Step] = ["delete", shots, "escape", note, "delete", "enter", shots, note, "u", note]
    drive(app_on(work), *keys, size=SMALL)
    assert kept == [3, 2, 3]
    assert "“Ana: number" in shots[0]
    assert "removes it from memtui's own store" in shots[0]
    assert all(said in shots[0] for said in ("To restore it, search is:removed", "and press R."))
    assert "Forgot 1 memory in native" in shots[1]
    assert "u undo" in shots[1]


def test_s_snoozes_until_a_choice_or_a_typed_date_and_a_second_s_offers_the_end() -> None:
    work, shots = many(2), Shots()
    until: list[float | None] = []
    note = Probe(lambda app: until.append(work.memories[1].snoozed_until))
    first: list[Step] = ["s", shots, "down", "enter", note, shots]
    typed_date: list[Step] = ["s", *typed("10d"), "enter", note]
    end: list[Step] = ["s", shots, "enter", note, shots]
    refused: list[Step] = ["s", *typed("soon"), "enter", shots, "escape", note]
    drive(app_on(work), *first, *typed_date, *end, *refused, size=SMALL)
    assert until == [NOW + 7 * DAY, NOW + 10 * DAY, None, None]
    assert "Snooze 1 memory until" in shots[0]
    assert all(text in shots[0] for text in ("tomorrow", "in a week", "in a month"))
    assert "end the snooze" not in shots[0]
    assert "Snoozed 1 memory" in shots[1]
    assert "end the snooze" in shots[2]
    assert "Unsnoozed 1 memory" in shots[3]
    assert "Not a date: soon." in shots[4]


def test_the_chosen_moment_stays_when_the_end_of_a_snooze_is_offered_later() -> None:
    work = many(2, snoozed_until=NOW + DAY)
    gate = work.gates["preview"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        for key in ("*", "s", "down", "down"):
            await pilot.press(key)
        gate.set()
        await wait_until_idle(app)
        assert "end the snooze" in screen_text(app)
        await pilot.press("enter")
        await wait_until_idle(app)

    run_with_pilot(work, play)
    assert {each.snoozed_until for each in work.memories.values()} == {NOW + 30 * DAY}


def test_a_snoozed_memory_says_until_when() -> None:
    seen = drive(app_on(many(1, snoozed_until=NOW + 7 * DAY)), "enter", size=(100, 50))
    assert "snoozed until" in seen


def test_t_adds_and_removes_tags_and_sets_the_category_of_all_marked() -> None:
    work, shots = many(12, tags=("old", "kept")), Shots()
    keys: list[Step] = [
        "*",
        "t",
        shots,
        *typed("+new -old"),
        "tab",
        *typed("rule"),
        shots,
        "enter",
        shots,
        "u",
    ]
    found: list[set[tuple[tuple[str, ...], str | None]]] = []
    note = Probe(lambda app: found.append({(m.tags, m.category) for m in work.memories.values()}))
    before = {(m.tags, m.category) for m in work.memories.values()}
    drive(app_on(work), *keys[:-1], note, keys[-1], note, size=SMALL)
    assert found == [{(("kept", "new"), "rule")}, before]
    assert "Tags and category of 12 memories" in shots[0]
    assert "In use: " in shots[0]
    assert "native  12 " in shots[1]
    assert "Edited 12 memories" in shots[2]


def test_tab_completes_a_tag_in_use_and_nothing_typed_changes_nothing() -> None:
    work, shots = many(2, tags=("billing",)), Shots()
    drive(app_on(work), "t", "enter", shots, *typed("-bil"), "tab", shots, "enter")
    assert "Type tags to add or remove, or another category." in shots[0]
    assert "-billing" in shots[1]
    assert [each.tags for each in work.memories.values()] == [(), ("billing",)]


def test_a_tag_of_two_words_is_completed_as_one() -> None:
    work = many(2)
    work.memories[1] = replace(work.memories[1], tags=("two words",))
    drive(app_on(work), "*", "t", *typed("new tw"), "tab", *typed("last"), "enter")
    assert work.memories[2].tags == ("new", "two words", "last")


def test_the_categories_that_a_store_allows_stay_offered_while_one_is_typed() -> None:
    work, shots = many(2, category="routine"), Shots()
    target = AddTarget("native", 2, "", {}, categories=("rule", "recipe", "fact"))
    work.add_targets = lambda: [target]  # type: ignore[method-assign]
    drive(app_on(work), "t", "tab", shots, *typed("r"), shots)
    assert "Allowed: rule, recipe and fact" in shots[0]
    assert "Allowed: rule and recipe" in shots[1]


def test_p_pins_at_once_and_its_reason_can_follow() -> None:
    work, shots = many(2), Shots()
    reasons: list[str | None] = []
    note = Probe(lambda app: reasons.append(work.memories[1].pinned_why))
    keys: list[Step] = [
        "p",
        shots,
        note,
        "P",
        *typed("the law"),
        "enter",
        note,
        "P",
        shots,
        "escape",
        "u",
        note,
    ]
    drive(app_on(work), *keys, size=(80, 40))
    assert "P reason" in shots[0]
    assert reasons == [None, "the law", None]
    assert "Pin reason" in shots[1]
    assert "the law" in shots[1]
    assert work.memories[1].pinned
    # On an unpinned memory the same key pins, and needs no text.
    drive(app_on(work), "j", "P", "enter")
    assert work.memories[2].pinned


def test_every_verb_on_a_memory_of_a_read_only_store_is_refused_at_once() -> None:
    work, shots = many(2), Shots()
    work.locked = {1}
    keys = ("p", "v", "d", "e", "E", "t", "s", "P", "delete", "X", "M", "|")
    drive(app_on(work), "j", "k", *[step for key in keys for step in ("g", key, shots)], size=SMALL)
    for key, shown in zip(keys, shots, strict=True):
        assert "native is read-only" in " ".join(shown.splitlines()[-3:-1]), (key, shown)
    assert "Tags and category" in drive(app_on(work), "j", "t", size=SMALL), (
        "the other one is of a free store"
    )


VERBS_BY_KEY = {"delete": "forget", "s": "snooze", "t": "tag", "P": "pin"}


def said_to_each_verb(work: FakeWorkspace) -> dict[str, str]:
    """Return the screen after each of the keys that ask."""
    shots = Shots()
    clear: list[Step] = [lambda app: app.show_status("")]
    drive(app_on(work), *(step for key in VERBS_BY_KEY for step in (*clear, key, shots)), size=SMALL)
    return dict(zip(VERBS_BY_KEY, shots, strict=True))


def test_a_read_only_workspace_refuses_before_it_asks() -> None:
    work = many(2)
    work.read_only = True
    for key, shown in said_to_each_verb(work).items():
        assert "The workspace is read-only." in shown, key


def test_keys_without_a_memory_say_so() -> None:
    for key, shown in said_to_each_verb(FakeWorkspace([], clock=clock)).items():
        assert f"Nothing to {VERBS_BY_KEY[key]}: the list is empty." in shown


def test_marks_out_of_a_forgotten_selection_are_dropped() -> None:
    work = many(3)
    marks: list[int] = []
    note = Probe(lambda app: marks.append(len(app.screen_stack[0].query_one(MemoryList).marks)))
    drive(app_on(work), "space", "space", "delete", "enter", note)
    assert marks == [0]


@pytest.mark.parametrize("size", sample_cases([(40, 10), (60, 16)], 1))
def test_the_dialogs_hold_hostile_texts_and_small_windows(size: tuple[int, int]) -> None:
    hostile = "[red]\x1b[2J\u202eevil\u200b\x00 " + "x" * 300
    work = many(12, (hostile[:60], "graph"), tags=(hostile,), category=hostile)
    work.memories[1] = replace(work.memories[1], content=hostile)
    shots = Shots()
    keys: list[Step] = []
    for key in ("d", "delete", "s", "t", "P", "a"):
        keys += [key, shots, size, shots, (120, 36), "escape"]
    drive(app_on(work), "*", *keys)
    for seen in shots:
        assert not set("\x1b\u202e\u200b\x00") & set(seen)
    assert all("esc cancel" in seen for seen in shots[::2])


def test_stores_beyond_those_that_are_listed_are_counted_and_wide_names_stay_whole() -> None:
    previews = [StorePreview(f"漢字漢字{n}", 1, "pins it in memtui") for n in range(MAX_LISTED + 3)]
    first, *_, last = preview_text(previews, {}, 80).plain.splitlines()
    assert first == "漢字漢字0   1  pins it in memtui"
    assert last == "… and 3 other stores"


def test_keys_that_are_pressed_while_an_editor_opens_open_nothing_else() -> None:
    work = many(2)
    gate = work.gates["detail"] = threading.Event()
    gate.set()
    read, opened = work.detail, list[list[str]]()
    work.detail = lambda id: read(id) if gate.wait() else None  # type: ignore[method-assign]

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        for key in ("e", "|"):
            gate.clear()
            for each in (key, "t", "s", "delete", "P", "%", "|", "X", "d"):
                await pilot.press(textual_key(each))
            gate.set()
            await wait_until_idle(app)
            opened.append([type(each).__name__ for each in app.screen_stack[1:]])
            await pilot.press("escape")

    run_with_pilot(work, play)
    assert opened == [["EditDialog"], ["SplitDialog"]]
    assert statuses(work) == {"confirmed": 2}


def test_esc_does_not_leave_the_editor_while_it_saves() -> None:
    work, gate, shown = many(1), threading.Event(), list[str]()
    edit = work.edit
    work.edit = lambda *args, **more: edit(*args, **more) if gate.wait() else None  # type: ignore[assignment]

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        try:
            for key in ("e", "ctrl+home", "x", "ctrl+s", "escape", "escape"):
                await pilot.press(key)
                if key == "e":
                    await wait_until_idle(app)
        finally:
            gate.set()
        await wait_until_idle(app)
        shown.append(screen_text(app))

    run_with_pilot(work, play)
    assert "xnumber 1" in shown[0]
    assert "Edited 1 memory" in shown[0]


def test_what_arrived_is_counted_in_a_list_that_grows() -> None:
    below: list[int] = []

    def grow(app: MemtuiApp) -> None:
        shown = app.screen.query_one(MemoryList)
        ids = list(shown.ids)
        shown.show(ids[:30], 0, keep_place=False, arrived={ids[-1]: "new"})
        shown.extend(ids)
        below.append(shown.elsewhere.below)

    drive(app_on(many(60)), Probe(grow))
    assert below == [1]


def test_an_undo_that_takes_long_is_shown_while_it_runs() -> None:
    work = many(3)
    work.gates["undo"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await app._press_keys(["p"])
        await wait_until_shown(app, "Pinned")
        await app._press_keys(["u"])
        await wait_until_shown(app, "Undoing …")
        work.gates["undo"].set()
        await wait_until_shown(app, "Undone: Pinned")

    run_with_pilot(work, play)
