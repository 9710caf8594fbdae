"""Measuring retrieval: questions with known answers, searched in temporary workspaces with the code that
people and agents search with (S-36)."""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memtui.embedding.base import Opener
from memtui.formats.contract.records import Record, clean
from memtui.memory.ranking import DEFAULT, SEED, TOP_K, Weights
from memtui.values import Fields, Json, JsonObject
from memtui.workspace.background import JobControl
from memtui.workspace.context import NATIVE
from memtui.workspace.db.models import Store
from memtui.workspace.evaluation import wording
from memtui.workspace.evaluation.jsonl import lines
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search.hybrid import Search
from memtui.workspace.workspace import Workspace

MODES = ("lexical", "vector", "hybrid")
MEASURES = ("recall@5", "recall@10", "hit@5", "mrr@10")
DEPTH = 10  # results considered
_DRAWS, _SEED = 1_000, 7  # of the bootstrap


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the ids of the memories that answer it."""

    text: str
    relevant: frozenset[str]
    category: str
    group: str


def read_memories(path: Path) -> dict[str, list[JsonObject]]:
    """Return the memories of a JSONL file by group; raise Refused naming a malformed line."""
    groups: dict[str, list[JsonObject]] = defaultdict(list)
    known: set[tuple[str, str]] = set()
    for number, line in lines(path):
        if not isinstance(line.get("id"), (str, int)) or not isinstance(line.get("text"), str):
            raise wording.bad_line(path, number, wording.MEMORY_SHAPE)
        id = clean(str(line["id"]))
        group = _group(line)
        if (group, id) in known:
            raise wording.bad_line(path, number, wording.repeated_id(id))
        known.add((group, id))
        groups[group].append({**line, "id": id})
    return dict(groups)


def read_questions(
    path: Path, known: Mapping[str, Sequence[Mapping[str, Json]]]
) -> tuple[list[Question], int]:
    """Return the questions of a JSONL file, and how many of their answers are no memory of their group, which
    count as not found. Questions without an answer are left out."""
    ids = {group: {each["id"] for each in memories} for group, memories in known.items()}
    questions: list[Question] = []
    unknown = 0
    for number, line in lines(path):
        relevant = line.get("relevant")
        if not isinstance(line.get("question"), str) or not isinstance(relevant, list):
            raise wording.bad_line(path, number, wording.QUESTION_SHAPE)
        group = _group(line)
        if group not in ids:
            raise wording.bad_line(path, number, wording.unknown_group(group))
        right = frozenset(clean(str(id)) for id in relevant)
        unknown += len(right - ids[group])
        if right:
            category = line.get("category")
            name = "" if category is None else clean(str(category))
            questions.append(Question(clean(line["question"]), right, name, group))
    if not questions:
        raise wording.no_questions(path)
    return questions, unknown


def _group(line: Mapping[str, Json]) -> str:
    group = line.get("group")
    return "" if group is None else clean(str(group))


def retrieval(
    memories: Path,
    questions: Path,
    opener: Opener | None,
    report: Callable[[str, float], None] = lambda what, part: None,
    weights: Weights = DEFAULT,
    top_k: int = TOP_K,
) -> JsonObject:
    """Return the report of `memtui eval retrieval`.

    It is {"n", "modes": {mode: {measure: number, "interval", "by_category"}}}, and "unknown" answers if there
    are any. Each group gets a workspace of its own; without a model only `lexical` is measured.
    """
    groups = read_memories(memories)
    asked, unknown = read_questions(questions, groups)
    by_group: dict[str, list[Question]] = defaultdict(list)
    for question in asked:
        by_group[question.group].append(question)
    rows: dict[str, list[tuple[str, list[float]]]] = {mode: [] for mode in MODES}
    done = 0
    for group, group_questions in by_group.items():
        with tempfile.TemporaryDirectory(prefix="memtui-eval-") as folder:
            scratch = Scratch(Path(folder) / "eval.db", groups[group], opener, report)
            try:
                for question in group_questions:
                    for mode, found in scratch.answers(question.text, weights, top_k).items():
                        rows[mode].append((question.category, measures(found, question.relevant)))
                    done += 1
                    report("questions", done / len(asked))
            finally:
                scratch.close()
    modes = {mode: _report(each) for mode, each in rows.items() if each}
    return {"n": len(asked), **({"unknown": unknown} if unknown else {}), "modes": modes}


class Scratch:
    """A temporary workspace for one group."""

    def __init__(
        self,
        path: Path,
        memories: Sequence[Mapping[str, Json]],
        opener: Opener | None,
        report: Callable[[str, float], None] = lambda what, part: None,
    ) -> None:
        self.workspace = Workspace.open(path, opener=opener)
        self._ctx = ctx = self.workspace._ctx
        records = [Record(ref=each["id"], fields=_fields(each)) for each in memories]
        own = ctx.db.first(Store.select().where(Store.format == NATIVE))
        assert own is not None
        with ctx.db.atomic():
            memory_rows.insert(ctx.db, own.id, NATIVE, "", records, ctx.clock())
        self._names: dict[int, str] = dict(ctx.db.rows("SELECT id, ref FROM memories"))
        progress = JobControl(report=lambda done, left: report("memories", done / max(1, done + left)))
        self.workspace.embed(progress)
        state = self.workspace.embedding_state()
        if ctx.model.ready and state.pending:
            self.close()
            raise wording.memories_not_embedded(state.pending, state.error)

    def answers(self, question: str, weights: Weights, top_k: int) -> dict[str, list[str]]:
        ctx = self._ctx
        search = Search(ctx.db, question, ("m.live = 1", ()), ctx.model.vector, ctx.clock(), weights)
        if ctx.model.ready and search.vector is None:
            raise wording.question_not_embedded(ctx.model.why)
        found = {"lexical": search.by_words(top_k)}
        if search.vector is not None:
            alone = Search(ctx.db, question, ("m.live = 1", ()), ctx.model.vector, ctx.clock(), SEED)
            found["vector"] = [id for id, _ in alone.by_meaning(ctx.model.bits, top_k)]
            answers, related = search.answers(ctx.model.bits, ctx.model.tokens_per_word, top_k)
            found["hybrid"] = [each.id for each in (*answers, *related)]
        return {mode: [self._names[id] for id in ids[:DEPTH]] for mode, ids in found.items()}

    def close(self) -> None:
        self.workspace.close()


def _fields(line: Mapping[str, Json]) -> JsonObject:
    """Return the fields of a memory that a line sets with the right type."""
    fields: Fields = {"content": clean(line["text"])}
    for name in ("title", "subject", "key", "category"):
        if isinstance(line.get(name), str):
            fields[name] = clean(line[name])
    if isinstance(line.get("tags"), list):
        fields["tags"] = tuple(clean(str(tag)) for tag in line["tags"])
    at = line.get("created_at", line.get("date"))
    if isinstance(at, str):
        try:
            moment = datetime.fromisoformat(at)
            fields["created_at"] = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            pass  # an unreadable date is left out
    return fields


def measures(found: Sequence[str], relevant: frozenset[str]) -> list[float]:
    """Return recall@5, recall@10, hit@5 and MRR@10 of one ranked list."""
    first = next((place for place, id in enumerate(found[:10], 1) if id in relevant), 0)
    return [
        len(relevant.intersection(found[:5])) / len(relevant),
        len(relevant.intersection(found[:10])) / len(relevant),
        float(not relevant.isdisjoint(found[:5])),
        1.0 / first if first else 0.0,
    ]


def _report(rows: Sequence[tuple[str, list[float]]]) -> JsonObject:
    categories: dict[str, list[list[float]]] = defaultdict(list)
    for category, numbers in rows:
        categories[category].append(numbers)
    every = [numbers for _, numbers in rows]
    by_category = {
        name: {**_means(each), "n": len(each)} for name, each in sorted(categories.items()) if name
    }
    return {**_means(every), "interval": _interval(every), "by_category": by_category}


def _means(rows: Sequence[Sequence[float]]) -> dict[str, float]:
    return {
        name: round(sum(row[place] for row in rows) / len(rows), 4) for place, name in enumerate(MEASURES)
    }


def _interval(rows: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    """Return 95 % bootstrap intervals, with a fixed seed."""
    generator = random.Random(_SEED)
    draws = [_means(generator.choices(rows, k=len(rows))) for _ in range(_DRAWS)]
    intervals = {}
    for name in MEASURES:
        values = sorted(draw[name] for draw in draws)
        intervals[name] = [values[int(_DRAWS * 0.025)], values[int(_DRAWS * 0.975) - 1]]
    return intervals
