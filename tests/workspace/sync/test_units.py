"""Reading only what changed comes to the same as reading all of it anew, whatever agents did (S-5)."""

from __future__ import annotations

import json
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
from memtui.formats.claude_code import incremental as claude_look
from memtui.formats.claude_code.incremental import FolderLook
from memtui.formats.contract.adapter import Adapter, Reading
from memtui.formats.contract.incremental import Look
from memtui.formats.mcp_memory import incremental
from memtui.formats.mcp_memory.incremental import McpLook
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.media.sqlite import block_scan
from memtui.formats.media.sqlite.block_scan import BlockLook
from memtui.workspace.sync import pull as pulling
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import relations, rows, words_agree
from tests.support.empty_workspace import empty
from tests.support.sizes import rounds, share
from tests.support.stores import claude_code, databases, founder_os, mcp_memory

# What a fresh workspace cannot say alike: its own numbers, and when it saw a memory.
_OWN = frozenset({"id", "uid", "store_id", "seen_at", "recency", "kept", "moved"})


@dataclass
class Reads:
    """How much of a store each look read: (units read, units there)."""

    looks: list[tuple[int, int]] = field(default_factory=list)

    @property
    def partial(self) -> list[tuple[int, int]]:
        return [look for look in self.looks if 0 < look[0] < look[1]]


@pytest.fixture(autouse=True)
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """No store counts as small, and what is read is counted."""
    monkeypatch.setattr(block_scan, "SMALL", 0)
    monkeypatch.setattr(block_scan, "BLOCK", 2)
    monkeypatch.setattr(incremental, "SMALL", 0)
    monkeypatch.setattr(claude_look, "SMALL", 0)
    counted = Reads()
    for kind in (BlockLook, McpLook, FolderLook):
        monkeypatch.setattr(kind, "read", _counting(kind.read, counted))
    return counted


def _counting(read: Callable[..., Iterator[Reading]], counted: Reads) -> Callable[..., Iterator[Reading]]:
    def counting(self: Look, units: Collection[str]) -> Iterator[Reading]:
        counted.looks.append((len(units), len(self.marks)))
        return read(self, units)

    return counting


# -- other writers


