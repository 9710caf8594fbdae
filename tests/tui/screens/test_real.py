"""The screens on the real workspace: files of the agents are changed, and put back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.memory.memory_list import MemoryList
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Look, Step, drive, line_with, typed
from tests.support.fake_workspace import clock
from tests.support.office import build


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def on(path: Path, *keys: Step, read_only: bool = False) -> str:
    return drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock), *keys
    )


def test_the_stores_are_one_list(demo: Path) -> None:
    seen = on(demo)
    assert "37 memories" in seen
    assert "assistant" in seen
    assert "order-ser…" in seen


def test_dismiss_takes_it_out_of_the_agents_file_and_u_puts_the_same_bytes_back(
    demo: Path, tmp_path: Path
) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = on(demo, "/", *typed("nuts"), "down", "d")
    assert "Dismissed 1 memory" in seen
    assert b"nuts" not in file.read_bytes()
    seen = on(demo, "u")
    assert "U redo" in line_with(seen, "Undone")
    assert file.read_bytes() == before


def test_an_edit_is_written_to_the_agents_file(demo: Path, tmp_path: Path) -> None:
    on(demo, "/", *typed("nuts"), "down", "e", *typed("XX "), "ctrl+s")
    assert "XX Is allergic" in (tmp_path / "assistant" / "memory.jsonl").read_text()


def test_what_an_agent_wrote_meanwhile_is_shown_beside_mine(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"

    def agent(app: MemtuiApp) -> None:
        file.write_text(file.read_text().replace("Is allergic to nuts", "Is allergic to pollen"))

    seen = on(demo, "/", *typed("nuts"), "down", "e", *typed("XX "), agent, "ctrl+s")
    assert "XX Is allergic to nuts" in seen
    assert "Changed meanwhile" in seen
    assert "XX" not in file.read_text()


def test_news_of_an_agent_waits_for_r(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "assistant" / "memory.jsonl"
    entity = {"type": "entity", "name": "Zed", "entityType": "person", "observations": ["Keeps bees"]}
    file.write_text(file.read_text().rstrip("\n") + "\n" + json.dumps(entity) + "\n")
    seen = on(demo)
    assert "● 1 new  r" in seen
    assert "Keeps bees" not in seen
    assert "Keeps bees" in on(demo, "/", *typed("bees"), "down", "r")


def test_a_read_only_workspace_says_so(demo: Path) -> None:
    seen = on(demo, "p", read_only=True)
    assert "read-only" in seen.splitlines()[0]
    assert seen.splitlines()[-2].strip()


def test_the_journal_undoes_any_line(demo: Path) -> None:
    seen = on(demo, "p", "j", "p", "7", "j", "z")
    assert any("undone" in line for line in seen.splitlines() if " pinned " in line)


def test_all_sorts(demo: Path) -> None:
    @Look
    def look(app: MemtuiApp) -> None:
        assert app.screen.query_one(MemoryList).count == 37

    on(demo, *(step for _ in range(7) for step in (",", look)))


def test_keys_typed_in_a_burst_after_the_slash_are_text(demo: Path) -> None:
    async def burst(app: MemtuiApp) -> None:
        from textual import events

        for key in "/dqp":
            await app._post_message(events.Key({"/": "slash"}.get(key, key), key))

    seen = on(demo, lambda app: app.run_worker(burst(app)))
    assert "/ dqp" in seen
    assert "Nothing matches" in seen


def test_dismissed_marks_are_marks_no_more(demo: Path) -> None:
    seen = on(demo, "/", *typed("store:mcp*"), "down", "space", "space", "d", "g", "p")
    assert "Pinned 1 memory" in seen
    assert "marked" not in seen
