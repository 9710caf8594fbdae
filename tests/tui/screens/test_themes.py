"""Four themes, a key that goes through them, and none of them by colour alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color

from memtui.settings import Loaded, Settings
from memtui.tui import themes
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Look, Shots, app_on, drive, strips
from tests.support.fake_workspace import clock, sample

NAMES = [themes.short(theme.name) for theme in themes.THEMES]


def themed(name: str) -> MemtuiApp:
    work = sample()
    loaded = Loaded(Settings(theme=name), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)


def test_t_goes_through_all_themes_and_says_which() -> None:
    seen: list[str] = []
    note = lambda a: seen.append(themes.short(a.theme))  # noqa: E731
    text = drive(app_on(), note, "T", note, "T", note, "T", note, "T", note)
    assert seen == ["dark", "light", "contrast", "ansi", "dark"]
    assert 'Theme: dark.  For good: theme = "dark"' in text


VISITS = ("j", "e", "escape", "?", "escape", "ctrl+p", "escape", "ctrl+o", "escape", "7")


def visited(app: MemtuiApp) -> list[str]:
    """Browse, an edit, the help, the palette, the jump labels and the journal as text."""
    shots = Shots()
    steps = (step for key in VISITS for step in ((key,) if key == "escape" else (key, shots)))
    drive(app, *steps, size=(100, 30))
    return shots


def test_every_screen_says_the_same_in_every_theme() -> None:
    plain: list[str] = []
    for name in NAMES:
        app = themed(name)
        shots = visited(app)
        assert themes.short(app.theme) == name
        plain = plain or shots  # the first one is what apps have unless told otherwise
        if name == "contrast":  # the same words, in heavier borders
            assert shots != plain
            assert [borderless(shot) for shot in shots] == [borderless(shot) for shot in plain]
        else:
            assert shots == plain, name


def borderless(shot: str) -> str:
    """A screen with all that borders are drawn with taken for blanks."""
    drawn = "╭─╮│╰╯┏━┓┃┗┛█▀▄"
    return shot.translate(str.maketrans(drawn, " " * len(drawn)))


def test_the_ansi_theme_uses_only_the_colours_of_the_terminal() -> None:
    app = themed("ansi")

    @Look
    def look(app: MemtuiApp) -> None:
        for line in strips(app):
            for segment in (segment for strip in line for segment in strip):
                for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                    assert colour is None or colour.is_default or (colour.number or 0) < 16, segment

    drive(app, "j", "space", look, "7", look, "1", "e", look)


def test_in_the_ansi_theme_the_cursor_is_one_reversed_line() -> None:
    @Look
    def look(app: MemtuiApp) -> None:
        line = app.screen.query_one("#list").render_line(1)
        assert all(segment.style and segment.style.reverse for segment in line if segment.text.strip())

    def look_by_name(app: MemtuiApp) -> None:
        line = app.screen.query_one("#entries").render_line(0)
        assert all(segment.style and segment.style.reverse for segment in line if segment.text.strip())

    drive(themed("ansi"), "j", look, "ctrl+p", look_by_name)


def ratio(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it."""

    def light(colour: str) -> float:
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
            for c in Color.parse(colour).normalized
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_at_least_seven_to_one() -> None:
    theme = themes.CONTRAST
    names = ("quiet", "line", "scrollbar")
    shown = [theme.foreground, theme.accent, theme.warning, theme.error, theme.success]
    for ground in (theme.background, theme.variables["cursor"], theme.panel):
        for colour in [*shown, *(theme.variables[name] for name in names[:1])]:
            assert ground is not None
            assert colour is not None
            assert ratio(colour, ground) >= 7, (colour, ground)


def test_without_colour_every_theme_still_shows_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @Look
    def look(app: MemtuiApp) -> None:
        assert any(s.style and s.style.reverse for s in app.screen.query_one("#list").render_line(1))

    for name in NAMES:
        drive(themed(name), "j", look)
