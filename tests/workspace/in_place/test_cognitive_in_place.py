"""Cognitive Memory in a workspace: every command, its undo, and agents at work."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.memory.memory import Memory
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores.cognitive import (
    DAY_AT,
    DEPLOY_AT,
    DROPS,
    DROPS_AT,
    FILES,
    REDIS,
    REDIS_AT,
    SOCKETS,
    SOCKETS_AT,
    make,
    memory,
)
from tests.support.stores.files import read_tree

STORE = "cognitive:memory"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "memory").root


@pytest.fixture
def workspace(tmp_path: Path, root: Path) -> Iterator[Workspace]:
    opened = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    opened.attach(root, STORE)
    yield opened
    opened.close()


def find_id(workspace: Workspace, words: str) -> int:
    (id,) = workspace.search(words, live=False).ids
    return id


def memory_of(workspace: Workspace, id: int) -> Memory:
    (memory,) = workspace.memories([id])
    assert isinstance(memory, Memory)
    return memory


def replace_text(path: Path, old: str, new: str) -> None:
    """Replace a text that the file contains once, as an agent does."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def assert_mirror_is_complete(workspace: Workspace, root: Path) -> None:
    """Check that the mirror equals that of a workspace which reads the tree for the first time."""
    fresh = Workspace.open(create_empty(root.parent / "again" / "workspace.db"), clock=Clock())
    fresh.attach(root, STORE)
    for sql in (
        "SELECT source, kind, target, strength, context, body, unit FROM relations ORDER BY 1, 2, 3, 7",
        "SELECT kind, about, words, unit FROM side_records ORDER BY 1, 2, 3, 4",
    ):
        assert workspace._ctx.db.rows(sql) == fresh._ctx.db.rows(sql)
    fresh.close()
    shutil.rmtree(root.parent / "again")


def test_attaching_and_reading_change_no_byte(workspace: Workspace, root: Path) -> None:
    before = read_tree(root)
    workspace.pull()
    workspace.doctor()
    for id in workspace.search("", live=False).ids:
        workspace.detail(id)
    assert read_tree(root) == before
    assert {name: data.decode() for name, data in before.items()} == FILES


def test_the_api_key_of_the_config_is_stored_nowhere(
    workspace: Workspace, root: Path, tmp_path: Path
) -> None:
    workspace.pin([find_id(workspace, "keepalive timeouts socket_timeout")])
    secret = json.loads((root / "_config.json").read_text())["openai_api_key"].encode()
    for path in (tmp_path / "w").rglob("*"):
        if path.is_file() and not path.name.startswith("workspace.db"):
            assert secret not in path.read_bytes(), path


def test_a_memory_shows_its_relations_and_episodes(workspace: Workspace) -> None:
    detail = workspace.detail(find_id(workspace, "socket_keepalive"))
    assert detail is not None
    relations = {(found.kind, found.target) for found in detail.relations}
    assert ("SOLVES", "def789ab-1111-4222-8333-444455556666") in relations
    assert [(found.kind, found.text) for found in detail.related_records] == [
        ("episode", "2025-12-13 10:30 Fixed Redis")
    ]
    assert detail.memory.times_used == 5


@pytest.mark.parametrize(
    "verb", ["pin", "dismiss", "edit", "retitle", "retype", "confirm", "relate", "two edits"]
)
def test_each_command_is_undone_to_the_byte(workspace: Workspace, root: Path, verb: str) -> None:
    before, id = read_tree(root), find_id(workspace, "socket_keepalive")
    memory_before = memory_of(workspace, id)
    if verb == "pin":
        workspace.pin([id], "it counts")
        assert memory_of(workspace, id).pinned
        assert (root / "vault" / Path(REDIS_AT).name).exists()
    elif verb == "dismiss":
        workspace.dismiss([id])
        assert memory_of(workspace, id).status == "dismissed"
        assert not (root / REDIS_AT).exists()
    elif verb == "edit":
        workspace.edit([id], {"content": "Another text.", "tags": ("x",)})
        assert "Another text." in (root / REDIS_AT).read_text()
    elif verb == "retitle":
        workspace.edit([id], {"title": "Keepalive"})
        assert (root / "graph/solutions/keepalive-a1b2c3.md").exists()
    elif verb == "retype":
        workspace.edit([id], {"category": "fix"})
        assert (root / "graph/fixes" / Path(REDIS_AT).name).exists()
    elif verb == "confirm":
        workspace.confirm([id])
        assert read_tree(root) == before  # the format counts no confirmations
    elif verb == "relate":
        procedure = find_id(workspace, "deploy workflow standard")
        workspace.relate(id, "follows", procedure, context="so", body="A description.")
        assert f"target: {REDIS}" in (root / DEPLOY_AT).read_text()
    else:
        workspace.edit([id], {"content": "One"})
        workspace.edit([id], {"title": "Two"})
        workspace.undo()
    workspace.undo()
    assert read_tree(root) == before
    assert memory_of(workspace, id) == memory_before


