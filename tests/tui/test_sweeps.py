"""Over all screens: hostile texts, sizes, themes, no colour, keys on nothing (S-92)."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from textual import events

from memtui.errors import Conflict, Refused
from memtui.memory.records import Event, EventItem, Relation
from memtui.text import is_clean
from memtui.tui import commands
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import app_on, drive, screen
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, paired, sample

HOSTILE = [
    "\x1b[31mred\x1b]52;c;aGk=\x07\x9b2J\x00\x7f",
    "[/foo] [b]bold[/b] [@click=app.quit]x[/] [link=https://x.y]z[/link] $accent",
    "\u202etxet desrever\u202c \u2066iso\u2069 zero\u200bwidth\ufeff\u2060 soft\u00adhyphen \U000e0041tag",
    "日本語のとても長い記憶テキスト 👩‍💻 🇩🇪 ❤️ 👍🏽 é\u0301\u0301 ｆｕｌｌ",
    "tab\tand\r\nlines\rand\nmore\u2028sep\u2029",
    "\ud800 lone surrogate \udfff",
    "n" * 1_000_000,
    "",
]
# Through every screen and dialog in one go; the screen is looked at after each key.
WALK = [
    "j", "enter", "G", "escape", "*", "*", "/", "down", "e", "ctrl+l", "x", "ctrl+s",
    "escape", "escape", "escape",
    "?", "escape", "7", "j", "enter", "escape", "3", "f", "escape", "1",
    "o", "left", "right", "right", "K", "escape", "L", "f", "escape", "enter", "W", "1",
]  # fmt: skip


def hostile(text: str) -> FakeWorkspace:
    """One text in every field that is shown."""
    one = memory(
        1, text, title=text or None, subject=text, category=text or None, tags=(text, text), key=text,
        store=text or "s",
        source_type=text, source_ref=text, source_excerpt=text, session_id=text, pinned=True, pinned_by=text,
        pinned_why=text, owner=text, scope=text, note=text, steps=(text,), value={"a": text}, ref=text,
        tier=text,
    )  # fmt: skip
    work = FakeWorkspace([one, replace(one, uid="u2", store="other", title=None)], clock=clock, name="w.db")
    work.relations[1] = (
        Relation(text, text, text, None, text, 1, None),
        Relation(text, text, text, None, text, 2, 1),
    )
    work.events = [
        Event(1, NOW, f"agent:{text}", text or "edited", text, "failed", text, None, 1, text, False)
    ]
    work.items = {
        1: [
            EventItem(
                "u1",
                text,
                text,
                "refused",
                text,
                {"content": text, text or "f": text},
                {"content": "x" + text, "tags": [text]},
            )
        ]
    }
    work.clash = Conflict(f"Not saved: {text}", {"content": text}, {"content": text, text or "k": text})
    return work


def bad(text: str) -> list[str]:
    """Characters that could act on a terminal or are drawn as nothing; a joiner only where no emoji stands
    beside it: the edge of a dialog may cut through one."""
    found = [
        c
        for c in text
        if c not in "\n\u200d\ufe0f"
        and (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or not is_clean(c))
    ]
    joiners = (i for i, c in enumerate(text) if c == "\u200d")
    return found + [
        text[i] for i in joiners if all(ord(c) < 0x2600 for c in text[i - 1 : i + 2] if c != "\u200d")
    ]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_text_is_only_ever_text(number):
    app = app_on(hostile(HOSTILE[number]))

    def look(app):
        seen = screen(app)
        assert not bad(seen), bad(seen)
        assert not app._exit
        assert app.failure is None

    drive(app, look, *(step for key in WALK for step in (key, look)), (80, 24), look, "7", look)


def test_markup_is_shown_as_it_is():
    text = "[/foo] [@click=app.quit]x[/]"
    seen = drive(app_on(FakeWorkspace([memory(1, text)], clock=clock)), size=(160, 36))
    assert seen.count(text) >= 2


def test_a_hostile_refusal_is_only_text():
    def broken():
        raise Refused("x", "\x1b[2J [/foo]", "\u202e[/b]")

    seen = drive(MemtuiApp(broken, clock=clock))
    assert not bad(seen)
    assert "[/foo]" in seen


def test_a_pasted_query_keeps_no_hostile_character():
    values = []
    drive(
        app_on(),
        "/",
        lambda a: setattr(a.screen.query_one("#query"), "value", "ci\x1b[31m\u202e"),
        lambda a: values.append(a.screen.query_one("#query").value),
    )
    assert values == ["ci[31m"]


PASTED = "ok\x1b[31m\x9b2J\x00\x7f\u202eev\u200bil\ufeff\u3164\U000e0041 \r\n\u2028two\u2066\ud800\u200d end"


def paste(app):
    app.post_message(events.Paste(PASTED))


def no_paste(app):
    seen = screen(app)
    assert not bad(seen), bad(seen)


@pytest.mark.parametrize(
    "keys",
    [["/"], ["e"], ["e", "tab"], ["e", "tab", "tab"], ["e", "tab", "tab", "tab"], ["a"], ["a", "tab"]],
    ids="-".join,
)
def test_what_is_pasted_or_typed_is_clean_and_comes_once(keys):
    app = app_on()
    values = []

    def value(app):
        values.append(getattr(app.focused, "text", None) or app.focused.value)

    drive(app, *keys, paste, no_paste, value, *PASTED[2:6], no_paste, value)
    assert values[0].count("ok[31m2Jevil") == 1
    assert not any(bad(each) for each in values)


def test_loaded_and_half_deleted_text_is_clean():
    family = "👩\u200d👩\u200d👧"
    work = FakeWorkspace([memory(1, family + PASTED)], clock=clock)
    drive(app_on(work), "e", no_paste, "ctrl+l", no_paste, "delete", no_paste, "delete", no_paste)
    work = FakeWorkspace([memory(1, family)], clock=clock)
    seen = []
    drive(
        app_on(work), "e", "delete", no_paste, "ctrl+s", lambda a: seen.append(screen(a)), "ctrl+l", "ctrl+s"
    )
    assert "ctrl+l takes them out" in seen[0]
    assert is_clean(work.memories[1].content)
    assert work.memories[1].content.startswith("👩")


def test_text_set_by_any_way_is_clean():
    def load(app):
        area = app.screen.query_one("#content")
        area.load_text(PASTED)
        no_paste(app)
        area.text = PASTED
        no_paste(app)
        area.insert(PASTED)
        assert not bad(area.text)

    drive(app_on(), "e", load, no_paste)


@pytest.mark.parametrize(
    "keys", [["j"], ["enter"], ["/", "c"], ["7"], ["?"], ["e"], ["3"], ["4"], ["o", "right"]], ids="-".join
)
def test_every_size_draws_every_screen(keys):
    work = sample()
    work.pin([3])
    sizes = [(w, h) for w in (40, 60, 80, 99, 100, 200) for h in (8, 12, 24)]
    drive(app_on(work), *keys, *(step for size in sizes for step in (size, screen)))


def test_resizing_while_it_runs():
    sizes = [(200, 60), (40, 10), (100, 30), (99, 24), (60, 16), (120, 36)]
    app = app_on()
    seen = drive(app, "j", *sizes)
    assert seen == drive(app_on(), "j", (120, 36))


@pytest.mark.parametrize("mode", ["1", "3", "4", "7"])
@pytest.mark.parametrize("work", [FakeWorkspace([], clock=clock), paired()], ids=["nothing", "something"])
def test_every_key_on_nothing_and_on_something(work, mode):
    name = {"1": commands.BROWSE, "3": commands.REVIEW, "4": commands.GRAPH, "7": commands.JOURNAL}[mode]
    keys = [
        key
        for c in commands.COMMANDS
        if name in c.screens and c.id not in ("app.quit", "move.pane")
        for key in c.keys
    ]
    for part in (keys[: len(keys) // 2], keys[len(keys) // 2 :]):
        app = app_on(work)
        drive(app, mode, *part)
        assert not app._exit


def test_without_colour_the_cursor_is_still_seen(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    def look(app):
        line = app.screen.query_one("#list").render_line(1)
        assert any(segment.style.reverse for segment in line)

    app = app_on()
    drive(app, "j", look)
    assert app.no_color


def test_ansi_colours_work_too():
    work = sample()
    app = MemtuiApp(lambda: work, clock=clock)  # type: ignore[arg-type, return-value]
    app.ansi_color = True
    assert "memtui targets" in drive(app, "j")


def test_q_quits_and_queued_writes_are_finished():
    work = sample()
    app = app_on(work)
    drive(app, "d", lambda a: a.change(work.pin, [4]), "q")
    assert work.memories[1].status == "dismissed"
    assert work.memories[4].pinned
    assert work.closed


def test_nothing_heavy_is_imported_for_the_first_paint():
    import subprocess
    import sys

    heavy = ("peewee", "apsw", "pyperclip", "numpy", "memtui.workspace.workspace", "memtui.tui.dialogs.edit")
    code = f"import sys, memtui.tui.app; print([name for name in {heavy!r} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_screen_is_as_wide_as_the_terminal():
    app = app_on()
    drive(app, lambda a: screen(a))
