"""The real program in a real terminal, on memories full of escape codes (S-92, S-93)."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support import demo_stores
from tests.support.command_line import ROOT
from tests.support.hostile import texts as hostile
from tests.support.hostile.texts import MARK, NOW
from tests.support.pty_terminal import SEQUENCE, Terminal
from tests.support.sizes import rounds, sample_cases

SIZES = [(80, 24), (120, 36)]
ESCAPE, ENTER = "\x1b", "\r"


@pytest.fixture(scope="module")
def workspace_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile.make_workspace(tmp_path_factory.mktemp("hostile"))


def memtui(*words: str, size: tuple[int, int] = (80, 24), **more: str) -> Terminal:
    inherited = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
    }
    env = inherited | {"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "SSH_TTY": "/dev/null", **more}
    return Terminal([sys.executable, "-m", "memtui", *words], size, env)


def unsafe_output(output: bytes) -> set[str]:
    """Return the characters of the output that a terminal acts on and that are not the program's own."""
    text = output.decode("utf-8")
    own = [found[0] for found in SEQUENCE.finditer(text)]
    assert not [sequence for sequence in own if MARK in sequence or "example" in sequence]
    # Carriage returns may come from the terminal's own echo.
    return hostile.unsafe_characters(SEQUENCE.sub("", text)) - {"\r"}


def search(terminal: Terminal, text: str) -> None:
    """Type into the search bar, and go back to the list."""
    terminal.press("/")
    terminal.wait("╭─ Memories")
    terminal.press(text)
    terminal.wait(f"/ {text}")
    terminal.press(ENTER)
    terminal.wait("┏━ Memories")


def walk(terminal: Terminal) -> None:
    """Search, move, open a memory, the journal and the help, begin an edit, and quit."""
    terminal.wait(lambda screen: "Memories" in screen and MARK in screen)
    terminal.press("jjjjkG")
    terminal.wait(lambda screen: "of " in screen)
    terminal.press("g")
    for _ in range(rounds(3, 14)):
        terminal.press("j")
        terminal.wait(MARK)
    search(terminal, MARK.lower())
    terminal.wait(lambda screen: MARK.lower() in screen and "by text" in screen)
    terminal.press(ENTER)
    terminal.wait(lambda screen: "esc back" in screen and "━ Memories" not in screen)
    # A key that follows Escape too soon would be read as Alt plus the key.
    terminal.press(ESCAPE)
    terminal.wait(lambda screen: "esc back" not in screen and "━ Memories" in screen)
    terminal.press("7")
    terminal.wait(lambda screen: "pinned" in screen and "[7Journal]" in screen.replace(" ", ""))
    terminal.press("jjjj")
    terminal.press("?")
    terminal.wait("Keys in Journal")
    terminal.press(ESCAPE)
    terminal.wait(lambda screen: "Keys in Journal" not in screen)
    terminal.press("1")
    terminal.wait(lambda screen: "[1Browse]" in screen.replace(" ", ""))
    terminal.press("e")
    terminal.wait("Edit memory")
    terminal.press(ESCAPE)
    terminal.wait(lambda screen: "Edit memory" not in screen and "Memories" in screen)
    terminal.press("T")
    terminal.press("q")


@pytest.mark.parametrize("size", sample_cases(SIZES, 1), ids="{0[0]}x{0[1]}".format)
def test_stored_text_is_never_printed_raw(workspace_path: Path, size: tuple[int, int]) -> None:
    settings = str(workspace_path.with_name("settings.toml"))  # T saves the theme
    with memtui("--workspace", str(workspace_path), size=size, MEMTUI_SETTINGS=settings) as terminal:
        walk(terminal)
        assert terminal.wait_for_exit() == 0
        assert len(terminal.bytes) > 10_000
        assert unsafe_output(terminal.bytes) == set()
        assert_terminal_restored(terminal)


