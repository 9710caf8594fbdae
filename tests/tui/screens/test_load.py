"""Two agents write all the time while a person edits, pins and undoes (S-5, S-6, S-93)."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

from benchmarks.agents import furnish, lost, start
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import screen, settle
from tests.support.sizes import rounds

CHANGES, RATE = rounds(40, 120), 20.0  # of each agent: two seconds of writing, or six


def test_nothing_is_lost_on_either_side(tmp_path: Path) -> None:
    places = furnish(tmp_path / "stores", 30)
    path = tmp_path / "own" / "workspace.db"
    workspace = Workspace.open(path)
    for place in places:
        workspace.attach(place)
    workspace.close()
    agents = [start(tmp_path / "stores", f"agent{n}", CHANGES, RATE) for n in (1, 2)]
    try:
        told = asyncio.run(_a_person(path, agents))
        said = [json.loads(agent.communicate(timeout=60)[0]) for agent in agents]
    finally:
        for agent in agents:
            agent.kill()
            agent.wait()
    assert [lost(tmp_path / "stores", each) for each in said] == [[], []]
    # Nothing was refused without a word.
    assert all(line.strip() for line in told)
    workspace = Workspace.open(path)
    assert workspace.pull().errors == {}
    mine = [event for event in workspace.journal(2000) if event.actor == "person"]
    assert all(event.state in ("done", "undone") or event.why for event in mine)
    kinds = {event.kind for event in mine if event.state in ("done", "undone")}
    assert {"edited", "pinned", "undone"} <= kinds
    # Each edit that stands says in its store what was typed.
    everything = "".join(
        file.read_text() for file in (tmp_path / "stores").rglob("*") if file.suffix in (".md", ".jsonl")
    ) + "".join(memory.content for memory in workspace.memories(workspace.search("store:founder-os*").ids))
    for event in mine:
        if event.kind == "edited" and event.state == "done":
            (item,) = workspace.journal_items(event.id)
            assert item.after is not None
            assert item.after["content"].split()[0] in everything
    workspace.close()


async def _a_person(path: Path, agents: list[subprocess.Popen[str]]) -> list[str]:
    """Edits, pins and undoes while the agents work; the status line after each key."""
    told: list[str] = []
    app = MemtuiApp(lambda: Workspace.open(path))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(app)
        turn = 0
        while any(agent.poll() is None for agent in agents):
            turn += 1
            for keys in (("j", "p"), ("j", "e", *f"typed{turn} ", "ctrl+s"), ("u",), ("j", "v"), ("r",)):
                for key in keys:
                    await pilot.press({" ": "space"}.get(key, key))
                    await settle(app)
                if len(app.screen_stack) > 1:  # a conflict or a draft: back to the list
                    await pilot.press("escape", "escape", "escape")
                    await settle(app)
                told.append(screen(app).splitlines()[-2])
            assert turn < 200
    return told
