"""A workspace with four stores, memtui's own and the three of `demo_stores`, and helpers to inspect them.

The contents of stores are read without the workspace: files byte by byte, databases row by row, the bytes of
a database in use by another process (`tests.support.stores`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.records import Record
from memtui.memory.detail import Detail
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace
from tests.support import demo_stores
from tests.support.stores import rows_in

NOW = 1_763_000_000.0
NATIVE, FOUNDER, CLAUDE, MCP = (
    "native",
    "founder-os:larkfield",
    "claude-code:order-service",
    "mcp-memory:assistant",
)
FOREIGN = (FOUNDER, CLAUDE, MCP)
STORES = (NATIVE, *FOREIGN)
# Search words that find exactly one live memory of each store.
SAMPLE = {NATIVE: "staging host", FOUNDER: "Swiss francs", CLAUDE: "mocked migration", MCP: "allergic"}


@dataclass
class Clock:
    """A clock that advances a minute at each call."""

    now: float = NOW

    def __call__(self) -> float:
        self.now += 60
        return self.now


@dataclass
class DemoWorkspace:
    """A workspace at `path` whose stores are under `folder`."""

    folder: Path
    path: Path
    clock: Clock = field(default_factory=Clock)

    @property
    def store_paths(self) -> dict[str, Path]:
        """The path of each foreign store."""
        return store_paths(self.folder)

    def open(self, **options: Any) -> Workspace:
        """Open the workspace; the caller closes it."""
        return Workspace.open(self.path, **{"clock": self.clock, **options})

    @contextmanager
    def opened(self, **options: Any) -> Iterator[Workspace]:
        """Open the workspace and close it at the end of the block."""
        workspace = self.open(**options)
        try:
            yield workspace
        finally:
            workspace.close()


def store_paths(folder: Path) -> dict[str, Path]:
    """Return the path of each foreign store under `folder`."""
    return {
        FOUNDER: folder / "larkfield" / ".memory" / "memory.db",
        CLAUDE: folder / "order-service" / "memory",
        MCP: folder / "assistant" / "memory.jsonl",
    }


def create_foreign_stores(folder: Path, now: float = NOW) -> dict[str, Path]:
    """Create the three foreign stores under `folder` and return their paths."""
    demo_stores.build(folder, lambda: now)
    return store_paths(folder)


def create_demo_workspace(folder: Path) -> DemoWorkspace:
    """Create the stores and a workspace on them; an agent has added the memories of memtui's own store."""
    paths = create_foreign_stores(folder)
    shutil.rmtree(folder / "demo")  # the workspace that `demo_stores.build` made
    demo = DemoWorkspace(folder, folder / "workspace" / "workspace.db")
    with demo.opened(actor="agent:seed") as workspace:
        for content, category, tags in demo_stores.NATIVE_MEMORIES:
            workspace.add({"content": content, "category": category, "tags": tags})
        for path in paths.values():
            workspace.attach(path)
    return demo


def copy_demo_workspace(template: DemoWorkspace, folder: Path) -> DemoWorkspace:
    """Copy a demo workspace that nobody has open, with its stores, into `folder`."""
    shutil.copytree(template.folder, folder, dirs_exist_ok=True)
    demo = DemoWorkspace(folder, folder / "workspace" / "workspace.db", Clock(template.clock.now))
    relocate_stores(demo.path, template.folder, folder)
    return demo


def copy_with_stores(template: Path, folder: Path) -> Path:
    """Copy a folder that holds a workspace, w.db, and its stores into `folder`, and return `folder`."""
    shutil.copytree(template, folder, dirs_exist_ok=True)
    relocate_stores(folder / "w.db", template, folder)
    return folder


def relocate_stores(path: Path, source: Path, folder: Path) -> None:
    """Update the paths of the stores in a workspace that was copied with them from `source` to `folder`."""
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE stores SET path = replace(path, ?, ?)", (str(source), str(folder)))
    connection.close()


# -- contents of the mirror


def find_id(workspace: Workspace, words: str) -> int:
    """Return the id of the one memory that a search for `words` finds, whatever its status."""
    found = workspace.search(words, live=False).ids
    assert len(found) == 1, f"{words!r} finds {len(found)}"
    return found[0]


