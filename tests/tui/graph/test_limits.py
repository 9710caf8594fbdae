"""The Graph screen with hostile texts and very many relations (SPEC 9, S-92)."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.graph.model import Edge, Neighborhood, Node, NodeKey, Origin
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.relation_dialog import RelationDialog
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, screen_text, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.hostile.memories import HOSTILE, unsafe_characters
from tests.support.sizes import FULL, rounds, shard
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation
from tests.tui.graph.driver import (
    drive_graph,
    graph_screen,
    workspace_in,
)


def hostile_graph() -> FakeWorkspace:
    """Return a hub whose neighbors are the hostile texts, each as name, as kind of a relation and in other
    fields; the hub is listed last."""
    texts = [text[: rounds(25_000, len(text))] for text in HOSTILE]
    work = FakeWorkspace(
        [memory(n, text, title=text or None) for n, text in enumerate(texts, 1)], clock=clock
    )
    hub = len(HOSTILE) + 1
    work.memories[hub] = memory(hub, "the hub")
    centre = Node(NodeKey(1, "", hub), "the hub", "work", hub)
    computed = (Origin.LOCAL, Origin.FIELD, Origin.SCAN, Origin.SIMILAR)
    edges = []
    for id, text in enumerate(texts, 1):
        node = Node(NodeKey(1, "", id), text, text or "s", id, 3, text, "confirmed", True)
        name = Node(NodeKey(1, f"{id}{text}"), text, "s", None, 0)
        origin = computed[id % len(computed)]
        stored = Edge(text, False, node, Origin.STORE, 0.5, text, text, (id, hub))
        other = Edge(text, True, name, origin, 0.5, text, text, (hub, None), 2)
        edges += [stored, other]
        back = [Edge(text, out, node, stored.origin, 0.5, text, text, (id, id)) for out in (True, False)]
        work.neighborhoods[node.key] = Neighborhood(
            node, (*back, other, stored), 99, {name.key: (stored, other)}
        )
    work.neighborhoods[centre.key] = Neighborhood(
        centre, tuple(edges), 99, {edges[1].node.key: tuple(edges[:2])}
    )
    return work


def test_hostile_names_and_kinds_are_drawn_as_plain_text() -> None:
    in_dialog: list[bool] = []
    checked: set[str] = set()

    @Probe
    def check(app: MemtuiApp) -> None:
        lines = set(screen_text(app).splitlines()) - checked
        for line in lines:
            assert not unsafe_characters(line), (line, unsafe_characters(line))
        checked.update(lines)
        assert not app._exit

    def note_dialog(app: MemtuiApp) -> None:
        in_dialog.append(isinstance(app.screen, RelationDialog))

    def press_and_check(*keys: str) -> list[Step]:
        return [step for key in keys for step in (key, check)]

    def sizes(number: int) -> list[Step]:
        """Return steps that resize to some other sizes and back."""
        return [
            step for size in (*shard([(40, 10), (120, 36)], number, 2), (80, 24)) for step in (size, check)
        ]

    count = len(HOSTILE)
    walk: list[Step] = []
    edited = 0
    for n in range(count):
        # Each text is highlighted; some are edited, others removed and visited.
        edits: list[Step] = [*press_and_check("C"), note_dialog, "escape"]
        visits: list[Step] = [*press_and_check("delete", "enter"), "backspace"]
        done = shard([edits, [], visits], n, 3)
        edited += edits in done
        walk += [*press_and_check(*(["down"] if n else [])), *(step for steps in done for step in steps)]
    drive(
        app_on(hostile_graph()),
        *press_and_check("G", "o"),
        *sizes(0),
        *press_and_check("left", "g"),
        *walk,
        *press_and_check("O", "escape", "right", "right", "g", *["down"] * (count - 1)),
        *press_and_check("L", "j"),
        *sizes(1),
        *press_and_check("f"),
        *sizes(2),
        *press_and_check("escape", "L", "/"),
        *sizes(3),
        *press_and_check("escape", "left", "enter", "1", "4", "W"),
        *sizes(0),
        size=(80, 24),
    )
    assert in_dialog == [True] * edited
    assert edited >= (count if FULL else count // 3)


def test_a_thousand_neighbors_can_be_reached(tmp_path: Path) -> None:
    many = [entity(f"n{n:04}", f"says {n}") for n in range(1_200)]
    relations = (relation("hub", "has", f"n{n:04}") for n in range(1_200))
    folder = workspace_in(tmp_path, [entity("hub", "one"), *many, *relations])
    shots = Shots()
    drive_graph(folder, "4", "W", "enter", "right", "G", shots, "enter", shots, size=(80, 24))
    assert "n1199" in shots[0]
    assert "↑ 1,190 more" in shots[0]
    assert "┏━ hub › n1199 ━" in shots[1]


def test_the_most_related_entity_of_a_large_graph_is_readable_at_80x24(tmp_path: Path) -> None:
    folder = workspace_in(tmp_path, graphs.random_graph())
    labels: set[str] = set()
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        edge = graph_screen(app).edge
        assert edge is not None
        labels.add(f"{edge.kind} {edge.out} {edge.node.label}")
        if FULL or len(labels) % 6 == 1:  # the drawing is checked for some of them
            above, below = screen_text(app).split("─ Selected ─")
            assert edge.node.label in above
            assert edge.node.label in below

    down: list[Step] = ["down", note]
    left, right = ["left", "g", note, *(down * 19)], ["right", "right", "g", note, *(down * 25)]
    drive_graph(folder, "4", "W", "enter", shots, *left, *right, size=(80, 24))
    assert "38 of 38 shown" in shots[0]
    assert len(labels) == 38


def test_observations_of_an_entity_with_a_hostile_name_are_listed(tmp_path: Path) -> None:
    name = 'The "big" one \x1b[31m'
    objects = [entity(name, "says hello", "says bye"), entity("x"), relation("x", "knows", name)]
    seen = drive_graph(workspace_in(tmp_path, objects), "/", *typed("hello"), "down", "o", "enter")
    assert "[1Browse]" in seen
    assert "says hello" in seen
    assert "says bye" in seen
