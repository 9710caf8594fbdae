"""Discovery lists the stores at known paths with count and health, and changes nothing (S-3)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.formats import agent_config, discovery
from memtui.memory.stores import DiscoveredStore
from tests.support import demo_stores
from tests.support.stores import Agent, mcp_memory

NOW = 1_763_000_000.0


@pytest.fixture
def tmp_path(disk_path: Path) -> Path:
    """A folder on a real disk: nothing below /dev, where memory disks are, is discovered."""
    return disk_path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a store of each format at a known path."""
    home = tmp_path / "home"
    demo_stores.make_founder_os(home / "larkfield" / ".memory" / "memory.db", NOW)
    demo_stores.make_claude_code(home / ".claude" / "projects" / "-home-ana-order-service" / "memory")
    mcp(home / "memory.json")
    return home


def mcp(path: Path) -> Path:
    return mcp_memory.make(path).root


def discover(home: Path, cwd: Path | None = None, **environ: str) -> dict[str, DiscoveredStore]:
    """Return the discovered stores by their path below home."""
    stores = discovery.discover(home, cwd or home / "nowhere", environ)
    by_path = {os.path.relpath(store.path, home): store for store in stores}
    assert len(by_path) == len(stores), "a store is listed once"
    return by_path


def file_states(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return content and modification time of every file below a folder, which no process has open."""
    return {
        str(file): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


FOUNDER, CLAUDE, MCP = (
    "larkfield/.memory/memory.db",
    ".claude/projects/-home-ana-order-service/memory",
    "memory.json",
)


def test_each_known_path_is_searched(home: Path) -> None:
    stores = discover(home)
    assert {path: (store.format, store.title, store.count) for path, store in stores.items()} == {
        FOUNDER: ("founder-os", "Founder OS", len(demo_stores.FOUNDER_ROWS)),
        CLAUDE: ("claude-code", "Claude Code memory", stores[CLAUDE].count),
        MCP: ("mcp-memory", "MCP memory server", stores[MCP].count),
    }
    assert (stores[CLAUDE].count or 0) > 5
    assert (stores[MCP].count or 0) > 5
    assert {store.problem for store in stores.values()} == {""}


def test_discovery_changes_nothing_and_leaves_no_file(home: Path) -> None:
    before = file_states(home)
    discover(home)
    discover(home, home / "larkfield")
    assert file_states(home) == before


def test_a_database_in_use_keeps_its_log(home: Path) -> None:
    store = home / FOUNDER
    with Agent(store) as agent:
        agent.execute("UPDATE memories SET times_used = 77")
        files = {file.name for file in store.parent.iterdir()}
        assert discover(home)[FOUNDER].count == len(demo_stores.FOUNDER_ROWS)
        assert {file.name for file in store.parent.iterdir()} == files
        assert agent.execute("SELECT DISTINCT times_used FROM memories") == [[77]]


def test_the_working_folder_is_searched_and_a_store_listed_once(home: Path) -> None:
    stores = discover(home, home / "larkfield")
    assert list(stores).count(FOUNDER) == 1
    link = home / "linked"
    link.symlink_to(home / "larkfield")
    assert set(discover(home, link)) == set(stores)


def test_the_environment_variable_of_the_mcp_server_names_a_store(home: Path, tmp_path: Path) -> None:
    store = mcp(tmp_path / "elsewhere" / "graph.jsonl")
    stores = discover(home, MEMORY_FILE_PATH=str(store))
    assert stores[os.path.relpath(store, home)].format == "mcp-memory"
    assert discover(home, MEMORY_FILE_PATH="/does/not/exist.jsonl").keys() == discover(home).keys()
    assert discover(home, MEMORY_FILE_PATH="a\0b").keys() == discover(home).keys()


SETTINGS: dict[str, Any] = {
    ".claude.json": {"mcpServers": {"memory": {"command": "npx", "env": {"MEMORY_FILE_PATH": "@"}}}},
    ".claude.json of a project": {"projects": {"/x": {"mcpServers": {"m": {"args": ["--file=@"]}}}}},
    ".claude/settings.json": {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "node inject.js '@'"}]}]}
    },
    ".cursor/mcp.json": {"mcpServers": {"memory": {"args": ["-y", "server-memory", "@"]}}},
    ".codex/config.toml": '[mcp_servers.memory]\ncommand = "npx"\n[mcp_servers.memory.env]\nMEMORY = "@"\n',
    ".gemini/settings.json": {"mcpServers": {"memory": {"env": {"MEMORY_FILE_PATH": "@"}}}},
    ".config/Claude/claude_desktop_config.json": {"mcpServers": {"memory": {"env": {"STORE": "@"}}}},
}


@pytest.mark.parametrize("place", SETTINGS)
def test_agent_settings_name_stores(home: Path, tmp_path: Path, place: str) -> None:
    store = mcp(tmp_path / "elsewhere" / "graph.jsonl")
    content = SETTINGS[place]
    text = content if isinstance(content, str) else json.dumps(content)
    settings = write(home / place.partition(" ")[0], text.replace("@", str(store)))
    before = settings.read_bytes()
    stores = discover(home)
    assert stores[os.path.relpath(store, home)].format == "mcp-memory"
    assert len(stores) == 4
    assert settings.read_bytes() == before


def test_a_path_in_project_settings_is_relative_to_the_project(home: Path) -> None:
    project = home / "work" / "app"
    mcp(project / "data" / "graph.jsonl")
    write(
        project / ".mcp.json", {"mcpServers": {"memory": {"env": {"MEMORY_FILE_PATH": "data/graph.jsonl"}}}}
    )
    assert "work/app/data/graph.jsonl" in discover(home, project)
    assert "work/app/data/graph.jsonl" not in discover(home)
    (project / ".mcp.json").unlink()
    settings = {"projects": {str(project): {"mcpServers": {"m": {"args": ["./data/graph.jsonl"]}}}}}
    write(home / ".claude.json", settings)
    assert "work/app/data/graph.jsonl" in discover(home)


def test_the_folder_setting_of_claude_code_is_read(home: Path) -> None:
    demo_stores.make_claude_code(home / "notes")
    write(home / ".claude" / "settings.json", {"autoMemoryDirectory": "~/notes"})
    assert discover(home)["notes"].format == "claude-code"


HOSTILE = {
    "not JSON": "{" * 3,
    "deeply nested": "[" * 200_000,
    "a list": "[1, 2]",
    "unusual types": json.dumps(
        {
            "mcpServers": [1],
            "hooks": {"Stop": "x", "Start": [1, {"hooks": 3}]},
            "projects": {"/a": 7, "b": {}},
        }
    ),
    "unusual values": json.dumps(
        {"mcpServers": {"a": {"env": {"X": 1, "Y": "\0", "Z": "/" + "a" * 9000, "B": "\ud800"}, "args": "x"}}}
    ),
    "an unclosed quote": json.dumps({"hooks": {"Stop": [{"command": "cat 'it"}]}}),
    "projects in projects": json.dumps({"projects": {"/a": {"projects": {"/b": {"mcpServers": {}}}}}}),
    "too large": json.dumps({"x": "y" * agent_config.LIMIT, "mcpServers": {"m": {"args": ["/etc"]}}}),
    "devices": json.dumps({"mcpServers": {"m": {"args": ["/dev/zero", "/proc/self/mem", "/dev/tty", "/"]}}}),
    "programs": json.dumps({"mcpServers": {"m": {"args": [sys.executable, "/bin/sh", "/etc/passwd"]}}}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_settings_hide_nothing(home: Path, what: str) -> None:
    write(home / ".claude.json", HOSTILE[what])
    write(home / ".codex" / "config.toml", HOSTILE[what])
    assert set(discover(home)) == {FOUNDER, CLAUDE, MCP}


def test_a_hook_is_never_run_and_no_secret_is_shown(home: Path, tmp_path: Path) -> None:
    secret = "sk-" + "live-" + "0123456789abcdef"
    mark = tmp_path / "ran"
    command = f"touch {mark}; cat $(touch {mark}) `touch {mark}` --key={secret} {home}/memory.json"
    write(home / ".claude" / "settings.json", {"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    write(
        home / ".claude.json", {"mcpServers": {"m": {"env": {"TOKEN": secret, "F": f"{home}/memory.json"}}}}
    )
    stores = discover(home)
    assert not mark.exists()
    assert secret not in repr(stores)
    assert set(stores) == {FOUNDER, CLAUDE, MCP}


def test_settings_that_are_a_symlink_to_a_database_are_not_opened(home: Path) -> None:
    """Opening and closing a database that this process holds would drop its locks."""
    store = home / FOUNDER
    (home / ".claude.json").symlink_to(store)
    connection = apsw.Connection(str(store))
    connection.execute("BEGIN IMMEDIATE")
    discover(home)
    with Agent(store) as agent:
        rows = agent.execute("SELECT 1")
        assert rows == [[1]]
    program = (
        "import apsw, sys\nc = apsw.Connection(sys.argv[1])\n"
        "try: c.execute('BEGIN IMMEDIATE'); print('took it')\nexcept apsw.BusyError: print('busy')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(store)], capture_output=True, text=True, check=True
    )
    connection.execute("ROLLBACK")
    connection.close()
    assert ran.stdout.strip() == "busy"


def test_an_unknown_database_is_listed_with_its_tables(home: Path) -> None:
    path = home / "other" / ".memory" / "memory.db"
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE notes (id, text)")
    connection.close()
    listed = discover(home)["other/.memory/memory.db"]
    assert (listed.format, listed.count) == (discovery.UNKNOWN, None)
    assert "with the tables notes" in listed.problem


def test_a_broken_store_is_listed_with_its_problem_and_hides_no_other(home: Path) -> None:
    store = home / FOUNDER
    store.write_bytes(store.read_bytes()[:40])
    stores = discover(home)
    assert set(stores) == {FOUNDER, CLAUDE, MCP}
    assert stores[FOUNDER].count is None
    assert "memory.db" in stores[FOUNDER].problem


def test_findings_are_counted(home: Path) -> None:
    store = home / MCP
    store.write_bytes(store.read_bytes() + b'\n{"type":"entity","name":"To')
    assert discover(home)[MCP].problem == "1 warning"


def test_a_very_large_store_is_listed_without_a_count(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MOST_MEMORIES", 5)
    monkeypatch.setattr(discovery, "MOST_TEXT", 100)
    stores = discover(home)
    assert {store.count for store in stores.values()} == {None}
    assert all("Too large to count" in store.problem for store in stores.values())


def test_the_search_of_a_large_folder_is_limited(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MOST_PATHS", 3)
    for number in range(10):
        (home / ".claude" / "projects" / f"p{number}" / "memory").mkdir(parents=True)
    assert len(list(discovery._candidates(discovery._context(home, home, {})))) <= 3 * 12


_AS_ANOTHER = """
import os, sys
from pathlib import Path
from memtui.formats import discovery; from memtui.formats import registry
registry.formats()
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
home = Path(sys.argv[1])
print(sorted(each.format for each in discovery.discover(home, home, {})))
"""


def test_unreadable_paths_are_skipped(disk_path: Path) -> None:
    disk_path.chmod(0o755)
    closed = disk_path / ".claude" / "projects"
    demo_stores.make_claude_code(closed / "one" / "memory")
    mcp(disk_path / "memory.json").chmod(0o644)
    closed.chmod(0)
    ran = subprocess.run(
        [sys.executable, "-c", _AS_ANOTHER, str(disk_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    closed.chmod(0o700)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "['mcp-memory']"


def test_an_empty_home_has_no_stores(tmp_path: Path) -> None:
    assert discovery.discover(tmp_path, tmp_path / "gone", {}) == []
    assert "~/.claude/projects/*/memory" in discovery.places()
    assert "~/.codex/config.toml" in discovery.places()


def test_shared_and_local_agent_memories_of_a_project_are_found(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("agent-memory", "agent-memory-local"):
        demo_stores.make_claude_code(project / ".claude" / name / "reviewer")
    stores = discover(tmp_path / "home", project)
    assert {Path(path).parent.name for path in stores} == {"agent-memory", "agent-memory-local"}
