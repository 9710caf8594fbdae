"""E: the person's own editor, as a real process; nothing is left behind and nothing half written."""

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
from memtui.tui.terminal.external_editor import edited, editor_command
from tests.support.app_driver import drive
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Temporary files of this test alone; a headless terminal that can be given away."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    @contextmanager
    def given_away(self: MemtuiApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(MemtuiApp, "suspend", given_away)
    yield
    assert list(folder.iterdir()) == []


def script(tmp_path: Path, body: str) -> str:
    file = tmp_path / "my editor"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o700)
    return f"'{file}' --wait"


def app_with(work: FakeWorkspace, editor: str) -> MemtuiApp:
    loaded = Loaded(Settings(editor=editor), Path("settings.toml"))
    return MemtuiApp(lambda: work, clock=clock, loaded=loaded)


def test_what_the_editor_wrote_is_saved_with_what_was_seen(tmp_path: Path) -> None:
    work = sample()
    sent: list[object] = []
    edit = work.edit

    def keep(
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: object = None,
    ) -> Change:
        assert retag is None
        sent.append((ids, fields, seen))
        return edit(ids, fields)

    work.edit = keep  # type: ignore[method-assign]
    text = drive(app_with(work, script(tmp_path, 'printf "New text\\n" > "$2"')), "E")
    assert sent == [([1], {"content": "New text"}, {"content": "Ana wants a keyboard-only review flow"})]
    assert "Edited 1 memory" in text
    assert work.memories[1].content == "New text"


def test_the_file_is_private_and_holds_the_exact_text(tmp_path: Path) -> None:
    work = FakeWorkspace([memory(1, "two\nlines, ünï\n\nend")], clock=clock)
    copy = f'cp -p "$2" {tmp_path}/copy; ls -ld "$(dirname "$2")" > {tmp_path}/folder'
    seen = drive(app_with(work, script(tmp_path, copy)), "E")
    assert (tmp_path / "copy").read_text("utf-8") == work.memories[1].content
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert (tmp_path / "folder").read_text().startswith("drwx------")
    assert "Nothing was changed." in seen
    assert work.events == []


def test_the_last_line_break_that_editors_add_is_no_change(tmp_path: Path) -> None:
    assert edited(editor_command(script(tmp_path, 'echo >> "$2"')), "one") == "one"
    assert edited(editor_command(script(tmp_path, 'echo more >> "$2"')), "one\n") == "one\nmore\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [("exit 3", "ended with 3"), ("kill -9 $$", "ended by signal 9"), ('rm "$2"', "left no text"),
     ("printf '\\377' > \"$2\"", "left no text in UTF-8")],
)  # fmt: skip
def test_an_editor_that_fails_changes_nothing_and_says_so(tmp_path: Path, body: str, words: str) -> None:
    work = sample()
    seen = drive(app_with(work, script(tmp_path, body)), "E")
    assert words in seen
    assert "Nothing was changed." in seen
    assert work.events == []


def test_an_editor_that_is_missing_is_named() -> None:
    seen = drive(app_with(sample(), "no-such-editor-here -w"), "E")
    assert "The editor “no-such-editor-here” was not found." in seen


def test_the_setting_comes_first_then_visual_then_editor_then_vi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "code --wait")
    monkeypatch.setenv("EDITOR", "ed")
    assert editor_command("nano") == ["nano"]
    assert editor_command() == ["code", "--wait"]
    monkeypatch.delenv("VISUAL")
    assert editor_command() == ["ed"]
    monkeypatch.delenv("EDITOR")
    assert editor_command() == ["vi"]
    with pytest.raises(Refused, match="cannot be read"):
        editor_command("nano 'oops")


def test_a_conflict_keeps_what_was_written_in_the_edit_dialog(tmp_path: Path) -> None:
    work = sample()
    work.clash = Conflict("the store was changed meanwhile.", {"content": "a"}, {"content": "b"})
    app = app_with(work, script(tmp_path, 'printf mine > "$2"'))
    seen = drive(app, "E")
    assert "the store was changed meanwhile" in seen
    assert "Your text is here." in " ".join(seen.split())
    assert "mine" in seen
    assert work.events == []
    drive(app_with(work, script(tmp_path, 'printf mine > "$2"')), "E", "ctrl+s")
    assert work.memories[1].content == "mine"


def test_odd_characters_are_neither_handed_out_nor_taken_in(tmp_path: Path) -> None:
    work = FakeWorkspace([memory(1, "red \x1b[31m")], clock=clock)
    editor = script(tmp_path, f"touch {tmp_path}/ran")
    assert "characters that an editor could act on" in drive(app_with(work, editor), "E")
    assert not (tmp_path / "ran").exists()
    work = sample()
    seen = drive(app_with(work, script(tmp_path, "printf 'a\\033[31mb' > \"$2\"")), "E")
    assert "odd characters" in seen
    assert work.events == []


def test_nothing_to_edit_and_a_read_only_store() -> None:
    assert "Nothing to edit" in drive(app_with(FakeWorkspace([], clock=clock), "false"), "E")
    work = sample()
    work.locked = {1}
    assert "founder-os is read-only by your word" in drive(app_with(work, "false"), "E")
