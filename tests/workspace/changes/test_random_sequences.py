"""Random sequences of changes: undoing all of them restores everything (S-51)."""

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
    "Is allergic to nuts",  # equal to another memory
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
indexes = st.integers(0, 60)
edits = st.sampled_from([(name, value) for name, values in FIELDS.items() for value in values])
steps = st.one_of(
    st.tuples(
        st.sampled_from(["pin", "unpin", "confirm", "dismiss", "restore"]),
        st.lists(indexes, min_size=1, max_size=5),
    ),
    st.tuples(st.just("edit"), indexes, st.lists(edits, min_size=1, max_size=2)),
    st.tuples(st.just("add"), st.sampled_from(STORES), st.sampled_from(TEXTS)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("undo entry"), st.integers(0, 25)),
    st.tuples(st.just("restart")),
    st.tuples(st.just("pull")),
)


class User:
    """Applies steps to a workspace and ignores refusals."""

    def __init__(self, demo_workspace: DemoWorkspace) -> None:
        self.demo_workspace = demo_workspace
        self.workspace = demo_workspace.open()
        self.earlier = [event.id for event in self.workspace.journal()]

    def apply(self, step: tuple[Any, ...]) -> None:
        name, *arguments = step
        with suppress(Refused):
            if name == "restart":
                self.workspace.close()
                self.workspace = self.demo_workspace.open()
            elif name == "edit":
                self.workspace.edit(self._ids([arguments[0]]), dict(arguments[1]))
            elif name == "add":
                self.workspace.add({"content": arguments[1], "subject": "Bo Janssen"}, arguments[0])
            elif name == "undo entry":
                own = [event.id for event in self.workspace.journal() if event.id not in self.earlier]
                if own:
                    self.workspace.undo(own[arguments[0] % len(own)])
            elif name == "pull":
                assert self.workspace.pull().total == 0
            elif arguments:
                getattr(self.workspace, name)(self._ids(arguments[0]))
            else:
                getattr(self.workspace, name)()

    def _ids(self, picks: list[int]) -> list[int]:
        ids = sorted(rows(self.workspace, removed=True))
        return [ids[pick % len(ids)] for pick in picks]

    def undo_everything(self) -> None:
        """Undo all changes, newest first; entries that later changes depended on are undone by their id."""
        for _ in range(200):
            undoable = [e for e in self.workspace.journal() if e.undoable and e.actor == "person"]
            remaining = [event.id for event in undoable if event.kind in VERBS]
            if not remaining:
                assert refusal(self.workspace.undo).code == "nothing"
                return
            self.workspace.undo(remaining[0])
        raise AssertionError("undo does not come to an end")


