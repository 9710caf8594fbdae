"""Discovery: what lies in the known places is listed with count and health, and left as it is (S-3)."""

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
from tests.support import office
from tests.support.stores import Agent, mcp_memory

NOW = 1_763_000_000.0


@pytest.fixture
def tmp_path(disk_path: Path) -> Path:
    """On a real disk: nothing below /dev, where memory disks are, is discovered."""
    return disk_path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a store of each format in a known place."""
    home = tmp_path / "home"
    office.founder(home / "larkfield" / ".memory" / "memory.db", NOW)
    office.claude(home / ".claude" / "projects" / "-home-ana-order-service" / "memory")
    mcp(home / "memory.json")
    return home


def mcp(path: Path) -> Path:
    return mcp_memory.make(path).root


def found(home: Path, cwd: Path | None = None, **environ: str) -> dict[str, DiscoveredStore]:
    """What is discovered, by its path below home."""
    there = discovery.discover(home, cwd or home / "nowhere", environ)
    out = {os.path.relpath(each.path, home): each for each in there}
    assert len(out) == len(there), "a store is listed once"
    return out


def all_bytes(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, byte for byte; no process has any of them open."""
    return {
        str(file): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def write(path: Path, said: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(said if isinstance(said, str) else json.dumps(said), "utf-8")
    return path


FOUNDER, CLAUDE, MCP = (
    "larkfield/.memory/memory.db",
    ".claude/projects/-home-ana-order-service/memory",
    "memory.json",
)


def test_each_known_place_is_looked_at(home: Path) -> None:
    there = found(home)
    assert {path: (each.format, each.title, each.count) for path, each in there.items()} == {
        FOUNDER: ("founder-os", "Founder OS", len(office.FOUNDER)),
        CLAUDE: ("claude-code", "Claude Code memory", there[CLAUDE].count),
        MCP: ("mcp-memory", "MCP memory server", there[MCP].count),
    }
    assert (there[CLAUDE].count or 0) > 5
    assert (there[MCP].count or 0) > 5
    assert {each.problem for each in there.values()} == {""}


def test_nothing_is_changed_and_nothing_is_left_beside(home: Path) -> None:
    before = all_bytes(home)
    found(home)
    found(home, home / "larkfield")
    assert all_bytes(home) == before


def test_a_database_in_use_keeps_its_log(home: Path) -> None:
    store = home / FOUNDER
    with Agent(store) as agent:
        agent.do("UPDATE memories SET times_used = 77")
        files = {file.name for file in store.parent.iterdir()}
        assert found(home)[FOUNDER].count == len(office.FOUNDER)
        assert {file.name for file in store.parent.iterdir()} == files
        assert agent.do("SELECT DISTINCT times_used FROM memories") == [[77]]


def test_the_working_folder_counts_too_and_twice_found_is_listed_once(home: Path) -> None:
    there = found(home, home / "larkfield")
    assert list(there).count(FOUNDER) == 1
    link = home / "linked"
    link.symlink_to(home / "larkfield")
    assert set(found(home, link)) == set(there)


def test_the_variable_of_the_mcp_server_names_a_file(home: Path, tmp_path: Path) -> None:
    store = mcp(tmp_path / "elsewhere" / "graph.jsonl")
    there = found(home, MEMORY_FILE_PATH=str(store))
    assert there[os.path.relpath(store, home)].format == "mcp-memory"
    assert found(home, MEMORY_FILE_PATH="/does/not/exist.jsonl").keys() == found(home).keys()
    assert found(home, MEMORY_FILE_PATH="a\0b").keys() == found(home).keys()


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
def test_agents_settings_name_stores(home: Path, tmp_path: Path, place: str) -> None:
    store = mcp(tmp_path / "elsewhere" / "graph.jsonl")
    said = SETTINGS[place]
    text = said if isinstance(said, str) else json.dumps(said)
    settings = write(home / place.partition(" ")[0], text.replace("@", str(store)))
    before = settings.read_bytes()
    there = found(home)
    assert there[os.path.relpath(store, home)].format == "mcp-memory"
    assert len(there) == 4
    assert settings.read_bytes() == before


def test_a_path_of_a_project_is_relative_to_it(home: Path) -> None:
    project = home / "work" / "app"
    mcp(project / "data" / "graph.jsonl")
    write(
        project / ".mcp.json", {"mcpServers": {"memory": {"env": {"MEMORY_FILE_PATH": "data/graph.jsonl"}}}}
    )
    assert "work/app/data/graph.jsonl" in found(home, project)
    assert "work/app/data/graph.jsonl" not in found(home)
    (project / ".mcp.json").unlink()
    told = {"projects": {str(project): {"mcpServers": {"m": {"args": ["./data/graph.jsonl"]}}}}}
    write(home / ".claude.json", told)
    assert "work/app/data/graph.jsonl" in found(home)


def test_claude_codes_own_folder_setting_counts(home: Path) -> None:
    office.claude(home / "notes")
    write(home / ".claude" / "settings.json", {"autoMemoryDirectory": "~/notes"})
    assert found(home)["notes"].format == "claude-code"


HOSTILE = {
    "no JSON": "{" * 3,
    "nested deeply": "[" * 200_000,
    "a list": "[1, 2]",
    "odd kinds": json.dumps(
        {
            "mcpServers": [1],
            "hooks": {"Stop": "x", "Start": [1, {"hooks": 3}]},
            "projects": {"/a": 7, "b": {}},
        }
    ),
    "odd values": json.dumps(
        {"mcpServers": {"a": {"env": {"X": 1, "Y": "\0", "Z": "/" + "a" * 9000, "B": "\ud800"}, "args": "x"}}}
    ),
    "a quote that does not end": json.dumps({"hooks": {"Stop": [{"command": "cat 'it"}]}}),
    "projects in projects": json.dumps({"projects": {"/a": {"projects": {"/b": {"mcpServers": {}}}}}}),
    "too large": json.dumps({"x": "y" * agent_config.LIMIT, "mcpServers": {"m": {"args": ["/etc"]}}}),
    "devices": json.dumps({"mcpServers": {"m": {"args": ["/dev/zero", "/proc/self/mem", "/dev/tty", "/"]}}}),
    "programs": json.dumps({"mcpServers": {"m": {"args": [sys.executable, "/bin/sh", "/etc/passwd"]}}}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_settings_hide_nothing(home: Path, what: str) -> None:
    write(home / ".claude.json", HOSTILE[what])
    write(home / ".codex" / "config.toml", HOSTILE[what])
    assert set(found(home)) == {FOUNDER, CLAUDE, MCP}


def test_a_hook_is_never_run_and_no_secret_is_told(home: Path, tmp_path: Path) -> None:
    secret = "sk-" + "live-" + "0123456789abcdef"
    mark = tmp_path / "ran"
    command = f"touch {mark}; cat $(touch {mark}) `touch {mark}` --key={secret} {home}/memory.json"
    write(home / ".claude" / "settings.json", {"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    write(
        home / ".claude.json", {"mcpServers": {"m": {"env": {"TOKEN": secret, "F": f"{home}/memory.json"}}}}
    )
    there = found(home)
    assert not mark.exists()
    assert secret not in repr(there)
    assert set(there) == {FOUNDER, CLAUDE, MCP}


def test_settings_that_are_a_link_to_a_database_are_not_opened(home: Path) -> None:
    """Opening and closing a database that this process holds would drop its locks."""
    store = home / FOUNDER
    (home / ".claude.json").symlink_to(store)
    connection = apsw.Connection(str(store))
    connection.execute("BEGIN IMMEDIATE")
    found(home)
    with Agent(store) as other:
        told = other.do("SELECT 1")
        assert told == [[1]]
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


def test_a_database_of_another_kind_is_listed_with_its_tables(home: Path) -> None:
    path = home / "other" / ".memory" / "memory.db"
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE notes (id, text)")
    connection.close()
    each = found(home)["other/.memory/memory.db"]
    assert (each.format, each.count) == (discovery.UNKNOWN, None)
    assert "its tables are notes" in each.problem


def test_a_broken_store_is_told_and_hides_no_other(home: Path) -> None:
    store = home / FOUNDER
    store.write_bytes(store.read_bytes()[:40])
    there = found(home)
    assert set(there) == {FOUNDER, CLAUDE, MCP}
    assert there[FOUNDER].count is None
    assert "memory.db" in there[FOUNDER].problem


def test_what_is_odd_is_counted(home: Path) -> None:
    store = home / MCP
    store.write_bytes(store.read_bytes() + b'\n{"type":"entity","name":"To')
    assert found(home)[MCP].problem == "1 odd thing"


def test_a_very_large_store_is_listed_without_a_count(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MOST_MEMORIES", 5)
    monkeypatch.setattr(discovery, "MOST_TEXT", 100)
    there = found(home)
    assert {each.count for each in there.values()} == {None}
    assert all("Too large to count" in each.problem for each in there.values())


def test_a_folder_full_of_others_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MOST_PATHS", 3)
    for number in range(10):
        (home / ".claude" / "projects" / f"p{number}" / "memory").mkdir(parents=True)
    assert len(list(discovery._candidates(discovery._here(home, home, {})))) <= 3 * 12


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


def test_what_this_user_may_not_read_is_passed_over(disk_path: Path) -> None:
    disk_path.chmod(0o755)
    closed = disk_path / ".claude" / "projects"
    office.claude(closed / "one" / "memory")
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


def test_where_there_is_nothing_nothing_is_found(tmp_path: Path) -> None:
    assert discovery.discover(tmp_path, tmp_path / "gone", {}) == []
    assert "~/.claude/projects/*/memory" in discovery.places()
    assert "~/.codex/config.toml" in discovery.places()


def test_agents_of_a_project_keep_memories_shared_and_local(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("agent-memory", "agent-memory-local"):
        office.claude(project / ".claude" / name / "reviewer")
    there = found(tmp_path / "home", project)
    assert {Path(path).parent.name for path in there} == {"agent-memory", "agent-memory-local"}
