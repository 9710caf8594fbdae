"""Graph: walked by keys from memory to memory, changed where it stands, whatever stands there (SPEC 9)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.graph import Around, Edge, Node, Origin, Spot
from memtui.memory.records import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.screens.graph import GraphScreen
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import app_on, drive, line_with, screen, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation
from tests.tui.test_sweeps import HOSTILE, bad

OBJECTS = [
    *(entity(name, f"{name} is known", f"more of {name}") for name in ("Ana", "Bo", "memtui", "kitty")),
    entity("Python", "is at 3.12"),
    relation("Ana", "works on", "memtui"),
    relation("Bo", "works on", "memtui"),
    relation("memtui", "depends_on", "Python"),
    relation("memtui", "contradicts", "kitty"),
    relation("memtui", "is", "memtui"),
    relation("memtui", "misses", "Nobody"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace over one graph."""
    return laid(tmp_path, OBJECTS)


def laid(folder: Path, objects: list[dict[str, object]]) -> Path:
    place = graphs.place(folder, objects)
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(place, "graph")
    workspace.close()
    return folder


def on(folder: Path, *steps: str | Callable[[MemtuiApp], object], size: tuple[int, int] = (120, 36)) -> str:
    app = MemtuiApp(lambda: Workspace.open(folder / "w.db", clock=clock), clock=clock)
    return drive(app, *(each for step in steps for each in (step, arrived)), size=size)


def arrived(app: MemtuiApp) -> None:
    """Hold the next key until what is asked for is drawn."""
    app.run_worker(_arrives(app))


async def _arrives(app: MemtuiApp) -> None:
    for _ in range(400):
        shown = app.screen
        if not isinstance(shown, GraphScreen) or (
            shown._target is None and shown._counting is None and (shown._counted or shown.around)
        ):
            return
        await asyncio.sleep(0.005)


def tied() -> FakeWorkspace:
    """The sample with relations of every sort around its second memory."""
    work = sample()
    work.relations[2] = (
        Relation("Ana", "supports", "m", 0.9, "asked for it", 1, 2),
        Relation("m", "contradicts", "app", 0.61, "", 2, 3),
        Relation("call", "derived from", "m", None, "", 5, 2),
        Relation("m", "relates to", "CI", None, "", 2, 4),
        Relation("m", "supersedes", "old", None, "", 2, 8),
        Relation("m", "misses", "Nobody", None, "", 2, None),
    )
    work.relations[3] = (Relation("app", "rests on", "CI", None, "", 3, 4),)
    return work


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (200, 60)])
def test_the_neighbourhood_as_drawn(golden, size: tuple[int, int]) -> None:
    seen = drive(app_on(tied()), "j", "o", "right", size=size)
    golden(f"graph-{size[0]}x{size[1]}", seen)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_neighbourhood_in_light(golden, size: tuple[int, int]) -> None:
    app = app_on(tied())
    ground: list[str] = []
    looks = ("contradicts", "supersedes", "supports", "rests-on")

    def look(app: MemtuiApp) -> None:
        graph = app.screen.query_one("#list")
        ground.append(graph.styles.background.hex)
        # Each sort of relation has a colour of its own, besides its sign and its word.
        assert len({str(graph.get_component_rich_style(f"graph--{name}").color) for name in looks}) == 4

    seen = drive(app, "j", "o", look, "T", "right", look, size=size)
    assert ground[-1] != ground[-2]
    golden(f"graph-{size[0]}x{size[1]}-light", seen)


def test_two_hops_and_what_is_near_as_drawn(golden) -> None:
    golden("graph-far-80x24", drive(app_on(tied()), "j", "o", "H", "N", "right", "down", size=(80, 24)))


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_list_of_the_same(golden, size: tuple[int, int]) -> None:
    golden(f"graph-list-{size[0]}x{size[1]}", drive(app_on(tied()), "j", "o", "L", "j", size=size))


def test_the_clusters_as_listed(golden) -> None:
    golden("graph-whole-80x24", drive(app_on(tied()), "4", size=(80, 24)))


def test_nothing_tied_says_what_to_press(golden) -> None:
    golden("graph-alone-80x24", drive(app_on(sample()), "G", "o", size=(80, 24)))
    assert "nothing is tied to anything" in drive(app_on(FakeWorkspace([], clock=clock)), "4")


