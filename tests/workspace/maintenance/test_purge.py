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
from memtui.memory.results import PurgeResult
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

# What only the purged memory says; edited, dismissed and brought back before.
QUAGGA, ZORILLA = "quaggas graze at Xanadu", "zorillas bask in Ystradgynlais"
WORDS = ("quagga", "Xanadu", "zorilla", "Ystradgynlais")


def grep(folder: Path, *words: str) -> set[Path]:
    """The files below a folder that hold one of the words, in any spelling that we store them in."""
    patterns = [each for word in words for each in (word, word.casefold())]
    wide = ["\\x00".join([*word, ""]) for word in words]
    found = set()
    for flags, asked in (("-rlaiF", "\n".join(patterns)), ("-rlaP", "|".join(wide))):
        out = subprocess.run(["grep", flags, "--", asked, str(folder)], capture_output=True, text=True)
        assert out.returncode in (0, 1), out.stderr
        found |= {Path(line) for line in out.stdout.splitlines()}
    return found


def said(workspace: Workspace) -> dict[int, tuple[object, ...]]:
    """What each row says."""
    return {id: (row["ref"], row["content"], row["status"]) for id, row in rows(workspace).items()}


def nothing_left(demo_workspace: DemoWorkspace, purged: PurgeResult, *words: str) -> None:
    named = {Path(backup.path) for backup in purged.backups}
    assert grep(demo_workspace.path.parent, *(words or WORDS)) <= named


def lived(workspace: Workspace, store: str) -> int:
    """A memory with a history: added, edited, undone, dismissed, brought back; its neighbours too."""
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
def test_nothing_of_a_purged_memory_is_left(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = lived(workspace, store)
    uid = memory(workspace, id).uid
    assert grep(demo_workspace.path.parent, *WORDS)
    purged = workspace.purge([id])
    assert purged.count == 1
    assert store in purged.summary
    assert workspace.memories([id]) == []
    if store != NATIVE:
        assert "quagga" not in str(contents(demo_workspace.store_paths[store]))
        assert "zorilla" not in str(contents(demo_workspace.store_paths[store]))
    nothing_left(demo_workspace, purged)  # with the workspace still open
    assert_in_sync(workspace)
    line = workspace.journal(1)[0]
    assert (line.kind, line.actor, line.undoable) == ("purged", "person", False)
    assert [item.uid for item in workspace.journal_items(line.id)] == [uid]
    workspace.close()
    nothing_left(demo_workspace, purged)


def test_nothing_of_a_bullet_in_memory_md_is_left(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
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
    nothing_left(demo_workspace, purged)
    workspace.restore([near])  # its place is found by what is left of its neighbours, or anew
    assert "- The kettle stands right." in (demo_workspace.store_paths[CLAUDE] / "MEMORY.md").read_text()
    assert_in_sync(workspace)
    workspace.close()
    nothing_left(demo_workspace, purged)


def test_a_neighbours_change_can_still_be_undone(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = lived(workspace, MCP)
    near = find_id(workspace, "kettle")
    workspace.edit([near], {"content": "The kettle is blue."})
    workspace.purge([id])
    workspace.undo()
    assert memory(workspace, near).content == "The kettle stands right."
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", STORES)
def test_what_was_dismissed_before_is_only_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = lived(workspace, store)
    workspace.dismiss([id])
    purged = workspace.purge([id])
    nothing_left(demo_workspace, purged)
    assert workspace.memories([id]) == []
    assert_in_sync(workspace)


def test_what_another_hand_removed_is_only_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, FOUNDER)
    agent_executes(demo_workspace.store_paths[FOUNDER], "DELETE FROM memories WHERE content LIKE '%zorilla%'")
    workspace.pull()
    workspace.lock_store(MCP, True)
    purged = workspace.purge([id])
    nothing_left(demo_workspace, purged)
    assert_in_sync(workspace)


def test_what_stood_in_a_store_that_is_gone_can_be_erased_once_it_was_removed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], f"At dusk {ZORILLA}.", "x")
    workspace.pull()
    demo_workspace.store_paths[MCP].unlink()
    purged = workspace.purge([id])
    nothing_left(demo_workspace, purged)


def test_where_one_store_fails_in_the_act_the_others_are_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, two = workspace.add({"content": "The kettle stands left."}).ids[0], lived(workspace, MCP)
    stop: dict[str, Callable[[], object]] = {
        "before the foreign write": lambda: demo_workspace.store_paths[MCP].rename(
            demo_workspace.folder / "away"
        )
    }

    def on_step(name: str) -> None:
        stop.pop(name, lambda: None)()

    workspace._ctx.on_step = on_step
    purged = workspace.purge([one, two])
    (demo_workspace.folder / "away").rename(demo_workspace.store_paths[MCP])
    assert purged.count == 1
    assert any(note.startswith(memory(workspace, two).uid) for note in purged.notes)
    assert "zorillas" in memory(workspace, two).content
    assert workspace.memories([one]) == []
    assert_in_sync(workspace)


