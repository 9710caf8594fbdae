"""E opens the user's own editor as a process; no temporary file is left, and no change is half written."""

from __future__ import annotations

import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.memory.results import Change
from memtui.settings import Loaded, Settings
from memtui.tui.app import MemtuiApp
from memtui.tui.terminal.external_editor import edit_text, editor_command
from tests.support.app_driver import drive
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample


@pytest.fixture(autouse=True)
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test its own folder for temporary files, which must be empty at the end, and let the headless
    app be suspended."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    @contextmanager
    def suspended(self: MemtuiApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(MemtuiApp, "suspend", suspended)
    yield
    assert list(folder.iterdir()) == []


def script(tmp_path: Path, body: str) -> str:
    """Return the command of an editor that runs a shell script; $2 is the file."""
    file = tmp_path / "my editor"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o700)
    return f"'{file}' --wait"


def app_with(work: FakeWorkspace, editor: str) -> MemtuiApp:
    loaded = Loaded(Settings(editor=editor), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)


def test_the_editors_text_is_saved_together_with_the_text_that_was_seen(tmp_path: Path) -> None:
    work = sample()
    sent: list[object] = []
    edit = work.edit

    def record(
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: object = None,
        control: object = None,
    ) -> Change:
        assert retag is None
        sent.append((ids, fields, seen))
        return edit(ids, fields)

    work.edit = record  # type: ignore[method-assign]
    text = drive(app_with(work, script(tmp_path, 'printf "New text\\n" > "$2"')), "E")
    assert sent == [([1], {"content": "New text"}, {"content": "Ana wants a keyboard-only review flow"})]
    assert "Edited 1 memory" in text
    assert work.memories[1].content == "New text"


def test_the_temporary_file_is_private_and_has_the_exact_text(tmp_path: Path) -> None:
    work = FakeWorkspace([memory(1, "two\nlines, ünï\n\nend")], clock=clock)
    copy = f'cp -p "$2" {tmp_path}/copy; ls -ld "$(dirname "$2")" > {tmp_path}/folder'
    seen = drive(app_with(work, script(tmp_path, copy)), "E")
    assert (tmp_path / "copy").read_text("utf-8") == work.memories[1].content
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert (tmp_path / "folder").read_text().startswith("drwx------")
    assert "No changes to save." in seen
    assert work.events == []


def test_a_final_newline_added_by_the_editor_is_no_change(tmp_path: Path) -> None:
    assert edit_text(editor_command(script(tmp_path, 'echo >> "$2"')), "one") == "one"
    assert edit_text(editor_command(script(tmp_path, 'echo more >> "$2"')), "one\n") == "one\nmore\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [("exit 3", "exited with code 3"), ("kill -9 $$", "killed by signal 9"), ('rm "$2"', "is missing or"),
     ("printf '\\377' > \"$2\"", "not valid UTF-8")],
)  # fmt: skip
def test_a_failing_editor_changes_nothing_and_shows_the_reason(tmp_path: Path, body: str, words: str) -> None:
    work = sample()
    seen = drive(app_with(work, script(tmp_path, body)), "E")
    assert words in seen
    assert "Nothing was changed." in seen
    assert work.events == []


def test_a_missing_editor_is_named() -> None:
    seen = drive(app_with(sample(), "no-such-editor-here -w"), "E")
    assert "Editor “no-such-editor-here” not found." in seen


def test_the_editor_is_taken_from_the_setting_visual_editor_or_vi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "code --wait")
    monkeypatch.setenv("EDITOR", "ed")
    assert editor_command("nano") == ["nano"]
    assert editor_command() == ["code", "--wait"]
    monkeypatch.delenv("VISUAL")
    assert editor_command() == ["ed"]
    monkeypatch.delenv("EDITOR")
    assert editor_command() == ["vi"]
    with pytest.raises(Refused, match="Could not parse"):
        editor_command("nano 'oops")


def test_a_conflict_opens_the_edit_dialog_with_the_written_text(tmp_path: Path) -> None:
    work = sample()
    work.conflict = Conflict("the store was changed meanwhile.", {"content": "a"}, {"content": "b"})
    app = app_with(work, script(tmp_path, 'printf mine > "$2"'))
    seen = drive(app, "E")
    assert "the store was changed meanwhile" in seen
    assert "Your text is still here." in " ".join(seen.split())
    assert "mine" in seen
    assert work.events == []
    drive(app_with(work, script(tmp_path, 'printf mine > "$2"')), "E", "ctrl+s")
    assert work.memories[1].content == "mine"


def test_control_characters_are_neither_given_to_the_editor_nor_accepted_from_it(tmp_path: Path) -> None:
    work = FakeWorkspace([memory(1, "red \x1b[31m")], clock=clock)
    editor = script(tmp_path, f"touch {tmp_path}/ran")
    assert "Can't open in your editor" in drive(app_with(work, editor), "E")
    assert not (tmp_path / "ran").exists()
    work = sample()
    seen = drive(app_with(work, script(tmp_path, "printf 'a\\033[31mb' > \"$2\"")), "E")
    assert "unsupported characters" in " ".join(seen.split())
    assert work.events == []


def test_an_empty_list_and_a_read_only_store_have_nothing_to_edit() -> None:
    assert "Nothing to edit" in drive(app_with(FakeWorkspace([], clock=clock), "false"), "E")
    work = sample()
    work.locked = {1}
    assert "founder-os is read-only (set by you)" in drive(app_with(work, "false"), "E")
