"""Whatever a person does, in any order: undoing it all brings everything back (S-51)."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.workspace.office import (
    FOUNDER,
    MCP,
    STORES,
    Office,
    agrees,
    copied,
    everything,
    relations,
    rows,
)

TEXTS = (
    "A zebra was seen.",
    "Is allergic to nuts",  # the very text of another memory
    "- looks like a list\n- of two",
    'quotes " and \\ and ünïcödé 🦓',
    "two lines\n\nand another  ",
)
FIELDS: dict[str, tuple[Any, ...]] = {
    "content": TEXTS,
    "title": ("Zebra", "Ana, founder", "a title: with a colon", None),
    "category": ("fact", "project", "person", "user", None),
    "tags": (("zebra",), ("a", "b"), ()),
    "key": ("zebra-key", "tomas-lead", None),
    "subject": ("Zebra Ltd", "Ana Larkin", None),
}
which = st.integers(0, 60)
edits = st.sampled_from([(name, value) for name, values in FIELDS.items() for value in values])
steps = st.one_of(
    st.tuples(
        st.sampled_from(["pin", "unpin", "confirm", "dismiss", "restore"]),
        st.lists(which, min_size=1, max_size=5),
    ),
    st.tuples(st.just("edit"), which, st.lists(edits, min_size=1, max_size=2)),
    st.tuples(st.just("add"), st.sampled_from(STORES), st.sampled_from(TEXTS)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("undo line"), st.integers(0, 25)),
    st.tuples(st.just("restart")),
    st.tuples(st.just("pull")),
)


class Person:
    """Does as told; what is refused is left."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.workspace = office.open()
        self.lines = [event.id for event in self.workspace.journal()]

    def does(self, step: tuple[Any, ...]) -> None:
        name, *more = step
        with suppress(Refused):
            if name == "restart":
                self.workspace.close()
                self.workspace = self.office.open()
            elif name == "edit":
                self.workspace.edit(self._ids([more[0]]), dict(more[1]))
            elif name == "add":
                self.workspace.add({"content": more[1], "subject": "Bo Janssen"}, more[0])
            elif name == "undo line":
                mine = [event.id for event in self.workspace.journal() if event.id not in self.lines]
                if mine:
                    self.workspace.undo(mine[more[0] % len(mine)])
            elif name == "pull":
                assert self.workspace.pull().total == 0
            elif more:
                getattr(self.workspace, name)(self._ids(more[0]))
            else:
                getattr(self.workspace, name)()

    def _ids(self, picks: list[int]) -> list[int]:
        there = sorted(rows(self.workspace, removed=True))
        return [there[pick % len(there)] for pick in picks]

    def undoes_everything(self) -> None:
        for _ in range(200):
            told = _refused(self.workspace)
            if told is not None:
                assert told.code == "nothing", told.message
                return
        raise AssertionError("there is no end of it")


def _refused(workspace: Workspace) -> Refused | None:
    try:
        workspace.undo()
    except Refused as refused:
        return refused
    return None


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(steps, min_size=1, max_size=30))
def test_any_sequence_undone_leaves_no_trace(template: Office, sequence: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory(prefix="memtui-sequence-") as folder:
        person = Person(copied(template, Path(folder)))
        try:
            before = _rows(person.workspace), relations(person.workspace), everything(person.office.folder)
            for step in sequence:
                person.does(step)
                agrees(person.workspace)
            person.undoes_everything()
            agrees(person.workspace)
            assert person.workspace.pull().total == 0
            assert _rows(person.workspace) == before[0]
            assert relations(person.workspace) == before[1]
            assert _but_times(everything(person.office.folder)) == _but_times(before[2])
        finally:
            person.workspace.close()


def _rows(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """The rows by uid, but for when a row of a database was last touched: a change that was taken
    back from under a later one leaves that one's time."""
    loose = ("id", "updated_at", "recency", "digest")
    return {
        row["uid"]: {name: value for name, value in row.items() if name not in loose}
        for row in rows(workspace).values()
    }


def _but_times(stores: dict[str, Any]) -> dict[str, Any]:
    tables = stores[FOUNDER]
    memories = {
        id: {name: value for name, value in row.items() if name != "updated_at"}
        for id, row in tables["memories"].items()
    }
    return stores | {FOUNDER: tables | {"memories": memories}}


def test_undoing_in_order_restores_times_too(office: Office) -> None:
    person = Person(office)
    before = rows(person.workspace), everything(office.folder)
    for pick in range(0, 40, 3):
        person.does(("edit", pick, [("content", TEXTS[0]), ("tags", ("zebra",))]))
        person.does(("confirm", [pick, pick + 1]))
        person.does(("dismiss", [pick, pick + 2]))
        person.does(("restore", [pick]))
    person.undoes_everything()
    assert person.workspace.pull().total == 0  # the numbers of lines follow with a pull
    assert rows(person.workspace) == before[0]
    assert everything(office.folder) == before[1]
    person.workspace.close()


def test_an_entity_renamed_back_and_forth(office: Office, workspace: Workspace) -> None:
    """One edit changes what several memories are called; all keep their rows."""
    ids = list(workspace.search(f'store:{MCP} subject:"Bo Janssen"').ids)
    before, stands, tied = rows(workspace), everything(office.folder), relations(workspace)
    workspace.pin(ids)
    for name in ("Bo J.", "Bo Jansen", "Bo Janssen"):
        workspace.edit(ids[:1], {"subject": name})
        assert sorted(workspace.search(f'subject:"{name}"').ids) == sorted(ids)
        assert sorted(workspace.search("is:pinned").ids) == sorted(ids)
        agrees(workspace)
    for _ in range(4):
        workspace.undo()
        agrees(workspace)
    assert (rows(workspace), everything(office.folder), relations(workspace)) == (before, stands, tied)
