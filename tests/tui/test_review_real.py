"""Review on a real workspace: found by the sweep, settled in the store, taken back byte for byte."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest

from memtui.tui import sweeping
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import drive, line_with, screen, settle, still, typed
from tests.support.fake_workspace import clock
from tests.support.wait_review import calmly

SAID = (
    "Ana lives in Lisbon.",
    "Ana lives in Porto.",
    "The staging port is 8080.",
    "The staging port is 9090.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace over the file of an MCP server in which two pairs of memories clash."""
    lines = [
        {"type": "entity", "name": f"note-{number}", "entityType": "note", "observations": [text]}
        for number, text in enumerate(SAID)
    ]
    (tmp_path / "memory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(tmp_path / "memory.jsonl")
    workspace.close()
    return tmp_path


def opened(folder: Path, *, read_only: bool = False) -> Workspace:
    return Workspace.open(folder / "w.db", clock=clock, read_only=read_only)


def swept(folder: Path) -> int:
    workspace = opened(folder)
    workspace.sweep()
    count = workspace.review().open
    workspace.close()
    return count


def seen(folder: Path, *keys: str, size: tuple[int, int] = (120, 36), read_only: bool = False) -> str:
    app = MemtuiApp(lambda: opened(folder, read_only=read_only), clock=clock)
    return drive(app, *calmly("3", *keys), size=size)


def test_a_pair_is_settled_in_the_store_and_comes_back_with_its_bytes(folder: Path) -> None:
    count = swept(folder)
    assert count >= 2
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    shown = seen(folder)
    assert f"1 of {count}" in shown
    assert "If you keep" in shown
    shown = seen(folder, "a")
    assert "Kept A of 1 pair" in shown
    assert "✓" in shown
    assert file.read_bytes() != before
    shown = seen(folder, "u")
    assert "Undone: Kept A" in shown
    assert f"of {count}" in shown
    assert file.read_bytes() == before


def test_merging_both_true_and_not_so_write_what_they_say(folder: Path) -> None:
    count = swept(folder)
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    seen(folder, "m", *typed(" Merged."), "ctrl+s")
    assert "Merged." in file.read_text("utf-8")
    seen(folder, "u")
    assert file.read_bytes() == before
    assert "Both are true" in seen(folder, "t", *typed("summers"), "enter")
    assert "No contradiction" in seen(folder, "n")
    workspace = opened(folder)
    assert workspace.review().open == count - 2
    workspace.close()
    assert file.read_bytes() == before


def test_pairs_of_a_memory_from_browse(folder: Path) -> None:
    swept(folder)
    app = MemtuiApp(lambda: opened(folder), clock=clock)
    shown = drive(app, "/", *typed("Lisbon"), "down", "c")
    assert "Pairs of “" in shown
    assert "Lisbon" in shown


def test_only_read_it_shows_and_settles_nothing(folder: Path) -> None:
    count = swept(folder)
    shown = seen(folder, "a", read_only=True)
    assert f"1 of {count}" in shown
    assert "only read" in line_with(shown, "Nothing can be settled")


def test_what_waits_is_compared_beside_the_screen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "FIRST", 0.01)
    monkeypatch.setattr(sweeping, "LOOK", 0.02)
    monkeypatch.setattr(sweeping, "CALM", 0.0)

    async def watched() -> str:
        app = MemtuiApp(lambda: opened(folder), clock=clock)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("3")
            for _ in range(1_000):
                await pilot.pause(0.01)
                if app.review is not None and app.review.open and not app.review.left:
                    break
            shown = await still(app, pilot)
            assert "≠" in screen(app).splitlines()[0]
            return shown

    shown = asyncio.run(watched())
    assert "If you keep" in shown
    assert not any(thread.name == "memtui-comparing" for thread in threading.enumerate())
