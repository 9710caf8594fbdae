"""Agents that are served write to the store that their policy says (S-61)."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from memtui.agents.hooks.desk import Desk as HookDesk
from memtui.agents.hooks.payload import Payload
from memtui.agents.mcp.desk import Desk
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty
from tests.support.stores import mcp_memory


def test_a_server_and_a_hook_write_where_the_policy_says_unless_a_store_is_named(tmp_path: Path) -> None:
    mcp_memory.make(tmp_path / "team" / "memory.jsonl")
    with closing(Workspace.open(create_empty(tmp_path / "w.db"))) as work:
        work.attach(tmp_path / "team" / "memory.jsonl", "team")

        def served(store: str) -> str:
            desk = Desk(nullcontext(work), "scout", store)
            try:
                desk.opened.stores()
                return desk.store
            finally:
                desk._thread.shutdown()

        def hooked(text: str, store: str) -> str:
            desk = HookDesk(work, "scout", store, "", Payload.read(b"{}"), tmp_path)
            done = desk.remember({"content": text, "subject": "Goat", "category": "note"})
            return work.memories([done.id])[0].store

        assert (served(""), hooked("Goats eat", "")) == ("native", "native")
        work.set_policy("scout", writes_to="team")
        assert (served(""), hooked("Bees buzz", "")) == ("team", "team")
        assert (served("native"), hooked("Lakes freeze", "native")) == ("native", "native")
        work.detach("team")
        with pytest.raises(Refused, match="team, the store that scout writes to, is not attached"):
            served("")
        with pytest.raises(Refused, match="team, the store that scout writes to, is not attached"):
            hooked("Cows moo", "")
