"""What the fake workspace answers is what a real one answers over the same memories of its own store."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.adapter import Record
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
from tests.support.sizes import FULL

Call = Callable[[Workspace], object]

LIVE, PINNED, DISMISSED, CANDIDATE, OTHER, CLASH = 1, 2, 3, 4, 5, 6
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
    """Put the memories into memtui's own store without a word in its journal."""
    ctx = workspace._ctx
    own = ctx.db.one("SELECT id FROM stores WHERE format = 'native'")
    said = {"confidence": 0.5, "category": "fact", "created_at": NOW - 9 * DAY, "updated_at": NOW - 2 * DAY}
    records = [Record(ref=f"m{n}", fields={**said, **each}) for n, each in enumerate(MEMORIES)]
    with ctx.db.atomic():
        memory_rows.insert(ctx.db, own, "native", "", records, NOW)
    workspace.sweep()


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
    """The fake with the memories and the pairs of the real one."""
    ids = sorted(real.search("", live=False).ids)
    assert ids == list(range(1, len(MEMORIES) + 1))
    fake = FakeWorkspace(real.memories(ids), clock=clock)
    fake.findings = {pair.id: pair for pair in real.pairs(state="")}
    fake.relations = {id: told for id in ids if (told := tuple(real.detail(id).relations))}  # type: ignore[union-attr]
    return fake


def answer(workspace: Workspace, call: Call) -> object:
    """What becomes of a call: the refusal, or all that it says it did."""
    try:
        return call(workspace)
    except Refused as refusal:
        return type(refusal).__name__, refusal.to_json()


def there(workspace: Workspace) -> list[tuple[int, object]]:
    """The memories with what they say, the names of new ones apart."""
    ids = sorted(workspace.search("", live=False).ids)
    plain = ({**each.to_json(), "ties": each.ties} for each in workspace.memories(ids))
    return [
        (id, {k: v for k, v in each.items() if id <= len(MEMORIES) or k not in ("uid", "ref")})
        for id, each in zip(ids, plain, strict=True)
    ]


def lines(workspace: Workspace) -> list[object]:
    """The journal, with what each line says of each memory."""
    return [
        (
            *(each.id, each.at, each.actor, each.kind, each.summary, each.state, each.undoes),
            *(each.count, each.store, each.undoable),
            [(i.state, i.store, plain(i.before), plain(i.after)) for i in workspace.journal_items(each.id)],
        )
        for each in workspace.journal()
    ]


def plain(fields: dict[str, Any] | None) -> object:
    """Fields with lists as lists."""
    if fields is None:
        return None
    return {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()}


def blocked(workspace: Workspace) -> object:
    """What cannot be done to each memory now, and why."""
    details = (workspace.detail(id) for id, _ in there(workspace))
    return [detail.blocked for detail in details if detail is not None]


def judged(workspace: Workspace) -> list[object]:
    """The pairs that wait or were settled, with what was said."""
    return [(each.id, each.state, each.decision) for each in workspace.pairs(state="") if each.state != "over"]


def verb(name: str, *given: Any, **more: Any) -> Call:
    return lambda w: getattr(w, name)(*given, **more)


PIN, UNPIN = verb("pin", [LIVE]), verb("unpin", [PINNED])
UNDO, WARNED, REDO = verb("undo"), verb("undo", warn=True), verb("redo")
ADD = verb("add", {"content": "The port is 8080", "tags": ["net", "net", " "], "title": " "})


def both(name: str) -> list[tuple[str, list[Call]]]:
    """A verb on one, on it again, on several, on one that is not there, on none."""

    def on(*ids: int) -> Call:
        return lambda w: getattr(w, name)(ids)

    every = on(LIVE, PINNED, DISMISSED, CANDIDATE, OTHER)
    return [
        (f"{name} {who}", calls)
        for who, calls in {
            "one of each": [every, every],
            "a live one": [on(LIVE), on(LIVE), UNDO, UNDO, on(LIVE)],
            "a pinned one": [on(PINNED), on(PINNED), UNDO],
            "a dismissed one": [on(DISMISSED), on(DISMISSED), UNDO],
            "a candidate": [on(CANDIDATE), on(CANDIDATE), UNDO],
            "one twice": [on(OTHER, OTHER)],
            "one that is not there": [on(UNKNOWN), on(LIVE, UNKNOWN)],
            "none": [on()],
            "one, then another": [on(LIVE), on(OTHER), on(PINNED, LIVE), UNDO, UNDO],
        }.items()
    ]


def edit(ids: Sequence[int], fields: dict[str, Any], **more: Any) -> Call:
    return lambda w: w.edit(ids, fields, **more)


def settle(verdict: str, **more: Any) -> Call:
    return lambda w: w.settle(1, verdict, **more)


def settled(verdict: str, **more: Any) -> tuple[str, list[Call]]:
    """A verdict, the same again, taken back, given anew."""
    give = settle(verdict, **more)
    return f"settle {verdict} {more}", [give, give, UNDO, REDO, UNDO, give]