@examples(10)
@given(st.lists(steps, min_size=1, max_size=30))
def test_undoing_a_random_sequence_leaves_no_trace(
    template: DemoWorkspace, sequence: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory(prefix="memtui-sequence-") as folder:
        user = User(copy_demo_workspace(template, Path(folder)))
        try:
            before = (
                _rows(user.workspace),
                relations(user.workspace),
                all_contents(user.demo_workspace.folder),
            )
            for step in sequence:
                user.apply(step)
                assert_in_sync(user.workspace)
            user.undo_everything()
            assert_in_sync(user.workspace)
            assert user.workspace.pull().total == 0
            assert _rows(user.workspace) == before[0]
            assert relations(user.workspace) == before[1]
            assert _without_times(all_contents(user.demo_workspace.folder)) == _without_times(before[2])
        finally:
            user.workspace.close()


def _rows(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """Return the rows by uid without timestamps: undo of an older change keeps the time of a newer one."""
    ignored = ("id", "updated_at", "recency", "digest")
    return {
        row["uid"]: {name: value for name, value in row.items() if name not in ignored}
        for row in rows(workspace).values()
    }


def _without_times(stores: dict[str, Any]) -> dict[str, Any]:
    tables = stores[FOUNDER]
    memories = {
        id: {name: value for name, value in row.items() if name != "updated_at"}
        for id, row in tables["memories"].items()
    }
    return stores | {FOUNDER: tables | {"memories": memories}}


# -- with agents at work

# What only agents change, each at most once: rows by key, files, entities.
OWNED_BY_AGENTS = {
    FOUNDER: ("tomas-lead", "expense-limit", "old-warehouse", "ines-channel"),
    CLAUDE: ("user_ana.md", "feedback_commits.md", "reference_dashboards.md", "project-python.md"),
    MCP: ("Brightwater", "Larkfield", "Warehouse move"),
}
steps_with_agents = st.one_of(
    steps,
    st.tuples(st.just("agent"), st.sampled_from((FOUNDER, CLAUDE, MCP)), st.sampled_from(("add", "own"))),
    st.tuples(st.just("undo pull"), st.integers(0, 10)),
)


class Agents:
    """Agents that change the three stores under a folder, in the same way for the same number of steps."""

    def __init__(self, folder: Path) -> None:
        self.store_paths = store_paths(folder)
        self.remaining = {store: list(own) for store, own in OWNED_BY_AGENTS.items()}
        self.done = 0

    def do(self, store: str, action: str) -> None:
        self.done += 1
        own = self.remaining[store].pop() if action == "own" and self.remaining[store] else ""
        {FOUNDER: self._founder, CLAUDE: self._claude, MCP: self._mcp}[store](own, self.done)

    def _founder(self, own: str, number: int) -> None:
        path = self.store_paths[FOUNDER]
        if own == "old-warehouse":
            agent_executes(path, "DELETE FROM memories WHERE key = ?", own)
        elif own == "ines-channel":
            agent_executes(path, "UPDATE memories SET deleted_at = 1763000500 WHERE key = ?", own)
        elif own:
            agent_executes(
                path, "UPDATE memories SET content = ?, confidence = 7 WHERE key = ?", "Anew.", own
            )
        else:
            sql = (
                "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) "
                "VALUES (?, ?, 'fact', ?, 'P1', 50, 'candidate')"
            )
            agent_executes(path, sql, f"a{number}", f"agent-{number}", f"An agent's, number {number}.")

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
        path = self.store_paths[MCP]
        graph = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        for each in graph:
            if own and each.get("name") == own:
                if own == "Larkfield":
                    each["observations"].pop()
                else:
                    each["observations"].append("Heard by an agent")
        if not own:
            graph.append(entity(f"Agent {number}", f"An agent's, number {number}.", kind="fact"))
        lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in graph]
        path.write_text("\n".join(lines), "utf-8")


class UserAmongAgents(User):
    """Changes only memories that no agent touches, and undoes changes of agents."""

    def __init__(self, demo_workspace: DemoWorkspace) -> None:
        super().__init__(demo_workspace)
        self.agents = Agents(demo_workspace.folder)
        self.own = {uid for uid, row in _rows(self.workspace).items() if not _belongs_to_agents(row)}

    def apply(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("agent", store, action):
                self.agents.do(store, action)
            case ("undo pull", pick):
                pulled = [event.id for event in self.workspace.journal() if event.kind == "pulled"]
                if pulled:
                    with suppress(Refused):
                        self.workspace.undo(pulled[pick % len(pulled)])
            case ("pull",):
                assert self.workspace.pull().errors == {}
            case _:
                super().apply(step)

    def _ids(self, picks: list[int]) -> list[int]:
        ids = sorted(
            id for id, row in rows(self.workspace, removed=True).items() if not _belongs_to_agents(row)
        )
        return [ids[pick % len(ids)] for pick in picks]

    def undo_everything(self) -> None:
        """Also redo the changes of agents that were undone."""
        super().undo_everything()
        for event in self.workspace.journal():
            back = self.workspace.journal_items(event.id) if event.kind == "undone" and event.undoable else []
            if back and event.undoes in {e.id for e in self.workspace.journal() if e.kind == "pulled"}:
                self.workspace.undo(event.id)


def _belongs_to_agents(row: dict[str, Any]) -> bool:
    names = {row["key"], row["subject"], *str(row["place"]).split("/")}
    own = {name for names in OWNED_BY_AGENTS.values() for name in names}
    by_agent = str(row["content"]).startswith("An agent's") or str(row["key"]).startswith("agent")
    return bool(names & own) or by_agent


@examples(10)
@given(st.lists(steps_with_agents, min_size=1, max_size=30))
def test_undoing_a_random_sequence_keeps_changes_of_agents(
    template: DemoWorkspace, sequence: list[tuple[Any, ...]]
) -> None:
    """The result is compared with a copy in which only the agents worked."""
    with tempfile.TemporaryDirectory(prefix="memtui-sequence-") as folder:
        reference = copy_demo_workspace(template, Path(folder, "reference"))
        agents = Agents(reference.folder)
        user = UserAmongAgents(copy_demo_workspace(template, Path(folder, "user")))
        try:
            before = {uid: row for uid, row in _rows(user.workspace).items() if uid in user.own}
            for step in sequence:
                user.apply(step)
                if step[0] == "agent":
                    agents.do(*step[1:])
            assert user.workspace.pull().errors == {}
            assert_in_sync(user.workspace)
            user.undo_everything()
            assert_in_sync(user.workspace)
            assert user.workspace.pull().total == 0
            after = {uid: row for uid, row in _rows(user.workspace).items() if uid in user.own}
            assert _without_places(after) == _without_places(before)
            assert _by_memory(user.demo_workspace.folder) == _by_memory(reference.folder)
            with reference.opened() as other:
                other.pull()
                expected = {row["ref"]: row["digest"] for row in _with_digests(other) if row["store_id"] != 1}
            own = _with_digests(user.workspace)
            assert {row["ref"]: row["digest"] for row in own if row["store_id"] != 1} == expected
        finally:
            user.workspace.close()


def _without_places(table: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the rows without place and unit, which depend on what agents wrote before them in the file."""
    return {
        uid: {name: value for name, value in row.items() if name not in ("place", "unit")}
        for uid, row in table.items()
    }


def _with_digests(workspace: Workspace) -> list[dict[str, Any]]:
    return [row | {"digest": _compared_fields(row)} for row in rows(workspace).values()]


def _compared_fields(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        row[name] for name in ("content", "title", "category", "key", "status", "subject", "confidence")
    )


def _by_memory(folder: Path) -> dict[str, Any]:
    """Return the contents of the stores, independent of the order of lines that agents wrote."""
    stores = _without_times(all_contents(folder))
    founder = {row["id"]: row for row in stores[FOUNDER]["memories"].values()}
    files = {name: data for name, (data, _) in stores[CLAUDE].items()}
    files["MEMORY.md"] = Counter(files["MEMORY.md"].splitlines())
    (data,) = (data for data, _ in stores[MCP].values())
    lines: Counter[str] = Counter()
    for line in data.splitlines():
        entry = json.loads(line)
        if entry.get("name") in OWNED_BY_AGENTS[MCP]:
            entry["observations"].sort()
        lines[json.dumps(entry)] += 1
    return {FOUNDER: founder, CLAUDE: files, MCP: lines}


def test_undoing_in_order_restores_timestamps(demo_workspace: DemoWorkspace) -> None:
    user = User(demo_workspace)
    before = rows(user.workspace), all_contents(demo_workspace.folder)
    for pick in range(0, 40, 3):
        user.apply(("edit", pick, [("content", TEXTS[0]), ("tags", ("zebra",))]))
        user.apply(("confirm", [pick, pick + 1]))
        user.apply(("dismiss", [pick, pick + 2]))
        user.apply(("restore", [pick]))
    user.undo_everything()
    assert user.workspace.pull().total == 0  # updates line numbers
    assert rows(user.workspace) == before[0]
    assert all_contents(demo_workspace.folder) == before[1]
    user.workspace.close()


def test_an_entity_renamed_back_and_forth(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """One edit changes the refs of several memories, which all keep their rows."""
    ids = list(workspace.search(f'store:{MCP} subject:"Bo Janssen"').ids)
    before, contents_before, relations_before = (
        rows(workspace),
        all_contents(demo_workspace.folder),
        relations(workspace),
    )
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
        contents_before,
        relations_before,
    )
