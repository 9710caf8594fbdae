"""A process that dies while an agent's write changes several memories leaves all of it, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.kills.kill_harness import KillHarness
from tests.workspace.remember.test_table import cognitive, founder_os, mem_skill

FIELDS: dict[str, Any] = {"key": "office", "title": "Office", "content": "The office is open at ten."}


@pytest.mark.parametrize("step", [0, 1, 2])
@pytest.mark.parametrize(
    ("make", "before", "more", "parts"),
    [
        (mem_skill, {}, {"category": "other"}, 2),  # the old fact ends
        (founder_os, {"confidence": 60}, {"category": "fact", "key": "other"}, 2),  # another is promoted
        (cognitive, {}, {"category": "decision"}, 2),  # the episode
    ],
)
def test_an_interrupted_write_is_whole_or_not_there(
    tmp_path: Path, kill_harness: KillHarness, make: Any, before: Any, more: Any, parts: int, step: int
) -> None:
    (tmp_path / "store").mkdir()
    path, read = make(tmp_path / "store", before)
    workspace = Workspace.open(tmp_path / "own" / "w.db")
    workspace.attach(path, "store")
    workspace.close()
    first = read()
    call = ["remember", "ada", {**FIELDS, **more}, "store"]
    result = kill_harness.run(
        tmp_path / "own" / "w.db", call, {"kind": "step", "at": step, "after": True, "early": False}
    )
    assert result["killed"], result
    workspace = Workspace.open(tmp_path / "own" / "w.db")
    assert workspace.pull().total == 0
    if step == 0:
        assert read() == first
    else:
        assert read()["new"]
        entry = next(each for each in workspace.journal() if each.actor == "agent:ada")
        assert len(workspace.journal_items(entry.id)) == parts
        workspace.undo(entry.id)
        assert read() == first
    workspace.close()
