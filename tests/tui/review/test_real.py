"""Review on a real workspace: pairs found by the scan, settled in the store, undone byte for byte."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.workers import contradiction_scan
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, drive, line_with, stable_screen, typed, wait_until_idle
from tests.support.fake_workspace import clock
from tests.support.waiting.review import waiting_for_pairs
from tests.support.waiting.threads import wait_until

OBSERVATIONS = (
    "Ana lives in Lisbon.",
    "Ana lives in Porto.",
    "The staging port is 8080.",
    "The staging port is 9090.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a workspace over the file of an MCP server in which two pairs contradict each other."""
    lines = [
        {
            "type": "entity",
            "name": f"note-{number}",
            "entityType": "note",
            "observations": OBSERVATIONS[at : at + 2],
        }
        for number, at in enumerate(range(0, len(OBSERVATIONS), 2))
    ]
    (tmp_path / "memory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    workspace.attach(tmp_path / "memory.jsonl")
    workspace.close()
    return tmp_path


def opened(folder: Path, *, read_only: bool = False) -> Workspace:
    return Workspace.open(folder / "w.db", clock=clock, read_only=read_only)


def scan(folder: Path) -> int:
    """Scan the workspace and return the number of open pairs."""
    workspace = opened(folder)
    workspace.scan()
    count = workspace.queue_counts().open
    workspace.close()
    return count


def drive_on(folder: Path, *steps: Step, read_only: bool = False) -> str:
    return drive(
        MemtuiApp(lambda: opened(folder, read_only=read_only), clock=clock), *waiting_for_pairs(*steps)
    )


def test_a_verdict_is_written_to_the_store_and_undone_byte_for_byte_later(folder: Path) -> None:
    count, shots = scan(folder), Shots()
    assert count >= 2
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    drive_on(folder, "3", shots, "a", shots)
    assert f"1 of {count}" in shots[0]
    assert "If you keep" in shots[0]
    assert "Kept A" in shots[1]
    assert "✓" in shots[1]
    assert file.read_bytes() != before
    shown = drive_on(folder, "3", "u")
    assert "Undone: Kept A" in shown
    assert f"of {count}" in shown
    assert file.read_bytes() == before


def test_a_merge_is_written_to_the_store_and_verdicts_that_keep_both_are_not(folder: Path) -> None:
    count, shots = scan(folder), Shots()
    file = folder / "memory.jsonl"
    before = file.read_bytes()
    files: list[bytes] = []

    def note_file(_: MemtuiApp) -> None:
        files.append(file.read_bytes())

    drive_on(
        folder, "3", "m", *typed(" Merged."), "ctrl+s", note_file, "u", note_file,
        "t", *typed("summers"), "enter", shots, "n", shots,
    )  # fmt: skip
    assert b"Merged." in files[0]
    assert files[1] == before
    assert "Marked both as true" in shots[0]
    assert "Marked as not a contradiction" in shots[1]
    workspace = opened(folder)
    assert workspace.queue_counts().open == count - 2
    workspace.close()
    assert file.read_bytes() == before


def test_a_read_only_workspace_shows_pairs_and_settles_none(folder: Path) -> None:
    count, shots = scan(folder), Shots()
    before = (folder / "memory.jsonl").read_bytes()
    drive_on(folder, "/", *typed("Lisbon"), "down", "c", shots, "escape", shots, "a", shots, read_only=True)
    filtered, unfiltered, refused = shots
    assert "Lisbon" in line_with(filtered, "Pairs with “")
    assert f"1 of {count}" in unfiltered
    assert "read-only" in line_with(refused, "Can't resolve")
    assert (folder / "memory.jsonl").read_bytes() == before


def test_new_memories_are_scanned_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 0.01)
    monkeypatch.setattr(contradiction_scan, "INTERVAL", 0.02)
    monkeypatch.setattr(contradiction_scan, "TYPING_PAUSE", 0.0)

    async def run() -> str:
        app = MemtuiApp(lambda: opened(folder), clock=clock)
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await pilot.press("3")
            await wait_until(lambda: app.review is not None and app.review.open and not app.review.unscanned)
            return await stable_screen(app)

    shown = asyncio.run(run())
    assert "2 contradictions" in shown.splitlines()[0]
    assert "If you keep" in shown
    assert not any(thread.name == "memtui-comparing" for thread in threading.enumerate())
