"""The four themes: the key that cycles through them, their colours, and that none relies on colour alone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.color import Color

from memtui import settings_file
from memtui.settings import Loaded, Settings, load
from memtui.tui import themes
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Probe, Shots, app_on, drive, strips
from tests.support.fake_workspace import clock, sample
from tests.support.sizes import FULL

NAMES = [themes.short(theme.name) for theme in themes.THEMES]


def app_with_theme(name: str) -> MemtuiApp:
    work = sample()
    loaded = Loaded(Settings(theme=name), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)


def test_shift_t_cycles_through_the_themes_and_names_them() -> None:
    seen: list[str] = []
    note = lambda a: seen.append(themes.short(a.theme))  # noqa: E731
    text = drive(app_on(), note, "T", note, "T", note, "T", note, "T", note)
    assert seen == ["dark", "light", "contrast", "ansi", "dark"]
    assert "Theme: dark" in text


def test_a_theme_is_saved_in_the_settings_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('# mine\neditor = "nano"\ntheme = "dark"  # for the evening\n')
    work = sample()
    text = drive(MemtuiApp(lambda: work, clock=clock, loaded=load(path), saves_theme=True), "T")
    assert "Theme: light (saved)" in text
    assert path.read_text() == '# mine\neditor = "nano"\ntheme = "light"  # for the evening\n'
    assert load(path).settings.theme == "light"


def test_a_theme_that_cannot_be_saved_is_used_until_the_program_ends(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("theme = [\n")
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock, loaded=load(path), saves_theme=True)
    text = drive(app, "T", size=(160, 36))
    assert app.theme == "memtui-light"
    assert "Theme: light (not saved). Could not write" in text
    assert path.read_text() == "theme = [\n"


def test_a_theme_is_named_at_once_and_its_saving_once_it_is_done(tmp_path: Path) -> None:
    """A long write may be under way before it."""
    work, ended, seen = sample(), threading.Event(), []
    app = MemtuiApp(lambda: work, clock=clock, loaded=load(tmp_path / "settings.toml"), saves_theme=True)

    def choose_while_writing(app: MemtuiApp) -> None:
        app.lanes.write(ended.wait)
        for _ in range(2):
            app.action_next_theme()
            seen.append(app.status.text)
        ended.set()

    text = drive(app, choose_while_writing)
    assert seen == ["Theme: light", "Theme: contrast"]
    assert "Theme: contrast (saved)" in text


def test_what_was_said_since_stays_when_a_theme_has_been_saved(tmp_path: Path) -> None:
    work, ended, path = sample(), threading.Event(), tmp_path / "settings.toml"
    app = MemtuiApp(lambda: work, clock=clock, loaded=load(path), saves_theme=True)

    def go_on(app: MemtuiApp) -> None:
        app.lanes.write(ended.wait)
        app.action_next_theme()
        app.show_status("Something else")
        ended.set()

    assert "Something else" in drive(app, go_on)
    assert load(path).settings.theme == "light"


def test_an_unexpected_error_while_saving_a_theme_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("No such thing")

    monkeypatch.setattr(settings_file, "save", fail)
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock, loaded=load(tmp_path / "settings.toml"), saves_theme=True)
    assert "Theme: light (not saved). No such thing" in drive(app, "T", size=(160, 36))


def test_an_app_for_trying_saves_no_theme(tmp_path: Path) -> None:
    path, work = tmp_path / "settings.toml", sample()
    text = drive(MemtuiApp(lambda: work, clock=clock, loaded=load(path)), "T")
    assert "Theme: light" in text
    assert "saved" not in text
    assert not path.exists()


VISITS = ("j", "e", "escape", "?", "escape", "ctrl+p", "escape", "ctrl+o", "escape", "7")


def visited(app: MemtuiApp) -> list[str]:
    """Return Browse, an edit, the help, the palette, the jump labels and the journal as text."""
    shots = Shots()
    steps = (step for key in VISITS for step in ((key,) if key == "escape" else (key, shots)))
    drive(app, *steps, size=(100, 30))
    return shots


def test_every_screen_has_the_same_text_in_every_theme() -> None:
    plain: list[str] = []
    for name in NAMES if FULL else NAMES[::2]:  # the first, and the one with other borders
        app = app_with_theme(name)
        shots = visited(app)
        assert themes.short(app.theme) == name
        plain = plain or shots  # the first theme is the default
        if name == "contrast":  # the same words in heavier borders
            assert shots != plain
            assert [borderless(shot) for shot in shots] == [borderless(shot) for shot in plain]
        else:
            assert shots == plain, name


def borderless(shot: str) -> str:
    """Return a screen with the characters of borders replaced by spaces."""
    characters = "╭─╮│╰╯┏━┓┃┗┛█▀▄"
    return shot.translate(str.maketrans(characters, " " * len(characters)))


def test_the_ansi_theme_uses_only_terminal_colours() -> None:
    app = app_with_theme("ansi")

    @Probe
    def check(app: MemtuiApp) -> None:
        for line in strips(app):
            for segment in (segment for strip in line for segment in strip):
                for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                    assert colour is None or colour.is_default or (colour.number or 0) < 16, segment

    drive(app, "j", "space", check, "7", check, "1", "e", check)


def test_in_the_ansi_theme_the_cursor_is_a_reversed_line() -> None:
    @Probe
    def check(app: MemtuiApp) -> None:
        line = app.screen.query_one("#list").render_line(1)
        assert all(segment.style and segment.style.reverse for segment in line if segment.text.strip())

    def check_palette(app: MemtuiApp) -> None:
        line = app.screen.query_one("#entries").render_line(0)
        assert all(segment.style and segment.style.reverse for segment in line if segment.text.strip())

    drive(app_with_theme("ansi"), "j", check, "ctrl+p", check_palette)


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast of two colours by WCAG."""

    def luminance(colour: str) -> float:
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
            for c in Color.parse(colour).normalized
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_theme_has_a_contrast_of_at_least_seven_to_one() -> None:
    theme = themes.CONTRAST
    names = ("quiet", "line", "scrollbar")
    shown = [theme.foreground, theme.accent, theme.warning, theme.error, theme.success]
    for background in (theme.background, theme.variables["cursor"], theme.panel):
        for colour in [*shown, *(theme.variables[name] for name in names[:1])]:
            assert background is not None
            assert colour is not None
            assert contrast_ratio(colour, background) >= 7, (colour, background)


def test_without_colour_the_cursor_is_visible_in_every_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @Probe
    def check(app: MemtuiApp) -> None:
        assert any(s.style and s.style.reverse for s in app.screen.query_one("#list").render_line(1))

    names: list[str] = []
    note = Probe(lambda app: names.append(themes.short(app.theme)))
    drive(app_with_theme(NAMES[0]), "j", *(step for _ in NAMES for step in (check, note, "T")))
    assert names == NAMES
