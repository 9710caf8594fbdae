"""What an agent's write does in stores that have no rules of their own for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.workspace.remember.conftest import tree


@pytest.mark.parametrize(
    ("format", "name", "subject"),
    [
        ("claude-code", "memory", "deploy"),
        ("mcp-memory", "memory.jsonl", "deploy"),
        ("base-coat-shared", "shared", "ops:port"),
    ],
)
def test_a_memory_is_added_once_with_its_key_and_confirmed_after_that(
    work: Workspace, tmp_path: Path, format: str, name: str, subject: str
) -> None:
    work.create_store(format, tmp_path / "store" / name, "store")
    category = "project" if format == "claude-code" else "fact"
    fields = {"content": "The port is 8080.", "category": category, "key": "port", "subject": subject}
    before = tree(tmp_path / "store")
    done = work.remember("ada", {**fields, "confidence": 0.9}, "store")
    assert done.outcome == "added"
    (found,) = work.recall_by("key", "port", Caller("ada")).memories
    assert (found.content, found.key, found.owner) == ("The port is 8080.", "port", "ada")
    now = tree(tmp_path / "store")
    again = work.remember("ada", fields, "store")
    assert (again.outcome, again.id) == ("known", done.id)
    if format != "base-coat-shared":  # which has a date of the last validation
        assert tree(tmp_path / "store") == now
    for each in (again, done):
        work.undo(each.change.journal_id)
    assert tree(tmp_path / "store") == before


def test_what_nobody_owns_is_not_said_twice(work: Workspace, tmp_path: Path) -> None:
    work.create_store("claude-code", tmp_path / "memory", "store")
    fields = {"content": "Whales sing.", "category": "project"}
    (id,) = work.add(fields, "store").ids
    before = tree(tmp_path / "memory")
    done = work.remember("ada", {**fields, "subject": "sea"}, "store")
    assert (done.outcome, done.id) == ("known", id)
    assert tree(tmp_path / "memory") == before
