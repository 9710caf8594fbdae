"""Memories that cannot be read for a while are shown as last read, not removed (S-5, S-90)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, DemoWorkspace, detail_of
from tests.support.stores import cognitive, minions


@pytest.fixture(params=["minions", "cognitive"])
def store(request: pytest.FixtureRequest, workspace: Workspace, tmp_path: Path) -> tuple[str, Path]:
    """An attached tree, and a folder in it that holds memories."""
    if request.param == "minions":
        root = minions.make(tmp_path).root
    else:
        root = cognitive.make(tmp_path / "tree").root
    (info,) = workspace.attach(root)
    first = workspace.memories(workspace.search(f"store:{info.name} kind:item").ids[:1])[0]
    detail = detail_of(workspace, workspace.find(first.uid))
    return info.name, (root / detail.place).parent


def deny_access(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make `os.access` deny the folder: permissions do not stop root."""
    real_access = os.access

    def access(path: str | Path, mode: int) -> bool:
        return Path(path) != folder and real_access(path, mode)

    monkeypatch.setattr(os, "access", access)


def test_memories_in_an_unreadable_folder_are_kept(
    workspace: Workspace, store: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, folder = store
    before = {m.uid: m for m in workspace.memories(workspace.search(f"store:{name}", live=False).ids)}
    relations = [detail_of(workspace, workspace.find(uid)).relations for uid in before]
    with monkeypatch.context() as patch:
        deny_access(patch, folder)
        (folder / "touched").write_text("changes the folder's mtime")
        (folder / "touched").unlink()  # only the folder changes, not the files in it
        assert workspace.pull().total == 0
        ids = workspace.search(f"store:{name}", live=False).ids
        assert {m.uid: m for m in workspace.memories(ids)} == before
        findings = [each for each in workspace.doctor() if each.code == "unreadable"]
        assert any(
            str(folder.name) in each.place and "No permission to read" in each.text for each in findings
        )
    assert workspace.pull().total == 0
    assert {m.uid: m for m in workspace.memories(workspace.search(f"store:{name}", live=False).ids)} == before
    assert [detail_of(workspace, workspace.find(uid)).relations for uid in before] == relations


def test_the_doctor_reports_expired_memories_that_are_still_stored(
    workspace: Workspace, tmp_path: Path
) -> None:
    from tests.support.stores import founder_os

    rows = [{**founder_os.MEMORIES[0], "expires_at": 1_700_000_000}]
    path = founder_os.make(tmp_path / "old" / "memory.db", rows)
    workspace.attach(path)
    (finding,) = [each for each in workspace.doctor() if each.code == "past-expiry"]
    assert "2023-11-14" in finding.text
    assert finding.meaning


def test_an_error_recorded_without_its_code_gets_it_with_the_next_pull(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    demo_workspace.store_paths[FOUNDER].write_bytes(b"no database" * 999)
    workspace.pull()
    (info,) = (store for store in workspace.stores() if store.name == FOUNDER)
    workspace._ctx.db.run("UPDATE stores SET error_code = ''")  # as it is after the migration
    workspace.pull()
    assert info.error_code
    assert [store.error_code for store in workspace.stores() if store.name == FOUNDER] == [info.error_code]
