"""Undo and redo of any change, in any order unless a later change depends on it (S-51)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memtui.errors import NotSaved, Refused
from memtui.formats.media.files.store import FileStore
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
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    detail_of,
    find_id,
    item_states,
    memory,
    refusal,
    rows,
)
from tests.support.sizes import shard

Step = Callable[[Callable[[Workspace], object]], object]


SESSIONS = ("one session", "a new session for each step")


@pytest.fixture
def run(request: pytest.FixtureRequest, demo_workspace: DemoWorkspace) -> Step:
    """Run a step in the workspace, which stays open or is opened for each step."""
    if request.param == "a new session for each step":

        def in_new_session(step: Callable[[Workspace], object]) -> None:
            with demo_workspace.opened() as workspace:
                step(workspace)

        return in_new_session
    return lambda step: step(request.getfixturevalue("workspace"))


@pytest.mark.parametrize(
    ("run", "store"),
    [(each, store) for number, store in enumerate(STORES) for each in shard(SESSIONS, number, 2)],
    indirect=["run"],
)
def test_a_chain_of_changes_is_undone_and_redone(
    demo_workspace: DemoWorkspace, run: Step, store: str
) -> None:
    states: list[object] = []
    ids: list[int] = []

    def record_state(workspace: Workspace) -> None:
        assert_in_sync(workspace)
        states.append((_comparable_rows(rows(workspace)), all_contents(demo_workspace.folder)))

    run(lambda workspace: ids.append(find_id(workspace, SAMPLE[store])))
    run(record_state)
    for step in (
        lambda workspace: workspace.dismiss(ids),
        lambda workspace: workspace.restore(ids),
        lambda workspace: workspace.edit(ids, {"content": "A zebra came by."}),
    ):
        run(step)
        run(record_state)
    for expected in (states[2], states[1], states[0]):
        run(lambda workspace: workspace.undo())
        run(record_state)
        assert states.pop() == expected
    run(lambda workspace: _assert_nothing_to_undo(workspace))
    for expected in (states[1], states[2], states[3]):
        run(lambda workspace: workspace.redo())
        run(record_state)
        assert states.pop() == expected
    run(lambda workspace: _assert_nothing_to_redo(workspace))


def _comparable_rows(table: dict[int, dict[str, object]]) -> dict[int, dict[str, object]]:
    """Return the rows without the id of the entry that removed a memory."""
    return {id: row | {"moved": row["moved"] is not None} for id, row in table.items()}


def _assert_nothing_to_undo(workspace: Workspace) -> None:
    assert refusal(workspace.undo).message == "Nothing to undo."


def _assert_nothing_to_redo(workspace: Workspace) -> None:
    assert refusal(workspace.redo).message == "Nothing to redo."


def test_a_new_change_clears_redo(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    workspace.pin([id])
    workspace.undo()
    workspace.confirm([id])
    assert "there are newer changes" in refusal(workspace.redo).message


def test_undo_without_an_entry_reverts_only_changes_of_the_user(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(actor="agent:helper") as agent:
        agent.pin([find_id(agent, SAMPLE[MCP])])
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET content = 'Zebra' WHERE key = 'offer-currency'",
    )
    with demo_workspace.opened() as workspace:
        workspace.pull()
        _assert_nothing_to_undo(workspace)
        entry_id = next(event.id for event in workspace.journal() if event.actor == "agent:helper")
        assert next(event for event in workspace.journal() if event.id == entry_id).undoable
        workspace.undo(entry_id)
        assert not memory(workspace, find_id(workspace, SAMPLE[MCP])).pinned
        pulled = next(event for event in workspace.journal() if event.kind == "pulled")
        assert pulled.undoable  # but only by its entry
        assert refusal(lambda: workspace.undo(10_000)).code == "no-line"


# -- batches


def test_a_batch_over_several_stores_is_one_entry_and_one_undo(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    ids = sorted(rows(workspace))
    live = [id for id in ids if memory(workspace, id).status != "dismissed"]
    before = rows(workspace), all_contents(demo_workspace.folder), len(workspace.journal())
    change = workspace.dismiss(live)
    assert change.ids == tuple(live)
    assert _live_among(workspace, live) == []
    assert_in_sync(workspace)
    workspace.undo()
    assert (rows(workspace), all_contents(demo_workspace.folder)) == before[:2]
    assert len(workspace.journal()) == before[2] + 2
    workspace.redo()
    assert _live_among(workspace, live) == []
    workspace.undo()
    assert (rows(workspace), all_contents(demo_workspace.folder)) == before[:2]
    assert_in_sync(workspace)


def _live_among(workspace: Workspace, ids: list[int]) -> list[int]:
    """Return those of `ids` that are live; an entity left without observations is a memory of its own."""
    return [id for id in workspace.search("").ids if id in ids]


def test_undo_of_a_batch_skips_memories_changed_since(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    for number in range(34):
        agent_executes(
            path,
            "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) "
            "VALUES (?, ?, 'fact', ?, 'P1', 50, 'candidate')",
            *(f"z{number:02}", f"zebra-{number:02}", f"Zebra {number:02} has stripes."),
        )
    workspace.pull()
    before = all_contents(demo_workspace.folder)
    ids = [
        *workspace.search("zebra stripes").ids,
        find_id(workspace, SAMPLE[NATIVE]),
        find_id(workspace, SAMPLE[MCP]),
        *list(workspace.search(f"store:{CLAUDE}").ids)[:7],
    ]
    change = workspace.dismiss(ids)
    assert len(change.ids) == 43
    agent_executes(path, "UPDATE memories SET status = 'applied' WHERE key IN ('zebra-03', 'zebra-30')")
    undone = workspace.undo()
    assert len(undone.ids) == 41
    assert len(undone.skipped) == 2
    assert {skipped.code for skipped in undone.skipped} == {"changed-since"}
    assert "41 of 43" in undone.summary
    assert "changed since" in undone.summary
    workspace.pull()
    assert_in_sync(workspace)
    # Once they are again as the change left them, a second undo reverts the rest.
    agent_executes(path, "UPDATE memories SET status = 'dismissed' WHERE key IN ('zebra-03', 'zebra-30')")
    workspace.pull()
    rest = workspace.undo(change.journal_id)
    assert len(rest.ids) == 2
    assert rest.skipped == ()
    assert all_contents(demo_workspace.folder) == before
    assert refusal(lambda: workspace.undo(change.journal_id)).code == "undone"
    assert_in_sync(workspace)


def test_a_redo_says_how_much_of_the_change_it_redoes(workspace: Workspace) -> None:
    first, second, third = list(workspace.search(f"store:{FOUNDER}").ids)[:3]
    change = workspace.edit([first, second, third], {"tags": ("zebra",)})
    summary = workspace.journal(1)[0].summary
    workspace.edit([first], {"tags": ("lion",)})
    undone = workspace.undo(change.journal_id)
    assert undone.summary == f"Undone: {summary} (2 of 3; the rest have changed since)"
    redone = workspace.undo(undone.journal_id)
    assert redone.summary == f"Redone: {summary} (2 of 3 done)"
    assert workspace.undo(redone.journal_id).summary == f"Undone: {summary} (2 of 3 done)"


def test_undo_is_refused_where_everything_changed_since(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    workspace.edit([id], {"content": "Is allergic to zebras"})
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text().replace("allergic to zebras", "allergic to cats"))
    before, count = all_contents(demo_workspace.folder), len(workspace.journal())
    assert refusal(workspace.undo).code == "changed-since"
    assert all_contents(demo_workspace.folder) == before
    assert len(workspace.journal()) == count


def test_a_second_undo_skips_an_entry_that_cannot_be_undone(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        pinned, edited = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[MCP])
        workspace.pin([pinned])
        entry_id = workspace.edit([edited], {"content": "Is allergic to zebras"}).journal_id
        agent_replaces(demo_workspace.store_paths[MCP], "allergic to zebras", "allergic to cats")
        refused = refusal(workspace.undo)
    assert refused.message.startswith(f"“Edited 1 memory in {MCP}” was not undone: ")
    assert refused.hint.startswith("Repeat to continue with the change before it: Pinned 1 memory in native.")
    assert (refused.detail["line"], refused.detail["next"]) == (entry_id, entry_id - 1 if entry_id else None)
    with demo_workspace.opened() as workspace:  # also in a new session
        assert workspace.undo().summary == f"Undone: Pinned 1 memory in {NATIVE}"
        nothing = refusal(workspace.undo)
        assert (nothing.code, nothing.message) == ("nothing", "Nothing else to undo.")
        assert f"newest: {entry_id}" in nothing.hint
        agent_replaces(demo_workspace.store_paths[MCP], "allergic to cats", "allergic to zebras")
        workspace.undo(entry_id)
        workspace.redo()
        workspace.undo()
        assert memory(workspace, edited).content == "Is allergic to nuts"


@pytest.mark.parametrize(("code", "step", "count"), [("busy", "apply", 1), ("disk-full", "reverse", 2)])
def test_undo_can_be_retried_after_a_busy_store(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, code: str, step: str, count: int
) -> None:
    ids = [find_id(workspace, SAMPLE[store]) for store in (MCP, CLAUDE)[:count]]
    workspace.edit(ids, {"content": "Is allergic to zebras"})

    def busy(*_: object) -> None:
        raise Refused(code, "memory.jsonl is busy.", "Try again in a moment.")

    with monkeypatch.context() as patch:
        patch.setattr(FileStore, step, busy)
        refused = refusal(workspace.undo)
        assert (refused.code, refused.message.removeprefix("Not undone: ")) == (code, "memory.jsonl is busy.")
    assert set(workspace.undo().ids) == set(ids)


def test_a_second_redo_skips_an_entry_that_cannot_be_redone(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.pin([find_id(workspace, SAMPLE[NATIVE])])
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "Is allergic to zebras"})
    pin, edit = (event.id for event in workspace.journal(2)[::-1])
    workspace.undo(pin)
    workspace.undo(edit)
    agent_replaces(demo_workspace.store_paths[MCP], "allergic to nuts", "allergic to cats")
    assert "was not redone" in refusal(workspace.redo).message
    assert workspace.redo().summary == f"Redone: Pinned 1 memory in {NATIVE}"


# -- in another order


@pytest.mark.parametrize("store", STORES)
def test_changes_are_undone_by_entry_in_any_order(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    one = find_id(workspace, SAMPLE[store])
    other = next(id for id in workspace.search(f"store:{store}").ids if id != one)
    before, contents_before = rows(workspace), all_contents(demo_workspace.folder)
    entry_ids = [
        workspace.edit([one], {"content": "The zebra is striped."}).journal_id,
        workspace.edit([other], {"content": "The giraffe is tall."}).journal_id,
        workspace.pin([one]).journal_id,
        workspace.dismiss([other]).journal_id,
    ]
    for at in (0, 3, 1, 2):
        workspace.undo(entry_ids[at])
        assert_in_sync(workspace)
    assert rows(workspace) == before
    assert all_contents(demo_workspace.folder) == contents_before
    assert refusal(workspace.undo).code == "nothing"


@pytest.mark.parametrize("store", [NATIVE, FOUNDER])
def test_edits_of_two_fields_are_undone_in_any_order(workspace: Workspace, store: str) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id)
    first = workspace.edit([id], {"content": "The zebra is striped."}).journal_id
    second = workspace.edit([id], {"tags": ("zebra",)}).journal_id
    workspace.undo(first)
    assert (memory(workspace, id).content, memory(workspace, id).tags) == (before.content, ("zebra",))
    workspace.undo(second)
    assert (memory(workspace, id).content, memory(workspace, id).tags) == (before.content, before.tags)


@pytest.mark.parametrize("store", STORES)
def test_a_change_is_not_undone_before_a_later_one(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    first = workspace.edit([id], {"content": "The zebra is striped."})
    second = workspace.edit([id], {"content": "The zebra is plain."})
    before, contents_before = rows(workspace), all_contents(demo_workspace.folder)
    assert refusal(lambda: workspace.undo(first.journal_id)).code == "changed-since"
    assert (rows(workspace), all_contents(demo_workspace.folder)) == (before, contents_before)
    workspace.undo(second.journal_id)
    workspace.undo(first.journal_id)
    assert find_id(workspace, SAMPLE[store]) == id
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", STORES)
def test_a_dismissal_that_was_restored_is_not_undone(workspace: Workspace, store: str) -> None:
    id = find_id(workspace, SAMPLE[store])
    dismissed = workspace.dismiss([id]).journal_id
    workspace.restore([id])
    assert refusal(lambda: workspace.undo(dismissed)).code == "changed-since"
    assert_in_sync(workspace)


@pytest.mark.parametrize("fields", [{"content": "A zebra drinks."}, {"tags": ("stripes",)}])
@pytest.mark.parametrize("store", STORES)
def test_an_addition_is_not_undone_before_a_later_edit(
    workspace: Workspace, store: str, fields: dict[str, Any]
) -> None:
    subject = {} if store != MCP else {"subject": memory(workspace, find_id(workspace, SAMPLE[MCP])).subject}
    added = workspace.add({"content": "A zebra was seen.", **subject}, store)
    (id,) = added.ids
    workspace.edit([id], fields)
    message = refusal(lambda: workspace.undo(added.journal_id)).message
    assert message == f"Not undone: its {next(iter(fields))} has changed since; undo that first."
    assert_in_sync(workspace)
    workspace.undo()
    workspace.undo(added.journal_id)
    assert not workspace.search("zebra").ids
    assert_in_sync(workspace)


def test_an_addition_is_not_undone_once_an_agent_edited_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    subject = memory(workspace, find_id(workspace, SAMPLE[MCP])).subject
    added = workspace.add({"content": "A zebra was seen by Ana.", "subject": subject}, MCP)
    agent_replaces(demo_workspace.store_paths[MCP], "zebra was seen", "zebra was fed")
    workspace.pull()
    assert "its content has changed since" in refusal(lambda: workspace.undo(added.journal_id)).message
    assert memory(workspace, added.ids[0]).content == "A zebra was fed by Ana."
    assert_in_sync(workspace)


def test_an_undo_is_undone_by_its_entry(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    workspace.edit([id], {"content": "Is allergic to zebras"})
    undone = workspace.undo().journal_id
    assert undone is not None
    change = workspace.undo(undone)
    assert change.kind == "redone"
    assert memory(workspace, id).content == "Is allergic to zebras"
    states = {event.id: event.state for event in workspace.journal()}
    assert states[undone] == "undone"
    workspace.undo()
    assert find_id(workspace, "allergic nuts") == id


@pytest.mark.parametrize("store", FOREIGN)
def test_undo_restores_the_content_though_an_agent_wrote_to_the_store(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id).content
    workspace.edit([id], {"content": "The zebra is striped."})
    if store == FOUNDER:
        agent_executes(
            demo_workspace.store_paths[store],
            "UPDATE memories SET content = 'Changed.' WHERE key = 'tomas-lead'",
        )
    elif store == CLAUDE:
        (demo_workspace.store_paths[store] / "user_ana.md").write_text(
            "---\nname: Ana\ntype: user\n---\n\nChanged.\n"
        )
    else:
        path = demo_workspace.store_paths[store]
        path.write_text(path.read_text().replace("Runs the warehouse", "Ran the warehouse") + "\n")
    workspace.undo()
    workspace.pull()
    assert memory(workspace, id).content == before
    assert_in_sync(workspace)


# -- search and journal


@pytest.mark.parametrize("store", STORES)
def test_search_follows_undo_and_redo(workspace: Workspace, store: str) -> None:
    id = find_id(workspace, SAMPLE[store])

    def assert_finds(old: bool, new: bool) -> None:
        assert_word_index_intact(workspace)
        assert (id in workspace.search(SAMPLE[store]).ids) == old
        assert (id in workspace.search("zebra").ids) == new

    assert_finds(True, False)
    workspace.edit([id], {"content": "A zebra was seen."})
    assert_finds(False, True)
    workspace.dismiss([id])
    assert_finds(False, False)
    workspace.undo()
    assert_finds(False, True)
    workspace.undo()
    assert_finds(True, False)
    workspace.redo()
    assert_finds(False, True)


def test_entries_have_their_state(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    entry_id = workspace.edit([id], {"content": "Is allergic to zebras"}).journal_id
    assert entry_id is not None
    (event,) = [event for event in workspace.journal() if event.id == entry_id]
    assert (event.state, event.undoable, event.count, event.actor) == ("done", True, 1, "person")
    assert event.summary == f"Edited 1 memory in {MCP}"
    (item,) = workspace.journal_items(entry_id)
    assert (item.before, item.after) == (
        {"content": "Is allergic to nuts"},
        {"content": "Is allergic to zebras"},
    )
    undo = workspace.undo().journal_id
    (event,) = [event for event in workspace.journal() if event.id == entry_id]
    assert (event.state, event.undoable) == ("undone", False)
    (event,) = [event for event in workspace.journal() if event.id == undo]
    assert (event.kind, event.undoes, event.state, event.undoable) == ("undone", entry_id, "done", True)
    assert item_states(workspace, undo) == {("done", "")}
    assert [event.kind for event in detail_of(workspace, id).history] == ["undone", "edited"]
    assert "allergic" not in "".join(event.summary + event.reason for event in workspace.journal())


# -- purges in between


def test_undo_ignores_a_purge_that_failed(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.add({"content": "The zebra is striped."})

    def failing(*_: object) -> None:
        raise NotSaved("io", "the disk hiccuped.")

    with monkeypatch.context() as patch:
        patch.setattr(FileStore, "apply", failing)
        assert refusal(lambda: workspace.purge([find_id(workspace, SAMPLE[MCP])])).code == "io"
    assert workspace.journal()[0].kind == "purged"
    assert workspace.undo(warn=True).summary == f"Undone: Added 1 memory in {NATIVE}"


def test_undo_warns_about_a_partial_purge_before_older_changes(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.add({"content": "The zebra is striped."})
    ids_to_purge = [find_id(workspace, SAMPLE[store]) for store in (NATIVE, MCP)]
    away = demo_workspace.folder / "away"
    steps: dict[str, Callable[[], object]] = {
        "before the foreign write": lambda: demo_workspace.store_paths[MCP].rename(away)
    }

    def on_step(name: str) -> None:
        steps.pop(name, lambda: None)()

    workspace._ctx.on_step = on_step
    assert workspace.purge(ids_to_purge).count == 1
    away.rename(demo_workspace.store_paths[MCP])
    assert refusal(lambda: workspace.undo(warn=True)).code == "not-undoable"
    assert workspace.undo(warn=True).summary == f"Undone: Added 1 memory in {NATIVE}"
