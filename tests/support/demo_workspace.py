"""An office with four stores: memtui's own and the three of the demo, attached to one workspace.

What stands in the stores is always asked past the workspace: files byte for byte, databases
row for row, and a live database's bytes by another process (`tests.support.stores`).
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
from memtui.formats.contract.adapter import Record
from memtui.memory.detail import Detail
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace
from tests.support import office
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
# One live memory of each store, by words that only it holds.
SAMPLE = {NATIVE: "staging host", FOUNDER: "Swiss francs", CLAUDE: "mocked migration", MCP: "allergic"}


@dataclass
class Clock:
    """A clock that moves a minute each time it is asked."""

    now: float = NOW

    def __call__(self) -> float:
        self.now += 60
        return self.now


@dataclass
class DemoWorkspace:
    """The stores under `folder`, and the workspace's file."""

    folder: Path
    path: Path
    clock: Clock = field(default_factory=Clock)

    @property
    def places(self) -> dict[str, Path]:
        """Where the foreign stores stand."""
        return places(self.folder)

    def open(self, **more: Any) -> Workspace:
        """The workspace, opened once more."""
        return Workspace.open(self.path, **{"clock": self.clock, **more})

    @contextmanager
    def opened(self, **more: Any) -> Iterator[Workspace]:
        """The workspace, for a while."""
        workspace = self.open(**more)
        try:
            yield workspace
        finally:
            workspace.close()


def places(folder: Path) -> dict[str, Path]:
    return {
        FOUNDER: folder / "larkfield" / ".memory" / "memory.db",
        CLAUDE: folder / "order-service" / "memory",
        MCP: folder / "assistant" / "memory.jsonl",
    }


def stores_in(folder: Path, now: float = NOW) -> dict[str, Path]:
    """The demo's three foreign stores, attached to nothing that matters."""
    office.build(folder, lambda: now)
    return places(folder)


def furnish(folder: Path) -> DemoWorkspace:
    """The stores, and a workspace on them; what stands in our own store is an agent's."""
    stores = stores_in(folder)
    shutil.rmtree(folder / "demo")  # the workspace of the demo itself
    demo_workspace = DemoWorkspace(folder, folder / "office" / "workspace.db")
    with demo_workspace.opened(actor="agent:seed") as workspace:
        for content, category, tags in office.NATIVE:
            workspace.add({"content": content, "category": category, "tags": tags})
        for place in stores.values():
            workspace.attach(place)
    return demo_workspace


def copied(template: DemoWorkspace, folder: Path) -> DemoWorkspace:
    """The same office in another folder; nobody has anything of the template open."""
    shutil.copytree(template.folder, folder, dirs_exist_ok=True)
    demo_workspace = DemoWorkspace(folder, folder / "office" / "workspace.db", Clock(template.clock.now))
    moved(demo_workspace.path, template.folder, folder)
    return demo_workspace


def copy_of(template: Path, folder: Path) -> Path:
    """Copy a folder that holds a workspace, w.db, and its stores into `folder`; that folder."""
    shutil.copytree(template, folder, dirs_exist_ok=True)
    moved(folder / "w.db", template, folder)
    return folder


def moved(path: Path, source: Path, folder: Path) -> None:
    """Tell a workspace that was copied with its stores where these are now."""
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE stores SET path = replace(path, ?, ?)", (str(source), str(folder)))
    connection.close()


# -- what the mirror says


def the(workspace: Workspace, words: str) -> int:
    """The one memory that these words find, whatever its status."""
    found = workspace.search(words, live=False).ids
    assert len(found) == 1, f"{words!r} finds {len(found)}"
    return found[0]


def memory(workspace: Workspace, id: int) -> Memory:
    (found,) = workspace.memories([id])
    assert isinstance(found, Memory)
    return found


def detail_of(workspace: Workspace, id: int) -> Detail:
    """A memory with all that stands beside it; it must be there."""
    detail = workspace.detail(id)
    assert detail is not None
    return detail


def rows(workspace: Workspace, *, removed: bool = False) -> dict[int, dict[str, Any]]:
    """Every column of every row of the mirror; of removed ones only on demand."""
    connection = workspace._ctx.db.connection()
    names = [row[1] for row in connection.execute("PRAGMA table_xinfo(memories)")]
    found: list[tuple[Any, ...]] = connection.execute(
        f"SELECT {', '.join(names)} FROM memories ORDER BY id"
    ).fetchall()
    table = {row[0]: dict(zip(names, row, strict=True)) for row in found}
    return {id: row for id, row in table.items() if removed or row["removed_at"] is None}


def relations(workspace: Workspace) -> list[tuple[Any, ...]]:
    return workspace._ctx.db.rows("SELECT store_id, source, kind, target FROM relations ORDER BY 1, 2, 3, 4")


def outcome(workspace: Workspace, line: int | None) -> set[tuple[str, str]]:
    """State and reason of each memory's part in a journal line."""
    assert line is not None
    return {(item.state, item.why) for item in workspace.journal_items(line)}


def words_agree(workspace: Workspace) -> None:
    """The words index holds just what the rows say."""
    workspace._ctx.db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")


# -- what the stores say


def told(place: Path) -> dict[str, Record]:
    """What a store says, read by its format and nothing else."""
    format = "founder-os" if place.suffix == ".db" else "claude-code" if place.is_dir() else "mcp-memory"
    return {record.ref: record for record in registry.by_name(format)(place).read().records}


def contents(place: Path) -> Any:
    """All that stands in a store: the rows of a database, the bytes of files with their modes."""
    if place.suffix == ".db":
        return rows_in(place)
    files = [place] if place.is_file() else sorted(file for file in place.rglob("*") if file.is_file())
    return {file.name: (file.read_bytes(), file.stat().st_mode) for file in files}


def everything(folder: Path) -> dict[str, Any]:
    """All that stands in the three foreign stores."""
    return {name: contents(place) for name, place in places(folder).items()}


def files_under(*folders: Path) -> set[Path]:
    return {file for folder in folders for file in folder.rglob("*")}


def agrees(workspace: Workspace) -> None:
    """The mirror says what a fresh read of each store says, memory by memory, nothing twice."""
    for info in workspace.stores():
        if info.format == NATIVE:
            continue
        mine = {
            row["ref"]: row
            for row in rows(workspace).values()
            if row["moved"] is None and row["store_id"] == _store_id(workspace, info.name)
        }
        theirs = {ref: record for ref, record in told(Path(info.path)).items() if record.removed_at is None}
        assert mine.keys() == theirs.keys(), info.name
        for ref, record in theirs.items():
            assert mine[ref]["digest"] == record.digest, ref
            kept = json.loads(mine[ref]["kept"])
            for name, value in record.fields.items():
                if name in ("content", "title", "category", "subject", "key", "status") and name not in kept:
                    assert mine[ref][name] == value, (ref, name)
    words_agree(workspace)


def _store_id(workspace: Workspace, name: str) -> int:
    return int(workspace._ctx.db.one("SELECT id FROM stores WHERE name = ?", (name,)))


# -- other writers


def agent_sets(place: Path, sql: str, *values: Any) -> None:
    """An agent changes a database, and closes it."""
    connection = apsw.Connection(str(place))
    connection.set_busy_timeout(2000)
    connection.execute(sql, values)
    connection.close()


def agent_writes(file: Path, old: str, new: str) -> None:
    """An agent replaces a text in a file that stands there once."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), "utf-8")


def refusal(act: Callable[[], Any]) -> Refused:
    """What `act` is refused with."""
    try:
        act()
    except Refused as refused:
        return refused
    raise AssertionError("it was not refused")
