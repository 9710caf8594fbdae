"""ctrl+p: commands, memories, stores and themes by name."""

from __future__ import annotations

import stat

from memtui.settings import Loaded, Settings
from memtui.tui import palette
from memtui.tui.app import MemtuiApp
from memtui.tui.dialogs.palette import EntryList
from tests.support.app_driver import app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample


def titles(app) -> list[str]:
    return [entry.title for entry in app.screen.query_one(EntryList).entries]


def test_it_lists_every_command_of_this_screen_first_then_the_others(golden):
    golden("palette-80x24", drive(app_on(), "ctrl+p", size=(80, 24)))
    seen: list[list[str]] = []
    drive(app_on(), "ctrl+p", lambda a: seen.append(titles(a)))
    order = [seen[0].index(name) for name in ("pin or unpin", "first", "undo this change", "base-coat")]
    assert order == sorted(order)
    assert "contrast theme" in seen[0]


def test_typing_narrows_and_enter_does_it():
    work = sample()
    seen = drive(app_on(work), "j", "ctrl+p", *typed("unpin"), "enter")
    assert work.memories[2].pinned
    assert "Pinned 1 memory" in seen


def test_the_match_is_marked():
    def look(app):
        line = app.screen.query_one(EntryList).render_line(0)
        assert any(segment.text == "unpin" and segment.style.bold for segment in line)

    drive(app_on(), "ctrl+p", *typed("unpin"), look)


def test_esc_and_ctrl_p_close_it_and_nothing_is_done():
    work = sample()
    for key in ("escape", "ctrl+p"):
        assert "Everything by name" not in drive(app_on(work), "ctrl+p", "down", key)
    assert work.events == []


def test_why_a_command_cannot_work_now():
    work = sample()
    work.locked = {1}
    seen = drive(app_on(work), "ctrl+p", *typed("dismiss"))
    assert "The store is read-only." in line_with(seen, "dismiss: it is wrong")
    seen = drive(app_on(work), "ctrl+p", *typed("dismiss: it"), "enter")
    assert "Everything by name" in seen
    assert work.events == []
    assert "the list is empty" in drive(app_on(FakeWorkspace([], clock=clock)), "ctrl+p", *typed("unpin"))


def test_a_command_of_another_screen_goes_there_and_says_its_key():
    seen = drive(app_on(), "ctrl+p", *typed("undo this"), "enter")
    assert "[7 Journal]" in seen
    assert "z on Journal (7): undo this change." in seen


def test_what_was_used_last_stands_first():
    seen: list[list[str]] = []
    app = app_on()
    drive(app, "ctrl+p", *typed("mark all"), "enter", "ctrl+p", lambda a: seen.append(titles(a)))
    assert seen[0][0] == "mark all found, or none"


def test_memories_are_found_and_shown_on_browse():
    work = sample()
    seen = drive(app_on(work), "7", "ctrl+p", *typed("neovim"), "enter")
    assert "[1 Browse]" in seen
    assert "neovim" in line_with(seen, "/ ")
    assert "1 of 1" in seen
    many = FakeWorkspace([memory(n, f"zebra {n}") for n in range(1, 60)], clock=clock)
    counts: list[int] = []
    app = app_on(many)
    there: list[int] = []
    drive(
        app,
        *["ctrl+p", *typed("zebra")],
        lambda a: counts.append(len(titles(a))),
        *["down", "enter"],
        lambda a: there.append(a.screen.query_one("#list").highlighted),
    )
    assert counts == [palette.MOST]
    assert there == [2]


def test_a_store_and_a_theme_by_name():
    work = sample()
    seen = drive(app_on(work), "ctrl+p", *typed("base-coat"), "enter")
    assert "store:base-coat" in line_with(seen, "/ ")
    app = app_on(work)
    drive(app, "ctrl+p", *typed("contrast th"), "enter")
    assert app.theme == "memtui-contrast"


def test_no_match_says_what_to_do_and_half_a_filter_is_no_error():
    seen = drive(app_on(), "ctrl+p", *typed("xyzzyq"), "enter")
    assert "Nothing is called “xyzzyq”" in seen
    assert "esc leaves" in seen
    assert "esc leaves" in drive(app_on(), "ctrl+p", *typed("status:zz"))


def test_a_settings_file_is_written_once_and_only_when_asked(tmp_path):
    path = tmp_path / "settings.toml"

    def app() -> MemtuiApp:
        work = sample()
        loaded = Loaded(Settings(), path)
        return MemtuiApp(lambda: work, clock=clock, loaded=loaded)  # type: ignore[arg-type, return-value]

    drive(app(), "T")
    assert not path.exists()
    assert "Written:" in drive(app(), "ctrl+p", *typed("settings"), "enter", size=(200, 36))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    assert "left as it is" in " ".join(
        drive(app(), "ctrl+p", *typed("settings"), "enter", size=(200, 36)).split()
    )
    assert path.read_bytes() == before
