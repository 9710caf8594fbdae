"""Over all screens: hostile texts, sizes, themes, no colour, keys on nothing (S-92)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual import events
from textual.widgets import Input, TextArea

from memtui.errors import Refused
from memtui.text import is_clean
from memtui.tui import command_table
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Look, Shots, Step, app_on, drive, screen
from tests.support.fake_workspace import FakeWorkspace, clock, memory, paired, sample
from tests.support.hostile.memories import HOSTILE, bad, hostile, mixed
from tests.support.sizes import FULL, rounds, turn

# Through every screen and dialog in one go; the screen is looked at after each key.
WALK = [
    "j", "enter", "G", "escape", "*", "*", "/", "down", "e", "ctrl+l", "x", "ctrl+s",
    "escape", "escape", "escape",
    "?", "escape", "7", "j", "enter", "escape", "3", "f", "escape", "1",
    "o", "left", "right", "right", "K", "escape", "L", "f", "escape", "enter", "W", "1",
]  # fmt: skip

SECOND_WALK = ["enter", "escape", "e", "ctrl+l", "x", "ctrl+s", "escape", "escape", "escape"]

# A quick run takes those whose contents, which the edit dialog opens, are the escape codes and the markup,
# and walks through everything with the first of them.
MIXES: list[Sequence[str]] = [
    texts
    for texts in map(mixed, range(len(HOSTILE)))
    if FULL or hostile(*texts).memories[1].content in HOSTILE[:2]
]
ALONE: list[Sequence[str]] = [[text] for text in HOSTILE] if FULL else []


@pytest.mark.parametrize("texts", [*MIXES, *ALONE], ids=lambda texts: ascii(texts[0][:12]))
def test_hostile_text_is_only_ever_text(texts: Sequence[str]) -> None:
    app = app_on(hostile(*(text[: rounds(25_000, len(text))] for text in texts)))

    @Look
    def look(app: MemtuiApp) -> None:
        seen = screen(app)
        assert not bad(seen), bad(seen)
        assert not app._exit
        assert app.failure is None

    walk = WALK if FULL or texts is MIXES[0] else SECOND_WALK
    drive(app, look, *(step for key in walk for step in (key, look)), (80, 24), look, "7", look)


def test_markup_is_shown_as_it_is() -> None:
    text = "[/foo] [@click=app.quit]x[/]"
    seen = drive(app_on(FakeWorkspace([memory(1, text)], clock=clock)), size=(160, 36))
    assert seen.count(text) >= 2


def test_a_hostile_refusal_is_only_text() -> None:
    def broken() -> FakeWorkspace:
        raise Refused("x", "\x1b[2J [/foo]", "\u202e[/b]")

    seen = drive(MemtuiApp(broken, clock=clock))
    assert not bad(seen)
    assert "[/foo]" in seen


def test_a_pasted_query_keeps_no_hostile_character() -> None:
    values: list[str] = []
    drive(
        app_on(),
        "/",
        lambda a: setattr(a.screen.query_one("#query", Input), "value", "ci\x1b[31m\u202e"),
        lambda a: values.append(a.screen.query_one("#query", Input).value),
    )
    assert values == ["ci[31m"]


PASTED = "ok\x1b[31m\x9b2J\x00\x7f\u202eev\u200bil\ufeff\u3164\U000e0041 \r\n\u2028two\u2066\ud800\u200d end"


def paste(app: MemtuiApp) -> None:
    app.post_message(events.Paste(PASTED))


def no_paste(app: MemtuiApp) -> None:
    seen = screen(app)
    assert not bad(seen), bad(seen)


@pytest.mark.parametrize(("key", "fields"), [("/", 1), ("e", 4), ("a", 2)])
def test_what_is_pasted_or_typed_is_clean_and_comes_once(key: str, fields: int) -> None:
    values: list[str] = []

    def value(app: MemtuiApp) -> None:
        focused = app.focused
        assert isinstance(focused, Input | TextArea)
        values.append(focused.value if isinstance(focused, Input) else focused.text)

    field: list[Step] = [paste, no_paste, value, *PASTED[2:6], no_paste, value]
    drive(app_on(), key, *(step for place in range(fields) for step in (*["tab"][:place], *field)))
    assert len(values) == 2 * fields
    for place, (pasted, typed) in enumerate(zip(values[::2], values[1::2], strict=True)):
        assert pasted.count("ok[31m2Jevil") == 1, place
        assert not bad(pasted), place
        assert not bad(typed), place


def test_loaded_and_half_deleted_text_is_clean() -> None:
    family = "👩\u200d👩\u200d👧"
    work = FakeWorkspace([memory(1, family + PASTED)], clock=clock)
    drive(app_on(work), "e", no_paste, "ctrl+l", no_paste, "delete", no_paste, "delete", no_paste)
    work = FakeWorkspace([memory(1, family)], clock=clock)
    seen: list[str] = []
    drive(
        app_on(work), "e", "delete", no_paste, "ctrl+s", lambda a: seen.append(screen(a)), "ctrl+l", "ctrl+s"
    )
    assert "ctrl+l takes them out" in seen[0]
    content = work.memories[1].content
    assert content is not None
    assert is_clean(content)
    assert content.startswith("👩")


def test_text_set_by_any_way_is_clean() -> None:
    def load(app: MemtuiApp) -> None:
        area = app.screen.query_one("#content", TextArea)
        area.load_text(PASTED)
        no_paste(app)
        area.text = PASTED
        no_paste(app)
        area.insert(PASTED)
        assert not bad(area.text)

    drive(app_on(), "e", load, no_paste)


VISITS = [["j"], ["enter"], ["/", "c"], ["7"], ["?"], ["e"], ["3"], ["4"], ["o", "right"]]


def test_every_size_draws_every_screen() -> None:
    work = sample()
    work.pin([3])
    sizes = [(w, h) for w in (40, 60, 80, 99, 100, 200) for h in (8, 12, 24)]
    steps: list[Step] = []
    for number, keys in enumerate(VISITS):
        steps += [
            *keys,
            *(step for size in turn(sizes, number, len(VISITS)) for step in (size, Look(screen))),
        ]
        steps += ["escape", "escape", "1", "g"]
    drive(app_on(work), *steps)


def test_resizing_while_it_runs() -> None:
    sizes = [(200, 60), (40, 10), (100, 30), (99, 24), (60, 16), (120, 36)]
    app = app_on()
    before = Shots()
    assert drive(app, "j", before, *sizes) == before[0]


MODES = {
    "1": command_table.BROWSE,
    "3": command_table.REVIEW,
    "4": command_table.GRAPH,
    "7": command_table.JOURNAL,
}


@pytest.mark.parametrize(("number", "mode"), list(enumerate(MODES)))
@pytest.mark.parametrize("full", [False, True], ids=["nothing", "something"])
def test_every_key_on_nothing_and_on_something(full: bool, number: int, mode: str) -> None:
    """What means the same on several of the screens is tried on them in turn, as are the keys of a command
    that has several."""
    usable = [c for c in command_table.COMMANDS if c.id not in ("app.quit", "move.pane")]
    here = [c for c in usable if MODES[mode] in c.screens]
    shared = [c for c in here if sum(name in c.screens for name in MODES.values()) > 1]
    tried = turn(shared, number + 2 * full, len(MODES))
    chosen = [c for c in here if c not in shared or c in tried]
    keys = [key for c in chosen for key in turn(c.keys, number + full, len(c.keys) or 1)]
    half = len(keys) // 2
    app = app_on(paired() if full else FakeWorkspace([], clock=clock))
    drive(app, mode, *keys[:half], "escape", "escape", "escape", mode, *keys[half:], size=(100, 30))
    assert not app._exit


def test_without_colour_the_cursor_is_still_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @Look
    def look(app: MemtuiApp) -> None:
        line = app.screen.query_one("#list").render_line(1)
        assert any(segment.style and segment.style.reverse for segment in line)

    app = app_on()
    drive(app, "j", look)
    assert app.no_color


def test_ansi_colours_work_too() -> None:
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock)
    app.ansi_color = True
    assert "memtui targets" in drive(app, "j")


def test_q_quits_and_queued_writes_are_finished() -> None:
    work = sample()
    app = app_on(work)
    drive(app, "d", lambda a: a.run_change(work.pin, [4]), "q")
    assert work.memories[1].status == "dismissed"
    assert work.memories[4].pinned
    assert work.closed


def test_nothing_heavy_is_imported_for_the_first_paint() -> None:
    import subprocess
    import sys

    heavy = ("peewee", "apsw", "pyperclip", "numpy", "memtui.workspace.workspace", "memtui.tui.memory.edit")
    code = f"import sys, memtui.tui.app; print([name for name in {heavy!r} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
