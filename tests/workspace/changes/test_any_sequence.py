"""Whatever a person does, in any order: undoing it all brings everything back (S-51)."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.workspace.journal.history import VERBS
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    STORES,
    DemoWorkspace,
    agent_executes,
    all_contents,
    assert_in_sync,
    copy_demo_workspace,
    refusal,
    relations,
    rows,
    store_paths,
)
from tests.support.sizes import examples
from tests.support.stores.mcp_memory import entity

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

    def __init__(self, demo_workspace: DemoWorkspace) -> None:
        self.demo_workspace = demo_workspace
        self.workspace = demo_workspace.open()
        self.lines = [event.id for event in self.workspace.journal()]

    def does(self, step: tuple[Any, ...]) -> None:
        name, *more = step
        with suppress(Refused):
            if name == "restart":
                self.workspace.close()
                self.workspace = self.demo_workspace.open()
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
        """The newest first; what was refused before, since another change stood on it, is asked for by its
        line."""
        for _ in range(200):
            standing = [e for e in self.workspace.journal() if e.undoable and e.actor == "person"]
            left = [event.id for event in standing if event.kind in VERBS]
            if not left:
                assert refusal(self.workspace.undo).code == "nothing"
                return
            self.workspace.undo(left[0])
        raise AssertionError("there is no end of it")


@examples(10)
@given(st.lists(steps, min_size=1, max_size=30))
def test_any_sequence_undone_leaves_no_trace(
    template: DemoWorkspace, sequence: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory(prefix="memtui-sequence-") as folder:
        person = Person(copy_demo_workspace(template, Path(folder)))
        try:
            before = (
                _rows(person.workspace),
                relations(person.workspace),
                all_contents(person.demo_workspace.folder),
            )
            for step in sequence:
                person.does(step)
                assert_in_sync(person.workspace)
            person.undoes_everything()
            assert_in_sync(person.workspace)
            assert person.workspace.pull().total == 0
            assert _rows(person.workspace) == before[0]
            assert relations(person.workspace) == before[1]
            assert _but_times(all_contents(person.demo_workspace.folder)) == _but_times(before[2])
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


# -- with agents beside the person

# What belongs to agents: rows by key, files, entities. Each is changed or removed by them once at most.
AGENTS_OWN = {
    FOUNDER: ("tomas-lead", "expense-limit", "old-warehouse", "ines-channel"),
    CLAUDE: ("user_ana.md", "feedback_commits.md", "reference_dashboards.md", "project-python.md"),
    MCP: ("Brightwater", "Larkfield", "Warehouse move"),
}
acts = st.one_of(
    steps,
    st.tuples(st.just("agent"), st.sampled_from((FOUNDER, CLAUDE, MCP)), st.sampled_from(("add", "own"))),
    st.tuples(st.just("take back"), st.integers(0, 10)),
)


class Agents:
    """Other hands in the three stores under a folder; what they do hangs on its number alone."""

    def __init__(self, folder: Path) -> None:
        self.store_paths = store_paths(folder)
        self.left = {store: list(own) for store, own in AGENTS_OWN.items()}
        self.done = 0

    def do(self, store: str, what: str) -> None:
        self.done += 1
        own = self.left[store].pop() if what == "own" and self.left[store] else ""
        {FOUNDER: self._founder, CLAUDE: self._claude, MCP: self._mcp}[store](own, self.done)

    def _founder(self, own: str, number: int) -> None:
        place = self.store_paths[FOUNDER]
        if own == "old-warehouse":
            agent_executes(place, "DELETE FROM memories WHERE key = ?", own)
        elif own == "ines-channel":
            agent_executes(place, "UPDATE memories SET deleted_at = 1763000500 WHERE key = ?", own)
        elif own:
            agent_executes(
                place, "UPDATE memories SET content = ?, confidence = 7 WHERE key = ?", "Anew.", own
            )
        else:
            sql = (
                "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) "
                "VALUES (?, ?, 'fact', ?, 'P1', 50, 'candidate')"
            )
            agent_executes(place, sql, f"a{number}", f"agent-{number}", f"An agent's, number {number}.")

    def _claude(self, own: str, number: int) -> None:
        folder = self.store_paths[CLAUDE]
        if own in ("reference_dashboards.md", "project-python.md"):
            (folder / own).unlink()
            index = (folder / "MEMORY.md").read_text("utf-8").splitlines(keepends=True)
            kept = "".join(line for line in index if f"({own})" not in line)
            (folder / "MEMORY.md").write_text(kept, "utf-8")
        elif own:
            with (folder / own).open("a", encoding="utf-8") as file:
                file.write("\nAn agent's line.\n")
        else:
            head = f"---\nname: Agent {number}\ndescription: so\ntype: project\n---\n\n"
            (folder / f"agent_{number}.md").write_text(f"{head}An agent's, number {number}.\n")

    def _mcp(self, own: str, number: int) -> None:
        place = self.store_paths[MCP]
        graph = [json.loads(line) for line in place.read_text("utf-8").splitlines() if line]
        for each in graph:
            if own and each.get("name") == own:
                if own == "Larkfield":
                    each["observations"].pop()
                else:
                    each["observations"].append("Heard by an agent")
        if not own:
            graph.append(entity(f"Agent {number}", f"An agent's, number {number}.", kind="fact"))
        lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in graph]
        place.write_text("\n".join(lines), "utf-8")


class PersonAmongAgents(Person):
    """Changes only what no agent touches; takes back what agents did."""

    def __init__(self, demo_workspace: DemoWorkspace) -> None:
        super().__init__(demo_workspace)
        self.agents = Agents(demo_workspace.folder)
        self.own = {uid for uid, row in _rows(self.workspace).items() if not _is_agents(row)}

    def does(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("agent", store, what):
                self.agents.do(store, what)
            case ("take back", pick):
                pulled = [event.id for event in self.workspace.journal() if event.kind == "pulled"]
                if pulled:
                    with suppress(Refused):
                        self.workspace.undo(pulled[pick % len(pulled)])
            case ("pull",):
                assert self.workspace.pull().errors == {}
            case _:
                super().does(step)

    def _ids(self, picks: list[int]) -> list[int]:
        there = sorted(id for id, row in rows(self.workspace, removed=True).items() if not _is_agents(row))
        return [there[pick % len(there)] for pick in picks]

    def undoes_everything(self) -> None:
        """What was taken back of agents' is given back to them, too."""
        super().undoes_everything()
        for event in self.workspace.journal():
            back = self.workspace.journal_items(event.id) if event.kind == "undone" and event.undoable else []
            if back and event.undoes in {e.id for e in self.workspace.journal() if e.kind == "pulled"}:
                self.workspace.undo(event.id)


