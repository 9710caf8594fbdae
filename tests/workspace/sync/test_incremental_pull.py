"""An incremental pull gives the same mirror as reading the whole store, whatever agents changed (S-5)."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.formats.claude_code import incremental as claude_incremental
from memtui.formats.claude_code.incremental import FolderSnapshot
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.incremental import Snapshot
from memtui.formats.contract.records import Reading
from memtui.formats.mcp_memory import incremental
from memtui.formats.mcp_memory.incremental import McpSnapshot
from memtui.formats.media.sqlite import block_scan
from memtui.formats.media.sqlite.block_scan import BlockSnapshot
from memtui.workspace.sync import pull as pulling
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import assert_word_index_intact, relations, rows
from tests.support.empty_workspace import create_empty
from tests.support.sizes import rounds, sample_cases
from tests.support.stores import claude_code, databases, founder_os, mcp_memory
from tests.workspace.sync.random_agents import AGENTS, Agent, ClaudeAgent, FounderAgent, McpAgent

# Columns that differ in a fresh workspace: its own ids and when it saw a memory.
_INCOMPARABLE = frozenset({"id", "uid", "store_id", "seen_at", "recency", "kept", "moved"})


@dataclass
class Reads:
    """How much of a store each pull read: (units read, units in the store)."""

    counts: list[tuple[int, int]] = field(default_factory=list)

    @property
    def partial(self) -> list[tuple[int, int]]:
        return [count for count in self.counts if 0 < count[0] < count[1]]


@pytest.fixture(autouse=True)
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Treat no store as small, and count the units that are read."""
    monkeypatch.setattr(block_scan, "SMALL", 0)
    monkeypatch.setattr(block_scan, "BLOCK", 2)
    monkeypatch.setattr(incremental, "SMALL", 0)
    monkeypatch.setattr(claude_incremental, "SMALL", 0)
    counted = Reads()
    for kind in (BlockSnapshot, McpSnapshot, FolderSnapshot):
        monkeypatch.setattr(kind, "read", _counting(kind.read, counted))
    return counted


def _counting(read: Callable[..., Iterator[Reading]], counted: Reads) -> Callable[..., Iterator[Reading]]:
    def counting(self: Snapshot, units: Collection[str]) -> Iterator[Reading]:
        counted.counts.append((len(units), len(self.fingerprints)))
        return read(self, units)

    return counting


# -- comparison


def assert_equals_fresh_read(workspace: Workspace, path: Path, folder: Path) -> None:
    """Assert that the mirror equals that of a new workspace that reads the whole store."""
    (folder / "fresh").mkdir(exist_ok=True)
    fresh = Workspace.open(create_empty(folder / "fresh" / f"{time.monotonic_ns()}.db"))
    try:
        fresh.attach(path)
        fresh_rows = {row["ref"]: _comparable(row) for row in rows(fresh, removed=True).values()}
        own_rows = {
            row["ref"]: _comparable(row) for row in rows(workspace, removed=True).values() if row["ref"]
        }
        live = {ref: row for ref, row in own_rows.items() if row["removed_at"] is None}
        fresh_live = {ref: row for ref, row in fresh_rows.items() if row["removed_at"] is None}
        assert live.keys() == fresh_live.keys()
        for ref, row in fresh_rows.items():
            assert own_rows[ref] == row, ref
        assert sorted(relations(workspace)) == sorted(relations(fresh))
        assert_word_index_intact(workspace)
        for table in ("memories", "relations"):
            where = " AND ref IS NOT NULL AND removed_at IS NULL" if table == "memories" else ""
            sql = (
                f"SELECT unit FROM {table} WHERE store_id = 2 AND unit NOT IN (SELECT name FROM units){where}"
            )
            assert workspace._ctx.db.rows(sql) == []
    finally:
        fresh.close()


def _comparable(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _INCOMPARABLE}


@contextmanager
def attached(agent: Agent, folder: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(folder / "workspace.db"))
    try:
        workspace.attach(agent.path)
        yield workspace
    finally:
        workspace.close()