def test_relations_and_episodes_always_follow_the_files(workspace: Workspace, root: Path) -> None:
    redis, drops = find_id(workspace, "socket_keepalive"), find_id(workspace, "Idle sockets")
    sockets, deploy = find_id(workspace, "kind:item Lower latency"), find_id(workspace, "Standard deploy")
    steps: tuple[Callable[[], Change], ...] = (
        lambda: workspace.dismiss([redis]),
        lambda: workspace.undo(),
        lambda: workspace.edit([sockets], {"title": "Sockets, not polling"}),
        lambda: workspace.unpin([sockets]),
        lambda: workspace.relate(redis, "FOLLOWS", deploy, body="A description."),
        lambda: workspace.edit([deploy], {"title": "Deploy it"}),
        lambda: workspace.unrelate(redis, "SOLVES", drops),
        lambda: workspace.supersede([deploy], sockets),
        lambda: workspace.dismiss([sockets]),
        lambda: workspace.restore([deploy]),
        lambda: workspace.undo(),
        lambda: workspace.undo(),
        lambda: workspace.undo(),
    )
    for step in steps:
        step()
        assert_mirror_is_complete(workspace, root)


def test_a_dismissed_memory_is_restored_with_the_links_to_it(workspace: Workspace, root: Path) -> None:
    before, id = read_tree(root), find_id(workspace, "socket_keepalive")
    workspace.dismiss([id])
    assert "relations" not in (root / DROPS_AT).read_text()
    workspace.restore([id])
    assert read_tree(root) == before
    assert memory_of(workspace, id).status == "confirmed"


def test_a_dismissed_memory_is_restored_after_changes_of_an_agent(workspace: Workspace, root: Path) -> None:
    id = find_id(workspace, "socket_keepalive")
    workspace.dismiss([id])
    replace_text(root / DROPS_AT, "Idle sockets die", "Idle sockets still die")
    workspace.pull()
    workspace.restore([id])
    assert (root / REDIS_AT).read_text() == FILES[REDIS_AT]
    assert (root / DROPS_AT).read_text() == FILES[DROPS_AT].replace(
        "Idle sockets die", "Idle sockets still die"
    )


def test_a_memory_deleted_by_an_agent_is_restored_under_its_id(workspace: Workspace, root: Path) -> None:
    id = find_id(workspace, "socket_keepalive")
    (root / REDIS_AT).unlink()
    workspace.pull()
    workspace.restore([id])
    assert f"id: {REDIS}\n" in (root / REDIS_AT).read_text()
    assert f"target: {DROPS}\n" in (root / REDIS_AT).read_text()
    assert "updated: 1970" not in (root / REDIS_AT).read_text()
    assert workspace.pull().total == 0
    assert_mirror_is_complete(workspace, root)


def test_a_field_changed_by_an_agent_is_a_conflict(workspace: Workspace, root: Path) -> None:
    id = find_id(workspace, "socket_keepalive")
    replace_text(root / REDIS_AT, "[redis, timeout, production, homelab]", "[theirs]")
    with pytest.raises(Conflict) as refused:
        workspace.edit([id], {"tags": ("mine",)})
    assert refused.value.stored == {"tags": ("theirs",)}
    assert "[theirs]" in (root / REDIS_AT).read_text()
    workspace.pull()
    assert memory_of(workspace, id).tags == ("theirs",)


def test_a_use_counted_by_an_agent_is_not_a_conflict(workspace: Workspace, root: Path) -> None:
    id = find_id(workspace, "socket_keepalive")
    replace_text(root / "_state.json", '"access_count": 5', '"access_count": 6')
    workspace.edit([id], {"content": "Mine."})
    assert workspace.pull().total == 0
    assert memory_of(workspace, id).times_used == 6


def test_episodes_are_append_only(workspace: Workspace, root: Path) -> None:
    id = find_id(workspace, "kind:episode polling")
    with pytest.raises(Refused, match="append-only"):
        workspace.dismiss([id])
    with pytest.raises(Refused, match="append-only"):
        workspace.edit([id], {"content": "x"})
    workspace.pin([id], "a good day")
    assert memory_of(workspace, id).pinned, "kept in memtui"
    assert (root / DAY_AT).read_text() == FILES[DAY_AT]


def test_a_relation_of_an_unknown_kind_is_kept_in_memtui(workspace: Workspace, root: Path) -> None:
    before = read_tree(root)
    workspace.relate(
        find_id(workspace, "socket_keepalive"), "reminds of", find_id(workspace, "Standard deploy")
    )
    assert read_tree(root) == before


def test_a_memory_is_superseded_by_another(workspace: Workspace, root: Path) -> None:
    before = read_tree(root)
    loser, winner = find_id(workspace, "Idle sockets die"), find_id(workspace, "Standard deploy")
    workspace.supersede([loser], winner)
    assert not (root / DROPS_AT).exists()
    workspace.undo()
    assert read_tree(root) == before


