"""What may not be read for a while is shown as last read: it was not removed (S-5, S-90)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import detail_of
from tests.support.stores import cognitive, minions


@pytest.fixture(params=["minions", "cognitive"])
def store(request: pytest.FixtureRequest, workspace: Workspace, tmp_path: Path) -> tuple[str, Path]:
    """An attached tree, and a folder in it that holds memories."""
    if request.param == "minions":
        root = minions.make(tmp_path).root
    else:
        root = cognitive.make(tmp_path / "tree").root
    (info,) = workspace.attach(root)
    place = workspace.memories(workspace.search(f"store:{info.name} kind:item").ids[:1])[0]
    detail = detail_of(workspace, workspace.find(place.uid))
    return info.name, (root / detail.place).parent


def closed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """This user may not look into the folder: root may everything, so it is said in its place."""
    may = os.access

    def access(path: str | Path, mode: int) -> bool:
        return Path(path) != folder and may(path, mode)

    monkeypatch.setattr(os, "access", access)


def test_a_folder_that_may_not_be_read_takes_nothing_away(
    workspace: Workspace, store: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, folder = store
    before = {m.uid: m for m in workspace.memories(workspace.search(f"store:{name}", live=False).ids)}
    told = [detail_of(workspace, workspace.find(uid)).relations for uid in before]
    with monkeypatch.context() as patch:
        closed(patch, folder)
        (folder / "touched").write_text("so that the store is looked at again")
        (folder / "touched").unlink()  # the folder alone changes: nothing is known of what it holds
        assert workspace.pull().total == 0
        ids = workspace.search(f"store:{name}", live=False).ids
        assert {m.uid: m for m in workspace.memories(ids)} == before
        found = [each for each in workspace.doctor() if each.code == "unreadable"]
        assert any(str(folder.name) in each.place and "may not be read" in each.text for each in found)
    assert workspace.pull().total == 0
    assert {m.uid: m for m in workspace.memories(workspace.search(f"store:{name}", live=False).ids)} == before
    assert [detail_of(workspace, workspace.find(uid)).relations for uid in before] == told


def test_the_doctor_tells_what_stands_past_its_time(workspace: Workspace, tmp_path: Path) -> None:
    from tests.support.stores import founder_os

    rows = [{**founder_os.MEMORIES[0], "expires_at": 1_700_000_000}]
    place = founder_os.make(tmp_path / "old" / "memory.db", rows)
    workspace.attach(place)
    (found,) = [each for each in workspace.doctor() if each.code == "past-expiry"]
    assert "2023-11-14" in found.text
    assert found.meaning
