"""Each verb on each store: its effects on the mirror and the store, and undo (S-4, S-8, S-51)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.memory.memory import EDITABLE
from memtui.workspace.changes.wording import none_possible
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
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    detail_of,
    find_id,
    item_states,
    memory,
    read_records,
    refusal,
    relations,
    rows,
)
from tests.support.sizes import shard

Verb = Callable[[Workspace, int], Any]
VERBS: dict[str, Verb] = {
    "pin": lambda workspace, id: workspace.pin([id], "because"),
    "confirm": lambda workspace, id: workspace.confirm([id]),
    "edit content": lambda workspace, id: workspace.edit([id], {"content": "Quite another zebra."}),
    "edit title": lambda workspace, id: workspace.edit([id], {"title": "Zebra"}),
    "edit category": lambda workspace, id: workspace.edit([id], {"category": "project"}),
    "edit tags": lambda workspace, id: workspace.edit([id], {"tags": ("zebra", "stripes")}),
    "edit key": lambda workspace, id: workspace.edit([id], {"key": "zebra-key"}),
    "edit subject": lambda workspace, id: workspace.edit([id], {"subject": "Zebra the Great"}),
    "edit all": lambda workspace, id: workspace.edit(
        [id], {"content": "Zebra again.", "tags": ("z",), "title": "Zebra"}
    ),
    "dismiss": lambda workspace, id: workspace.dismiss([id]),
}
# Each verb on each store; an edit of a single field on one of the stores, all of them at full size.
CASES = [
    (name, store)
    for number, (name, _) in enumerate(VERBS.items())
    for store in (STORES if name in ("pin", "confirm", "edit all", "dismiss") else shard(STORES, number, 4))
]
ACTIONS = {"pin", "unpin", "confirm", "edit", "dismiss", "restore"}
# The fields that each format stores.
STORED_FIELDS = {
    NATIVE: {*EDITABLE, "status"},
    FOUNDER: {"content", "category", "tags", "key", "status", "confidence", "expires_at"},
    CLAUDE: {"content", "title", "category"},
    MCP: {"content", "category", "subject"},
}
CATEGORY = {NATIVE: "project", FOUNDER: "workflow", CLAUDE: "project", MCP: "project"}


def read_record(demo_workspace: DemoWorkspace, workspace: Workspace, id: int) -> Any:
    """Read a memory's record from its store; None if it is not there."""
    store = workspace.rows([id])[0].store
    return read_records(demo_workspace.store_paths[store]).get(memory(workspace, id).ref)


@pytest.mark.parametrize(("name", "store"), CASES)
def test_undo_restores_everything_and_redo_repeats_the_verb(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, name: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    if name == "edit category":
        VERBS[name] = lambda workspace, id: workspace.edit([id], {"category": CATEGORY[store]})
    before = rows(workspace, removed=True), relations(workspace), all_contents(demo_workspace.folder)
    change = VERBS[name](workspace, id)
    assert change.ids == (id,)
    assert rows(workspace) != before[0]
    assert item_states(workspace, change.journal_id) == {("done", "")}
    assert_in_sync(workspace)
    done, contents_after = _comparable_rows(workspace), all_contents(demo_workspace.folder)
    workspace.undo()
    assert rows(workspace, removed=True) == before[0]
    assert relations(workspace) == before[1]
    assert all_contents(demo_workspace.folder) == before[2]
    assert refusal(workspace.undo).code == "nothing"
    assert_in_sync(workspace)
    workspace.redo()
    assert _comparable_rows(workspace) == done
    assert all_contents(demo_workspace.folder) == contents_after
    assert refusal(workspace.redo).code == "nothing"
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before[2]
    assert_in_sync(workspace)


def _comparable_rows(workspace: Workspace) -> dict[int, dict[str, Any]]:
    """Return the rows without the id of the entry that removed a memory."""
    return {id: row | {"moved": row["moved"] is not None} for id, row in rows(workspace).items()}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", "A new text about zebras."),
        ("title", "A zebra"),
        ("tags", ("zebra",)),
        ("key", "the-zebra"),
        ("subject", "Zebra Ltd"),
        ("category", ""),
    ],
)
def test_an_edited_field_is_written_to_the_store_if_its_format_has_it(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, field: str, value: Any
) -> None:
    value = value or CATEGORY[store]
    id = find_id(workspace, SAMPLE[store])
    workspace.edit([id], {field: value})
    assert getattr(memory(workspace, id), field) == value
    if field != "category":
        assert id in workspace.search("key:the-zebra" if field == "key" else "zebra").ids
    if store == NATIVE:
        return
    fields_in_store = read_record(demo_workspace, workspace, id).fields
    if field in STORED_FIELDS[store]:
        assert fields_in_store.get(field) == value
    else:
        assert fields_in_store.get(field) != value
        workspace.pull()
        assert getattr(memory(workspace, id), field) == value


