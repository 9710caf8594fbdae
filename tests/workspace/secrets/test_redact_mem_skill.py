"""Redacting in mem-skill: the fact, its audit, its archive and its search (S-62)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.sizes import sample_cases
from tests.support.stores import mem_skill
from tests.support.stores.databases import execute, query
from tests.workspace.secrets.test_redact import REDACTED, SECRET, files_with

TEXT = f"The deploy uses {SECRET} at night."
SLUG = f"deploy_{SECRET.casefold()}_key"
FACTS = (
    mem_skill.fact("f-1", SLUG, TEXT, source_excerpt=f"user: {SECRET}", value_json=f'{{"key": "{SECRET}"}}'),
    mem_skill.fact("f-2", "kettle", "The kettle stands left."),
)
ENTRY: dict[str, Any] = {**mem_skill.HISTORY_ROW, "fact_id": "f-1", "key": SLUG, "old_value": f"Old: {TEXT}"}
WRITING_TRIGGER = (
    "CREATE TRIGGER audited AFTER UPDATE ON facts BEGIN INSERT INTO fact_history"
    " (fact_id, user_id, key, action, old_value, new_value, created_at) VALUES (old.fact_id, old.user_id,"
    " old.key, 'update', old.value_text, new.value_text, '2026-01-01T00:00:00Z'); END"
)
VARIANTS: dict[str, dict[str, Any]] = {
    "external search": {},
    "search of its own": {"search": mem_skill.OWN_FTS, "journal": "delete"},
    "search by a job": {
        "search": (
            *mem_skill.JOB_FTS,
            f"INSERT INTO facts_fts VALUES ('f-1', 'mira', '{SLUG}', '{TEXT}')",
        )
    },
    "external search by a job": {
        "search": mem_skill.EXTERNAL_FTS[:1],
        "statements": ("INSERT INTO facts_fts (facts_fts) VALUES ('rebuild')",),
    },
    "fixed audit": {"statements": mem_skill.IMMUTABLE_TRIGGERS},
    "audit by a trigger": {"statements": (WRITING_TRIGGER, *mem_skill.IMMUTABLE_TRIGGERS)},
}


def attached(tmp_path: Path, facts: Iterable[Mapping[str, Any]] = FACTS, **variant: Any) -> Workspace:
    archived = (mem_skill.fact("f-1", SLUG, f"Once: {TEXT}", status="superseded"),)
    mem_skill.make(tmp_path / "s" / "mem.db", facts, history_rows=(ENTRY,), archived=archived, **variant)
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(tmp_path / "s" / "mem.db", "skill")
    return workspace


def id_of(workspace: Workspace, words: str) -> int:
    (id,) = workspace.search(f'"{words}"', live=False).ids
    return id


def assert_gone(tmp_path: Path, backups: Iterable[Any]) -> None:
    copies = {Path(each.path) for each in backups}
    # An index keeps words without what they share with the word before.
    held = files_with(tmp_path, SECRET[4:]) - copies
    # The log of an agent may still have it, as the notes say; the database itself has not.
    assert held <= {tmp_path / "s" / "mem.db-wal"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()


@pytest.mark.parametrize("variant", sample_cases(VARIANTS, 3))
def test_a_fact_leaves_no_trace_of_its_secret(tmp_path: Path, variant: str) -> None:
    workspace = attached(tmp_path, **VARIANTS[variant])
    path = tmp_path / "s" / "mem.db"
    before = mem_skill.rows_in(path)
    id = id_of(workspace, "deploy uses")
    workspace.edit([id], {"content": f"The deploy has {SECRET} at night."})
    workspace.pin([id])
    workspace.dismiss([id])
    redacted = workspace.redact([id])
    assert workspace.memories([id])[0].key == "deploy_redacted_aws_key_key"
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    for _ in range(3):
        workspace.undo()
    memory = workspace.memories([id])[0]
    assert (memory.content, memory.source_excerpt) == (
        f"The deploy uses {REDACTED} at night.",
        f"user: {REDACTED}",
    )
    assert memory.value == {"key": REDACTED}
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    assert mem_skill.fts_keys(path, "kettle") <= {"kettle"}
    assert_only_values_differ(before, mem_skill.rows_in(path))
    workspace.redo()
    assert workspace.memories([id])[0].content == f"The deploy has {REDACTED} at night."
    workspace.undo()
    workspace.delete_backups([each.id for each in redacted.backups])
    workspace.close()
    assert_gone(tmp_path, ())


def assert_only_values_differ(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The facts, the archive and the audit are as before but for the value; the audit has more entries."""

    def without(value: Any) -> Any:
        kind, text = value
        if isinstance(text, str):
            text = text.replace(SECRET, REDACTED).replace(SLUG, "deploy_redacted_aws_key_key")
        return kind, text

    for table in ("facts", "facts_archive", "fact_history"):
        for rowid, row in before[table].items():
            assert after[table][rowid] == {name: without(value) for name, value in row.items()}, table
    assert after["facts"].keys() == before["facts"].keys()


def test_an_archived_fact_is_redacted_and_another_fact_keeps_its_own(tmp_path: Path) -> None:
    other = mem_skill.fact("f-3", "other", f"Also {SECRET}.")
    workspace = attached(tmp_path, (FACTS[1], other))
    path = tmp_path / "s" / "mem.db"
    execute(path, "UPDATE fact_history SET fact_id = 'f-3'")
    archived, other_id = id_of(workspace, "Once"), id_of(workspace, "Also")
    redacted = workspace.redact([archived])
    assert any(workspace.memories([other_id])[0].uid in note for note in redacted.notes)
    assert workspace.memories([archived])[0].content == f"Once: The deploy uses {REDACTED} at night."
    assert SECRET in workspace.memories([other_id])[0].content
    assert SECRET in query(path, "SELECT old_value FROM fact_history")[0][0]
    assert workspace.pull().total == 0
    assert_gone(tmp_path, workspace.redact([other_id]).backups)
    workspace.close()


def test_a_number_in_a_stored_value_becomes_a_text_and_is_told_first(tmp_path: Path) -> None:
    workspace = attached(
        tmp_path, (mem_skill.fact("f-4", "card", "Pays by card.", value_json='{"card":4111111111111111}'),)
    )
    id = id_of(workspace, "Pays")
    ((told,), _) = workspace.redact_preview([id])
    assert told.numbers == ("value",)
    workspace.redact([id])
    path = tmp_path / "s" / "mem.db"
    assert query(path, "SELECT value_json FROM facts") == [('{"card":"[redacted: card number]"}',)]
    assert workspace.pull().total == 0
    workspace.close()
