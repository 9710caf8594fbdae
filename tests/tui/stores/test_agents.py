"""The pane of connections on Stores: who is connected, what each did, connecting and disconnecting (S-87)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.connect.clients import CLIENTS
from memtui.agents.connect.target import Surroundings, connection, hooks_connection, program
from memtui.errors import Refused
from memtui.formats.insertions.editing import Entries
from memtui.formats.insertions.insertion import Insertion
from memtui.memory.agents.figures import CONTRADICTED, DISMISSED, AgentFigures, Overtaken
from memtui.memory.journal import Event
from memtui.memory.policies.policy import Policy
from memtui.memory.secrets import MASK
from memtui.tui.app import MemtuiApp
from memtui.tui.stores.agents import actions, connect_dialog
from memtui.tui.stores.agents.actions import Planned
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.connections.connection import Connection, ConnectionState
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, typed, wait_until_idle
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, with_stores
from tests.support.hostile.texts import TEXTS
from tests.support.sizes import sample_cases
from tests.support.waiting.stores import wait_for_stores
from tests.support.waiting.threads import wait_until_shown

SECRET = "ghp_" + "k9Xq2mPz7RtLw4Vb8Nc3Hd6Fs1Jy5Ga0Qe2W"
OPEN: list[Step] = ["8", wait_for_stores, "tab", "tab"]


def connected(client: str, agent: str, file: str) -> Connection:
    value = {"command": "/usr/bin/memtui", "args": ["mcp", "--as", agent]}
    entries = Entries("json", (Insertion(("mcpServers", "memtui"), value),))
    return Connection(file, client, agent, entries, NOW - 2 * DAY)


def with_agents() -> FakeWorkspace:
    """Stores, with agents that are connected in every state, and one that calls without."""
    fake = with_stores()
    scout = AgentFigures(
        "scout", 12, 1, 40, 36, 0.011, 0.024, NOW - 7200, "memory_recall", "3f2a91c0-5d1e-4b7a-9c11"
    )
    claude = connected("claude-code", "scout", "/home/ana/.claude.json")
    cursor = connected("cursor", "coder", "/home/ana/.cursor/mcp.json")
    edie = AgentFigures("edie", 3, last=NOW - 60)
    fake.listed_agents = [
        ListedAgent(scout, "native", claude, ConnectionState.CONNECTED),
        ListedAgent(AgentFigures("coder"), "native", cursor, ConnectionState.GONE),
        ListedAgent(edie, "founder-os", connected("", "edie", "/srv/x.json"), ConnectionState.CHANGED),
        ListedAgent(AgentFigures("byhand", 1, last=NOW - DAY), "native"),
    ]
    fake.given["scout"] = [
        Overtaken("u1", "The API port is 8080", CONTRADICTED, NOW - DAY, "u2", "The API port is 9090"),
        Overtaken("u3", "Dana likes tea", DISMISSED, NOW - DAY),
    ]
    return fake


def status_line(seen: str) -> str:
    return seen.splitlines()[-2]


def test_each_connection_tells_its_state_and_what_its_agent_did(golden: Callable[[str, str], None]) -> None:
    shots = Shots()
    drive(app_on(with_agents()), *OPEN, shots, "j", shots, "j", shots, "j", shots, "g", (80, 24), shots)
    scout, coder, edie, byhand, narrow = shots
    golden("connections-120x36", scout)
    golden("connections-80x24", narrow)
    for part in ("✓ connected", "12 writes", "40 recalls", "2h"):
        assert part in line_with(narrow, "claude-code")
    for part in (
        "12, 1 refusal; into native",
        "40, 36 answered (90%)",
        "p50 11 ms, p95 24 ms",
        "session 3f2a91c0…",
    ):
        assert part in scout
    assert "contradicted" in line_with(scout, "“The API port is 8080”")
    assert "It has not called yet" in coder
    assert "The file no longer has the entry" in coder
    assert "Somebody changed the entry" in edie
    assert "3; into founder-os" in edie
    assert "Calls without a connection" in byhand
    assert "byhand" in line_with(byhand, "· no connection")


def test_no_agent_is_connected_says_how_to_connect_one() -> None:
    shots = Shots()
    fake = with_stores()
    drive(app_on(fake), *OPEN, shots, "delete", shots, "enter", shots, size=(80, 24))
    empty, delete, enter = shots
    assert "In a shell: memtui connect claude-code --as NAME" in empty
    assert "a  connect an agent's program" in empty
    assert status_line(delete).startswith(" No agent selected; press a to connect one.")
    assert "No agent selected" in status_line(enter)


def test_keys_that_cannot_work_for_an_agent_say_why() -> None:
    shots, fake = Shots(), with_agents()
    keys = ("b", "@", "!", "i")
    steps = [step for key in keys for step in (key, shots)]
    drive(app_on(fake), *OPEN, *steps, "G", "delete", shots)
    for seen in list(shots)[:-1]:
        assert "This is an agent, not a store" in status_line(seen)
    assert "nothing to disconnect" in status_line(list(shots)[-1])
    fake.read_only = True
    shots = Shots()
    drive(app_on(fake), *OPEN, "a", shots, "delete", shots)
    for seen in shots:
        assert "agents can't be connected or disconnected" in status_line(seen)
    fake.errors["agents"] = Refused("busy", "The workspace is in use.")
    assert "The workspace is in use." in drive(app_on(fake), *OPEN)


def test_enter_shows_what_an_agent_changed_and_f_its_session() -> None:
    fake, shots = with_agents(), Shots()
    fake.events = [
        Event(1, NOW - 90, "person", "pinned", "Pinned 1 memory"),
        Event(2, NOW - 80, "agent:scout", "added", "Added 1 memory", label="Goats eat", tool="memory_store",
              session="3f2a91c0-5d1e"),
        Event(3, NOW - 70, "agent:scout", "added", "Added 1 memory", label="Bees buzz", tool="hook:stop",
              session="77aa"),
        Event(4, NOW - 60, "agent:edie", "added", "Added 1 memory", label="Lakes freeze"),
    ]  # fmt: skip
    fake.items = {event.id: [] for event in fake.events}
    drive(app_on(fake), *OPEN, "enter", shots, "j", "f", shots, "f", shots, "f", "f", shots, "f", shots)
    scout, session, everything, agents, one = shots
    assert "━ Journal: agent scout ━" in scout
    assert "by hook:stop, session 77aa" in scout
    assert "memory_store" in line_with(scout, "Goats eat")
    assert "Pinned" not in scout + session
    assert "━ Journal: agent scout, session 3f2a91c0… ━" in session
    assert "Bees buzz" not in session
    assert "4 of 4" not in everything
    assert "3 of 4" in everything, "the cursor stays on its entry"
    assert "━ Journal: by agents ━" in agents
    assert "━ Journal: agent scout ━" in one
    assert "agent scout by memory_store, session 3f2a91c0…" in one


def test_f_reaches_the_agent_and_session_of_the_line_that_the_list_began_with() -> None:
    fake, shots = with_agents(), Shots()
    fake.events = [
        Event(1, NOW - 90, "agent:scout", "added", "Added 1 memory", label="Bees buzz", session="77aa"),
        Event(2, NOW - 80, "person", "pinned", "Pinned 1 memory"),
    ]
    for newest in (fake.events, fake.events[:1]):  # the cursor is first on the person's, then on the agent's
        fake.events, fake.items = newest, {event.id: [] for event in newest}
        drive(app_on(fake), "7", "f", "f", "f", shots, "f", shots)
    for agent, session in (shots[:2], shots[2:]):
        assert "━ Journal: agent scout ━" in agent
        assert "━ Journal: agent scout, session 77aa ━" in session


def test_e_shows_the_policy_of_an_agent_or_which_key_writes_one() -> None:
    fake, shots = with_agents(), Shots()
    fake.listed_agents[0] = replace(fake.listed_agents[0], store="gone:store", store_gone=True)
    fake.kept_policies = [Policy("scout", writes_to="gone:store"), Policy("zed", ("fleet",))]
    drive(app_on(fake), *OPEN, shots, "e", shots, "8", "j", "e", shots)
    gone, scout, coder = shots
    assert "gone:store, which it writes to, is not" in gone
    assert "What holds for scout in every store" in scout
    assert "gone:store (scout)" in line_with(scout, "  into          ")
    assert status_line(coder).startswith(" coder has no policy here yet: n writes one")


def test_since_names_the_agent_its_tool_and_its_session() -> None:
    fake, shots = with_agents(), Shots()
    fake.edit([1], {"content": "Goats eat oats"})
    fake.events[0] = replace(
        fake.events[0], actor="agent:scout", tool="memory_update", session="3f2a91c0-5d1e"
    )
    drive(app_on(fake), "7", "V", shots, (80, 24), shots)
    wide, narrow = shots
    assert "agent scout" in line_with(wide, " ~ ")
    for seen in (wide, narrow):
        assert "changed by agent scout by memory_update, session 3f2a91c0…" in seen


def test_hostile_names_and_sessions_stay_on_their_line() -> None:
    fake = with_agents()
    first, *others = fake.listed_agents
    for text in sample_cases(list(TEXTS.values()), 6):
        figures = replace(first.figures, agent=text, tool=text, session=text)
        made = connected(text, text, f"/srv/{text}.json")
        fake.listed_agents = [ListedAgent(figures, text, made, first.state), *others]
        fake.given = {text: [Overtaken("u", text, CONTRADICTED, NOW, "o", text)]}
        shown = drive(app_on(fake), *OPEN, size=(80, 24))
        assert "✗ entry gone" in line_with(shown, "cursor")
        assert len(shown.splitlines()) == 24


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A workspace that Claude Code is connected to as scout; its database, and Claude Code's settings."""
    monkeypatch.setattr(connect_dialog, "PAUSE", 0.001)
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    settings, path = tmp_path / ".claude.json", tmp_path / "w.db"
    settings.write_text(json.dumps({"mcpServers": {"gh": {"env": {"TOKEN": SECRET}}}}, indent=2))
    with closing(Workspace.open(path, clock=clock)) as work:
        client, around = CLIENTS["claude-code"], Surroundings.here()
        hooks = hooks_connection(client, "scout", path, program(), around, project=False)
        assert hooks is not None
        work.connect(connection(client, settings, "scout", path, program(), around), hooks)
        work.add({"content": "Goats eat oats."})
    return path, settings


