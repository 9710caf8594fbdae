"""Small stores for races, with the workspaces that they are attached to."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from memtui.workspace.workspace import Workspace
from tests.support.stores import claude_code, founder_os, mcp_memory

TEXTS = tuple(f"slot{number} race, as it was" for number in range(5))
NATIVE = "native"
_CATEGORY = {"category": "fact"}


@dataclass(frozen=True, slots=True)
class Arena:
    """A folder with one store (or only the native one), and workspaces that it is attached to.

    `adds` has the fields that a new memory needs, by store name.
    """

    folder: Path
    format: str
    path: Path
    workspaces: tuple[Path, ...]
    adds: Mapping[str, Mapping[str, Any]]

    def copy_to(self, folder: Path) -> Arena:
        """Copy it to another folder; nothing of it may be open."""
        shutil.copytree(self.folder, folder)
        moved = Arena(
            folder,
            self.format,
            folder / self.path.relative_to(self.folder),
            tuple(folder / workspace_path.relative_to(self.folder) for workspace_path in self.workspaces),
            self.adds,
        )
        for workspace_path in moved.workspaces:
            connection = apsw.Connection(str(workspace_path))
            sql = "UPDATE stores SET path = replace(path, ?, ?)"
            connection.execute(sql, (str(self.folder), str(folder)))
            connection.close()
        return moved


def make(folder: Path, format: str, journal: str, workspaces: int) -> Arena:
    """Make a store of a format, attached to several workspaces."""
    path = _MAKERS[format](folder / "store", journal)
    paths = [folder / f"workspace-{number}" / "workspace.db" for number in range(workspaces)]
    adds: dict[str, Mapping[str, Any]] = {}
    for workspace_path in paths:
        workspace_path.parent.mkdir(parents=True)
        workspace = Workspace.open(workspace_path)
        try:
            if format == NATIVE:
                for text in TEXTS:
                    workspace.add({"content": text})
                adds[NATIVE] = {}
            else:
                (info,) = workspace.attach(path)
                adds[info.name] = {"subject": "Slots"} if format == "mcp-memory" else _CATEGORY
        finally:
            workspace.close()
    if format == "claude-code":
        adds = {name: {"title": "New one", "category": "user"} for name in adds}
    return Arena(folder, format, paths[0] if format == NATIVE else path, tuple(paths), adds)


def _founder(folder: Path, journal: str) -> Path:
    memories = [
        {**founder_os.MEMORIES[2], "id": f"{number + 1:031x}f", "key": f"slot-{number}", "content": text}
        for number, text in enumerate(TEXTS)
    ]
    return founder_os.make(folder / "memory.db", memories, adaptations=(), journal=journal)


def _graph(folder: Path, _: str) -> Path:
    lines = mcp_memory.lines(
        mcp_memory.entity("Slots", *TEXTS), mcp_memory.relation("Slots", "knows", "Slots")
    )
    return mcp_memory.make(folder / "memory.jsonl", "\n".join(lines).encode()).root


def _notes(folder: Path, _: str) -> Path:
    files = {f"slot{n}.md": claude_code.flat(f"slot {n}", "user", text) for n, text in enumerate(TEXTS)}
    index = "".join(f"- [slot {n}](slot{n}.md) — a note\n" for n in range(len(TEXTS)))
    return claude_code.make(folder / "memory", {**files, "MEMORY.md": index}).root


def _none(folder: Path, _: str) -> Path:
    return folder


_MAKERS = {"founder-os": _founder, "mcp-memory": _graph, "claude-code": _notes, NATIVE: _none}


def leftovers(arena: Arena) -> Sequence[str]:
    """Return temporary files that a write left behind; files that memtui kept visibly do not count."""
    names = [file.name for file in arena.path.parent.rglob("*") if file.is_file()]
    return [name for name in names if ".memtui-" in name and ".memtui-recovered-" not in name]


def recovered(arena: Arena) -> list[bytes]:
    """Return the files that memtui kept visibly because two programs wrote at once."""
    return [file.read_bytes() for file in arena.path.parent.rglob("*.memtui-recovered-*")]
