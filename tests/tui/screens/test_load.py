"""Two agents write all the time while the user edits, pins and undoes (S-5, S-6, S-93)."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

from benchmarks.live.agents import lost_writes, make_stores, start_agent
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import screen_text, wait_until_idle
from tests.support.sizes import rounds

CHANGES, RATE = rounds(40, 120), 20.0  # of each agent, a second: two seconds of writing, or six


def test_no_write_of_the_user_or_an_agent_is_lost(tmp_path: Path) -> None:
    places = make_stores(tmp_path / "stores", 30)
    path = tmp_path / "own" / "workspace.db"
    workspace = Workspace.open(path)
    for place in places:
        workspace.attach(place)
    workspace.close()
    agents = [start_agent(tmp_path / "stores", f"agent{n}", CHANGES, RATE) for n in (1, 2)]
    try:
        messages = asyncio.run(_use_app(path, agents))
        reports = [json.loads(agent.communicate(timeout=60)[0]) for agent in agents]
    finally:
        for agent in agents:
            agent.kill()
            agent.wait()
    assert [lost_writes(tmp_path / "stores", report) for report in reports] == [[], []]
    # Nothing was refused without a message.
    assert all(message.strip() for message in messages)
    workspace = Workspace.open(path)
    assert workspace.pull().errors == {}
    own = [event for event in workspace.journal(2000) if event.actor == "person"]
    assert all(event.state in ("done", "undone") or event.reason for event in own)
    kinds = {event.kind for event in own if event.state in ("done", "undone")}
    assert {"edited", "pinned", "undone"} <= kinds
    # The text of each edit that is in effect is in its store.
    everything = "".join(
        file.read_text() for file in (tmp_path / "stores").rglob("*") if file.suffix in (".md", ".jsonl")
    ) + "".join(memory.content for memory in workspace.memories(workspace.search("store:founder-os*").ids))
    for event in own:
        if event.kind == "edited" and event.state == "done":
            (item,) = workspace.journal_items(event.id)
            assert item.after is not None
            assert item.after["content"].split()[0] in everything
    workspace.close()


async def _use_app(path: Path, agents: list[subprocess.Popen[str]]) -> list[str]:
    """Edit, pin and undo while the agents work; return the status line after each key."""
    messages: list[str] = []
    app = MemtuiApp(lambda: Workspace.open(path))
    async with app.run_test(size=(120, 36)) as pilot:
        await wait_until_idle(app)
        turn = 0
        while any(agent.poll() is None for agent in agents):
            turn += 1
            for keys in (("j", "p"), ("j", "e", *f"typed{turn} ", "ctrl+s"), ("u",), ("j", "v"), ("r",)):
                for key in keys:
                    await pilot.press({" ": "space"}.get(key, key))
                    await wait_until_idle(app)
                if len(app.screen_stack) > 1:  # a conflict or a draft: go back to the list
                    await pilot.press("escape", "escape", "escape")
                    await wait_until_idle(app)
                messages.append(screen_text(app).splitlines()[-2])
            assert turn < 200
    return messages