@pytest.mark.parametrize("store", STORES)
def test_a_pin_is_kept_in_memtui(demo_workspace: DemoWorkspace, workspace: Workspace, store: str) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = all_contents(demo_workspace.folder)
    change = workspace.pin([id], "it matters")
    pinned = memory(workspace, id)
    assert (pinned.pinned, pinned.pinned_by, pinned.pinned_why) == (True, "person", "it matters")
    assert all_contents(demo_workspace.folder) == before
    assert list(workspace.search("is:pinned").ids) == [id]
    assert change.summary == f"Pinned 1 memory{' in native' if store == NATIVE else ', kept in memtui'}"
    workspace.unpin([id])
    unpinned = memory(workspace, id)
    assert (unpinned.pinned, unpinned.pinned_by, unpinned.pinned_why) == (False, None, None)
    workspace.undo()
    assert memory(workspace, id) == pinned
    workspace.undo()
    assert not memory(workspace, id).pinned


@pytest.mark.parametrize("store", STORES)
def test_confirming_raises_counts_and_confidence(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id)
    asked_at = demo_workspace.clock.now
    workspace.confirm([id])
    after = memory(workspace, id)
    assert after.times_confirmed == before.times_confirmed + 1
    assert after.last_confirmed_at is not None
    assert asked_at < after.last_confirmed_at <= demo_workspace.clock.now
    assert after.status in ("confirmed", "applied")
    if before.confidence is not None:
        assert after.confidence == pytest.approx(max(before.confidence + 0.15, 0.6))
    if store == FOUNDER:
        fields_in_store = read_record(demo_workspace, workspace, id).fields
        assert (fields_in_store["confidence"], fields_in_store["times_confirmed"]) == (0.79, 2)


