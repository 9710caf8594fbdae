"""Where an export goes: the clipboard, a file, a new store (S-70, S-73)."""

from __future__ import annotations

import base64
import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from memtui.export.new_store import NewStore, write_store
from memtui.tui.app import MemtuiApp
from memtui.workspace.background import JobControl
from memtui.workspace.stores import wording
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.sizes import sample_cases

SMALL = (80, 24)


def teas() -> FakeWorkspace:
    return FakeWorkspace([memory(1, "Ana likes tea."), memory(2, "Bo likes mate.")], clock=clock)


def to(path: str) -> list[Step]:
    """Return the keys that write to a path, in place of the one that is offered."""
    return ["ctrl+u", *typed(path), "enter"]


def words(shot: str) -> str:
    """Return the text of a screen without its frames and line breaks."""
    return " ".join(shot.translate({ord(char): " " for char in "┃│━─"}).split())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_enter_copies_the_text_and_says_to_which_clipboard(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def listen(app: MemtuiApp) -> None:
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", sent.append)

    shown = drive(app_on(teas()), listen, "x", "enter")
    assert "Copied 2 memories (" in shown
    assert "tokens) to the terminal's clipboard." in shown
    code = next(each for each in sent if each.startswith("\x1b]52;c;"))
    text = base64.b64decode(code.removeprefix("\x1b]52;c;").removesuffix("\x07")).decode()
    assert "- Ana likes tea." in text
    assert "- Bo likes mate." in text


def test_secrets_are_marked_before_they_leave_and_said_after(home: Path) -> None:
    texts = ("Use postgres://bob:hunter2secret@db/prod for it", "Ana likes tea.")
    work, shots = FakeWorkspace([memory(n, text) for n, text in enumerate(texts, 1)], clock=clock), Shots()
    drive(app_on(work), "x", shots, "enter", shots, "x", "w", "enter", shots, size=SMALL)
    assert "no limit  ◆ 1 with a secret" in shots[0]
    assert shots[0].count("◆ Use postgres") == 1
    assert "◆ Ana" not in shots[0]
    assert all("1 memory with a secret" in shot.splitlines()[-2] for shot in shots[1:])


@pytest.mark.parametrize(("count", "size"), sample_cases([(40_000, "80 kB"), (600_000, "1.2 MB")], 1))
def test_what_the_terminal_may_cut_is_not_copied(count: int, size: str) -> None:
    work, copied = FakeWorkspace([memory(1, "y " * count)], clock=clock), list[str]()
    shown = drive(app_on(work), "x", "enter", lambda app: copied.append(app._clipboard), size=SMALL)
    assert f"Not copied: {size} is too long for the clipboard. w writes a file." in shown
    assert copied == [""]


def test_w_writes_a_file_that_only_the_user_can_read(home: Path) -> None:
    shots = Shots()
    drive(app_on(teas()), "x", "w", shots, "enter", shots, size=SMALL)
    file = home / "memtui-export.md"
    assert "~/memtui-export.md" in shots[0]
    assert "Only you will be able to read the file." in shots[0]
    assert "Wrote 2 memories (" in shots[1]
    assert "Ana likes tea." in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_is_replaced_only_on_a_second_enter(home: Path) -> None:
    file, shots = home / "notes.md", Shots()
    file.write_text("mine")
    seen: list[str] = []
    drive(
        app_on(teas()),
        *("x", "w", *typed("~/notes.md"), "enter", shots),
        *(lambda app: seen.append(file.read_text()), "x", "backspace"),
        *("enter", shots, lambda app: seen.append(file.read_text()), "enter"),
    )
    assert "~/notes.md " in shots[0], "what is typed replaces the suggestion"
    assert all("exists. Press ⏎ again to replace it." in words(shot) for shot in shots)
    assert seen == ["mine", "mine"]
    assert "Ana likes tea." in file.read_text()


def test_a_path_that_cannot_be_written_is_explained_and_stays(home: Path) -> None:
    shots = Shots()
    drive(
        app_on(teas()),
        *("x", "w", *to("~/none/x.md"), shots, *to("~"), shots, *to("https://a.b/c"), shots),
        *(*to("~nobody-here/x"), shots, "ctrl+u", "enter", shots, "escape", "escape"),
    )
    assert "can't be written: no such file or directory." in words(shots[0])
    assert "is a folder. Add the name of a file." in words(shots[1])
    assert "https" in shots[2]
    assert "No such user: ~nobody-here/x" in shots[3]
    assert "Type the path of a file." in shots[4]
    assert list(home.iterdir()) == []


def test_neither_a_file_nor_a_store_is_written_into_an_attached_store(home: Path) -> None:
    work, shots, asked = teas(), Shots(), list[Path]()

    def refuse(path: Path) -> None:
        asked.append(path)
        raise wording.place_of_store(path, "notes")

    work.require_outside_stores = refuse  # type: ignore[method-assign]
    drive(
        app_on(work),
        *("x", "w", *to("~/a.md"), shots, "escape", "escape"),
        *("x", "up", "up", "enter", "w", *to("~/b"), shots),
    )
    assert all("belongs to the store notes. Name a path outside it." in words(shot) for shot in shots)
    assert asked == [home / "a.md", home / "b"]
    assert list(home.iterdir()) == []


def test_a_store_is_written_to_a_new_path_and_never_copied(home: Path) -> None:
    shots = Shots()
    drive(
        app_on(teas()),
        *("x", "up", "up", "enter", shots, "p", shots, "w", shots, *to("~/graph.jsonl"), shots),
        *("x", "w", *to("~/graph.jsonl"), shots),
    )
    copied, text, asked, done, again = shots
    assert "A store can't be copied; w writes it." in copied
    assert "a new store has every memory" in copied
    assert "A new store has no text to show." in text
    assert "Make a new " in asked
    assert "Wrote 2 memories to a new " in done
    assert "already exists. Name a new path for the store." in words(again)
    assert (home / "graph.jsonl").exists()


def test_a_store_has_the_relations_and_order_of_the_memories_and_says_what_is_lost(home: Path) -> None:
    """As `memtui export` makes it."""
    lines = [
        {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Speaks Dutch", "Away"]},
        {"type": "entity", "name": "Sync", "entityType": "bug", "observations": ["Open", "In v2", "Slow"]},
        {"type": "relation", "from": "Ana", "to": "Sync", "relationType": "owns"},
    ]  # fmt: skip
    (home / "graph.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    with closing(Workspace.open(home / "w.db", clock=clock)) as workspace:
        workspace.attach(home / "graph.jsonl", "graph")
    shots = Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(home / "w.db", clock=clock), clock=clock),
        *("x", "up", "up", "up", "w", *to("~/new.jsonl"), shots),
        *("x", "down", "w", *to("~/mem.db"), shots),
    )
    assert "Wrote 5 memories to a new " in shots[0]
    assert [json.loads(each) for each in (home / "new.jsonl").read_text().splitlines()] == lines
    assert "Not in it: " in shots[1]
    assert "1 relation." in shots[1]


def test_the_choices_stay_for_the_next_export(home: Path) -> None:
    shots, look = Shots(), Shots()
    drive(app_on(teas()), "x", *["down"] * 4, "tab", *typed("900"), look, "w", "enter", "x", shots)
    assert "As              ‹ JSON › 5 of" in shots[0]
    assert " of 900 tokens" in shots[0]
    assert len(json.loads((home / "memtui-export.json").read_text())) == 2


def test_a_store_tells_how_far_it_is_and_esc_stops_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps: list[MemtuiApp] = []
    told: list[str] = []
    shots = Shots()

    def slow(*args: Any, control: JobControl, **options: Any) -> NewStore:
        """Report, have esc pressed once that is shown, and go on when the dialog asks for a stop."""
        (app,) = apps
        control.report(1, 1)
        for _ in range(500):
            time.sleep(0.01)
            shown = app.call_from_thread(lambda: str(app.screen.query_one("#message", Static).visual))
            if shown.startswith("Writing"):
                told.append(shown)
                app.call_from_thread(app.simulate_key, "escape")
                break
        for _ in range(500):
            if control.stop():
                break
            time.sleep(0.01)
        return write_store(*args, control=control, **options)

    monkeypatch.setattr("memtui.tui.exporting.target_dialog.write_store", slow)
    drive(app_on(teas()), apps.append, "x", "up", "w", *to("~/new"), shots, "escape", "escape")
    assert told == ["Writing … 1 of 2 memories. esc stops."]
    assert "The export was stopped." in words(shots[0])
    assert list(home.iterdir()) == []
