"""Adaptations and observations of Founder OS plugins are shown with their memories (S-5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, SAMPLE, DemoWorkspace, agent_executes, find_id
from tests.support.stores import rows_in
from tests.support.stores.founder_os import ACME, make

TABLES = (
    "CREATE TABLE IF NOT EXISTS adaptations (id TEXT PRIMARY KEY, memory_id TEXT, plugin TEXT, "
    "description TEXT, applied_at INTEGER, reverted_at INTEGER)",
    "CREATE TABLE IF NOT EXISTS observations (id TEXT PRIMARY KEY, plugin TEXT, action TEXT, context TEXT, "
    "observed_at INTEGER)",
)


def add_related_records(workspace: Workspace, path: Path) -> tuple[int, str]:
    """Give a memory an adaptation and its plugin an observation; return the memory's id and ref."""
    id = find_id(workspace, SAMPLE[FOUNDER])
    ref = workspace.memories([id])[0].ref
    for sql in TABLES:
        agent_executes(path, sql)
    agent_executes(path, "UPDATE memories SET source_plugin = 'P07' WHERE id = ?", ref)
    agent_executes(
        path, "INSERT INTO adaptations VALUES ('a1', ?, 'P07', 'Francs in offers', 1760000000, NULL)", ref
    )
    context = '{"file": "offer.docx", "count": 3}'
    agent_executes(
        path, "INSERT INTO observations VALUES ('o1', 'P07', 'wrote an offer', ?, '2025-10-01')", context
    )
    agent_executes(path, "INSERT INTO observations VALUES ('o2', 'P09', 'slept', NULL, NULL)")
    workspace.pull()
    return id, ref


def related_texts(workspace: Workspace, id: int) -> list[tuple[str, str]]:
    detail = workspace.detail(id)
    assert detail is not None
    return [(each.kind, each.text) for each in detail.related_records]


def test_adaptations_and_observations_are_shown(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id, _ = add_related_records(workspace, demo_workspace.store_paths[FOUNDER])
    assert sorted(related_texts(workspace, id)) == [
        ("adaptation", "P07: Francs in offers"),
        ("observation", "wrote an offer file: offer.docx, count: 3"),
    ]
    other_id = next(each for each in workspace.search(f"store:{FOUNDER}").ids if each != id)
    assert ("adaptation", "P07: Francs in offers") not in related_texts(workspace, other_id)


def test_a_reverted_adaptation_is_shown_after_the_next_pull(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    id, _ = add_related_records(workspace, path)
    agent_executes(path, "UPDATE adaptations SET reverted_at = 1761000000")
    pulled = workspace.pull()
    assert pulled.total == 0, "no memory changed"
    assert ("adaptation", "P07: Francs in offers (reverted)") in related_texts(workspace, id)


def test_a_move_reverts_adaptations_and_undo_restores_every_row(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    id, ref = add_related_records(workspace, path)
    before = rows_in(path)
    workspace.move([id], MCP)
    after = rows_in(path)
    assert ref not in [row["id"][1] for row in after["memories"].values()]
    assert [row["reverted_at"][1] is not None for row in after["adaptations"].values()] == [True]
    workspace.undo()
    assert rows_in(path) == before
    assert ("adaptation", "P07: Francs in offers") in related_texts(workspace, id)


def test_a_purge_reports_related_records_and_drops_them_from_the_mirror(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id, _ = add_related_records(workspace, demo_workspace.store_paths[FOUNDER])
    purged = workspace.purge([id])
    assert any("1 related record" in note and "adaptation" in note for note in purged.notes)
    connection = workspace._ctx.db.connection()
    assert connection.execute("SELECT count(*) FROM side_records WHERE kind = 'adaptation'").get == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"category": "hobby"},
            "Invalid category “hobby”: Founder OS has only preference, pattern, fact, contact, workflow.",
        ),
        ({"key": "Not A Key"}, "Invalid key: must be lowercase"),
        ({"key": "x" * 61}, "at most 60 characters"),
    ],
)
def test_keys_and_categories_are_validated_as_founder_os_does(
    demo_workspace: DemoWorkspace, workspace: Workspace, fields: dict[str, str], message: str
) -> None:
    before = rows_in(demo_workspace.store_paths[FOUNDER])
    id = find_id(workspace, SAMPLE[FOUNDER])
    with pytest.raises(Refused, match=message):
        workspace.edit([id], fields)
    with pytest.raises(Refused, match=message):
        workspace.add({"content": "x", **fields}, FOUNDER)
    assert rows_in(demo_workspace.store_paths[FOUNDER]) == before


def test_only_the_newest_observations_are_read(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    id, _ = add_related_records(workspace, path)
    agent_executes(
        path,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        "INSERT INTO observations SELECT 'n' || i, 'P07', 'step ' || i, NULL, 1760000000 + i FROM n",
    )
    workspace.pull()
    found = related_texts(workspace, id)
    assert ("observation", "step 5000") in found
    assert len(found) <= 500


def test_a_file_without_those_tables_is_read(tmp_path: Path, workspace: Workspace) -> None:
    path = make(tmp_path / "old" / "memory.db", adaptations=())
    (info,) = workspace.attach(path)
    ids = workspace.search(f"store:{info.name}", live=False).ids
    assert any(workspace.memories([id])[0].ref == ACME for id in ids)


def test_a_store_without_related_records_shows_none(workspace: Workspace) -> None:
    assert related_texts(workspace, find_id(workspace, SAMPLE[CLAUDE])) == []
