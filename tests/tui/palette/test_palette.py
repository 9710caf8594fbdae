"""The palette (ctrl+p): commands, memories, stores and themes by name."""

from __future__ import annotations

import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.widgets import Input

from memtui.settings import Loaded, Settings
from memtui.tui import command_table, synonyms
from memtui.tui.app import MemtuiApp
from memtui.tui.common import wording
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.palette import entries
from memtui.tui.palette.dialog import EntryList
from tests.support import app_driver
from tests.support.app_driver import Probe, Shots, Step, app_on, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much

Golden = Callable[[str, str], None]


class Titles(list[list[str]]):
    """A step that records the titles of the listed entries."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append([entry.title for entry in app.screen.query_one(EntryList).entries])


def test_recent_commands_come_first_then_those_of_the_screen_then_others(golden: Golden) -> None:
    titles = Titles()
    shots = Shots()
    run = ["ctrl+p", *typed("mark al"), "enter"]
    drive(app_on(), (80, 24), "ctrl+p", shots, titles, "escape", *run, "ctrl+p", titles)
    golden("palette-80x24", shots[0])
    positions = [
        titles[0].index(name) for name in ("pin or unpin", "go to top", "undo this change", "base-coat")
    ]
    assert positions == sorted(positions)
    assert "contrast theme" in titles[0]
    assert titles[0][0] != "mark all or none"
    assert titles[1][0] == "mark all or none"


def test_typing_narrows_the_list_and_enter_runs_the_command() -> None:
    work = sample()

    @Probe
    def check_match(app: MemtuiApp) -> None:
        line = app.screen.query_one(EntryList).render_line(0)
        assert any(part.text == "unpin" and part.style is not None and part.style.bold for part in line)

    seen = drive(app_on(work), "j", "ctrl+p", *typed("unpin"), check_match, "enter")
    assert work.memories[2].pinned
    assert "Pinned 1 memory" in seen


def test_esc_and_ctrl_p_close_the_palette() -> None:
    work = sample()
    shots = Shots()
    steps: list[Step] = ["ctrl+p", shots, "down", "escape", shots, "ctrl+p", shots, "down", "ctrl+p", shots]
    drive(app_on(work), *steps)
    assert ["Command palette" in seen for seen in shots] == [True, False, True, False]
    assert work.events == []


def test_a_blocked_command_shows_the_reason() -> None:
    work = sample()
    work.locked = {1}
    shots = Shots()
    drive(app_on(work), "ctrl+p", *typed("dismiss"), shots, *typed(" as"), "enter", shots)
    assert "founder-os is read-only (" in line_with(shots[0], "dismiss as wrong")
    assert "founder-os is read-only (set by you); allow changes" in shots[1]
    assert "Command palette" in shots[1]
    assert work.events == []


def test_commands_on_an_empty_list_show_the_reason() -> None:
    assert "the list is empty" in drive(app_on(FakeWorkspace([], clock=clock)), "ctrl+p", *typed("unpin"))


def test_a_command_of_another_screen_opens_it_and_names_its_key() -> None:
    seen = drive(app_on(), "ctrl+p", *typed("undo this"), "enter")
    assert "[7Journal]" in seen
    assert "z in Journal (7): undo this change." in seen


def test_memories_stores_and_themes_are_found_by_name() -> None:
    app = app_on()
    shots = Shots()
    memories = ["7", "ctrl+p", *typed("neovim"), "enter"]
    stores = ["ctrl+p", *typed("base-"), "enter"]
    themes = ["ctrl+p", *typed("contrast"), "enter"]
    drive(app, *memories, shots, *stores, shots, *themes)
    assert "[1Browse]" in shots[0]
    assert "neovim" in line_with(shots[0], "/ ")
    assert "1 of 1" in shots[0]
    assert "store:base-coat" in line_with(shots[1], "/ ")
    assert app.theme == "memtui-contrast"


def test_a_limited_number_of_memories_is_listed_and_the_chosen_one_shown() -> None:
    many = FakeWorkspace([memory(n, f"zebra {n}") for n in range(1, 60)], clock=clock)
    titles = Titles()
    shown: list[int | None] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        shown.append(app.screen.query_one(MemoryList).highlighted)

    drive(app_on(many), "ctrl+p", *typed("zebra"), titles, "down", "enter", note)
    assert len(titles[0]) == entries.MAX_MEMORIES
    assert shown == [2]


def test_synonyms_find_commands_and_themes() -> None:
    titles = Titles()
    words = ("delete", "remov", "erase", "colour", "dark", "light", "conflict", "dedupe", "history", "revert")
    steps: list[Step] = []
    for word in words:
        steps += ["ctrl+p", *typed(word), titles, "escape"]
    drive(app_on(), *steps)
    found = dict(zip(words, titles, strict=True))
    for word in ("delete", "remov", "erase"):
        for title in ("dismiss as wrong", "purge (asks first)", "filters, saved searches"):
            assert title in found[word]
        assert "remove relation" in found[word]
    assert "restore dismissed" not in found["delete"]
    assert {"next theme", "light theme", "contrast theme"} <= {*found["colour"]}
    assert "next theme" in found["dark"]
    assert "light theme" in found["light"]
    assert {"contradictions, duplicates", "go to Review"} <= {*found["conflict"]} & {*found["dedupe"]}
    assert "run due decay (with preview)" not in found["conflict"]
    assert found["history"][0] == "go to Journal"
    assert found["revert"][:2] == ["undo your last change", "undo this change"]


def test_every_synonym_finds_something() -> None:
    texts = [*(command.help for command in command_table.COMMANDS), *wording.CONCEPTS.values(), "theme"]
    for word in synonyms.SYNONYMS:
        for part in synonyms.terms(word):
            assert any(part in text.lower() for text in texts), part


def test_a_command_found_by_a_synonym_runs() -> None:
    work = sample()
    seen = drive(app_on(work), "j", "ctrl+p", *typed("revert"), "enter")
    assert "Nothing to undo" in seen


def test_without_a_match_the_palette_says_how_to_leave() -> None:
    shots = Shots()
    drive(app_on(), "ctrl+p", *typed("xyzq"), "enter", shots, "ctrl+u", *typed("status:zz"), shots)
    assert "No command or memory matches “xyzq”" in shots[0]
    assert "esc to close" in shots[0]
    assert "No command or memory matches “status:zz”" in shots[1]
    assert "esc to close" in shots[1]


def test_a_settings_file_is_written_once_and_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock, loaded=Loaded(Settings(), path))
    existed: list[bool] = []
    written: list[bytes] = []
    shots = Shots()
    write = ["ctrl+p", *typed("settings"), "enter"]
    drive(
        app,
        "j", lambda app: existed.append(path.exists()),
        *write, shots, lambda app: written.append(path.read_bytes()),
        *write, shots,
        size=(200, 36),
    )  # fmt: skip
    assert existed == [False]
    assert "Wrote" in shots[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "it was not changed" in " ".join(shots[1].split())
    assert path.read_bytes() == written[0]


def test_enter_twice_before_the_palette_is_gone_runs_its_command_once() -> None:
    def submit_twice(app: MemtuiApp) -> None:
        field = app.screen.query_one(Input)
        for _ in range(2):
            app.screen.post_message(Input.Submitted(field, field.value))

    assert "[5Decay]" in drive(app_on(), "ctrl+p", *typed("go to decay"), submit_twice)
