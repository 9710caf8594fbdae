"""Concurrent memtuis and broken stores do not harm each other's data (S-6, S-9, S-91)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import MCP, NATIVE, SAMPLE, DemoWorkspace, detail_of, find_id


def test_an_edit_conflicts_with_a_newer_edit_from_another_window(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    seen = {"content": detail_of(workspace, id).memory.content}
    with demo_workspace.opened() as other:
        other.edit([id], {"content": "Written in another window."})
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "Written here."}, seen=seen)
    assert conflict.value.stored == {"content": "Written in another window."}
    assert detail_of(workspace, id).memory.content == "Written in another window."


def test_concurrent_memtuis_keep_each_others_pins_and_tags(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    with demo_workspace.opened() as other:
        other.pin([id], "because")
        workspace.edit([id], {"tags": ("seen",)})
        other.edit([id], {"key": "k"})
        memory = detail_of(workspace, id).memory
        assert (memory.pinned, memory.tags, memory.key) == (True, ("seen",), "k")
        demo_workspace.store_paths[MCP].write_text(demo_workspace.store_paths[MCP].read_text() + "\n")
        workspace.pull()
        memory = detail_of(workspace, id).memory
        assert (memory.pinned, memory.tags, memory.key) == (True, ("seen",), "k")


def test_a_store_that_crashes_its_reader_does_not_block_others(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: McpMemory) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(McpMemory, "snapshot", broken)
    with demo_workspace.store_paths[MCP].open("a") as file:
        file.write("\n")
    workspace.add({"content": "Still here."})
    pulled = workspace.pull()
    assert list(pulled.errors) == [MCP]
    assert "too deep" in pulled.errors[MCP]
    assert workspace.search("still").total == 1
    assert workspace.counts().live > 10


def test_entities_of_the_same_name_are_all_read(
    demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "odd" / "memory.jsonl"
    file.parent.mkdir()
    lines: list[dict[str, object]] = [
        {"type": "entity", "name": name, "entityType": "x", "observations": []} for name in ("A", "A", "A#2")
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    (info,) = workspace.attach(file)
    assert info.count == 3
    assert workspace.pull().total == 0


def test_another_project_with_the_same_file_names_is_another_store(
    workspace: Workspace, tmp_path: Path
) -> None:
    def project(name: str, text: str) -> Path:
        folder = tmp_path / name / "memory"
        folder.mkdir(parents=True)
        head = "---\nname: Profile\ndescription: who\ntype: user\n---\n\n"
        (folder / "user_profile.md").write_text(f"{head}{text}\n")
        return folder

    first = project("first", "Likes zebras.")
    (info,) = workspace.attach(first)
    workspace.pin(list(workspace.search("zebras").ids))
    workspace.detach(info.name)
    (second,) = workspace.attach(project("second", "Likes walruses."))
    assert second.name == "claude-code:second"
    assert not workspace.search("is:pinned walruses").total
    os.rename(tmp_path / "first", tmp_path / "moved")
    (reattached,) = workspace.attach(tmp_path / "moved" / "memory")
    assert reattached.name == info.name
    assert workspace.search("is:pinned zebras").total == 1


def test_each_transaction_of_a_large_pull_is_journaled(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.CHUNK", 10)
    path = demo_workspace.store_paths[MCP]
    entity = {
        "type": "entity",
        "name": "Many",
        "entityType": "x",
        "observations": [f"fact {n}" for n in range(25)],
    }
    path.write_text(path.read_text() + "\n" + json.dumps(entity))
    assert workspace.pull().changes == {MCP: (25, 0, 0)}
    summaries = [event.summary for event in workspace.journal() if event.actor == f"sync:{MCP}"]
    assert len(summaries) == 3
    assert sum(int(summary.split()[1]) for summary in summaries) == 25


def test_a_circular_link_and_a_second_name_are_refused(
    demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(Refused, match="can't be resolved"):
        workspace.attach(tmp_path / "loop")
    with pytest.raises(Refused, match=f"Already attached as {MCP}"):
        workspace.attach(demo_workspace.store_paths[MCP], "other")
    assert {info.name for info in workspace.stores()} >= {NATIVE, MCP}