def memory(workspace: Workspace, id: int) -> Memory:
    (found,) = workspace.memories([id])
    assert isinstance(found, Memory)
    return found


def detail_of(workspace: Workspace, id: int) -> Detail:
    """Return the detail of a memory that exists."""
    detail = workspace.detail(id)
    assert detail is not None
    return detail


def rows(workspace: Workspace, *, removed: bool = False) -> dict[int, dict[str, Any]]:
    """Return all columns of the mirror's rows by id; with `removed`, also of removed memories."""
    connection = workspace._ctx.db.connection()
    names = [row[1] for row in connection.execute("PRAGMA table_xinfo(memories)")]
    found: list[tuple[Any, ...]] = connection.execute(
        f"SELECT {', '.join(names)} FROM memories ORDER BY id"
    ).fetchall()
    table = {row[0]: dict(zip(names, row, strict=True)) for row in found}
    return {id: row for id, row in table.items() if removed or row["removed_at"] is None}


def relations(workspace: Workspace) -> list[tuple[Any, ...]]:
    return workspace._ctx.db.rows("SELECT store_id, source, kind, target FROM relations ORDER BY 1, 2, 3, 4")


def item_states(workspace: Workspace, entry_id: int | None) -> set[tuple[str, str]]:
    """Return the state and reason of each item of a journal entry."""
    assert entry_id is not None
    return {(item.state, item.reason) for item in workspace.journal_items(entry_id)}


def assert_word_index_intact(workspace: Workspace) -> None:
    """Assert that the full-text index matches the rows."""
    workspace._ctx.db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")


# -- contents of the stores


def read_records(path: Path) -> dict[str, Record]:
    """Read a store with its adapter and return its records by ref."""
    format = "founder-os" if path.suffix == ".db" else "claude-code" if path.is_dir() else "mcp-memory"
    return {record.ref: record for record in registry.by_name(format)(path).read().records}


def contents(path: Path) -> Any:
    """Return the contents of a store: the rows of a database, or the bytes and modes of its files."""
    if path.suffix == ".db":
        return rows_in(path)
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return {file.name: (file.read_bytes(), file.stat().st_mode) for file in files}


def all_contents(folder: Path) -> dict[str, Any]:
    """Return the contents of the three foreign stores under `folder`."""
    return {name: contents(path) for name, path in store_paths(folder).items()}


def files_under(*folders: Path) -> set[Path]:
    """Return the paths of all files and folders under `folders`."""
    return {file for folder in folders for file in folder.rglob("*")}


def assert_in_sync(workspace: Workspace) -> None:
    """Assert that the mirror holds what a fresh read of each store returns, memory by memory."""
    for info in workspace.stores():
        if info.format == NATIVE:
            continue
        mirrored = {
            row["ref"]: row
            for row in rows(workspace).values()
            if row["moved"] is None and row["store_id"] == _store_id(workspace, info.name)
        }
        stored = {
            ref: record for ref, record in read_records(Path(info.path)).items() if record.removed_at is None
        }
        assert mirrored.keys() == stored.keys(), info.name
        for ref, record in stored.items():
            assert mirrored[ref]["digest"] == record.digest, ref
            kept = json.loads(mirrored[ref]["kept"])
            for name, value in record.fields.items():
                if name in ("content", "title", "category", "subject", "key", "status") and name not in kept:
                    assert mirrored[ref][name] == value, (ref, name)
    assert_word_index_intact(workspace)


def _store_id(workspace: Workspace, name: str) -> int:
    return int(workspace._ctx.db.one("SELECT id FROM stores WHERE name = ?", (name,)))


# -- changes by agents


def agent_executes(path: Path, sql: str, *values: Any) -> None:
    """Run one statement on a database as an agent would, and close it."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(2000)
    connection.execute(sql, values)
    connection.close()


def agent_replaces(file: Path, old: str, new: str) -> None:
    """Replace a text that occurs once in a file, as an agent would."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), "utf-8")


def refusal(action: Callable[[], Any]) -> Refused:
    """Return the Refused that `action` raises."""
    try:
        action()
    except Refused as refused:
        return refused
    raise AssertionError("not refused")
