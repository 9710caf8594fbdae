"""A link that is nearly the name it means: the doctor says which, mends it, and undo takes it back."""

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


def _more(line: str) -> Plant:
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
    "a relation to a name in small letters": ("mcp-memory", _more(_ADMIRES), "Ada Lövelace", "Ada Lövelace"),
    "a relation from a name with an article": (
        "mcp-memory",
        _more(_ENGINE),
        "Analytical Engine",
        '"from":"Analytical Engine"',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_link_is_put_right_and_back(case: str, tmp_path: Path) -> None:
    format, plant, meant, said = CASES[case]
    root = STORES[format][0](tmp_path / "store")
    plant(root)
    folder = tmp_path / "store"
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    workspace.attach(root, "store")
    before = _files(folder)
    (ailment,) = _offered(workspace)
    assert f"Did you mean “{meant}”?" in ailment.text
    (told,) = workspace.repair([ailment])
    assert "memtui undo" in told, told
    after = _files(folder)
    changed = [name for name in after if after[name] != before.get(name)]
    assert any(said in after[name].decode() for name in changed)
    assert not _offered(workspace)
    workspace.undo()
    assert _files(folder) == before
    workspace.close()


def test_what_could_mean_several_is_left_to_the_person(tmp_path: Path) -> None:
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
def test_what_also_stands_in_code_is_left_to_the_person(link: str, tmp_path: Path) -> None:
    root = STORES["claude-code"][0](tmp_path / "store")
    replace("[[release-freeze]]", f"{link}, as `{link}`", "user_role.md")(root)
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    workspace.attach(root, "store")
    assert [each.repair for each in workspace.doctor() if each.code == "dangling"] == [""]
    workspace.close()


def _files(folder: Path) -> dict[str, bytes]:
    """All but what is derived, which had the right name all the time."""
    return {name: data for name, data in read_tree(folder).items() if not name.endswith("_index.json")}


def _offered(workspace: Workspace) -> list[Issue]:
    return [each for each in workspace.doctor() if each.code.startswith("dangling") and each.repair]
