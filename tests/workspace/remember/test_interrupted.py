"""A process that dies while an agent's write changes several memories leaves all of it, or none."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import sample_cases
from tests.workspace.remember.test_table import cognitive, founder_os, mem_skill

FIELDS: dict[str, Any] = {"key": "office", "title": "Office", "content": "The office is open at ten."}
WRITES: list[tuple[Any, Any, Any]] = [  # each changes two memories
    (mem_skill, {}, {"category": "other"}),  # the old fact ends
    (founder_os, {"confidence": 60}, {"category": "fact", "key": "other"}),  # another is promoted
    (cognitive, {}, {"category": "decision"}),  # the episode
]


@pytest.mark.parametrize(("step", "write"), sample_cases(product((0, 1, 2), WRITES), 5))
def test_an_interrupted_write_is_whole_or_not_there(
    tmp_path: Path, kill_harness: KillHarness, step: int, write: tuple[Any, Any, Any]
) -> None:
    make, before, more = write
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
        assert len(workspace.journal_items(entry.id)) == 2
        workspace.undo(entry.id)
        assert read() == first
    workspace.close()
