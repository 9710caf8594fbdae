"""A damaged workspace: found on opening, only read, and saved into a new file (LIMITS 4, faults 11, 12)."""

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

OWN = 200  # memories of our own that are added: several pages of each table


@pytest.fixture(scope="module")
def full_template(template: DemoWorkspace, tmp_path_factory: pytest.TempPathFactory) -> DemoWorkspace:
    """The demo's stores and many memories of our own, some changed and one pinned."""
    demo_workspace = copy_demo_workspace(template, tmp_path_factory.mktemp("full"))
    with demo_workspace.opened() as workspace:
        for number in range(OWN):
            workspace.add({"content": f"Walnut {number}. " + "It stands in the garden. " * 20})
        workspace.pin([find_id(workspace, SAMPLE[FOUNDER])], "I say so")
        workspace.edit([find_id(workspace, '"Walnut 7."')], {"content": "Walnut seven was cut."})
    return demo_workspace


@pytest.fixture
def full(full_template: DemoWorkspace, tmp_path: Path) -> DemoWorkspace:
    return copy_demo_workspace(full_template, tmp_path / "full")


def saved(demo_workspace: DemoWorkspace, name: str = "saved.db") -> SalvageResult:
    before, files = demo_workspace.path.read_bytes(), files_under(demo_workspace.path.parent)
    done = salvage(demo_workspace.path, demo_workspace.folder / "new" / name, demo_workspace.clock)
    assert demo_workspace.path.read_bytes() == before
    assert files_under(demo_workspace.path.parent) == files
    assert done.target.stat().st_mode & 0o777 == 0o600
    assert files_under(done.target.parent) == {done.target}
    return done


def opened(demo_workspace: DemoWorkspace, done: SalvageResult) -> Workspace:
    """The salvaged workspace, sound and pulled anew."""
    workspace = Workspace.open(done.target, clock=demo_workspace.clock)
    assert workspace.read_only is False
    assert workspace.pull().errors == {}
    assert not [each for each in workspace.doctor() if each.code in ("damaged", "orphans", "words", "text")]
    assert_in_sync(workspace)
    return workspace


def contents(workspace: Workspace) -> set[str]:
    return {each.content for each in workspace.memories(workspace.search("", live=False).ids)}


def test_a_bad_page_is_found_on_opening_and_the_workspace_is_read(full: DemoWorkspace) -> None:
    overwrite_pages(full.path, page_numbers(full.path, "memories")[3])
    with full.opened() as workspace:
        assert workspace.read_only
        told = refusal(lambda: workspace.add({"content": "No."}))
        assert "damaged" in told.message
        assert "memtui doctor --salvage NEW" in told.message
        (grave,) = [each for each in workspace.doctor() if each.code == "damaged"]
        assert grave.severe
        assert "--salvage" in grave.meaning
    before = full.path.read_bytes()
    with full.opened() as workspace:
        assert workspace.search("larkfield") is not None
    assert full.path.read_bytes() == before


