"""The Graph screen: adding, changing and removing relations (SPEC 9)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.layout import Cursor
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, screen_text, typed
from tests.support.stores.mcp_memory import entity, relation
from tests.support.waiting.threads import wait_until_shown
from tests.tui.graph.driver import (
    cursor_on,
    drawing_in,
    drive_graph,
    graph_screen,
    highlights,
    with_relations,
    workspace_in,
)


def test_undoing_a_removed_relation_restores_the_exact_bytes(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()

    def check_only_it_is_gone(app: MemtuiApp) -> None:
        remaining = file.read_bytes().splitlines()
        assert remaining == [line for line in before.splitlines() if b'"Ana","to"' not in line]

    drive_graph(folder, "4", "W", "enter", "left", "delete", shots, check_only_it_is_gone, "u", shots)
    assert "Removed a relation from 1 memory (works on) in graph (memory.jsonl)" in shots[0]
    assert "Ana" not in drawing_in(shots[0]).split("[4Graph]")[1]
    assert "Undone: Removed a relation" in shots[1]
    assert "Ana" in drawing_in(shots[1]).split("[4Graph]")[1]
    assert file.read_bytes() == before


def test_dangling_and_reflexive_relations_can_only_be_removed(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    relations = (("Nobody", b"misses"), ("memtui", b'"is"'))
    contents: list[bytes] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        contents.append(file.read_bytes())

    steps: list[Step] = []
    for label, _ in relations:
        steps += [cursor_on(label), "C", shots, "delete", shots, note, "u", note]
    drive_graph(folder, "4", "W", "enter", *steps)
    for n, (label, kind) in enumerate(relations):
        assert "Not changed" in shots[2 * n], label
        assert "Removed a relation from 1 memory" in shots[2 * n + 1], label
        assert kind in before, label
        assert kind not in contents[2 * n], label
        assert contents[2 * n + 1] == before, label


def test_a_relation_is_changed_in_its_file_or_in_memtui_and_stays_highlighted(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()

    def check_unchanged(app: MemtuiApp) -> None:
        assert file.read_bytes() == before

    def check_contains(line: bytes) -> Callable[[MemtuiApp], None]:
        def check(app: MemtuiApp) -> None:
            assert line in file.read_bytes()

        return check

    drive_graph(
        folder,
        "4", "W", "enter", "left", highlights("Ana"), "C", shots,
        "tab", *typed("0.8"), "tab", *typed("May"), "ctrl+s", shots, "u", shots, check_unchanged,
        highlights("Ana"), "C", "ctrl+u", *typed("leads"), "ctrl+s", shots,
        check_contains(b'"from":"Ana","to":"memtui","relationType":"leads"'), "u", check_unchanged,
        highlights("Ana"), "C", "ctrl+r", "ctrl+s",
        check_contains(b'"from":"memtui","to":"Ana","relationType":"works on"'),
        highlights("Ana"), "u", check_unchanged,
        "C", "x", "ctrl+s", highlights("Ana"), check_contains(b"works onx"), "u", check_unchanged,
        highlights("Ana"), "C", "ctrl+s", shots, check_unchanged,
    )  # fmt: skip
    opened, kept, undone, written, unchanged = shots
    assert "Changes the relation between the entities in memory.jsonl (graph)." in opened
    assert "Kept in memtui: strength, reason, text." in opened
    assert "Changed a relation of 1 memory (works on), kept in memtui" in kept
    assert "0.80" in kept
    assert "from graph; strength, reason kept in memtui" in kept
    assert "“May”" in kept
    assert "0.80" not in undone
    assert "Changed a relation of 1 memory (works on → leads) in graph" in written
    assert "Nothing would change" in unchanged


def test_a_strength_is_a_number_from_0_to_1() -> None:
    steps = ["j", "o", "left", "C", "tab", "ctrl+a", *["delete"] * 4, "2", "ctrl+s"]
    assert "number from 0 to 1" in drive(app_on(with_relations()), *steps)


def test_a_new_relation_uses_the_stores_kinds_and_is_undone_in_a_later_session(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()
    steps: list[Step] = ["enter", shots, *typed("was seen in"), "enter", "enter", shots]
    drive_graph(folder, "4", "W", "enter", "O", *typed("3.12"), *steps)
    assert "works on" in shots[0]  # the kinds that the store uses are suggested
    assert "Added a relation to 1 memory (was seen in) in graph (memory.jsonl)" in shots[1]
    lines = file.read_bytes().splitlines()
    assert lines[:-1] == before.splitlines()
    assert b"was seen in" in lines[-1]
    drive_graph(folder, "u")
    assert file.read_bytes() == before


def test_an_entity_is_suggested_once_and_never_for_itself(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea"), entity("Bo", *(f"went to tea house {n}" for n in range(9)))]
    folder = workspace_in(tmp_path, objects)
    shots = Shots()
    steps = ["/", *typed("likes"), "down", "o", "O", *typed("tea")]
    drive_graph(folder, *steps, shots, "enter", *typed("meets"), "enter", "enter")
    suggested = [line for line in shots[0].splitlines() if "· graph" in line]
    assert len(suggested) == 1
    assert "Bo " in suggested[0]
    assert "9 memories · graph" in suggested[0]
    last = (folder / "memory.jsonl").read_text().splitlines()[-1]
    assert json.loads(last) == relation("Ana", "meets", "Bo")


def test_keys_that_cannot_work_show_the_reason() -> None:
    work = with_relations()
    work.relations[2] = (*work.relations[2], Relation("m", "is", "m", None, "", 2, 2))
    shots = Shots()
    drive(
        app_on(work),
        "j", "o", "delete", shots,
        "right", cursor_on("memtui targets Python 3.12"), "enter", shots,
        "N", "G", "delete", shots,
        "L", "right", shots,
    )  # fmt: skip
    assert "no relation selected" in shots[0]
    assert "leads back to the current memory" in shots[1]
    assert "only similar in meaning" in shots[2]
    assert "Left and right keys do nothing in the list" in shots[3]
    assert not work.unrelated


def test_enter_waits_for_the_results_of_the_typed_text() -> None:
    work = with_relations()
    work.gates["nodes"] = threading.Event()
    app = app_on(work)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            await wait_until_shown(app, "1 of 7")
            await pilot.press("O")
            await wait_until_shown(app, "Relate to which memory?")
            await pilot.press(*"kitty", "enter")
            await pilot.pause(0.05)
            assert "Relate to which memory?" in screen_text(app)
            work.gates["nodes"].set()
            await wait_until_shown(app, "Relation kind")
            assert "kitty" in line_with(screen_text(app), " → ")

    asyncio.run(run())


def test_first_and_last_keys_and_removing_a_relation_in_the_dialog(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes().splitlines()
    places: list[Cursor] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        places.append(graph_screen(app).graph.cursor)

    seen = drive_graph(folder, "4", "W", "enter", "G", note, "left", note, "g", note, "C", "ctrl+d")
    assert places == [("right", 3), ("middle", 0), ("right", 0)]
    assert "Removed a relation from 1 memory (contradicts)" in seen
    assert file.read_bytes().splitlines() == [line for line in before if b"contradicts" not in line]