@pytest.mark.parametrize("seed", sample_cases(range(6), 1))
@pytest.mark.parametrize("kind", AGENTS)
def test_random_changes_of_agents(tmp_path: Path, kind: str, seed: int, reads: Reads) -> None:
    rng = random.Random(f"units {kind} {seed}")
    agent = AGENTS[kind](tmp_path, rng)
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(10, 16)):
            for _ in range(rng.choice([1, 1, 1, 4])):
                agent.act()
            assert workspace.pull().errors == {}
            assert_equals_fresh_read(workspace, agent.path, tmp_path)
            time.sleep(0.04 * (kind == "claude"))  # a file that was just written has no fingerprint yet
        time.sleep(0.04)  # until the files have fingerprints
        workspace.pull()
        assert workspace.pull().total == 0
    assert kind == "claude" or len(reads.partial) >= 4


@pytest.mark.parametrize("seed", sample_cases(range(6), 1))
@pytest.mark.parametrize("kind", AGENTS)
def test_random_changes_of_agents_and_the_user(tmp_path: Path, kind: str, seed: int, reads: Reads) -> None:
    """Own changes in between, some of them to memories that an agent has just changed."""
    rng = random.Random(f"both {kind} {seed}")
    agent = AGENTS[kind](tmp_path, rng)
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(8, 12)):
            for _ in range(rng.choice([0, 1, 2])):
                agent.act()
            for _ in range(rng.choice([0, 1, 2])):
                with suppress(Refused):
                    _random_verb(workspace, rng)
            for _ in range(rng.choice([0, 0, 1])):
                agent.act()
            assert workspace.pull().errors == {}
            assert_equals_fresh_read(workspace, agent.path, tmp_path)
            time.sleep(0.04 * (kind == "claude"))
    assert kind == "claude" or reads.partial


def _random_verb(workspace: Workspace, rng: random.Random) -> None:
    id = rng.choice(list(workspace.search("", live=False).ids))
    match rng.choice(["edit", "edit", "dismiss", "restore", "undo", "add", "redo", "subject"]):
        case "edit":
            workspace.edit([id], {"content": f"Edited {rng.randrange(100)}."})
        case "add":
            (store,) = workspace.stores()[1:]
            subject = {"subject": "Zebra 1"} if store.format == "mcp-memory" else {}
            workspace.add({"content": f"Added {rng.randrange(100)}."} | subject, store.name)
        case "subject" if any(info.format == "mcp-memory" for info in workspace.stores()):
            workspace.edit([id], {"subject": f"Zebra {rng.randrange(100)}"})
        case "undo":
            workspace.undo()
        case "redo":
            workspace.redo()
        case "dismiss":
            workspace.dismiss([id])
        case _:
            workspace.restore([id])


@pytest.mark.parametrize("kind", AGENTS)
def test_only_changed_units_are_read(tmp_path: Path, kind: str, reads: Reads) -> None:
    agent = AGENTS[kind](tmp_path, random.Random(f"part {kind}"))
    if isinstance(agent, ClaudeAgent):  # nothing links to it
        claude_code.make(agent.path, {"alone.md": claude_code.nested("alone", "project", "[[zebra-4]]")})
    time.sleep(0.04)  # until the files have fingerprints
    with attached(agent, tmp_path) as workspace:
        if isinstance(agent, FounderAgent):
            agent.run("UPDATE memories SET content = 'Zebra.' WHERE rowid = 9")
        elif isinstance(agent, McpAgent):
            data = agent.path.read_bytes()
            agent.path.write_bytes(data.replace(b"has a mill", b"has two mills"))
            os.utime(agent.path, (1_700_000_000, 1_700_000_000))
        else:
            with (agent.path / "alone.md").open("a") as handle:
                handle.write("\nMore of [[zebra-5]].\n")
        before = len(reads.counts)
        workspace.pull()
        ((units, total),) = reads.counts[before:]
        assert units <= 1 + 6 * (kind == "mcp") < total  # also the lines of entities with equal observations
        assert_equals_fresh_read(workspace, agent.path, tmp_path)


# -- regressions


def test_a_memory_edited_and_then_removed_by_an_agent_is_removed(tmp_path: Path) -> None:
    """The unit that was written no longer exists when the store is pulled."""
    path = mcp_memory.make(tmp_path / "memory.jsonl").root
    folder = claude_code.make(tmp_path / "memory").root
    workspace = Workspace.open(create_empty(tmp_path / "workspace.db"))
    workspace.attach(path)
    workspace.attach(folder)
    (mill,) = workspace.search("mill").ids
    (board,) = workspace.search("board ALPHA").ids
    workspace.edit([mill], {"content": "has two mills"})
    workspace.edit([board], {"content": "Bugs live nowhere."})
    lines = path.read_text("utf-8").split("\n")
    path.write_text("\n".join(line for line in lines if "two mills" not in line), "utf-8")
    (folder / "reference_board.md").unlink()
    assert [counts[2] for counts in workspace.pull().changes.values()] == [2, 1]
    assert {mill, board} <= set(workspace.search("is:removed").ids)
    workspace.close()


