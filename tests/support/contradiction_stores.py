"""A store of each format with two contradicting memories, and a workspace on stores of several formats."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.workspace.contradictions import compared
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, detail_of, relocate_stores
from tests.support.empty_workspace import create_empty
from tests.support.stores import (
    base_coat,
    base_coat_shared,
    claude_code,
    cognitive,
    founder_os,
    mcp_memory,
    mem_skill,
    minions,
)
from tests.support.stores.files import read_tree

# Texts of the pair's two memories, of one that the second is related to, and of one without relations.
TEXTS = ("Meets on Monday", "Meets on Friday", "Bystander", "Outsider")


def _make_founder_os(folder: Path) -> Path:
    rows = [
        {
            "id": str(n) * 32,
            "key": f"key-{n}",
            "category": "fact",
            "content": f"{text}.",
            "source_plugin": "P11",
            "confidence": 40 + n,
            "status": "confirmed",
            "tags": f'["t{n}"]',
            "times_used": n,
            "times_confirmed": 1,
            "created_at": 1_760_000_000 - n,
            "updated_at": 1_760_000_000,
        }
        for n, text in enumerate(TEXTS, 1)
    ]
    adapted = {
        "id": "ad01",
        "memory_id": "2" * 32,
        "plugin": "P11",
        "description": "Reminds on Fridays.",
        "applied_at": 1_760_000_000,
        "reverted_at": None,
    }
    return founder_os.make(folder / "memory.db", rows, adaptations=(adapted,))


def _make_minions(folder: Path) -> Path:
    items = [minions.item(n, f"key{n}", f"{text}.", tags=[f"t{n}"]) for n, text in enumerate(TEXTS, 1)]
    index = [minions.index(100 + n, n, f"word{n}") for n in (1, 2, 3, 4)]
    fields = {
        "memoryIdA": minions.uid(2),
        "memoryIdB": minions.uid(1),
        "description": "which day",
        "detectedAt": minions.AT,
        "detectedBy": "scout",
        "resolution": "unresolved",
    }
    return minions.make(folder, *items, *index, minions.minion(201, "contradiction", fields)).root


def _make_mem_skill(folder: Path) -> Path:
    facts = [mem_skill.fact(f"fact-{n}", f"key_{n}", f"{text}.") for n, text in enumerate(TEXTS, 1)]
    return mem_skill.make(folder / "mem.db", facts, archived=())


def _make_base_coat(folder: Path) -> Path:
    rows = [
        {
            "id": f"mem-{n}",
            "category": "fact",
            "subject": f"subject-{n}",
            "content": f"{text}.",
            "confidence": 0.4 + n / 10,
            "created_at": f"2026-01-0{n}T08:00:00Z",
            "access_count": n,
            "tier": "l4",
            "heat": "cold",
            "pinned": 0,
        }
        for n, text in enumerate(TEXTS, 1)
    ]
    related = (("mem-2", "mem-3", "supports"), ("mem-3", "mem-2", "refines"))
    return base_coat.make(folder / "memory.db", rows, relations=related)


def _make_base_coat_shared(folder: Path) -> Path:
    files = {
        f"team/topic-{n}.md": base_coat_shared.document(f"team:topic-{n}", f"{text}.")
        for n, text in enumerate(TEXTS, 1)
    }
    return base_coat_shared.make(folder / "memories", files).root


def _make_claude_code(folder: Path) -> Path:
    files = {f"n{n}.md": claude_code.nested(f"n{n}", "project", f"{t}.") for n, t in enumerate(TEXTS, 1)}
    index = "".join(f"- [N{n}](n{n}.md) — hook {n}\n" for n in (1, 2, 3, 4))
    return claude_code.make(folder / "memory", {"MEMORY.md": index, **files}).root


def _make_mcp_memory(folder: Path) -> Path:
    entities = [mcp_memory.entity(f"E{n}", f"{text}.") for n, text in enumerate(TEXTS, 1)]
    lines = mcp_memory.lines(*entities, mcp_memory.relation("E2", "knows of", "E3"))
    return mcp_memory.make(folder / "memory.jsonl", "\n".join(lines).encode()).root


def _make_cognitive(folder: Path) -> Path:
    return cognitive.make(folder / "memory").root


MAKERS: dict[str, Callable[[Path], Path]] = {
    "founder-os": _make_founder_os,
    "minions": _make_minions,
    "mem-skill": _make_mem_skill,
    "base-coat": _make_base_coat,
    "base-coat-shared": _make_base_coat_shared,
    "cognitive": _make_cognitive,
    "claude-code": _make_claude_code,
    "mcp-memory": _make_mcp_memory,
}
FORMATS = (*MAKERS, "native")


def _make_crowded_mcp_memory(folder: Path) -> Path:
    """An MCP memory whose entities have several observations, some of them equal, and one that has none."""
    lines = mcp_memory.lines(
        mcp_memory.entity("E1", "one", "two", "three", "two"),
        mcp_memory.entity("E2", "two", "four"),
        mcp_memory.entity("E3"),
        mcp_memory.entity("E4", *(f"{text}." for text in TEXTS)),
        mcp_memory.relation("E1", "knows of", "E2"),
        mcp_memory.relation("E3", "knows of", "E1"),
    )
    return mcp_memory.make(folder / "memory.jsonl", "\n".join(lines).encode()).root


CROWD = "crowded mcp-memory"
_MADE_BY = {**MAKERS, CROWD: _make_crowded_mcp_memory}
_WORDS = {
    "cognitive": ("Timeouts hide", "Redis connection timeouts", "Redis connection drops", "Major Domo"),
}


@dataclass
class ContradictionStores:
    """Stores of some formats under `folder`, and a workspace on them."""

    folder: Path
    formats: tuple[str, ...]
    clock: Clock = field(default_factory=Clock)
    store_paths: dict[str, Path] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self.folder / "w" / "workspace.db"

    def create(self) -> ContradictionStores:
        """Create the attached stores as a copy of those that were built first for the same formats."""
        template = _built(self.formats)
        shutil.copytree(template.folder, self.folder, dirs_exist_ok=True)
        relocate_stores(self.path, template.folder, self.folder)
        self.clock.now = template.clock.now
        for format, path in template.store_paths.items():
            self.store_paths[format] = self.folder / path.relative_to(template.folder)
        return self

    def build(self) -> ContradictionStores:
        """Build the stores from scratch and attach them."""
        for format in self.formats:
            if format != "native":
                self.store_paths[format] = _MADE_BY[format](self.folder / format)
        with self.opened() as workspace:
            for format in self.formats:
                if format == "native":
                    ids = [workspace.add({"content": f"{text}, at home."}).ids[0] for text in TEXTS]
                    workspace.relate(ids[1], "supports", ids[2])
                else:
                    workspace.attach(self.store_paths[format], format)
        return self

    @contextmanager
    def opened(self, **options: Any) -> Iterator[Workspace]:
        """Open the workspace and close it at the end of the block."""
        workspace = Workspace.open(create_empty(self.path), **{"clock": self.clock, **options})
        try:
            yield workspace
        finally:
            workspace.close()

    def sample_ids(self, workspace: Workspace, format: str) -> tuple[int, ...]:
        """Return the ids of the store's four memories: the pair's two, the bystander and the outsider."""
        return tuple(
            next(id for id in self._all_ids(workspace, format) if _contains(workspace, id, words))
            for words in _WORDS.get(format, TEXTS)
        )

    def _all_ids(self, workspace: Workspace, format: str) -> list[int]:
        return list(workspace.search(f"store:{format}", live=False).ids)

    def snapshot(self) -> dict[str, Any]:
        """Return the contents of the stores: the typed values of databases, the bytes and paths of files."""
        found: dict[str, Any] = {}
        for format, path in self.store_paths.items():
            if path.suffix == ".db":
                found[format] = mem_skill.rows_in(path)
            else:
                folder = path if path.is_dir() else path.parent
                found[format] = read_tree(folder), sorted(map(str, folder.rglob("*")))
        return found


_folders: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


@cache
def _built(formats: tuple[str, ...]) -> ContradictionStores:
    _folders.append(tempfile.TemporaryDirectory(prefix="memtui-contradictions-"))
    return ContradictionStores(Path(_folders[-1].name).resolve(), tuple(formats)).build()


def _contains(workspace: Workspace, id: int, words: str) -> bool:
    (memory,) = workspace.memories([id])
    return words in f"{memory.title or ''} {memory.content}" and memory.kind != "episode"


def add_pair(
    workspace: Workspace,
    first_id: int,
    second_id: int,
    family: str = CONTRADICTION,
    kind: str = "value",
    topic: str = "",
) -> int:
    """Insert a pair as a scan would, and return its id."""
    ctx, (a, b) = workspace._ctx, sorted((first_id, second_id))
    digests = compared.current_digests(ctx, [a, b])
    ctx.db.run(
        "INSERT INTO pairs (a, b, family, kind, score, reason, topic, digest_a, digest_b, found_at) "
        "VALUES (?, ?, ?, ?, 0.9, 'Two days.', ?, ?, ?, ?)",
        (a, b, family, kind, topic, digests[a], digests[b], ctx.clock()),
    )
    return int(ctx.db.connection().last_insert_rowid())


def workspace_rows(workspace: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of memories, relations, related records, verdicts and pairs in the workspace."""
    db = workspace._ctx.db
    columns = [row[1] for row in db.rows("PRAGMA table_info(memories)")]
    # `seen_at` and `unit` change when a unit is rewritten with the same content.
    columns = [name for name in columns if name not in ("seen_at", "unit")]
    relation_columns = "store_id, source, kind, target, strength, context, body"
    return {
        "memories": db.rows(f"SELECT {', '.join(columns)} FROM memories ORDER BY id"),
        "relations": sorted(db.rows(f"SELECT {relation_columns} FROM relations"), key=str),
        "overrides": db.rows(f"SELECT {relation_columns} FROM relation_overrides"),
        "side_records": sorted(db.rows("SELECT store_id, kind, about, words FROM side_records"), key=str),
        "verdicts": db.rows(
            "SELECT a, b, digest_a, digest_b, verdict, note, until, topic, subject FROM verdicts"
        ),
        "pairs": db.rows("SELECT * FROM pairs ORDER BY id"),
    }


def relations_of(workspace: Workspace, id: int) -> set[tuple[int | None, str, int | None, bool]]:
    """Return the relations of a memory as (source id, kind, target id, whether memtui keeps it)."""
    detail = detail_of(workspace, id)
    return {(each.source_id, each.kind, each.target_id, each.local) for each in detail.relations}


def pair_state(workspace: Workspace, pair_id: int) -> str:
    """Return the state of a pair in the queue."""
    comparison = workspace.pair(pair_id)
    assert comparison is not None
    return comparison.pair.state
