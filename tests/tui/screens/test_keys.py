"""Keys: configured in one table of the settings, and none without an effect or a message."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input

from memtui.settings import Loaded, Settings
from memtui.tui import command_table, keymap
from memtui.tui.app import MemtuiApp
from tests.support import app_driver
from tests.support.app_driver import (
    Probe,
    Shots,
    Step,
    app_on,
    line_with,
    stable_screen,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import FakeWorkspace, clock, sample, with_pairs
from tests.support.sizes import shard

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much


def app_with_keys(work: FakeWorkspace, **more: str | tuple[str, ...]) -> MemtuiApp:
    """Return the app with configured keys; a dot in a command's id is written as two underscores."""
    keys = {id.replace("__", "."): (keys,) if isinstance(keys, str) else keys for id, keys in more.items()}
    loaded = Loaded(Settings(keys=keys), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)


def test_a_configured_key_works_and_is_shown_everywhere_and_the_default_is_free() -> None:
    work = sample()
    pinned: list[bool] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        pinned.append(work.memories[2].pinned)

    steps: list[Step] = ["j", "p", shots, note, "Q", note, "?", shots, "escape", "ctrl+p", shots]
    drive(app_with_keys(work, memory__pin="Q"), *steps)
    assert pinned == [False, True]
    assert "p does nothing here; press ? for help." in shots[0]
    assert "Q pin" in shots[0].splitlines()[-1]
    assert "Q      pin or unpin" in shots[1]
    assert "Q         pin or unpin" in shots[2]


def test_an_empty_journal_names_the_configured_keys() -> None:
    shots = Shots()
    app = app_with_keys(FakeWorkspace([], clock=clock), journal__since="f7", journal__filter="f8")
    drive(app, "7", "f7", shots, "f8", shots, "f7", "f8", shots)
    assert "f7  all changes" in shots[0]
    assert "Press f7 for all changes." in shots[1]
    assert "f8  changes by agents" in shots[2]


def test_two_keys_can_be_swapped_and_hints_name_the_configured_key() -> None:
    work = sample()
    shots = Shots()
    app = app_with_keys(work, memory__pin="d", memory__dismiss="p", change__undo=("f5", "f6"))
    drive(app, "j", "p", shots, "d")
    assert work.memories[2].status == "dismissed"
    assert "f5 undo" in shots[0]
    assert work.memories[3].pinned  # the next memory, to which the cursor moved


def test_keys_of_movement_can_be_configured() -> None:
    work = sample()
    drive(app_with_keys(work, move__down=("f4", "down")), "f4", "f4", "p")
    assert work.memories[3].pinned


def test_an_invalid_key_setting_is_reported_and_the_default_is_used() -> None:
    work = sample()
    shots = Shots()
    drive(app_with_keys(work, memory__pin="d", nope="x", memory__edit="7"), "j", shots, "p")
    assert "settings.toml: Unknown command “nope”." in shots[0]
    assert "and 2 more" in shots[0]
    assert work.memories[2].pinned


def test_key_settings_are_validated() -> None:
    def problems(**keys: str) -> list[str]:
        return list(keymap.apply_key_settings({id.replace("__", "."): (key,) for id, key in keys.items()})[1])

    assert "already bound to memory.dismiss in Browse" in problems(memory__pin="d")[0]
    assert "already bound to memory.edit" in problems(memory__pin="f3", memory__dismiss="e")[0]
    assert "is reserved" in problems(memory__pin="escape")[0]
    assert "is the same as tab in most terminals" in problems(memory__pin="ctrl+i")[0]
    assert "write P instead of shift+p" in problems(memory__pin="shift+p")[0]
    assert "unknown key “hyper+x”" in problems(memory__pin="hyper+x")[0]
    assert "can't be rebound" in problems(screen__back="x")[0]
    assert "belongs to a dialog" in problems(edit__save="f2")[0]
    for key in ("Q", "ä", "f12", "ctrl+e", "alt+p", "ctrl+up", "_", "&"):
        assert not problems(memory__pin=key), key


def test_an_unused_key_says_so_and_a_key_of_another_screen_names_it() -> None:
    shots = Shots()
    drive(app_on(), "&", shots, "trade_mark_sign", shots, "z", shots, "7", "p", shots)
    assert "& does nothing here; press ? for help." in shots[0]
    assert "™ does nothing here; press ? for help." in shots[1]
    assert "z works in Journal (7): undo this change." in shots[2]
    assert "p works in Browse (1), Inbox (2), Graph (4) and Decay (5): pin or unpin." in shots[3]


def test_a_key_that_does_different_things_elsewhere_names_every_screen() -> None:
    shots = Shots()
    drive(app_on(), "3", "V", shots, "8", "f", shots, "7", "/", shots, size=(120, 24))
    assert "V works in Browse (1), Decay (5) and Journal (7)." in shots[0]
    assert "f works in Browse (1), Inbox (2), Review (3), Graph (4), Decay (5) and Journal (7)." in shots[1]
    assert "/ works in Browse (1): search; Graph (4): find a memory." in shots[2]


