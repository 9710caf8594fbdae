"""What a verdict writes in each format (FORMATS 1 to 7, S-42)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    DUPLICATE,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    MERGE,
    NEAR,
)
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, add_pair, relations_of
from tests.support.demo_workspace import memory
from tests.support.stores import minions
from tests.support.stores.cognitive import DROPS, INSIGHT, INSIGHT_AT, REDIS, REDIS_AT

TEXT = "Meets on Monday, and on Friday in May."


def create_stores(folder: Path, format: str) -> ContradictionStores:
    return ContradictionStores(folder, (format,)).create()


def settle_pair(
    workspace: Workspace, stores: ContradictionStores, verdict: str, *family_and_kind: str
) -> tuple[int, int, str]:
    """Settle the pair and return the ids of the Monday and the Friday memory, and the summary.

    The Monday memory is kept.
    """
    kept_id, superseded_id, *_ = stores.sample_ids(workspace, stores.formats[0])
    a = min(kept_id, superseded_id)
    id = add_pair(workspace, kept_id, superseded_id, *family_and_kind)
    if verdict == KEEP_A and a != kept_id:
        verdict = KEEP_B
    change = workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
    return kept_id, superseded_id, change.summary


def query(store_path: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(store_path))
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def test_founder_os_dismisses_the_row_and_reverts_adaptations(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "founder-os")
    store_path = stores.store_paths["founder-os"]
    with stores.opened() as workspace:
        kept_id, superseded_id, summary = settle_pair(workspace, stores, KEEP_A)
        assert summary == "Kept A; saved in founder-os (memory.db)"
        assert query(store_path, "SELECT status, confidence FROM memories ORDER BY id")[:2] == [
            ("confirmed", 41),
            ("dismissed", 42),
        ]
        assert query(store_path, "SELECT reverted_at IS NULL FROM adaptations") == [(0,)]
        assert memory(workspace, superseded_id).superseded_by == memory(workspace, kept_id).uid
        workspace.undo()
        assert query(store_path, "SELECT reverted_at FROM adaptations") == [(None,)]
        workspace.settle(newest_pair_id(workspace), MERGE, text=TEXT)
        columns = "content, tags, times_used, times_confirmed, confidence, created_at"
        (row,) = query(store_path, f"SELECT {columns} FROM memories WHERE id = '{'1' * 32}'")
        assert row == (TEXT, '["t1","t2"]', 3, 2, 42, 1_759_999_999)
        assert memory(workspace, kept_id).created_at == 1_759_999_998  # that of the older memory


def newest_pair_id(workspace: Workspace) -> int:
    return int(workspace._ctx.db.one("SELECT max(id) FROM pairs"))


@pytest.mark.parametrize(
    ("verdict", "resolution"), [(KEEP_A, "keep-b"), (MERGE, "merge"), (DISCARD_BOTH, "discard-both")]
)
def test_minions_resolve_their_contradiction(tmp_path: Path, verdict: str, resolution: str) -> None:
    """A of the stored contradiction is the Friday memory, so that the resolution is to keep its B."""
    stores = create_stores(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        kept_id, superseded_id, _ = settle_pair(workspace, stores, verdict)
        fields = minions.read_minion(root, 201)["fields"]
        assert fields["resolution"] == resolution
        assert fields["resolvedAt"]
        kept = 2 if verdict == MERGE and superseded_id < kept_id else 1  # A is the one with the lower id
        removed = {1, 2} if verdict == DISCARD_BOTH else {3 - kept}
        assert {n for n in (1, 2, 3, 4) if "deletedAt" in minions.read_minion(root, n)} == removed
        assert len(minions.of_type(root, "contradiction")) == 1
        expiries = [each["fields"] for each in minions.of_type(root, "expiry")]
        assert {each["memoryId"] for each in expiries} == {minions.uid(n) for n in removed}
        assert {each["reason"] for each in expiries} == {"contradiction-detected"}
        if verdict == MERGE:
            assert minions.read_minion(root, kept)["fields"]["value"] == TEXT
            assert sorted(minions.read_minion(root, kept)["tags"]) == ["t1", "t2"]


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE])
def test_minions_delete_an_open_contradiction(tmp_path: Path, verdict: str) -> None:
    stores = create_stores(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, verdict)
        assert minions.read_minion(root, 201)["deletedBy"] == "person"
        assert minions.read_minion(root, 201)["fields"]["resolution"] == "unresolved"
        assert all("deletedAt" not in minions.read_minion(root, n) for n in (1, 2, 3, 4))


def test_duplicate_minions_get_no_contradiction(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        kept_id, _, _, outsider = stores.sample_ids(workspace, "minions")
        workspace.settle(add_pair(workspace, kept_id, outsider, DUPLICATE, NEAR), MERGE, text=TEXT)
        assert len(minions.of_type(root, "contradiction")) == 1
        assert minions.read_minion(root, 201)["fields"]["resolution"] == "unresolved"


def test_mem_skill_supersedes_the_fact_with_a_history_row(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "mem-skill")
    store_path = stores.store_paths["mem-skill"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A)
        rows = query(store_path, "SELECT status, valid_to IS NOT NULL FROM facts ORDER BY fact_id")
        assert rows == [("active", 0), ("superseded", 1), ("active", 0), ("active", 0)]
        history = query(store_path, "SELECT fact_id, reason FROM fact_history ORDER BY 1")
        assert ("fact-2", "superseded by fact-1, by a person in memtui") in history


@pytest.mark.parametrize("verdict", [KEEP_A, MERGE])
def test_base_coat_adds_a_contradicts_relation_and_suppresses(tmp_path: Path, verdict: str) -> None:
    stores = create_stores(tmp_path, "base-coat")
    store_path = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, verdict)
        assert query(store_path, "SELECT confidence FROM memories WHERE id = 'mem-2'") == [(0.0,)]
        related = query(
            store_path, "SELECT from_id, to_id, relation_type FROM memory_relations ORDER BY 1, 2"
        )
        assert related == [
            ("mem-1", "mem-2", "contradicts"),
            ("mem-1", "mem-3", "supports"),
            ("mem-2", "mem-3", "supports"),
            ("mem-3", "mem-1", "refines"),
            ("mem-3", "mem-2", "refines"),
        ]
        if verdict == MERGE:
            columns = "content, access_count, confidence"
            (row,) = query(store_path, f"SELECT {columns} FROM memories WHERE id = 'mem-1'")
            assert row == (TEXT, 3, pytest.approx(0.6))


def test_base_coat_duplicates_get_no_contradicts_relation(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "base-coat")
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A, DUPLICATE, NEAR)
        kinds = query(stores.store_paths["base-coat"], "SELECT relation_type FROM memory_relations")
        assert ("contradicts",) not in kinds


def test_a_second_relation_of_a_base_coat_pair_is_kept_in_memtui(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "base-coat")
    store_path = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        kept_id, _, third, _ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(kept_id, "refines", third)
        _, _, summary = settle_pair(workspace, stores, KEEP_A)
        assert "moved 2 relations (1 kept in memtui)" in summary
        sql = "SELECT relation_type FROM memory_relations WHERE from_id = 'mem-1' ORDER BY 1"
        assert query(store_path, sql) == [("contradicts",), ("refines",)]
        assert (kept_id, "supports", third, True) in relations_of(workspace, kept_id)


def test_base_coat_removes_a_contradicts_relation(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "base-coat")
    store_path = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        kept_id, superseded_id, *_ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(superseded_id, "contradicts", kept_id)
        settle_pair(workspace, stores, FALSE_POSITIVE)
        assert query(
            store_path, "SELECT count(*) FROM memory_relations WHERE relation_type = 'contradicts'"
        ) == [(0,)]
        workspace.undo()
        assert query(
            store_path, "SELECT from_id FROM memory_relations WHERE relation_type = 'contradicts'"
        ) == [("mem-2",)]


def test_cognitive_removes_the_file_and_moves_its_relations(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "cognitive")
    root = stores.store_paths["cognitive"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A)
        assert not (root / REDIS_AT).exists()
        insight = (root / INSIGHT_AT).read_text("utf-8")
        assert DROPS in insight
        assert "SOLVES" in insight
        drops = next(path for path in root.rglob("*.md") if f"id: {DROPS}" in path.read_text("utf-8")[:80])
        assert INSIGHT in drops.read_text("utf-8")
        assert f"target: {REDIS}" not in drops.read_text("utf-8")


def test_claude_code_removes_the_file_and_its_index_line(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "claude-code")
    root = stores.store_paths["claude-code"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A)
        assert sorted(path.name for path in root.iterdir()) == ["MEMORY.md", "n1.md", "n3.md", "n4.md"]
        assert "n2.md" not in (root / "MEMORY.md").read_text("utf-8")


def test_mcp_memory_removes_the_observation_and_moves_the_relation(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "mcp-memory")
    file = stores.store_paths["mcp-memory"]
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A)
        objects = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        assert [each["observations"] for each in objects if each.get("name") == "E2"] in ([], [[]])
        ends = [(each["from"], each["to"]) for each in objects if each["type"] == "relation"]
        assert ("E1", "E3") in ends


def test_base_coat_shared_removes_the_file(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "base-coat-shared")
    with stores.opened() as workspace:
        settle_pair(workspace, stores, KEEP_A)
        root = stores.store_paths["base-coat-shared"]
        assert sorted(path.name for path in root.rglob("*.md")) == ["topic-1.md", "topic-3.md", "topic-4.md"]


def test_an_own_memory_is_superseded(tmp_path: Path) -> None:
    stores = create_stores(tmp_path, "native")
    with stores.opened() as workspace:
        kept_id, superseded_id, _ = settle_pair(workspace, stores, KEEP_A)
        removed = memory(workspace, superseded_id)
        assert (removed.status, removed.superseded_by) == ("superseded", memory(workspace, kept_id).uid)
