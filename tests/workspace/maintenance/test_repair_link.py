"""The doctor suggests the target of a misspelled link, repairs it, and undo reverts the repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.stores import Issue
from memtui.workspace.workspace import Workspace
from tests.support.planted import NOW, STORES
from tests.support.planted.plants import Plant, replace
from tests.support.stores import mcp_memory
from tests.support.stores.cognitive import DROPS, DROPS_AT, EDGE_AT, REDIS_AT
from tests.support.stores.files import read_tree


def _append(line: str) -> Plant:
    return lambda root: root.write_bytes(root.read_bytes() + b"\n" + line.encode())


_ADMIRES = mcp_memory.lines(mcp_memory.relation("Bo", "admires", "ada_lövelace"))[0]
_ENGINE = mcp_memory.lines(mcp_memory.relation("The Analytical Engine", "is", "Bo"))[0]
CASES: dict[str, tuple[str, Plant, str, str]] = {
    "a link with underscores": (
        "claude-code",
        replace("[[release-freeze]]", "[[Release_Freeze]]", "user_role.md"),
        "release-freeze",
        "[[release-freeze]]",
    ),
    "a link cut short": (
        "claude-code",
        replace("[[release-freeze]]", "[[release]]", "user_role.md"),
        "release-freeze",
        "[[release-freeze]]",
    ),
    "a link by file": (
        "claude-code",
        replace("[[release-freeze]]", "[how](feedback_test.md)", "user_role.md"),
        "feedback_testing.md",
        "[how](feedback_testing.md)",
    ),
    "a line with hyphens": (
        "claude-code",
        replace("(user_role.md)", "(user-role.md)", "MEMORY.md"),
        "user_role.md",
        "(user_role.md)",
    ),
    "a line to a title": (
        "claude-code",
        replace("(feedback_testing.md)", "(testing-first.md)", "MEMORY.md"),
        "feedback_testing.md",
        "(feedback_testing.md)",
    ),
    "a relation by its title": (
        "cognitive",
        replace(f"target: {DROPS}", "target: redis connection drops under load", REDIS_AT),
        DROPS,
        f"target: {DROPS}",
    ),
    "a relation in capitals": (
        "cognitive",
        replace(f"target: {DROPS}", f"target: {DROPS.upper()}", REDIS_AT),
        DROPS,
        f"target: {DROPS}",
    ),
    "an edge by a part of an id": (
        "cognitive",
        replace(f"to_id: {DROPS}", f"to_id: {DROPS[:8]}", EDGE_AT),
        DROPS,
        f"to_id: {DROPS}",
    ),
    "a link to what a file was called": (
        "cognitive",
        replace("fixed-redis-connection-timeouts-a1b2c3.md#", "fixed-redis-a1b2c3.md#", DROPS_AT),
        REDIS_AT,
        "fixed-redis-connection-timeouts-a1b2c3.md#",
    ),
    "a relation to a name in small letters": (
        "mcp-memory",
        _append(_ADMIRES),
        "Ada Lövelace",
        "Ada Lövelace",
    ),
    "a relation from a name with an article": (
        "mcp-memory",
        _append(_ENGINE),
        "Analytical Engine",
        '"from":"Analytical Engine"',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_misspelled_link_is_repaired_and_undone(case: str, tmp_path: Path) -> None:
    format, plant, target, expected = CASES[case]
    root = STORES[format][0](tmp_path / "store")
    plant(root)
    folder = tmp_path / "store"
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    workspace.attach(root, "store")
    before = _source_files(folder)
    (issue,) = _repairable(workspace)
    assert f"Did you mean “{target}”?" in issue.text
    (result,) = workspace.repair([issue])
    assert "memtui undo" in result, result
    after = _source_files(folder)
    changed = [name for name in after if after[name] != before.get(name)]
    assert any(expected in after[name].decode() for name in changed)
    assert not _repairable(workspace)
    workspace.undo()
    assert _source_files(folder) == before
    workspace.close()


def test_an_ambiguous_link_is_not_repaired(tmp_path: Path) -> None:
    lines = mcp_memory.lines(
        mcp_memory.entity("Plan A", "first"),
        mcp_memory.entity("Plan B", "second"),
        mcp_memory.relation("Plan A", "follows", "plan"),
    )
    mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(lines).encode())
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    workspace.attach(tmp_path / "memory.jsonl", "store")
    assert [each.repair for each in workspace.doctor() if each.code == "dangling"] == [""]
    workspace.close()


@pytest.mark.parametrize("link", ["[[Release_Freeze]]", "[how](feedback_test.md)"])
def test_a_link_that_also_occurs_in_code_is_not_repaired(link: str, tmp_path: Path) -> None:
    root = STORES["claude-code"][0](tmp_path / "store")
    replace("[[release-freeze]]", f"{link}, as `{link}`", "user_role.md")(root)
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    workspace.attach(root, "store")
    assert [each.repair for each in workspace.doctor() if each.code == "dangling"] == [""]
    workspace.close()


def _source_files(folder: Path) -> dict[str, bytes]:
    """Return the files except the derived index, which had the right name all along."""
    return {name: data for name, data in read_tree(folder).items() if not name.endswith("_index.json")}


def _repairable(workspace: Workspace) -> list[Issue]:
    return [each for each in workspace.doctor() if each.code.startswith("dangling") and each.repair]