TEXT = edit([LIVE], {"content": "The project supports Python 3.13."})


def line(number: int) -> Call:
    return lambda w: w.undo(number)


def purge(*ids: int) -> Call:
    return lambda w: (lambda done: (done.count, done.summary))(w.purge(ids))


CASES: list[tuple[str, list[Call]]] = [
    *(case for name in ("pin", "unpin", "confirm", "dismiss", "restore") for case in both(name)),
    ("pin with a reason", [lambda w: w.pin([LIVE], "for Ana"), UNDO, REDO]),
    ("edit", [TEXT, TEXT, UNDO, REDO]),
    ("edit in the same words", [edit([LIVE], {"content": MEMORIES[0]["content"]})]),
    ("edit with no fields", [edit([LIVE], {})]),
    ("edit to nothing", [edit([LIVE], {"content": " \n"})]),
    ("edit a title away", [edit([PINNED], {"title": " "}), edit([PINNED], {"title": ""}), UNDO]),
    ("edit tags", [edit([LIVE, OTHER], {"tags": ["a", "a", ""]}), edit([LIVE, OTHER], {"tags": ("a",)})]),
    ("edit no field", [edit([LIVE], {"status": "applied"})]),
    ("edit one that is not there", [edit([UNKNOWN], {"title": "x"}), edit([], {"title": "x"})]),
    ("edit a dismissed one", [edit([DISMISSED, LIVE], {"title": "x"}), UNDO]),
    ("edit what was read", [edit([LIVE], {"title": "x"}, seen={"title": None}), UNDO]),
    ("edit what changed", [TEXT, edit([LIVE], {"title": "x", "content": "y"}, seen={"content": "z"})]),
    ("retag", [edit([LIVE, OTHER], {}, retag=lambda tags: (*tags, "new")), UNDO]),
    ("retag to the same", [edit([LIVE, OTHER], {}, retag=lambda tags: tags)]),
    ("edit two fields, undo the first", [TEXT, edit([LIVE], {"title": "x"}), line(1), line(2), REDO, REDO]),
    ("edit twice, undo the first", [TEXT, edit([LIVE], {"content": "y"}), line(1)]),
    ("add", [ADD, ADD, UNDO, UNDO, UNDO, REDO]),
    ("add, edit, undo the adding", [ADD, edit([7], {"content": "x"}), line(1), UNDO, UNDO]),
    ("add without a text", [lambda w: w.add({"content": " "}), lambda w: w.add({})]),
    ("add with no field", [lambda w: w.add({"content": "x", "status": "applied"})]),
    ("add to no store", [lambda w: w.add({"content": "x"}, "nowhere")]),
    ("undo nothing", [UNDO, REDO, WARNED]),
    ("undo no line", [line(1), PIN, line(2), line(0)]),
    ("undo, redo, over and over", [PIN, UNDO, REDO, UNDO, REDO, UNDO, UNDO, REDO, REDO]),
    ("undo a line twice", [PIN, line(1), line(1)]),
    ("undo an undoing", [PIN, line(1), line(2), line(2), line(3), line(1), REDO]),
    ("undo a redoing", [PIN, UNDO, REDO, line(3), line(1), REDO, REDO]),
    ("undo one after the other", [PIN, UNPIN, TEXT, UNDO, UNDO, UNDO, UNDO, REDO, REDO]),
    ("redo after another change", [PIN, UNDO, UNPIN, REDO, UNDO, REDO, REDO]),
    ("undo the older one", [PIN, UNPIN, line(1), UNDO, REDO, REDO]),
    (
        "undo what partly changed since",
        [lambda w: w.pin([LIVE, OTHER]), lambda w: w.unpin([OTHER]), line(1), line(1), UNDO, line(1), REDO],
    ),
    ("undo what changed since", [PIN, lambda w: w.unpin([LIVE]), line(1), UNDO, line(1)]),
    ("purge", [purge(LIVE), purge(LIVE), purge(UNKNOWN), purge(), UNDO, line(1)]),
    ("purge what was changed", [PIN, UNPIN, purge(LIVE, PINNED), line(1), UNDO, WARNED, REDO]),
    ("purge, then undo what is older", [PIN, purge(OTHER), WARNED, WARNED, WARNED, REDO]),
    ("purge and go on", [purge(CLASH), ADD, UNDO]),
    *(settled(verdict) for verdict in (KEEP_A, KEEP_B, BOTH_TRUE, LATER, DISCARD_BOTH, FALSE_POSITIVE)),
    settled(KEEP_A, note=" both were read "),
    settled(LATER, until=NOW + DAY),
    settled(MERGE, text="The project supports Python 3.11 and 3.12."),
    ("merge without a text", [settle(MERGE), settle(MERGE, text=" ")]),
    ("settle no pair", [lambda w: w.settle(UNKNOWN, KEEP_A)]),
    ("settle as nothing", [settle("maybe")]),
    ("settle what reads otherwise by now", [settle(KEEP_A, seen=("a", "b"))]),
    (
        "settle what was read",
        [lambda w: w.settle(1, KEEP_A, seen=w.pair(1).digests)],  # type: ignore[union-attr]
    ),
    ("settle what was dismissed", [lambda w: w.dismiss([CLASH]), settle(KEEP_A), UNDO, settle(KEEP_A)]),
    ("settle later, then at once", [settle(LATER), settle(KEEP_B), UNDO, UNDO, REDO, REDO]),
    (
        "settle what reads otherwise since",
        [edit([LIVE], {"content": "x"}), settle(KEEP_A), settle(LATER), UNDO],
    ),
    ("settle, then edit", [settle(BOTH_TRUE), edit([LIVE], {"content": "x"}), line(1), REDO, UNDO]),
    ("restore what gave way", [settle(KEEP_A), lambda w: w.restore([CLASH]), UNDO, UNDO]),
    ("undo a verdict on what changed since", [settle(KEEP_A), lambda w: w.restore([CLASH]), line(1)]),
]