class FounderAgent:
    """Changes rows of a database in all ways that SQL allows."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.place, self.chance, self.made = folder / "memory.db", chance, 0
        columns = founder_os.SHIPPED_COLUMNS | {"shelf": ""}
        founder_os.make(self.place, columns=columns)
        for _ in range(25):
            self.insert()

    def works(self) -> None:
        acts = [self.insert, self.insert, self.update, self.update, self.delete, self.middle, self.vacuum]
        more = [self.renumber, self.new_id, self.soft_delete, self.used, self.beside, self.swap, self.column]
        self.chance.choice([*acts, *more])()

    def run(self, sql: str, *values: Any) -> None:
        connection = apsw.Connection(str(self.place))
        connection.set_busy_timeout(5000)
        try:
            with suppress(apsw.ConstraintError, apsw.MismatchError):  # a number that is taken, or none
                connection.execute(sql, values)
        finally:
            connection.close()

    def insert(self, **more: Any) -> None:
        self.made += 1
        row = {
            "id": f"{self.made:032x}",
            "key": f"key-{self.made}",
            "category": self.chance.choice(["fact", "pattern"]),
            "content": self._text(),
            "source_plugin": "P1",
            "confidence": self.chance.randrange(101),
            "created_at": 1_760_000_000,
            "updated_at": 1_760_000_000,
            "shelf": self.chance.choice([None, 5, "5", 5.5]),
        } | more
        marks = ", ".join("?" * len(row))
        self.run(f"INSERT INTO memories ({', '.join(row)}) VALUES ({marks})", *row.values())

    def _text(self) -> str:
        odd = self.chance.choice(["", "ü\n", "\x1f", "\x1e", "a\0b"])
        return f"Zebra {self.chance.randrange(1000)} {odd}"

    _ONE = "rowid = (SELECT rowid FROM memories ORDER BY random() LIMIT 1)"

    def update(self) -> None:
        self.run(f"UPDATE memories SET content = ? WHERE {self._ONE}", self._text())

    def delete(self) -> None:
        self.run(f"DELETE FROM memories WHERE {self._ONE}")

    def middle(self) -> None:
        low = self.chance.choice([-9, -5, 13, 1000, 2**40, 2**63 - 1, -(2**63)])
        self.insert(rowid=low)

    def vacuum(self) -> None:
        self.run("VACUUM")

    def renumber(self) -> None:
        self.run(f"UPDATE memories SET rowid = rowid + 100 WHERE {self._ONE}")

    def new_id(self) -> None:
        self.made += 1
        self.run(f"UPDATE memories SET id = ? WHERE {self._ONE}", f"{self.made:032x}")

    def soft_delete(self) -> None:
        gone = self.chance.choice([None, 1_761_000_000])
        self.run(f"UPDATE memories SET deleted_at = ? WHERE {self._ONE}", gone)

    def used(self) -> None:
        self.run("UPDATE memories SET times_used = times_used + 1 WHERE rowid % 3 = 0")

    def beside(self) -> None:
        self.run(f"UPDATE memories SET shelf = ? WHERE {self._ONE}", self.chance.choice([None, 1, "x"]))

    def swap(self) -> None:
        """Two memories change places."""
        connection = apsw.Connection(str(self.place))
        connection.set_busy_timeout(5000)
        picked = connection.execute("SELECT rowid FROM memories ORDER BY random() LIMIT 2").fetchall()
        if len(picked) == 2:
            (one,), (two,) = picked
            with connection:
                for old, new in ((one, 777_777), (two, one), (777_777, two)):
                    connection.execute("UPDATE memories SET rowid = ? WHERE rowid = ?", (new, old))
        connection.close()

    def column(self) -> None:
        if self.made % 7 == 0:
            with suppress(apsw.SQLError):
                self.run("ALTER TABLE memories ADD COLUMN mood TEXT DEFAULT 'calm'")


class McpAgent:
    """Writes the file anew, as the server does, with all that may stand in it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.place, self.chance = folder / "memory.jsonl", chance
        self.graph: list[Any] = [*mcp_memory.GRAPH]
        self.end, self.tail = "\n", ""
        for _ in range(15):
            self.entity()
        self.save()

    def works(self) -> None:
        # What stands there now may be the person's.
        data = self.place.read_text("utf-8").replace("\r\n", "\n").removeprefix("\ufeff")
        self.graph, self.tail = [], ""
        for line in data.split("\n"):
            try:
                if line:
                    self.graph.append(json.loads(line))
            except ValueError:
                self.graph.append(line)
        acts = [self.entity, self.observe, self.observe, self.forget, self.drop, self.relate, self.shuffle]
        more = [self.rename, self.double, self.line_ends, self.tear, self.bare, self.kind, self.junk]
        self.chance.choice([*acts, *more])()
        self.save()

    def save(self) -> None:
        spelled = [
            each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in self.graph
        ]
        self.place.write_bytes((self.end.join(spelled) + self.end * self.chance.randrange(2)).encode())
        os.utime(self.place, (1_700_000_000, 1_700_000_000))  # its time tells nothing

    def _entities(self) -> list[dict[str, Any]]:
        said = [each for each in self.graph if isinstance(each, dict) and "observations" in each]
        if not said:
            self.entity()
            return self._entities()
        return said

    def entity(self) -> None:
        name = f"Zebra {self.chance.randrange(12)}"  # often one that has a line
        said = [f"Stripes {self.chance.randrange(4)}" for _ in range(self.chance.randrange(4))]
        self.graph.insert(self.chance.randrange(len(self.graph) + 1), mcp_memory.entity(name, *said))

    def observe(self) -> None:
        self.chance.choice(self._entities())["observations"].append(f"Stripes {self.chance.randrange(4)}")

    def forget(self) -> None:
        self.chance.choice(self._entities())["observations"] = []

    def bare(self) -> None:
        self.graph.append(mcp_memory.entity(f"Zebra {self.chance.randrange(12)}"))

    def drop(self) -> None:
        if len(self.graph) > 3:
            self.graph.pop(self.chance.randrange(len(self.graph)))

    def relate(self) -> None:
        ends = [self.chance.choice(self._entities())["name"] for _ in range(2)]
        self.graph.append(mcp_memory.relation(ends[0], "knows", ends[1]))

    def shuffle(self) -> None:
        self.chance.shuffle(self.graph)

    def rename(self) -> None:
        old = self.chance.choice(self._entities())["name"]
        for each in self.graph:
            for key in ("name", "from", "to"):
                if isinstance(each, dict) and each.get(key) == old:
                    each[key] = f"{old}'"

    def double(self) -> None:
        self.graph.append(self.chance.choice(self.graph))

    def line_ends(self) -> None:
        self.end = "\r\n" if self.end == "\n" else "\n"

    def tear(self) -> None:
        self.graph.append('{"type":"entity","name":"To')

    def kind(self) -> None:
        self.chance.choice(self._entities())["entityType"] = "animal"

    def junk(self) -> None:
        self.graph += ["", [1, 2], {"other": 1}, ""]


