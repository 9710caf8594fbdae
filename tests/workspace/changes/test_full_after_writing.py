"""The store is written, and then the workspace cannot note it: that is never “not saved” (S-6, S-7)."""

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
def full() -> Iterator[Callable[..., Callable[[str], None]]]:
    """Lets no file of the workspace grow any more from a step on."""

    def at(wanted: str) -> Callable[[str], None]:
        return lambda step: limit_file_size(1) if step == wanted else None

    yield at
    limit_file_size()


@pytest.mark.parametrize("store", FOREIGN)
def test_a_change_that_is_written_is_done(
    demo_workspace: DemoWorkspace, store: str, full: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=full("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[store])
        change = workspace.edit([id], {"content": "A zebra was seen."})
        note_new_pairs(
            workspace, change.ids, Output(json=False)
        )  # nothing is compared, and that is no failure
        limit_file_size()
    assert change.ids == (id,)
    assert "journal entry is finished at the next start, since the workspace cannot be" in change.summary
    assert "A zebra was seen." in repr(contents(demo_workspace.store_paths[store]))
    with demo_workspace.opened() as workspace:
        assert [each.split(":")[0] for each in workspace.reconciled] == ["Finished after an interruption"]
        assert memory(workspace, id).content == "A zebra was seen."
        assert workspace.pull().total == 0
        workspace.undo(change.journal_id)
    assert "A zebra was seen." not in repr(contents(demo_workspace.store_paths[store]))


def test_an_undo_that_is_written_is_done_though_it_was_refused_before(
    demo_workspace: DemoWorkspace, full: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=full("after settling")) as workspace:
        id = find_id(workspace, SAMPLE[FOUNDER])
        said = memory(workspace, id).content
        line = workspace.edit([id], {"content": "A zebra was seen."}).journal_id
        limit_file_size()
        workspace._ctx.db.run("INSERT INTO checkpoints VALUES (?, ?, 0)", (f"refused:{line}", line))
        assert workspace.undo(line).summary == f"Undone: Edited 1 memory in {FOUNDER}"
        limit_file_size()
        assert memory(workspace, id).content == said


def test_in_the_same_process_the_next_change_finishes_it(
    demo_workspace: DemoWorkspace, full: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=full("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        workspace.edit([id], {"content": "A zebra was seen."})
        limit_file_size()
        assert workspace.pull().total == 0  # ours, and no agent's
        assert memory(workspace, id).content == "A zebra was seen."


def test_a_move_whose_copy_is_not_in_the_journal_yet_takes_nothing_away(
    demo_workspace: DemoWorkspace, full: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=full("after the foreign write")) as workspace:
        id = find_id(workspace, SAMPLE[FOUNDER])
        moved = workspace.move([id], CLAUDE).change
        limit_file_size()
    assert "still open" in moved.skipped[0].reason
    with demo_workspace.opened() as workspace:
        assert memory(workspace, id).store == FOUNDER
        assert len(workspace.search(SAMPLE[FOUNDER].split()[0]).ids) == 2


def test_a_purge_says_where_the_text_still_is(
    demo_workspace: DemoWorkspace, full: Callable[..., Callable[[str], None]]
) -> None:
    for step in ("after the foreign write", "before erasing"):
        store = FOUNDER if step == "before erasing" else CLAUDE
        with demo_workspace.opened(on_step=full(step)) as workspace:
            id = find_id(workspace, SAMPLE[store])
            with pytest.raises(Refused, match=f"Erased from {store}, but not from memtui: the workspace"):
                workspace.purge([id])
            limit_file_size()
        with demo_workspace.opened() as workspace:
            assert workspace.purge([id]).count == 1


def test_a_write_whose_outcome_cannot_be_read_is_found_out_later(
    demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        written = FileStore.apply

        def broken(*arguments: object) -> None:
            written(*arguments)  # type: ignore[arg-type]
            raise OSError(5, "Input/output error")

        def unknown(*arguments: object) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as disk:
            disk.setattr(FileStore, "apply", broken)
            disk.setattr(FileStore, "write_state", unknown)
            with pytest.raises(Refused, match="not known whether claude-code:order-service was written"):
                workspace.edit([id], {"content": "A zebra was seen."})
    with demo_workspace.opened() as workspace:
        assert memory(workspace, id).content == "A zebra was seen."


def test_a_workspace_that_cannot_settle_opens_all_the_same(
    demo_workspace: DemoWorkspace, full: Callable[..., Callable[[str], None]]
) -> None:
    with demo_workspace.opened(on_step=full("after the foreign write")) as workspace:
        workspace.edit([find_id(workspace, SAMPLE[CLAUDE])], {"content": "A zebra was seen."})
        limit_file_size()
    with demo_workspace.opened(read_only=True):  # another one reads it, so all its files are there
        limit_file_size(1)
        with demo_workspace.opened() as workspace:
            assert ["not settled yet" in each for each in workspace.reconciled] == [True]


def test_a_restored_backup_is_restored(
    demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        workspace.edit([id], {"content": "A zebra was seen."})
        (copy,) = (each for each in workspace.backups() if each.store == CLAUDE)
        from memtui.formats import backup_copy

        put_back = backup_copy.restore

        def then_full(*arguments: object) -> None:
            put_back(*arguments)  # type: ignore[arg-type]
            limit_file_size(1)

        monkeypatch.setattr(backup_copy, "restore", then_full)
        try:
            change = workspace.restore_backup(copy.id)
        finally:
            limit_file_size()
        assert "no journal entry" in change.summary
    assert "A zebra was seen." not in repr(contents(demo_workspace.store_paths[CLAUDE]))


def test_giving_back_a_lease_decides_nothing(tmp_path: Path) -> None:
    leases = Leases(tmp_path / "w.db")
    lease = tmp_path / "w.db.leases" / leases.own()
    lease.unlink()
    lease.mkdir()  # a file that cannot be removed
    leases.close()
    assert leases.own() != lease.name
    leases.close()


def test_a_lease_that_cannot_be_taken_is_a_refusal_of_the_change(demo_workspace: DemoWorkspace) -> None:
    folder = demo_workspace.path.with_name("workspace.db.leases")
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[NATIVE])
        folder.write_bytes(b"")
        with pytest.raises(Refused, match=r"^Not saved: Not a directory\.$"):
            workspace.pin([id])