def test_disconnecting_shows_the_difference_first_and_undo_brings_the_entry_back(
    real: tuple[Path, Path],
) -> None:
    path, settings = real
    before, shots, kept = settings.read_bytes(), Shots(), list[bytes]()
    hooks = settings.parent / ".claude" / "settings.json"
    hooks_before = hooks.read_bytes()

    def keep(_: object) -> None:
        kept.append(settings.read_bytes())

    drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock),
        *(*OPEN, "delete", shots, "G", shots, "escape", keep, "delete", "enter", shots, keep, "u", shots),
    )
    asked, below, done, undone = shots
    assert "━ Disconnect claude-code (scout) ━" in asked
    assert '-    "memtui": {' in asked
    assert MASK in asked
    assert SECRET not in asked + done + undone
    assert kept[0] == before, "esc changes nothing"
    assert json.loads(kept[1])["mcpServers"].keys() == {"gh"}
    assert "Disconnected claude-code: " in status_line(done)
    assert "--- ~/.claude.json" in asked
    assert '-    "SessionEnd": [' in below
    assert "No agent is connected" in done
    assert (settings.read_bytes(), hooks.read_bytes()) == (before, hooks_before)
    assert "✓ connected" in line_with(undone, "claude-code")
    assert "✓ connected" in line_with(undone, " hooks ")


