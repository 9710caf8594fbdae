"""The store that an agent writes to, as its policy says (S-61)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.policies.policy import Policy
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty
from tests.support.stores import mcp_memory


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=lambda: NOW)
    for folder, name in (("team", "mcp:team"), ("mates", "mates")):
        mcp_memory.make(tmp_path / folder / "memory.jsonl")
        workspace.attach(tmp_path / folder / "memory.jsonl", name)
    yield workspace
    workspace.close()


def store_of(work: Workspace, agent: str, text: str) -> str:
    """Return the store that a memory of an agent went into."""
    done = work.remember(agent, {"content": text, "subject": text, "category": "note"})
    return work.memories([done.id])[0].store


def test_an_agents_memories_go_where_its_policy_says_and_undo_takes_that_back(work: Workspace) -> None:
    assert store_of(work, "scout", "Kettles boil") == "native"
    work.set_policy("scout", writes_to="team")  # the end of a name is enough, as elsewhere
    assert work.policies()[0].writes_to == "mcp:team"
    work.set_policy("*", writes_to="mates")
    assert (work.store_for("scout"), work.store_for("ada")) == ("mcp:team", "mates")
    assert store_of(work, "scout", "Lakes freeze") == "mcp:team"
    assert work.remember("scout", {"content": "Goats eat"}, "native").outcome == "added"
    work.set_policy("scout", writes_to="native")
    assert work.store_for("scout") == "native", "not that of every agent"
    work.undo()
    assert work.store_for("scout") == "mcp:team"
    work.undo()
    work.undo()
    assert (work.store_for("scout"), work.policies()) == ("native", [])


def test_the_store_keeps_its_agents_when_it_is_renamed_and_one_that_is_gone_is_said(work: Workspace) -> None:
    work.set_policy("scout", writes_to="mcp:team", expiry="30d")
    work.rename_store("mcp:team", "crew")
    assert work.store_for("scout") == "crew"
    work.lock_store("crew", True)
    with pytest.raises(Refused, match="crew") as caught:
        work.remember("scout", {"content": "Lakes freeze"})
    assert caught.value.code == "read-only"
    work.detach("crew")
    before = work.journal()[0]
    with pytest.raises(Refused, match="crew, the store that scout writes to, is not attached") as caught:
        work.remember("scout", {"content": "Lakes freeze"})
    assert caught.value.code == "no-store"
    assert work.journal()[0] == before
    work.set_policy("scout", writes_to="")
    assert work.store_for("scout") == "native"


def test_a_store_that_is_not_attached_is_refused(work: Workspace) -> None:
    refused: list[Callable[[], object]] = [
        lambda: work.set_policy("scout", writes_to="nowhere"),
        lambda: work.import_rules([], [Policy("scout", writes_to="nowhere")]),
    ]
    for refuse in refused:
        with pytest.raises(Refused, match="No store named nowhere is attached") as caught:
            refuse()
        assert caught.value.code == "no-store"
    assert work.policies() == []
    work.import_rules([], [Policy("scout", writes_to="mates")])
    assert work.store_for("scout") == "mates"