def test_one_walks_there_and_back(folder: Path) -> None:
    seen = on(folder, "4", "enter")
    assert "┏━ memtui ━" in seen
    assert all(name in seen for name in ("Ana", "Bo", "Python", "kitty", "∅ Nobody", "↺ itself"))
    seen = on(folder, "4", "enter", "left", "enter")
    assert "┏━ memtui › Ana ━" in seen
    assert "works on" in line_with(seen, "▶ memtui")
    # Further from there, and back step by step to the very line that one left from.
    seen = on(folder, "4", "enter", "left", "down", "enter", "backspace")
    assert "┏━ memtui ━" in seen
    assert "Bo ─ · works on ─▶ memtui" in seen
    seen = on(folder, "4", "enter", "right", "g", "enter", "backspace", "backspace")
    assert "The trail begins here." in seen


def test_enter_in_the_middle_opens_it_or_lists_its_observations(folder: Path) -> None:
    seen = on(folder, "/", *typed("3.12"), "down", "o", "enter")
    assert "is at 3.12" in seen
    assert "esc back" in seen
    seen = on(folder, "4", "enter", "enter")
    assert "[1 Browse]" in seen
    assert "memtui is known" in seen
    assert "more of memtui" in seen
    assert "kitty is known" not in seen


def test_a_relation_is_taken_away_and_comes_back_with_its_bytes(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    seen = on(folder, "4", "enter", "left", "delete")
    assert "Unrelated 1 memory (works on) in graph (memory.jsonl)" in seen
    assert "Ana" not in seen.split("What is highlighted")[0].split("[4 Graph]")[1]
    left = file.read_bytes()
    assert [line for line in before.splitlines() if b'"Ana","to"' not in line] == left.splitlines()
    seen = on(folder, "4", "enter", "u")
    assert "Undone: Unrelated" in seen
    assert file.read_bytes() == before


def test_what_leads_nowhere_and_to_itself_can_be_taken_away(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()

    def at(label: str) -> Callable[[MemtuiApp], object]:
        def go(app: MemtuiApp) -> None:
            graph = app.screen.query_one("#list")
            lines = graph.sides["right"]  # type: ignore[attr-defined]
            place = next(n for n, line in enumerate(lines) if line.edge.node.label == label)
            graph.point(graph.at._replace(side="right", line=place))  # type: ignore[attr-defined]

        return go

    for label, gone in (("Nobody", b"misses"), ("memtui", b'"is"')):
        seen = on(folder, "4", "enter", at(label), "K")
        assert "Not changed" in seen
        seen = on(folder, "4", "enter", at(label), "delete")
        assert "Unrelated 1 memory" in seen, seen
        assert gone not in file.read_bytes()
        on(folder, "u")
        assert file.read_bytes() == before


def test_a_relation_is_changed_where_it_stands(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    seen = on(folder, "4", "enter", "left", "K")
    assert "Changes the relation of the two entities in memory.jsonl, in graph." in seen
    assert "strength, why, text." in seen
    keys = ["tab", *typed("0.8"), "tab", *typed("since May"), "ctrl+s"]
    seen = on(folder, "4", "enter", "left", "K", *keys)
    assert "Changed a relation of 1 memory (works on), kept in memtui" in seen
    assert "0.80" in seen
    assert "told by graph; strength, why kept in memtui" in seen
    assert "“since May”" in seen
    assert "0.80" not in on(folder, "4", "enter", "left", "u")
    assert file.read_bytes() == before
    seen = on(folder, "4", "enter", "left", "K", *["backspace"] * 8, *typed("leads"), "ctrl+s")
    assert "Changed a relation of 1 memory (leads, works on) in graph" in seen
    assert b'"from":"Ana","to":"memtui","relationType":"leads"' in file.read_bytes()
    on(folder, "4", "enter", "u")
    assert file.read_bytes() == before
    on(folder, "4", "enter", "left", "K", "ctrl+r", "ctrl+s")
    assert b'"from":"memtui","to":"Ana","relationType":"works on"' in file.read_bytes()
    on(folder, "4", "enter", "u")
    assert file.read_bytes() == before
    assert "number from 0 to 1" in drive_tie("2")
    seen = on(folder, "4", "enter", "left", "K", "ctrl+s")
    assert "It says so already" in seen
    assert file.read_bytes() == before


def drive_tie(strength: str) -> str:
    """The dialog of a relation that holds a strength, after one was typed."""
    work = tied()
    work.retie_words = lambda *_: "Kept in memtui."  # type: ignore[attr-defined]
    return drive(
        app_on(work), "j", "o", "left", "K", "tab", "ctrl+a", *["delete"] * 4, *typed(strength), "ctrl+s"
    )


def test_a_relation_is_made_with_the_stores_own_words(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    steps = ["4", "enter", "O", *typed("3.12"), "enter"]
    seen = on(folder, *steps)
    assert "works on" in seen  # what the store uses is offered
    seen = on(folder, *steps, *typed("was written in"), "enter", "enter")
    assert "Related 1 memory (was written in) in graph (memory.jsonl)" in seen
    lines = file.read_bytes().splitlines()
    assert lines[:-1] == before.splitlines()
    assert b"was written in" in lines[-1]
    on(folder, "u")
    assert file.read_bytes() == before


def test_an_entity_is_offered_once_whatever_is_typed(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea"), entity("Bo", *(f"went to tea house {n}" for n in range(9)))]
    folder = laid(tmp_path, objects)
    file = folder / "memory.jsonl"
    seen = on(folder, "/", *typed("likes"), "down", "o", "O", *typed("tea"))
    assert seen.count("Bo ") == 1
    assert "9 memories · graph" in seen
    assert seen.count("· graph  ┃") + seen.count("  graph  ┃") == 1  # not to itself
    related = ["enter", *typed("meets"), "enter", "enter"]
    on(folder, "/", *typed("likes"), "down", "o", "O", *typed("tea"), *related)
    assert json.loads(file.read_text().splitlines()[-1]) == relation("Ana", "meets", "Bo")


def test_keys_that_cannot_work_say_why() -> None:
    work = tied()
    assert "no relation is highlighted" in drive(app_on(work), "j", "o", "delete")
    assert "only near in meaning" in drive(app_on(work), "j", "o", "N", "right", "G", "delete")
    assert "A list has no sides" in drive(app_on(work), "j", "o", "L", "right")
    assert "leads back to where you are" in drive(app_on(looped()), "o", "right", "enter")
    assert not work.untied


def looped() -> FakeWorkspace:
    work = FakeWorkspace([memory(1, "alone with itself")], clock=clock)
    spot = Spot(1, "", 1)
    node = Node(spot, "alone with itself", "work", 1)
    work.webs[spot] = Around(node, (Edge("is", True, node, ends=(1, 1)),), 1)
    return work


def test_kinds_are_hidden_and_shown() -> None:
    seen = drive(app_on(tied()), "j", "o", "f")
    assert "✓ ≠ contradicts" in seen
    seen = drive(app_on(tied()), "j", "o", "f", "space", "enter")
    assert "web app" not in seen.split("What is highlighted")[0]
    assert "5 of 6 shown · 1 kind hidden" in seen
    seen = drive(app_on(tied()), "j", "o", "f", "space", "escape")
    assert "6 of 6 shown" in seen


def test_the_cursor_stays_on_its_line_when_the_graph_is_read_again() -> None:
    work = tied()

    def more(app: MemtuiApp) -> None:
        work.relations[2] = (Relation("m", "contradicts", "x", None, "", 2, 6), *work.relations[2])
        app.show_theirs()

    seen = drive(app_on(work), "j", "o", "right", "G", more)
    assert "7 of 7 shown" in seen
    before = drive(app_on(tied()), "j", "o", "right", "G")
    told = [text.split("What is highlighted")[1].splitlines()[1] for text in (before, seen)]
    assert told[0] == told[1]


def test_the_screen_lives_while_the_whole_is_counted() -> None:
    work = tied()
    work.gates["overview"] = threading.Event()
    app = app_on(work)

    async def until(pilot: Pilot[None], *parts: str) -> None:
        for _ in range(1_000):
            await pilot.pause(0.01)
            if all(part in screen(app) for part in parts):
                return
        raise AssertionError(f"never shown: {parts}\n{screen(app)}")

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, "1 of 7")
            await pilot.press("4")
            await until(pilot, "Looking how all hangs together")
            await pilot.press("enter")
            await until(pilot, "The clusters are still being counted.")
            await pilot.press("1")
            await until(pilot, "[1 Browse]", "1 of 7")
            await pilot.press("j")
            await until(pilot, "2 of 7")
            await pilot.press("o")
            await until(pilot, "[4 Graph]", "of 6 shown")
            assert work.waiting == ["overview"]  # it still counts
            work.gates["overview"].set()

    asyncio.run(run())


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_names_and_kinds_are_only_text(number: int) -> None:
    text = HOSTILE[number]
    work = FakeWorkspace([memory(1, text, title=text or None), memory(2, "two")], clock=clock)
    spot = Spot(1, "", 1)
    node = Node(spot, text, text or "s", 1, 3, text, "confirmed", True)
    other = Node(Spot(1, text), text, "s", None, 0)
    edges = [
        Edge(text, way, end, origin, 0.5, text, text, (1, None), times)
        for way in (True, False)
        for end, times in ((node, 1), (other, 2))
        for origin in Origin
    ]
    work.webs[spot] = Around(node, tuple(edges), 99, {other.spot: tuple(edges[:2])})

    def look(app: MemtuiApp) -> None:
        seen = screen(app)
        assert not bad(seen), bad(seen)
        assert not app._exit

    keys = [
        "o",
        "left",
        "down",
        "right",
        "right",
        "K",
        "escape",
        "delete",
        "L",
        "j",
        "f",
        "escape",
        "L",
        "enter",
        "/",
        "escape",
        "O",
        "escape",
        "W",
    ]
    app = app_on(work)
    drive(app, look, *(step for key in keys for step in (key, look)), (80, 24), look, (40, 10), look)


def test_a_thousand_neighbours_are_reached(tmp_path: Path) -> None:
    many = [entity(f"n{n:04}", f"says {n}") for n in range(1_200)]
    folder = laid(
        tmp_path, [entity("hub", "one"), *many, *(relation("hub", "has", f"n{n:04}") for n in range(1_200))]
    )
    seen = on(folder, "4", "enter", "right", "G", size=(80, 24))
    assert "n1199" in seen
    assert "↑ 1 190 more" in seen
    seen = on(folder, "4", "enter", "right", "G", "enter", size=(80, 24))
    assert "┏━ hub › n1199 ━" in seen


def test_the_busiest_entity_of_a_real_sized_graph_is_readable_at_80x24(tmp_path: Path) -> None:
    folder = laid(tmp_path, graphs.made())
    seen = on(folder, "4", "enter", size=(80, 24))
    assert "38 of 38 shown" in seen
    labels: set[str] = set()
    app = MemtuiApp(lambda: Workspace.open(folder / "w.db", clock=clock), clock=clock)

    def note(app: MemtuiApp) -> None:
        edge = app.screen.edge  # type: ignore[attr-defined]
        about = screen(app).split("What is highlighted")[1]
        assert edge.node.label in about
        drawn = screen(app).split("What is highlighted")[0]
        assert edge.node.label in drawn
        labels.add(f"{edge.kind} {edge.out} {edge.node.label}")

    drive(
        app, "4", arrived, "enter", arrived, "left", "g", *[note, "down"] * 20, "right", "right", "g",
        *[note, "down"] * 26, size=(80, 24),
    )  # fmt: skip
    assert len(labels) == 38


def test_o_shows_what_it_was_pressed_on_whatever_was_shown_before(folder: Path) -> None:
    """Also when the screen is read again at the same moment; and keys act on what is drawn."""
    seen = on(folder, "/", *typed("3.12"), "down", "o")
    assert "┏━ Python ━" in seen
    seen = on(
        folder,
        "/",
        *typed("3.12"),
        "down",
        "o",
        "1",
        "/",
        *["backspace"] * 4,
        *typed("Ana known"),
        "down",
        "o",
    )
    assert "┏━ Ana ━" in seen
    seen = on(folder, "4", "enter", "1", "G", "o", "1", "g", "o", "8", "4")
    assert "┏━ Python ━" in seen


def test_find_walks_there_from_within_and_back_again(folder: Path) -> None:
    seen = on(folder, "4", "enter", "/", *typed("3.12"), "enter")
    assert "┏━ memtui › Python ━" in seen
    assert "is at 3.12" in seen
    seen = on(folder, "4", "enter", "/", *typed("3.12"), "enter", "backspace")
    assert "┏━ memtui ━" in seen


def test_relations_that_an_agent_changes_are_news_and_r_loads_them(folder: Path) -> None:
    file = folder / "memory.jsonl"

    def agent(app: MemtuiApp) -> None:
        file.write_text(f"{file.read_text().rstrip()}\n{json.dumps(relation('Ana', 'teaches', 'kitty'))}\n")

    def told(app: MemtuiApp) -> None:
        app.run_worker(_until(lambda: app.news == 1))

    seen = on(folder, "4", "enter", agent, told)
    assert "● 1 new" in seen
    seen = on(folder, "4", "enter", agent, told, "r")
    assert "Loaded 1 relation changed in graph." in seen


async def _until(so: Callable[[], bool]) -> None:
    for _ in range(1_000):
        if so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def test_enter_takes_only_what_goes_with_the_text() -> None:
    work = tied()
    work.gates["nodes"] = threading.Event()
    app = app_on(work)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            await _until(lambda: "1 of 7" in screen(app))
            await pilot.press("O")
            await _until(lambda: "Relate to which memory?" in screen(app))
            await pilot.press(*"kitty", "enter")
            await pilot.pause(0.05)
            assert "Relate to which memory?" in screen(app)
            work.gates["nodes"].set()
            await _until(lambda: "How are they related?" in screen(app))
            assert "kitty" in line_with(screen(app), " → ")

    asyncio.run(run())


def test_news_while_walking_loses_no_step(folder: Path) -> None:
    def news(app: MemtuiApp) -> None:
        app.screen.action_walk()  # type: ignore[attr-defined]
        app.show_theirs()
        app.screen.action_walk()  # type: ignore[attr-defined]

    seen = on(folder, "4", "enter", "left", news)
    assert "┏━ memtui › Ana ━" in seen


def test_esc_goes_back_the_way_one_came(folder: Path) -> None:
    assert "┏━ Clusters ━" in on(folder, "4", "enter", "escape")
    assert "[1 Browse]" in on(folder, "/", *typed("3.12"), "down", "o", "escape")
    assert "┏━ memtui ━" in on(folder, "4", "enter", "left", "enter", "escape")


def test_after_a_change_the_highlight_is_still_on_that_memory(folder: Path) -> None:
    def ends(app: MemtuiApp) -> str:
        return str(app.screen.edge.node.label)  # type: ignore[attr-defined]

    labels: list[str] = []
    on(
        folder,
        "4",
        "enter",
        "left",
        lambda a: labels.append(ends(a)),
        "K",
        "ctrl+r",
        "ctrl+s",
        lambda a: labels.append(ends(a)),
    )
    assert labels[0] == labels[1]
    on(folder, "u")
    on(folder, "4", "enter", "left", "K", *typed("x"), "ctrl+s", lambda a: labels.append(ends(a)))
    assert labels[2] == labels[0]
    file = (folder / "memory.jsonl").read_bytes()
    assert b"works onx" in file


def test_the_dialog_takes_just_that_relation_away(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes().splitlines()
    seen = on(folder, "4", "enter", "right", "g", "K", "ctrl+d")
    assert "Unrelated 1 memory (contradicts)" in seen
    assert [line for line in before if line not in file.read_bytes().splitlines()] == [
        line for line in before if b"contradicts" in line
    ]


def test_first_and_last_from_the_middle_are_first_and_last(folder: Path) -> None:
    at: list[object] = []
    on(folder, "4", "enter", "G", lambda a: at.append(a.screen.query_one("#list").at))  # type: ignore[attr-defined]
    on(folder, "4", "enter", "g", lambda a: at.append(a.screen.query_one("#list").at))  # type: ignore[attr-defined]
    assert at == [("right", 3), ("right", 0)]


def test_names_that_no_search_can_spell_are_listed_all_the_same(tmp_path: Path) -> None:
    name = 'The "big" one \x1b[31m'
    folder = laid(
        tmp_path, [entity(name, "says hello", "says bye"), entity("x"), relation("x", "knows", name)]
    )
    seen = on(folder, "/", *typed("hello"), "down", "o", "enter")
    assert "[1 Browse]" in seen
    assert "says hello" in seen
    assert "says bye" in seen
