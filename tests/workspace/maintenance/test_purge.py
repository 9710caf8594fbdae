"""A purge erases a text from its store and from every file of the workspace (S-50)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.formats.media.files.store import FileStore
from memtui.memory.results import ErasureResult
from memtui.workspace.maintenance.purge.matching import TextMatcher
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    assert_in_sync,
    contents,
    find_id,
    memory,
    refusal,
    rows,
)
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import shard
from tests.support.stores import Agent, rows_in

# Texts that only the purged memory has or had.
QUAGGA, ZORILLA = "quaggas graze at Xanadu", "zorillas bask in Ystradgynlais"
WORDS = ("quagga", "Xanadu", "zorilla", "Ystradgynlais")


def grep(folder: Path, *words: str) -> set[Path]:
    """Return the files in a folder that contain one of the words, in any encoding that memtui uses."""
    patterns = [each for word in words for each in (word, word.casefold())]
    wide = ["\\x00".join([*word, ""]) for word in words]
    found = set()
    for flags, pattern in (("-rlaiF", "\n".join(patterns)), ("-rlaP", "|".join(wide))):
        out = subprocess.run(["grep", flags, "--", pattern, str(folder)], capture_output=True, text=True)
        assert out.returncode in (0, 1), out.stderr
        found |= {Path(line) for line in out.stdout.splitlines()}
    return found


def row_texts(workspace: Workspace) -> dict[int, tuple[object, ...]]:
    """Return ref, content and status of each row of the mirror."""
    return {id: (row["ref"], row["content"], row["status"]) for id, row in rows(workspace).items()}


def assert_erased(demo_workspace: DemoWorkspace, purged: ErasureResult, *words: str) -> None:
    """Assert that no file but the listed backups contains the words."""
    listed = {Path(backup.path) for backup in purged.backups}
    assert grep(demo_workspace.path.parent, *(words or WORDS)) <= listed


def add_with_history(workspace: Workspace, store: str) -> int:
    """Add a memory and a neighbour, change both several times, and return the memory's id."""
    fields: dict[str, Any] = {"content": f"At dawn {QUAGGA}.", "subject": "Bo Janssen"}
    id = workspace.add(fields, store).ids[0]
    near = workspace.add({"content": "The kettle stands left.", "subject": "Bo Janssen"}, store).ids[0]
    workspace.edit([id], {"content": f"At dusk {ZORILLA}."})
    workspace.undo()
    workspace.redo()
    workspace.edit([near], {"content": "The kettle stands right."})
    workspace.dismiss([id])
    workspace.undo()
    workspace.dismiss([near])
    workspace.undo()
    workspace.pin([id])
    return id


@pytest.mark.parametrize("store", STORES)
def test_a_purge_erases_every_trace(demo_workspace: DemoWorkspace, workspace: Workspace, store: str) -> None:
    id = add_with_history(workspace, store)
    uid = memory(workspace, id).uid
    assert grep(demo_workspace.path.parent, *WORDS)
    purged = workspace.purge([id])
    assert purged.count == 1
    assert store in purged.summary
    assert workspace.memories([id]) == []
    if store != NATIVE:
        assert "quagga" not in str(contents(demo_workspace.store_paths[store]))
        assert "zorilla" not in str(contents(demo_workspace.store_paths[store]))
    assert_erased(demo_workspace, purged)  # while the workspace is open
    assert_in_sync(workspace)
    entry = workspace.journal(1)[0]
    assert (entry.kind, entry.actor, entry.undoable) == ("purged", "person", False)
    assert [item.uid for item in workspace.journal_items(entry.id)] == [uid]
    workspace.close()
    assert_erased(demo_workspace, purged)


