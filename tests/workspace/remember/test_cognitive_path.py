"""What an agent's write does in a Cognitive Memory tree, file by file, as its own client would (S-105)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.workspace.remember.conftest import tree

ID = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
REDIS = "graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md"
MEMORY = f"""---
id: {ID}
type: solution
title: "Fixed Redis connection timeouts"
tags: [redis]
importance: 0.8
confidence: 0.8
created: 2025-12-06T16:25:58+00:00
updated: 2025-12-06T16:25:58+00:00
---

Added socket_keepalive=True.
"""
INDEX: dict[str, Any] = {
    "version": 2, "updated": "2025-12-13T10:30:00+00:00", "count": 1, "edges": {},
    "entries": {ID: {
        "title": "Fixed Redis connection timeouts", "type": "solution", "tags": ["redis"], "importance": 0.8,
        "confidence": 0.8, "created": "2025-12-06T16:25:58+00:00", "updated": "2025-12-06T16:25:58+00:00",
        "path": REDIS, "relations": [],
    }},
}  # fmt: skip
STATE: dict[str, Any] = {
    "version": 1, "updated": "2025-12-13T10:30:00+00:00",
    "entries": {ID: {"access_count": 5, "last_accessed": "2025-12-13T10:15:00+00:00", "decay_score": 0.75}},
}  # fmt: skip
FIRST = "# 2027-01-15\n\n## 07:30 - Fixed Redis connection timeouts\n- **Type:** solution\n"
DAY, NOW_TEXT = "episodes/2027-01-15.md", "2027-01-15T08:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path, work: Workspace) -> Path:
    root = tmp_path / "memory"
    for name, text in {
        REDIS: MEMORY,
        "_index.json": json.dumps(INDEX, indent=2),
        "_state.json": json.dumps(STATE, indent=2),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    work.attach(root, "tree")
    return root


def stored(work: Workspace, agent: str = "coder", **fields: Any) -> Any:
    given = {"title": "Chose websocket over polling", "content": "Lower latency.\nSee the numbers."}
    more = {"category": "decision", "tags": ("major-domo", "architecture")}
    return work.remember(agent, {**given, **more, **fields}, "tree")


def entry(path: str, title: str = "Chose websocket over polling") -> str:
    return (
        f"## 08:00 - {title}\n- **Type:** decision\n- **Tags:** major-domo, architecture\n"
        f"- **Memory:** [{path.split('/')[-1][:-10]}](../{path})\n"
        "- **Summary:** Lower latency. See the numbers.\n"
    )


@pytest.mark.parametrize("first", ["", FIRST, FIRST.rstrip("\n"), FIRST.replace("\n", "\r\n")])
def test_storing_writes_the_file_its_index_entry_and_the_episode(
    work: Workspace, store: Path, first: str
) -> None:
    if first:
        (store / DAY).parent.mkdir()
        (store / DAY).write_bytes(first.encode())
        work.pull()
    before = tree(store)
    done = stored(work)
    now = tree(store)
    (path,) = [name for name in now if name.startswith("graph/decisions/chose-websocket-over-polling-")]
    id = next(line for line in now[path].decode().splitlines() if line.startswith("id: "))[4:]
    assert path == f"graph/decisions/chose-websocket-over-polling-{id[:6]}.md"
    assert now[path].decode() == (
        f'---\nid: {id}\ntype: decision\ntitle: "Chose websocket over polling"\n'
        "tags: [major-domo, architecture]\nimportance: 0.5\nconfidence: 0.8\n"
        f"created: {NOW_TEXT}\nupdated: {NOW_TEXT}\n---\n\nLower latency.\nSee the numbers.\n"
    )
    index = json.loads(now["_index.json"])
    assert (index["count"], index["entries"][ID]) == (2, INDEX["entries"][ID])
    assert index["entries"][id] == {
        "title": "Chose websocket over polling", "type": "decision", "tags": ["major-domo", "architecture"],
        "importance": 0.5, "confidence": 0.8, "created": NOW_TEXT, "updated": NOW_TEXT, "path": path,
        "relations": [],
    }  # fmt: skip
    line_end = "\r\n" if "\r\n" in first else "\n"
    kept = f"{first.rstrip()}{line_end * 2}" if first else "# 2027-01-15\n\n"
    assert now[DAY].decode() == kept + entry(path).replace("\n", line_end)
    assert now[DAY].startswith(first.encode())  # nothing that was there is edited
    assert now["_state.json"] == before["_state.json"]  # only uses change it
    assert "episodes" in done.change.summary
    assert work.pull().total == 0
    work.undo(done.change.journal_id)
    assert tree(store) == before
    work.redo()
    assert tree(store) == now


def link(day: Path) -> None:
    (day.parent / "elsewhere.md").write_text(FIRST)
    day.symlink_to("elsewhere.md")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (link, "2027-01-15.md is a symbolic link"),
        (Path.mkdir, "2027-01-15.md is not a plain file"),
        (lambda day: day.write_bytes(b"# \xff\xfe"), "2027-01-15.md is not "),
    ],
)
def test_what_cannot_have_the_episode_keeps_nothing_else_out(
    work: Workspace, store: Path, make: Callable[[Path], object], reason: str
) -> None:
    (store / DAY).parent.mkdir()
    make(store / DAY)
    work.pull()
    before = tree(store)
    done = stored(work)
    assert f"not added to the episodes of the day (episodes/{reason}" in done.change.summary
    assert {name: tree(store)[name] for name in before if name.startswith("episodes/")} == {
        name: data for name, data in before.items() if name.startswith("episodes/")
    }
    assert len(list(store.glob("graph/decisions/*.md"))) == 1
    work.undo(done.change.journal_id)
    assert tree(store) == before


def test_an_episode_that_others_wrote_after_it_stays(work: Workspace, store: Path) -> None:
    done = stored(work)
    with (store / DAY).open("a") as file:
        file.write("\n## 09:00 - Lunch\n- **Type:** general\n")
    work.pull()
    work.undo(done.change.journal_id)
    text = (store / DAY).read_text()
    assert text.endswith("\n## 09:00 - Lunch\n- **Type:** general\n")
    assert not list(store.glob("graph/decisions/*.md"))


def test_an_episode_is_read_by_those_who_may_read_the_memory(work: Workspace, store: Path) -> None:
    stored(work)
    own = work.recall("websocket polling latency", Caller("coder"), limit=20).memories
    assert {each.kind for each in own} == {"item", "episode"}
    assert work.recall("websocket polling latency", Caller("other"), limit=20).memories == ()
    work.set_policy("coder", most=["private=2"])
    assert (
        stored(work, title="Kept Redis", content="It is fast enough.").outcome == "added"
    )  # no third memory


def test_the_same_again_adds_neither_file_nor_episode(work: Workspace, store: Path) -> None:
    stored(work)
    before = tree(store)
    assert stored(work).outcome == "known"
    assert {name: data for name, data in tree(store).items() if name != "_index.json"}.keys() == (
        before.keys() - {"_index.json"}
    )
    assert tree(store)[DAY] == before[DAY]


def test_forgetting_takes_the_file_and_its_index_entry_out(work: Workspace, store: Path) -> None:
    before = tree(store)
    (id,) = work.search("keepalive").ids
    change = work.forget_for("coder", id)
    now = tree(store)
    assert before.keys() - now.keys() == {REDIS}
    assert json.loads(now["_index.json"])["entries"] == {}
    work.undo(change.journal_id)
    assert tree(store) == before
