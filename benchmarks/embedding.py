"""Hybrid search compared with sqlite-vec's exact search; and embedding memories compared with the bare model,
with the response to keys meanwhile.

Hybrid search: candidates by words and by meaning, ranked; the query's vector is given, as for sqlite-vec,
whose table has the same vectors. Vectors form clusters, as those of texts do.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from benchmarks.live.beside_agents import run_memtui, time_moves
from benchmarks.measure import Result, native, percentile, sentences
from memtui.embedding.factory import opener
from memtui.memory.ranking import DEFAULT
from memtui.workspace.search.hybrid import Search
from memtui.workspace.vectors.binary_index import BinaryIndex
from memtui.workspace.vectors.vector_store import nearest
from memtui.workspace.workspace import Workspace

DIM, CLUSTERS, TOP = 384, 2_000, 20
PERIOD = 3.0  # seconds
_BATCH = 50_000  # vectors made at a time


def measure(folder: Path, count: int, questions: int) -> list[Result]:
    """Measure p50 and p95 of hybrid search against exact KNN, and the recall of the exact 20 nearest."""
    path = native(folder, count)
    _make_vectors(path, count)
    workspace = Workspace.open(path)
    ctx = workspace._ctx
    bits = BinaryIndex()
    queries = _make_questions(ctx.db, count, questions)
    knn = "SELECT id FROM knn WHERE vector MATCH ? AND k = ?"
    memtui: list[float] = []
    baseline: list[float] = []
    found = 0
    for turn, (text, vector) in enumerate([*queries[:5], *queries]):  # the first are for warming up
        embed: Callable[[str], bytes] = lambda text, vector=vector: vector  # noqa: E731
        start = time.perf_counter()
        Search(ctx.db, text, ("m.live = 1", ()), embed, ctx.clock(), DEFAULT).best(bits)
        middle = time.perf_counter()
        exact = [id for (id,) in ctx.db.connection().execute(knn, (vector, TOP))]
        end = time.perf_counter()
        if turn >= 5:
            memtui.append(middle - start)
            baseline.append(end - middle)
            near = {id for id, _ in nearest(ctx.db, bits, vector, TOP, "1", ())}
            found += len(near.intersection(exact))
    workspace.close()
    recall = found / (TOP * len(queries))
    label = f"hybrid search, {count:,} memories, vs sqlite-vec's KNN"
    return [
        Result(f"{label}, p50", percentile(memtui, 0.5), percentile(baseline, 0.5)),
        Result(f"{label}, p95", percentile(memtui, 0.95), percentile(baseline, 0.95), 0.2),
        Result(f"not among the 20 nearest though it is, {count:,} memories, vs 2 %", 1 - recall, 0.02, 1),
    ]


def _make_vectors(path: Path, count: int) -> None:
    connection = apsw.Connection(str(path))
    import sqlite_vec

    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'knn'").fetchone():
        connection.close()
        return
    random = np.random.default_rng(11)
    centres = random.standard_normal((CLUSTERS, DIM), dtype=np.float32)
    connection.execute("PRAGMA synchronous = OFF")
    with connection:
        connection.execute(
            "CREATE VIRTUAL TABLE knn USING vec0 "
            f"(id INTEGER PRIMARY KEY, vector FLOAT[{DIM}] distance_metric=cosine)"
        )
        connection.execute("DELETE FROM embedding_queue")
        connection.execute(
            "INSERT INTO embedding_model (id, name, dim, generation) VALUES (1, 'made', ?, 1)", (DIM,)
        )
        for first in range(0, count, _BATCH):
            size = min(_BATCH, count - first)
            near = centres[random.integers(CLUSTERS, size=size)]
            vectors = near + 0.9 * random.standard_normal((size, DIM), dtype=np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            rows = [(first + n + 1, row.tobytes()) for n, row in enumerate(vectors)]
            connection.executemany("INSERT INTO vectors (memory_id, vector) VALUES (?, ?)", rows)
            connection.executemany("INSERT INTO knn (id, vector) VALUES (?, ?)", rows)
        connection.execute(
            "INSERT INTO vector_bits (memory_id, generation, bits) "
            "SELECT memory_id, 1, vec_quantize_binary(vector) FROM vectors"
        )
    connection.close()


def _make_questions(db: Any, count: int, number: int) -> list[tuple[str, bytes]]:
    """Make queries of five words of a memory each, with a vector near that of the memory."""
    random = np.random.default_rng(12)
    queries = []
    for id in random.integers(1, count + 1, size=number).tolist():
        content = str(db.one("SELECT content FROM memories WHERE id = ?", (id,)))
        words = content.rstrip(".").split()
        text = " ".join(words[index] for index in sorted(random.choice(len(words), 5, replace=False)))
        vector = np.frombuffer(db.one("SELECT vector FROM vectors WHERE memory_id = ?", (id,)), np.float32)
        noise = random.standard_normal(DIM, dtype=np.float32) / DIM**0.5
        queries.append((text, (vector + 0.7 * noise).astype(np.float32).tobytes()))
    return queries


def measure_embedding(folder: Path, count: int, seconds: int) -> list[Result]:
    """Measure the CPU time of embedding against the bare model, with texts a CPU second; and keys meanwhile
    against keys at rest."""
    load = opener("")
    assert load is not None
    model = load()
    texts = [text[:120] for text in sentences(5_000, seed=3)]
    model.embed(texts[:64])
    start = time.process_time()
    ordered = sorted(texts, key=len)
    for first in range(0, len(ordered), 256):
        model.embed(ordered[first : first + 256])
    bare = time.process_time() - start
    workspace = Workspace.open(folder / "read.db", opener=load)
    _insert_memories(folder / "read.db", texts)
    workspace.load_model()
    start = time.process_time()
    done = workspace.embed()
    memtui = time.process_time() - start
    workspace.close()
    assert done == len(texts)
    results = [
        Result(
            f"reading {done:,} memories for their meaning, CPU vs the bare model",
            memtui,
            bare,
            rate=f"({done / memtui:.0f} a CPU second)",
        )
    ]
    path = folder / "keys.db"
    Workspace.open(path).close()
    _insert_memories(path, sentences(count, seed=4))
    idle_path = folder / "still.db"
    Workspace.open(idle_path).close()
    _insert_memories(idle_path, sentences(count, seed=4), queued=False)
    idle: list[float] = []
    busy: list[float] = []
    with run_memtui(idle_path) as (idle_terminal, _), run_memtui(path) as (terminal, embedding_pid):
        # In turns, so that changes of the machine's speed affect both; the one that embeds is stopped
        # meanwhile.
        for _ in range(max(1, round(seconds / PERIOD))):
            os.kill(embedding_pid, signal.SIGSTOP)
            try:
                idle += time_moves(idle_terminal, PERIOD)
            finally:
                os.kill(embedding_pid, signal.SIGCONT)
            busy += time_moves(terminal, PERIOD)
    remaining = apsw.Connection(str(path)).execute("SELECT count(*) FROM embedding_queue").fetchone()[0]
    label = f"key to repaint while {count:,} memories are read for their meaning, vs rest"
    rate = f"({(count - remaining) / seconds:.0f} read a second meanwhile)"
    return [
        *results,
        Result(f"{label}, p50", percentile(busy, 0.5), percentile(idle, 0.5), rate=rate),
        Result(f"{label}, p95", percentile(busy, 0.95), percentile(idle, 0.95), 2),
    ]


def _insert_memories(path: Path, texts: list[str], *, queued: bool = True) -> None:
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, content, created_at) "
            "VALUES (?, 1, ?, 0, ?, ?)",
            [(f"u{n:011d}", f"r{n}", text, float(n)) for n, text in enumerate(texts)],
        )
        if not queued:
            connection.execute("DELETE FROM embedding_queue")
    connection.close()
