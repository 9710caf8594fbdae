"""The score of each memory of a tree at a moment, with what the derived files show of it (S-24)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.formats.cognitive import document
from memtui.formats.cognitive.index import index_entries
from memtui.formats.cognitive.paths import is_pinned
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import parse_number
from memtui.formats.cognitive.state_file import Usage
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.lifecycles.cognitive import score

_DAY = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A memory with its score, 0 to 1; `created` is in Unix seconds, 0 if unknown. One that is in no tree has
    no path."""

    id: str
    path: str
    title: str
    type: str
    tags: tuple[str, ...]
    content: str
    created: float
    uses: int
    score: float


def scored_memories(tree: Tree, now: float) -> list[ScoredMemory]:
    """Return all memories with an id, best score first, then by path."""
    out = []
    for id, name in tree.memories.items():
        note = document.read(tree[name])
        if not note.id:
            continue
        usage = tree.usage.get(id, Usage())
        created = seconds_of(note.text("created") or None)
        last_active = usage.last if usage.last is not None else created
        number = parse_number(note.text("importance"))
        importance = index_entries.DEFAULT_IMPORTANCE if number is None else min(1.0, max(0.0, number))
        days = 0.0 if last_active is None else (now - last_active) / _DAY
        memory = ScoredMemory(
            id=id,
            path=name,
            title=" ".join((note.title or id).split()),
            type=note.type,
            tags=note.list_of("tags"),
            content=note.content,
            created=created or 0.0,
            uses=usage.count,
            score=score(importance, usage.count, days, note.type, pinned=is_pinned(name)),
        )
        out.append(memory)
    return sorted(out, key=lambda each: (-each.score, each.path))
