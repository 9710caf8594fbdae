"""Agents that write while the app is open: their changes are counted and move nothing (S-5, S-53)."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.contradictions.pairs import BOTH_TRUE
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, drive, line_with, stable_screen, wait_until_idle
from tests.support.demo_stores import build
from tests.support.fake_workspace import clock
from tests.support.waiting.threads import wait_until


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def opened(path: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)


def add_as_agents(folder: Path) -> None:
    """Add a memory to each agent's store."""
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


def test_memories_added_by_agents_are_counted_and_move_nothing(demo: Path, tmp_path: Path) -> None:
    async def run() -> None:
        app = opened(demo)
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await pilot.press("j", "j", "j")
            before = await stable_screen(app)
            add_as_agents(tmp_path)
            await wait_until(lambda: app.news == 3, app)
            now = await stable_screen(app)
            assert "● 3 new  r" in now.splitlines()[0]
            # Nothing moved, and only the count in the header is new.
            assert now.splitlines()[4:-2] == before.splitlines()[4:-2]
            await pilot.press("r")
            await wait_until(lambda: app.news == 0, app)
            now = await stable_screen(app)
            assert "● 3 new" not in now
            assert "new: 3 above" in now
            assert app.screen.query_one(MemoryList).count == 40

    asyncio.run(run())


def test_memories_added_by_agents_stay_out_of_the_list_while_the_user_changes_it(
    demo: Path, tmp_path: Path
) -> None:
    async def run() -> None:
        app = opened(demo)
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            add_as_agents(tmp_path)
            await wait_until(lambda: app.news == 3, app)
            memories = app.screen.query_one(MemoryList)
            ids = list(memories.ids)
            await pilot.press("j", "d")
            await wait_until_idle(app)
            gone = set(ids) - set(memories.ids)
            assert len(gone) == 1
            assert set(memories.ids) == set(ids) - gone

    asyncio.run(run())


def row(shown: str, part: str) -> int:
    """Return the line of the list that contains a text, from 0."""
    lines = shown.splitlines()
    top = next(n for n, line in enumerate(lines) if "Unseen changes by agents" in line)
    return next(n for n, line in enumerate(lines[top + 1 :]) if part in line)


def test_agents_changes_are_listed_and_reverted_one_by_one(demo: Path, tmp_path: Path) -> None:
    shots, folder = Shots(), tmp_path / "order-service" / "memory"
    drive(opened(demo), "7", "S", shots, "V", "S", (80, 24), shots)
    assert "Press V for unseen changes by agents, then S to mark them as seen." in shots.pop(0)
    assert "No unseen changes." in shots[0]
    assert "V  all changes" in shots[0]
    add_as_agents(tmp_path)
    removed, changed = folder / "user_ana.md", folder / "feedback_tests.md"
    ana, tests = removed.read_bytes(), changed.read_bytes()
    removed.unlink()
    changed.write_bytes(tests.replace(b"broke production in March", b"broke production in May"))
    seen = drive(opened(demo), "7", "V")
    assert "Unseen changes by agents" in seen
    assert "3 added · 1 changed · 1 removed" in seen
    assert "removed" in line_with(seen, "Ana, founder")
    added = (folder / "zebra.md").read_bytes()
    # The changed memory is shown before and after, and z undoes only that change.
    seen = drive(opened(demo), "7", "V", *["j"] * row(seen, "~ changed"), shots, "z")
    assert "−" in line_with(shots[1], "in March.")
    assert "+" in line_with(shots[1], "in May.")
    assert changed.read_bytes() == tests
    assert not removed.exists()
    # R restores the removed memory.
    seen = drive(opened(demo), "7", "V", *["j"] * row(seen, "− removed"), "R")
    assert removed.read_bytes() == ana
    assert changed.read_bytes() == tests
    assert (folder / "zebra.md").read_bytes() == added
    assert "Ana, founder" not in line_with(seen, "removed")


def test_an_edit_overwritten_by_the_agents_program_can_be_redone(demo: Path, tmp_path: Path) -> None:
    file, shots = tmp_path / "assistant" / "memory.jsonl", Shots()
    with closing(Workspace.open(demo, clock=clock)) as workspace:
        workspace.mark_seen()
        original = file.read_text()
        workspace.edit(workspace.search("allergic").ids, {"content": "Is allergic to almonds."})
        file.write_text(original)
    drive(opened(demo), "7", shots, "V", shots, "z", shots)
    journal, before, after = shots
    assert "overwritten" in journal
    assert "The agent's program overwrote your change. Press z to reapply it." in before
    assert "Redone: Edited 1 memory" in after
    assert "No unseen changes." in after
    assert file.read_text() == original.replace("Is allergic to nuts", "Is allergic to almonds.")


def test_a_relation_added_by_an_agent_is_listed_and_undone_alone(tmp_path: Path) -> None:
    demo, shots = build(tmp_path, contradictions=True), Shots()
    drive(opened(demo), "7", "V", shots, "z", shots)
    before, after = shots
    assert "9 changed · 1 of 9" in before
    assert "+ disputes → " in line_with(before, "two places for one warehouse")
    assert "Undone: Added a relation to 1 memory (disputes)" in after
    assert "8 changed · 1 of 8" in after


def test_a_verdict_by_an_agent_is_shown_in_words_and_undone(tmp_path: Path) -> None:
    demo, shots = build(tmp_path, contradictions=True), Shots()
    with closing(Workspace.open(demo, actor="agent:worker")) as workspace:
        workspace.scan()
        workspace.mark_seen()
        (pair,) = [pair for pair in workspace.pairs() if "staging" in pair.labels[0]]
        workspace.settle(pair.id, BOTH_TRUE, note="one in each room")
    drive(opened(demo), "7", "V", shots, "z", shots)
    assert "both true · one in each room" in shots[0]
    assert "judged" not in shots[0]
    assert "Undone: Marked both as true" in shots[1]
    assert "No unseen changes." in shots[1]


def test_f_filters_the_journal_by_user_and_agents(demo: Path, tmp_path: Path) -> None:
    add_as_agents(tmp_path)
    shots = Shots()
    drive(opened(demo), "p", "7", "f", shots, "f", shots)
    you, agents = shots
    assert "Journal: by you" in you
    assert "pinned" in you
    assert "loaded" not in you
    assert "Journal: by agents" in agents
    assert "loaded" in agents
    assert "pinned" not in agents
