"""A workspace of the schema before: it opens, and what was done in it can be undone (S-51, S-90)."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.policies.policy import Policy, fields_of
from memtui.workspace.db import migrations
from memtui.workspace.workspace import Workspace
from tests.support.corruption import overwrite_pages, page_numbers
from tests.support.demo_workspace import SAMPLE, STORES, DemoWorkspace, all_contents, find_id, relations
from tests.support.older_workspace import create_workspace, downgrade


def test_changes_made_before_the_migration_are_undone_to_the_last_byte(demo_workspace: DemoWorkspace) -> None:
    folder = demo_workspace.folder
    before = all_contents(folder)
    with demo_workspace.opened() as workspace:
        untouched = relations(workspace)
        for store in STORES:
            id = find_id(workspace, SAMPLE[store])
            workspace.edit([id], {"content": f"Edited in {store}."})
            workspace.pin([id])
            workspace.edit([id], {"tags": ("x", "y")})
            workspace.dismiss([id])
        entries = [event.id for event in workspace.journal() if event.undoable]
        last = [(event.id, event.summary) for event in workspace.journal()]
    after = all_contents(folder)
    assert after != before

    downgrade(demo_workspace.path)
    with demo_workspace.opened() as workspace:
        assert workspace._ctx.db.one("PRAGMA user_version") == migrations.latest()
        assert [(event.id, event.summary) for event in workspace.journal()] == last
        assert all_contents(folder) == after, "opening changes no store"
        for entry in entries:
            workspace.undo(entry)
        assert relations(workspace) == untouched
    assert all_contents(folder) == before


@pytest.mark.parametrize("table", ["words_data", "words_idx", "words_docsize"])
def test_a_stale_words_index_does_not_keep_it_from_migrating(
    demo_workspace: DemoWorkspace, table: str
) -> None:
    downgrade(demo_workspace.path)
    connection = apsw.Connection(str(demo_workspace.path))
    connection.execute(f"DELETE FROM {table}")
    connection.close()
    with demo_workspace.opened() as workspace:
        assert workspace._ctx.db.one("PRAGMA user_version") == migrations.latest()
        assert workspace.search("").total > 0
        workspace.repair([issue for issue in workspace.doctor() if issue.repair])
        id = find_id(workspace, SAMPLE[STORES[0]])
        workspace.edit([id], {"content": "A zebra was seen."})
        assert list(workspace.search("zebra").ids) == [id]


def test_a_workspace_whose_words_index_is_damaged_is_listed(demo_workspace: DemoWorkspace) -> None:
    downgrade(demo_workspace.path)
    (page,) = page_numbers(demo_workspace.path, "words_config")
    overwrite_pages(demo_workspace.path, page)
    with demo_workspace.opened() as workspace:
        assert workspace.read_only
        assert workspace.search("").total > 0


@pytest.mark.parametrize(
    ("former", "current", "row"),
    [
        (
            "verdicts (a, b, said_a, said_b, verdict, at, actor, line)",
            "verdicts (a, b, digest_a, digest_b, verdict, at, actor, entry_id)",
            (1, 2, "x", "y", "later", 3.0, "person", 4),
        ),
        ("looked (name, line, at)", "checkpoints (name, entry_id, at)", ("journal", 7, 3.0)),
        ("ageing (store_id, line, at)", "decay_runs (store_id, entry_id, at)", (1, None, 3.0)),
        ("saved (name, query, at)", "saved_searches (name, query, at)", ("mine", "tag:x", 3.0)),
        (
            "queries (at, actor, text, strategy, how, results, seconds)",
            "recall_log (at, actor, text, strategy, how, results, seconds)",
            (3.0, "agent:a", "q", "keyword", "", "[]", 0.0),
        ),
    ],
    ids=["verdicts", "checkpoints", "decay runs", "saved searches", "recall log"],
)
def test_rows_are_kept_under_the_new_names(
    demo_workspace: DemoWorkspace, former: str, current: str, row: tuple[object, ...]
) -> None:
    downgrade(demo_workspace.path)
    connection = apsw.Connection(str(demo_workspace.path))
    connection.execute(f"INSERT INTO {former} VALUES ({', '.join('?' * len(row))})", row)
    connection.close()
    table, columns = current.removesuffix(")").split(" (")
    with demo_workspace.opened() as workspace:
        assert workspace._ctx.db.rows(f"SELECT {columns} FROM {table}") == [row]


def test_rules_and_policies_from_before_projects_files_are_a_persons_own(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    create_workspace(path, 19)
    policy = Policy("Scout", write=("private",), expiry=30.0)
    connection = apsw.Connection(str(path))
    connection.execute(
        "INSERT INTO policies (name, parts) VALUES ('scout', ?)", (json.dumps(fields_of(policy)),)
    )
    connection.execute(
        "INSERT INTO rules (name, position, query, actions) VALUES ('Keep', 1, 'x', '[\"pin\"]')"
    )
    connection.close()
    with closing(Workspace.open(path)) as workspace:
        assert (workspace.policies(), workspace.rule_files()) == ([policy], [])
        (rule,) = workspace.rules()
        assert (rule.name, rule.source) == ("Keep", "")
        workspace.set_policy("scout", expiry="never")
        workspace.undo()
        assert workspace.policies() == [policy]
