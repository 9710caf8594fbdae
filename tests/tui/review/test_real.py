"""Review on a real workspace: found by the sweep, settled in the store, undone byte for byte."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.workers import contradiction_scan
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, drive, line_with, settle, still, typed
from tests.support.fake_workspace import clock
from tests.support.waiting.review import each_drawn
from tests.support.waiting.threads import until

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
        {"type": "entity", "name": f"note-{number}", "entityType": "note", "observations": SAID[at : at + 2]}
        for number, at in enumerate(range(0, len(SAID), 2))
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


def seen(folder: Path, *steps: Step, read_only: bool = False) -> str:
    return drive(MemtuiApp(lambda: opened(folder, read_only=read_only), clock=clock), *each_drawn(*steps))


def test_a_verdict_is_written_to_the_store_and_a_later_undo_restores_its_bytes(folder: Path) -> None:
    count, shots = swept(folder), Shots()
    assert count >= 2
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    seen(folder, "3", shots, "a", shots)
    assert f"1 of {count}" in shots[0]
    assert "If you keep" in shots[0]
    assert "Kept A of 1 pair" in shots[1]
    assert "✓" in shots[1]
    assert file.read_bytes() != before
    shown = seen(folder, "3", "u")
    assert "Undone: Kept A" in shown
    assert f"of {count}" in shown
    assert file.read_bytes() == before


def test_a_merge_is_written_to_the_store_but_both_true_and_not_so_are_not(folder: Path) -> None:
    count, shots = swept(folder), Shots()
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    files: list[bytes] = []

    def look(_: MemtuiApp) -> None:
        files.append(file.read_bytes())

    seen(
        folder, "3", "m", *typed(" Merged."), "ctrl+s", look, "u", look,
        "t", *typed("summers"), "enter", shots, "n", shots,
    )  # fmt: skip
    assert b"Merged." in files[0]
    assert files[1] == before
    assert "Both are true" in shots[0]
    assert "No contradiction" in shots[1]
    workspace = opened(folder)
    assert workspace.review().open == count - 2
    workspace.close()
    assert file.read_bytes() == before


def test_a_read_only_workspace_shows_pairs_and_settles_none(folder: Path) -> None:
    count, shots = swept(folder), Shots()
    before = (folder / "memory.jsonl").read_bytes()
    seen(folder, "/", *typed("Lisbon"), "down", "c", shots, "escape", shots, "a", shots, read_only=True)
    one, every, refused = shots
    assert "Lisbon" in line_with(one, "Pairs of “")
    assert f"1 of {count}" in every
    assert "only read" in line_with(refused, "Nothing can be settled")
    assert (folder / "memory.jsonl").read_bytes() == before


def test_new_memories_are_compared_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    monkeypatch.setattr(contradiction_scan, "INTERVAL", 0.02)
    monkeypatch.setattr(contradiction_scan, "TYPING_PAUSE", 0.0)

    async def watched() -> str:
        app = MemtuiApp(lambda: opened(folder), clock=clock)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app)
            await pilot.press("3")
            await until(lambda: app.review is not None and app.review.open and not app.review.unscanned)
            return await still(app)

    shown = asyncio.run(watched())
    assert "2 contradictions" in shown.splitlines()[0]
    assert "If you keep" in shown
    assert not any(thread.name == "memtui-comparing" for thread in threading.enumerate())