@pytest.mark.parametrize("rowid", [2**63 - 1, 2**63 - 2**13, -(2**63), 0])
def test_rows_at_the_limits_of_row_numbers(tmp_path: Path, rowid: int) -> None:
    agent = FounderAgent(tmp_path, random.Random(1))
    with attached(agent, tmp_path) as workspace:
        agent.insert(rowid=rowid, content="At the end.")
        assert workspace.pull().changes == {"founder-os:" + tmp_path.name: (1, 0, 0)}
        agent.run("UPDATE memories SET content = 'At its end.' WHERE rowid = ?", rowid)
        assert workspace.pull().changes == {"founder-os:" + tmp_path.name: (0, 1, 0)}
        assert_equals_fresh_read(workspace, agent.path, tmp_path)


def test_a_duplicate_id_in_another_unit(tmp_path: Path) -> None:
    """Where a table allows duplicate ids, the refs of both rows contain the row number."""
    path = founder_os.make(tmp_path / "memory.db", columns=founder_os.UNTYPED_COLUMNS)
    workspace = Workspace.open(create_empty(tmp_path / "workspace.db"))
    workspace.attach(path)
    connection = apsw.Connection(str(path))
    databases.insert(connection, "memories", dict(founder_os.MEMORIES[0]) | {"rowid": 10_000})
    connection.close()
    workspace.pull()
    assert_equals_fresh_read(workspace, path, tmp_path)
    databases.execute(path, "DELETE FROM memories WHERE rowid = 10000")
    workspace.pull()
    assert_equals_fresh_read(workspace, path, tmp_path)
    workspace.close()


def test_a_table_without_rowid(tmp_path: Path) -> None:
    columns = ", ".join(f'"{name}" {kind}' for name, kind in founder_os.SHIPPED_COLUMNS.items())
    path = tmp_path / "memory.db"
    databases.execute(path, f"CREATE TABLE memories ({columns}) WITHOUT ROWID")
    connection = apsw.Connection(str(path))
    for memory in founder_os.MEMORIES:
        databases.insert(connection, "memories", memory)
    connection.close()
    workspace = Workspace.open(create_empty(tmp_path / "workspace.db"))
    workspace.attach(path)
    databases.execute(path, "UPDATE memories SET content = 'Zebra.' WHERE key = 'weekly-review'")
    databases.execute(path, "DELETE FROM memories WHERE key = 'friday-follow-ups'")
    assert workspace.pull().total == 2
    (id,) = workspace.search("zebra").ids
    workspace.edit([id], {"content": "Two zebras."})
    assert workspace.pull().total == 0
    # Then with row numbers: the same rows in other units.
    databases.execute(
        path,
        f"CREATE TABLE new ({columns})",
        "INSERT INTO new SELECT * FROM memories",
        "DROP TABLE memories",
        "ALTER TABLE new RENAME TO memories",
    )
    assert workspace.pull().total == 0
    assert_equals_fresh_read(workspace, path, tmp_path)
    workspace.close()


def test_an_emptied_store_has_no_memories(tmp_path: Path) -> None:
    for kind in AGENTS:
        (tmp_path / kind).mkdir()
        agent = AGENTS[kind](tmp_path / kind, random.Random(2))
        with attached(agent, tmp_path / kind) as workspace:
            if isinstance(agent, FounderAgent):
                agent.run("DELETE FROM memories")
            elif isinstance(agent, McpAgent):
                agent.path.write_bytes(b"")
                os.utime(agent.path, (1_700_000_000, 1_700_000_000))
            else:
                for file in agent.path.rglob("*.md"):
                    file.unlink()
            pulled = workspace.pull()
            assert pulled.errors == {}
            assert workspace.counts().all == 0, kind


def test_a_file_replaced_with_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = claude_code.make(tmp_path / "memory").root
    outside = tmp_path / "outside.md"
    outside.write_text(claude_code.flat("Board", "reference", "Nobody else's business."))
    workspace = Workspace.open(create_empty(tmp_path / "workspace.db"))
    workspace.attach(folder)
    (folder / "reference_board.md").unlink()
    (folder / "reference_board.md").symlink_to(outside)
    workspace.pull()
    assert not workspace.search("business", live=False).ids
    assert_equals_fresh_read(workspace, folder, tmp_path)
    workspace.close()


