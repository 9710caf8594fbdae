"""The Graph screen: drawing, navigation, and news (SPEC 9)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.stores.mcp_memory import relation
from tests.support.waiting.threads import wait_until, wait_until_shown
from tests.tui.graph.driver import (
    drawing_in,
    drive_graph,
    graph_screen,
    highlights,
    with_relations,
)

Golden = Callable[[str, str], None]


def test_the_neighborhood_is_drawn_at_every_size(golden: Golden) -> None:
    shots = Shots()
    # → goes to the line that is drawn closest to the middle.
    steps: list[Step] = [(80, 24), "left", "right", shots, (200, 60), "left", "right", shots]
    drive(app_on(with_relations()), "j", "o", "right", shots, *steps)
    for size, seen in zip(("120x36", "80x24", "200x60"), shots, strict=True):
        golden(f"graph-{size}", seen)


def test_the_neighborhood_is_drawn_in_a_light_theme(golden: Golden) -> None:
    backgrounds: list[str] = []
    kinds = ("contradicts", "supersedes", "supports", "based-on")

    @Probe
    def note_background(app: MemtuiApp) -> None:
        graph = graph_screen(app).graph
        backgrounds.append(graph.styles.background.hex)
        # Each kind of relation has its own colour, besides its sign and its name.
        assert len({str(graph.get_component_rich_style(f"graph--{name}").color) for name in kinds}) == 4

    shots = Shots()
    drive(
        app_on(with_relations()),
        "j",
        "o",
        note_background,
        "T",
        "right",
        note_background,
        shots,
        (80, 24),
        "left",
        "right",
        shots,
    )
    assert backgrounds[0] != backgrounds[1]
    golden("graph-120x36-light", shots[0])
    golden("graph-80x24-light", shots[1])


def test_two_hops_and_similar_memories_are_drawn(golden: Golden) -> None:
    seen = drive(app_on(with_relations()), "j", "o", "H", "N", "right", "down", size=(80, 24))
    assert "2 hops" in seen
    assert "≈ similar" in seen
    golden("graph-far-80x24", seen)


def test_the_relations_are_shown_as_a_list(golden: Golden) -> None:
    shots = Shots()
    drive(app_on(with_relations()), "j", "o", "L", "j", shots, (80, 24), "k", "j", shots)
    golden("graph-list-120x36", shots[0])
    golden("graph-list-80x24", shots[1])


def test_it_opens_at_the_most_related_node(folder: Path) -> None:
    shots = Shots()
    drive_graph(folder, "4", shots, "W", shots, "escape", "4", shots)
    hub, clusters, reopened = shots
    assert "┏━ memtui ━" in hub
    assert "Ana" in drawing_in(hub)
    assert "┏━ Clusters ━" in clusters
    assert "┏━ Clusters ━" in reopened, "as it was left"


def test_the_clusters_are_listed(golden: Golden) -> None:
    golden("graph-whole-80x24", drive(app_on(with_relations()), "4", "W", size=(80, 24)))


def test_a_memory_without_relations_shows_which_key_relates_it(golden: Golden) -> None:
    golden("graph-alone-80x24", drive(app_on(sample()), "G", "o", size=(80, 24)))


def test_an_empty_workspace_has_nothing_to_relate() -> None:
    assert "so no relations" in drive(app_on(FakeWorkspace([], clock=clock)), "4", "W")


def test_enter_follows_a_relation_and_backspace_goes_back(folder: Path) -> None:
    shots = Shots()
    drive_graph(
        folder,
        "4", "W", "enter", shots,
        "left", "enter", shots,
        # Back is exactly the line that was left.
        "backspace", "down", "enter", "backspace", shots, highlights("Bo"),
        "right", "right", "g", "enter", shots, "backspace", shots, "backspace", shots,
        size=(120, 36),
    )  # fmt: skip
    first, ana, back, kitty, before_end, end = shots
    assert "┏━ memtui ━" in first
    assert all(name in first for name in ("Ana", "Bo", "Python", "kitty", "∅ Nobody", "↺ itself"))
    assert "┏━ memtui › Ana ━" in ana
    assert "works on" in line_with(ana, "▶ memtui")
    assert "┏━ memtui ━" in back
    assert "Bo ─ · works on ─▶ memtui" in back
    assert "┏━ memtui › kitty ━" in kitty
    assert "Already at the starting memory." not in before_end
    assert "Already at the starting memory." in end


def test_enter_in_the_middle_opens_the_memory_or_lists_the_observations(folder: Path) -> None:
    shots = Shots()
    drive_graph(
        folder, "/", *typed("3.12"), "down", "o", "enter", shots, "escape", "W", "enter", "enter", shots
    )
    assert "is at 3.12" in shots[0]
    assert "esc back" in shots[0]
    assert "[1Browse]" in shots[1]
    assert "memtui is known" in shots[1]
    assert "more of memtui" in shots[1]
    assert "kitty is known" not in shots[1]


def test_kinds_can_be_hidden() -> None:
    shots = Shots()
    # esc changes nothing, ⏎ hides what was deselected.
    steps: list[Step] = ["f", shots, "space", "escape", shots, "f", "space", "enter", shots]
    drive(app_on(with_relations()), "j", "o", *steps)
    assert "✓ ≠ contradicts" in shots[0]
    assert "6 of 6 shown" in shots[1]
    assert "memtui is a web" in drawing_in(shots[1])
    assert "memtui is a web" not in drawing_in(shots[2])
    assert "5 of 6 shown · 1 kind hidden" in shots[2]


def test_the_cursor_stays_on_its_relation_after_a_reload() -> None:
    work = with_relations()
    shots = Shots()

    def add_relation(app: MemtuiApp) -> None:
        work.relations[2] = (Relation("m", "contradicts", "x", None, "", 2, 6), *work.relations[2])
        app.reload_all()

    drive(app_on(work), "j", "o", "right", "G", shots, add_relation, shots)
    assert "6 of 6 shown" in shots[0]
    assert "7 of 7 shown" in shots[1]
    described = [seen.split("─ Selected ─")[1].splitlines()[1] for seen in shots]
    assert described[0] == described[1]
    assert "relates to" in described[0]


def test_the_screen_responds_while_the_overview_is_computed() -> None:
    work = with_relations()
    work.gates["overview"] = threading.Event()
    app = app_on(work)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_shown(app, "1 of 7")
            await pilot.press("4", "W")
            await wait_until_shown(app, "Computing clusters")
            await pilot.press("enter")
            await wait_until_shown(app, "Still computing the clusters.")
            await pilot.press("1")
            await wait_until_shown(app, "[1 Browse]", "1 of 7")
            await pilot.press("j")
            await wait_until_shown(app, "2 of 7")
            await pilot.press("o")
            await wait_until_shown(app, "[4 Graph]", "of 6 shown")
            assert work.reached_gates == ["overview"]  # it is still being computed
            work.gates["overview"].set()

    asyncio.run(run())


def test_o_shows_the_memory_it_was_pressed_on(folder: Path) -> None:
    """Also if the screen is reloaded at the same moment; keys act on what is drawn."""
    shots = Shots()
    drive_graph(
        folder,
        "/", *typed("3.12"), "down", "o", shots,
        "1", "/", "ctrl+u", *typed("Ana kn"), "down", "o", shots,
        "1", "escape", "G", "o", "1", "g", "o", "8", "4", shots,
    )  # fmt: skip
    assert "┏━ Python ━" in shots[0]
    assert "┏━ Ana ━" in shots[1]
    assert "┏━ Python ━" in shots[2]


def test_relations_changed_by_an_agent_are_news_that_r_loads(folder: Path) -> None:
    file = folder / "memory.jsonl"
    shots = Shots()

    def write_as_agent(app: MemtuiApp) -> None:
        file.write_text(f"{file.read_text().rstrip()}\n{json.dumps(relation('Ana', 'teaches', 'kitty'))}\n")

    def wait_for_news(app: MemtuiApp) -> None:
        app.run_worker(wait_until(lambda: app.news == 1))

    drive_graph(folder, "4", "W", "enter", write_as_agent, wait_for_news, shots, "r", shots)
    assert "● 1 changed" in shots[0]
    assert "Loaded 1 relation changed in graph." in shots[1]


def test_find_moves_to_a_node_and_a_reload_while_moving_loses_no_step(folder: Path) -> None:
    shots = Shots()

    def reload_while_moving(app: MemtuiApp) -> None:
        graph_screen(app).action_walk()
        app.reload_all()
        graph_screen(app).action_walk()

    steps: list[Step] = ["/", *typed("3.12"), "enter", shots, "backspace", shots]
    last = drive_graph(folder, "4", "W", "enter", *steps, "left", "left", reload_while_moving)
    assert "┏━ memtui › Python ━" in shots[0]
    assert "is at 3.12" in shots[0]
    assert "┏━ memtui ━" in shots[1]
    assert "┏━ memtui › Ana ━" in last


def test_esc_goes_back_along_the_trail(folder: Path) -> None:
    shots = Shots()
    drive_graph(
        folder,
        "4", "W", "enter", "left", "enter", "escape", shots, "escape", shots, "escape",
        "/", *typed("3.12"), "down", "o", shots, "escape", shots,
    )  # fmt: skip
    assert "┏━ memtui ━" in shots[0]
    assert "┏━ Clusters ━" in shots[1]
    assert "┏━ Python ━" in shots[2]
    assert "[1Browse]" in shots[3]
