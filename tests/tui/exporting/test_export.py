"""`x` on Browse: what is exported, as what, within which budget; what is in and out, and why (S-70, S-71)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, screen_text, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, with_pairs
from tests.support.sizes import sample_cases

SMALL = (80, 24)
TO_BUDGET: list[Step] = ["tab"]  # from the first field, with one scope
TO_LISTS: list[Step] = ["tab", "tab", "tab"]


def cats() -> FakeWorkspace:
    """Return a workspace in which two of three results answer “cat”; the third one is only related."""
    texts = ("cat one", "kitten two", "kitten three", "dog four")
    work = FakeWorkspace([memory(n, text, subject="Pets [b]") for n, text in enumerate(texts, 1)])
    work.grouped_by = "entity"
    work.phase, work.nearest = "ready", {"cat": (1, 2, 3)}
    work.related_counts = {"cat": 1}
    return work


def facts(count: int, **more: str) -> FakeWorkspace:
    return FakeWorkspace([memory(n, f"Fact number {n}.", **more) for n in range(1, count + 1)], clock=clock)


# -- what is exported


def test_the_first_line_says_what_is_exported_and_other_choices_are_a_key_away() -> None:
    shots = Shots()
    search = ("/", *typed("cat"), "enter", "x", shots, "right", shots, "escape")
    mark = ("g", "space", "G", "space", "x", shots, "right", shots, "left", "left", shots, "escape")
    drive(app_on(cats()), "j", "x", shots, "escape", "g", "x", shots, "escape", *search, *mark)
    whole, heading, found, all_of_it, marked, also_found, around = shots
    assert "What            all 4 " in whole
    assert "What            ‹ in Pets [b] (4) › 1 of 2" in heading
    assert "What            ‹ 2 in this search › 1 of 2" in found
    assert "In: 2" in found, "without what is only related"
    assert "What            ‹ all 4 › 2 of 2" in all_of_it
    assert "In: 4" in all_of_it
    assert "What            ‹ 2 marked › 1 of 3" in marked
    assert "‹ 2 in this search › 2 of 3" in also_found
    assert "‹ all 4 › 3 of 3" in around


def test_without_memories_there_is_nothing_to_export() -> None:
    assert "Nothing to export: there are no memories." in drive(app_on(FakeWorkspace([])), "x")


def test_a_read_that_fails_is_explained_and_the_dialog_stays() -> None:
    work = facts(2)
    work.errors["candidates"] = OSError(5, "Input/output error")
    shots = Shots()
    drive(app_on(work), "x", shots, lambda app: work.errors.clear(), "enter", shots)
    assert "Could not put the export together: Input/output error" in shots[0]
    assert "Copied 2 memories" in shots[1], "it was tried again"


# -- the preview and the meter


def test_the_preview_shows_reasons_and_the_meter_the_budget(golden: Callable[[str, str], None]) -> None:
    shots = Shots()
    drive(
        app_on(with_pairs()),
        "x",
        *TO_BUDGET,
        *("7", "0"),
        "tab",
        "tab",
        shots,
        (120, 36),
        shots,
        size=SMALL,
    )
    golden("export-80x24", shots[0])
    golden("export-120x36", shots[1])


def test_space_takes_a_memory_in_or_out_and_the_meter_follows() -> None:
    shots = Shots()
    drive(
        app_on(facts(12)),
        *("x", "tab", *typed("30"), "space", shots, "tab", "tab", shots, "space", shots),
        *("right", "space", "space", "space", "space", "space", "space", "space", shots),
        size=SMALL,
    )
    asked, before, out, over = shots
    assert "Press tab to go to the memories; space takes one in or out there." in asked
    assert "In: pinned" not in before
    assert "In: other (8 tokens)" in before
    assert "uses 28 of 30 tokens ▰▰▰▰▰▰▰▰▰▱" in before
    assert "Out: 7" in before
    assert "uses 28 of 30 tokens" in out, "another one takes its room"
    assert "left out by you" not in before
    assert "left out by you" in out
    assert "3 over: uses 33 of 30 tokens ▰▰▰▰▰▰▰▰▰▰" in over, "it says by how much"
    assert over.count("included by you") == 6


def test_a_second_space_leaves_it_to_the_rules_again() -> None:
    shots = Shots()
    drive(app_on(facts(3)), "x", *TO_LISTS, "space", shots, "right", "space", shots, size=SMALL)
    assert ("In: 2" in shots[0], "left out by you" in shots[0]) == (True, True)
    assert ("In: 3" in shots[1], "left out by you" in shots[1]) == (True, False)


def test_contradictions_are_left_out_or_both_marked() -> None:
    shots = Shots()
    drive(app_on(with_pairs()), "x", "tab", "tab", shots, "down", shots, "p", shots, size=SMALL)
    assert "contradicts “memtui tar" in shots[0]
    assert "‹ mark both › 2 of 2" in shots[1]
    assert "contradicts “" not in shots[1]
    assert "(contradicted by 1 memory in this list)" in shots[2]


def test_a_limit_of_the_format_is_named_and_cannot_be_overridden() -> None:
    shots = Shots()
    to_founder_os = ["down"] * (1 + sorted(["core", "csv", "founder-os"]).index("founder-os"))
    drive(
        app_on(facts(7, status="applied")),
        *("x", *to_founder_os, shots, *TO_LISTS, "right", "space", shots),
        size=SMALL,
    )
    assert "As              ‹ Founder OS injection block › 4 of" in shots[0]
    assert "at most 5 memories, confirmed or applied" in shots[0]
    assert ("In: 5" in shots[0], "Out: 2" in shots[0]) == (True, True)
    assert "Can't go into Founder OS injection block: at most 5 memories." in shots[1]


def test_data_has_no_token_count_without_a_budget() -> None:
    shots = Shots()
    drive(app_on(facts(3)), "x", *["down"] * 4, shots, "tab", *typed("90"), shots, size=SMALL)
    assert "‹ JSON › 5 of" in shots[0]
    assert "no token count: without a budget, JSON has every memory" in shots[0]
    assert " of 90 tokens" in shots[1]


def test_the_budget_takes_digits_alone_and_changes_by_steps() -> None:
    shots = Shots()
    drive(
        app_on(facts(3)),
        *("x", "tab", "up", shots, "up", shots, "down", "down", shots, "home", "z", *typed("1"), shots),
        size=SMALL,
    )
    lines = [line_with(shot, "Budget") for shot in shots]
    assert [line.split("Budget")[1].split()[0] for line in lines] == ["2000", "2500", "1900", "11900"]


def test_the_exact_text_is_shown_and_hostile_text_stays_inert() -> None:
    hostile = "[b]bold[/b] \x1b[31mred\u202eevil\u200b\x00 " + "long " * 500
    work, shots = FakeWorkspace([memory(1, hostile, category="[/x]\x1b")], clock=clock), Shots()
    drive(app_on(work), "x", shots, "p", shots, "p", shots, (40, 12), shots, size=SMALL)
    assert "[b]bold[/b]" in shots[0]
    assert "Exact text: " in shots[1]
    assert "[b]bold[/b]" in shots[1]
    assert not any(char in shot for shot in shots for char in "\x1b\u202e\u200b\x00")
    assert "━ Export ━" in shots[2]
    assert "━ Export ━" in shots[3]


# -- while it is put together


def test_keys_work_while_the_export_is_put_together_and_the_copy_follows() -> None:
    work, shots = facts(3), Shots()
    work.gates["candidates"] = threading.Event()

    async def press(app: MemtuiApp) -> None:
        await app._press_keys(["x"])
        while "Putting it together …" not in screen_text(app):
            await asyncio.sleep(0.01)
        shots.append(screen_text(app))
        await app._press_keys(["down", "enter", "w"])
        assert app._clipboard == ""
        work.gates["candidates"].set()

    done = drive(app_on(work), Probe(press))
    assert "What            all 3" in shots[0]
    assert "Copied 3 memories" in done


def test_esc_ends_what_is_put_together() -> None:
    work = facts(3)
    work.gates["candidates"] = threading.Event()

    async def leave(app: MemtuiApp) -> None:
        await app._press_keys(["x"])
        while "candidates" not in work.reached_gates:
            await asyncio.sleep(0.01)
        await app._press_keys(["escape"])

    assert "Export" not in drive(app_on(work), Probe(leave))


# -- the same text as the command


def test_it_is_the_text_that_the_command_writes(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with closing(Workspace.open(path, clock=clock)) as workspace:
        for number in range(9):
            workspace.add({"content": f"Number {number} is a fact.", "category": "fact"})
        candidates = workspace.candidates(workspace.search("", live=True).ids)
        exporter = by_name("prompt")
        assert exporter is not None
        text = pack(exporter, candidates, 60, workspace.token_counter(), clock()).text
    copied: list[str] = []
    note = Probe(lambda app: copied.append(app._clipboard))
    drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock),
        *("x", "tab", *typed("60"), "enter", note),
    )
    assert copied == [text]
    assert 0 < text.count("is a fact") < 9


@pytest.mark.parametrize("size", sample_cases([(40, 10), (200, 50), (60, 14)], 2))
def test_it_fits_any_window(size: tuple[int, int]) -> None:
    shown = drive(app_on(with_pairs()), "x", size=size)
    assert "What" in shown
    assert "In: " in shown
