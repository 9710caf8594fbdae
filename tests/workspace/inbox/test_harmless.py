"""What nobody has to act on is the doctor's to list, not the Inbox's (S-52)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.workspace.workspace import Workspace
from tests.support.stores import cognitive


def test_uses_of_a_memory_that_an_agent_forgot_do_not_wait_for_anybody(tmp_path: Path) -> None:
    store = cognitive.make(tmp_path / "tree")
    with closing(Workspace.open(tmp_path / "w.db")) as work:
        work.attach(store.root, name="tree")
        work.forget([work.find(each.uid) for each in work.memories(work.ids_in()) if each.times_used])
        work.pull()
        assert "stray-state" in {each.code for each in work.doctor()}
        assert "stray-state" not in {each.code for each in work.inbox().items}