def _is_agents(row: dict[str, Any]) -> bool:
    names = {row["key"], row["subject"], *str(row["place"]).split("/")}
    own = {name for names in AGENTS_OWN.values() for name in names}
    said = str(row["content"]).startswith("An agent's") or str(row["key"]).startswith("agent")
    return bool(names & own) or said


@examples(10)
@given(st.lists(acts, min_size=1, max_size=30))
def test_any_sequence_among_agents_leaves_only_theirs(
    template: DemoWorkspace, sequence: list[tuple[Any, ...]]
) -> None:
    """Beside it stands a twin in which only the agents worked."""
    with tempfile.TemporaryDirectory(prefix="memtui-sequence-") as folder:
        twin = copy_demo_workspace(template, Path(folder, "twin"))
        alone = Agents(twin.folder)
        person = PersonAmongAgents(copy_demo_workspace(template, Path(folder, "office")))
        try:
            before = {uid: row for uid, row in _rows(person.workspace).items() if uid in person.own}
            for step in sequence:
                person.does(step)
                if step[0] == "agent":
                    alone.do(*step[1:])
            assert person.workspace.pull().errors == {}
            assert_in_sync(person.workspace)
            person.undoes_everything()
            assert_in_sync(person.workspace)
            assert person.workspace.pull().total == 0
            after = {uid: row for uid, row in _rows(person.workspace).items() if uid in person.own}
            assert _but_places(after) == _but_places(before)
            assert _by_memory(person.demo_workspace.folder) == _by_memory(twin.folder)
            with twin.opened() as other:
                other.pull()
                theirs = {row["ref"]: row["digest"] for row in _with_digests(other) if row["store_id"] != 1}
            mine = _with_digests(person.workspace)
            assert {row["ref"]: row["digest"] for row in mine if row["store_id"] != 1} == theirs
        finally:
            person.workspace.close()


def _but_places(table: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The number of a line, and the part of a store, hang on what agents wrote before it."""
    return {
        uid: {name: value for name, value in row.items() if name not in ("place", "unit")}
        for uid, row in table.items()
    }


def _with_digests(workspace: Workspace) -> list[dict[str, Any]]:
    return [row | {"digest": _but_updated(row)} for row in rows(workspace).values()]


def _but_updated(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        row[name] for name in ("content", "title", "category", "key", "status", "subject", "confidence")
    )


def _by_memory(folder: Path) -> dict[str, Any]:
    """What stands in the stores, whatever the order of lines that agents wrote."""
    stores = _but_times(all_contents(folder))
    founder = {row["id"]: row for row in stores[FOUNDER]["memories"].values()}
    files = {name: data for name, (data, _) in stores[CLAUDE].items()}
    files["MEMORY.md"] = Counter(files["MEMORY.md"].splitlines())
    (data,) = (data for data, _ in stores[MCP].values())
    lines: Counter[str] = Counter()
    for line in data.splitlines():
        said = json.loads(line)
        if said.get("name") in AGENTS_OWN[MCP]:
            said["observations"].sort()
        lines[json.dumps(said)] += 1
    return {FOUNDER: founder, CLAUDE: files, MCP: lines}


def test_undoing_in_order_restores_times_too(demo_workspace: DemoWorkspace) -> None:
    person = Person(demo_workspace)
    before = rows(person.workspace), all_contents(demo_workspace.folder)
    for pick in range(0, 40, 3):
        person.does(("edit", pick, [("content", TEXTS[0]), ("tags", ("zebra",))]))
        person.does(("confirm", [pick, pick + 1]))
        person.does(("dismiss", [pick, pick + 2]))
        person.does(("restore", [pick]))
    person.undoes_everything()
    assert person.workspace.pull().total == 0  # the numbers of lines follow with a pull
    assert rows(person.workspace) == before[0]
    assert all_contents(demo_workspace.folder) == before[1]
    person.workspace.close()


def test_an_entity_renamed_back_and_forth(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """One edit changes what several memories are called; all keep their rows."""
    ids = list(workspace.search(f'store:{MCP} subject:"Bo Janssen"').ids)
    before, stands, tied = rows(workspace), all_contents(demo_workspace.folder), relations(workspace)
    workspace.pin(ids)
    for name in ("Bo J.", "Bo Jansen", "Bo Janssen"):
        workspace.edit(ids[:1], {"subject": name})
        assert sorted(workspace.search(f'subject:"{name}"').ids) == sorted(ids)
        assert sorted(workspace.search("is:pinned").ids) == sorted(ids)
        assert_in_sync(workspace)
    for _ in range(4):
        workspace.undo()
        assert_in_sync(workspace)
    assert (rows(workspace), all_contents(demo_workspace.folder), relations(workspace)) == (
        before,
        stands,
        tied,
    )
