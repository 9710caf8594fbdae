"""Agents that are served write to the store that their policy says (S-61)."""

from __future__ import annotations

import json
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from memtui.agents.hooks.answering import Answering
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
            given = {"cwd": "/home/me/farm", "last_assistant_message": f"Decision: {text}"}
            request = ["1", "stop", "scout", store, ""]
            Answering(work, tmp_path).answer(request, json.dumps(given).encode(), lambda: True, print)
            return ", ".join(each.store for each in work.memories(work.ids_in()) if each.content == text)

        assert (served(""), hooked("goats eat hay", "")) == ("native", "native")
        work.set_policy("scout", writes_to="team")
        assert (served(""), hooked("bees buzz loudly", "")) == ("team", "team")
        assert (served("native"), hooked("lakes freeze over", "native")) == ("native", "native")
        work.detach("team")
        with pytest.raises(Refused, match="team, the store that scout writes to, is not attached"):
            served("")
        assert hooked("cows say moo", "") == ""