def test_enter_writes_nothing_before_the_difference_was_shown(
    real: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = real
    gate, plan = threading.Event(), actions.plan_connection

    def slow(*given: Any) -> Planned:
        gate.wait(10)
        return plan(*given)

    monkeypatch.setattr(actions, "plan_connection", slow)
    app = MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await pilot.press("8")
            await wait_until_shown(app, "claude-code ✓ connected")
            await pilot.press("tab", "tab", "a")
            await wait_until_shown(app, "~/.cursor/mcp.json")
            await pilot.press("down", "down", "enter")
            await wait_until_shown(app, "Still reading the settings file")
            gate.set()
            await wait_until_shown(app, "+++ ~/.cursor/mcp.json")
            await wait_until_idle(app)
            assert not (Path.home() / ".cursor").exists()

    asyncio.run(run())


def test_connecting_chooses_a_client_and_a_name_and_shows_the_difference_first(
    real: tuple[Path, Path], tmp_path: Path
) -> None:
    path, settings = real
    before, shots = settings.read_bytes(), Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock),
        *(*OPEN, "a", shots, "enter", shots, "down", "down", *typed("coder"), shots, "enter", shots),
        *("a", "escape", "u", shots),
    )
    own, again, cursor, done, undone = shots
    assert "✓ scout" in line_with(own, "claude-code")
    assert "Connected as scout already" in own
    assert again == own, "⏎ does nothing where nothing can be done"
    assert "+++ ~/.cursor/mcp.json" in cursor
    assert '+        "coder"' in cursor
    assert "✓ scout" not in line_with(cursor, "your settings  ~/.cursor")
    assert "Connected cursor as coder" in status_line(done)
    assert "✓ connected" in line_with(done, "coder")
    assert not (tmp_path / ".cursor").exists(), "undone: the folder that was made goes, too"
    assert "Undone: Connected cursor as coder" in status_line(undone)
    assert settings.read_bytes() == before