def test_a_purge_of_a_bullet_erases_every_trace(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    agent_replaces(
        demo_workspace.store_paths[CLAUDE] / "MEMORY.md",
        "- Staging is reset every night at two.\n",
        f"- Staging is reset every night at two.\n- At dawn {QUAGGA}.\n- The kettle stands left.\n",
    )
    workspace.pull()
    id, near = find_id(workspace, "quaggas"), find_id(workspace, "kettle")
    workspace.edit([id], {"content": f"At dusk {ZORILLA}."})
    workspace.edit([near], {"content": "The kettle stands right."})
    workspace.dismiss([near])
    workspace.dismiss([id])
    workspace.restore([id])
    purged = workspace.purge([id])
    assert not grep(demo_workspace.store_paths[CLAUDE], *WORDS)
    assert_erased(demo_workspace, purged)
    workspace.restore([near])  # its position is found by the remaining neighbours, or chosen again
    assert "- The kettle stands right." in (demo_workspace.store_paths[CLAUDE] / "MEMORY.md").read_text()
    assert_in_sync(workspace)
    workspace.close()
    assert_erased(demo_workspace, purged)


def test_a_change_of_a_neighbour_can_still_be_undone(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, MCP)
    near = find_id(workspace, "kettle")
    workspace.edit([near], {"content": "The kettle is blue."})
    workspace.purge([id])
    workspace.undo()
    assert memory(workspace, near).content == "The kettle stands right."
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", STORES)
def test_a_dismissed_memory_is_purged(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = add_with_history(workspace, store)
    workspace.dismiss([id])
    purged = workspace.purge([id])
    assert_erased(demo_workspace, purged)
    assert workspace.memories([id]) == []
    assert_in_sync(workspace)


def test_a_memory_removed_by_an_agent_is_purged(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add_with_history(workspace, FOUNDER)
    agent_executes(demo_workspace.store_paths[FOUNDER], "DELETE FROM memories WHERE content LIKE '%zorilla%'")
    workspace.pull()
    workspace.lock_store(MCP, True)
    purged = workspace.purge([id])
    assert_erased(demo_workspace, purged)
    assert_in_sync(workspace)


def test_a_removed_memory_of_a_missing_store_is_purged(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], f"At dusk {ZORILLA}.", "x")
    workspace.pull()
    demo_workspace.store_paths[MCP].unlink()
    purged = workspace.purge([id])
    assert_erased(demo_workspace, purged)


def test_a_store_that_fails_during_a_purge_does_not_block_others(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, two = workspace.add({"content": "The kettle stands left."}).ids[0], add_with_history(workspace, MCP)
    steps: dict[str, Callable[[], object]] = {
        "before the foreign write": lambda: demo_workspace.store_paths[MCP].rename(
            demo_workspace.folder / "away"
        )
    }

    def on_step(name: str) -> None:
        steps.pop(name, lambda: None)()

    workspace._ctx.on_step = on_step
    purged = workspace.purge([one, two])
    (demo_workspace.folder / "away").rename(demo_workspace.store_paths[MCP])
    assert purged.count == 1
    assert any(note.startswith(memory(workspace, two).uid) for note in purged.notes)
    assert "zorillas" in memory(workspace, two).content
    assert workspace.memories([one]) == []
    assert_in_sync(workspace)


def test_a_soft_deleted_founder_os_row_is_deleted(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, FOUNDER)
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET deleted_at = 5 WHERE content LIKE '%zorilla%'",
    )
    workspace.pull()
    workspace.purge([id])
    assert "zorilla" not in str(rows_in(demo_workspace.store_paths[FOUNDER]))


def test_adaptations_of_a_purged_row_are_marked_as_reverted(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    id = find_id(workspace, "Swiss francs")
    ref = memory(workspace, id).ref
    agent_executes(path, "CREATE TABLE IF NOT EXISTS adaptations (id TEXT PRIMARY KEY, memory_id TEXT "
               "REFERENCES memories (id), plugin, description, applied_at, reverted_at)")  # fmt: skip
    for name, reverted in (("ad1", None), ("ad2", 7)):
        agent_executes(
            path,
            "INSERT INTO adaptations (id, memory_id, plugin, applied_at, reverted_at) VALUES (?,?,'P1',1,?)",
            *(name, ref, reverted),
        )
    workspace.purge([id])
    connection = apsw.Connection(str(path))
    found = dict(connection.execute("SELECT id, reverted_at FROM adaptations WHERE memory_id = ?", (ref,)))
    assert connection.execute("SELECT 1 FROM memories WHERE id = ?", (ref,)).fetchall() == []
    connection.close()
    assert found["ad2"] == 7
    assert demo_workspace.clock.now - 3600 < found["ad1"] <= demo_workspace.clock.now


def test_a_purge_cannot_be_undone(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add_with_history(workspace, NATIVE)
    edits = [entry for entry in workspace.journal() if entry.kind == "edited"]
    workspace.purge([id])
    assert workspace.journal(1)[0].kind == "purged"
    for entry_id in (edits[-1].id, workspace.journal(1)[0].id):
        refused = refusal(partial(workspace.undo, entry_id))
        assert refused.code in ("changed-since", "not-undoable", "undone")
    edited = next(
        entry for entry in workspace.journal() if entry.kind == "edited" and entry.state != "undone"
    )
    item = workspace.journal_items(edited.id)[0]
    if item.before is None:
        assert "Its text was purged." in refusal(lambda: workspace.undo(edited.id)).message


@pytest.mark.parametrize("store", FOREIGN)
def test_a_purge_in_an_unwritable_store_is_refused(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = add_with_history(workspace, store)
    other = add_with_history(workspace, NATIVE)
    before, stores = row_texts(workspace), contents(demo_workspace.store_paths[store])
    workspace.lock_store(store, True)
    assert refusal(lambda: workspace.purge([other, id])).code == "read-only"
    workspace.lock_store(store, False)
    demo_workspace.store_paths[store].rename(demo_workspace.folder / "away")
    assert refusal(lambda: workspace.purge([other, id])).code == "missing"
    (demo_workspace.folder / "away").rename(demo_workspace.store_paths[store])
    workspace.detach(store)
    assert refusal(lambda: workspace.purge([other, id])).code == "detached"
    workspace.attach(demo_workspace.store_paths[store])
    assert row_texts(workspace) == before
    assert contents(demo_workspace.store_paths[store]) == stores
    workspace.purge([other, id])


def test_a_memory_rewritten_meanwhile_is_a_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], ZORILLA, "okapis hide")
    assert refusal(lambda: workspace.purge([id])).code == "conflict"
    assert "okapis" in str(contents(demo_workspace.store_paths[MCP]))


def test_backups_that_contain_the_memory_are_listed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, MCP)
    assert workspace.backups_holding([id]) == []  # the day's backups are older
    demo_workspace.clock.now += 86_400
    workspace.edit([id], {"content": "Nothing to see."})
    (store,) = [each for each in workspace.backups_holding([id]) if each.store == MCP]
    demo_workspace.clock.now += 86_400
    workspace.add({"content": "A new day."})
    assert {each.store for each in workspace.backups_holding([id])} == {MCP, NATIVE}
    purged = workspace.purge([id])
    assert store in purged.backups
    assert {each.store for each in purged.backups} == {MCP, NATIVE}
    assert_erased(demo_workspace, purged)
    workspace.delete_backups([each.id for each in purged.backups])
    assert not grep(demo_workspace.path.parent, *WORDS)


def test_a_founder_os_backup_is_listed(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add_with_history(workspace, FOUNDER)
    demo_workspace.clock.now += 86_400
    workspace.edit([id], {"tags": ("x",)})
    purged = workspace.purge([id])
    assert FOUNDER in {each.store for each in purged.backups}
    assert_erased(demo_workspace, purged)


def test_equal_memories_are_reported_and_kept(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    one = workspace.add({"content": "The kettle stands left."}).ids[0]
    two = workspace.add({"content": "The kettle stands left."}).ids[0]
    purged = workspace.purge([one])
    assert any("1 other memory has the same" in note for note in purged.notes)
    assert memory(workspace, two).content == "The kettle stands left."


def test_purging_one_common_word_erases_nothing_else(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    other = find_id(workspace, "staging host")
    workspace.edit([other], {"content": "The staging host moved."})
    entry_id = workspace.journal(1)[0].id
    id = workspace.add({"content": "staging"}).ids[0]
    workspace.purge([id])
    assert workspace.journal_items(entry_id)[0].before is not None


def test_a_purge_works_while_another_process_has_the_workspace_open(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, CLAUDE)
    with Agent(demo_workspace.path) as other:
        assert other.execute("SELECT count(*) FROM stores")
        purged = workspace.purge([id])
        assert purged.notes == ()
        assert_erased(demo_workspace, purged)


def test_a_reader_that_delays_erasing_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, NATIVE)
    workspace._ctx.db.connection().set_busy_timeout(100)
    with Agent(demo_workspace.path) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM stores")
        purged = workspace.purge([id])
        assert any("reading the workspace" in note and "next start" in note for note in purged.notes)
        other.execute("COMMIT")
    workspace.close()
    assert_erased(demo_workspace, purged)


def test_a_writer_that_delays_erasing_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, NATIVE)
    with Agent(demo_workspace.path) as other:

        def step(name: str) -> None:
            if name == "after erasing":
                workspace._ctx.db.connection().set_busy_timeout(100)
                other.execute("BEGIN IMMEDIATE")

        workspace._ctx.on_step = step
        purged = workspace.purge([id])
        assert any("another memtui process is writing" in note for note in purged.notes)
        other.execute("ROLLBACK")
    workspace._ctx.on_step = lambda name: None
    assert memory(workspace, id).content == ""
    workspace.purge([id])
    assert workspace.memories([id]) == []
    assert not grep(demo_workspace.path.parent, *WORDS)


@pytest.mark.parametrize(("number", "store"), list(enumerate(STORES)))
def test_a_killed_purge_is_finished_by_a_second_one(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, number: int, store: str
) -> None:
    with demo_workspace.opened() as workspace:
        id = add_with_history(workspace, store)
    for at in (*shard(range(8), number, 2), 8):
        end = {"kind": "step", "at": at, "after": False, "early": False}
        ended = kill_harness.run(demo_workspace.path, ["purge", [id]], end)
        with demo_workspace.opened() as workspace:
            assert_in_sync(workspace)
            row = rows(workspace, removed=True).get(id)
            if row is None:
                break
            assert ended["killed"]
            assert "zorilla" in row["content"] or row["removed_at"] is not None
            assert "zorilla" in row["content"] or not row["content"]
    assert row is None
    with demo_workspace.opened() as workspace:
        assert_in_sync(workspace)
        copies = {Path(backup.path) for backup in workspace.backups()}
    assert grep(demo_workspace.path.parent, *WORDS) <= copies


def test_findings_and_errors_that_quote_the_memory_are_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[MCP]
    line = json.dumps({"type": "entity", "name": "Quagga Hall", "entityType": "place",
                       "observations": [f"At dawn {QUAGGA}."]})  # fmt: skip
    with path.open("a") as handle:
        handle.write(f"\n{line}\n")
    workspace.pull()
    id = find_id(workspace, "Xanadu")
    ctx = workspace._ctx
    ctx.db.run(
        "UPDATE stores SET findings = ?, error = ? WHERE name = ?",
        (json.dumps([["x", "line 9", "The text about Xanadu is odd."]]), f"It says {QUAGGA}.", MCP),
    )
    purged = workspace.purge([id])
    assert not grep(demo_workspace.path.parent, "Xanadu") - {Path(each.path) for each in purged.backups}


# -- texts of other memories


def make_project(folder: Path, **notes: str) -> Path:
    """Create a Claude Code folder whose notes have the same author, and return its path."""
    path = folder / "memory"
    path.mkdir(parents=True)
    for name, body in notes.items():
        head = f"---\nname: {name}\ndescription: the {name} thing\nauthor: Jane Doe\ntype: project\n---\n\n"
        (path / f"{name}.md").write_text(f"{head}{body}\n")
    return path


def test_undo_of_a_neighbour_with_the_same_author_still_works(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = make_project(
        demo_workspace.folder / "two", alpha=f"At dawn {QUAGGA}.", beta="Deploys go out at noon."
    )
    workspace.attach(path)
    beta = (path / "beta.md").read_bytes()
    workspace.dismiss([find_id(workspace, "deploys noon")])
    purged = workspace.purge([find_id(workspace, "quaggas")])
    assert not [note for note in purged.notes if "no longer be undone" in note]
    workspace.undo()
    assert (path / "beta.md").read_bytes() == beta
    assert_in_sync(workspace)


@pytest.mark.parametrize("verb", ["dismiss", "edit"])
def test_undo_of_a_memory_that_still_contains_the_text_works(
    demo_workspace: DemoWorkspace, workspace: Workspace, verb: str
) -> None:
    text = "Always use uv for python."
    path = make_project(
        demo_workspace.folder / "two", alpha=text, beta=f"In this house: {text} The key lies in room 12."
    )
    workspace.attach(path)
    beta, id = (path / "beta.md").read_bytes(), find_id(workspace, "room 12")
    if verb == "dismiss":
        workspace.dismiss([id])
    else:
        workspace.edit([id], {"content": f"In this house: {text} The key lies in room 13."})
    purged = workspace.purge([find_id(workspace, '"always use uv" -room')])
    assert not [note for note in purged.notes if "no longer be undone" in note]
    workspace.undo()
    assert (path / "beta.md").read_bytes() == beta


@pytest.mark.parametrize("store", ["ours", "files"])
def test_former_texts_of_neighbours_that_quote_the_memory_are_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    """The neighbour still contains the title, but no longer the text."""
    text, quoted = f"At dawn {QUAGGA}.", f"Release notes: at dawn {QUAGGA}."
    if store == "ours":
        workspace.add({"content": text, "title": "Release notes"})
        workspace.add({"content": quoted})
    else:
        workspace.attach(
            make_project(demo_workspace.folder / "two", **{"release notes": text, "beta": quoted})
        )
    ids = {memory(workspace, id).content: id for id in workspace.search("Xanadu").ids}
    workspace.edit([ids[quoted]], {"content": "Release notes: none."})
    purged = workspace.purge([ids[text]])
    assert any("can no longer be undone" in note for note in purged.notes)
    assert_erased(demo_workspace, purged)


def test_incidental_texts_are_removed_from_contexts_only() -> None:
    matcher = TextMatcher(["It lies in the vault"], lambda words: set(), incidental=["Jane Doe"])
    assert matcher.complete_in(["By Jane Doe"]) == set()
    assert matcher.complete_in(["He said it lies in the vault."]) == {"it lies in the vault"}
    assert matcher.behind("author: Jane Doe, aged 40") == ", aged 40"


def test_a_backup_with_only_the_same_author_is_not_listed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    author = {"alpha": f"At dawn {QUAGGA}."}, {"beta": "Quite other words.", "gamma": "More."}
    for name, notes in zip(("one", "two"), author, strict=True):
        workspace.attach(make_project(demo_workspace.folder / name, **notes))
    workspace.dismiss([find_id(workspace, "gamma")])
    assert len(workspace.backups("claude-code:two")) == 1
    assert workspace.backups_holding([find_id(workspace, "quaggas")]) == []


# -- detached stores


@pytest.mark.parametrize("state", ["a file", "nothing", "renamed"])
def test_a_memory_missing_from_its_detached_store_is_purged(
    demo_workspace: DemoWorkspace, workspace: Workspace, state: str
) -> None:
    path = make_project(demo_workspace.folder / "one", alpha=f"At dawn {QUAGGA}.")
    (info,) = workspace.attach(path)
    id = find_id(workspace, "quaggas")
    workspace.detach(info.name)
    if state == "renamed":
        (path / "alpha.md").rename(path / "omega.md")
    else:
        shutil.rmtree(path)
    if state == "a file":
        path.write_text("no folder")
    purged = workspace.purge([id])
    assert_erased(demo_workspace, purged)
    assert any("may still contain the text" in note for note in purged.notes)


def test_a_purge_in_an_unreadable_detached_store_is_refused(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = find_id(workspace, "mocked migration")
    workspace.detach(CLAUDE)

    def broken(self: FileStore, refs: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(FileStore, "read_refs", broken)
    refused = refusal(lambda: workspace.purge([id]))
    assert (refused.code, refused.message) == ("io", f"{CLAUDE} could not be read: Input/output error.")
    assert "migration" in memory(workspace, id).content


def test_after_a_conflict_the_current_text_is_shown(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add_with_history(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], ZORILLA, "okapis hide")
    assert refusal(lambda: workspace.purge([id])).code == "conflict"
    assert (
        "okapis hide" in {each.content for each in workspace.memories(workspace.search("okapis").ids)}.pop()
    )


def test_logged_queries_that_quote_the_memory_are_erased(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[NATIVE])
        workspace.recall("which staging host is it", Caller("ada"))
        workspace.recall("something else altogether", Caller("ada"))
        workspace.purge([id])
        remaining = [text for (text,) in workspace._ctx.db.rows("SELECT text FROM recall_log")]
    assert remaining == ["something else altogether"]
