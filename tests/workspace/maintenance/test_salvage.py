"""A damaged workspace is opened read-only and salvaged into a new file (LIMITS 4, faults 11, 12)."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import apsw
import pytest

from memtui.errors import Refused
from memtui.workspace.db import database
from memtui.workspace.maintenance.salvage.pages import _rowids
from memtui.workspace.maintenance.salvage.salvage import SalvageResult, salvage
from memtui.workspace.workspace import Workspace
from tests.support.corruption import (
    PAGE_SIZE,
    overwrite_pages,
    page_numbers,
    replace_bytes,
    replace_in_memories,
)
from tests.support.demo_workspace import (
    FOUNDER,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    copy_demo_workspace,
    files_under,
    find_id,
    memory,
    refusal,
)
from tests.support.sizes import sample_cases
from tests.support.stores import Agent

OWN_COUNT = 200  # enough added memories for several pages of each table


@pytest.fixture(scope="module")
def full_template(template: DemoWorkspace, tmp_path_factory: pytest.TempPathFactory) -> DemoWorkspace:
    """The demo workspace with many own memories, one edited and one pinned."""
    demo_workspace = copy_demo_workspace(template, tmp_path_factory.mktemp("full"))
    with demo_workspace.opened() as workspace:
        for number in range(OWN_COUNT):
            workspace.add({"content": f"Walnut {number}. " + "It stands in the garden. " * 20})
        workspace.pin([find_id(workspace, SAMPLE[FOUNDER])], "I say so")
        workspace.edit([find_id(workspace, '"Walnut 7."')], {"content": "Walnut seven was cut."})
    return demo_workspace


@pytest.fixture
def full_demo(full_template: DemoWorkspace, tmp_path: Path) -> DemoWorkspace:
    return copy_demo_workspace(full_template, tmp_path / "full")


def salvage_unchanged(demo_workspace: DemoWorkspace, name: str = "saved.db") -> SalvageResult:
    before, files = demo_workspace.path.read_bytes(), files_under(demo_workspace.path.parent)
    result = salvage(demo_workspace.path, demo_workspace.folder / "new" / name, demo_workspace.clock)
    assert demo_workspace.path.read_bytes() == before
    assert files_under(demo_workspace.path.parent) == files
    assert result.target.stat().st_mode & 0o777 == 0o600
    assert files_under(result.target.parent) == {result.target}
    return result


def open_salvaged(demo_workspace: DemoWorkspace, result: SalvageResult) -> Workspace:
    """Open the salvaged workspace, pull it and assert that it is sound."""
    workspace = Workspace.open(result.target, clock=demo_workspace.clock)
    assert workspace.read_only is False
    assert workspace.pull().errors == {}
    assert not [each for each in workspace.doctor() if each.code in ("damaged", "orphans", "words", "text")]
    assert_in_sync(workspace)
    return workspace


def contents(workspace: Workspace) -> set[str]:
    return {each.content for each in workspace.memories(workspace.search("", live=False).ids)}


def test_a_damaged_workspace_is_opened_read_only(full_demo: DemoWorkspace) -> None:
    overwrite_pages(full_demo.path, page_numbers(full_demo.path, "memories")[3])
    with full_demo.opened() as workspace:
        assert workspace.read_only
        refused = refusal(lambda: workspace.add({"content": "No."}))
        assert "damaged" in refused.message
        assert "memtui doctor --salvage NEW" in refused.message
        (issue,) = [each for each in workspace.doctor() if each.code == "damaged"]
        assert issue.severe
        assert "--salvage" in issue.meaning
    before = full_demo.path.read_bytes()
    with full_demo.opened() as workspace:
        assert workspace.search("larkfield") is not None
    assert full_demo.path.read_bytes() == before


def test_a_large_workspace_is_checked_only_by_the_doctor(
    full_demo: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    overwrite_pages(full_demo.path, page_numbers(full_demo.path, "bodies")[1])
    monkeypatch.setattr(database, "MAX_CHECKED_BYTES", 1000)
    from memtui.workspace.maintenance import doctor

    with full_demo.opened() as workspace:
        assert not workspace.read_only
        assert doctor.damage(workspace._ctx)
        assert workspace.doctor()[0].code == "damaged"


def test_a_sound_workspace_is_salvaged_completely(full_demo: DemoWorkspace) -> None:
    with full_demo.opened() as workspace:
        before, journal = contents(workspace), workspace.journal(1000)
    stores = all_contents(full_demo.folder)
    result = salvage_unchanged(full_demo)
    assert set(result.lost.values()) == {0}
    assert "Nothing was lost." in result.report
    assert not any("gaps" in sentence for sentence in result.report)
    workspace = open_salvaged(full_demo, result)
    assert contents(workspace) == before
    assert [event.summary for event in workspace.journal(1000)] == [event.summary for event in journal]
    assert memory(workspace, find_id(workspace, SAMPLE[FOUNDER])).pinned_why == "I say so"
    workspace.undo()  # the edit of the walnut
    assert "Walnut 7." in memory(workspace, find_id(workspace, '"Walnut 7."')).content
    assert Path(workspace.stores()[0].path) == result.target
    workspace.close()
    assert all_contents(full_demo.folder) == stores


@pytest.mark.parametrize("leaf", sample_cases([0, 3, -1], 2))
def test_memories_on_a_damaged_leaf_are_recovered(full_demo: DemoWorkspace, leaf: int) -> None:
    """Own memories are recovered from the journal, others from their stores."""
    with full_demo.opened() as workspace:
        before = contents(workspace)
        uids = {each.content: each.uid for each in workspace.memories(workspace.search("").ids)}
    overwrite_pages(full_demo.path, page_numbers(full_demo.path, "memories")[leaf])
    result = salvage_unchanged(full_demo)
    assert result.lost["memories"] > 0
    workspace = open_salvaged(full_demo, result)
    assert contents(workspace) == before
    now = {each.content: each.uid for each in workspace.memories(workspace.search("").ids)}
    assert now == uids
    workspace.add({"content": "A new one."})
    assert memory(workspace, find_id(workspace, '"A new one."')).uid not in uids.values()
    workspace.close()


def test_a_damaged_root_of_the_memories_loses_nothing(full_demo: DemoWorkspace) -> None:
    with full_demo.opened() as workspace:
        before = contents(workspace)
        workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    overwrite_pages(full_demo.path, *page_numbers(full_demo.path, "memories", "internal"))
    result = salvage_unchanged(full_demo)
    assert result.lost["memories"] == 0
    workspace = open_salvaged(full_demo, result)
    assert contents(workspace) == before
    assert memory(workspace, find_id(workspace, SAMPLE[FOUNDER])).pinned_why == "I say so"
    workspace.close()


def test_deleted_memories_are_not_salvaged(full_demo: DemoWorkspace) -> None:
    """Their bytes may still be on unused pages."""
    with full_demo.opened() as workspace:
        workspace._ctx.db.run("DELETE FROM memories WHERE content LIKE 'Walnut 3%'")
        workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    overwrite_pages(
        full_demo.path,
        *page_numbers(full_demo.path, "memories", "internal"),
        page_numbers(full_demo.path, "memories")[0],
    )
    workspace = open_salvaged(full_demo, salvage_unchanged(full_demo))
    assert not [text for text in contents(workspace) if text.startswith("Walnut 3")]
    assert any(text.startswith("Walnut 8") for text in contents(workspace))
    workspace.close()


def test_damaged_indexes_lose_nothing(full_demo: DemoWorkspace) -> None:
    for tree in ("memories_live", "memories_ref", "sqlite_autoindex_memories_1", "journal_items_memory"):
        overwrite_pages(full_demo.path, *page_numbers(full_demo.path, tree))
    result = salvage_unchanged(full_demo)
    assert result.lost["memories"] == result.lost["journal_items"] == 0
    open_salvaged(full_demo, result).close()


TREES = ("journal", "journal_items", "bodies", "item_states", "stores", "words_data")


@pytest.mark.parametrize("tree", sample_cases(TREES, 3))
def test_a_damaged_page_of_another_table_loses_no_memory(full_demo: DemoWorkspace, tree: str) -> None:
    with full_demo.opened() as workspace:
        before = contents(workspace)
    overwrite_pages(full_demo.path, page_numbers(full_demo.path, tree)[0])
    result = salvage_unchanged(full_demo)
    with full_demo.opened() as workspace:
        assert workspace.read_only
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    salvaged.pull()
    assert contents(salvaged) >= before or tree == "stores"
    assert not [each for each in salvaged.doctor() if each.code in ("damaged", "orphans", "words")]
    assert salvaged.journal(1000)
    assert_word_index_intact(salvaged)
    salvaged.close()


def test_a_lost_store_can_be_attached_again(full_demo: DemoWorkspace) -> None:
    overwrite_pages(full_demo.path, *page_numbers(full_demo.path, "stores"))
    result = salvage_unchanged(full_demo)
    with full_demo.opened() as workspace:
        assert workspace.read_only
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    assert [info.name for info in salvaged.stores()] == [NATIVE]
    assert len(salvaged.search("walnut").ids) == OWN_COUNT
    for store_path in (full_demo.folder / "larkfield" / ".memory" / "memory.db",):
        salvaged.attach(store_path)
    assert salvaged.search(SAMPLE[FOUNDER]).ids
    assert_in_sync(salvaged)
    salvaged.close()


def test_a_workspace_with_a_damaged_header_is_salvaged(full_demo: DemoWorkspace) -> None:
    with full_demo.opened() as workspace:
        before = contents(workspace)
    data = full_demo.path.read_bytes()
    full_demo.path.write_bytes(b"\0" * 50 + data[50:])
    refused = refusal(full_demo.open)
    assert refused.code == "damaged"
    assert "--salvage" in refused.hint
    assert full_demo.path.read_bytes() == b"\0" * 50 + data[50:]
    workspace = open_salvaged(full_demo, salvage_unchanged(full_demo))
    assert contents(workspace) == before
    workspace.close()


def test_a_truncated_workspace_is_salvaged_as_far_as_possible(full_demo: DemoWorkspace) -> None:
    size = full_demo.path.stat().st_size // PAGE_SIZE
    with full_demo.path.open("r+b") as file:
        file.truncate(size * 3 // 5 * PAGE_SIZE)  # the schema is in the first half of so small a file
    result = salvage_unchanged(full_demo)
    assert sum(result.saved.values()) > 20
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    salvaged.pull()
    assert not [each for each in salvaged.doctor() if each.code in ("damaged", "orphans", "words")]
    salvaged.close()


def test_invalid_utf_8_is_salvaged_with_replacement_characters(full_demo: DemoWorkspace) -> None:
    replace_bytes(full_demo.path, "Walnut 99.", "Walnut \udcff9.")
    result = salvage_unchanged(full_demo)
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    assert any("Walnut \ufffd9." in text for text in contents(salvaged))
    (issue,) = [each for each in salvaged.doctor() if each.code == "text"]
    assert issue.severe
    salvaged.close()


def test_changes_in_the_wal_are_salvaged(full_demo: DemoWorkspace) -> None:
    with Agent(full_demo.path) as other:
        other.execute("UPDATE memories SET note = 'only in the log' WHERE id = 1")
        assert full_demo.path.with_name(full_demo.path.name + "-wal").stat().st_size
        result = salvage(full_demo.path, full_demo.folder / "new.db", full_demo.clock)
    with full_demo.opened():
        pass
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    assert "only in the log" in {each.note for each in salvaged.memories([1])}
    salvaged.close()


def test_an_existing_file_is_not_overwritten(full_demo: DemoWorkspace) -> None:
    existing = full_demo.folder / "there.db"
    existing.write_bytes(b"mine")
    assert refusal(lambda: salvage(full_demo.path, existing, full_demo.clock)).code == "exists"
    assert existing.read_bytes() == b"mine"
    existing.unlink()
    existing.symlink_to(full_demo.folder / "nowhere")
    assert refusal(lambda: salvage(full_demo.path, existing, full_demo.clock)).code == "exists"


@pytest.mark.parametrize("junk", [b"", b"hello " * 5000, b"\0" * 40_000])
def test_an_unreadable_file_is_refused(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "w.db"
    path.write_bytes(junk)
    refused = refusal(lambda: salvage(path, tmp_path / "new.db", lambda: 0.0))
    assert refused.code in ("lost", "not-a-workspace")
    assert path.read_bytes() == junk
    assert files_under(tmp_path) == {path}


def test_another_programs_database_is_refused(demo_workspace: DemoWorkspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    refused = refusal(lambda: salvage(store, demo_workspace.folder / "new.db", demo_workspace.clock))
    assert refused.code == "not-a-workspace"
    assert not (demo_workspace.folder / "new.db").exists()


def test_a_lost_schema_is_refused_with_a_hint(full_demo: DemoWorkspace) -> None:
    overwrite_pages(full_demo.path, *page_numbers(full_demo.path, "sqlite_schema"))
    refused = refusal(full_demo.open)
    assert "--salvage" in refused.hint
    refused = refusal(lambda: salvage(full_demo.path, full_demo.folder / "new.db", full_demo.clock))
    assert refused.code == "lost"
    assert "attach" in refused.hint


def test_rowids_are_read_from_a_page(tmp_path: Path) -> None:
    path = tmp_path / "page.db"
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    connection.execute("CREATE TABLE t (a)")
    memories = [1, 300, 2**40]
    for rowid in (*memories, -1):  # SQLite encodes negative numbers in nine bytes
        connection.execute("INSERT INTO t (rowid, a) VALUES (?, 'x')", (rowid,))
    connection.close()
    found = _rowids(path.read_bytes()[PAGE_SIZE : 2 * PAGE_SIZE])
    assert len(found) == len(memories) + 1
    assert {rowid for rowid in found if rowid < 2**50} == {*memories}
    assert _rowids(path.read_bytes()[:PAGE_SIZE]) == set()


@pytest.mark.parametrize("seed", sample_cases(range(12), 2))
def test_any_damaged_pages_give_a_sound_workspace(full_demo: DemoWorkspace, seed: int) -> None:
    """Any pages except those of the schema; stores and the damaged file stay unchanged."""
    rng = random.Random(seed)
    stores = all_contents(full_demo.folder)
    schema = {
        1,
        *page_numbers(full_demo.path, "sqlite_schema"),
        *page_numbers(full_demo.path, "sqlite_schema", "internal"),
    }
    count = full_demo.path.stat().st_size // PAGE_SIZE
    damaged = rng.sample([number for number in range(1, count + 1) if number not in schema], k=1 + seed)
    shutil.copy(full_demo.path, full_demo.folder / "whole.db")
    overwrite_pages(full_demo.path, *damaged)
    result = salvage_unchanged(full_demo)
    salvaged = Workspace.open(result.target, clock=full_demo.clock)
    assert not salvaged.read_only
    salvaged.pull()
    salvaged.add({"content": "It goes on."})
    found = [each for each in salvaged.doctor() if each.code in ("damaged", "orphans", "words", "unchecked")]
    assert found == []
    salvaged.close()
    assert all_contents(full_demo.folder) == stores


def test_a_failed_salvage_leaves_no_file(full_demo: DemoWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.workspace.maintenance.salvage import rebuild

    def full_disk(*_: object) -> None:
        raise apsw.FullError("disk is full")

    monkeypatch.setattr(rebuild, "invalidate_mirror", full_disk)
    with pytest.raises(Refused) as refused:
        salvage(full_demo.path, full_demo.folder / "new.db", full_demo.clock)
    assert refused.value.code == "disk-full"
    assert not list(full_demo.folder.glob("new.db*"))


def test_a_change_by_an_agent_is_reported_after_a_salvage(demo_workspace: DemoWorkspace) -> None:
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'",
    )
    workspace = Workspace.open(salvage_unchanged(demo_workspace).target, clock=demo_workspace.clock)
    assert workspace.pull().changes == {FOUNDER: (0, 1, 0)}
    (item,) = [each for each in workspace.agent_activity().items if each.store == FOUNDER]
    assert item.before["content"].startswith("Tomas leads hiring")
    assert item.after == {"content": "Tomas left."}
    assert_in_sync(workspace)
    workspace.close()


def test_a_damaged_text_is_read_again_and_not_reported(demo_workspace: DemoWorkspace) -> None:
    replace_in_memories(demo_workspace.path, "Tomas leads", "Tomas leaps")
    workspace = Workspace.open(salvage_unchanged(demo_workspace).target, clock=demo_workspace.clock)
    assert "Tomas leaps" in memory(workspace, find_id(workspace, "Tomas leaps")).content
    assert workspace.pull().changes == {}
    assert "Tomas leads" in memory(workspace, find_id(workspace, "Tomas leads")).content
    assert_in_sync(workspace)
    workspace.close()
