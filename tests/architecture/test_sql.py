"""Writes to the workspace go through its models; SQL written by hand is named here, with the reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

WORKSPACE = Path(__file__).parents[2] / "memtui" / "workspace"
WRITES = re.compile(r"^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b")

# Files that write by hand, and why a model cannot.
BY_HAND = {
    "changes/own_records/false_positives.py": "INSERT … SELECT into the queue",
    "changes/intents.py": "SQLite's own table of the ids that were given has no model",
    "contradictions/for_rules.py": "INSERT … SELECT into the queue",
    "contradictions/scan.py": "upserts that keep a finding's age, and INSERT … SELECT into the queue",
    "db/rule_queue.py": "INSERT … SELECT into the queue",
    "maintenance/repairs.py": "commands of FTS5, and orphans by the schema's foreign keys",
    "maintenance/salvage/pages.py": "a damaged file is copied column by column",
    "maintenance/salvage/rebuild.py": "a new file is filled from a damaged one of any version",
    "maintenance/salvage/salvage.py": "a new file is filled from a damaged one of any version",
    "maintenance/vector_checks.py": "INSERT … SELECT into the queue",
    "maintenance/workspace_checks.py": "commands of FTS5",
    "maintenance/purge/erase.py": "commands of FTS5, and INSERT … SELECT into the queue",
    "maintenance/redact/erase.py": "commands of FTS5",
    "mirror/memory_rows.py": "a DELETE over the units of a store, by json_each",
    "secrets/sweep.py": "INSERT … SELECT into the queue",
    "vectors/vector_store.py": "RETURNING, and INSERT … SELECT into the queue",
}


def _texts(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, with the fixed parts of those that are put together."""
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner |= {id(each) for each in node.values}
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


def writes_by_hand(source: str) -> list[str]:
    """The statements of a module that write, as they stand in it."""
    return [text for text in _texts(ast.parse(source)) if WRITES.search(text)]


def test_writes_go_through_models() -> None:
    found = {
        file.relative_to(WORKSPACE).as_posix()
        for file in WORKSPACE.rglob("*.py")
        if file.name != "database.py" and writes_by_hand(file.read_text("utf-8"))
    }
    assert found - BY_HAND.keys() == set(), "write through a model, or say here why that cannot be"
    assert BY_HAND.keys() - found == set(), "named here, and not needed any more"


@pytest.mark.parametrize(
    ("source", "is_write"),
    [
        ('db.run("DELETE FROM pairs WHERE a = ?", (1,))', True),
        ('db.run_many(f"UPDATE {table} SET a = 1", rows)', True),
        ("db.write(Pair.delete().where(Pair.a == 1))", False),
        ('db.rows("SELECT id FROM pairs")', False),
    ],
)
def test_a_write_by_hand_is_found(source: str, is_write: bool) -> None:
    assert bool(writes_by_hand(source)) is is_write
