"""Recall for agents beside the bare queries behind it: `python -m benchmarks.agent.recall [--count N]`.

The memories are made of halves of those in retrieval/, with vectors near those of both, so that words are as
frequent as in texts; the questions are those written for them, asked of the real model. A question goes
through the whole verb: policies, ranking, contradictions, the counting of uses, the log. The baseline runs
two statements on the same file: the question's words by bm25 in the full-text index, and its vector through
sqlite-vec's exact search. Embedding the question is part of both. Both are asked in turns.

Then pulling ten stores in which nothing changed, as before each call of the MCP server. With --profile it
prints where the time goes instead.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import sqlite_vec

from benchmarks.live.agents import make_stores
from benchmarks.measure import NOW, Result, percentile, timed
from memtui.embedding.base import Embedder
from memtui.embedding.factory import opener
from memtui.memory.ranking import significant_terms
from memtui.workspace.search.recall import Caller
from memtui.workspace.search.term_candidates import fts_expression
from memtui.workspace.workspace import Workspace

DATA = Path(__file__).parents[1] / "retrieval"
SETS = ("talks", "dense", "work")
AGENT = Caller("scout")
SLOWEST = 0.030  # seconds that an answer may take, by p95
_READABLE = "(m.owner IS NULL OR m.owner = 'scout' OR m.scope = 'fleet') AND m.status = 'confirmed'"
_WORDS = (
    f"SELECT m.id FROM words JOIN memories m ON m.id = words.rowid WHERE words MATCH ? AND {_READABLE} "
    "ORDER BY bm25(words, 8.0, 6.0, 4.0, 1.0, 3.0, 1.0) LIMIT 30"
)
_NEAREST = "SELECT id FROM knn WHERE vector MATCH ? AND k = 30"
_BATCH = 20_000  # memories made at a time


def measure(folder: Path, count: int, questions: int) -> list[Result]:
    """Measure p50 and p95 of recall against the bare queries, its p95 against 30 ms, and a pull."""
    load = opener("")
    assert load is not None
    model = load()
    path = make(folder, count, model)
    workspace = Workspace.open(path, opener=lambda: model)
    workspace.load_model()
    raw = _raw(path)
    memtui: list[float] = []
    baseline: list[float] = []
    cpu: list[float] = []
    asked = chosen(questions)
    for turn, question in enumerate([*asked[:20], *asked]):  # the first are for warming up
        # A question that was asked before has its vector already: both have to embed it.
        model.embed([question])
        workspace._ctx.model._vector.cache_clear()
        start = time.thread_time()
        elapsed = timed(lambda question=question: workspace.recall(question, AGENT))
        used = time.thread_time() - start
        bare = timed(lambda question=question: _bare(raw, model, question))
        if turn >= 20:
            memtui.append(elapsed)
            cpu.append(used)
            baseline.append(bare)
    workspace.close()
    raw.close()
    label = f"recall, {count:,} memories, vs bm25 and sqlite-vec's KNN"
    return [
        Result(f"{label}, p50", percentile(memtui, 0.5), percentile(baseline, 0.5)),
        Result(f"{label}, p95", percentile(memtui, 0.95), percentile(baseline, 0.95), 1),
        Result(f"recall, {count:,} memories, p95 vs 30 ms", percentile(memtui, 0.95), SLOWEST, 1),
        Result(f"recall, {count:,} memories, CPU, p95 vs 30 ms", percentile(cpu, 0.95), SLOWEST, 1),
        measure_pull(),
    ]


def measure_pull() -> Result:
    """Measure pulling ten stores of 100 memories in which nothing changed, against 5 ms."""
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        folder = Path(name)
        workspace = Workspace.open(folder / "ten.db")
        for number in range(4):
            for each in make_stores(folder / f"ten-{number}", 100)[: 3 if number < 3 else 1]:
                workspace.attach(each)
        workspace.pull()
        times = [_cpu(workspace.pull) for _ in range(200)]
        workspace.close()
    return Result("a pull of ten stores without news, CPU, p95 vs 5 ms", percentile(times, 0.95), 0.005, 1)


def _cpu(call: Callable[[], Any]) -> float:
    """Return the CPU seconds of this thread that a call takes: elapsed time depends on what else runs."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def chosen(count: int) -> list[str]:
    """Return questions of all sets, in an order that is the same each time."""
    found = [each["question"] for name in SETS for each in _lines(DATA / f"{name}.questions.jsonl")]
    random.Random(3).shuffle(found)
    return found[:count]


