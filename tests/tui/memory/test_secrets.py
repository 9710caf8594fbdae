"""Secrets while memories are read, copied and edited on a screen (S-62)."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest

from memtui.errors import Conflict
from memtui.settings import Loaded, Settings
from memtui.tui.app import MemtuiApp
from memtui.tui.common.dialog import Dialog
from memtui.tui.memory import reveal_keys
from memtui.tui.memory.conflict import ConflictDialog
from tests.support.app_driver import Probe, Shots, Typed, app_on, drive
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.secret_texts.tokens import BASE62, some

TOKEN = f"ghp_{some(Random(3), BASE62, 36)}"
SHOWN, MASKED = TOKEN[:12], "•" * 20


def work() -> FakeWorkspace:
    with_secret = memory(1, content=f"Deploy with {TOKEN} tonight")
    return FakeWorkspace([with_secret, memory(2, content="Tea at four")])


def test_one_key_reveals_what_is_copied_then_until_the_cursor_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    shots, copied = Shots(), list[str]()

    async def copy(self: MemtuiApp, text: str, *, may_be_cut: bool = True) -> str:
        copied.append(text)
        return "the clipboard"

    monkeypatch.setattr(MemtuiApp, "copy", copy)
    drive(app_on(work()), "y", shots, ".", shots, "y", shots, "j", shots, ".", shots, "k", shots)
    masked, revealed, whole, moved, without, back = shots
    assert MASKED in masked
    assert "Copied 1 memory to the clipboard, with 1 secret masked." in masked
    assert "1 secret is shown for 10 seconds" in revealed
    assert [SHOWN in each for each in shots] == [False, True, True, False, False, False]
    assert "Copied 1 memory with 1 secret in plain text to the clipboard." in whole
    assert "No secrets in this memory." in without
    assert copied == [f"Deploy with {'•' * len(TOKEN)} tonight", f"Deploy with {TOKEN} tonight"]
    assert MASKED in back
    assert moved


def test_secrets_are_masked_again_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reveal_keys, "SECONDS", 0.0)
    shots = Shots()
    drive(app_on(work()), ".", shots)
    assert SHOWN not in shots[0]
    assert MASKED in shots[0]


def test_what_refuses_a_change_is_shown_without_secrets() -> None:
    def refuse(app: MemtuiApp) -> None:
        assert isinstance(app.screen, Dialog)
        app.screen.show_message(f"An entity named “Key {TOKEN}” already exists.")

    def conflict(app: MemtuiApp) -> None:
        refused = Conflict(f"Key {TOKEN} was changed.", {}, {"content": TOKEN})
        app.push_screen(ConflictDialog(refused))

    shots = Shots()
    drive(app_on(work()), "e", refuse, shots, "escape", conflict, shots)
    for shot, words in zip(shots, ("“Key ••••••", "was changed"), strict=True):
        assert words in shot
        assert SHOWN not in shot


def test_what_a_change_says_when_the_program_ends_has_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    async def done() -> str:
        return f"Dismissed 1 memory; the entity “{TOKEN}” stays"

    async def end(app: MemtuiApp) -> None:
        app._is_quitting, app._unannounced = True, 1

        async def announce(text: str) -> str:
            return text

        await app._announce_bulk(done(), announce)

    drive(app_on(work()), Probe(end))
    assert f"Dismissed 1 memory; the entity “{'•' * len(TOKEN)}” stays" in capsys.readouterr().err


def test_an_editor_has_a_token_that_is_the_secret_again_when_saved(tmp_path: Path) -> None:
    store, shots = work(), Shots()
    drive(app_on(store), "e", shots, Typed("!"), "ctrl+s", shots)
    assert "⟦secret 1: GitHub token⟧" in shots[0]
    assert SHOWN not in "".join(shots)
    assert store.memories[1].content == f"Deploy with {TOKEN} tonight!"
    store, shots = work(), Shots()
    cut = ("home", *("right",) * 14, "delete", "ctrl+s")
    drive(app_on(store), "e", *cut, shots, "escape", "escape")
    assert "A part of a ⟦secret⟧ is missing." in shots[0]
    assert store.memories[1].content == f"Deploy with {TOKEN} tonight"
    # The user's own editor gets the same.
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}/seen\nsed -i s/tonight/now/ "$1"\n')
    script.chmod(0o700)
    loaded = Loaded(Settings(editor=str(script)), Path("settings.toml"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MemtuiApp, "suspend", lambda self: nullcontext())
        drive(MemtuiApp(lambda: store, clock=clock, loaded=loaded), "E")
    assert (tmp_path / "seen").read_text("utf-8").strip() == "Deploy with ⟦secret 1: GitHub token⟧ tonight"
    assert store.memories[1].content == f"Deploy with {TOKEN} now"
