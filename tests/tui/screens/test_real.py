"""The screens on a real workspace: the agents' files are changed and restored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Step, drive, line_with, typed
from tests.support.demo_stores import build
from tests.support.fake_workspace import clock


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def drive_demo(path: Path, *keys: Step, read_only: bool = False) -> str:
    return drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock), *keys
    )


def test_the_memories_of_all_stores_are_one_list(demo: Path) -> None:
    seen = drive_demo(demo)
    assert "37 memories" in seen
    assert "assistant" in seen
    assert "order-service" in seen


def test_dismiss_removes_a_memory_from_its_file_and_undo_restores_the_exact_bytes(
    demo: Path, tmp_path: Path
) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = drive_demo(demo, "/", *typed("nuts"), "down", "d")
    assert "Dismissed 1 memory" in seen
    assert b"nuts" not in file.read_bytes()
    seen = drive_demo(demo, "u")
    assert "U redo" in line_with(seen, "Undone")
    assert file.read_bytes() == before


def test_an_edit_is_written_to_the_agents_file(demo: Path, tmp_path: Path) -> None:
    drive_demo(demo, "/", *typed("nuts"), "down", "e", "home", *typed("XX "), "ctrl+s")
    assert "XX Is allergic" in (tmp_path / "assistant" / "memory.jsonl").read_text()


def test_a_concurrent_write_of_an_agent_is_shown_as_a_conflict(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"

    def write_as_agent(app: MemtuiApp) -> None:
        file.write_text(file.read_text().replace("Is allergic to nuts", "Is allergic to pollen"))

    seen = drive_demo(demo, "/", *typed("nuts"), "down", "e", "home", *typed("XX "), write_as_agent, "ctrl+s")
    assert "XX Is allergic to nuts" in seen
    assert "Conflict: changed in the store" in seen
    assert "XX" not in file.read_text()


def test_news_is_shown_only_after_r(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"
    entity = {"type": "entity", "name": "Zed", "entityType": "person", "observations": ["Keeps bees"]}
    file.write_text(file.read_text().rstrip("\n") + "\n" + json.dumps(entity) + "\n")
    seen = drive_demo(demo)
    assert "● 1 new  r" in seen
    assert "Keeps bees" not in seen
    assert "Keeps bees" in drive_demo(demo, "/", *typed("bees"), "down", "r")


def test_a_read_only_workspace_says_so(demo: Path) -> None:
    seen = drive_demo(demo, "p", read_only=True)
    assert "read-only" in seen.splitlines()[0]
    assert seen.splitlines()[-2].strip()


def test_any_journal_entry_can_be_undone(demo: Path) -> None:
    seen = drive_demo(demo, "p", "j", "p", "7", "j", "z")
    assert any("undone" in line for line in seen.splitlines() if " pinned " in line)


def test_every_sort_order_lists_all_memories(demo: Path) -> None:
    @Probe
    def check_count(app: MemtuiApp) -> None:
        assert app.screen.query_one(MemoryList).count == 37

    drive_demo(demo, *(step for _ in range(7) for step in (",", check_count)))


def test_keys_typed_quickly_after_the_slash_are_text(demo: Path) -> None:
    async def burst(app: MemtuiApp) -> None:
        from textual import events

        for key in "/dqp":
            await app._post_message(events.Key({"/": "slash"}.get(key, key), key))

    seen = drive_demo(demo, lambda app: app.run_worker(burst(app)))
    assert "/ dqp" in seen
    assert "Nothing matches" in seen


def test_dismissed_memories_are_no_longer_marked(demo: Path) -> None:
    seen = drive_demo(demo, "/", *typed("store:mcp*"), "down", "space", "space", "d", "g", "p")
    assert "Pinned 1 memory" in seen
    assert "marked" not in seen