# -- concurrency


@pytest.mark.parametrize("kind", AGENTS)
def test_concurrent_incremental_pulls(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, reads: Reads
) -> None:
    monkeypatch.setattr(pulling, "CHUNK", 2)
    agent = AGENTS[kind](tmp_path, random.Random(f"two {kind}"))
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(2, 4)):
            for _ in range(4):
                agent.act()
            start = threading.Barrier(2)
            errors: list[Any] = []

            def pull(start: threading.Barrier = start, errors: list[Any] = errors) -> None:
                other = Workspace.open(tmp_path / "workspace.db")
                try:
                    start.wait(20)
                    errors += other.pull().errors.values()
                except BaseException as error:
                    errors.append(error)
                finally:
                    other.close()

            pullers = [threading.Thread(target=pull) for _ in range(2)]
            for each in pullers:
                each.start()
            for each in pullers:
                each.join()
            assert errors == []
            workspace.pull()
            assert_equals_fresh_read(workspace, agent.path, tmp_path)


@pytest.mark.parametrize("kind", AGENTS)
def test_verbs_between_the_units_of_a_pull(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, reads: Reads
) -> None:
    """The pull restarts, and the changes that it had read by then are reported too."""
    monkeypatch.setattr(pulling, "CHUNK", 1)
    agent = AGENTS[kind](tmp_path, random.Random(f"verb {kind}"))
    snapshot = agent_adapter(kind).snapshot
    with attached(agent, tmp_path) as workspace:
        other = Workspace.open(tmp_path / "workspace.db")
        rng = random.Random(f"verbs {kind}")
        verbs: list[int] = []

        @contextmanager
        def interrupted_snapshot(self: Any) -> Iterator[Snapshot]:
            with snapshot(self) as found:
                read = found.read

                def read_with_verbs(units: Collection[str]) -> Iterator[Reading]:
                    for part in read(units):
                        while part.records:
                            yield Reading(records=[part.records.pop(0)])
                            if len(verbs) < 3:
                                verbs.append(1)
                                with suppress(Refused):
                                    _random_verb(other, rng)
                        yield part

                found.read = read_with_verbs  # type: ignore[method-assign]
                yield found

        with monkeypatch.context() as patch:
            patch.setattr(agent_adapter(kind), "snapshot", interrupted_snapshot)
            for _ in range(rounds(2, 4)):
                verbs.clear()
                for _ in range(6):
                    agent.act()
                assert workspace.pull().errors == {}
        other.close()
        workspace.pull()
        assert_equals_fresh_read(workspace, agent.path, tmp_path)


def agent_adapter(kind: str) -> type[Adapter]:
    from memtui.formats import registry

    return registry.by_name({"founder": "founder-os", "mcp": "mcp-memory", "claude": "claude-code"}[kind])


def test_changes_pulled_before_a_concurrent_edit_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling, "CHUNK", 2)
    path = mcp_memory.make(tmp_path / "memory.jsonl").root
    workspace = Workspace.open(create_empty(tmp_path / "workspace.db"))
    workspace.attach(path)
    other = Workspace.open(tmp_path / "workspace.db")
    (tea,) = workspace.search("Lövelace tea").ids
    more = [mcp_memory.entity(f"Zebra {number}", "Stripes") for number in range(9)]
    path.write_text("\n".join(mcp_memory.lines(*mcp_memory.GRAPH, *more)), "utf-8")
    compare, done = pulling._Pull._compare, []

    def compare_and_count(self: Any, *more: Any) -> None:
        compare(self, *more)
        done.append(1)

    transaction = pulling._EpochGuard.transaction

    @contextmanager
    def edit_after_second(self: Any, *, writes: bool) -> Iterator[None]:
        with transaction(self, writes=writes):
            yield
        if len(done) == 2:
            done.append(1)
            other.edit([tea], {"content": "likes coffee"})

    monkeypatch.setattr(pulling._Pull, "_compare", compare_and_count)
    monkeypatch.setattr(pulling._EpochGuard, "transaction", edit_after_second)
    assert list(workspace.pull().changes.values()) == [(9, 0, 0)]
    other.close()
    assert_equals_fresh_read(workspace, path, tmp_path)
    workspace.close()
