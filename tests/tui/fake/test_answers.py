"""The fake workspace gives the same answers as a real one with the same memories in its own store."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.records import Record
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
)
from memtui.memory.relations import RelationSpec
from memtui.workspace.mirror import memory_rows
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock
from tests.support.sizes import FULL, sample_cases

Call = Callable[[Workspace], object]

LIVE, PINNED, DISMISSED, CANDIDATE, OTHER, CONTRADICTING = 1, 2, 3, 4, 5, 6
UNKNOWN = 99
MEMORIES: tuple[dict[str, Any], ...] = (
    {"content": "The project supports Python 3.12.", "tags": ("python",), "times_used": 2},
    {"content": "CI takes 14 minutes", "pinned": True, "pinned_by": "person", "title": "CI"},
    {"content": "The staging host is db-2", "status": "dismissed"},
    {"content": "Releases ship to PyPI on tag", "status": "candidate", "confidence": 0.2},
    {"content": "Ana wants a review flow by keys alone", "confidence": 1.0, "status": "applied"},
    {"content": "The project supports Python 3.11.", "pinned": True, "pinned_by": "person"},
)


def fill(workspace: Workspace) -> None:
    """Put the memories into memtui's own store without journal entries."""
    ctx = workspace._ctx
    store_id = ctx.db.one("SELECT id FROM stores WHERE format = 'native'")
    defaults = {
        "confidence": 0.5,
        "category": "fact",
        "created_at": NOW - 9 * DAY,
        "updated_at": NOW - 2 * DAY,
    }
    records = [Record(ref=f"m{n}", fields={**defaults, **each}) for n, each in enumerate(MEMORIES)]
    with ctx.db.atomic():
        memory_rows.insert(ctx.db, store_id, "native", "", records, NOW)
    workspace.scan()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("real") / "w.db"
    with closing(Workspace.open(path, clock=lambda: NOW)) as workspace:
        fill(workspace)
    return path


@pytest.fixture
def real(tmp_path: Path, filled: Path) -> Iterator[Workspace]:
    ticks = iter(range(10**6))
    path = Path(shutil.copy(filled, tmp_path))
    with closing(Workspace.open(path, clock=lambda: NOW, new_id=lambda: f"new{next(ticks)}")) as workspace:
        yield workspace


def fake_of(real: Workspace) -> FakeWorkspace:
    """Return a fake with the memories, pairs and relations of a real workspace."""
    ids = sorted(real.search("", live=False).ids)
    assert ids == list(range(1, len(MEMORIES) + 1))
    fake = FakeWorkspace(real.memories(ids), clock=clock)
    fake.pairs_by_id = {pair.id: pair for pair in real.pairs(state="")}
    fake.relations = {id: found for id in ids if (found := tuple(real.detail(id).relations))}  # type: ignore[union-attr]
    return fake


def answer(workspace: Workspace, call: Call) -> object:
    """Return the result of a call, or the refusal that it raises."""
    try:
        return call(workspace)
    except Refused as refusal:
        return type(refusal).__name__, refusal.to_json()


def contents(workspace: Workspace) -> list[tuple[int, object]]:
    """Return all memories as data, without the uid and ref of new ones, which differ."""
    ids = sorted(workspace.search("", live=False).ids)
    plain = ({**each.to_json(), "ties": each.ties} for each in workspace.memories(ids))
    return [
        (id, {k: v for k, v in each.items() if id <= len(MEMORIES) or k not in ("uid", "ref")})
        for id, each in zip(ids, plain, strict=True)
    ]


def journal(workspace: Workspace) -> list[object]:
    """Return the journal, with what each entry says of each memory."""
    return [
        (
            *(each.id, each.at, each.actor, each.kind, each.summary, each.state, each.undoes),
            *(each.count, each.store, each.undoable),
            [(i.state, i.store, plain(i.before), plain(i.after)) for i in workspace.journal_items(each.id)],
        )
        for each in workspace.journal()
    ]


def plain(fields: dict[str, Any] | None) -> object:
    """Return fields with tuples as lists."""
    if fields is None:
        return None
    return {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()}


def blocked(workspace: Workspace) -> object:
    """Return the blocked actions of each memory, with their reasons."""
    details = (workspace.detail(id) for id, _ in contents(workspace))
    return [detail.blocked for detail in details if detail is not None]


def pairs(workspace: Workspace) -> list[object]:
    """Return the pairs that are open, put off or settled, with their verdicts."""
    return [
        (each.id, each.state, each.decision) for each in workspace.pairs(state="") if each.state != "over"
    ]


def verb(name: str, *args: Any, **more: Any) -> Call:
    return lambda w: getattr(w, name)(*args, **more)


