"""How well the right memories are found: questions with known answers, put to scratch workspaces by the
very code that people and agents search with (S-36)."""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memtui.embedding.base import Opener
from memtui.errors import Refused
from memtui.formats.contract.adapter import Record, clean
from memtui.memory.ranking import DEFAULT, SEED, TOP_K, Weights
from memtui.text import counted
from memtui.workspace.background import JobControl
from memtui.workspace.context import NATIVE
from memtui.workspace.evaluation.jsonl import lines, wrong
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search.hybrid import Search
from memtui.workspace.workspace import Workspace

MODES = ("lexical", "vector", "hybrid")
MEASURES = ("recall@5", "recall@10", "hit@5", "mrr@10")
DEPTH = 10  # results that are looked at
_DRAWS, _SEED = 1_000, 7  # of the bootstrap


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the ids of the memories that answer it."""

    text: str
    relevant: frozenset[str]
    category: str
    group: str


def memories_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The memories of a JSONL file by group; Refused names the line that is wrong."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    known: set[tuple[str, str]] = set()
    for number, line in lines(path):
        if not isinstance(line.get("id"), (str, int)) or not isinstance(line.get("text"), str):
            raise wrong(path, number, 'a memory is {"id": …, "text": "…"}')
        id = clean(str(line["id"]))
        group = _group(line)
        if (group, id) in known:
            raise wrong(path, number, f"the id {id} is there twice in its group")
        known.add((group, id))
        groups[group].append({**line, "id": id})
    return dict(groups)


def questions_of(path: Path, known: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[list[Question], int]:
    """The questions of a JSONL file, and how many of their answers no memory of their group has: those
    are never found. A question without an answer measures nothing and is left out."""
    ids = {group: {each["id"] for each in memories} for group, memories in known.items()}
    questions: list[Question] = []
    unknown = 0
    for number, line in lines(path):
        relevant = line.get("relevant")
        if not isinstance(line.get("question"), str) or not isinstance(relevant, list):
            raise wrong(path, number, 'a question is {"question": "…", "relevant": ["id", …]}')
        group = _group(line)
        if group not in ids:
            raise wrong(path, number, f"no memory has its group, {group or 'which is none'}")
        right = frozenset(clean(str(id)) for id in relevant)
        unknown += len(right - ids[group])
        if right:
            category = line.get("category")
            told = "" if category is None else clean(str(category))
            questions.append(Question(clean(line["question"]), right, told, group))
    if not questions:
        raise Refused("empty", f"{path} holds no question with an answer.")
    return questions, unknown


def _group(line: Mapping[str, Any]) -> str:
    group = line.get("group")
    return "" if group is None else clean(str(group))


def retrieval(
    memories: Path,
    questions: Path,
    opener: Opener | None,
    tell: Callable[[str, float], None] = lambda what, part: None,
    weights: Weights = DEFAULT,
    top_k: int = TOP_K,
) -> dict[str, Any]:
    """The report of `memtui eval retrieval`: {"n", "modes": {mode: {measure: number, "interval",
    "by_category"}}}, and "unknown" answers if there are any. A group is a workspace of its own; without
    a model only `lexical` is told."""
    groups = memories_of(memories)
    asked, unknown = questions_of(questions, groups)
    by_group: dict[str, list[Question]] = defaultdict(list)
    for question in asked:
        by_group[question.group].append(question)
    rows: dict[str, list[tuple[str, list[float]]]] = {mode: [] for mode in MODES}
    done = 0
    for group, group_questions in by_group.items():
        with tempfile.TemporaryDirectory(prefix="memtui-eval-") as folder:
            scratch = _Scratch(Path(folder) / "eval.db", groups[group], opener, tell)
            try:
                for question in group_questions:
                    for mode, found in scratch.answers(question.text, weights, top_k).items():
                        rows[mode].append((question.category, measures(found, question.relevant)))
                    done += 1
                    tell("questions", done / len(asked))
            finally:
                scratch.close()
    modes = {mode: _report(each) for mode, each in rows.items() if each}
    return {"n": len(asked), **({"unknown": unknown} if unknown else {}), "modes": modes}


class _Scratch:
    """A workspace for one group, gone afterwards."""

    def __init__(
        self,
        path: Path,
        memories: Sequence[Mapping[str, Any]],
        opener: Opener | None,
        tell: Callable[[str, float], None] = lambda what, part: None,
    ) -> None:
        self._workspace = Workspace.open(path, opener=opener)
        self._ctx = ctx = self._workspace._ctx
        records = [Record(ref=each["id"], fields=_fields(each)) for each in memories]
        own = ctx.db.one("SELECT id FROM stores WHERE format = ?", (NATIVE,))
        with ctx.db.atomic():
            memory_rows.insert(ctx.db, own, NATIVE, "", records, ctx.clock())
        self._names: dict[int, str] = dict(ctx.db.rows("SELECT id, ref FROM memories"))
        far = JobControl(tell=lambda done, left: tell("memories", done / max(1, done + left)))
        self._workspace.embed(far)
        state = self._workspace.meaning()
        if ctx.meaning.ready and state.pending:
            self.close()
            raise _unfit(f"{counted(state.pending, 'memory')}: {state.error}")

    def answers(self, question: str, weights: Weights, top_k: int) -> dict[str, list[str]]:
        ctx = self._ctx
        search = Search(ctx.db, question, ("m.live = 1", ()), ctx.meaning.vector, ctx.clock(), weights)
        if ctx.meaning.ready and search.vector is None:
            raise _unfit(f"a question: {ctx.meaning.why}")
        found = {"lexical": search.by_words(top_k)}
        if search.vector is not None:
            alone = Search(ctx.db, question, ("m.live = 1", ()), ctx.meaning.vector, ctx.clock(), SEED)
            found["vector"] = [id for id, _ in alone.by_meaning(ctx.meaning.bits, top_k)]
            answers, related = search.answers(ctx.meaning.bits, ctx.meaning.pieces, top_k)
            found["hybrid"] = [one.id for one in (*answers, *related)]
        return {mode: [self._names[id] for id in ids[:DEPTH]] for mode, ids in found.items()}

    def close(self) -> None:
        self._workspace.close()


def _unfit(what: str) -> Refused:
    return Refused("model", f"The model could not embed {what}", "Nothing was measured.")


def _fields(line: Mapping[str, Any]) -> dict[str, Any]:
    """What a line says of a memory beside its text, where it is of the right kind."""
    fields: dict[str, Any] = {"content": clean(line["text"])}
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
            pass  # a date that nobody can read says nothing
    return fields


def measures(found: Sequence[str], relevant: frozenset[str]) -> list[float]:
    """recall@5, recall@10, hit@5 and MRR@10 of one ranked list."""
    first = next((place for place, id in enumerate(found[:10], 1) if id in relevant), 0)
    return [
        len(relevant.intersection(found[:5])) / len(relevant),
        len(relevant.intersection(found[:10])) / len(relevant),
        float(not relevant.isdisjoint(found[:5])),
        1.0 / first if first else 0.0,
    ]


def _report(rows: Sequence[tuple[str, list[float]]]) -> dict[str, Any]:
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
    """95 % intervals by drawing the questions anew, always with the same luck."""
    luck = random.Random(_SEED)
    draws = [_means(luck.choices(rows, k=len(rows))) for _ in range(_DRAWS)]
    out = {}
    for name in MEASURES:
        values = sorted(draw[name] for draw in draws)
        out[name] = [values[int(_DRAWS * 0.025)], values[int(_DRAWS * 0.975) - 1]]
    return out
