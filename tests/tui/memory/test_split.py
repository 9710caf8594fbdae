"""Splitting a memory on Browse: cuts in its text, where the parts go, one change, one undo (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.splitting import CUT
from memtui.tui.app import MemtuiApp
from memtui.tui.common.safe_area import SafeArea
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, typed
from tests.support.demo_stores import build
from tests.support.fake_workspace import FakeWorkspace, clock, memory

Golden = Callable[[str, str], None]
MOCKED: list[Step] = ["/", *typed("mocked"), "down"]
PARTS = f"\n{CUT}\n".join(
    (
        "Tests of the order service run against a real PostgreSQL.",
        "**Why:** a mocked migration passed and broke production in March.",
        "**How to apply:** start the database with `make db`, see [[project_orders]].",
    )
)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


@pytest.fixture
def files(demo: Path, tmp_path: Path) -> Callable[[], dict[str, bytes]]:
    """Return what reads the files of the store."""
    folder = tmp_path / "order-service" / "memory"
    return lambda: {file.name: file.read_bytes() for file in folder.iterdir()}


def drive_demo(path: Path, *keys: Step, read_only: bool = False, size: tuple[int, int] = (120, 36)) -> str:
    app = MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock)
    return drive(app, *keys, size=size)


def put(text: str) -> Callable[[MemtuiApp], None]:
    """Return a step that replaces the text of the editor."""

    def step(app: MemtuiApp) -> None:
        app.screen.query_one(SafeArea).text = text

    return step


def cuts(screen: str) -> int:
    """Return how many lines of the editor divide two parts."""
    return screen.count(f"┃  {CUT} ")


def test_a_memory_is_split_at_the_cuts_and_u_takes_it_back(
    demo: Path, files: Callable[[], dict[str, bytes]], golden: Golden
) -> None:
    before, shots, seen = files(), Shots(), list[dict[str, bytes]]()

    def note(_: MemtuiApp) -> None:
        seen.append(files())

    drive_demo(demo, *MOCKED, "|", shots, put(PARTS), shots, "ctrl+s", note, shots, "u", note, shots)
    opened, dialog, split, undone = shots
    assert cuts(opened) == 0, "why and how to apply it belong to the memory"
    golden("split-120x36", dialog)
    assert cuts(dialog) == 2
    assert "3 parts: 1 stays, 2 new in claude-code:order-service" in dialog
    assert "Split into 3 memories in claude-code:order-service" in split
    assert "u undo" in line_with(split, "Split into 3")
    assert "Undone: Split into 3 memories" in undone
    assert [len(each) - len(before) for each in seen] == [2, 0]
    assert seen[1] == before


def test_ctrl_t_moves_the_cuts_and_the_line_below_follows(demo: Path, golden: Golden) -> None:
    shots = Shots()
    drive_demo(
        demo, *MOCKED, "|", put(PARTS), shots, "down", "ctrl+t", shots, "ctrl+t", shots,
        "end", "ctrl+t", shots, "ctrl+s", shots, "escape", shots, "escape", shots,
        size=(80, 24),
    )  # fmt: skip
    opened, joined, cut_above, empty, refused, asked, left = shots
    golden("split-80x24", opened)
    assert "ctrl+s split · ctrl+t cut here · esc cancel" in opened
    assert (cuts(joined), "2 parts: 1 stays, 1 new" in joined) == (1, True)
    assert (cuts(cut_above), "3 parts: 1 stays, 2 new" in cut_above) == (2, True)
    assert "is empty." in empty
    assert "Not split: part " in refused
    assert "Press esc again to discard your changes." in asked
    assert "Split memory" not in left


def test_who_keeps_the_relations_is_asked_only_if_there_are_some(demo: Path) -> None:
    with_relation, shots = Workspace.open(demo, clock=clock), Shots()
    first, other = (with_relation.search(words).ids[0] for words in ("mocked", "nuts"))
    with_relation.relate(first, "supports", other)
    with_relation.close()
    drive_demo(demo, *MOCKED, "|", put(PARTS), shots, "ctrl+r", shots, "ctrl+r", shots, "ctrl+s")
    stays, _, removed = shots
    assert "ctrl+r relations" in stays
    assert ["1 relation stays" in each for each in shots] == [True, True, False]
    assert ["copied to" in each for each in shots] == [False, True, False]
    assert "1 relation is removed" in removed
    after = Workspace.open(demo, clock=clock)
    detail = after.detail(first)
    assert detail is not None
    assert "supports" not in {each.kind for each in detail.relations}
    after.close()


def test_a_conflict_asks_which_text_to_keep_and_mine_splits_what_the_store_holds_now(
    demo: Path, files: Callable[[], dict[str, bytes]], tmp_path: Path
) -> None:
    shots = Shots()
    (file,) = (tmp_path / "order-service" / "memory").glob("feedback_tests.md")

    def agent_writes(_: MemtuiApp) -> None:
        file.write_text(file.read_text().replace("in March", "in April"))

    drive_demo(
        demo,
        *MOCKED,
        "|",
        put(f"Real tests.\n{CUT}\nMocks broke it."),
        agent_writes,
        "ctrl+s",
        shots,
        "y",
        shots,
    )
    conflict, split = shots
    assert "Conflict: changed in the store" in conflict
    assert "Split into 2 memories" in split
    assert b"Real tests." in files()["feedback_tests.md"]
    assert b"March" not in files()["feedback_tests.md"]


def test_split_works_on_one_memory_that_can_be_changed(demo: Path) -> None:
    shots = Shots()
    drive_demo(demo, "space", "space", "|", shots, "*", "*", "8", "1")
    drive_demo(demo, *MOCKED, "|", shots, read_only=True)
    nothing = drive(app_on(FakeWorkspace([])), "|")
    several, read_only = shots
    assert "Can't split 2 memories at once." in several
    assert "The workspace is read-only." in read_only
    assert "Nothing to split" in nothing
    hostile = FakeWorkspace([memory(1, "One.\x1b[31m Two.")])
    shown = drive(app_on(hostile), "|", size=(80, 24))
    assert "press ctrl+l to remove unsupported characters" in shown
    assert "\x1b" not in shown
