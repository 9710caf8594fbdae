"""Base Coat, database and shared folder, in a workspace: every command, its undo, and agents at work."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.contract.records import Link
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, agent_executes, agent_replaces, find_id, memory
from tests.support.empty_workspace import create_empty
from tests.support.stores import base_coat, rows_in
from tests.support.stores import base_coat_shared as shared
from tests.support.stores.base_coat import COLUMNS, FEED, OLD, OLD_COLUMNS, SQLITE, TABS, TESTS
from tests.support.stores.base_coat_shared import APPROVAL, PLAIN, SQUASH, document
from tests.support.stores.files import read_tree


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    yield workspace
    workspace.close()


@pytest.fixture
def database(tmp_path: Path, workspace: Workspace) -> Path:
    columns = COLUMNS | {"embedding": "BLOB"}
    rows = [{**row, "embedding": b"\x01\x02"} for row in base_coat.MEMORIES]
    path = base_coat.make(tmp_path / "team" / ".basecoat" / "memory.db", rows, columns=columns)
    workspace.attach(path)
    return path


@pytest.fixture
def folder(tmp_path: Path, workspace: Workspace) -> Path:
    root = shared.make(tmp_path / "memories").root
    workspace.attach(root)
    return root


def value(path: Path, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(path)["memories"].values() if row["id"][1] == ref)


def relations(path: Path) -> set[tuple[str, str, str]]:
    return {(link.source, link.kind, link.target) for link in BaseCoat(path).read().links}


def same_rows(path: Path, before: dict[str, Any]) -> bool:
    after = rows_in(path)
    return all(
        sorted(map(str, after[table].values())) == sorted(map(str, before[table].values()))
        for table in before
    )


# -- the database


def test_every_command_writes_into_the_database_and_is_undone(workspace: Workspace, database: Path) -> None:
    before = rows_in(database)
    tabs, old, feed = (
        find_id(workspace, "Indent with tabs"),
        find_id(workspace, "two blanks"),
        find_id(workspace, "dotnet"),
    )
    verbs: list[Callable[[], Change]] = [
        lambda: workspace.edit([tabs], {"content": "Indent with four blanks.", "subject": "layout"}),
        lambda: workspace.edit([feed], {"category": "decision"}),
        lambda: workspace.pin([tabs], "since the style guide says so"),
        lambda: workspace.unpin([find_id(workspace, "pwsh")]),
        lambda: workspace.confirm([tabs]),
        lambda: workspace.dismiss([tabs, feed]),
        lambda: workspace.relate(tabs, "refines", feed),
        lambda: workspace.unrelate(tabs, "contradicts", old),
        lambda: workspace.supersede([feed], tabs),
    ]
    for verb in verbs:
        change = verb()
        assert not change.skipped
        assert not same_rows(database, before)
        after = rows_in(database)
        workspace.undo()
        assert same_rows(database, before)
        workspace.redo()
        assert same_rows(database, after)
        workspace.undo()
    assert workspace.pull().total == 0


def test_each_command_sets_its_columns(workspace: Workspace, database: Path) -> None:
    tabs, feed = find_id(workspace, "Indent with tabs"), find_id(workspace, "dotnet")
    workspace.edit([tabs], {"content": "Indent with four blanks."})
    assert (value(database, TABS, "content"), value(database, TABS, "embedding")) == (
        "Indent with four blanks.",
        None,
    )
    workspace.pin([tabs])
    assert value(database, TABS, "pinned") == 1
    workspace.confirm([tabs])
    assert value(database, TABS, "confidence") == memory(workspace, tabs).confidence
    assert (value(database, TABS, "last_accessed"), value(database, TABS, "access_count")) == (None, 0)
    workspace.supersede([feed], tabs)
    assert value(database, FEED, "confidence") == 0.0
    assert (TABS, "contradicts", FEED) in relations(database)
    assert memory(workspace, feed).status == "dismissed"


def test_restoring_a_memory_restores_its_confidence(workspace: Workspace, database: Path) -> None:
    feed = find_id(workspace, "dotnet")
    workspace.dismiss([feed])
    assert value(database, FEED, "confidence") == 0.0
    assert (memory(workspace, feed).status, memory(workspace, feed).confidence) == ("dismissed", 0.0)
    workspace.restore([feed])
    assert value(database, FEED, "confidence") == 0.65
    assert memory(workspace, feed).status == "confirmed"


def test_restoring_a_memory_suppressed_by_base_coat_gives_the_default_confidence(
    workspace: Workspace, database: Path
) -> None:
    old = find_id(workspace, "two blanks")
    assert memory(workspace, old).status == "dismissed"
    workspace.restore([old])
    assert value(database, OLD, "confidence") == 1.0


def test_a_relation_of_an_unknown_kind_is_kept_in_memtui(workspace: Workspace, database: Path) -> None:
    before = rows_in(database)
    tabs, feed = find_id(workspace, "Indent with tabs"), find_id(workspace, "dotnet")
    workspace.relate(tabs, "based on", feed)
    assert rows_in(database) == before
    detail = workspace.detail(tabs)
    assert detail is not None
    assert {(relation.kind, relation.local) for relation in detail.relations} >= {
        ("based on", True),
        ("contradicts", False),
    }
    with pytest.raises(Refused) as refusal:
        workspace.relate(find_id(workspace, "pwsh"), "refines", feed)
    assert "supports" in refusal.value.message


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_changes_are_undone_in_any_order(
    workspace: Workspace, database: Path, order: tuple[int, ...]
) -> None:
    before = rows_in(database)
    tabs, feed = find_id(workspace, "Indent with tabs"), find_id(workspace, "dotnet")
    lines = [
        workspace.edit([tabs], {"content": "Indent with four blanks."}).journal_id,
        workspace.pin([tabs]).journal_id,
        workspace.supersede([feed], tabs).journal_id,
    ]
    for number in order:
        workspace.undo(lines[number])
    assert same_rows(database, before)


def test_an_added_memory_has_what_base_coat_needs(workspace: Workspace, database: Path) -> None:
    before = rows_in(database)
    name = workspace.stores()[-1].name
    change = workspace.add({"content": "Deploys go out on Thursdays."}, name)
    added = memory(workspace, change.ids[0])
    assert (added.subject, added.category, added.tier, added.heat) == ("deploys-go", "fact", "l4", "cold")
    assert BaseCoat(database).read().findings == []
    workspace.undo()
    assert same_rows(database, before)


def test_a_change_of_an_agent_is_not_overwritten(workspace: Workspace, database: Path) -> None:
    tabs = find_id(workspace, "Indent with tabs")
    agent_executes(database, "UPDATE memories SET content = 'Theirs.' WHERE id = ?", TABS)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([tabs], {"content": "Mine."})
    assert conflict.value.stored == {"content": "Theirs."}
    agent_executes(database, "UPDATE memories SET access_count = 3, heat = 'warm', last_accessed = 'x'")
    workspace.pull()
    workspace.edit([tabs], {"content": "Mine."})
    assert value(database, TABS, "content") == "Mine."


def test_changes_of_agents_are_pulled_with_relations(workspace: Workspace, database: Path) -> None:
    store = workspace.stores()[-1].name
    agent_executes(
        database,
        "INSERT INTO memories (id, category, subject, content, created_at)"
        " VALUES ('new', 'fact', 'zoo', 'A zebra.', '2026-04-01T00:00:00Z')",
    )
    agent_executes(database, "UPDATE memories SET confidence = 0.3 WHERE id = ?", TABS)
    agent_executes(database, "DELETE FROM memories WHERE id = ?", SQLITE)
    agent_executes(database, "INSERT INTO memory_relations VALUES ('new', ?, 'supports')", TESTS)
    assert workspace.pull().changes == {store: (1, 1, 1)}
    zebra = workspace.detail(find_id(workspace, "zebra"))
    assert zebra is not None
    assert [(relation.kind, relation.target) for relation in zebra.relations] == [("supports", TESTS)]
    removed = next(id for id in workspace.search("is:removed").ids)
    workspace.restore([removed])
    assert value(database, SQLITE, "content") == "Adopt SQLite for durable local memory."
    assert value(database, SQLITE, "created_at") == "2026-02-11T07:15:00Z"
    assert workspace.pull().total == 0


def test_use_counts_alone_are_not_a_change(workspace: Workspace, database: Path) -> None:
    lines = len(workspace.journal())
    BaseCoat(database).count_uses([TABS], 1_800_000_000.0)
    workspace.pull()
    assert len(workspace.journal()) == lines
    assert memory(workspace, find_id(workspace, "Indent with tabs")).times_used == 1


def test_only_the_changed_rows_of_a_large_database_are_read(workspace: Workspace, tmp_path: Path) -> None:
    path = base_coat.make(
        tmp_path / "large.db", base_coat.many(700), relations=[("m00001", "m00699", "refines")]
    )
    (info,) = workspace.attach(path)
    assert info.count == 700
    agent_executes(path, "UPDATE memories SET content = 'A zebra.' WHERE id = 'm00300'")
    agent_executes(path, "DELETE FROM memories WHERE id = 'm00600'")
    agent_executes(path, "INSERT INTO memory_relations VALUES ('m00300', 'm00001', 'supports')")
    assert workspace.pull().changes == {info.name: (0, 1, 1)}
    detail = workspace.detail(find_id(workspace, "zebra"))
    assert detail is not None
    assert [relation.target for relation in detail.relations] == ["m00001"]
    workspace.edit([find_id(workspace, "zebra")], {"content": "Two zebras."})
    assert workspace.pull().total == 0


def test_pins_of_an_older_schema_are_kept_in_memtui(workspace: Workspace, tmp_path: Path) -> None:
    path = base_coat.make(tmp_path / "older.db", columns=OLD_COLUMNS, relations=None)
    workspace.attach(path)
    before = rows_in(path)
    tabs, tests = find_id(workspace, "Indent with tabs"), find_id(workspace, "pwsh")
    workspace.pin([tabs])
    workspace.relate(tabs, "supports", tests)
    assert rows_in(path) == before
    assert memory(workspace, tabs).pinned
    workspace.pull()
    assert memory(workspace, tabs).pinned
    workspace.supersede([tabs], tests)
    assert value(path, TABS, "confidence") == 0.0


def test_purging_a_memory_removes_its_relations(workspace: Workspace, database: Path) -> None:
    workspace.purge([find_id(workspace, "pwsh")])
    assert TESTS not in {row["id"][1] for row in rows_in(database)["memories"].values()}
    assert relations(database) == {(TABS, "contradicts", OLD)}
    assert BaseCoat(database).read().findings == []


def test_the_doctor_reports_problems_of_the_database(workspace: Workspace, database: Path) -> None:
    agent_executes(database, "INSERT INTO memory_relations VALUES (?, 'gone', 'causes')", TABS)
    agent_executes(database, "UPDATE memories SET heat = 'hot', confidence = 1.3 WHERE id = ?", TABS)
    before = rows_in(database)
    workspace.pull()
    by_code = {
        issue.code: issue for issue in workspace.doctor() if issue.store == workspace.stores()[-1].name
    }
    assert {"dangling", "odd-relation", "odd-heat", "odd-confidence"} <= by_code.keys()
    assert all(issue.meaning for issue in by_code.values())
    assert rows_in(database) == before


# -- the shared folder


def test_every_command_writes_into_the_files_and_is_undone(workspace: Workspace, folder: Path) -> None:
    before = read_tree(folder)
    squash, plain = find_id(workspace, "Squash"), find_id(workspace, "Mondays")
    verbs: list[Callable[[], Change]] = [
        lambda: workspace.edit([squash], {"content": "Rebase, ☕.", "category": "fact"}),
        lambda: workspace.confirm([squash, plain]),
        lambda: workspace.dismiss([squash]),
        lambda: workspace.supersede([plain], squash),
        lambda: workspace.add({"content": "Ship it.", "subject": "ops:ship"}, workspace.stores()[-1].name),
    ]
    for verb in verbs:
        change = verb()
        assert not change.skipped
        after = read_tree(folder)
        assert after != before
        workspace.undo()
        assert read_tree(folder) == before
        workspace.redo()
        assert read_tree(folder).keys() == after.keys()
        workspace.undo()
        assert read_tree(folder) == before
    assert workspace.pull().total == 0


def test_a_dismissed_file_is_restored_to_the_byte(workspace: Workspace, folder: Path) -> None:
    before = read_tree(folder)
    squash = find_id(workspace, "Squash")
    workspace.dismiss([squash])
    assert SQUASH not in read_tree(folder)
    assert workspace.pull().total == 0
    workspace.restore([squash])
    assert read_tree(folder) == before
    assert memory(workspace, squash).status == "confirmed"


def test_fields_that_the_folder_lacks_are_kept_in_memtui(workspace: Workspace, folder: Path) -> None:
    before = read_tree(folder)
    squash, plain = find_id(workspace, "Squash"), find_id(workspace, "Mondays")
    workspace.pin([squash])
    workspace.relate(squash, "supports", plain)
    assert memory(workspace, squash).tags == ("git", "merge")
    workspace.edit([squash], {"tags": ("git",)})
    assert read_tree(folder) == before
    assert memory(workspace, squash).pinned
    assert memory(workspace, squash).tags == ("git",)


def test_a_tagged_file_deleted_by_an_agent_is_restored_with_its_tags(
    workspace: Workspace, folder: Path
) -> None:
    squash = find_id(workspace, "Squash")
    (folder / SQUASH).unlink()
    workspace.pull()
    workspace.restore([squash])
    assert BaseCoatShared(folder).read_refs([SQUASH])[SQUASH].fields["tags"] == ("git", "merge")


def test_confirming_a_memory_changes_its_file(workspace: Workspace, folder: Path) -> None:
    approval = find_id(workspace, "maintainer")
    workspace.confirm([approval])
    text = read_tree(folder)[APPROVAL].decode()
    assert 'last_validated: "2025-11-13"\n' in text
    assert f"confidence: {memory(workspace, approval).confidence:.2f}\n" in text


def test_agents_and_users_change_files_at_the_same_time(workspace: Workspace, folder: Path) -> None:
    squash = find_id(workspace, "Squash")
    agent_replaces(folder / PLAIN, "Plan on Mondays.", "Plan on Tuesdays.")
    (folder / "zoo").mkdir()
    (folder / "zoo" / "zebra.md").write_text(document("zoo:zebra", "A zebra."))
    (folder / APPROVAL).unlink()
    assert workspace.pull().changes == {workspace.stores()[-1].name: (1, 1, 1)}
    path = folder / SQUASH
    path.write_bytes(path.read_bytes().replace(b"Squash before", b"Never squash before"))
    with pytest.raises(Conflict):
        workspace.edit([squash], {"content": "Mine."})
    removed = next(id for id in workspace.search("is:removed").ids)
    workspace.restore([removed])
    restored = BaseCoatShared(folder).read_refs([APPROVAL])[APPROVAL]
    assert (
        restored.fields["content"]
        == shared.make(folder.parent / "fresh").read_refs([APPROVAL])[APPROVAL].fields["content"]
    )
    assert restored.fields["extra"] == {"applies_to": "all teams"}


def test_only_the_changed_files_of_a_large_folder_are_read(workspace: Workspace, tmp_path: Path) -> None:
    root = shared.make(tmp_path / "memories", shared.many(320)).root
    (info,) = workspace.attach(root)
    agent_replaces(
        root / "domain-3" / "topic-10.md", "## Pattern\n\nNumber 10 of", "## Pattern\n\nZebra 10 of"
    )
    (root / "domain-1" / "topic-1.md").unlink()
    assert workspace.pull().changes == {info.name: (0, 1, 1)}
    workspace.edit([find_id(workspace, "Zebra")], {"content": "Two zebras."})
    assert workspace.pull().total == 0


def test_a_memory_of_the_database_is_copied_to_the_shared_folder(
    workspace: Workspace, database: Path, folder: Path
) -> None:
    name = next(info.name for info in workspace.stores() if info.format == "base-coat-shared")
    before = read_tree(folder)
    workspace.copy([find_id(workspace, "dotnet")], name)
    (record,) = [
        found for found in BaseCoatShared(folder).read().records if "dotnet" in found.fields["content"]
    ]
    assert record.fields["subject"] == "general:error-kb"
    assert record.fields["category"] == "fact"
    workspace.undo()
    assert read_tree(folder) == before


def test_the_doctor_reports_problems_of_the_folder(workspace: Workspace, folder: Path) -> None:
    (folder / "ci" / "long.md").write_text(document("git:other", "x" * 300, confidence="0.5"))
    (folder / "ci" / "deep").mkdir()
    (folder / "ci" / "deep" / "er.md").write_text(document("ci:er", "Deeper."))
    (folder / "ci" / "old.md").write_text(document("ci:old", "Old.").replace("2026-01-10", "2024-01-10"))
    workspace.pull()
    by_code = {
        issue.code: issue for issue in workspace.doctor() if issue.store == workspace.stores()[-1].name
    }
    assert {"long-pattern", "odd-subject", "low-confidence", "too-deep", "stale"} <= by_code.keys()
    assert by_code["stale"].place == "ci/old.md"
    assert all(issue.meaning for issue in by_code.values())


def test_both_stores_describe_superseding(database: Path, folder: Path) -> None:
    link = Link(TESTS, "supersedes", FEED)
    assert link.kind not in BaseCoat.relation_kinds
    assert "confidence to 0" in BaseCoat(database).support_for("supersede").text
    assert "kept in memtui" in BaseCoatShared(folder).support_for("supersede").text
