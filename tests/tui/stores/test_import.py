"""`i` on Stores: what is imported is reviewed, added as one change, and taken back by one undo (S-74)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from textual.widgets import Input

from memtui.memory.results import Change
from memtui.tui.app import MemtuiApp
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import (
    Probe,
    Shots,
    Step,
    app_on,
    drive,
    screen_text,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import clock, with_stores
from tests.support.stores import claude_code
from tests.support.stores.claude_code import flat
from tests.support.stores.files import read_tree
from tests.support.waiting.stores import wait_for_stores
from tests.support.waiting.threads import wait_until

HOSTILE = "\x1b[31m\u202e[bold]x[/] \u200b"
OPEN: tuple[Step, ...] = ("8", wait_for_stores)
LINES: tuple[object, ...] = (
    {"content": "Goats eat oats", "colour": "red"},
    {"content": "Goats eat oats"},
    {"content": "the gate code of the yard is kept by Mehmet Aydin!"},
    {"content": "The gate code of the yard is not kept by Mehmet Aydin."},
    {"content": "Use postgres://bob:hunter2secret@db/prod for it"},
    {"content": f"{HOSTILE} tea"},
    {"content": f"{HOSTILE} tea", "confidence": 2},
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with a store of files, and a file to import."""
    claude_code.make(tmp_path / "memory", {"MEMORY.md": "", "a.md": flat("a", "project", "Text of a.")})
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        workspace.attach(tmp_path / "memory", "notes")
        workspace.add({"content": "The gate code of the yard is kept by Mehmet Aydin."})
    text = "".join(f"{json.dumps(each)}\n" for each in LINES)
    (tmp_path / "all.jsonl").write_text(text)
    return tmp_path


def app_in(place: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(place / "w.db", clock=clock), clock=clock)


def path(name: Path) -> list[Step]:
    """Return the steps that enter a path."""
    return [*typed(str(name)), "enter"]


def test_what_is_not_new_is_taken_or_left_and_one_undo_takes_back_the_import(
    place: Path, golden: Callable[[str, str], None]
) -> None:
    before, shots, added = read_tree(place / "memory"), Shots(), []

    def note_files(_: MemtuiApp) -> None:
        added.append(read_tree(place / "memory"))

    drive(
        app_in(place),
        *(*OPEN, "g", "j", "i", shots),
        *(*path(place / "none.md"), shots, *["backspace"] * len("none.md")),
        *(*typed("all.jsonl"), "enter", shots, "space", "j", "j", shots, "j", "space", shots),
        *("j", "space", shots, "space", (60, 18), shots, (80, 24), "enter", note_files, shots, "u"),
        size=(80, 24),
    )
    asked, missing, preview, taken, refused, without, narrow, done = shots
    assert "Import to notes" in asked
    assert "none.md can't be read" in " ".join(missing.replace("┃", " ").split())
    golden("import-80x24", preview)
    assert "2 new · 1 same · 1 near · 1 contradicting · 1 flagged · 1 refused" in preview
    assert "In native: The gate code of the yard is kept by Mehmet Aydin." in preview
    assert "⏎ imports 2 memories" in preview
    assert "hunter2" not in preview
    assert "[✓] contradiction" in taken
    assert "⏎ imports 3 memories" in taken
    assert "Can't be imported: confidence must be a number from 0 to 1." in refused
    assert "[ ] new" in without, "new ones are listed, and can be left, too"
    assert "⏎ imports 2 memories" in without
    assert "⏎ import" in narrow
    assert "Imported 3 memories to notes" in done
    assert added[0] != before
    assert read_tree(place / "memory") == before


def test_what_cannot_be_imported_says_why(place: Path) -> None:
    (place / "same.md").write_text("- The gate code of the yard is kept by Mehmet Aydin.\n")
    (place / "empty.md").write_text("\n")
    shots = Shots()
    drive(
        app_in(place),
        *(*OPEN, "g", "i", *path(place / "empty.md"), shots, *["backspace"] * len("empty.md")),
        *(*typed("same.md"), "enter", "a", shots, "enter", shots, "escape"),
        *("g", "j", "!", "i", shots),
    )
    assert "It has no memories." in shots[0]
    assert "Import to native" in shots[1]
    assert "None of these can be imported." in shots[1]
    assert "Nothing to import." in shots[2]
    assert "Can't import to this store: " in shots[3]


def test_esc_stops_comparing_and_then_importing_between_two_memories(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = "".join(f"- Fact number {n} of many\n" for n in range(8))
    (place / "many.md").write_text(f"A paragraph\nof many\n\n{facts}")
    gates = {"compare": Event(), "import": Event()}
    reached: list[str] = []
    preview, add = Workspace.import_preview, Workspace.import_memories

    def slow_preview(self: Workspace, found: object, store: str, control: JobControl) -> object:
        reached.append("compare")
        gates["compare"].wait(10)
        return preview(self, found, store, control)  # type: ignore[arg-type]

    def slow_add(self: Workspace, chosen: object, store: str, control: JobControl) -> object:
        def report(done: int, left: int) -> None:
            control.report(done, left)
            reached.append("import")
            gates["import"].wait(10)

        return add(self, chosen, store, JobControl(stop=control.stop, report=report))  # type: ignore[arg-type]

    monkeypatch.setattr(Workspace, "import_preview", slow_preview)
    monkeypatch.setattr(Workspace, "import_memories", slow_add)
    monkeypatch.setattr(parts, "FIRST", 4)
    seen: list[str] = []

    async def play() -> None:
        app = app_in(place)
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_until_idle(app)
            await pilot.press("8")
            await wait_until_idle(app)
            await pilot.press("g", "i")
            await wait_until_idle(app)
            app.screen.query_one(Input).value = str(place / "many.md")
            await pilot.press("enter")
            await wait_until(lambda: "compare" in reached, app)
            await pilot.press("escape")
            gates["compare"].set()
            await wait_until_idle(app)
            seen.append(screen_text(app))
            await pilot.press("enter")
            await wait_until_idle(app)
            seen.append(screen_text(app))
            await pilot.press("enter")
            await wait_until(lambda: "import" in reached, app)
            await pilot.press("escape")
            gates["import"].set()
            await wait_until_idle(app)
            seen.append(screen_text(app))
            await pilot.press("u")
            await wait_until_idle(app)
            seen.append(screen_text(app))

    asyncio.run(play())
    assert "Stopped. Nothing was imported." in seen[0]
    assert "9 new" in seen[1]
    assert "[✓] new            A paragraph" in seen[1]
    assert "many.md:1 · 2 lines" in seen[1]
    assert "Fact number 0 of many" in seen[1]
    assert "Imported 4 of 9 memories (stopped) to native" in seen[2]
    assert "Undone: Imported 9 memories to native (4 of 9 done)" in seen[3]


def test_a_read_only_workspace_imports_nothing() -> None:
    work = with_stores()
    work.read_only = True
    assert "read-only" in drive(app_on(work), *OPEN, "i").splitlines()[-2]


def test_an_import_that_another_one_has_made_by_now_offers_no_undo_of_an_earlier_change() -> None:
    late, shot = Change("imported", (), "Imported 0 memories to native"), Shots()
    drive(app_on(), Probe(lambda app: app.announce(late)), shot)
    assert "Imported 0 memories to native" in shot[0]
    assert "undo" not in shot[0].split("Imported 0 memories to native")[1].splitlines()[0]