def _bare(raw: apsw.Connection, model: Embedder, question: str) -> None:
    words = " OR ".join(fts_expression(word) for word in significant_terms(question))
    raw.execute(_WORDS, (words,)).fetchall()
    raw.execute(_NEAREST, (model.embed([question])[0],)).fetchall()


def _raw(path: Path) -> apsw.Connection:
    raw = apsw.Connection(str(path))
    raw.enable_load_extension(True)
    raw.load_extension(sqlite_vec.loadable_path())
    raw.execute("PRAGMA mmap_size=268435456")
    return raw


# -- data


def make(folder: Path, count: int, model: Embedder) -> Path:
    """Make a workspace with `count` memories, some of other agents, with vectors."""
    path = folder / f"recall-{count}.db"
    if path.exists():
        return path
    Workspace.open(path).close()
    texts = [each["text"] for name in SETS for each in _lines(DATA / f"{name}.memories.jsonl")]
    vectors = np.array([np.frombuffer(each, np.float32) for each in model.embed(texts)])
    chance, noise = random.Random(count), np.random.default_rng(7)
    connection = _raw(path)
    connection.execute("PRAGMA synchronous = OFF")
    with connection:
        connection.execute(
            "INSERT INTO embedding_model (id, name, dim, generation) VALUES (1, ?, ?, 1)",
            (model.name, model.dim),
        )
        connection.execute(
            "CREATE VIRTUAL TABLE knn USING vec0 "
            f"(id INTEGER PRIMARY KEY, vector FLOAT[{model.dim}] distance_metric=cosine)"
        )
        for first in range(0, count, _BATCH):
            size = min(_BATCH, count - first)
            halves = [(chance.randrange(len(texts)), chance.randrange(len(texts))) for _ in range(size)]
            _insert(connection, chance, first, [_mixed(texts[a], texts[b]) for a, b in halves])
            made = vectors[[a for a, _ in halves]] + vectors[[b for _, b in halves]]
            made += 0.02 * noise.standard_normal(made.shape, dtype=np.float32)
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            rows = [(first + n + 1, each.tobytes()) for n, each in enumerate(made.astype(np.float32))]
            connection.executemany("INSERT INTO vectors (memory_id, vector) VALUES (?, ?)", rows)
            connection.executemany("INSERT INTO knn (id, vector) VALUES (?, ?)", rows)
        connection.execute("DELETE FROM embedding_queue")
        connection.execute(
            "INSERT INTO vector_bits (memory_id, generation, bits) "
            "SELECT memory_id, 1, vec_quantize_binary(vector) FROM vectors"
        )
    connection.execute("ANALYZE")
    connection.close()
    return path


def _insert(connection: apsw.Connection, chance: random.Random, first: int, texts: list[str]) -> None:
    rows = []
    for number, text in enumerate(texts, first):
        owner, scope = chance.choice(
            [(None, None), ("scout", "private"), ("bob", "fleet"), ("bob", "private")]
        )
        at = NOW - chance.random() * 1e7
        used = chance.randrange(20)
        rows.append((f"u{number:011d}", f"r{number}", NOW, text, owner, scope, chance.random(), at, at, used))
    connection.executemany(
        "INSERT INTO memories (uid, store_id, ref, seen_at, category, content, owner, scope, confidence, "
        "status, created_at, updated_at, times_used) "
        "VALUES (?, 1, ?, ?, 'fact', ?, ?, ?, ?, 'confirmed', ?, ?, ?)",
        rows,
    )


def _mixed(one: str, other: str) -> str:
    head, tail = one.split(), other.split()
    return " ".join([*head[: len(head) // 2 + 1], *tail[len(tail) // 2 :]])


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def profile(folder: Path, count: int, questions: int) -> None:
    """Print the functions that take the most time of recall."""
    load = opener("")
    assert load is not None
    model = load()
    workspace = Workspace.open(make(folder, count, model), opener=lambda: model)
    workspace.load_model()
    asked = chosen(questions)
    workspace.recall(asked[0], AGENT)
    profiler = cProfile.Profile()
    profiler.enable()
    for question in asked:
        workspace.recall(question, AGENT)
    profiler.disable()
    workspace.close()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


def main() -> None:
    """Print each result, or the profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="memories")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="where the workspace is made, and stays")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        folder = options.folder or Path(name)
        if options.profile:
            profile(folder, options.count, options.questions)
            return
        for result in measure(folder, options.count, options.questions):
            print(result)


if __name__ == "__main__":
    main()
