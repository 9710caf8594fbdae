"""Keys: set by the person in one table, and none that says nothing."""

from __future__ import annotations

from pathlib import Path

from memtui.settings import Loaded, Settings
from memtui.tui import commands
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, clock, sample


def keyed(work: FakeWorkspace, **more):
    keys = {id.replace("__", "."): (keys,) if isinstance(keys, str) else keys for id, keys in more.items()}
    loaded = Loaded(Settings(keys=keys), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)  # type: ignore[arg-type, return-value]


def test_a_set_key_works_stands_in_footer_help_and_palette_and_the_old_one_is_free():
    work = sample()
    seen = drive(keyed(work, memory__pin="P"), "j", "p")
    assert "p does nothing here; ? shows the keys." in seen
    assert "P pin" in seen.splitlines()[-1]
    assert not work.memories[2].pinned
    drive(keyed(work, memory__pin="P"), "j", "P")
    assert work.memories[2].pinned
    assert "P        pin or unpin" in drive(keyed(work, memory__pin="P"), "?")
    assert "P         pin or unpin" in drive(keyed(work, memory__pin="P"), "ctrl+p")


def test_two_keys_may_change_places_and_hints_name_the_set_key():
    work = sample()
    seen = drive(keyed(work, memory__pin="d", memory__dismiss="p", change__undo=("f5", "f6")), "j", "p")
    assert work.memories[2].status == "dismissed"
    assert "f5 undo" in seen
    drive(keyed(work, memory__pin="d", memory__dismiss="p"), "j", "d")
    assert work.memories[3].pinned


def test_movement_can_be_set_too():
    work = sample()
    drive(keyed(work, move__down=("i", "down")), "i", "i", "p")
    assert work.memories[3].pinned


def test_what_cannot_be_set_is_told_and_the_default_holds():
    work = sample()
    seen = drive(keyed(work, memory__pin="d", nope="x", memory__edit="7"), "j", size=(120, 36))
    assert "settings.toml: There is no command “nope”." in seen
    assert "and 2 more" in seen
    drive(keyed(work, memory__pin="d"), "p")
    assert not work.memories[1].pinned


def test_which_settings_are_taken():
    def troubles(**keys):
        return commands.configured({id.replace("__", "."): (key,) for id, key in keys.items()})[1]

    assert "taken by memory.dismiss on Browse" in troubles(memory__pin="d")[0]
    assert "taken by memory.edit" in troubles(memory__pin="f3", memory__dismiss="e")[0]
    assert "cannot be given away" in troubles(memory__pin="escape")[0]
    assert "is tab in most terminals" in troubles(memory__pin="ctrl+i")[0]
    assert "write P for shift+p" in troubles(memory__pin="shift+p")[0]
    assert "no key “hyper+x”" in troubles(memory__pin="hyper+x")[0]
    assert "keeps its key" in troubles(screen__back="x")[0]
    assert "key of a dialog" in troubles(edit__save="f2")[0]
    for key in ("P", "ä", "f12", "ctrl+e", "alt+p", "ctrl+up", "_", "&"):
        assert not troubles(memory__pin=key), key


def test_a_key_that_does_nothing_says_so_and_one_of_another_screen_names_it():
    assert "& does nothing here; ? shows the keys." in drive(app_on(), "&")
    assert "z works on Journal (7): undo this change." in drive(app_on(), "z")
    assert "p works on Browse (1): pin or unpin." in drive(app_on(), "7", "p")


def test_letters_that_are_typed_and_keys_that_scroll_say_nothing():
    assert "does nothing" not in drive(app_on(), "/", *typed("zqx"))
    assert "does nothing" not in drive(app_on(), "left", "right", "f9", "tab", "j", "k")
    assert "does nothing" not in drive(app_on(), "e", *typed("zq"))


def test_a_long_fault_wraps_at_80_columns_and_leaves_again():
    hint = "Allowed: pending, dismissed."
    seen = drive(app_on(), "/", *typed("status:" + "z" * 30), size=(80, 24))
    assert hint in " ".join(seen.split())
    assert len(seen.splitlines()) == 24
    assert "7 memories" in seen
    after = drive(app_on(), "/", *typed("status:z"), "backspace", *["backspace"] * 7, size=(80, 24))
    assert "Allowed" not in after


def test_ctrl_o_then_a_letter_goes_to_that_pane():
    seen: list[str] = []
    note = lambda a: seen.append(a.focused.id)  # noqa: E731
    for size in ((80, 24), (120, 36)):
        drive(app_on(), "ctrl+o", "a", note, "ctrl+o", "s", note, "ctrl+o", "d", note, size=size)
    assert seen == ["query", "list", "detail"] * 2


def test_jump_shows_its_letters_goes_to_screens_and_any_other_key_leaves():
    work = sample()
    seen = drive(app_on(work), "ctrl+o")
    for letter in "asd278":
        assert f" {letter} " in seen
    assert "[7 Journal]" in drive(app_on(work), "ctrl+o", "7")
    assert "[1 Browse]" in drive(app_on(work), "ctrl+o", "p")
    assert "[1 Browse]" in drive(app_on(work), "ctrl+o", "escape")
    assert work.events == []
