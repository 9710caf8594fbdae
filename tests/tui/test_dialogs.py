"""Edit, add, conflict, help."""

from __future__ import annotations

import pytest

from memtui.errors import Conflict
from memtui.memory.records import Change, Skipped
from memtui.tui import commands
from tests.support.app_driver import app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample


def test_edit_says_where_it_will_be_written(golden):
    golden("edit-120x36", drive(app_on(), "j", "e"))
    golden("edit-80x24", drive(app_on(), "j", "e", size=(80, 24)))


def test_ctrl_s_saves_only_what_was_changed():
    work = sample()
    sent = []
    edit = work.edit
    work.edit = lambda ids, fields, *, seen: sent.append((ids, fields, seen)) or edit(ids, fields)  # type: ignore[method-assign]
    seen = drive(
        app_on(work), "j", "e", *typed("New: "), "tab", "tab", "tab", "end", *typed(", ci"), "ctrl+s"
    )
    assert sent[0][0] == [2]
    assert set(sent[0][1]) == {"content", "tags"}
    assert sent[0][1]["content"].startswith("New: The project")
    assert sent[0][1]["tags"] == ("python", "release", "ci")
    assert "Edited 1 memory" in seen
    assert "New: The project" in seen


def test_nothing_changed_is_not_written():
    work = sample()
    assert "Nothing was changed." in drive(app_on(work), "e", "ctrl+s")
    assert work.events == []


def test_esc_asks_once_if_something_was_changed():
    seen = drive(app_on(), "e", "x", "escape")
    assert "esc again drops the changes." in seen
    work = sample()
    assert "Edit memory" not in drive(app_on(work), "e", "x", "escape", "escape")
    assert "Edit memory" not in drive(app_on(work), "e", "escape")
    assert "Edit memory" in drive(app_on(work), "e", "x", "escape", "y", "escape")
    assert work.events == []


def test_a_refusal_keeps_the_draft():
    work = sample()
    seen = drive(app_on(work), "e", "f7", "delete", "ctrl+s")
    assert "A memory needs a text. Dismiss it instead." in seen
    assert "Edit memory" in seen


def test_a_writes_a_new_memory():
    work = FakeWorkspace([], clock=clock)
    seen = drive(app_on(work), "a", *typed("I prefer tea"), "tab", "tab", *typed("pref"), "ctrl+s")
    assert "Added 1 memory" in seen
    assert "I prefer tea" in seen
    assert work.memories[1].category == "pref"
    assert work.memories[1].store == "native"
    assert "Write something first" in drive(app_on(work), "a", "ctrl+s")


def clashing() -> FakeWorkspace:
    work = sample()
    work.clash = Conflict(
        "Not saved: the store was changed meanwhile.", {"content": "mine"}, {"content": "theirs [/b]"}
    )
    return work


def test_a_conflict_shows_both_texts(golden):
    golden("conflict-120x36", drive(app_on(clashing()), "e", "x", "ctrl+s"))


def test_conflict_y_writes_mine_over_it():
    work = clashing()
    drive(app_on(work), "e", "x", "ctrl+s", "y")
    assert work.memories[1].content.startswith("xAna")


def test_conflict_t_keeps_theirs():
    work = clashing()
    seen = drive(app_on(work), "e", "x", "ctrl+s", "t")
    assert "Kept the text of the store" in seen
    assert work.memories[1].content.startswith("Ana")


def test_conflict_esc_goes_back_to_the_draft():
    work = clashing()
    seen = drive(app_on(work), "e", "x", "ctrl+s", "escape")
    assert "xAna wants" in seen
    assert "Edit memory" in seen


def test_text_that_cannot_be_edited_is_shown_and_can_be_cleaned():
    work = FakeWorkspace([memory(1, "red \x1b[31m text\u202e!")], clock=clock)
    seen = drive(app_on(work), "e", "x")
    assert "ctrl+l takes the odd characters out" in seen
    assert "␛[31m" in seen
    assert "xred" not in seen
    drive(app_on(work), "e", "ctrl+l", "ctrl+s")
    assert work.memories[1].content == "red [31m text!"


def test_a_very_long_text_is_not_put_into_the_editor():
    work = FakeWorkspace([memory(1, "long " * 200_000)], clock=clock)
    assert "too long to edit here" in drive(app_on(work), "e")


def test_help_is_built_from_the_command_table(golden):
    golden("help-80x24", drive(app_on(), "?", size=(80, 24)))
    seen = drive(app_on(), "?")
    for command in commands.COMMANDS:
        if commands.BROWSE in command.screens and command.keys:
            assert command.help in seen
    assert "undo this change" in drive(app_on(), "7", "?")
    assert "Keys on" not in drive(app_on(), "?", "escape")


def test_help_scrolls_where_it_does_not_fit():
    assert "undo your last change" not in drive(app_on(), "?", size=(60, 16))
    assert "undo your last change" in drive(app_on(), "?", "G", size=(60, 16))


def test_the_key_table_of_the_readme():
    table = commands.keys_markdown()
    assert "| `p` | pin or unpin | Browse, Decay, Graph |" in table
    assert table.count("\n") == len(commands.COMMANDS) + 2


def test_no_key_means_two_things_on_a_screen():
    for screen in (
        *commands.ALL,
        commands.EDIT,
        commands.TIE,
        commands.KINDS,
        commands.CONFLICT,
        commands.HELP,
    ):
        keys = [key for c in commands.COMMANDS if screen in c.screens for key in c.keys]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        (["partly"], "Edited 1 memory · but extra stays as the agent left it."),
        (["partly", "blocked"], "Edited 1 memory · 1 of 2; 1 not: it changed again since."),
    ],
)
def test_what_was_done_in_part_is_not_told_as_left(codes, told):
    whys = {"partly": "extra stays as the agent left it.", "blocked": "it changed again since."}
    skipped = tuple(Skipped(str(n), "", code, whys[code]) for n, code in enumerate(codes))
    work = sample()
    work.dismiss = lambda ids: Change("edited", (1,), "Edited 1 memory", 1, skipped)  # type: ignore[method-assign]
    assert told in " ".join(drive(app_on(work), "d").split())