PIN, UNPIN = verb("pin", [LIVE]), verb("unpin", [PINNED])
UNDO, WARNED, REDO = verb("undo"), verb("undo", warn=True), verb("redo")
ADD = verb("add", {"content": "The port is 8080", "tags": ["net", "net", " "], "title": " "})


def on_all_kinds(name: str) -> list[tuple[str, list[Call]]]:
    """Return cases of a verb on memories in different states: on one, repeated, on several, on none."""

    def on(*ids: int) -> Call:
        return lambda w: getattr(w, name)(ids)

    every = on(LIVE, PINNED, DISMISSED, CANDIDATE, OTHER)
    return [
        (f"{name} {target}", calls)
        for target, calls in {
            "one of each": [every, every],
            "a live one": [on(LIVE), on(LIVE), UNDO, UNDO, on(LIVE)],
            "a pinned one": [on(PINNED), on(PINNED), UNDO],
            "a dismissed one": [on(DISMISSED), on(DISMISSED), UNDO],
            "a candidate": [on(CANDIDATE), on(CANDIDATE), UNDO],
            "one twice": [on(OTHER, OTHER)],
            "an unknown one": [on(UNKNOWN), on(LIVE, UNKNOWN)],
            "none": [on()],
            "one, then another": [on(LIVE), on(OTHER), on(PINNED, LIVE), UNDO, UNDO],
        }.items()
    ]


def edit(ids: Sequence[int], fields: dict[str, Any], **more: Any) -> Call:
    return lambda w: w.edit(ids, fields, **more)


def settle(verdict: str, **more: Any) -> Call:
    return lambda w: w.settle(1, verdict, **more)


def settled(verdict: str, **more: Any) -> tuple[str, list[Call]]:
    """Return a case of a verdict that is given, repeated, undone and given again."""
    give = settle(verdict, **more)
    return f"settle {verdict} {more}", [give, give, UNDO, REDO, UNDO, give]


def snooze(*ids: int) -> Call:
    return lambda w: w.snooze(ids, NOW + 30 * DAY)


def wake(*ids: int) -> Call:
    return lambda w: w.snooze(ids, None)


def forget(*ids: int) -> Call:
    return lambda w: w.forget(ids)


def restore(*ids: int) -> Call:
    return lambda w: w.restore(ids)


TEXT = edit([LIVE], {"content": "The project supports Python 3.13."})


def undo_entry(entry_id: int) -> Call:
    return lambda w: w.undo(entry_id)


def purge(*ids: int) -> Call:
    return lambda w: (lambda done: (done.count, done.summary))(w.purge(ids))


