"""What each format makes of a verdict, to the row and the byte (FORMATS 1 to 7, S-42)."""

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


def begun(folder: Path, format: str) -> ContradictionStores:
    return ContradictionStores(folder, (format,)).create()


def settled(
    workspace: Workspace, stores: ContradictionStores, verdict: str, *more: str
) -> tuple[int, int, str]:
    """The memories of the pair by their words, after the one of Friday gave way (or both did)."""
    one, two, *_ = stores.sample_ids(workspace, stores.formats[0])
    a = min(one, two)
    id = add_pair(workspace, one, two, *more)
    if verdict == KEEP_A and a != one:
        verdict = KEEP_B
    change = workspace.settle(id, verdict, text=TEXT if verdict == MERGE else None)
    return one, two, change.summary


def ask(place: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(place))
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def test_founder_os_dismisses_and_reverts(tmp_path: Path) -> None:
    stores = begun(tmp_path, "founder-os")
    place = stores.store_paths["founder-os"]
    with stores.opened() as workspace:
        one, two, summary = settled(workspace, stores, KEEP_A)
        assert summary == "Kept A of 1 pair, in founder-os (memory.db)"
        assert ask(place, "SELECT status, confidence FROM memories ORDER BY id")[:2] == [
            ("confirmed", 41),
            ("dismissed", 42),
        ]
        assert ask(place, "SELECT reverted_at IS NULL FROM adaptations") == [(0,)]
        assert memory(workspace, two).superseded_by == memory(workspace, one).uid
        workspace.undo()
        assert ask(place, "SELECT reverted_at FROM adaptations") == [(None,)]
        settled_again = pair_of(workspace)
        workspace.settle(settled_again, MERGE, text=TEXT)
        columns = "content, tags, times_used, times_confirmed, confidence, created_at"
        (row,) = ask(place, f"SELECT {columns} FROM memories WHERE id = '{'1' * 32}'")
        assert row == (TEXT, '["t1","t2"]', 3, 2, 42, 1_759_999_999)
        assert memory(workspace, one).created_at == 1_759_999_998  # the older one's


def pair_of(workspace: Workspace) -> int:
    return int(workspace._ctx.db.one("SELECT max(id) FROM pairs"))


@pytest.mark.parametrize(
    ("verdict", "resolution"), [(KEEP_A, "keep-b"), (MERGE, "merge"), (DISCARD_BOTH, "discard-both")]
)
def test_minions_resolve_their_contradiction(tmp_path: Path, verdict: str, resolution: str) -> None:
    """Their A is the one of Friday, which gives way: seen from there, B is kept."""
    stores = begun(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        one, two, _ = settled(workspace, stores, verdict)
        fields = minions.read_minion(root, 201)["fields"]
        assert fields["resolution"] == resolution
        assert fields["resolvedAt"]
        kept = 2 if verdict == MERGE and two < one else 1  # A is the one that was read first
        gone = {1, 2} if verdict == DISCARD_BOTH else {3 - kept}
        assert {n for n in (1, 2, 3, 4) if "deletedAt" in minions.read_minion(root, n)} == gone
        assert len(minions.of_type(root, "contradiction")) == 1
        expiries = [each["fields"] for each in minions.of_type(root, "expiry")]
        assert {each["memoryId"] for each in expiries} == {minions.uid(n) for n in gone}
        assert {each["reason"] for each in expiries} == {"contradiction-detected"}
        if verdict == MERGE:
            assert minions.read_minion(root, kept)["fields"]["value"] == TEXT
            assert sorted(minions.read_minion(root, kept)["tags"]) == ["t1", "t2"]


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE])
def test_minions_take_an_open_mark_away(tmp_path: Path, verdict: str) -> None:
    stores = begun(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        settled(workspace, stores, verdict)
        assert minions.read_minion(root, 201)["deletedBy"] == "person"
        assert minions.read_minion(root, 201)["fields"]["resolution"] == "unresolved"
        assert all("deletedAt" not in minions.read_minion(root, n) for n in (1, 2, 3, 4))


def test_minions_that_only_repeat_each_other_get_no_contradiction(tmp_path: Path) -> None:
    stores = begun(tmp_path, "minions")
    root = stores.store_paths["minions"]
    with stores.opened() as workspace:
        one, _, _, outsider = stores.sample_ids(workspace, "minions")
        workspace.settle(add_pair(workspace, one, outsider, DUPLICATE, NEAR), MERGE, text=TEXT)
        assert len(minions.of_type(root, "contradiction")) == 1
        assert minions.read_minion(root, 201)["fields"]["resolution"] == "unresolved"


def test_mem_skill_supersedes_with_history(tmp_path: Path) -> None:
    stores = begun(tmp_path, "mem-skill")
    place = stores.store_paths["mem-skill"]
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A)
        rows = ask(place, "SELECT status, valid_to IS NOT NULL FROM facts ORDER BY fact_id")
        assert rows == [("active", 0), ("superseded", 1), ("active", 0), ("active", 0)]
        lines = ask(place, "SELECT fact_id, reason FROM fact_history ORDER BY 1")
        assert ("fact-2", "superseded by fact-1, by a person in memtui") in lines