def assert_terminal_restored(terminal: Terminal) -> None:
    """Check that the terminal is as it was before the program started."""
    assert terminal.current_modes == terminal.initial_modes
    sent = terminal.bytes.decode()
    for mode in ("?1049", "?1000", "?1003", "?2004", "?1004"):
        assert sent.rfind(f"\x1b[{mode}l") >= sent.rfind(f"\x1b[{mode}h"), mode
    assert sent.rfind("\x1b[?25h") > sent.rfind("\x1b[?25l")


def test_the_demo_leaves_no_files(tmp_path: Path) -> None:
    with memtui("demo", TMPDIR=str(tmp_path), MEMTUI_SETTINGS=str(tmp_path / "settings.toml")) as terminal:
        terminal.wait("Deploys happen on Tuesday")
        assert list(tmp_path.iterdir())
        terminal.press("T")
        terminal.wait("Theme: light")
        terminal.press("q")
        assert terminal.wait_for_exit() == 0
        assert_terminal_restored(terminal)
    assert list(tmp_path.iterdir()) == []


SIGNALS = [signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT]  # handled alike


@pytest.mark.parametrize("number", sample_cases(SIGNALS, 1), ids=str)
def test_a_signal_leaves_no_partial_write(tmp_path: Path, number: signal.Signals) -> None:
    """Open a store by its path, dismiss memories, and end the program while it does so."""
    demo_stores.build(tmp_path / "office", lambda: NOW)
    file = tmp_path / "office" / "assistant" / "memory.jsonl"
    path = tmp_path / "fresh.db"
    with memtui(str(file.parent), "--workspace", str(path)) as terminal:
        terminal.wait("Has eleven employees")
        terminal.press("djdjdjdj")
        terminal.wait("Dismissed")
        os.kill(terminal.pid, number)
        assert terminal.wait_for_exit() == 0
        assert_terminal_restored(terminal)
    workspace = Workspace.open(path)
    workspace.pull()
    events = workspace.journal()
    contents = {memory.content for memory in workspace.memories(workspace.search("store:mcp*").ids)}
    workspace.close()
    assert events[0].kind == "dismissed"
    assert not [event for event in events if event.state == "intended"]
    stored = {
        text
        for line in file.read_text("utf-8").splitlines()
        for text in json.loads(line).get("observations", [])
    }
    assert contents - {""} == stored
    assert not [each for each in file.parent.iterdir() if each != file]


def fill_output(terminal: Terminal) -> None:
    """Have the program draw more than a terminal takes that nobody reads, until it draws no more."""
    # Whole screens for the terminal's buffer, then more than the 30 writes that Textual queues.
    for key in "T" * 2 + "jk" * 21:
        terminal.press(key)
        time.sleep(0.05)


# The signal alone, while the screen waits, is in test_signals.
@pytest.mark.parametrize("number", sample_cases([0, signal.SIGTERM], 1), ids=str)
def test_the_program_ends_although_its_terminal_takes_no_output(tmp_path: Path, number: int) -> None:
    """Close the terminal, or terminate the program, while it waits to write to the terminal."""
    demo_stores.build(tmp_path / "office", lambda: NOW)
    store, path = tmp_path / "office" / "assistant", tmp_path / "fresh.db"
    with memtui(
        str(store), "--workspace", str(path), MEMTUI_SETTINGS=str(tmp_path / "settings.toml"), size=(200, 60)
    ) as terminal:
        terminal.wait("Has eleven employees")
        terminal.press("p")
        terminal.wait("Pinned")
        fill_output(terminal)
        begun = time.monotonic()
        if number:
            os.kill(terminal.pid, number)
        else:
            terminal.hang_up()
        # By itself if it was not blocked, with Python's 120 for a terminal that is gone.
        assert terminal.wait_for_exit(reading=False) in (128 + (number or signal.SIGHUP), 120, 0)
        assert time.monotonic() - begun < 15
    workspace = Workspace.open(path)
    undone = workspace.undo()
    workspace.close()
    assert undone.kind == "undone"