CASES: list[tuple[str, list[Call]]] = [
    *(case for name in ("pin", "unpin", "confirm", "dismiss", "restore") for case in on_all_kinds(name)),
    ("pin with a reason", [lambda w: w.pin([LIVE], "for Ana"), UNDO, REDO]),
    ("snooze", [snooze(LIVE), snooze(LIVE), UNDO, REDO, wake(LIVE), wake(LIVE), UNDO]),
    ("snooze several", [snooze(LIVE, DISMISSED, UNKNOWN), wake(OTHER, LIVE), wake(OTHER)]),
    ("snooze until a past date", [lambda w: w.snooze([LIVE], NOW)]),
    ("settle a snoozed pair", [snooze(LIVE), settle(KEEP_A), UNDO, UNDO]),
    ("forget", [forget(LIVE), forget(LIVE), UNDO, REDO, restore(LIVE), UNDO, UNDO]),
    (
        "forget several",
        [forget(PINNED, DISMISSED, UNKNOWN), restore(DISMISSED), restore(PINNED), undo_entry(1)],
    ),
    ("edit", [TEXT, TEXT, UNDO, REDO]),
    ("edit to the same text", [edit([LIVE], {"content": MEMORIES[0]["content"]})]),
    ("edit with no fields", [edit([LIVE], {})]),
    ("edit to nothing", [edit([LIVE], {"content": " \n"})]),
    ("edit a title to nothing", [edit([PINNED], {"title": " "}), edit([PINNED], {"title": ""}), UNDO]),
    ("edit tags", [edit([LIVE, OTHER], {"tags": ["a", "a", ""]}), edit([LIVE, OTHER], {"tags": ("a",)})]),
    ("edit a field that cannot be edited", [edit([LIVE], {"status": "applied"})]),
    ("edit an unknown one", [edit([UNKNOWN], {"title": "x"}), edit([], {"title": "x"})]),
    ("edit a dismissed one", [edit([DISMISSED, LIVE], {"title": "x"}), UNDO]),
    ("edit with the text that was seen", [edit([LIVE], {"title": "x"}, seen={"title": None}), UNDO]),
    (
        "edit a text that changed since it was seen",
        [TEXT, edit([LIVE], {"title": "x", "content": "y"}, seen={"content": "z"})],
    ),
    ("retag", [edit([LIVE, OTHER], {}, retag=lambda tags: (*tags, "new")), UNDO]),
    ("retag to the same", [edit([LIVE, OTHER], {}, retag=lambda tags: tags)]),
    (
        "edit two fields, undo the first",
        [TEXT, edit([LIVE], {"title": "x"}), undo_entry(1), undo_entry(2), REDO, REDO],
    ),
    ("edit twice, undo the first", [TEXT, edit([LIVE], {"content": "y"}), undo_entry(1)]),
    ("add", [ADD, ADD, UNDO, UNDO, UNDO, REDO]),
    ("add, edit, undo the add", [ADD, edit([7], {"content": "x"}), undo_entry(1), UNDO, UNDO]),
    ("add without a text", [lambda w: w.add({"content": " "}), lambda w: w.add({})]),
    ("add with a field that cannot be set", [lambda w: w.add({"content": "x", "status": "applied"})]),
    ("add to an unknown store", [lambda w: w.add({"content": "x"}, "nowhere")]),
    ("undo nothing", [UNDO, REDO, WARNED]),
    ("undo an unknown entry", [undo_entry(1), PIN, undo_entry(2), undo_entry(0)]),
    ("undo and redo repeatedly", [PIN, UNDO, REDO, UNDO, REDO, UNDO, UNDO, REDO, REDO]),
    ("undo an entry twice", [PIN, undo_entry(1), undo_entry(1)]),
    ("undo an undo", [PIN, undo_entry(1), undo_entry(2), undo_entry(2), undo_entry(3), undo_entry(1), REDO]),
    ("undo a redo", [PIN, UNDO, REDO, undo_entry(3), undo_entry(1), REDO, REDO]),
    ("undo several in turn", [PIN, UNPIN, TEXT, UNDO, UNDO, UNDO, UNDO, REDO, REDO]),
    ("redo after another change", [PIN, UNDO, UNPIN, REDO, UNDO, REDO, REDO]),
    ("undo the older one", [PIN, UNPIN, undo_entry(1), UNDO, REDO, REDO]),
    (
        "undo an entry that changed in part since",
        [
            lambda w: w.pin([LIVE, OTHER]),
            lambda w: w.unpin([OTHER]),
            undo_entry(1),
            undo_entry(1),
            UNDO,
            undo_entry(1),
            REDO,
        ],
    ),
    (
        "undo an entry that changed since",
        [PIN, lambda w: w.unpin([LIVE]), undo_entry(1), UNDO, undo_entry(1)],
    ),
    ("purge", [purge(LIVE), purge(LIVE), purge(UNKNOWN), purge(), UNDO, undo_entry(1)]),
    (
        "purge memories that were changed",
        [PIN, UNPIN, purge(LIVE, PINNED), undo_entry(1), UNDO, WARNED, REDO],
    ),
    ("purge, then undo an older change", [PIN, purge(OTHER), WARNED, WARNED, WARNED, REDO]),
    ("purge, then add and undo", [purge(CONTRADICTING), ADD, UNDO]),
    *(settled(verdict) for verdict in (KEEP_A, KEEP_B, BOTH_TRUE, LATER, DISCARD_BOTH, FALSE_POSITIVE)),
    settled(KEEP_A, note=" both were read "),
    settled(LATER, until=NOW + DAY),
    settled(MERGE, text="The project supports Python 3.11 and 3.12."),
    ("merge without a text", [settle(MERGE), settle(MERGE, text=" ")]),
    ("settle an unknown pair", [lambda w: w.settle(UNKNOWN, KEEP_A)]),
    ("settle with an unknown verdict", [settle("maybe")]),
    ("settle a pair whose texts are not as seen", [settle(KEEP_A, seen=("a", "b"))]),
    (
        "settle a pair as it was seen",
        [lambda w: w.settle(1, KEEP_A, seen=w.pair(1).digests)],  # type: ignore[union-attr]
    ),
    (
        "settle a pair of which one was dismissed",
        [lambda w: w.dismiss([CONTRADICTING]), settle(KEEP_A), UNDO, settle(KEEP_A)],
    ),
    ("put off, then settle", [settle(LATER), settle(KEEP_B), UNDO, UNDO, REDO, REDO]),
    (
        "settle a pair whose text was edited since",
        [edit([LIVE], {"content": "x"}), settle(KEEP_A), settle(LATER), UNDO],
    ),
    ("settle, then edit", [settle(BOTH_TRUE), edit([LIVE], {"content": "x"}), undo_entry(1), REDO, UNDO]),
    ("restore a superseded memory", [settle(KEEP_A), lambda w: w.restore([CONTRADICTING]), UNDO, UNDO]),
    (
        "undo a verdict on a memory that changed since",
        [settle(KEEP_A), lambda w: w.restore([CONTRADICTING]), undo_entry(1)],
    ),
]


