"""Agents that write while the screen is open: told, counted, never moving anything (S-5, S-53)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from textual.pilot import Pilot

from memtui.demo import build
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.memory_list import MemoryList
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import drive, line_with, screen, settle, still
from tests.support.fake_workspace import clock


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def app_on(path: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)


def adds(folder: Path) -> None:
    """One more memory in each agent's store."""
    connection = apsw.Connection(str(folder / "larkfield" / ".memory" / "memory.db"))
    connection.execute(
        "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) "
        "VALUES ('z1', 'zebra-one', 'fact', 'A zebra in the database.', 'P1', 50, 'candidate')"
    )
    connection.close()
    head = "---\nname: Zebra\ndescription: z\ntype: user\n---\n\n"
    (folder / "order-service" / "memory" / "zebra.md").write_text(head + "A zebra in a file.\n")
    file = folder / "assistant" / "memory.jsonl"
    file.write_text(file.read_text().replace('"Runs the warehouse"', '"Runs the warehouse","Saw a zebra"'))


async def until(app: MemtuiApp, pilot: Pilot[None], what: Callable[[], bool], patience: float) -> float:
    """Seconds until something is so."""
    start = time.monotonic()
    while not what():
        assert time.monotonic() - start < patience, screen(app)
        await pilot.pause(0.02)
    return time.monotonic() - start


def test_what_agents_add_is_told_and_moves_nothing(demo: Path, tmp_path: Path) -> None:
    async def live() -> None:
        app = app_on(demo)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("j", "j", "j")
            before = await still(app, pilot)
            adds(tmp_path)
            # Two seconds on an idle machine; a busy one is given more.
            await until(app, pilot, lambda: app.news == 3, 20)
            now = await still(app, pilot)
            assert "● 3 new  r" in now.splitlines()[0]
            # But for the count in the header nothing moved.
            assert now.splitlines()[4:-2] == before.splitlines()[4:-2]
            await pilot.press("r")
            await until(app, pilot, lambda: app.news == 0, 20)
            now = await still(app, pilot)
            assert "3 new" not in now
            assert app.screen.query_one(MemoryList).count == 40

    asyncio.run(live())


def test_news_while_a_person_changes_things_is_not_let_in(demo: Path, tmp_path: Path) -> None:
    async def live() -> None:
        app = app_on(demo)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            adds(tmp_path)
            await until(app, pilot, lambda: app.news == 3, 20)
            memories = app.screen.query_one(MemoryList)
            ids = list(memories.ids)
            await pilot.press("j", "d")
            await settle(app, pilot)
            gone = set(ids) - set(memories.ids)
            assert len(gone) == 1
            assert set(memories.ids) == set(ids) - gone

    asyncio.run(live())


def test_since_you_last_looked_tells_and_puts_back(demo: Path, tmp_path: Path) -> None:
    drive(app_on(demo), "7", "s", "S")
    adds(tmp_path)
    (tmp_path / "order-service" / "memory" / "user_ana.md").unlink()
    text = (tmp_path / "order-service" / "memory" / "feedback_tests.md").read_text()
    (tmp_path / "order-service" / "memory" / "feedback_tests.md").write_text(text.replace("March", "May"))
    seen = drive(app_on(demo), "7", "s")
    assert "Since you last looked" in seen
    assert "3 added · 1 changed · 1 removed" in seen
    assert "removed" in line_with(seen, "Ana, founder")
    # The changed one, word by word; then the removed one back.
    seen = drive(app_on(demo), "7", "s", "G")
    changed = next(n for n in range(5) if "changed" in seen.splitlines()[3 + n] or n == 4)
    assert changed >= 0
    file = tmp_path / "order-service" / "memory" / "user_ana.md"
    for place in range(5):
        drive(app_on(demo), "7", "s", *["j"] * place, "R")
        if file.exists():
            break
    assert file.exists()
    assert "Ana, founder" not in line_with(drive(app_on(demo), "7", "s"), "removed")


def test_what_an_agent_changed_is_shown_word_by_word(demo: Path, tmp_path: Path) -> None:
    drive(app_on(demo), "7", "S")
    file = tmp_path / "order-service" / "memory" / "feedback_tests.md"
    before = file.read_text()
    file.write_text(before.replace("broke production in March", "broke production in May"))
    seen = drive(app_on(demo), "7", "s")
    assert "in March." in line_with(seen, "− ") or "March" in seen
    assert "May" in seen
    # z takes back this memory alone.
    drive(app_on(demo), "7", "s", "z")
    assert file.read_text() == before


def test_nothing_new_says_what_would_stand_there(demo: Path) -> None:
    drive(app_on(demo), "7", "S")
    seen = drive(app_on(demo), "7", "s", size=(80, 24))
    assert "Nothing new since you last looked." in seen
    assert "s  all changes" in seen


def test_the_journal_by_whom(demo: Path, tmp_path: Path) -> None:
    adds(tmp_path)
    drive(app_on(demo), "p")
    seen = drive(app_on(demo), "7", "f")
    assert "Journal: by you" in seen
    assert "pulled" not in seen
    seen = drive(app_on(demo), "7", "f", "f")
    assert "Journal: by agents" in seen
    assert "pinned" not in seen