def test_a_large_workspace_is_checked_by_the_doctor_alone(
    full: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    overwrite_pages(full.path, page_numbers(full.path, "bodies")[1])
    monkeypatch.setattr(database, "CHECKED", 1000)
    from memtui.workspace.maintenance import doctor

    with full.opened() as workspace:
        assert not workspace.read_only
        assert doctor.damage(workspace._ctx)
        assert workspace.doctor()[0].code == "damaged"


def test_a_sound_one_is_saved_whole(full: DemoWorkspace) -> None:
    with full.opened() as workspace:
        before, journal = contents(workspace), workspace.journal(1000)
    stores = all_contents(full.folder)
    done = saved(full)
    assert set(done.lost.values()) == {0}
    assert "Nothing was lost." in done.report
    workspace = opened(full, done)
    assert contents(workspace) == before
    assert [event.summary for event in workspace.journal(1000)] == [event.summary for event in journal]
    assert memory(workspace, find_id(workspace, SAMPLE[FOUNDER])).pinned_why == "I say so"
    workspace.undo()  # the edit of the walnut: history goes on
    assert "Walnut 7." in memory(workspace, find_id(workspace, '"Walnut 7."')).content
    assert Path(workspace.stores()[0].path) == done.target
    workspace.close()
    assert all_contents(full.folder) == stores


@pytest.mark.parametrize("where", sample_cases([0, 3, -1], 2))
def test_a_bad_leaf_costs_no_memory(full: DemoWorkspace, where: int) -> None:
    """What stood on it comes back: ours from the journal, those of stores from their stores."""
    with full.opened() as workspace:
        before = contents(workspace)
        uids = {each.content: each.uid for each in workspace.memories(workspace.search("").ids)}
    overwrite_pages(full.path, page_numbers(full.path, "memories")[where])
    done = saved(full)
    assert done.lost["memories"] > 0
    workspace = opened(full, done)
    assert contents(workspace) == before
    now = {each.content: each.uid for each in workspace.memories(workspace.search("").ids)}
    assert now == uids
    workspace.add({"content": "A new one."})
    assert memory(workspace, find_id(workspace, '"A new one."')).uid not in uids.values()
    workspace.close()


def test_a_bad_root_of_the_memories_costs_nothing_that_was_not_on_it(full: DemoWorkspace) -> None:
    with full.opened() as workspace:
        before = contents(workspace)
        workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    overwrite_pages(full.path, *page_numbers(full.path, "memories", "internal"))
    done = saved(full)
    assert done.lost["memories"] == 0
    workspace = opened(full, done)
    assert contents(workspace) == before
    assert memory(workspace, find_id(workspace, SAMPLE[FOUNDER])).pinned_why == "I say so"
    workspace.close()


def test_what_was_deleted_does_not_come_back(full: DemoWorkspace) -> None:
    """Its bytes may still lie on a page that is in use no more."""
    with full.opened() as workspace:
        workspace._ctx.db.run("DELETE FROM memories WHERE content LIKE 'Walnut 3%'")
        workspace._ctx.db.run("UPDATE bodies SET before = NULL, after = NULL")
    overwrite_pages(
        full.path, *page_numbers(full.path, "memories", "internal"), page_numbers(full.path, "memories")[0]
    )
    workspace = opened(full, saved(full))
    assert not [text for text in contents(workspace) if text.startswith("Walnut 3")]
    assert any(text.startswith("Walnut 8") for text in contents(workspace))
    workspace.close()


def test_a_bad_page_of_an_index_costs_nothing(full: DemoWorkspace) -> None:
    for tree in ("memories_live", "memories_ref", "sqlite_autoindex_memories_1", "journal_items_memory"):
        overwrite_pages(full.path, *page_numbers(full.path, tree))
    done = saved(full)
    assert done.lost["memories"] == done.lost["journal_items"] == 0
    opened(full, done).close()


TREES = ("journal", "journal_items", "bodies", "item_states", "stores", "words_data")


@pytest.mark.parametrize("tree", TREES)
def test_a_bad_page_of_another_table_costs_only_that(full: DemoWorkspace, tree: str) -> None:
    with full.opened() as workspace:
        before = contents(workspace)
    overwrite_pages(full.path, page_numbers(full.path, tree)[0])
    done = saved(full)
    with full.opened() as workspace:
        assert workspace.read_only
    new = Workspace.open(done.target, clock=full.clock)
    new.pull()
    assert contents(new) >= before or tree == "stores"
    assert not [each for each in new.doctor() if each.code in ("damaged", "orphans", "words")]
    assert new.journal(1000)
    assert_word_index_intact(new)
    new.close()


def test_a_lost_store_comes_back_by_attaching_it_again(full: DemoWorkspace) -> None:
    overwrite_pages(full.path, *page_numbers(full.path, "stores"))
    done = saved(full)
    with full.opened() as workspace:
        assert workspace.read_only
    new = Workspace.open(done.target, clock=full.clock)
    assert [info.name for info in new.stores()] == [NATIVE]
    assert len(new.search("walnut").ids) == OWN
    for place in (full.folder / "larkfield" / ".memory" / "memory.db",):
        new.attach(place)
    assert new.search(SAMPLE[FOUNDER]).ids
    assert_in_sync(new)
    new.close()


def test_a_cut_header_is_no_new_workspace_and_the_rest_is_saved(full: DemoWorkspace) -> None:
    with full.opened() as workspace:
        before = contents(workspace)
    whole = full.path.read_bytes()
    full.path.write_bytes(b"\0" * 50 + whole[50:])
    told = refusal(full.open)
    assert told.code == "damaged"
    assert "--salvage" in told.hint
    assert full.path.read_bytes() == b"\0" * 50 + whole[50:]
    workspace = opened(full, saved(full))
    assert contents(workspace) == before
    workspace.close()


def test_half_a_file_is_saved_as_far_as_it_goes(full: DemoWorkspace) -> None:
    size = full.path.stat().st_size // PAGE_SIZE
    with full.path.open("r+b") as file:
        file.truncate(size // 2 * PAGE_SIZE)
    done = saved(full)
    assert sum(done.saved.values()) > 20
    new = Workspace.open(done.target, clock=full.clock)
    new.pull()
    assert not [each for each in new.doctor() if each.code in ("damaged", "orphans", "words")]
    new.close()


def test_text_that_is_no_text_any_more_is_kept_as_far_as_it_is(full: DemoWorkspace) -> None:
    replace_bytes(full.path, "Walnut 99.", "Walnut \udcff9.")
    done = saved(full)
    new = Workspace.open(done.target, clock=full.clock)
    assert any("Walnut \ufffd9." in text for text in contents(new))
    (odd,) = [each for each in new.doctor() if each.code == "text"]
    assert odd.severe
    new.close()


def test_what_was_only_in_the_log_is_saved_too(full: DemoWorkspace) -> None:
    with Agent(full.path) as other:
        other.execute("UPDATE memories SET note = 'only in the log' WHERE id = 1")
        assert full.path.with_name(full.path.name + "-wal").stat().st_size
        done = salvage(full.path, full.folder / "new.db", full.clock)
    with full.opened():
        pass
    new = Workspace.open(done.target, clock=full.clock)
    assert "only in the log" in {each.note for each in new.memories([1])}
    new.close()


def test_an_existing_file_is_not_written_over(full: DemoWorkspace) -> None:
    there = full.folder / "there.db"
    there.write_bytes(b"mine")
    assert refusal(lambda: salvage(full.path, there, full.clock)).code == "exists"
    assert there.read_bytes() == b"mine"
    there.unlink()
    there.symlink_to(full.folder / "nowhere")
    assert refusal(lambda: salvage(full.path, there, full.clock)).code == "exists"


@pytest.mark.parametrize("junk", [b"", b"hello " * 5000, b"\0" * 40_000])
def test_where_nothing_can_be_read_nothing_is_made(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "w.db"
    path.write_bytes(junk)
    told = refusal(lambda: salvage(path, tmp_path / "new.db", lambda: 0.0))
    assert told.code in ("lost", "not-a-workspace")
    assert path.read_bytes() == junk
    assert files_under(tmp_path) == {path}


def test_another_program_s_database_is_no_workspace(demo_workspace: DemoWorkspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    told = refusal(lambda: salvage(store, demo_workspace.folder / "new.db", demo_workspace.clock))
    assert told.code == "not-a-workspace"
    assert not (demo_workspace.folder / "new.db").exists()


def test_a_table_of_contents_that_is_gone_is_told_with_the_way_out(full: DemoWorkspace) -> None:
    overwrite_pages(full.path, *page_numbers(full.path, "sqlite_schema"))
    told = refusal(full.open)
    assert "--salvage" in told.hint
    told = refusal(lambda: salvage(full.path, full.folder / "new.db", full.clock))
    assert told.code == "lost"
    assert "attach" in told.hint


def test_the_rowids_on_a_page_are_told_from_those_that_no_memory_has(tmp_path: Path) -> None:
    path = tmp_path / "page.db"
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    connection.execute("CREATE TABLE t (a)")
    memories = [1, 300, 2**40]
    for rowid in (*memories, -1):  # SQLite spells what is below nought with nine bytes
        connection.execute("INSERT INTO t (rowid, a) VALUES (?, 'x')", (rowid,))
    connection.close()
    found = _rowids(path.read_bytes()[PAGE_SIZE : 2 * PAGE_SIZE])
    assert len(found) == len(memories) + 1
    assert {rowid for rowid in found if rowid < 2**50} == {*memories}
    assert _rowids(path.read_bytes()[:PAGE_SIZE]) == set()


@pytest.mark.parametrize("seed", sample_cases(range(12), 2))
def test_whatever_pages_are_bad_salvage_ends_well(full: DemoWorkspace, seed: int) -> None:
    """Any pages but the table of contents: a sound workspace, the stores whole, the old file untouched."""
    chance = random.Random(seed)
    stores = all_contents(full.folder)
    schema = {
        1,
        *page_numbers(full.path, "sqlite_schema"),
        *page_numbers(full.path, "sqlite_schema", "internal"),
    }
    count = full.path.stat().st_size // PAGE_SIZE
    bad = chance.sample([number for number in range(1, count + 1) if number not in schema], k=1 + seed)
    shutil.copy(full.path, full.folder / "whole.db")
    overwrite_pages(full.path, *bad)
    done = saved(full)
    new = Workspace.open(done.target, clock=full.clock)
    assert not new.read_only
    new.pull()
    new.add({"content": "It goes on."})
    found = [each for each in new.doctor() if each.code in ("damaged", "orphans", "words", "unchecked")]
    assert found == []
    new.close()
    assert all_contents(full.folder) == stores


def test_a_failed_salvage_leaves_nothing(full: DemoWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.workspace.maintenance.salvage import rebuild

    def full_disk(*_: object) -> None:
        raise apsw.FullError("disk is full")

    monkeypatch.setattr(rebuild, "invalidate_mirror", full_disk)
    with pytest.raises(Refused) as told:
        salvage(full.path, full.folder / "new.db", full.clock)
    assert told.value.code == "disk-full"
    assert not list(full.folder.glob("new.db*"))


def test_what_an_agent_changed_meanwhile_is_news_with_its_old_text(demo_workspace: DemoWorkspace) -> None:
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET content = 'Tomas left.' WHERE key = 'tomas-lead'",
    )
    workspace = Workspace.open(saved(demo_workspace).target, clock=demo_workspace.clock)
    assert workspace.pull().changes == {FOUNDER: (0, 1, 0)}
    (item,) = [each for each in workspace.agent_activity().items if each.store == FOUNDER]
    assert item.before["content"].startswith("Tomas leads hiring")
    assert item.after == {"content": "Tomas left."}
    assert_in_sync(workspace)
    workspace.close()


def test_a_text_that_rotted_is_read_anew_and_no_news_of_an_agent(demo_workspace: DemoWorkspace) -> None:
    replace_in_memories(demo_workspace.path, "Tomas leads", "Tomas leaps")
    workspace = Workspace.open(saved(demo_workspace).target, clock=demo_workspace.clock)
    assert "Tomas leaps" in memory(workspace, find_id(workspace, "Tomas leaps")).content
    assert workspace.pull().changes == {}
    assert "Tomas leads" in memory(workspace, find_id(workspace, "Tomas leads")).content
    assert_in_sync(workspace)
    workspace.close()
