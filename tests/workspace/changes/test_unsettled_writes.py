"""Changes that were written but cannot be settled in the workspace are not reported as lost (S-6, S-7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.cli.commands.change.contradictions import note_new_pairs
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.formats.media.files.store import FileStore
from memtui.workspace.db.leases import Leases
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    contents,
    find_id,
    memory,
)
from tests.support.os_faults import limit_file_size


@pytest.fixture
def disk_full_from() -> Iterator[Callable[..., Callable[[str], None]]]:
    """Return a function that makes an `on_step` under which no file can grow from a given step on."""

    def from_step(first_step: str) -> Callable[[str], None]:
        return lambda step: limit_file_size(1) if step == first_step else None

    yield from_step
    limit_file_size()


@pytest.mark.parametrize("store", FOREIGN)
def test_a_written_change_is_finished_at_the_next_start(
    demo_workspace: DemoWorkspace, store: str, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=disk_full_from("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[store])
        change = workspace.edit([id], {"content": "A zebra was seen."})
        note_new_pairs(workspace, change.ids, Output(json=False))  # compares nothing, and does not fail
        limit_file_size()
    assert change.ids == (id,)
    assert "journal entry will be completed on the next start (the workspace can't be" in change.summary
    assert "A zebra was seen." in repr(contents(demo_workspace.store_paths[store]))
    with demo_workspace.opened() as workspace:
        assert [each.split(":")[0] for each in workspace.reconciled] == ["Finished an interrupted change"]
        assert memory(workspace, id).content == "A zebra was seen."
        assert workspace.pull().total == 0
        workspace.undo(change.journal_id)
    assert "A zebra was seen." not in repr(contents(demo_workspace.store_paths[store]))


def test_a_written_undo_succeeds_though_it_was_refused_before(
    demo_workspace: DemoWorkspace, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=disk_full_from("after settling")) as workspace:
        id = find_id(workspace, SAMPLE[FOUNDER])
        content = memory(workspace, id).content
        entry_id = workspace.edit([id], {"content": "A zebra was seen."}).journal_id
        limit_file_size()
        workspace._ctx.db.run("INSERT INTO checkpoints VALUES (?, ?, 0)", (f"refused:{entry_id}", entry_id))
        assert workspace.undo(entry_id).summary == f"Undone: Edited 1 memory in {FOUNDER}"
        limit_file_size()
        assert memory(workspace, id).content == content


def test_a_written_change_is_finished_by_the_next_action(
    demo_workspace: DemoWorkspace, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=disk_full_from("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        workspace.edit([id], {"content": "A zebra was seen."})
        limit_file_size()
        assert workspace.pull().total == 0  # it is no change of an agent
        assert memory(workspace, id).content == "A zebra was seen."


def test_a_move_with_an_unsettled_copy_keeps_the_original_until_it_is_finished(
    demo_workspace: DemoWorkspace, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    before = contents(demo_workspace.store_paths[FOUNDER])
    with demo_workspace.opened(on_step=disk_full_from("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[FOUNDER])
        moved = workspace.move([id], CLAUDE).change
        limit_file_size()
    assert "still pending" in moved.skipped[0].reason
    assert contents(demo_workspace.store_paths[FOUNDER]) == before
    with demo_workspace.opened() as workspace:
        assert len(workspace.search(SAMPLE[FOUNDER].split()[0]).ids) == 1
        workspace.undo()
        assert memory(workspace, id).store == FOUNDER
    assert contents(demo_workspace.store_paths[FOUNDER]) == before


def test_an_unsettled_purge_says_where_the_text_remains(
    demo_workspace: DemoWorkspace, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    for step in ("after the foreign write", "before erasing"):
        store = FOUNDER if step == "before erasing" else CLAUDE
        with demo_workspace.opened(on_step=disk_full_from(step)) as workspace:
            id = find_id(workspace, SAMPLE[store])
            with pytest.raises(Refused, match=f"Purged from {store}, but not from memtui: the workspace"):
                workspace.purge([id])
            limit_file_size()
        with demo_workspace.opened() as workspace:
            assert workspace.purge([id]).count == 1


def test_a_write_with_an_unknown_outcome_is_settled_later(
    demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        real_apply = FileStore.apply

        def broken(*arguments: object) -> None:
            real_apply(*arguments)  # type: ignore[arg-type]
            raise OSError(5, "Input/output error")

        def fail(*arguments: object) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as disk:
            disk.setattr(FileStore, "apply", broken)
            disk.setattr(FileStore, "write_state", fail)
            with pytest.raises(Refused, match="not tell whether it was written to claude-code:order-service"):
                workspace.edit([id], {"content": "A zebra was seen."})
    with demo_workspace.opened() as workspace:
        assert memory(workspace, id).content == "A zebra was seen."


def test_a_workspace_that_cannot_settle_still_opens(
    demo_workspace: DemoWorkspace, disk_full_from: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=disk_full_from("after the foreign write")) as workspace:
        workspace.edit([find_id(workspace, SAMPLE[CLAUDE])], {"content": "A zebra was seen."})
        limit_file_size()
    with demo_workspace.opened(read_only=True):  # so that the -wal and -shm files exist
        limit_file_size(1)
        with demo_workspace.opened() as workspace:
            assert ["still pending" in each for each in workspace.reconciled] == [True]


def test_a_restored_backup_without_a_journal_entry_is_restored(
    demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        workspace.edit([id], {"content": "A zebra was seen."})
        (backup,) = (each for each in workspace.backups() if each.store == CLAUDE)
        from memtui.formats import backup_copy

        real_restore = backup_copy.restore

        def restore_and_fill_disk(*arguments: object) -> None:
            real_restore(*arguments)  # type: ignore[arg-type]
            limit_file_size(1)

        monkeypatch.setattr(backup_copy, "restore", restore_and_fill_disk)
        try:
            change = workspace.restore_backup(backup.id)
        finally:
            limit_file_size()
        assert "not recorded in the journal" in change.summary
    assert "A zebra was seen." not in repr(contents(demo_workspace.store_paths[CLAUDE]))


def test_a_lease_that_cannot_be_released_is_replaced(tmp_path: Path) -> None:
    leases = Leases(tmp_path / "w.db")
    lease = tmp_path / "w.db.leases" / leases.own()
    lease.unlink()
    lease.mkdir()  # a file that cannot be removed
    leases.close()
    assert leases.own() != lease.name
    leases.close()


def test_a_change_is_refused_if_no_lease_can_be_taken(demo_workspace: DemoWorkspace) -> None:
    folder = demo_workspace.path.with_name("workspace.db.leases")
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[NATIVE])
        folder.write_bytes(b"")
        with pytest.raises(Refused, match=r"^Not saved: not a directory\.$"):
            workspace.pin([id])
