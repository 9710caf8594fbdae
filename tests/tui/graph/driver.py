"""Drives the Graph screen over a store with relations, or over the sample workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.layout import Cursor
from memtui.tui.graph.screen import GraphScreen
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Step, drive
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.stores import graphs
from tests.support.waiting.threads import wait_until

LOADING_KEYS = frozenset("1 4 8 W backspace ctrl+d ctrl+s delete enter escape o r u".split())


def workspace_in(folder: Path, objects: list[dict[str, object]]) -> Path:
    """Create a workspace with one store that has these entities and relations; return the folder."""
    file = graphs.write_graph(folder, objects)
    workspace = Workspace.open(folder / "w.db", clock=clock)
    workspace.attach(file, "graph")
    workspace.close()
    return folder


def drive_graph(folder: Path, *steps: Step, size: tuple[int, int] = (80, 24)) -> str:
    """Run steps on the workspace in a folder, waiting after those that load something; return the screen."""
    app = MemtuiApp(lambda: Workspace.open(folder / "w.db", clock=clock), clock=clock)
    return drive(app, *(each for step in steps for each in (step, *_waits(step))), size=size)


def _waits(step: Step) -> tuple[Step, ...]:
    loads = step in LOADING_KEYS if isinstance(step, str) else callable(step)
    return (wait_for_graph,) if loads else ()


def wait_for_graph(app: MemtuiApp) -> None:
    """A step that waits until the requested node is on the screen."""
    app.run_worker(wait_until(lambda: _is_loaded(app)))


def _is_loaded(app: MemtuiApp) -> bool:
    shown = app.screen
    return not isinstance(shown, GraphScreen) or (
        shown._target is None
        and shown._cancel_count is None
        and bool(shown._up_to_date or shown.neighborhood)
    )


def graph_screen(app: MemtuiApp) -> GraphScreen:
    """Return the Graph screen, also if it is below a dialog."""
    return next(screen for screen in app.screen_stack if isinstance(screen, GraphScreen))


def drawing_in(seen: str) -> str:
    """Return the part of the screen above the pane that describes the highlighted relation."""
    return seen.split("─ Selected ─")[0]


def cursor_on(label: str) -> Callable[[MemtuiApp], None]:
    """Return a step that moves the cursor to the relation from the middle to a label."""

    def move(app: MemtuiApp) -> None:
        graph = graph_screen(app).graph
        lines = [line.edge.node.label for line in graph.sides["right"]]
        graph.move_to(Cursor("right", lines.index(label)))

    return move


def highlights(label: str) -> Callable[[MemtuiApp], None]:
    """Return a step that checks which neighbor is highlighted."""

    def check(app: MemtuiApp) -> None:
        edge = graph_screen(app).edge
        assert edge is not None
        assert edge.node.label == label

    return check


def with_relations() -> FakeWorkspace:
    """Return the sample with relations of every kind around its second memory."""
    work = sample()
    work.relations[2] = (
        Relation("Ana", "supports", "m", 0.9, "asked for it", 1, 2),
        Relation("m", "contradicts", "app", 0.61, "", 2, 3),
        Relation("call", "derived from", "m", None, "", 5, 2),
        Relation("m", "relates to", "CI", None, "", 2, 4),
        Relation("m", "supersedes", "old", None, "", 2, 8),
        Relation("m", "misses", "Nobody", None, "", 2, None),
    )
    work.relations[3] = (Relation("app", "based on", "CI", None, "", 3, 4),)
    return work
