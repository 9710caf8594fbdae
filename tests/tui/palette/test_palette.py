"""ctrl+p: commands, memories, stores and themes by name."""

from __future__ import annotations

import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

from memtui.settings import Loaded, Settings
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.palette import entries
from memtui.tui.palette.dialog import EntryList
from tests.support import app_driver
from tests.support.app_driver import Look, Shots, Step, app_on, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much

Golden = Callable[[str, str], None]


class Titles(list[list[str]]):
    """A step that notes what the palette lists, each time."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append([entry.title for entry in app.screen.query_one(EntryList).entries])


def test_commands_of_this_screen_come_first_then_the_others_and_what_was_used_last(golden: Golden) -> None:
    titles = Titles()
    shots = Shots()
    use = ["ctrl+p", *typed("mark al"), "enter"]
    drive(app_on(), (80, 24), "ctrl+p", shots, titles, "escape", *use, "ctrl+p", titles)
    golden("palette-80x24", shots[0])
    places = [titles[0].index(name) for name in ("pin or unpin", "first", "undo this change", "base-coat")]
    assert places == sorted(places)
    assert "contrast theme" in titles[0]
    assert titles[0][0] != "mark all found, or none"
    assert titles[1][0] == "mark all found, or none"


def test_typing_narrows_marks_the_match_and_enter_does_it() -> None:
    work = sample()

    @Look
    def look(app: MemtuiApp) -> None:
        line = app.screen.query_one(EntryList).render_line(0)
        assert any(part.text == "unpin" and part.style is not None and part.style.bold for part in line)

    seen = drive(app_on(work), "j", "ctrl+p", *typed("unpin"), look, "enter")
    assert work.memories[2].pinned
    assert "Pinned 1 memory" in seen


def test_esc_and_ctrl_p_close_it_and_nothing_is_done() -> None:
    work = sample()
    shots = Shots()
    steps: list[Step] = ["ctrl+p", shots, "down", "escape", shots, "ctrl+p", shots, "down", "ctrl+p", shots]
    drive(app_on(work), *steps)
    assert ["Everything by name" in seen for seen in shots] == [True, False, True, False]
    assert work.events == []


def test_why_a_command_cannot_work_now() -> None:
    work = sample()
    work.locked = {1}
    shots = Shots()
    drive(app_on(work), "ctrl+p", *typed("dismiss"), shots, *typed(": it"), "enter", shots)
    assert "founder-os is read-only" in line_with(shots[0], "dismiss: it is wrong")
    assert "Everything by name" in shots[1]
    assert work.events == []


def test_nothing_can_be_done_to_an_empty_list() -> None:
    assert "the list is empty" in drive(app_on(FakeWorkspace([], clock=clock)), "ctrl+p", *typed("unpin"))


def test_a_command_of_another_screen_goes_there_and_says_its_key() -> None:
    seen = drive(app_on(), "ctrl+p", *typed("undo this"), "enter")
    assert "[7 Journal]" in seen
    assert "z on Journal (7): undo this change." in seen


def test_memories_stores_and_themes_are_found_by_name() -> None:
    app = app_on()
    shots = Shots()
    memories = ["7", "ctrl+p", *typed("neovim"), "enter"]
    stores = ["ctrl+p", *typed("base-"), "enter"]
    themes = ["ctrl+p", *typed("contrast"), "enter"]
    drive(app, *memories, shots, *stores, shots, *themes)
    assert "[1 Browse]" in shots[0]
    assert "neovim" in line_with(shots[0], "/ ")
    assert "1 of 1" in shots[0]
    assert "store:base-coat" in line_with(shots[1], "/ ")
    assert app.theme == "memtui-contrast"


def test_only_some_of_many_memories_are_listed_and_the_chosen_one_is_shown() -> None:
    many = FakeWorkspace([memory(n, f"zebra {n}") for n in range(1, 60)], clock=clock)
    titles = Titles()
    shown: list[int | None] = []

    @Look
    def note(app: MemtuiApp) -> None:
        shown.append(app.screen.query_one(MemoryList).highlighted)

    drive(app_on(many), "ctrl+p", *typed("zebra"), titles, "down", "enter", note)
    assert len(titles[0]) == entries.MOST
    assert shown == [2]


def test_no_match_says_what_to_do_and_half_a_filter_is_no_error() -> None:
    shots = Shots()
    drive(app_on(), "ctrl+p", *typed("xyzq"), "enter", shots, "ctrl+u", *typed("status:zz"), shots)
    assert "Nothing is called “xyzq”" in shots[0]
    assert "esc leaves" in shots[0]
    assert "Nothing is called “status:zz”" in shots[1]
    assert "esc leaves" in shots[1]


def test_a_settings_file_is_written_once_and_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock, loaded=Loaded(Settings(), path))
    there: list[bool] = []
    written: list[bytes] = []
    shots = Shots()
    write = ["ctrl+p", *typed("settings"), "enter"]
    drive(
        app,
        "T", lambda app: there.append(path.exists()),
        *write, shots, lambda app: written.append(path.read_bytes()),
        *write, shots,
        size=(200, 36),
    )  # fmt: skip
    assert there == [False]
    assert "Written:" in shots[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "left as it is" in " ".join(shots[1].split())
    assert path.read_bytes() == written[0]