def test_only_the_changed_files_of_a_large_tree_are_read(workspace: Workspace, root: Path) -> None:
    for n in range(330):
        folder = root / "graph/errors"
        folder.mkdir(exist_ok=True)
        said_so = memory(f"{n:06x}-1", f"Error {n}", f"Trouble number{n}.", type="error")
        (folder / f"error-{n}-{n:06x}.md").write_text(said_so)
    assert workspace.pull().changes == {STORE: (330, 0, 0)}
    assert workspace.pull().total == 0

    relation = f"relations:\n  - target: {SOCKETS}\n    type: CAUSES\n    direction: incoming\n"
    replace_text(root / "graph/errors/error-7-000007.md", "created:", f"{relation}created:")
    (root / "graph/errors/error-8-000008.md").unlink()
    replace_text(root / REDIS_AT, "Added socket_keepalive", "Set socket_keepalive")
    assert workspace.pull().changes == {STORE: (0, 1, 1)}
    assert_mirror_is_complete(workspace, root)

    renamed = root / "vault/chose-sockets-d4e5f6.md"
    (root / SOCKETS_AT).rename(renamed)
    workspace.pull()
    assert_mirror_is_complete(workspace, root)
    renamed.unlink()  # the episode still has its former name
    workspace.pull()
    assert_mirror_is_complete(workspace, root)

    (root / "vault" / Path(REDIS_AT).name).write_bytes((root / REDIS_AT).read_bytes())
    (root / REDIS_AT).unlink()  # as if an agent had pinned it
    workspace.pull()
    assert memory_of(workspace, find_id(workspace, "socket_keepalive")).pinned


def test_the_doctor_reports_problems(workspace: Workspace, root: Path) -> None:
    (root / DROPS_AT).unlink()
    workspace.pull()
    codes = {(issue.code, issue.meaning != "") for issue in workspace.doctor() if issue.store == STORE}
    assert {
        ("dangling", True),
        ("dangling-edge", True),
        ("stale-index", True),
        ("dangling-link", True),
    } <= codes


def test_a_purged_text_is_erased_everywhere(workspace: Workspace, root: Path) -> None:
    workspace.purge([find_id(workspace, "socket_keepalive")])
    assert not any(b"socket_keepalive" in data for data in read_tree(root).values())


def test_derived_files_are_rebuilt_after_a_backup(workspace: Workspace, root: Path) -> None:
    assert workspace.rebuild(STORE, "index") == ()
    assert workspace.backups() == []
    assert workspace.rebuild(STORE, "core") == ("CORE.md",)
    assert len(workspace.backups()) == 1
    assert workspace.rebuild(STORE, "core") == ()
    assert workspace.rebuild(STORE, "state") == ("_state.json",)
    state = json.loads((root / "_state.json").read_text())["entries"]
    assert (state[REDIS]["access_count"], state[REDIS]["last_accessed"]) == (5, "2025-12-13T10:15:00+00:00")
    assert [event.summary for event in workspace.journal()][:2] == [
        f"Rebuilt _state.json in {STORE}",
        f"Rebuilt CORE.md in {STORE}",
    ]
    assert (root / "CORE.md").stat().st_mode & 0o777 == 0o640
    assert workspace.pull().total == 0


def test_a_read_only_tree_is_not_rebuilt(workspace: Workspace, root: Path) -> None:
    with pytest.raises(Refused, match="is not a Cognitive Memory store"):
        workspace.rebuild("native", "core")
    workspace.lock_store(STORE, True)
    before = read_tree(root)
    with pytest.raises(Refused, match="read-only"):
        workspace.rebuild(STORE, "core")
    assert read_tree(root) == before


def test_restoring_a_backup_restores_the_tree_and_leaves_other_files(
    workspace: Workspace, root: Path
) -> None:
    before = read_tree(root)
    workspace.pin([find_id(workspace, "socket_keepalive")])
    workspace.edit([find_id(workspace, "Standard deploy")], {"title": "Deploy it", "category": "workflow"})
    (backup,) = workspace.backups()
    assert b"openai_api_key" not in Path(backup.path).read_bytes()
    workspace.restore_backup(backup.id)
    assert read_tree(root) == before


def test_an_interrupted_change_is_settled_at_the_next_start(tmp_path: Path, root: Path) -> None:
    class Cut(BaseException):
        pass

    def stop(step: str) -> None:
        if step == "after the foreign write" and armed:
            raise Cut

    armed: list[bool] = []
    path = tmp_path / "w" / "workspace.db"
    first = Workspace.open(path, clock=Clock(), on_step=stop)
    first.attach(root, STORE)
    id = find_id(first, "socket_keepalive")
    armed.append(True)
    with pytest.raises(Cut):
        first.edit([id], {"title": "Keepalive"})
    first.close()
    second = Workspace.open(path, clock=Clock())
    assert second.reconciled
    assert memory_of(second, id).title == "Keepalive"
    second.undo()
    assert {name: data.decode() for name, data in read_tree(root).items()} == FILES
    second.close()