@pytest.mark.parametrize("screen", "12345678")
def test_no_key_is_mute_on_any_screen(screen: str) -> None:
    silent: list[str] = []
    labels = {"slash": "/", "plus": "+", "minus": "-", "backspace": "⌫", "delete": "del", "f1": "f1"}
    labels |= {"f5": "f5", "left": "←", "right": "→", "semicolon": ";", "ctrl+z": "ctrl+z", "at": "@"}

    def note(key: str) -> Step:
        def check(app: MemtuiApp) -> None:
            mode = command_table.TABS["12345678".index(screen)][2]
            bound = any(
                key in map(command_table.textual_key, command.keys)
                for command in command_table.COMMANDS
                if mode in command.screens
            )
            text = app.status.text
            if not bound and not text.startswith((f"{labels[key]} works in", f"{labels[key]} does nothing")):
                silent.append(f"{key}: {text}")

        return Probe(check)

    tried = shard(labels, int(screen), 3)
    drive(app_on(with_pairs()), screen, *(step for key in tried for step in (key, note(key), "escape")))
    assert silent == []


def test_typed_letters_and_scrolling_keys_are_not_reported_as_unused() -> None:
    shots = Shots()
    scrolls = ["home", "end", "tab", "shift+tab", "j", "k"]
    typing: list[Step] = ["/", *typed("zqx"), shots, "escape", "escape"]
    drive(
        app_on(), *(step for key in scrolls for step in (key, shots)), "1", *typing, "e", *typed("zq"), shots
    )
    assert len(shots) == 8
    assert all("does nothing" not in seen for seen in shots)


def test_a_long_fault_wraps_at_80_columns_and_disappears_again() -> None:
    shots = Shots()

    def set_to(text: str) -> Step:
        return lambda app: setattr(app.screen.query_one("#query", Input), "value", text)

    keys = ["/", *typed("status:")]
    long, short = set_to("status:" + "z" * 30), set_to("status:z")
    drive(app_on(), *keys, long, shots, short, *["backspace"] * 8, shots, size=(80, 24))
    hint = "Allowed: pending, dismissed."
    assert hint in " ".join(shots[0].split())
    assert len(shots[0].splitlines()) == 24
    assert "work.db · 7" in shots[0]
    assert "Allowed" not in shots[1]


def test_ctrl_o_and_a_letter_focus_a_pane() -> None:
    focused: list[str | None] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        focused.append(app.focused.id if app.focused is not None else None)

    jumps: list[Step] = ["ctrl+o", "a", note, "ctrl+o", "s", note, "ctrl+o", "d", note]
    drive(app_on(), (80, 24), *jumps, (120, 36), *jumps)
    assert focused == ["query", "list", "detail"] * 2


def test_keys_that_come_fast_close_the_jump_once() -> None:
    stack: list[int] = []

    @Probe
    def press_thrice(app: MemtuiApp) -> None:
        for _ in range(3):  # in the queue of the screen before it handles the first
            app.screen.post_message(Key("z", "z"))

    @Probe
    def note(app: MemtuiApp) -> None:
        stack.append(len(app.screen_stack))

    drive(app_on(), note, "ctrl+o", note, press_thrice, "j", note)
    assert stack == [1, 2, 1]


def test_jump_shows_letters_for_panes_and_screens_and_other_keys_cancel_it() -> None:
    work = sample()
    shots = Shots()
    cancel: list[Step] = ["ctrl+o", "p", shots, "ctrl+o", "escape", shots]
    drive(app_on(work), "ctrl+o", shots, *cancel[1:], "ctrl+o", "7", shots)
    for letter in "asd278":
        assert f" {letter} " in shots[0]
    assert "[1Browse]" in shots[1]
    assert "[1Browse]" in shots[2]
    assert "[7Journal]" in shots[3]
    assert work.events == []


def test_a_read_only_workspace_refuses_at_once_what_would_ask_first() -> None:
    work = sample()
    work.read_only = True
    keys = ["a", "X", "Y", "M", "O", "oO"]
    shots = Shots()
    stack: list[int] = []
    note = Probe(lambda app: stack.append(len(app.screen_stack)))
    clear: list[Step] = [lambda app: app.show_status("")]
    drive(app_on(work), "j", *(step for each in keys for step in (*clear, *each, shots, note)))
    for each, shown in zip(keys, shots, strict=True):
        assert "The workspace is read-only." in shown.splitlines()[-2], each
    assert stack == [1] * len(keys)


def test_the_palette_says_what_a_read_only_workspace_refuses() -> None:
    work = sample()
    work.read_only = True
    seen = drive(app_on(work), "j", "ctrl+p", *typed("add a memory"))
    assert "add a memory" in line_with(seen, "The workspace is read-only.")


def test_esc_and_a_letter_in_a_hurry_are_two_keys_unless_alt_and_the_letter_are_a_command() -> None:
    shots = Shots()
    drive(app_on(), "?", "alt+v", shots)
    assert "Keys in" not in shots[0]
    assert "onfirmed" in shots[0]
    assert "inned" in drive(app_with_keys(sample(), memory__pin="alt+k"), "alt+k")


def test_tab_and_a_letter_in_one_burst_reach_the_next_field() -> None:
    contents: list[str] = []

    async def burst(app: MemtuiApp) -> None:
        await app._press_keys(["e"])
        await wait_until_idle(app)
        for key in ("tab", "Z"):
            app.post_message(Key(key, None if key == "tab" else key))
        await wait_until_idle(app)
        contents.append(await stable_screen(app))

    drive(app_on(), Probe(burst))
    title = line_with(contents[0], "Title")
    assert "Z" in title