def test_a_row_that_founder_os_itself_removed_is_deleted(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, FOUNDER)
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET deleted_at = 5 WHERE content LIKE '%zorilla%'",
    )
    workspace.pull()
    workspace.purge([id])
    assert "zorilla" not in str(rows_in(demo_workspace.store_paths[FOUNDER]))


def test_founder_os_keeps_what_it_adapted_as_reverted(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.store_paths[FOUNDER]
    id = find_id(workspace, "Swiss francs")
    ref = memory(workspace, id).ref
    agent_executes(place, "CREATE TABLE IF NOT EXISTS adaptations (id TEXT PRIMARY KEY, memory_id TEXT "
               "REFERENCES memories (id), plugin, description, applied_at, reverted_at)")  # fmt: skip
    for name, reverted in (("ad1", None), ("ad2", 7)):
        agent_executes(
            place,
            "INSERT INTO adaptations (id, memory_id, plugin, applied_at, reverted_at) VALUES (?,?,'P1',1,?)",
            *(name, ref, reverted),
        )
    workspace.purge([id])
    connection = apsw.Connection(str(place))
    found = dict(connection.execute("SELECT id, reverted_at FROM adaptations WHERE memory_id = ?", (ref,)))
    assert connection.execute("SELECT 1 FROM memories WHERE id = ?", (ref,)).fetchall() == []
    connection.close()
    assert found["ad2"] == 7
    assert demo_workspace.clock.now - 3600 < found["ad1"] <= demo_workspace.clock.now


def test_it_cannot_be_taken_back(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = lived(workspace, NATIVE)
    lines = [line for line in workspace.journal() if line.kind == "edited"]
    workspace.purge([id])
    assert workspace.journal(1)[0].kind == "purged"
    for line in (lines[-1].id, workspace.journal(1)[0].id):
        refused = refusal(partial(workspace.undo, line))
        assert refused.code in ("changed-since", "not-undoable", "undone")
    edited = next(line for line in workspace.journal() if line.kind == "edited" and line.state != "undone")
    item = workspace.journal_items(edited.id)[0]
    if item.before is None:
        assert "Its text was erased." in refusal(lambda: workspace.undo(edited.id)).message


@pytest.mark.parametrize("store", FOREIGN)
def test_a_store_that_cannot_be_written_keeps_it_whole(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = lived(workspace, store)
    other = lived(workspace, NATIVE)
    before, stores = said(workspace), contents(demo_workspace.store_paths[store])
    workspace.lock_store(store, True)
    assert refusal(lambda: workspace.purge([other, id])).code == "read-only"
    workspace.lock_store(store, False)
    demo_workspace.store_paths[store].rename(demo_workspace.folder / "away")
    assert refusal(lambda: workspace.purge([other, id])).code == "missing"
    (demo_workspace.folder / "away").rename(demo_workspace.store_paths[store])
    workspace.detach(store)
    assert refusal(lambda: workspace.purge([other, id])).code == "detached"
    workspace.attach(demo_workspace.store_paths[store])
    assert said(workspace) == before
    assert contents(demo_workspace.store_paths[store]) == stores
    workspace.purge([other, id])


def test_what_an_agent_rewrote_meanwhile_is_not_purged_unread(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], ZORILLA, "okapis hide")
    assert refusal(lambda: workspace.purge([id])).code == "conflict"
    assert "okapis" in str(contents(demo_workspace.store_paths[MCP]))


def test_the_backups_that_hold_it_are_named(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = lived(workspace, MCP)
    assert workspace.backups_holding([id]) == []  # the day's copies are older
    demo_workspace.clock.now += 86_400
    workspace.edit([id], {"content": "Nothing to see."})
    (store,) = [each for each in workspace.backups_holding([id]) if each.store == MCP]
    demo_workspace.clock.now += 86_400
    workspace.add({"content": "A new day."})
    assert {each.store for each in workspace.backups_holding([id])} == {MCP, NATIVE}
    purged = workspace.purge([id])
    assert store in purged.backups
    assert {each.store for each in purged.backups} == {MCP, NATIVE}
    nothing_left(demo_workspace, purged)
    workspace.delete_backups([each.id for each in purged.backups])
    assert not grep(demo_workspace.path.parent, *WORDS)


def test_a_founder_os_backup_is_named_too(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = lived(workspace, FOUNDER)
    demo_workspace.clock.now += 86_400
    workspace.edit([id], {"tags": ("x",)})
    purged = workspace.purge([id])
    assert FOUNDER in {each.store for each in purged.backups}
    nothing_left(demo_workspace, purged)


def test_others_that_say_the_same_are_told_and_stay(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one = workspace.add({"content": "The kettle stands left."}).ids[0]
    two = workspace.add({"content": "The kettle stands left."}).ids[0]
    purged = workspace.purge([one])
    assert any("1 other memory says the same" in note for note in purged.notes)
    assert memory(workspace, two).content == "The kettle stands left."


def test_a_memory_of_one_common_word_takes_nothing_else_along(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    other = find_id(workspace, "staging host")
    workspace.edit([other], {"content": "The staging host moved."})
    line = workspace.journal(1)[0].id
    id = workspace.add({"content": "staging"}).ids[0]
    workspace.purge([id])
    assert workspace.journal_items(line)[0].before is not None


def test_it_is_erased_while_another_process_has_the_workspace_open(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, CLAUDE)
    with Agent(demo_workspace.path) as other:
        assert other.execute("SELECT count(*) FROM stores")
        purged = workspace.purge([id])
        assert purged.notes == ()
        nothing_left(demo_workspace, purged)


def test_where_another_process_is_reading_it_is_said(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, NATIVE)
    workspace._ctx.db.connection().set_busy_timeout(100)
    with Agent(demo_workspace.path) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM stores")
        purged = workspace.purge([id])
        assert any("closed" in note for note in purged.notes)
        other.execute("COMMIT")
    workspace.close()
    nothing_left(demo_workspace, purged)


def test_where_another_process_is_writing_the_pages_are_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, NATIVE)
    with Agent(demo_workspace.path) as other:

        def step(name: str) -> None:
            if name == "after erasing":
                workspace._ctx.db.connection().set_busy_timeout(100)
                other.execute("BEGIN IMMEDIATE")

        workspace._ctx.on_step = step
        purged = workspace.purge([id])
        assert any("another memtui is writing" in note for note in purged.notes)
        other.execute("ROLLBACK")
    workspace._ctx.on_step = lambda name: None
    assert memory(workspace, id).content == ""
    workspace.purge([id])
    assert workspace.memories([id]) == []
    assert not grep(demo_workspace.path.parent, *WORDS)


@pytest.mark.parametrize(("number", "store"), list(enumerate(STORES)))
def test_killed_on_the_way_it_is_whole_or_a_second_purge_ends_it(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, number: int, store: str
) -> None:
    with demo_workspace.opened() as workspace:
        id = lived(workspace, store)
    for at in (*shard(range(8), number, 2), 8):
        end = {"kind": "step", "at": at, "after": False, "early": False}
        ended = kill_harness.run(demo_workspace.path, ["purge", [id]], end)
        with demo_workspace.opened() as workspace:
            assert_in_sync(workspace)
            here = rows(workspace, removed=True).get(id)
            if here is None:
                break
            assert ended["killed"]
            assert "zorilla" in here["content"] or here["removed_at"] is not None
            assert "zorilla" in here["content"] or not here["content"]
    assert here is None
    with demo_workspace.opened() as workspace:
        assert_in_sync(workspace)
        copies = {Path(backup.path) for backup in workspace.backups()}
    assert grep(demo_workspace.path.parent, *WORDS) <= copies


def test_findings_and_reasons_that_quote_it_go_too(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.store_paths[MCP]
    line = json.dumps({"type": "entity", "name": "Quagga Hall", "entityType": "place",
                       "observations": [f"At dawn {QUAGGA}."]})  # fmt: skip
    with place.open("a") as handle:
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


# -- what others say stays theirs


def project(folder: Path, **notes: str) -> Path:
    """A folder of Claude Code's memories; each has the same author, which says nothing."""
    place = folder / "memory"
    place.mkdir(parents=True)
    for name, body in notes.items():
        head = f"---\nname: {name}\ndescription: the {name} thing\nauthor: Jane Doe\ntype: project\n---\n\n"
        (place / f"{name}.md").write_text(f"{head}{body}\n")
    return place


def test_a_neighbour_of_the_same_author_keeps_its_way_back(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = project(demo_workspace.folder / "two", alpha=f"At dawn {QUAGGA}.", beta="Deploys go out at noon.")
    workspace.attach(place)
    beta = (place / "beta.md").read_bytes()
    workspace.dismiss([find_id(workspace, "deploys noon")])
    purged = workspace.purge([find_id(workspace, "quaggas")])
    assert not [note for note in purged.notes if "cannot be undone" in note]
    workspace.undo()
    assert (place / "beta.md").read_bytes() == beta
    assert_in_sync(workspace)


@pytest.mark.parametrize("verb", ["dismiss", "edit"])
def test_who_says_it_too_and_goes_on_keeps_its_way_back(
    demo_workspace: DemoWorkspace, workspace: Workspace, verb: str
) -> None:
    said = "Always use uv for python."
    place = project(
        demo_workspace.folder / "two", alpha=said, beta=f"In this house: {said} The key lies in room 12."
    )
    workspace.attach(place)
    beta, id = (place / "beta.md").read_bytes(), find_id(workspace, "room 12")
    if verb == "dismiss":
        workspace.dismiss([id])
    else:
        workspace.edit([id], {"content": f"In this house: {said} The key lies in room 13."})
    purged = workspace.purge([find_id(workspace, '"always use uv" -room')])
    assert not [note for note in purged.notes if "cannot be undone" in note]
    workspace.undo()
    assert (place / "beta.md").read_bytes() == beta


@pytest.mark.parametrize("store", ["ours", "files"])
def test_what_a_neighbour_said_of_it_once_goes_all_the_same(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    """It goes on saying the title; the text it says no more."""
    text, quoted = f"At dawn {QUAGGA}.", f"Release notes: at dawn {QUAGGA}."
    if store == "ours":
        workspace.add({"content": text, "title": "Release notes"})
        workspace.add({"content": quoted})
    else:
        workspace.attach(project(demo_workspace.folder / "two", **{"release notes": text, "beta": quoted}))
    ids = {memory(workspace, id).content: id for id in workspace.search("Xanadu").ids}
    workspace.edit([ids[quoted]], {"content": "Release notes: none."})
    purged = workspace.purge([ids[text]])
    assert any("cannot be undone any more" in note for note in purged.notes)
    nothing_left(demo_workspace, purged)


def test_what_stood_beside_a_text_leaves_contexts_and_nothing_else() -> None:
    matcher = TextMatcher(["It lies in the vault"], lambda words: set(), incidental=["Jane Doe"])
    assert matcher.complete_in(["By Jane Doe"]) == set()
    assert matcher.complete_in(["He said it lies in the vault."]) == {"it lies in the vault"}
    assert matcher.behind("author: Jane Doe, aged 40") == ", aged 40"


def test_a_backup_that_only_has_the_same_author_is_not_named(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    author = {"alpha": f"At dawn {QUAGGA}."}, {"beta": "Quite other words.", "gamma": "More."}
    for name, notes in zip(("one", "two"), author, strict=True):
        workspace.attach(project(demo_workspace.folder / name, **notes))
    workspace.dismiss([find_id(workspace, "gamma")])
    assert len(workspace.backups("claude-code:two")) == 1
    assert workspace.backups_holding([find_id(workspace, "quaggas")]) == []


# -- of a store that is detached


@pytest.mark.parametrize("now", ["a file", "nothing", "renamed"])
def test_of_a_detached_store_that_has_it_no_more_it_is_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace, now: str
) -> None:
    place = project(demo_workspace.folder / "one", alpha=f"At dawn {QUAGGA}.")
    (info,) = workspace.attach(place)
    id = find_id(workspace, "quaggas")
    workspace.detach(info.name)
    if now == "renamed":
        (place / "alpha.md").rename(place / "omega.md")
    else:
        shutil.rmtree(place)
    if now == "a file":
        place.write_text("no folder")
    purged = workspace.purge([id])
    nothing_left(demo_workspace, purged)
    assert any("may still hold the text" in note for note in purged.notes)


def test_of_a_detached_store_that_cannot_be_read_nothing_is_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = find_id(workspace, "mocked migration")
    workspace.detach(CLAUDE)

    def broken(self: FileStore, refs: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(FileStore, "read_refs", broken)
    refused = refusal(lambda: workspace.purge([id]))
    assert (refused.code, refused.message) == ("io", f"{CLAUDE} cannot be read: Input/output error.")
    assert "migration" in memory(workspace, id).content


def test_after_a_conflict_the_purge_is_of_what_stands_there_now(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = lived(workspace, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], ZORILLA, "okapis hide")
    assert refusal(lambda: workspace.purge([id])).code == "conflict"
    assert (
        "okapis hide" in {each.content for each in workspace.memories(workspace.search("okapis").ids)}.pop()
    )


def test_a_question_that_quotes_the_text_goes_with_it(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[NATIVE])
        workspace.recall("which staging host is it", Caller("ada"))
        workspace.recall("something else altogether", Caller("ada"))
        workspace.purge([id])
        left = [text for (text,) in workspace._ctx.db.rows("SELECT text FROM recall_log")]
    assert left == ["something else altogether"]
