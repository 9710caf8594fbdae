"""What stands beside memories in Founder OS is shown with them, and follows what its plugins do (S-5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, SAMPLE, DemoWorkspace, agent_sets, the
from tests.support.stores import rows_in
from tests.support.stores.founder_os import ACME, make

TABLES = (
    "CREATE TABLE IF NOT EXISTS adaptations (id TEXT PRIMARY KEY, memory_id TEXT, plugin TEXT, "
    "description TEXT, applied_at INTEGER, reverted_at INTEGER)",
    "CREATE TABLE IF NOT EXISTS observations (id TEXT PRIMARY KEY, plugin TEXT, action TEXT, context TEXT, "
    "observed_at INTEGER)",
)


def furnished(workspace: Workspace, place: Path) -> tuple[int, str]:
    """A memory of a plugin with an adaptation and an observation of that plugin."""
    one = the(workspace, SAMPLE[FOUNDER])
    ref = workspace.memories([one])[0].ref
    for sql in TABLES:
        agent_sets(place, sql)
    agent_sets(place, "UPDATE memories SET source_plugin = 'P07' WHERE id = ?", ref)
    agent_sets(
        place, "INSERT INTO adaptations VALUES ('a1', ?, 'P07', 'Francs in offers', 1760000000, NULL)", ref
    )
    context = '{"file": "offer.docx", "count": 3}'
    agent_sets(
        place, "INSERT INTO observations VALUES ('o1', 'P07', 'wrote an offer', ?, '2025-10-01')", context
    )
    agent_sets(place, "INSERT INTO observations VALUES ('o2', 'P09', 'slept', NULL, NULL)")
    workspace.pull()
    return one, ref


def beside(workspace: Workspace, id: int) -> list[tuple[str, str]]:
    detail = workspace.detail(id)
    assert detail is not None
    return [(each.kind, each.text) for each in detail.related_records]


def test_adaptations_and_observations_are_shown(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    one, _ = furnished(workspace, demo_workspace.places[FOUNDER])
    assert sorted(beside(workspace, one)) == [
        ("adaptation", "P07: Francs in offers"),
        ("observation", "wrote an offer file: offer.docx, count: 3"),
    ]
    other = next(id for id in workspace.search(f"store:{FOUNDER}").ids if id != one)
    assert ("adaptation", "P07: Francs in offers") not in beside(workspace, other)


def test_what_a_plugin_reverts_is_seen_at_the_next_pull(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    one, _ = furnished(workspace, place)
    agent_sets(place, "UPDATE adaptations SET reverted_at = 1761000000")
    pulled = workspace.pull()
    assert pulled.total == 0, "no memory changed"
    assert ("adaptation", "P07: Francs in offers (reverted)") in beside(workspace, one)


def test_a_move_reverts_its_adaptations_and_undo_puts_every_row_back(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    one, ref = furnished(workspace, place)
    before = rows_in(place)
    workspace.move([one], MCP)
    now = rows_in(place)
    assert ref not in [row["id"][1] for row in now["memories"].values()]
    assert [row["reverted_at"][1] is not None for row in now["adaptations"].values()] == [True]
    workspace.undo()
    assert rows_in(place) == before
    assert ("adaptation", "P07: Francs in offers") in beside(workspace, one)


def test_a_purge_tells_what_stays_beside_and_forgets_it_here(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, _ = furnished(workspace, demo_workspace.places[FOUNDER])
    purged = workspace.purge([one])
    assert any("1 record beside it" in note and "adaptation" in note for note in purged.notes)
    connection = workspace._ctx.db.connection()
    assert connection.execute("SELECT count(*) FROM side_records WHERE kind = 'adaptation'").get == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"category": "hobby"},
            "Invalid category: must be one of preference, pattern, fact, contact, workflow",
        ),
        ({"key": "Not A Key"}, "Invalid key: must be lower-case"),
        ({"key": "x" * 61}, "at most 60 characters"),
    ],
)
def test_keys_and_categories_are_checked_with_the_originals_words(
    demo_workspace: DemoWorkspace, workspace: Workspace, fields: dict[str, str], said: str
) -> None:
    before = rows_in(demo_workspace.places[FOUNDER])
    one = the(workspace, SAMPLE[FOUNDER])
    with pytest.raises(Refused, match=said):
        workspace.edit([one], fields)
    with pytest.raises(Refused, match=said):
        workspace.add({"content": "x", **fields}, FOUNDER)
    assert rows_in(demo_workspace.places[FOUNDER]) == before


def test_many_observations_cost_no_more_than_their_newest(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    one, _ = furnished(workspace, place)
    agent_sets(
        place,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        "INSERT INTO observations SELECT 'n' || i, 'P07', 'step ' || i, NULL, 1760000000 + i FROM n",
    )
    workspace.pull()
    found = beside(workspace, one)
    assert ("observation", "step 5000") in found
    assert len(found) <= 500


def test_an_older_file_without_those_tables_is_read(tmp_path: Path, workspace: Workspace) -> None:
    place = make(tmp_path / "old" / "memory.db", adaptations=())
    (info,) = workspace.attach(place)
    ids = workspace.search(f"store:{info.name}", live=False).ids
    assert any(workspace.memories([id])[0].ref == ACME for id in ids)


def test_a_store_without_anything_beside_shows_nothing(workspace: Workspace) -> None:
    assert beside(workspace, the(workspace, SAMPLE[CLAUDE])) == []
