"""Base Coat's stores, both of them, in a workspace: every verb, its undo, and agents beside it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.contract.adapter import Link
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, agent_sets, agent_writes, memory, the
from tests.support.empty_workspace import empty
from tests.support.stores import base_coat, rows_in
from tests.support.stores import base_coat_shared as shared
from tests.support.stores.base_coat import COLUMNS, FEED, OLD, OLD_COLUMNS, SQLITE, TABS, TESTS
from tests.support.stores.base_coat_shared import APPROVAL, PLAIN, SQUASH, sheet
from tests.support.stores.files import tree


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
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


def told(path: Path) -> set[tuple[str, str, str]]:
    return {(link.source, link.kind, link.target) for link in BaseCoat(path).read().links}


def same_rows(path: Path, before: dict[str, Any]) -> bool:
    now = rows_in(path)
    return all(sorted(map(str, now[t].values())) == sorted(map(str, before[t].values())) for t in before)


# -- the database


def test_all_verbs_write_into_the_database_and_come_off(workspace: Workspace, database: Path) -> None:
    before = rows_in(database)
    tabs, old, feed = (
        the(workspace, "Indent with tabs"),
        the(workspace, "two blanks"),
        the(workspace, "dotnet"),
    )
    verbs: list[Callable[[], Change]] = [
        lambda: workspace.edit([tabs], {"content": "Indent with four blanks.", "subject": "layout"}),
        lambda: workspace.edit([feed], {"category": "decision"}),
        lambda: workspace.pin([tabs], "since the style guide says so"),
        lambda: workspace.unpin([the(workspace, "pwsh")]),
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


def test_what_each_verb_leaves_in_the_database(workspace: Workspace, database: Path) -> None:
    tabs, feed = the(workspace, "Indent with tabs"), the(workspace, "dotnet")
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
    assert (TABS, "contradicts", FEED) in told(database)
    assert memory(workspace, feed).status == "dismissed"


def test_a_dismissed_memory_gets_its_confidence_back(workspace: Workspace, database: Path) -> None:
    feed = the(workspace, "dotnet")
    workspace.dismiss([feed])
    assert value(database, FEED, "confidence") == 0.0
    assert (memory(workspace, feed).status, memory(workspace, feed).confidence) == ("dismissed", 0.0)
    workspace.restore([feed])
    assert value(database, FEED, "confidence") == 0.65
    assert memory(workspace, feed).status == "confirmed"


def test_one_that_base_coat_suppressed_itself_starts_anew(workspace: Workspace, database: Path) -> None:
    old = the(workspace, "two blanks")
    assert memory(workspace, old).status == "dismissed"
    workspace.restore([old])
    assert value(database, OLD, "confidence") == 1.0


def test_a_relation_of_another_kind_is_kept_in_memtui(workspace: Workspace, database: Path) -> None:
    before = rows_in(database)
    tabs, feed = the(workspace, "Indent with tabs"), the(workspace, "dotnet")
    workspace.relate(tabs, "rests on", feed)
    assert rows_in(database) == before
    detail = workspace.detail(tabs)
    assert detail is not None
    assert {(relation.kind, relation.local) for relation in detail.relations} >= {
        ("rests on", True),
        ("contradicts", False),
    }
    with pytest.raises(Refused) as refusal:
        workspace.relate(the(workspace, "pwsh"), "refines", feed)
    assert "supports" in refusal.value.message


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_changes_come_off_in_any_order(workspace: Workspace, database: Path, order: tuple[int, ...]) -> None:
    before = rows_in(database)
    tabs, feed = the(workspace, "Indent with tabs"), the(workspace, "dotnet")
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


def test_what_an_agent_changed_is_not_written_over(workspace: Workspace, database: Path) -> None:
    tabs = the(workspace, "Indent with tabs")
    agent_sets(database, "UPDATE memories SET content = 'Theirs.' WHERE id = ?", TABS)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([tabs], {"content": "Mine."})
    assert conflict.value.theirs == {"content": "Theirs."}
    agent_sets(database, "UPDATE memories SET access_count = 3, heat = 'warm', last_accessed = 'x'")
    workspace.pull()
    workspace.edit([tabs], {"content": "Mine."})
    assert value(database, TABS, "content") == "Mine."


def test_news_of_agents_are_pulled_relations_too(workspace: Workspace, database: Path) -> None:
    store = workspace.stores()[-1].name
    agent_sets(
        database,
        "INSERT INTO memories (id, category, subject, content, created_at)"
        " VALUES ('new', 'fact', 'zoo', 'A zebra.', '2026-04-01T00:00:00Z')",
    )
    agent_sets(database, "UPDATE memories SET confidence = 0.3 WHERE id = ?", TABS)
    agent_sets(database, "DELETE FROM memories WHERE id = ?", SQLITE)
    agent_sets(database, "INSERT INTO memory_relations VALUES ('new', ?, 'supports')", TESTS)
    assert workspace.pull().changes == {store: (1, 1, 1)}
    zebra = workspace.detail(the(workspace, "zebra"))
    assert zebra is not None
    assert [(relation.kind, relation.target) for relation in zebra.relations] == [("supports", TESTS)]
    gone = next(id for id in workspace.search("is:removed").ids)
    workspace.restore([gone])
    assert value(database, SQLITE, "content") == "Adopt SQLite for durable local memory."
    assert value(database, SQLITE, "created_at") == "2026-02-11T07:15:00Z"
    assert workspace.pull().total == 0


def test_uses_alone_are_no_news(workspace: Workspace, database: Path) -> None:
    lines = len(workspace.journal())
    BaseCoat(database).count_uses([TABS], 1_800_000_000.0)
    workspace.pull()
    assert len(workspace.journal()) == lines
    assert memory(workspace, the(workspace, "Indent with tabs")).times_used == 1


def test_of_a_large_database_only_what_changed_is_read(workspace: Workspace, tmp_path: Path) -> None:
    path = base_coat.make(
        tmp_path / "large.db", base_coat.many(700), relations=[("m00001", "m00699", "refines")]
    )
    (info,) = workspace.attach(path)
    assert info.count == 700
    agent_sets(path, "UPDATE memories SET content = 'A zebra.' WHERE id = 'm00300'")
    agent_sets(path, "DELETE FROM memories WHERE id = 'm00600'")
    agent_sets(path, "INSERT INTO memory_relations VALUES ('m00300', 'm00001', 'supports')")
    assert workspace.pull().changes == {info.name: (0, 1, 1)}
    detail = workspace.detail(the(workspace, "zebra"))
    assert detail is not None
    assert [relation.target for relation in detail.relations] == ["m00001"]
    workspace.edit([the(workspace, "zebra")], {"content": "Two zebras."})
    assert workspace.pull().total == 0


def test_an_older_file_keeps_pins_in_memtui(workspace: Workspace, tmp_path: Path) -> None:
    path = base_coat.make(tmp_path / "older.db", columns=OLD_COLUMNS, relations=None)
    workspace.attach(path)
    before = rows_in(path)
    tabs, tests = the(workspace, "Indent with tabs"), the(workspace, "pwsh")
    workspace.pin([tabs])
    workspace.relate(tabs, "supports", tests)
    assert rows_in(path) == before
    assert memory(workspace, tabs).pinned
    workspace.pull()
    assert memory(workspace, tabs).pinned
    workspace.supersede([tabs], tests)
    assert value(path, TABS, "confidence") == 0.0


def test_a_purged_memory_takes_its_relations_along(workspace: Workspace, database: Path) -> None:
    workspace.purge([the(workspace, "pwsh")])
    assert TESTS not in {row["id"][1] for row in rows_in(database)["memories"].values()}
    assert told(database) == {(TABS, "contradicts", OLD)}
    assert BaseCoat(database).read().findings == []


def test_the_doctor_says_what_is_odd_in_the_database(workspace: Workspace, database: Path) -> None:
    agent_sets(database, "INSERT INTO memory_relations VALUES (?, 'gone', 'causes')", TABS)
    agent_sets(database, "UPDATE memories SET heat = 'hot', confidence = 1.3 WHERE id = ?", TABS)
    before = rows_in(database)
    workspace.pull()
    found = {each.code: each for each in workspace.doctor() if each.store == workspace.stores()[-1].name}
    assert {"dangling", "odd-relation", "odd-heat", "odd-confidence"} <= found.keys()
    assert all(each.meaning for each in found.values())
    assert rows_in(database) == before


# -- the shared folder


def test_all_verbs_write_into_the_files_and_come_off(workspace: Workspace, folder: Path) -> None:
    before = tree(folder)
    squash, plain = the(workspace, "Squash"), the(workspace, "Mondays")
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
        after = tree(folder)
        assert after != before
        workspace.undo()
        assert tree(folder) == before
        workspace.redo()
        assert tree(folder).keys() == after.keys()
        workspace.undo()
        assert tree(folder) == before
    assert workspace.pull().total == 0


def test_a_dismissed_file_comes_back_to_the_byte(workspace: Workspace, folder: Path) -> None:
    before = tree(folder)
    squash = the(workspace, "Squash")
    workspace.dismiss([squash])
    assert SQUASH not in tree(folder)
    assert workspace.pull().total == 0
    workspace.restore([squash])
    assert tree(folder) == before
    assert memory(workspace, squash).status == "confirmed"


def test_what_the_folder_has_no_place_for_is_kept_in_memtui(workspace: Workspace, folder: Path) -> None:
    before = tree(folder)
    squash, plain = the(workspace, "Squash"), the(workspace, "Mondays")
    workspace.pin([squash])
    workspace.relate(squash, "supports", plain)
    assert memory(workspace, squash).tags == ("git", "merge")
    workspace.edit([squash], {"tags": ("git",)})
    assert tree(folder) == before
    assert memory(workspace, squash).pinned
    assert memory(workspace, squash).tags == ("git",)


def test_a_tagged_file_that_an_agent_removed_is_put_back_with_its_tags(
    workspace: Workspace, folder: Path
) -> None:
    squash = the(workspace, "Squash")
    (folder / SQUASH).unlink()
    workspace.pull()
    workspace.restore([squash])
    assert BaseCoatShared(folder).read_refs([SQUASH])[SQUASH].fields["tags"] == ("git", "merge")


def test_a_confirmation_reaches_the_file(workspace: Workspace, folder: Path) -> None:
    approval = the(workspace, "maintainer")
    workspace.confirm([approval])
    text = tree(folder)[APPROVAL].decode()
    assert 'last_validated: "2025-11-13"\n' in text
    assert f"confidence: {memory(workspace, approval).confidence:.2f}\n" in text


def test_agents_and_people_change_files_side_by_side(workspace: Workspace, folder: Path) -> None:
    squash = the(workspace, "Squash")
    agent_writes(folder / PLAIN, "Plan on Mondays.", "Plan on Tuesdays.")
    (folder / "zoo").mkdir()
    (folder / "zoo" / "zebra.md").write_text(sheet("zoo:zebra", "A zebra."))
    (folder / APPROVAL).unlink()
    assert workspace.pull().changes == {workspace.stores()[-1].name: (1, 1, 1)}
    path = folder / SQUASH
    path.write_bytes(path.read_bytes().replace(b"Squash before", b"Never squash before"))
    with pytest.raises(Conflict):
        workspace.edit([squash], {"content": "Mine."})
    gone = next(id for id in workspace.search("is:removed").ids)
    workspace.restore([gone])
    back = BaseCoatShared(folder).read_refs([APPROVAL])[APPROVAL]
    assert (
        back.fields["content"]
        == shared.make(folder.parent / "fresh").read_refs([APPROVAL])[APPROVAL].fields["content"]
    )
    assert back.fields["extra"] == {"applies_to": "all teams"}


def test_of_a_large_folder_only_what_changed_is_read(workspace: Workspace, tmp_path: Path) -> None:
    root = shared.make(tmp_path / "memories", shared.many(320)).root
    (info,) = workspace.attach(root)
    agent_writes(root / "domain-3" / "topic-10.md", "## Pattern\n\nNumber 10 of", "## Pattern\n\nZebra 10 of")
    (root / "domain-1" / "topic-1.md").unlink()
    assert workspace.pull().changes == {info.name: (0, 1, 1)}
    workspace.edit([the(workspace, "Zebra")], {"content": "Two zebras."})
    assert workspace.pull().total == 0


def test_a_memory_of_the_database_is_shared(workspace: Workspace, database: Path, folder: Path) -> None:
    name = next(info.name for info in workspace.stores() if info.format == "base-coat-shared")
    before = tree(folder)
    workspace.copy([the(workspace, "dotnet")], name)
    (record,) = [each for each in BaseCoatShared(folder).read().records if "dotnet" in each.fields["content"]]
    assert record.fields["subject"] == "general:error-kb"
    assert record.fields["category"] == "fact"
    workspace.undo()
    assert tree(folder) == before


def test_the_doctor_says_what_is_odd_in_the_folder(workspace: Workspace, folder: Path) -> None:
    (folder / "ci" / "long.md").write_text(sheet("git:other", "x" * 300, confidence="0.5"))
    (folder / "ci" / "deep").mkdir()
    (folder / "ci" / "deep" / "er.md").write_text(sheet("ci:er", "Deeper."))
    (folder / "ci" / "old.md").write_text(sheet("ci:old", "Old.").replace("2026-01-10", "2024-01-10"))
    workspace.pull()
    found = {each.code: each for each in workspace.doctor() if each.store == workspace.stores()[-1].name}
    assert {"long-pattern", "odd-subject", "low-confidence", "too-deep", "stale"} <= found.keys()
    assert found["stale"].place == "ci/old.md"
    assert all(each.meaning for each in found.values())


def test_both_say_what_superseding_does(database: Path, folder: Path) -> None:
    link = Link(TESTS, "supersedes", FEED)
    assert link.kind not in BaseCoat.relation_kinds
    assert "confidence to 0" in BaseCoat(database).supports("supersede").words
    assert "kept in memtui" in BaseCoatShared(folder).supports("supersede").words