class ClaudeAgent:
    """Edits a folder of notes that link to one another."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.place, self.chance, self.made = folder / "memory", chance, 0
        claude_code.make(self.place)
        for _ in range(12):
            self.new()
        claude_code.make(
            self.place, {"sub/deep.md": claude_code.flat("Deep Down", "user", "[[release-freeze]]")}
        )

    def works(self) -> None:
        acts = [self.edit, self.line_ends, self.same_size, self.set_back]
        more = [self.new, self.remove, self.rename_file, self.index, self.odd_name, self.link_out, self.large]
        self.chance.choice([*acts * 3, *more, self.call, self.call, self.no_head])()

    def _notes(self) -> list[Path]:
        return sorted(file for file in self.place.glob("*.md") if file.name != "MEMORY.md" and file.is_file())

    def _one(self) -> Path:
        return self.chance.choice(self._notes())

    def _links(self) -> str:
        said = ["release-freeze", "Release-Freeze", "Board", "nobody", "Testing first", "deep", "Deep Down"]
        said += [f"zebra-{number}" for number in range(6)] + ["Zebra-2", "board.md", "A Name"]
        files = ["feedback_testing.md", "sub/deep.md", "zebra-3.md", "Zebra-4.md"]
        return (
            f"[[{self.chance.choice(said)}]] [x]({self.chance.choice(files)}) "
            f"[[{self.chance.choice(said)}|y]] {self.chance.randrange(1000)}"
        )

    def new(self) -> None:
        spell = self.chance.choice([claude_code.flat, claude_code.nested])
        name = f"zebra-{self.made % 9}"
        self.made += 1
        (self.place / f"{name}.md").write_text(spell(name, "project", self._links()), "utf-8")

    def edit(self) -> None:
        file = self._one()
        file.write_bytes(file.read_bytes() + self._links().encode() + b"\n")

    def call(self) -> None:
        """Another name in the head."""
        name = self.chance.choice(["nobody", "zebra-3", "Board", "A Name", "board-two", "BOARD"])
        self._one().write_text(claude_code.flat(name, "user", self._links()), "utf-8")

    def remove(self) -> None:
        if len(self._notes()) > 4:
            self._one().unlink()

    def rename_file(self) -> None:
        file = self._one()
        file.rename(file.with_name(f"{file.stem}-x.md"))

    def index(self) -> None:
        names = [file.name for file in self._notes() if file.name.isascii()]
        lines = [f"- [Title {self.chance.randrange(99)}]({name}) - so" for name in names if len(name) % 2]
        (self.place / "MEMORY.md").write_text("# Memory\n" + "\n".join(lines) + "\n\n- A zebra\n", "utf-8")

    def line_ends(self) -> None:
        file = self._one()
        data = file.read_bytes()
        new = data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n")
        file.write_bytes(new)

    def same_size(self) -> None:
        """In place, the same size, twice within a tick of the clock."""
        file = self._one()
        for _ in range(2):
            data = bytearray(file.read_bytes())
            data[-3:-2] = b"%d" % self.chance.randrange(10)
            with file.open("r+b") as handle:
                handle.write(data)

    def set_back(self) -> None:
        file = self._one()
        before = file.stat()
        self.same_size()
        data = file.read_bytes()
        file.write_bytes(data[:-2] + b"7\n")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def odd_name(self) -> None:
        """Names that are no text, and are shown alike."""
        end = self.chance.choice([b"\xff", b"\xfe", "\ufffd".encode()])
        with open(os.fsencode(self.place) + b"/odd" + end + b".md", "ab") as handle:
            handle.write(claude_code.flat("odd", "user", self._links()).encode())

    def link_out(self) -> None:
        """A file turns into a link to something outside, or inside."""
        outside = self.place.parent / "outside.md"
        outside.write_text(claude_code.flat("outside", "user", "Not of this store."))
        file = self._one()
        file.unlink()
        file.symlink_to(self.chance.choice([outside, self._one()]))

    def large(self) -> None:
        file = self._one()
        file.write_bytes(file.read_bytes() + b"x" * self.chance.choice([0, LIMIT]))

    def no_head(self) -> None:
        self._one().write_text("Only text.\n")


Agent = FounderAgent | McpAgent | ClaudeAgent
AGENTS: dict[str, type[Agent]] = {"founder": FounderAgent, "mcp": McpAgent, "claude": ClaudeAgent}


# -- what is compared


def is_as_read_anew(workspace: Workspace, place: Path, folder: Path) -> None:
    """The mirror says what a new workspace says that reads all of the store."""
    (folder / "fresh").mkdir(exist_ok=True)
    path = folder / "fresh" / f"{time.monotonic_ns()}.db"
    fresh = Workspace.open(empty(path))
    try:
        fresh.attach(place)
        theirs = {row["ref"]: _said(row) for row in rows(fresh, removed=True).values()}
        mine = {row["ref"]: _said(row) for row in rows(workspace, removed=True).values() if row["ref"]}
        stand = {ref: row for ref, row in mine.items() if row["removed_at"] is None}
        told = {ref: row for ref, row in theirs.items() if row["removed_at"] is None}
        assert stand.keys() == told.keys()
        for ref, row in theirs.items():
            assert mine[ref] == row, ref
        assert sorted(relations(workspace)) == sorted(relations(fresh))
        words_agree(workspace)
        for table in ("memories", "relations"):
            where = " AND ref IS NOT NULL AND removed_at IS NULL" if table == "memories" else ""
            sql = (
                f"SELECT unit FROM {table} WHERE store_id = 2 AND unit NOT IN (SELECT name FROM units){where}"
            )
            assert workspace._ctx.db.rows(sql) == []
    finally:
        fresh.close()


def _said(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _OWN}


@contextmanager
def attached(agent: Agent, folder: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(folder / "workspace.db"))
    try:
        workspace.attach(agent.place)
        yield workspace
    finally:
        workspace.close()


@pytest.mark.parametrize("seed", share(range(6), 1))
@pytest.mark.parametrize("kind", AGENTS)
def test_whatever_agents_do(tmp_path: Path, kind: str, seed: int, reads: Reads) -> None:
    chance = random.Random(f"units {kind} {seed}")
    agent = AGENTS[kind](tmp_path, chance)
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(10, 16)):
            for _ in range(chance.choice([1, 1, 1, 4])):
                agent.works()
            assert workspace.pull().errors == {}
            is_as_read_anew(workspace, agent.place, tmp_path)
            time.sleep(0.04 * (kind == "claude"))  # a file that was just written has no mark yet
        time.sleep(0.04)  # what was written is at rest
        workspace.pull()
        assert workspace.pull().total == 0
    assert kind == "claude" or len(reads.partial) >= 4


@pytest.mark.parametrize("seed", share(range(6), 1))
@pytest.mark.parametrize("kind", AGENTS)
def test_whatever_agents_and_a_person_do(tmp_path: Path, kind: str, seed: int, reads: Reads) -> None:
    """Changes of ours in between, some of them to what an agent changed a moment ago."""
    chance = random.Random(f"both {kind} {seed}")
    agent = AGENTS[kind](tmp_path, chance)
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(8, 12)):
            for _ in range(chance.choice([0, 1, 2])):
                agent.works()
            for _ in range(chance.choice([0, 1, 2])):
                with suppress(Refused):
                    _a_verb(workspace, chance)
            for _ in range(chance.choice([0, 0, 1])):
                agent.works()
            assert workspace.pull().errors == {}
            is_as_read_anew(workspace, agent.place, tmp_path)
            time.sleep(0.04 * (kind == "claude"))
    assert kind == "claude" or reads.partial


def _a_verb(workspace: Workspace, chance: random.Random) -> None:
    id = chance.choice(list(workspace.search("", live=False).ids))
    match chance.choice(["edit", "edit", "dismiss", "restore", "undo", "add", "redo", "subject"]):
        case "edit":
            workspace.edit([id], {"content": f"Edited {chance.randrange(100)}."})
        case "add":
            (store,) = workspace.stores()[1:]
            subject = {"subject": "Zebra 1"} if store.format == "mcp-memory" else {}
            workspace.add({"content": f"Added {chance.randrange(100)}."} | subject, store.name)
        case "subject" if any(info.format == "mcp-memory" for info in workspace.stores()):
            workspace.edit([id], {"subject": f"Zebra {chance.randrange(100)}"})
        case "undo":
            workspace.undo()
        case "redo":
            workspace.redo()
        case "dismiss":
            workspace.dismiss([id])
        case _:
            workspace.restore([id])


@pytest.mark.parametrize("kind", AGENTS)
def test_only_the_part_that_changed_is_read(tmp_path: Path, kind: str, reads: Reads) -> None:
    agent = AGENTS[kind](tmp_path, random.Random(f"part {kind}"))
    if isinstance(agent, ClaudeAgent):  # nothing links to it
        claude_code.make(agent.place, {"alone.md": claude_code.nested("alone", "project", "[[zebra-4]]")})
    time.sleep(0.04)  # what was written is at rest
    with attached(agent, tmp_path) as workspace:
        if isinstance(agent, FounderAgent):
            agent.run("UPDATE memories SET content = 'Zebra.' WHERE rowid = 9")
        elif isinstance(agent, McpAgent):
            data = agent.place.read_bytes()
            agent.place.write_bytes(data.replace(b"has a mill", b"has two mills"))
            os.utime(agent.place, (1_700_000_000, 1_700_000_000))
        else:
            with (agent.place / "alone.md").open("a") as handle:
                handle.write("\nMore of [[zebra-5]].\n")
        before = len(reads.looks)
        workspace.pull()
        ((units, of),) = reads.looks[before:]
        assert units <= 1 + 6 * (kind == "mcp") < of  # and the lines of entities that say a thing twice
        is_as_read_anew(workspace, agent.place, tmp_path)


# -- one by one: what was found


def test_what_we_changed_and_an_agent_removed_at_once_is_gone(tmp_path: Path) -> None:
    """The part of the store in which we wrote is no more when it is looked at again."""
    place = mcp_memory.make(tmp_path / "memory.jsonl").root
    folder = claude_code.make(tmp_path / "memory").root
    workspace = Workspace.open(empty(tmp_path / "workspace.db"))
    workspace.attach(place)
    workspace.attach(folder)
    (mill,) = workspace.search("mill").ids
    (board,) = workspace.search("board ALPHA").ids
    workspace.edit([mill], {"content": "has two mills"})
    workspace.edit([board], {"content": "Bugs live nowhere."})
    lines = place.read_text("utf-8").split("\n")
    place.write_text("\n".join(line for line in lines if "two mills" not in line), "utf-8")
    (folder / "reference_board.md").unlink()
    assert [counts[2] for counts in workspace.pull().changes.values()] == [2, 1]
    assert {mill, board} <= set(workspace.search("is:removed").ids)
    workspace.close()


@pytest.mark.parametrize("rowid", [2**63 - 1, 2**63 - 2**13, -(2**63), 0])
def test_rows_at_the_ends_of_all_numbers(tmp_path: Path, rowid: int) -> None:
    agent = FounderAgent(tmp_path, random.Random(1))
    with attached(agent, tmp_path) as workspace:
        agent.insert(rowid=rowid, content="At the end.")
        assert workspace.pull().changes == {"founder-os:" + tmp_path.name: (1, 0, 0)}
        agent.run("UPDATE memories SET content = 'At its end.' WHERE rowid = ?", rowid)
        assert workspace.pull().changes == {"founder-os:" + tmp_path.name: (0, 1, 0)}
        is_as_read_anew(workspace, agent.place, tmp_path)


def test_a_second_row_of_the_same_id_far_away(tmp_path: Path) -> None:
    """Where a table lets two rows have one id, each is called by its number: the first one too."""
    place = founder_os.make(tmp_path / "memory.db", columns=founder_os.ODD_COLUMNS)
    workspace = Workspace.open(empty(tmp_path / "workspace.db"))
    workspace.attach(place)
    connection = apsw.Connection(str(place))
    databases.put(connection, "memories", dict(founder_os.MEMORIES[0]) | {"rowid": 10_000})
    connection.close()
    workspace.pull()
    is_as_read_anew(workspace, place, tmp_path)
    databases.alter(place, "DELETE FROM memories WHERE rowid = 10000")
    workspace.pull()
    is_as_read_anew(workspace, place, tmp_path)
    workspace.close()


def test_a_table_without_row_numbers(tmp_path: Path) -> None:
    columns = ", ".join(f'"{name}" {kind}' for name, kind in founder_os.SHIPPED_COLUMNS.items())
    place = tmp_path / "memory.db"
    databases.alter(place, f"CREATE TABLE memories ({columns}) WITHOUT ROWID")
    connection = apsw.Connection(str(place))
    for memory in founder_os.MEMORIES:
        databases.put(connection, "memories", memory)
    connection.close()
    workspace = Workspace.open(empty(tmp_path / "workspace.db"))
    workspace.attach(place)
    databases.alter(place, "UPDATE memories SET content = 'Zebra.' WHERE key = 'weekly-review'")
    databases.alter(place, "DELETE FROM memories WHERE key = 'friday-follow-ups'")
    assert workspace.pull().total == 2
    (id,) = workspace.search("zebra").ids
    workspace.edit([id], {"content": "Two zebras."})
    assert workspace.pull().total == 0
    # And then with them: the same rows, in other parts.
    databases.alter(
        place,
        f"CREATE TABLE new ({columns})",
        "INSERT INTO new SELECT * FROM memories",
        "DROP TABLE memories",
        "ALTER TABLE new RENAME TO memories",
    )
    assert workspace.pull().total == 0
    is_as_read_anew(workspace, place, tmp_path)
    workspace.close()


def test_an_emptied_store(tmp_path: Path) -> None:
    for kind in AGENTS:
        (tmp_path / kind).mkdir()
        agent = AGENTS[kind](tmp_path / kind, random.Random(2))
        with attached(agent, tmp_path / kind) as workspace:
            if isinstance(agent, FounderAgent):
                agent.run("DELETE FROM memories")
            elif isinstance(agent, McpAgent):
                agent.place.write_bytes(b"")
                os.utime(agent.place, (1_700_000_000, 1_700_000_000))
            else:
                for file in agent.place.rglob("*.md"):
                    file.unlink()
            told = workspace.pull()
            assert told.errors == {}
            assert workspace.counts().all == 0, kind


def test_a_file_that_turns_into_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = claude_code.make(tmp_path / "memory").root
    outside = tmp_path / "outside.md"
    outside.write_text(claude_code.flat("Board", "reference", "Nobody else's business."))
    workspace = Workspace.open(empty(tmp_path / "workspace.db"))
    workspace.attach(folder)
    (folder / "reference_board.md").unlink()
    (folder / "reference_board.md").symlink_to(outside)
    workspace.pull()
    assert not workspace.search("business", live=False).ids
    is_as_read_anew(workspace, folder, tmp_path)
    workspace.close()


# -- at the same time


@pytest.mark.parametrize("kind", AGENTS)
def test_two_that_pull_parts_at_once(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, reads: Reads
) -> None:
    monkeypatch.setattr(pulling, "CHUNK", 2)
    agent = AGENTS[kind](tmp_path, random.Random(f"two {kind}"))
    with attached(agent, tmp_path) as workspace:
        for _ in range(rounds(2, 4)):
            for _ in range(4):
                agent.works()
            start = threading.Barrier(2)
            troubles: list[Any] = []

            def pull(start: threading.Barrier = start, troubles: list[Any] = troubles) -> None:
                other = Workspace.open(tmp_path / "workspace.db")
                try:
                    start.wait(20)
                    troubles += other.pull().errors.values()
                except BaseException as trouble:
                    troubles.append(trouble)
                finally:
                    other.close()

            pullers = [threading.Thread(target=pull) for _ in range(2)]
            for each in pullers:
                each.start()
            for each in pullers:
                each.join()
            assert troubles == []
            workspace.pull()
            is_as_read_anew(workspace, agent.place, tmp_path)


@pytest.mark.parametrize("kind", AGENTS)
def test_a_verb_between_two_parts_of_a_pull(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, reads: Reads
) -> None:
    """The pull starts again, and what it had taken in by then is told too."""
    monkeypatch.setattr(pulling, "CHUNK", 1)
    agent = AGENTS[kind](tmp_path, random.Random(f"verb {kind}"))
    look = agent_adapter(kind).look
    with attached(agent, tmp_path) as workspace:
        other = Workspace.open(tmp_path / "workspace.db")
        chance = random.Random(f"verbs {kind}")
        met: list[int] = []

        @contextmanager
        def looked(self: Any) -> Iterator[Look]:
            with look(self) as found:
                read = found.read

                def stopping(units: Collection[str]) -> Iterator[Reading]:
                    for part in read(units):
                        while part.records:
                            yield Reading(records=[part.records.pop(0)])
                            if len(met) < 3:
                                met.append(1)
                                with suppress(Refused):
                                    _a_verb(other, chance)
                        yield part

                found.read = stopping  # type: ignore[method-assign]
                yield found

        with monkeypatch.context() as patch:
            patch.setattr(agent_adapter(kind), "look", looked)
            for _ in range(rounds(2, 4)):
                met.clear()
                for _ in range(6):
                    agent.works()
                assert workspace.pull().errors == {}
        other.close()
        workspace.pull()
        is_as_read_anew(workspace, agent.place, tmp_path)


def agent_adapter(kind: str) -> type[Adapter]:
    from memtui.formats import registry

    return registry.by_name({"founder": "founder-os", "mcp": "mcp-memory", "claude": "claude-code"}[kind])


def test_what_was_taken_in_before_a_pull_was_overtaken_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling, "CHUNK", 2)
    place = mcp_memory.make(tmp_path / "memory.jsonl").root
    workspace = Workspace.open(empty(tmp_path / "workspace.db"))
    workspace.attach(place)
    other = Workspace.open(tmp_path / "workspace.db")
    (tea,) = workspace.search("Lövelace tea").ids
    more = [mcp_memory.entity(f"Zebra {number}", "Stripes") for number in range(9)]
    place.write_text("\n".join(mcp_memory.lines(*mcp_memory.GRAPH, *more)), "utf-8")
    compare, done = pulling._Pull._compare, []

    def overtaken(self: Any, *more: Any) -> None:
        compare(self, *more)
        done.append(1)

    transaction = pulling._Turn.transaction

    @contextmanager
    def turn(self: Any, *, writes: bool) -> Iterator[None]:
        with transaction(self, writes=writes):
            yield
        if len(done) == 2:
            done.append(1)
            other.edit([tea], {"content": "likes coffee"})

    monkeypatch.setattr(pulling._Pull, "_compare", overtaken)
    monkeypatch.setattr(pulling._Turn, "transaction", turn)
    assert list(workspace.pull().changes.values()) == [(9, 0, 0)]
    other.close()
    is_as_read_anew(workspace, place, tmp_path)
    workspace.close()
