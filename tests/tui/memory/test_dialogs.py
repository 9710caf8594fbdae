"""The dialogs for editing and adding, for conflicts, and for help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memtui.errors import Conflict
from memtui.memory.results import Change, Skipped
from memtui.tui import command_table, key_tables
from memtui.tui.app import MemtuiApp
from memtui.tui.commands import names
from memtui.workspace.background import JobControl
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample

Golden = Callable[[str, str], None]


def test_the_edit_dialog_shows_where_a_change_is_written(golden: Golden) -> None:
    wide = drive(app_on(), "j", "e")
    assert "content: saved in memtui's own store" in wide
    golden("edit-120x36", wide)
    golden("edit-80x24", drive(app_on(), "j", "e", size=(80, 24)))


def test_ctrl_s_saves_only_changed_fields() -> None:
    class Recording(FakeWorkspace):
        sent: list[tuple[Sequence[int], Mapping[str, Any]]]

        def edit(
            self,
            ids: Sequence[int],
            fields: Mapping[str, Any],
            *,
            seen: Mapping[str, Any] | None = None,
            retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
            control: JobControl | None = None,
        ) -> Change:
            self.sent.append((ids, fields))
            return super().edit(ids, fields, seen=seen, retag=retag)

    work = Recording(list(sample().memories.values()), clock=clock)
    work.sent = []
    keys = [
        "ctrl+home",
        *typed("New: "),
        "ctrl+end",
        *typed(" Yes."),
        "tab",
        "tab",
        "tab",
        "end",
        *typed(", ci"),
        "ctrl+s",
    ]
    seen = drive(app_on(work), "j", "e", *keys)
    ids, fields = work.sent[0]
    assert ids == [2]
    assert set(fields) == {"content", "tags"}
    assert fields["content"].startswith("New: The project")
    assert fields["content"].endswith(" Yes.")
    assert fields["tags"] == ("python", "release", "ci")
    assert "Edited 1 memory" in seen
    assert "New: The project" in seen


def test_esc_closes_the_edit_dialog_and_asks_first_if_something_was_changed() -> None:
    work = sample()
    shots = Shots()
    close: list[Step] = ["e", "escape", shots]
    discard: list[Step] = ["e", "x", "escape", shots, "escape", shots]
    # Another key cancels the question.
    cancel: list[Step] = ["e", "x", "escape", "y", "escape", shots, "escape"]
    drive(app_on(work), *close, *discard, *cancel, "e", "ctrl+s", shots)
    closed, asked, discarded, cancelled, unchanged = shots
    assert "Edit memory" not in closed
    assert "Press esc again to discard your changes." in asked
    assert "Edit memory" in asked
    assert "Edit memory" not in discarded
    assert "Edit memory" in cancelled
    assert "No changes to save." in unchanged
    assert work.events == []


def test_a_refusal_keeps_the_draft() -> None:
    seen = drive(app_on(), "e", "f7", "delete", "ctrl+s")
    assert "Not saved: the memory would be empty. Dismiss it instead." in seen
    assert "Edit memory" in seen


def test_a_adds_a_memory() -> None:
    work = FakeWorkspace([], clock=clock)
    shots = Shots()
    keys = [*typed("I like tea"), "tab", "tab", *typed("pref"), "ctrl+s"]
    drive(app_on(work), "a", "ctrl+s", shots, *keys, shots)
    assert "Nothing to save: the memory is empty" in shots[0]
    assert "Added 1 memory" in shots[1]
    assert "I like tea" in shots[1]
    assert work.memories[1].category == "pref"
    assert work.memories[1].store == "native"
    assert len(work.events) == 1


def test_a_conflict_shows_both_texts_and_asks_which_one_to_keep(golden: Golden) -> None:
    work = sample()
    shots = Shots()
    texts: list[str] = []

    def set_conflict(app: MemtuiApp) -> None:
        work.conflict = Conflict(
            "the store was changed meanwhile.", {"content": "mine"}, {"content": "theirs [/b]"}
        )

    @Probe
    def note(app: MemtuiApp) -> None:
        texts.append(work.memories[1].content)

    drive(
        app_on(work),
        set_conflict, "e", "ctrl+home", "x", "ctrl+s", shots,
        "escape", shots, note,  # back to the draft
        set_conflict, "ctrl+s", "t", shots, note,  # keeps the stored text
        set_conflict, "e", "ctrl+home", "x", "ctrl+s", "y", note,  # overwrites it
    )  # fmt: skip
    golden("conflict-120x36", shots[0])
    assert "xAna wants" in shots[1]
    assert "Edit memory" in shots[1]
    assert "Kept the stored text" in shots[2]
    assert texts[0].startswith("Ana")
    assert texts[1].startswith("Ana")
    assert texts[2].startswith("xAna")


def test_text_with_control_characters_is_shown_and_can_be_cleaned() -> None:
    work = FakeWorkspace([memory(1, "red \x1b[31m text\u202e!")], clock=clock)
    shots = Shots()
    drive(app_on(work), "e", "x", shots, "ctrl+l", "ctrl+s")
    assert "press ctrl+l to remove unsupported characters" in shots[0]
    assert "␛[31m" in shots[0]
    assert "xred" not in shots[0]
    assert work.memories[1].content == "red [31m text!"


def test_the_editor_names_what_its_text_is_about_and_starts_behind_the_first_line() -> None:
    work = FakeWorkspace([memory(1, "Owner: Ana\nSince May", subject="Label printer")], clock=clock)
    shots = Shots()
    drive(app_on(work), "e", shots, *typed("!"), "ctrl+s")
    assert "Edit memory: Label printer" in shots[0]
    assert work.memories[1].content == "Owner: Ana!\nSince May"


def test_a_very_long_text_is_not_loaded_into_the_editor() -> None:
    work = FakeWorkspace([memory(1, "long " * 200_000)], clock=clock)
    assert "Too long to edit here" in drive(app_on(work), "e")


def test_help_lists_the_commands_of_the_screen(golden: Golden) -> None:
    shots = Shots()
    pages: list[Step] = ["pagedown", shots] * 9
    small: list[Step] = [(60, 16), "?", shots, *pages, "escape"]
    journal_keys: list[Step] = [(120, 36), "7", "?", shots]
    drive(
        app_on(),
        (120, 46),
        "?",
        shots,
        "escape",
        shots,
        (80, 24),
        "?",
        shots,
        "escape",
        *small,
        *journal_keys,
    )
    whole, closed, at_80, top, *further, journal = shots
    for command in command_table.COMMANDS:
        if names.BROWSE in command.screens and command.keys:
            assert command.help in whole, command.id
    assert "Keys on" not in closed
    golden("help-80x24", at_80)
    # It scrolls if it does not fit.
    assert "undo your last change" not in top
    assert any("undo your last change" in page for page in further)
    assert "undo this change" in journal


def test_typing_in_the_help_narrows_keys_and_concepts_and_esc_clears_first() -> None:
    shots = Shots()
    typing: list[Step] = ["?", *typed("pin"), shots, "escape", shots, "escape", shots]
    drive(app_on(), *typing, "?", *typed("xyzq"), shots, size=(80, 24))
    narrowed, cleared, closed, nothing = shots
    assert "pin or unpin" in narrowed
    assert "A pinned memory does not decay" in narrowed
    assert "dismiss as wrong" not in narrowed
    assert "dismiss as wrong" in cleared
    assert "Keys on" not in closed
    assert "No key or concept matches “xyzq”." in nothing


def test_the_help_is_searched_by_synonyms_and_has_the_keys_of_other_screens_last() -> None:
    shots = Shots()
    drive(app_on(), "?", *typed("delete"), shots, "escape", *typed("relation"), shots, size=(80, 44))
    synonyms, elsewhere = shots
    for text in (
        "dismiss as wrong",
        "purge (asks first)",
        "delete saved search",
        "remove relation",
    ):
        assert text in synonyms
    assert "Dismissing takes a memory out of use" in synonyms
    assert synonyms.index("dismiss as wrong") < synonyms.index("Concepts") < synonyms.index("remove relation")
    assert "incoming relations" in elsewhere


def test_the_help_scrolls_with_the_arrows() -> None:
    shots = Shots()
    drive(app_on(), "?", shots, *["down"] * 8, shots, *["up"] * 8, shots, size=(80, 24))
    assert shots[0] != shots[1]
    assert shots[0] == shots[2]


def test_the_tables_of_keys_have_every_command_under_its_screens() -> None:
    tables = key_tables.all_keys()
    every_screen, browse = tables.split("## ")[1:3]
    assert "| `u` | undo your last change |" in every_screen
    assert "| `p` | pin or unpin |" in browse
    shown = [c for c in command_table.COMMANDS if c.screens == names.ALL]
    rows = len(shown) + sum(len(c.screens) for c in command_table.COMMANDS if c not in shown)
    assert sum(line.startswith("| ") and "action" not in line for line in tables.splitlines()) == rows


def test_no_key_has_two_commands_on_a_screen() -> None:
    for screen in (
        *names.ALL,
        names.EDIT,
        names.RELATION,
        names.RELATION_KINDS,
        names.CONFLICT,
        names.HELP,
    ):
        keys = [key for c in command_table.COMMANDS if screen in c.screens for key in c.keys]
        assert len(keys) == len(set(keys)), screen


def test_a_change_done_in_part_is_not_counted_as_skipped() -> None:
    partly = Skipped("0", "", "partly", "the agent's changes to extra were kept.")
    blocked = Skipped("1", "", "blocked", "it has changed again since.")
    answers = [(partly,), (partly, blocked)]

    class InPart(FakeWorkspace):
        def dismiss(self, ids: Sequence[int], control: JobControl | None = None) -> Change:
            return Change("edited", (1,), "Edited 1 memory", 1, answers.pop(0))

    shots = Shots()
    drive(app_on(InPart(list(sample().memories.values()), clock=clock)), "d", shots, "d", shots)
    first, second = (" ".join(seen.split()) for seen in shots)
    assert "Edited 1 memory, but the agent's changes to extra were kept." in first
    assert "Edited 1 memory · 1 skipped: it has changed again since." in second
