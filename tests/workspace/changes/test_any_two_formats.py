"""Whatever a person does with memories of two stores, of any formats: taken back in any order, all of it is
in the end as it was, files to the byte, databases to each value, its type and its row's number (S-51)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import MERGE, VERDICTS
from memtui.workspace.journal.history import VERBS
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import CROWD, FORMATS, ContradictionStores, add_pair
from tests.support.sizes import examples

FIELDS: dict[str, tuple[Any, ...]] = {
    "content": ("A zebra.", "Meets on Friday.", "two lines\n\nand more"),
    "title": ("Zebra", "a: b", None),
    "category": ("fact", "project", "person", "user"),
    "tags": (("z",), ("a", "b"), ()),
    "key": ("zebra-key", None),
    "subject": ("Zebra Ltd", "E1"),
}
which = st.integers(0, 9)
some = st.lists(which, min_size=1, max_size=2)
store = st.sampled_from((0, 1))
steps = st.one_of(
    st.tuples(st.sampled_from(("move", "copy")), some, store),
    st.tuples(st.sampled_from(("dismiss", "restore", "confirm", "pin")), some),
    st.tuples(st.just("edit"), which, st.sampled_from([(n, v) for n, all in FIELDS.items() for v in all])),
    st.tuples(st.just("settle"), which, which, st.sampled_from(VERDICTS)),
    st.tuples(st.sampled_from(("relate", "unrelate")), which, st.sampled_from(("knows", "supports")), which),
    st.tuples(st.just("supersede"), which, which),
    st.tuples(st.just("add"), store),
    st.tuples(st.sampled_from(("undo", "redo"))),
    st.tuples(st.just("undo line"), st.integers(0, 20)),
)
both = st.tuples(st.sampled_from((*FORMATS, CROWD)), st.sampled_from((*FORMATS, CROWD)))


class Person:
    """Does as told; what is refused is left."""

    def __init__(self, workspace: Workspace, stores: Sequence[str]) -> None:
        self.workspace = workspace
        self.stores = stores
        self.lines = {event.id for event in workspace.journal()}

    def does(self, step: tuple[Any, ...]) -> None:
        name, *more = step
        with suppress(Refused):
            if name == "edit":
                self.workspace.edit([self.id(more[0])], dict([more[1]]))
            elif name == "settle":
                self.settles(*more)
            elif name in ("relate", "unrelate"):
                getattr(self.workspace, name)(self.id(more[0]), more[1], self.id(more[2]))
            elif name == "supersede":
                self.workspace.supersede([self.id(more[0])], self.id(more[1]))
            elif name == "add":
                self.workspace.add(
                    {"content": "Added.", "subject": "E1"}, self.stores[more[0] % len(self.stores)]
                )
            elif name == "undo line":
                mine = [event.id for event in self.workspace.journal() if event.id not in self.lines]
                if mine:
                    self.workspace.undo(mine[more[0] % len(mine)])
            elif name in ("move", "copy"):
                target = self.stores[more[1] % len(self.stores)]
                getattr(self.workspace, name)(list(map(self.id, more[0])), target)
            elif more:
                getattr(self.workspace, name)(list(map(self.id, more[0])))
            else:
                getattr(self.workspace, name)()

    def settles(self, a: int, b: int, verdict: str) -> None:
        one, other = sorted((self.id(a), self.id(b)))
        if one == other:
            return
        known = self.workspace._ctx.db.one("SELECT id FROM pairs WHERE a = ? AND b = ?", (one, other))
        found = known or add_pair(self.workspace, one, other)
        self.workspace.settle(found, verdict, text="Merged." if verdict == MERGE else None)

    def id(self, pick: int) -> int:
        """One of the first or the last few, dismissed ones too: so that much happens to the same."""
        sql = "SELECT id FROM memories WHERE removed_at IS NULL OR moved IS NOT NULL ORDER BY id"
        ids = [row[0] for row in self.workspace._ctx.db.rows(sql)]
        few = list(dict.fromkeys((*ids[:5], *ids[-5:])))
        return int(few[pick % len(few)])

    def undoes_everything(self, order: Callable[[list[int]], list[int]]) -> None:
        """Line by line; what later changes stand on waits for them. What was changed in a memory whose
        addition was taken back under it went with it."""
        while left := self.standing():
            refused: list[str] = []
            for line in order(left):
                try:
                    self.workspace.undo(line)
                    break
                except Refused as told:
                    refused.append(told.message)
            else:
                assert all("it was taken out of its store since" in why for why in refused), refused
                return

    def standing(self) -> list[int]:
        """The lines of verbs that stand, newest first."""
        events = self.workspace.journal(1000)
        return [each.id for each in events if each.undoable and each.actor == "person" and each.kind in VERBS]


def stands(stores: ContradictionStores) -> dict[str, Any]:
    """All that stands in the stores, with what databases say of themselves."""
    found: dict[str, Any] = {"": stores.snapshot()}
    for format, place in stores.store_paths.items():
        if place.suffix != ".db":
            continue
        connection = apsw.Connection(str(place))
        schema = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
        for _, name, sql in schema:
            if "fts5" in str(sql):
                connection.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found[format] = schema
        connection.close()
    return found


@examples(6)
@given(both, st.lists(steps, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_any_sequence_undone_in_any_order_leaves_no_trace(
    formats: tuple[str, str], sequence: list[tuple[Any, ...]], random: Any
) -> None:
    with tempfile.TemporaryDirectory(prefix="memtui-two-") as folder:
        stores = ContradictionStores(Path(folder), tuple(dict.fromkeys(formats))).create()
        with stores.opened() as workspace:
            person, before = Person(workspace, stores.formats), stands(stores)
            for step in sequence:
                person.does(step)
            person.undoes_everything(lambda lines: random.sample(lines, len(lines)))
            assert stands(stores) == before
            assert workspace.pull().total == 0


# What such sequences found, told one by one.
TOLD: dict[str, tuple[tuple[str, ...], list[tuple[Any, ...]]]] = {
    "neighbours dismissed, one of them in a batch": ((CROWD,), [("dismiss", [0]), ("dismiss", [1, 4])]),
    "one of two equal texts": ((CROWD,), [("dismiss", [1]), ("dismiss", [3]), ("dismiss", [0, 2])]),
    "both neighbours of what was superseded": (
        (CROWD,),
        [("supersede", 3, 1), ("settle", 0, 2, "discard-both")],
    ),
    "three relations in a row": (
        (CROWD,),
        [("relate", 0, "knows", 4), ("relate", 4, "knows", 9), ("relate", 9, "knows", 0)],
    ),
    "memtui's own, with times of change": (
        ("native",),
        [("add", 0), ("edit", 4, ("tags", ("z",))), ("edit", 4, ("subject", "E1 Ltd"))],
    ),
    "a folder that two files needed": (
        (CROWD, "base-coat-shared"),
        [("move", [0], 1), ("move", [4], 1)],
    ),
    "a row whose number was given to another": (
        ("founder-os", "base-coat-shared"),
        [("move", [3], 1), ("add", 0)],
    ),
    "moved, edited and dismissed": (
        ("founder-os", "mem-skill"),
        [("move", [3], 1), ("undo",), ("edit", 3, ("content", "A zebra.")), ("dismiss", [3])],
    ),
    "an edit, a dismissal and a change of what the entity is": (
        (CROWD,),
        [("edit", 1, ("content", "A zebra.")), ("dismiss", [0]), ("edit", 1, ("category", "zz"))],
    ),
    "the same where two texts are equal": (
        (CROWD,),
        [("edit", 3, ("content", "A zebra.")), ("dismiss", [1]), ("edit", 3, ("category", "zz"))],
    ),
    "restored, and taken out again by a redo": (
        ("claude-code", "cognitive"),
        [
            ("settle", 1, 7, "discard-both"),
            ("undo",),
            ("supersede", 1, 9),
            ("restore", [1]),
            ("undo line", 2),
        ],
    ),
    "moved the other way, edited and dismissed": (
        ("mem-skill", "founder-os"),
        [("move", [3], 1), ("undo",), ("edit", 3, ("content", "A zebra.")), ("dismiss", [3])],
    ),
}


ORDERS: dict[str, Callable[[list[int]], list[int]]] = {
    "the newest first": lambda lines: lines,
    "the oldest first": lambda lines: lines[::-1],
    "one between first": lambda lines: [*lines[1:], lines[0]],
}


@pytest.mark.parametrize("name", TOLD)
def test_taken_back_in_each_order(tmp_path: Path, name: str) -> None:
    formats, sequence = TOLD[name]
    for told, order in ORDERS.items():
        stores = ContradictionStores(tmp_path / told, formats).create()
        with stores.opened() as workspace:
            person, before = Person(workspace, stores.formats), stands(stores)
            for step in sequence:
                person.does(step)
            assert len(person.standing()) >= len(sequence) - sequence.count(("undo",)) * 2
            person.undoes_everything(order)
            assert stands(stores) == before, told
            assert workspace.pull().total == 0