@pytest.mark.parametrize("store", STORES)
def test_a_memory_is_dismissed_as_its_format_does(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id)
    workspace.dismiss([id])
    assert memory(workspace, id).status == "dismissed"
    assert memory(workspace, id).content == before.content
    assert id not in workspace.search(SAMPLE[store]).ids
    assert list(workspace.search(f"{SAMPLE[store]} status:dismissed").ids) == [id]
    if store == FOUNDER:
        assert read_record(demo_workspace, workspace, id).fields["status"] == "dismissed"
    elif store != NATIVE:
        assert before.ref not in read_records(demo_workspace.store_paths[store])
    workspace.restore([id])
    assert memory(workspace, id) == before or store == FOUNDER
    assert memory(workspace, id).status == before.status
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_restored_memory_is_at_its_old_position(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id, before = find_id(workspace, SAMPLE[store]), all_contents(demo_workspace.folder)
    workspace.dismiss([id])
    workspace.restore([id])
    after = all_contents(demo_workspace.folder)
    if store == FOUNDER:  # updated_at changes
        for each in (before, after):
            for row in each[FOUNDER]["memories"].values():
                del row["updated_at"]
    assert after == before


@pytest.mark.parametrize("store", STORES)
def test_a_new_memory_is_written_to_its_store(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    before, contents_before = rows(workspace), all_contents(demo_workspace.folder)
    fields = {"content": "Giraffes need tall shelves.", "category": CATEGORY[store], "tags": ("tall",)}
    if store == MCP:  # the entity has its category already
        fields = {"content": fields["content"], "tags": ("tall",), "subject": "Bo Janssen"}
    change = workspace.add(fields, store)
    (id,) = change.ids
    added = memory(workspace, id)
    assert (added.content, added.category, added.tags, added.store) == (
        "Giraffes need tall shelves.",
        CATEGORY[store] if store != MCP else "person",
        ("tall",),
        store,
    )
    assert find_id(workspace, "giraffes") == id
    assert rows(workspace).keys() - before.keys() == {id}
    assert_in_sync(workspace)
    if store != NATIVE:
        assert read_record(demo_workspace, workspace, id).fields["content"] == added.content
    workspace.undo()
    assert rows(workspace) == before
    assert all_contents(demo_workspace.folder) == contents_before
    assert not workspace.search("giraffes", live=False).ids
    workspace.redo()
    assert memory(workspace, id) == added
    assert find_id(workspace, "giraffes") == id
    assert_in_sync(workspace)
    workspace.undo()
    assert all_contents(demo_workspace.folder) == contents_before
    assert workspace.pull().total == 0


def test_a_new_own_memory_is_confirmed_by_the_user(workspace: Workspace) -> None:
    (id,) = workspace.add({"content": "Said by a person."}).ids
    added = memory(workspace, id)
    assert (added.status, added.confidence, added.source_type) == ("confirmed", 0.5, "user")


@pytest.fixture
def garbage_collection() -> Iterator[None]:
    """Enable garbage collection, which is disabled in tests."""
    was_enabled = gc.isenabled()
    gc.freeze()  # earlier tests left much garbage
    gc.enable()
    yield
    if not was_enabled:
        gc.disable()


@pytest.mark.usefixtures("garbage_collection")
def test_garbage_collection_is_disabled_only_during_a_change(demo_workspace: DemoWorkspace) -> None:
    within: list[bool] = []
    with demo_workspace.opened(on_step=lambda _: within.append(gc.isenabled())) as workspace:
        workspace.dismiss([find_id(workspace, SAMPLE[CLAUDE])])
        assert set(within) == {False}
        assert gc.isenabled()
        with pytest.raises(Refused):
            workspace.dismiss([0])
        assert gc.isenabled()


@pytest.mark.parametrize("store", STORES)
def test_consequences_are_described_for_every_action(workspace: Workspace, store: str) -> None:
    detail = detail_of(workspace, find_id(workspace, SAMPLE[store]))
    assert set(detail.consequences) == {*ACTIONS, *(f"edit {field}" for field in EDITABLE)}
    for action, consequence in detail.consequences.items():
        paths = (Path(detail.path).name, "its file", "kept in memtui")
        assert consequence.text, action
        assert store == NATIVE or any(path in consequence.text for path in paths), (action, consequence)
    local = {action for action, consequence in detail.consequences.items() if consequence.local}
    assert {detail.consequences[action].label[:14] for action in local} <= {"kept in memtui"}
    expected = {f"edit {field}" for field in set(EDITABLE) - STORED_FIELDS[store]}
    if store != NATIVE:
        expected |= {"pin", "unpin"} if store == FOUNDER else {"pin", "unpin", "confirm"}
    assert local == expected


# -- refusals


@pytest.mark.parametrize("store", STORES)
def test_blocked_actions_have_a_reason(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    blocked = detail_of(workspace, id).blocked
    assert blocked == {"unpin": "Not pinned.", "restore": "Nothing to restore: the memory isn't dismissed."}
    workspace.pin([id])
    before = rows(workspace), workspace.journal(), all_contents(demo_workspace.folder)
    assert refusal(lambda: workspace.pin([id])).message == "Already pinned."
    assert refusal(lambda: workspace.restore([id])).message == blocked["restore"]
    content = memory(workspace, id).content
    assert refusal(lambda: workspace.edit([id], {"content": content})).message == "Nothing would change."
    assert (rows(workspace), workspace.journal(), all_contents(demo_workspace.folder)) == before


@pytest.mark.parametrize("store", [CLAUDE, MCP])
def test_a_dismissed_memory_must_be_restored_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    workspace.dismiss([id])
    blocked = detail_of(workspace, id).blocked
    assert blocked["edit"] == blocked["confirm"] == "It was removed from its store; restore it first."
    assert blocked["dismiss"] == "Already dismissed."
    before = all_contents(demo_workspace.folder)
    assert refusal(lambda: workspace.edit([id], {"content": "No."})).message == blocked["edit"]
    assert all_contents(demo_workspace.folder) == before


def test_a_memory_removed_by_an_agent_can_only_be_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text().replace('"Is allergic to nuts",', ""))
    workspace.pull()
    blocked = detail_of(workspace, id).blocked
    assert blocked["edit"] == blocked["confirm"] == blocked["dismiss"] == "It is no longer in its store."
    assert refusal(lambda: workspace.dismiss([id])).message == blocked["dismiss"]
    assert list(workspace.search("is:removed").ids) == [id]
    removed = path.read_bytes()
    workspace.restore([id])
    assert '"Is allergic to nuts"' in path.read_text()
    assert "restore" in detail_of(workspace, id).blocked
    assert workspace.pull().total == 0
    workspace.undo()
    assert path.read_bytes() == removed
    assert list(workspace.search("is:removed").ids) == [id]


def test_a_read_only_workspace_changes_nothing(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(read_only=True) as workspace:
        id, before = find_id(workspace, SAMPLE[MCP]), all_contents(demo_workspace.folder)
        path = demo_workspace.store_paths[MCP]
        assert set(detail_of(workspace, id).blocked.values()) == {"Opened with --read-only."}
        for action in (
            lambda: workspace.pin([id]),
            lambda: workspace.edit([id], {"content": "No."}),
            lambda: workspace.add({"content": "No."}),
            lambda: workspace.attach(path),
            lambda: workspace.detach(MCP),
            workspace.undo,
            workspace.redo,
        ):
            assert refusal(action).code == "read-only"
        assert workspace.pull().total == 0
        assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize("store", STORES)
def test_empty_contents_are_refused(workspace: Workspace, store: str) -> None:
    before = rows(workspace)
    id = find_id(workspace, SAMPLE[store])
    assert refusal(lambda: workspace.edit([id], {"content": " \n"})).code == "empty"
    assert refusal(lambda: workspace.add({"content": "\t", "subject": "Bo Janssen"}, store)).code == "empty"
    assert rows(workspace) == before


def test_a_field_that_cannot_be_edited_is_named(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    refused = refusal(lambda: workspace.edit([id], {"status": "applied"}))
    assert refused.message == "status can't be edited."
    assert "content, title, category" in refused.hint
    assert refusal(lambda: workspace.pin([10_000])).code == "nothing"


@pytest.mark.parametrize("store", STORES)
def test_surrogates_and_nul_are_replaced(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    workspace.edit([id], {"content": "zebra \x00 and \ud800 half"})
    assert memory(workspace, id).content == "zebra \ufffd and \ufffd half"
    assert_in_sync(workspace)


def test_an_invalid_category_is_refused_with_the_allowed_ones(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id, before = find_id(workspace, SAMPLE[FOUNDER]), all_contents(demo_workspace.folder)
    refused = refusal(lambda: workspace.edit([id], {"category": "zebra"}))
    assert refused.message.startswith("Invalid category “zebra”: Founder OS has only preference, pattern")
    assert all_contents(demo_workspace.folder) == before
    assert workspace.journal()[0].state == "refused"
    assert workspace.journal()[0].reason == refused.message
    assert memory(workspace, id).category == "fact"


def test_what_an_agent_adds_is_not_said_to_be_by_a_person(demo_workspace: DemoWorkspace) -> None:
    sources = []
    for actor in ("person", "agent:assistant"):
        with demo_workspace.opened(actor=actor) as workspace:
            (id,) = workspace.add({"content": f"Added by {actor}."}).ids
            sources.append(memory(workspace, id).source_type)
    assert sources == ["user", "agent"]


def test_a_change_of_which_no_part_is_possible_gives_the_reasons(workspace: Workspace) -> None:
    ids = [find_id(workspace, words) for words in SAMPLE.values()]
    workspace.pin(ids[:2])
    equal = refusal(lambda: workspace.pin(ids[:2]))
    assert equal.message == "None of the 2 memories could be changed. Reason: already pinned."
    assert refusal(lambda: workspace.pin(ids[:1])).message == "Already pinned."
    different = none_possible("blocked", ["It is dismissed; restore it first.", "Not pinned."])
    assert different.message == (
        "None of the 2 memories could be changed. First error: it is dismissed; restore it first."
    )


def test_skipped_memories_of_a_batch_are_named(workspace: Workspace) -> None:
    ids = [find_id(workspace, words) for words in SAMPLE.values()]
    workspace.pin(ids[:1])
    change = workspace.pin(ids)
    assert change.ids == tuple(ids[1:])
    assert [skipped.reason for skipped in change.skipped] == ["Already pinned."]
    assert change.summary.startswith("Pinned 3 of 4 memories")


def test_equal_texts_are_separate_memories(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Refs of equal texts differ by a number only: when the first is removed, the second gets its ref."""
    path = demo_workspace.store_paths[MCP]
    path.write_text(
        path.read_text().replace('"Is allergic to nuts"', '"Is allergic to nuts","Is allergic to nuts"')
    )
    workspace.pull()
    first, second = sorted(workspace.search("allergic").ids, key=lambda id: len(memory(workspace, id).ref))
    workspace.pin([second], "the second")
    before = rows(workspace), all_contents(demo_workspace.folder)
    workspace.dismiss([first])
    assert memory(workspace, second).pinned_why == "the second"
    assert memory(workspace, first).status == "dismissed"
    assert_in_sync(workspace)
    assert workspace.pull().total == 0
    workspace.undo()
    assert (rows(workspace), all_contents(demo_workspace.folder)) == before
    assert_word_index_intact(workspace)


def test_the_assumed_fields_are_those_of_the_adapters() -> None:
    for name, fields in STORED_FIELDS.items():
        if name != NATIVE:
            adapter = registry.by_name(name.partition(":")[0])
            assert adapter.fields & set(EDITABLE) == fields & set(EDITABLE)
