"""All screens with hostile texts, at all sizes, without colour; every key on an empty workspace (S-92)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual import events
from textual.widgets import Input, TextArea

from memtui.errors import Refused
from memtui.text import is_clean
from memtui.tui import command_table
from memtui.tui.app import MemtuiApp
from memtui.tui.commands import names
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, screen_text
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample, with_pairs
from tests.support.hostile.memories import HOSTILE, hostile_workspace, rotated, unsafe_characters
from tests.support.sizes import FULL, rounds, shard

# Keys through every screen and dialog; the screen is checked after each.
WALK = [
    "j", "enter", "G", "escape", "*", "*", "/", "down", "e", "ctrl+l", "x", "ctrl+s",
    "escape", "escape", "escape",
    "?", "escape", "7", "j", "enter", "escape", "3", "f", "escape", "1",
    "o", "left", "right", "right", "C", "escape", "L", "f", "escape", "enter", "W", "1",
]  # fmt: skip

SECOND_WALK = ["enter", "escape", "e", "ctrl+l", "x", "ctrl+s", "escape", "escape", "escape"]

# A quick run takes those whose contents, which the edit dialog opens, are escape codes or markup, and walks
# through everything with the first of them.
MIXES: list[Sequence[str]] = [
    texts
    for texts in map(rotated, range(len(HOSTILE)))
    if FULL or hostile_workspace(*texts).memories[1].content in HOSTILE[:2]
]
ALONE: list[Sequence[str]] = [[text] for text in HOSTILE] if FULL else []


@pytest.mark.parametrize("texts", [*MIXES, *ALONE], ids=lambda texts: ascii(texts[0][:12]))
def test_hostile_text_is_shown_as_plain_text(texts: Sequence[str]) -> None:
    app = app_on(hostile_workspace(*(text[: rounds(25_000, len(text))] for text in texts)))

    @Probe
    def check(app: MemtuiApp) -> None:
        seen = screen_text(app)
        assert not unsafe_characters(seen), unsafe_characters(seen)
        assert not app._exit
        assert app.failure is None

    walk = WALK if FULL or texts is MIXES[0] else SECOND_WALK
    drive(app, check, *(step for key in walk for step in (key, check)), (80, 24), check, "7", check)


def test_markup_is_shown_literally() -> None:
    text = "[/foo] [@click=app.quit]x[/]"
    seen = drive(app_on(FakeWorkspace([memory(1, text)], clock=clock)), size=(160, 36))
    assert seen.count(text) >= 2


def test_a_hostile_refusal_is_shown_as_plain_text() -> None:
    def refuse() -> FakeWorkspace:
        raise Refused("x", "\x1b[2J [/foo]", "\u202e[/b]")

    seen = drive(MemtuiApp(refuse, clock=clock))
    assert not unsafe_characters(seen)
    assert "[/foo]" in seen


def test_a_pasted_query_is_cleaned() -> None:
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


def check_safe(app: MemtuiApp) -> None:
    seen = screen_text(app)
    assert not unsafe_characters(seen), unsafe_characters(seen)


@pytest.mark.parametrize(("key", "fields"), [("/", 1), ("e", 4), ("a enter", 2)])
def test_pasted_text_is_cleaned_and_inserted_once(key: str, fields: int) -> None:
    values: list[str] = []

    def note_value(app: MemtuiApp) -> None:
        focused = app.focused
        assert isinstance(focused, Input | TextArea)
        values.append(focused.value if isinstance(focused, Input) else focused.text)

    field: list[Step] = [paste, check_safe, note_value, *PASTED[2:6], check_safe, note_value]
    drive(app_on(), *key.split(), *(step for number in range(fields) for step in (*["tab"][:number], *field)))
    assert len(values) == 2 * fields
    for number, (pasted, typed) in enumerate(zip(values[::2], values[1::2], strict=True)):
        assert pasted.count("ok[31m2Jevil") == 1, number
        assert not unsafe_characters(pasted), number
        assert not unsafe_characters(typed), number


def test_loaded_and_partly_deleted_text_is_clean() -> None:
    family = "👩\u200d👩\u200d👧"
    work = FakeWorkspace([memory(1, family + PASTED)], clock=clock)
    drive(app_on(work), "e", check_safe, "ctrl+l", "home", *("delete", check_safe) * 2)
    work = FakeWorkspace([memory(1, family)], clock=clock)
    seen: list[str] = []
    drive(
        app_on(work),
        "e",
        "home",
        "delete",
        check_safe,
        "ctrl+s",
        lambda a: seen.append(screen_text(a)),
        "ctrl+l",
        "ctrl+s",
    )
    assert "Press ctrl+l to remove them." in seen[0]
    content = work.memories[1].content
    assert content is not None
    assert is_clean(content)
    assert content.startswith("👩")


def test_text_set_by_a_program_is_clean() -> None:
    def set_text(app: MemtuiApp) -> None:
        area = app.screen.query_one("#content", TextArea)
        area.load_text(PASTED)
        check_safe(app)
        area.text = PASTED
        check_safe(app)
        area.insert(PASTED)
        assert not unsafe_characters(area.text)

    drive(app_on(), "e", set_text, check_safe)


VISITS = [["j"], ["enter"], ["/", "c"], ["7"], ["?"], ["e"], ["3"], ["4"], ["o", "right"]]


def test_every_screen_is_drawn_at_every_size() -> None:
    work = sample()
    work.pin([3])
    sizes = [(w, h) for h in (8, 24, 12) for w in (40, 60, 80, 99, 100, 200)]
    steps: list[Step] = []
    for number, keys in enumerate(VISITS):
        tried = shard(sizes, 2 * number + number % 2, 2 * len(VISITS))
        steps += [
            *keys,
            *(step for size in tried for step in (size, Probe(screen_text))),
        ]
        steps += ["escape", "escape", "1", "g"]
    drive(app_on(work), *steps)


def test_resizing_and_back_restores_the_screen() -> None:
    sizes = [(200, 60), (40, 10), (100, 30), (99, 24), (60, 16), (120, 36)]
    app = app_on()
    before = Shots()
    assert drive(app, "j", before, *sizes) == before[0]


MODES = {
    "1": names.BROWSE,
    "3": names.REVIEW,
    "4": names.GRAPH,
    "6": names.RULES,
    "7": names.JOURNAL,
}


@pytest.mark.parametrize(("number", "mode"), list(enumerate(MODES)))
@pytest.mark.parametrize("full", [False, True], ids=["empty", "filled"])
def test_every_key_works_on_an_empty_and_on_a_filled_workspace(full: bool, number: int, mode: str) -> None:
    """Commands that several screens share are tried on them in turn, as are the keys of a command that has
    several; half of a screen's own are tried on the filled workspace, where other tests press them too."""
    left_out = ("app.quit", "move.pane", "memory.copy_to", "memory.move_to")  # no fake answers the last two
    usable = [c for c in command_table.COMMANDS if c.id not in left_out]
    on_screen = [c for c in usable if MODES[mode] in c.screens]
    shared = [c for c in on_screen if sum(name in c.screens for name in MODES.values()) > 1]
    tried = shard(shared, number + 2 * full, len(MODES))
    own = [c for c in on_screen if c not in shared]
    chosen = [c for c in on_screen if c in tried or c in (shard(own, number, 2) if full else own)]
    keys = [key for c in chosen for key in shard(c.keys, number + full, len(c.keys) or 1)]
    half = len(keys) // 2
    app = app_on(with_pairs() if full else FakeWorkspace([], clock=clock))
    drive(app, mode, *keys[:half], "escape", "escape", "escape", mode, *keys[half:], size=(100, 30))
    assert not app._exit


def test_without_colour_the_cursor_is_still_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @Probe
    def check_cursor(app: MemtuiApp) -> None:
        line = app.screen.query_one("#list").render_line(1)
        assert any(segment.style and segment.style.reverse for segment in line)

    app = app_on()
    drive(app, "j", check_cursor)
    assert app.no_color


def test_the_app_works_with_ansi_colours() -> None:
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock)
    app.ansi_color = True
    assert "memtui targets" in drive(app, "j")


def test_q_finishes_queued_writes_before_quitting() -> None:
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