@pytest.mark.parametrize("calls", [calls for _, calls in CASES], ids=[name for name, _ in CASES])
def test_each_call_is_answered_and_put_down_as_by_the_real_one(real: Workspace, calls: list[Call]) -> None:
    fake = fake_of(real)
    assert [pair.id for pair in real.pairs()] == [1]
    assert blocked(fake) == blocked(real)
    for number, call in enumerate(calls, 1):
        assert answer(fake, call) == answer(real, call), number
        assert there(fake) == there(real), number
        if FULL or number == len(calls):
            assert lines(fake) == lines(real), number
            assert blocked(fake) == blocked(real), number
            assert judged(fake) == judged(real), number


RELATED: list[tuple[str, list[Call]]] = [
    ("the same twice", [verb("unrelate", LIVE, "rests on", OTHER)] * 2),
    ("from its other end", [verb("unrelate", OTHER, "rests on", LIVE, out=False)] * 2),
    ("of another kind", [verb("unrelate", LIVE, "supports", OTHER)]),
    ("the wrong way round", [verb("unrelate", OTHER, "rests on", LIVE)]),
    (
        "one that is not there",
        [verb("unrelate", *ends) for ends in ((UNKNOWN, "", LIVE), (LIVE, "", UNKNOWN))],
    ),
    ("to a name", [verb("unrelate", LIVE, "rests on", "nobody")]),
    ("as it was shown", [verb("unrelate", LIVE, "rests on", OTHER, was=RelationSpec("rests on", 0.5, "so"))]),
    ("other than it was shown", [verb("unrelate", LIVE, "rests on", OTHER, was=RelationSpec("rests on"))]),
    ("then pin", [verb("unrelate", LIVE, "rests on", OTHER), verb("pin", [LIVE]), UNDO, REDO]),
]


def related(real: Workspace) -> None:
    """Have one memory rest on another, without a word in the journal."""
    to = real.memories([OTHER])[0].uid
    with real._ctx.db.atomic():
        tie = {"kind": "rests on", "to": to, "strength": 0.5, "context": "so"}
        memory_rows.tie(real._ctx.db, LIVE, None, tie)


@pytest.mark.parametrize("calls", [calls for _, calls in RELATED], ids=[name for name, _ in RELATED])
def test_a_relation_is_taken_away_as_by_the_real_one(real: Workspace, calls: list[Call]) -> None:
    related(real)
    fake = fake_of(real)
    for number, call in enumerate(calls, 1):
        assert answer(fake, call) == answer(real, call), number
        assert there(fake) == there(real), number
        assert lines(fake) == lines(real), number
        for id in (LIVE, OTHER):
            assert fake.detail(id).relations == real.detail(id).relations, number  # type: ignore[union-attr]


@pytest.mark.parametrize("call", [verb("dismiss", [LIVE]), verb("dismiss", [OTHER]), settle(KEEP_B)])
def test_the_fake_says_nothing_of_relations_that_it_does_not_know(real: Workspace, call: Call) -> None:
    related(real)
    with pytest.raises(AssertionError, match="relations"):
        call(fake_of(real))


def test_the_fake_brings_no_relation_back(real: Workspace) -> None:
    related(real)
    fake = fake_of(real)
    fake.unrelate(LIVE, "rests on", OTHER)
    with pytest.raises(AssertionError, match="relation"):
        fake.undo()


@pytest.mark.parametrize("name", ["pin", "unpin", "confirm", "dismiss", "restore", "purge"])
def test_a_locked_store_is_refused_alike(real: Workspace, name: str) -> None:
    fake = fake_of(real)
    fake.locked = set(fake.memories)
    real.lock_store("native", True)
    call = verb(name, list(fake.memories))
    refused = answer(fake, call)
    assert isinstance(refused, tuple)
    assert refused == answer(real, call)
    assert blocked(fake) == blocked(real)
    assert there(fake) == there(real)
    assert fake.events == []
