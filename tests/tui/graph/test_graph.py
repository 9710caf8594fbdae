"""Graph: walked by keys from memory to memory, changed where it stands, whatever stands there (SPEC 9)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.graph.model import Around, Edge, Node, Origin, Spot
from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.layout import Cursor
from memtui.tui.graph.relation_dialog import RelationDialog
from memtui.tui.graph.screen import GraphScreen
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Look, Shots, Step, app_on, drive, line_with, screen, typed
from tests.support.demo_workspace import copy_of
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.hostile.memories import HOSTILE, bad
from tests.support.sizes import FULL, rounds, turn
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation
from tests.support.waiting.threads import until, until_shown

Golden = Callable[[str, str], None]

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
READING = {"1", "4", "8", "W", "backspace", "ctrl+d", "ctrl+s", "delete", "enter", "escape", "o", "r", "u"}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace over one graph, in memory.jsonl."""
    return workspace_in(tmp_path_factory.mktemp("graph"), OBJECTS)


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of that workspace."""
    return copy_of(template, tmp_path)


def workspace_in(folder: Path, objects: list[dict[str, object]]) -> Path:
    place = graphs.place(folder, objects)
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(place, "graph")
    workspace.close()
    return folder


def on(folder: Path, *steps: Step, size: tuple[int, int] = (80, 24)) -> str:
    """Drive the app over the workspace in a folder."""
    app = MemtuiApp(lambda: Workspace.open(folder / "w.db", clock=clock), clock=clock)
    return drive(app, *(each for step in steps for each in (step, *_waits(step))), size=size)


def _waits(step: Step) -> tuple[Step, ...]:
    reads = step in READING if isinstance(step, str) else callable(step)
    return (graph_is_read,) if reads else ()


def graph_is_read(app: MemtuiApp) -> None:
    """A step that waits until what was asked for is on the screen."""
    app.run_worker(until(lambda: _is_read(app)))


def _is_read(app: MemtuiApp) -> bool:
    shown = app.screen
    return not isinstance(shown, GraphScreen) or (
        shown._target is None and shown._cancel_count is None and bool(shown._up_to_date or shown.around)
    )


def graph_screen(app: MemtuiApp) -> GraphScreen:
    """The Graph screen, under a dialog too."""
    return next(each for each in app.screen_stack if isinstance(each, GraphScreen))


def drawn(seen: str) -> str:
    """The part of the screen above the pane that describes the highlighted relation."""
    return seen.split("What is highlighted")[0]


def cursor_on(label: str) -> Callable[[MemtuiApp], None]:
    """A step that puts the cursor on what leads from the middle to a label."""

    def move_to(app: MemtuiApp) -> None:
        graph = graph_screen(app).graph
        lines = [line.edge.node.label for line in graph.sides["right"]]
        graph.move_to(Cursor("right", lines.index(label)))

    return point


def highlights(label: str) -> Callable[[MemtuiApp], None]:
    """A step that checks which neighbour is highlighted."""

    def check(app: MemtuiApp) -> None:
        edge = graph_screen(app).edge
        assert edge is not None
        assert edge.node.label == label

    return check


def related() -> FakeWorkspace:
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


def test_the_neighbourhood_is_drawn_at_every_size(golden: Golden) -> None:
    shots = Shots()
    # → goes to the line that is drawn nearest to the middle.
    steps: list[Step] = [(80, 24), "left", "right", shots, (200, 60), "left", "right", shots]
    drive(app_on(related()), "j", "o", "right", shots, *steps)
    for size, seen in zip(("120x36", "80x24", "200x60"), shots, strict=True):
        golden(f"graph-{size}", seen)


def test_the_neighbourhood_in_a_light_theme(golden: Golden) -> None:
    grounds: list[str] = []
    looks = ("contradicts", "supersedes", "supports", "rests-on")

    @Look
    def look(app: MemtuiApp) -> None:
        graph = graph_screen(app).graph
        grounds.append(graph.styles.background.hex)
        # Each sort of relation has a colour of its own, besides its sign and its word.
        assert len({str(graph.get_component_rich_style(f"graph--{name}").color) for name in looks}) == 4

    shots = Shots()
    drive(app_on(related()), "j", "o", look, "T", "right", look, shots, (80, 24), "left", "right", shots)
    assert grounds[0] != grounds[1]
    golden("graph-120x36-light", shots[0])
    golden("graph-80x24-light", shots[1])


def test_two_hops_and_what_is_near_in_meaning_are_drawn(golden: Golden) -> None:
    seen = drive(app_on(related()), "j", "o", "H", "N", "right", "down", size=(80, 24))
    assert "2 hops" in seen
    assert "near in meaning" in seen
    golden("graph-far-80x24", seen)


def test_the_same_relations_as_a_list(golden: Golden) -> None:
    shots = Shots()
    drive(app_on(related()), "j", "o", "L", "j", shots, (80, 24), "k", "j", shots)
    golden("graph-list-120x36", shots[0])
    golden("graph-list-80x24", shots[1])


def test_it_opens_where_most_is_tied_together_until_a_memory_is_chosen(folder: Path) -> None:
    shots = Shots()
    on(folder, "4", shots, "W", shots, "escape", "4", shots)
    hub, clusters, again = shots
    assert "┏━ memtui ━" in hub
    assert "Ana" in drawn(hub)
    assert "┏━ Clusters ━" in clusters
    assert "┏━ Clusters ━" in again, "as it was left"


def test_the_clusters_are_listed(golden: Golden) -> None:
    golden("graph-whole-80x24", drive(app_on(related()), "4", "W", size=(80, 24)))


def test_a_memory_without_relations_says_what_to_press(golden: Golden) -> None:
    golden("graph-alone-80x24", drive(app_on(sample()), "G", "o", size=(80, 24)))


def test_an_empty_workspace_has_nothing_to_relate() -> None:
    assert "nothing is tied to anything" in drive(app_on(FakeWorkspace([], clock=clock)), "4", "W")


def test_enter_walks_there_and_backspace_walks_back(folder: Path) -> None:
    shots = Shots()
    on(
        folder,
        "4", "W", "enter", shots,
        "left", "enter", shots,
        # Back is the very line that one left from.
        "backspace", "down", "enter", "backspace", shots, highlights("Bo"),
        "right", "right", "g", "enter", shots, "backspace", shots, "backspace", shots,
        size=(120, 36),
    )  # fmt: skip
    first, ana, back, kitty, again, end = shots
    assert "┏━ memtui ━" in first
    assert all(name in first for name in ("Ana", "Bo", "Python", "kitty", "∅ Nobody", "↺ itself"))
    assert "┏━ memtui › Ana ━" in ana
    assert "works on" in line_with(ana, "▶ memtui")
    assert "┏━ memtui ━" in back
    assert "Bo ─ · works on ─▶ memtui" in back
    assert "┏━ memtui › kitty ━" in kitty
    assert "The trail begins here." not in again
    assert "The trail begins here." in end


def test_enter_in_the_middle_opens_a_memory_and_lists_an_entitys_observations(folder: Path) -> None:
    shots = Shots()
    on(folder, "/", *typed("3.12"), "down", "o", "enter", shots, "escape", "W", "enter", "enter", shots)
    assert "is at 3.12" in shots[0]
    assert "esc back" in shots[0]
    assert "[1 Browse]" in shots[1]
    assert "memtui is known" in shots[1]
    assert "more of memtui" in shots[1]
    assert "kitty is known" not in shots[1]


def test_a_relation_is_taken_away_and_comes_back_with_its_bytes(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()

    def only_it_is_gone(app: MemtuiApp) -> None:
        left = file.read_bytes().splitlines()
        assert left == [line for line in before.splitlines() if b'"Ana","to"' not in line]

    on(folder, "4", "W", "enter", "left", "delete", shots, only_it_is_gone, "u", shots)
    assert "Unrelated 1 memory (works on) in graph (memory.jsonl)" in shots[0]
    assert "Ana" not in drawn(shots[0]).split("[4 Graph]")[1]
    assert "Undone: Unrelated" in shots[1]
    assert "Ana" in drawn(shots[1]).split("[4 Graph]")[1]
    assert file.read_bytes() == before


def test_what_leads_nowhere_and_to_itself_can_only_be_taken_away(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    relations = (("Nobody", b"misses"), ("memtui", b'"is"'))
    left: list[bytes] = []
    shots = Shots()

    @Look
    def note(app: MemtuiApp) -> None:
        left.append(file.read_bytes())

    steps: list[Step] = []
    for label, _ in relations:
        steps += [cursor_on(label), "K", shots, "delete", shots, note, "u", note]
    on(folder, "4", "W", "enter", *steps)
    for n, (label, kind) in enumerate(relations):
        assert "Not changed" in shots[2 * n], label
        assert "Unrelated 1 memory" in shots[2 * n + 1], label
        assert kind in before, label
        assert kind not in left[2 * n], label
        assert left[2 * n + 1] == before, label


def test_a_relation_is_changed_in_its_file_or_beside_it_and_stays_highlighted(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()

    def unchanged(app: MemtuiApp) -> None:
        assert file.read_bytes() == before

    def holds(line: bytes) -> Callable[[MemtuiApp], None]:
        def check(app: MemtuiApp) -> None:
            assert line in file.read_bytes()

        return check

    on(
        folder,
        "4", "W", "enter", "left", highlights("Ana"), "K", shots,
        "tab", *typed("0.8"), "tab", *typed("May"), "ctrl+s", shots, "u", shots, unchanged,
        highlights("Ana"), "K", "ctrl+u", *typed("leads"), "ctrl+s", shots,
        holds(b'"from":"Ana","to":"memtui","relationType":"leads"'), "u", unchanged,
        highlights("Ana"), "K", "ctrl+r", "ctrl+s",
        holds(b'"from":"memtui","to":"Ana","relationType":"works on"'), highlights("Ana"), "u", unchanged,
        "K", "x", "ctrl+s", highlights("Ana"), holds(b"works onx"), "u", unchanged,
        highlights("Ana"), "K", "ctrl+s", shots, unchanged,
    )  # fmt: skip
    asked, kept, undone, written, same = shots
    assert "Changes the relation of the two entities in memory.jsonl, in graph." in asked
    assert "strength, why, text." in asked
    assert "Changed a relation of 1 memory (works on), kept in memtui" in kept
    assert "0.80" in kept
    assert "told by graph; strength, why kept in memtui" in kept
    assert "“May”" in kept
    assert "0.80" not in undone
    assert "Changed a relation of 1 memory (leads, works on) in graph" in written
    assert "It says so already" in same


def test_a_strength_is_a_number_from_0_to_1() -> None:
    steps = ["j", "o", "left", "K", "tab", "ctrl+a", *["delete"] * 4, "2", "ctrl+s"]
    assert "number from 0 to 1" in drive(app_on(related()), *steps)


def test_a_relation_is_made_with_the_stores_own_words_and_undone_at_the_next_start(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shots = Shots()
    steps: list[Step] = ["enter", shots, *typed("was seen in"), "enter", "enter", shots]
    on(folder, "4", "W", "enter", "O", *typed("3.12"), *steps)
    assert "works on" in shots[0]  # what the store uses is offered
    assert "Related 1 memory (was seen in) in graph (memory.jsonl)" in shots[1]
    lines = file.read_bytes().splitlines()
    assert lines[:-1] == before.splitlines()
    assert b"was seen in" in lines[-1]
    on(folder, "u")
    assert file.read_bytes() == before


def test_an_entity_is_offered_once_and_never_to_itself(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea"), entity("Bo", *(f"went to tea house {n}" for n in range(9)))]
    folder = workspace_in(tmp_path, objects)
    shots = Shots()
    steps = ["/", *typed("likes"), "down", "o", "O", *typed("tea")]
    on(folder, *steps, shots, "enter", *typed("meets"), "enter", "enter")
    offers = [line for line in shots[0].splitlines() if "· graph" in line]
    assert len(offers) == 1
    assert "Bo " in offers[0]
    assert "9 memories · graph" in offers[0]
    last = (folder / "memory.jsonl").read_text().splitlines()[-1]
    assert json.loads(last) == relation("Ana", "meets", "Bo")


def test_keys_that_cannot_work_say_why() -> None:
    work = related()
    work.relations[2] = (*work.relations[2], Relation("m", "is", "m", None, "", 2, 2))
    shots = Shots()
    drive(
        app_on(work),
        "j", "o", "delete", shots,
        "right", cursor_on("memtui targets Python 3.12"), "enter", shots,
        "N", "G", "delete", shots,
        "L", "right", shots,
    )  # fmt: skip
    assert "no relation is highlighted" in shots[0]
    assert "leads back to where you are" in shots[1]
    assert "only near in meaning" in shots[2]
    assert "A list has no sides" in shots[3]
    assert not work.untied


def test_kinds_are_hidden_and_shown() -> None:
    shots = Shots()
    # esc leaves all as it was, ⏎ hides what was unchosen.
    steps: list[Step] = ["f", shots, "space", "escape", shots, "f", "space", "enter", shots]
    drive(app_on(related()), "j", "o", *steps)
    assert "✓ ≠ contradicts" in shots[0]
    assert "6 of 6 shown" in shots[1]
    assert "memtui is a web" in drawn(shots[1])
    assert "memtui is a web" not in drawn(shots[2])
    assert "5 of 6 shown · 1 kind hidden" in shots[2]


def test_the_cursor_stays_on_its_line_when_the_graph_is_read_again() -> None:
    work = related()
    shots = Shots()

    def more(app: MemtuiApp) -> None:
        work.relations[2] = (Relation("m", "contradicts", "x", None, "", 2, 6), *work.relations[2])
        app.reload_all()

    drive(app_on(work), "j", "o", "right", "G", shots, more, shots)
    assert "6 of 6 shown" in shots[0]
    assert "7 of 7 shown" in shots[1]
    described = [seen.split("What is highlighted")[1].splitlines()[1] for seen in shots]
    assert described[0] == described[1]
    assert "relates to" in described[0]


def test_the_screen_lives_while_the_whole_is_counted() -> None:
    work = related()
    work.gates["overview"] = threading.Event()
    app = app_on(work)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await until_shown(app, "1 of 7")
            await pilot.press("4", "W")
            await until_shown(app, "Looking how all hangs together")
            await pilot.press("enter")
            await until_shown(app, "The clusters are still being counted.")
            await pilot.press("1")
            await until_shown(app, "[1 Browse]", "1 of 7")
            await pilot.press("j")
            await until_shown(app, "2 of 7")
            await pilot.press("o")
            await until_shown(app, "[4 Graph]", "of 6 shown")
            assert work.waiting == ["overview"]  # it still counts
            work.gates["overview"].set()

    asyncio.run(run())


def hostile_web() -> FakeWorkspace:
    """A hub whose neighbours are the hostile texts, each the name and the kind of a relation and more; the
    hub is found last."""
    texts = [text[: rounds(25_000, len(text))] for text in HOSTILE]
    work = FakeWorkspace(
        [memory(n, text, title=text or None) for n, text in enumerate(texts, 1)], clock=clock
    )
    hub = len(HOSTILE) + 1
    work.memories[hub] = memory(hub, "the hub")
    centre = Node(Spot(1, "", hub), "the hub", "work", hub)
    computed = (Origin.KEPT, Origin.FIELD, Origin.FOUND, Origin.NEAR)
    edges = []
    for id, text in enumerate(texts, 1):
        node = Node(Spot(1, "", id), text, text or "s", id, 3, text, "confirmed", True)
        name = Node(Spot(1, f"{id}{text}"), text, "s", None, 0)
        origin = computed[id % len(computed)]
        told = Edge(text, False, node, Origin.STORE, 0.5, text, text, (id, hub))
        other = Edge(text, True, name, origin, 0.5, text, text, (hub, None), 2)
        edges += [told, other]
        back = [Edge(text, out, node, told.origin, 0.5, text, text, (id, id)) for out in (True, False)]
        work.webs[node.spot] = Around(node, (*back, other, told), 99, {name.spot: (told, other)})
    work.webs[centre.spot] = Around(centre, tuple(edges), 99, {edges[1].node.spot: tuple(edges[:2])})
    return work


def test_hostile_names_and_kinds_are_only_text() -> None:
    asked: list[bool] = []
    looked_through: set[str] = set()

    @Look
    def look(app: MemtuiApp) -> None:
        lines = set(screen(app).splitlines()) - looked_through
        for line in lines:
            assert not bad(line), (line, bad(line))
        looked_through.update(lines)
        assert not app._exit

    def dialog(app: MemtuiApp) -> None:
        asked.append(isinstance(app.screen, RelationDialog))

    def looked_at(*keys: str) -> list[Step]:
        return [step for key in keys for step in (key, look)]

    def sizes(number: int) -> list[Step]:
        """Other sizes, some of them at each place, and back."""
        return [step for size in (*turn([(40, 10), (120, 36)], number, 2), (80, 24)) for step in (size, look)]

    many = len(HOSTILE)
    walk: list[Step] = []
    edited = 0
    for n in range(many):
        # Each text is highlighted, and some are edited, or taken away and walked to.
        edits: list[Step] = [*looked_at("K"), dialog, "escape"]
        leaves: list[Step] = [*looked_at("delete", "enter"), "backspace"]
        done = turn([edits, [], leaves], n, 3)
        edited += edits in done
        walk += [*looked_at(*(["down"] if n else [])), *(step for steps in done for step in steps)]
    drive(
        app_on(hostile_web()),
        *looked_at("G", "o"),
        *sizes(0),
        *looked_at("left", "g"),
        *walk,
        *looked_at("O", "escape", "right", "right", "g", *["down"] * (many - 1)),
        *looked_at("L", "j"),
        *sizes(1),
        *looked_at("f"),
        *sizes(2),
        *looked_at("escape", "L", "/"),
        *sizes(3),
        *looked_at("escape", "left", "enter", "1", "4", "W"),
        *sizes(0),
        size=(80, 24),
    )
    assert asked == [True] * edited
    assert edited >= (many if FULL else many // 3)


def test_a_thousand_neighbours_are_reached(tmp_path: Path) -> None:
    many = [entity(f"n{n:04}", f"says {n}") for n in range(1_200)]
    ties = (relation("hub", "has", f"n{n:04}") for n in range(1_200))
    folder = workspace_in(tmp_path, [entity("hub", "one"), *many, *ties])
    shots = Shots()
    on(folder, "4", "W", "enter", "right", "G", shots, "enter", shots, size=(80, 24))
    assert "n1199" in shots[0]
    assert "↑ 1 190 more" in shots[0]
    assert "┏━ hub › n1199 ━" in shots[1]


def test_the_busiest_entity_of_a_real_sized_graph_is_readable_at_80x24(tmp_path: Path) -> None:
    folder = workspace_in(tmp_path, graphs.made())
    labels: set[str] = set()
    shots = Shots()

    @Look
    def note(app: MemtuiApp) -> None:
        edge = graph_screen(app).edge
        assert edge is not None
        labels.add(f"{edge.kind} {edge.out} {edge.node.label}")
        if FULL or len(labels) % 3 == 1:  # the drawing is looked at for some of them
            above, below = screen(app).split("What is highlighted")
            assert edge.node.label in above
            assert edge.node.label in below

    down: list[Step] = ["down", note]
    left, right = ["left", "g", note, *(down * 19)], ["right", "right", "g", note, *(down * 25)]
    on(folder, "4", "W", "enter", shots, *left, *right, size=(80, 24))
    assert "38 of 38 shown" in shots[0]
    assert len(labels) == 38


def test_o_shows_what_it_was_pressed_on_whatever_was_shown_before(folder: Path) -> None:
    """Also when the screen is read again at the same moment; and keys act on what is drawn."""
    shots = Shots()
    on(
        folder,
        "/", *typed("3.12"), "down", "o", shots,
        "1", "/", "ctrl+u", *typed("Ana kn"), "down", "o", shots,
        "1", "escape", "G", "o", "1", "g", "o", "8", "4", shots,
    )  # fmt: skip
    assert "┏━ Python ━" in shots[0]
    assert "┏━ Ana ━" in shots[1]
    assert "┏━ Python ━" in shots[2]


def test_relations_that_an_agent_changes_are_news_and_r_loads_them(folder: Path) -> None:
    file = folder / "memory.jsonl"
    shots = Shots()

    def agent(app: MemtuiApp) -> None:
        file.write_text(f"{file.read_text().rstrip()}\n{json.dumps(relation('Ana', 'teaches', 'kitty'))}\n")

    def news_came(app: MemtuiApp) -> None:
        app.run_worker(until(lambda: app.news == 1))

    on(folder, "4", "W", "enter", agent, news_came, shots, "r", shots)
    assert "● 1 new" in shots[0]
    assert "Loaded 1 relation changed in graph." in shots[1]


def test_enter_takes_only_what_goes_with_the_text() -> None:
    work = related()
    work.gates["nodes"] = threading.Event()
    app = app_on(work)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            await until_shown(app, "1 of 7")
            await pilot.press("O")
            await until_shown(app, "Relate to which memory?")
            await pilot.press(*"kitty", "enter")
            await pilot.pause(0.05)
            assert "Relate to which memory?" in screen(app)
            work.gates["nodes"].set()
            await until_shown(app, "How are they related?")
            assert "kitty" in line_with(screen(app), " → ")

    asyncio.run(run())


def test_find_walks_there_from_within_and_back_and_news_while_walking_loses_no_step(folder: Path) -> None:
    shots = Shots()

    def news(app: MemtuiApp) -> None:
        graph_screen(app).action_walk()
        app.reload_all()
        graph_screen(app).action_walk()

    steps: list[Step] = ["/", *typed("3.12"), "enter", shots, "backspace", shots]
    last = on(folder, "4", "W", "enter", *steps, "left", "left", news)
    assert "┏━ memtui › Python ━" in shots[0]
    assert "is at 3.12" in shots[0]
    assert "┏━ memtui ━" in shots[1]
    assert "┏━ memtui › Ana ━" in last


def test_esc_goes_back_the_way_one_came(folder: Path) -> None:
    shots = Shots()
    on(
        folder,
        "4", "W", "enter", "left", "enter", "escape", shots, "escape", shots, "escape",
        "/", *typed("3.12"), "down", "o", shots, "escape", shots,
    )  # fmt: skip
    assert "┏━ memtui ━" in shots[0]
    assert "┏━ Clusters ━" in shots[1]
    assert "┏━ Python ━" in shots[2]
    assert "[1 Browse]" in shots[3]


def test_first_and_last_are_so_from_the_middle_and_the_dialog_takes_one_relation_away(folder: Path) -> None:
    file = folder / "memory.jsonl"
    before = file.read_bytes().splitlines()
    places: list[Cursor] = []

    @Look
    def note(app: MemtuiApp) -> None:
        places.append(graph_screen(app).graph.cursor)

    seen = on(folder, "4", "W", "enter", "G", note, "left", note, "g", note, "K", "ctrl+d")
    assert places == [("right", 3), ("middle", 0), ("right", 0)]
    assert "Unrelated 1 memory (contradicts)" in seen
    assert file.read_bytes().splitlines() == [line for line in before if b"contradicts" not in line]


def test_names_that_no_search_can_spell_are_listed_all_the_same(tmp_path: Path) -> None:
    name = 'The "big" one \x1b[31m'
    objects = [entity(name, "says hello", "says bye"), entity("x"), relation("x", "knows", name)]
    seen = on(workspace_in(tmp_path, objects), "/", *typed("hello"), "down", "o", "enter")
    assert "[1 Browse]" in seen
    assert "says hello" in seen
    assert "says bye" in seen
