"""Pairs that contradict or repeat each other, in a store of each format; and all that stands there."""

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
from memtui.workspace.contradictions import queue
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, moved
from tests.support.empty_workspace import empty
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
from tests.support.stores.files import tree

# The two of a pair, one that is related to the second, and one to nobody, by words that only they hold.
TEXTS = ("Meets on Monday", "Meets on Friday", "Bystander", "Outsider")


def _founder(folder: Path) -> Path:
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


def _minions(folder: Path) -> Path:
    said = [minions.item(n, f"key{n}", f"{text}.", tags=[f"t{n}"]) for n, text in enumerate(TEXTS, 1)]
    marks = [minions.index(100 + n, n, f"word{n}") for n in (1, 2, 3, 4)]
    fields = {
        "memoryIdA": minions.uid(2),
        "memoryIdB": minions.uid(1),
        "description": "which day",
        "detectedAt": minions.AT,
        "detectedBy": "scout",
        "resolution": "unresolved",
    }
    return minions.make(folder, *said, *marks, minions.minion(201, "contradiction", fields)).root


def _skill(folder: Path) -> Path:
    facts = [mem_skill.fact(f"fact-{n}", f"key_{n}", f"{text}.") for n, text in enumerate(TEXTS, 1)]
    return mem_skill.make(folder / "mem.db", facts, archived=())


def _coat(folder: Path) -> Path:
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


def _shared(folder: Path) -> Path:
    files = {
        f"team/topic-{n}.md": base_coat_shared.sheet(f"team:topic-{n}", f"{text}.")
        for n, text in enumerate(TEXTS, 1)
    }
    return base_coat_shared.make(folder / "memories", files).root


def _claude(folder: Path) -> Path:
    files = {f"n{n}.md": claude_code.nested(f"n{n}", "project", f"{t}.") for n, t in enumerate(TEXTS, 1)}
    index = "".join(f"- [N{n}](n{n}.md) — hook {n}\n" for n in (1, 2, 3, 4))
    return claude_code.make(folder / "memory", {"MEMORY.md": index, **files}).root


def _mcp(folder: Path) -> Path:
    named = [mcp_memory.entity(f"E{n}", f"{text}.") for n, text in enumerate(TEXTS, 1)]
    lines = mcp_memory.lines(*named, mcp_memory.relation("E2", "knows of", "E3"))
    return mcp_memory.make(folder / "memory.jsonl", "\n".join(lines).encode()).root


def _cognitive(folder: Path) -> Path:
    return cognitive.make(folder / "memory").root


MAKERS: dict[str, Callable[[Path], Path]] = {
    "founder-os": _founder,
    "minions": _minions,
    "mem-skill": _skill,
    "base-coat": _coat,
    "base-coat-shared": _shared,
    "cognitive": _cognitive,
    "claude-code": _claude,
    "mcp-memory": _mcp,
}
FORMATS = (*MAKERS, "native")


def _crowd(folder: Path) -> Path:
    """Entities with several observations, equal ones among them, and one with none."""
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
_MADE_BY = {**MAKERS, CROWD: _crowd}
_WORDS = {
    "cognitive": ("Timeouts hide", "Redis connection timeouts", "Redis connection drops", "Major Domo"),
}


