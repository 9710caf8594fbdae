"""memtui stores discover and stats (S-3, S-82, S-91)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import FOUNDER, Cli
from tests.support.stores import mcp_memory

# -- stores discover


def test_discover_lists_stores_and_how_to_attach_them(
    cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(disk_path))  # nothing below /dev, where memory disks are, is discovered
    store = mcp_memory.make(disk_path / "memory.json").root
    before = store.read_bytes()
    result = cli("stores", "discover")
    assert result.out.rstrip("\n").split("\t")[:3] == ["MCP memory server", "6", str(store)]
    assert f"memtui stores attach {store}" in result.err
    (found,) = cli.json("stores", "discover")
    assert found == {
        "format": "mcp-memory",
        "title": "MCP memory server",
        "path": str(store),
        "count": 6,
        "trouble": "",
    }
    assert len(cli.json("stores")) == 4
    assert store.read_bytes() == before
    assert cli("stores", "attach", str(store)).code == 0
    assert cli.json("stores", "discover") == []


def test_without_stores_discover_lists_where_it_looked(
    cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(disk_path))
    monkeypatch.chdir(disk_path)
    result = cli("stores", "discover")
    assert result.code == 0
    assert result.out == ""
    assert "~/.claude/projects/*/memory" in result.err
    assert "memtui stores attach PATH" in result.err


def test_discover_creates_no_workspace(cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(disk_path))
    mcp_memory.make(disk_path / "memory.json")
    (found,) = cli.json("--workspace", str(disk_path / "none" / "w.db"), "stores", "discover")
    assert found["count"] == 6
    assert [each.name for each in disk_path.iterdir()] == ["memory.json"]


# -- stats


def test_stats_count_memories_and_entries(cli: Cli) -> None:
    memories = cli.json("list")
    stats = cli.json("stats")
    assert (
        stats["memories"] == len(memories) == sum(stats["status"].values()) == sum(stats["category"].values())
    )
    assert stats["pinned"] == sum(memory["pinned"] for memory in memories)
    by_store = {each["name"]: each["memories"] for each in stats["stores"]}
    assert by_store[FOUNDER] == sum(memory["store"] == FOUNDER for memory in memories)
    assert sum(by_store.values()) == len(memories)
    assert stats["bytes"] > 0
    assert stats["journal"]["person"] == len([e for e in cli.json("journal") if e["actor"] == "person"])
    result = cli("stats")
    assert ["memories", "", str(len(memories))] in [line.split("\t") for line in result.out.splitlines()]


def test_stats_of_an_empty_workspace(bare: Cli) -> None:
    assert bare.json("stats")["memories"] == 0
    assert bare("stats").code == 0