TRIED = sample_cases(CASES, 16)


@pytest.mark.parametrize("calls", [calls for _, calls in TRIED], ids=[name for name, _ in TRIED])
def test_calls_have_the_same_answers_and_journal_entries(real: Workspace, calls: list[Call]) -> None:
    fake = fake_of(real)
    assert [pair.id for pair in real.pairs()] == [1]
    assert blocked(fake) == blocked(real)
    for number, call in enumerate(calls, 1):
        assert answer(fake, call) == answer(real, call), number
        assert contents(fake) == contents(real), number
        if FULL or number == len(calls):
            assert journal(fake) == journal(real), number
            assert blocked(fake) == blocked(real), number
            assert pairs(fake) == pairs(real), number


RELATED: list[tuple[str, list[Call]]] = [
    ("the same twice", [verb("unrelate", LIVE, "based on", OTHER)] * 2),
    ("from its other end", [verb("unrelate", OTHER, "based on", LIVE, out=False)] * 2),
    ("of another kind", [verb("unrelate", LIVE, "supports", OTHER)]),
    ("in the wrong direction", [verb("unrelate", OTHER, "based on", LIVE)]),
    (
        "an unknown memory",
        [verb("unrelate", *ends) for ends in ((UNKNOWN, "", LIVE), (LIVE, "", UNKNOWN))],
    ),
    ("to a name", [verb("unrelate", LIVE, "based on", "nobody")]),
    (
        "with the values that were shown",
        [verb("unrelate", LIVE, "based on", OTHER, was=RelationSpec("based on", 0.5, "so"))],
    ),
    (
        "with other values than were shown",
        [verb("unrelate", LIVE, "based on", OTHER, was=RelationSpec("based on"))],
    ),
    ("then pin and undo", [verb("unrelate", LIVE, "based on", OTHER), verb("pin", [LIVE]), UNDO, REDO]),
]


def add_relation(real: Workspace) -> None:
    """Let one memory rest on another, without a journal entry."""
    uid = real.memories([OTHER])[0].uid
    with real._ctx.db.atomic():
        relation = {"kind": "based on", "to": uid, "strength": 0.5, "context": "so"}
        memory_rows.swap_local_relation(real._ctx.db, LIVE, None, relation)


@pytest.mark.parametrize("calls", [calls for _, calls in RELATED], ids=[name for name, _ in RELATED])
def test_unrelate_has_the_same_answers_and_journal_entries(real: Workspace, calls: list[Call]) -> None:
    add_relation(real)
    fake = fake_of(real)
    for number, call in enumerate(calls, 1):
        assert answer(fake, call) == answer(real, call), number
        assert contents(fake) == contents(real), number
        assert journal(fake) == journal(real), number
        for id in (LIVE, OTHER):
            assert fake.detail(id).relations == real.detail(id).relations, number  # type: ignore[union-attr]


@pytest.mark.parametrize("call", [verb("dismiss", [LIVE]), verb("dismiss", [OTHER]), settle(KEEP_B)])
def test_the_fake_refuses_to_change_memories_with_relations(real: Workspace, call: Call) -> None:
    add_relation(real)
    with pytest.raises(AssertionError, match="relations"):
        call(fake_of(real))


def test_the_fake_refuses_to_restore_a_relation(real: Workspace) -> None:
    add_relation(real)
    fake = fake_of(real)
    fake.unrelate(LIVE, "based on", OTHER)
    with pytest.raises(AssertionError, match="relation"):
        fake.undo()


@pytest.mark.parametrize("name", ["pin", "unpin", "confirm", "dismiss", "restore", "purge"])
def test_a_locked_store_has_the_same_refusals(real: Workspace, name: str) -> None:
    fake = fake_of(real)
    fake.locked = set(fake.memories)
    real.lock_store("native", True)
    call = verb(name, list(fake.memories))
    refusal = answer(fake, call)
    assert isinstance(refusal, tuple)
    assert refusal == answer(real, call)
    assert blocked(fake) == blocked(real)
    assert contents(fake) == contents(real)
    assert fake.events == []


@pytest.mark.parametrize("calls", [[], [snooze(LIVE)], [settle(KEEP_A)]], ids=["open", "snoozed", "settled"])
def test_exports_get_the_same_memories(real: Workspace, calls: list[Call]) -> None:
    fake, ids = fake_of(real), [OTHER, LIVE, CONTRADICTING, PINNED, UNKNOWN]
    for call in calls:
        answer(fake, call)
        answer(real, call)
    found = real.candidates(ids, {LIVE: 0.5})
    assert fake.candidates(ids, {LIVE: 0.5}) == found
    assert [bool(each.contradicts) for each in found] == [False, *[not calls] * 2, False]
    texts = ["The port is 8080.", ""]
    assert fake.token_counter().count(texts) == real.token_counter().count(texts)