@dataclass
class ContradictionStore:
    """Stores of some formats under `folder`, and the workspace on them."""

    folder: Path
    formats: tuple[str, ...]
    clock: Clock = field(default_factory=Clock)
    places: dict[str, Path] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.folder / "w" / "workspace.db"

    def begin(self) -> ContradictionStore:
        """Make the stores, and attach them: a copy of what was made for the first one of these formats."""
        made = _made(self.formats)
        shutil.copytree(made.folder, self.folder, dirs_exist_ok=True)
        moved(self.path, made.folder, self.folder)
        self.clock.now = made.clock.now
        for format, place in made.places.items():
            self.places[format] = self.folder / place.relative_to(made.folder)
        return self

    def make(self) -> ContradictionStore:
        """Make the stores anew, and attach them."""
        for format in self.formats:
            if format != "native":
                self.places[format] = _MADE_BY[format](self.folder / format)
        with self.opened() as workspace:
            for format in self.formats:
                if format == "native":
                    made = [workspace.add({"content": f"{text}, at home."}).ids[0] for text in TEXTS]
                    workspace.relate(made[1], "supports", made[2])
                else:
                    workspace.attach(self.places[format], format)
        return self

    @contextmanager
    def opened(self, **more: Any) -> Iterator[Workspace]:
        workspace = Workspace.open(empty(self.path), **{"clock": self.clock, **more})
        try:
            yield workspace
        finally:
            workspace.close()

    def four(self, workspace: Workspace, format: str) -> tuple[int, ...]:
        """The two of this store's pair, the bystander and the outsider."""
        return tuple(
            next(id for id in self._all(workspace, format) if _says(workspace, id, words))
            for words in _WORDS.get(format, TEXTS)
        )

    def _all(self, workspace: Workspace, format: str) -> list[int]:
        return list(workspace.search(f"store:{format}", live=False).ids)

    def stands(self) -> dict[str, Any]:
        """All that stands in the stores: values with their types, files to the byte."""
        found: dict[str, Any] = {}
        for format, place in self.places.items():
            if place.suffix == ".db":
                found[format] = mem_skill.rows_in(place)
            else:
                folder = place if place.is_dir() else place.parent
                found[format] = tree(folder), sorted(map(str, folder.rglob("*")))
        return found


_folders: list[tempfile.TemporaryDirectory[str]] = []  # they go with the process


@cache
def _made(formats: tuple[str, ...]) -> ContradictionStore:
    _folders.append(tempfile.TemporaryDirectory(prefix="memtui-contradictions-"))
    return ContradictionStore(Path(_folders[-1].name).resolve(), tuple(formats)).make()


def _says(workspace: Workspace, id: int, words: str) -> bool:
    (memory,) = workspace.memories([id])
    return words in f"{memory.title or ''} {memory.content}" and memory.kind != "episode"


def pair(
    workspace: Workspace,
    one: int,
    other: int,
    family: str = CONTRADICTION,
    kind: str = "value",
    topic: str = "",
) -> int:
    """A finding, as a sweep would put it down; its id."""
    ctx, (a, b) = workspace._ctx, sorted((one, other))
    said = queue.said_now(ctx, [a, b])
    ctx.db.run(
        "INSERT INTO pairs (a, b, family, kind, score, reason, topic, digest_a, digest_b, found_at) "
        "VALUES (?, ?, ?, ?, 0.9, 'Two days.', ?, ?, ?, ?)",
        (a, b, family, kind, topic, said[a], said[b], ctx.clock()),
    )
    return int(ctx.db.connection().last_insert_rowid())


def known(workspace: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """What the workspace knows: all columns of memories, relations, verdicts and pairs."""
    db = workspace._ctx.db
    columns = [row[1] for row in db.rows("PRAGMA table_info(memories)")]
    # A unit that was written anew is read anew; what it says is the same.
    columns = [name for name in columns if name not in ("seen_at", "unit")]
    said = "store_id, source, kind, target, strength, context, body"
    return {
        "memories": db.rows(f"SELECT {', '.join(columns)} FROM memories ORDER BY id"),
        "relations": sorted(db.rows(f"SELECT {said} FROM relations"), key=str),
        "notes": db.rows(f"SELECT {said} FROM relation_overrides"),
        "asides": sorted(db.rows("SELECT store_id, kind, about, words FROM side_records"), key=str),
        "verdicts": db.rows(
            "SELECT a, b, digest_a, digest_b, verdict, note, until, topic, subject FROM verdicts"
        ),
        "pairs": db.rows("SELECT * FROM pairs ORDER BY id"),
    }


def related(workspace: Workspace, id: int) -> set[tuple[int | None, str, int | None, bool]]:
    """The relations of a memory: from, kind, to, and whether memtui keeps it."""
    told = workspace.detail(id)
    assert told is not None
    return {(each.source_id, each.kind, each.target_id, each.local) for each in told.relations}


def state(workspace: Workspace, pair_id: int) -> str:
    """How a pair stands in the queue."""
    told = workspace.pair(pair_id)
    assert told is not None
    return told.pair.state
