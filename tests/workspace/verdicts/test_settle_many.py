"""One verdict on many pairs at once: one entry, one undo (S-42, S-52)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import BOTH_TRUE, FALSE_POSITIVE, KEEP_A, LATER
from memtui.workspace.background import JobControl
from memtui.workspace.workspace import Workspace
from tests.support.stores import mcp_memory

NOW = 1_763_000_000.0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    bugs = [
        mcp_memory.entity(f"Bug {name}", "State: open", "State: fixed", "State: blocked", kind="bug")
        for name in ("login", "search")
    ]
    store = mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(mcp_memory.lines(*bugs)).encode()).root
    with closing(Workspace.open(tmp_path / "w.db", clock=lambda: NOW)) as opened:
        opened.attach(store, "graph")
        opened.scan()
        yield opened


@pytest.mark.parametrize("verdict", [BOTH_TRUE, FALSE_POSITIVE, LATER])
def test_a_verdict_on_all_is_one_change(workspace: Workspace, tmp_path: Path, verdict: str) -> None:
    found = [pair.id for pair in workspace.pairs()]
    assert len(found) == 6
    before = (tmp_path / "memory.jsonl").read_bytes()
    change = workspace.settle_many(found[:5], verdict, NOW + 3 * 86_400 if verdict == LATER else None)
    assert "5 pairs" in change.summary
    assert [pair.id for pair in workspace.pairs()] == found[5:]
    assert workspace.journal()[0].id == change.journal_id
    workspace.undo()
    assert [pair.id for pair in workspace.pairs()] == found
    workspace.redo()
    assert [pair.id for pair in workspace.pairs()] == found[5:]
    assert (tmp_path / "memory.jsonl").read_bytes() == before


def test_what_cannot_be_resolved_is_left_out_and_told(workspace: Workspace) -> None:
    first, second, *_ = [pair.id for pair in workspace.pairs()]
    workspace.settle(first, KEEP_A)
    change = workspace.settle_many([first, second, 999], FALSE_POSITIVE)
    assert len(change.skipped) == 2
    assert "1 pair" in change.summary
    with pytest.raises(Refused):
        workspace.settle_many([first, second], FALSE_POSITIVE)


def test_texts_are_chosen_pair_by_pair(workspace: Workspace) -> None:
    with pytest.raises(Refused, match="Several pairs"):
        workspace.settle_many([pair.id for pair in workspace.pairs()], KEEP_A)


def test_a_stop_leaves_everything(workspace: Workspace) -> None:
    found = [pair.id for pair in workspace.pairs()]
    with pytest.raises(Refused, match="Stopped"):
        workspace.settle_many(found, FALSE_POSITIVE, control=JobControl(stop=lambda: True))
    assert [pair.id for pair in workspace.pairs()] == found