@pytest.mark.parametrize("verdict", [KEEP_A, MERGE])
def test_base_coat_says_that_it_contradicts_and_suppresses(tmp_path: Path, verdict: str) -> None:
    stores = begun(tmp_path, "base-coat")
    place = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        settled(workspace, stores, verdict)
        assert ask(place, "SELECT confidence FROM memories WHERE id = 'mem-2'") == [(0.0,)]
        related = ask(place, "SELECT from_id, to_id, relation_type FROM memory_relations ORDER BY 1, 2")
        assert related == [
            ("mem-1", "mem-2", "contradicts"),
            ("mem-1", "mem-3", "supports"),
            ("mem-2", "mem-3", "supports"),
            ("mem-3", "mem-1", "refines"),
            ("mem-3", "mem-2", "refines"),
        ]
        if verdict == MERGE:
            columns = "content, access_count, confidence"
            (row,) = ask(place, f"SELECT {columns} FROM memories WHERE id = 'mem-1'")
            assert row == (TEXT, 3, pytest.approx(0.6))


def test_base_coat_that_only_repeats_says_nothing_of_contradicting(tmp_path: Path) -> None:
    stores = begun(tmp_path, "base-coat")
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A, DUPLICATE, NEAR)
        kinds = ask(stores.store_paths["base-coat"], "SELECT relation_type FROM memory_relations")
        assert ("contradicts",) not in kinds


def test_where_base_coat_holds_another_relation_of_the_pair_it_is_kept_in_memtui(tmp_path: Path) -> None:
    stores = begun(tmp_path, "base-coat")
    place = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        one, _, third, _ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(one, "refines", third)
        _, _, summary = settled(workspace, stores, KEEP_A)
        assert "2 relations move along, 1 of them kept in memtui" in summary
        said = "SELECT relation_type FROM memory_relations WHERE from_id = 'mem-1' ORDER BY 1"
        assert ask(place, said) == [("contradicts",), ("refines",)]
        assert (one, "supports", third, True) in relations_of(workspace, one)


def test_base_coat_takes_an_open_mark_away(tmp_path: Path) -> None:
    stores = begun(tmp_path, "base-coat")
    place = stores.store_paths["base-coat"]
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "base-coat")
        workspace.relate(two, "contradicts", one)
        settled(workspace, stores, FALSE_POSITIVE)
        assert ask(place, "SELECT count(*) FROM memory_relations WHERE relation_type = 'contradicts'") == [
            (0,)
        ]
        workspace.undo()
        assert ask(place, "SELECT from_id FROM memory_relations WHERE relation_type = 'contradicts'") == [
            ("mem-2",)
        ]


def test_cognitive_moves_the_file_out_and_its_relations_along(tmp_path: Path) -> None:
    stores = begun(tmp_path, "cognitive")
    root = stores.store_paths["cognitive"]
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A)
        assert not (root / REDIS_AT).exists()
        said = (root / INSIGHT_AT).read_text("utf-8")
        assert DROPS in said
        assert "SOLVES" in said
        drops = next(path for path in root.rglob("*.md") if f"id: {DROPS}" in path.read_text("utf-8")[:80])
        assert INSIGHT in drops.read_text("utf-8")
        assert f"target: {REDIS}" not in drops.read_text("utf-8")


def test_claude_code_takes_file_and_line_out(tmp_path: Path) -> None:
    stores = begun(tmp_path, "claude-code")
    root = stores.store_paths["claude-code"]
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A)
        assert sorted(path.name for path in root.iterdir()) == ["MEMORY.md", "n1.md", "n3.md", "n4.md"]
        assert "n2.md" not in (root / "MEMORY.md").read_text("utf-8")


def test_mcp_takes_the_observation_out_and_relates_the_other(tmp_path: Path) -> None:
    stores = begun(tmp_path, "mcp-memory")
    file = stores.store_paths["mcp-memory"]
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A)
        said = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        assert [each["observations"] for each in said if each.get("name") == "E2"] in ([], [[]])
        ends = [(each["from"], each["to"]) for each in said if each["type"] == "relation"]
        assert ("E1", "E3") in ends


def test_a_shared_sheet_leaves_its_folder(tmp_path: Path) -> None:
    stores = begun(tmp_path, "base-coat-shared")
    with stores.opened() as workspace:
        settled(workspace, stores, KEEP_A)
        root = stores.store_paths["base-coat-shared"]
        assert sorted(path.name for path in root.rglob("*.md")) == ["topic-1.md", "topic-3.md", "topic-4.md"]


def test_native_is_superseded(tmp_path: Path) -> None:
    stores = begun(tmp_path, "native")
    with stores.opened() as workspace:
        one, two, _ = settled(workspace, stores, KEEP_A)
        gone = memory(workspace, two)
        assert (gone.status, gone.superseded_by) == ("superseded", memory(workspace, one).uid)
