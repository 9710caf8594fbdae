"""Each verb on each store: what the mirror says, what the store says, and back again (S-4, S-8, S-51)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats import registry
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
FIELDS = {"content", "title", "category", "tags", "key", "subject"}
# Where a verb lands in a store of ours or another's: the fields that the format holds.
HELD = {
    NATIVE: {"content", "title", "category", "tags", "key", "subject", "status", "confidence"},
    FOUNDER: {"content", "category", "tags", "key", "status", "confidence"},
    CLAUDE: {"content", "title", "category"},
    MCP: {"content", "category", "subject"},
}
CATEGORY = {NATIVE: "project", FOUNDER: "workflow", CLAUDE: "project", MCP: "project"}


def record(demo_workspace: DemoWorkspace, workspace: Workspace, id: int) -> Any:
    """What the store itself says of a memory now; None where it is not in there."""
    store = workspace.rows([id])[0].store
    return read_records(demo_workspace.store_paths[store]).get(memory(workspace, id).ref)


@pytest.mark.parametrize(("name", "store"), CASES)
def test_a_verb_is_undone_without_a_trace_and_redone_as_if_it_had_never_been_undone(
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
    done, stands = _said(workspace), all_contents(demo_workspace.folder)
    workspace.undo()
    assert rows(workspace, removed=True) == before[0]
    assert relations(workspace) == before[1]
    assert all_contents(demo_workspace.folder) == before[2]
    assert refusal(workspace.undo).code == "nothing"
    assert_in_sync(workspace)
    workspace.redo()
    assert _said(workspace) == done
    assert all_contents(demo_workspace.folder) == stands
    assert refusal(workspace.redo).code == "nothing"
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before[2]
    assert_in_sync(workspace)


def _said(workspace: Workspace) -> dict[int, dict[str, Any]]:
    """The rows, but for the number of the line that took a memory out."""
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
def test_an_edited_field_lands_where_the_format_holds_it(
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
    said = record(demo_workspace, workspace, id).fields
    if field in HELD[store]:
        assert said.get(field) == value
    else:
        assert said.get(field) != value
        workspace.pull()
        assert getattr(memory(workspace, id), field) == value


@pytest.mark.parametrize("store", STORES)
def test_a_pin_stays_with_us_and_says_so(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
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
def test_confirming_raises_what_the_format_counts(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id)
    asked = demo_workspace.clock.now
    workspace.confirm([id])
    after = memory(workspace, id)
    assert after.times_confirmed == before.times_confirmed + 1
    assert after.last_confirmed_at is not None
    assert asked < after.last_confirmed_at <= demo_workspace.clock.now
    assert after.status in ("confirmed", "applied")
    if before.confidence is not None:
        assert after.confidence == pytest.approx(max(before.confidence + 0.15, 0.6))
    if store == FOUNDER:
        said = record(demo_workspace, workspace, id).fields
        assert (said["confidence"], said["times_confirmed"]) == (0.79, 2)


@pytest.mark.parametrize("store", STORES)
def test_what_is_dismissed_goes_as_its_format_lets_it(
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
        assert record(demo_workspace, workspace, id).fields["status"] == "dismissed"
    elif store != NATIVE:
        assert before.ref not in read_records(demo_workspace.store_paths[store])
    workspace.restore([id])
    assert memory(workspace, id) == before or store == FOUNDER
    assert memory(workspace, id).status == before.status
    assert_in_sync(workspace)


@pytest.mark.parametrize("store", FOREIGN)
def test_a_restored_memory_stands_at_its_old_place(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id, before = find_id(workspace, SAMPLE[store]), all_contents(demo_workspace.folder)
    workspace.dismiss([id])
    workspace.restore([id])
    after = all_contents(demo_workspace.folder)
    if store == FOUNDER:  # its time of change moved
        for each in (before, after):
            for row in each[FOUNDER]["memories"].values():
                del row["updated_at"]
    assert after == before


@pytest.mark.parametrize("store", STORES)
def test_a_new_memory_stands_in_its_store(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    before, stands = rows(workspace), all_contents(demo_workspace.folder)
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
        assert record(demo_workspace, workspace, id).fields["content"] == added.content
    workspace.undo()
    assert rows(workspace) == before
    assert all_contents(demo_workspace.folder) == stands
    assert not workspace.search("giraffes", live=False).ids
    workspace.redo()
    assert memory(workspace, id) == added
    assert find_id(workspace, "giraffes") == id
    assert_in_sync(workspace)
    workspace.undo()
    assert all_contents(demo_workspace.folder) == stands
    assert workspace.pull().total == 0


def test_a_memory_of_our_own_is_a_persons_word(workspace: Workspace) -> None:
    (id,) = workspace.add({"content": "Said by a person."}).ids
    added = memory(workspace, id)
    assert (added.status, added.confidence, added.source_type) == ("confirmed", 0.5, "user")


@pytest.fixture
def collecting() -> Iterator[None]:
    """Python looks for garbage, which it does not in tests."""
    was = gc.isenabled()
    gc.enable()
    yield
    if not was:
        gc.disable()


@pytest.mark.usefixtures("collecting")
def test_python_looks_for_garbage_again_after_a_change_but_not_within(demo_workspace: DemoWorkspace) -> None:
    within: list[bool] = []
    with demo_workspace.opened(on_step=lambda _: within.append(gc.isenabled())) as workspace:
        workspace.dismiss([find_id(workspace, SAMPLE[CLAUDE])])
        assert set(within) == {False}
        assert gc.isenabled()
        with pytest.raises(Refused):
            workspace.dismiss([0])
        assert gc.isenabled()


@pytest.mark.parametrize("store", STORES)
def test_what_a_verb_will_do_is_told_before(workspace: Workspace, store: str) -> None:
    detail = detail_of(workspace, find_id(workspace, SAMPLE[store]))
    assert set(detail.consequences) == {*ACTIONS, *(f"edit {field}" for field in FIELDS)}
    for action, consequence in detail.consequences.items():
        places = (Path(detail.path).name, "its file", "kept in memtui")
        assert consequence.text, action
        assert store == NATIVE or any(place in consequence.text for place in places), (action, consequence)
    kept = {action for action, consequence in detail.consequences.items() if consequence.local}
    assert {detail.consequences[action].label[:14] for action in kept} <= {"kept in memtui"}
    expected = {f"edit {field}" for field in FIELDS - HELD[store]}
    if store != NATIVE:
        expected |= {"pin", "unpin"} if store == FOUNDER else {"pin", "unpin", "confirm"}
    assert kept == expected


# -- why not


@pytest.mark.parametrize("store", STORES)
def test_what_cannot_be_done_says_why(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    blocked = detail_of(workspace, id).blocked
    assert blocked == {"unpin": "It is not pinned.", "restore": "Nothing to restore: it is not dismissed."}
    workspace.pin([id])
    before = rows(workspace), workspace.journal(), all_contents(demo_workspace.folder)
    assert refusal(lambda: workspace.pin([id])).message == "It is pinned already."
    assert refusal(lambda: workspace.restore([id])).message == blocked["restore"]
    same = memory(workspace, id).content
    assert refusal(lambda: workspace.edit([id], {"content": same})).message == "Nothing in it would change."
    assert (rows(workspace), workspace.journal(), all_contents(demo_workspace.folder)) == before


@pytest.mark.parametrize("store", [CLAUDE, MCP])
def test_what_was_taken_out_is_to_be_restored_first(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    workspace.dismiss([id])
    blocked = detail_of(workspace, id).blocked
    assert blocked["edit"] == blocked["confirm"] == "It was taken out of its store; restore it first."
    assert blocked["dismiss"] == "It is dismissed already."
    before = all_contents(demo_workspace.folder)
    assert refusal(lambda: workspace.edit([id], {"content": "No."})).message == blocked["edit"]
    assert all_contents(demo_workspace.folder) == before


def test_what_another_hand_removed_cannot_be_changed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    place = demo_workspace.store_paths[MCP]
    place.write_text(place.read_text().replace('"Is allergic to nuts",', ""))
    workspace.pull()
    blocked = detail_of(workspace, id).blocked
    assert blocked["edit"] == blocked["confirm"] == blocked["dismiss"] == "It is no longer in its store."
    assert refusal(lambda: workspace.dismiss([id])).message == blocked["dismiss"]
    assert list(workspace.search("is:removed").ids) == [id]
    without = place.read_bytes()
    workspace.restore([id])
    assert '"Is allergic to nuts"' in place.read_text()
    assert "restore" in detail_of(workspace, id).blocked
    assert workspace.pull().total == 0
    workspace.undo()
    assert place.read_bytes() == without
    assert list(workspace.search("is:removed").ids) == [id]


def test_a_workspace_opened_for_reading_changes_nothing(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(read_only=True) as workspace:
        id, before = find_id(workspace, SAMPLE[MCP]), all_contents(demo_workspace.folder)
        place = demo_workspace.store_paths[MCP]
        assert set(detail_of(workspace, id).blocked.values()) == {"Opened with --read-only."}
        for act in (
            lambda: workspace.pin([id]),
            lambda: workspace.edit([id], {"content": "No."}),
            lambda: workspace.add({"content": "No."}),
            lambda: workspace.attach(place),
            lambda: workspace.detach(MCP),
            workspace.undo,
            workspace.redo,
        ):
            assert refusal(act).code == "read-only"
        assert workspace.pull().total == 0
        assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize("store", STORES)
def test_no_memory_is_ever_empty(workspace: Workspace, store: str) -> None:
    before = rows(workspace)
    id = find_id(workspace, SAMPLE[store])
    assert refusal(lambda: workspace.edit([id], {"content": " \n"})).code == "empty"
    assert refusal(lambda: workspace.add({"content": "\t", "subject": "Bo Janssen"}, store)).code == "empty"
    assert rows(workspace) == before


def test_what_cannot_be_edited_is_named(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    told = refusal(lambda: workspace.edit([id], {"confidence": 1.0}))
    assert told.message == "confidence cannot be edited."
    assert "content, title, category" in told.hint
    assert refusal(lambda: workspace.pin([10_000])).code == "nothing"


@pytest.mark.parametrize("store", STORES)
def test_half_a_character_and_nul_are_not_stored(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    id = find_id(workspace, SAMPLE[store])
    workspace.edit([id], {"content": "zebra \x00 and \ud800 half"})
    assert memory(workspace, id).content == "zebra \ufffd and \ufffd half"
    assert_in_sync(workspace)


def test_a_refused_category_names_the_allowed_ones(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id, before = find_id(workspace, SAMPLE[FOUNDER]), all_contents(demo_workspace.folder)
    told = refusal(lambda: workspace.edit([id], {"category": "zebra"}))
    assert told.message.startswith("Invalid category: must be one of preference, pattern")
    assert all_contents(demo_workspace.folder) == before
    assert workspace.journal()[0].state == "refused"
    assert workspace.journal()[0].reason == told.message
    assert memory(workspace, id).category == "fact"


def test_some_of_a_batch_may_be_left_out_and_is_named(workspace: Workspace) -> None:
    ids = [find_id(workspace, words) for words in SAMPLE.values()]
    workspace.pin(ids[:1])
    change = workspace.pin(ids)
    assert change.ids == tuple(ids[1:])
    assert [left.reason for left in change.skipped] == ["It is pinned already."]
    assert change.summary.startswith("Pinned 3 of 4 memories")


def test_one_of_two_equal_texts_is_meant(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Equal texts are told apart by their number alone: when the first goes, the second takes its."""
    place = demo_workspace.store_paths[MCP]
    place.write_text(
        place.read_text().replace('"Is allergic to nuts"', '"Is allergic to nuts","Is allergic to nuts"')
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


def test_a_format_says_which_fields_it_holds() -> None:
    """What these tests take for granted of the formats."""
    for name, held in HELD.items():
        if name != NATIVE:
            adapter = registry.by_name(name.partition(":")[0])
            assert adapter.fields & FIELDS == held & FIELDS
