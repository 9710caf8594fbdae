"""Searching by words and meaning beside sqlite-vec's own exact search, and reading memories for their
meaning beside the bare model and beside a person who types.

Hybrid: candidates by words and by meaning, weighed, best first; the question's vector is given, as it
is for sqlite-vec, whose table holds the same vectors. Vectors lie in clusters, as those of texts do.
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

from benchmarks.live import moves, program
from benchmarks.measure import Result, native, percentile, sentences
from memtui.embedding.factory import opener
from memtui.memory.ranking import DEFAULT
from memtui.workspace.search.hybrid import Search
from memtui.workspace.vectors.vector_store import Bits, nearest
from memtui.workspace.workspace import Workspace

DIM, CLUSTERS, TOP = 384, 2_000, 20
TURN = 3.0  # seconds
_PART = 50_000  # vectors that are made at a time


def measure(folder: Path, count: int, questions: int) -> list[Result]:
    """p50 and p95 of hybrid search beside exact KNN, and how many of the exact 20 nearest are found."""
    path = native(folder, count)
    _vectors(path, count)
    workspace = Workspace.open(path)
    ctx = workspace._ctx
    bits = Bits()
    asked = _questions(ctx.db, count, questions)
    knn = "SELECT id FROM knn WHERE vector MATCH ? AND k = ?"
    ours: list[float] = []
    plain: list[float] = []
    found = 0
    for turn, (text, vector) in enumerate([*asked[:5], *asked]):  # the first are to warm up
        embed: Callable[[str], bytes] = lambda text, vector=vector: vector  # noqa: E731
        start = time.perf_counter()
        Search(ctx.db, text, ("m.live = 1", ()), embed, ctx.clock(), DEFAULT).best(bits)
        middle = time.perf_counter()
        exact = [id for (id,) in ctx.db.connection().execute(knn, (vector, TOP))]
        end = time.perf_counter()
        if turn >= 5:
            ours.append(middle - start)
            plain.append(end - middle)
            near = {id for id, _ in nearest(ctx.db, bits, vector, TOP, "1", ())}
            found += len(near.intersection(exact))
    workspace.close()
    recall = found / (TOP * len(asked))
    what = f"hybrid search, {count:,} memories, beside sqlite-vec's KNN"
    return [
        Result(f"{what}, p50", percentile(ours, 0.5), percentile(plain, 0.5)),
        Result(f"{what}, p95", percentile(ours, 0.95), percentile(plain, 0.95), 0.2),
        Result(f"not among the 20 nearest though it is, {count:,} memories, beside 2 %", 1 - recall, 0.02, 1),
    ]


def _vectors(path: Path, count: int) -> None:
    connection = apsw.Connection(str(path))
    import sqlite_vec

    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'knn'").fetchone():
        connection.close()
        return
    luck = np.random.default_rng(11)
    centres = luck.standard_normal((CLUSTERS, DIM), dtype=np.float32)
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
        for first in range(0, count, _PART):
            some = min(_PART, count - first)
            near = centres[luck.integers(CLUSTERS, size=some)]
            made = near + 0.9 * luck.standard_normal((some, DIM), dtype=np.float32)
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            rows = [(first + n + 1, row.tobytes()) for n, row in enumerate(made)]
            connection.executemany("INSERT INTO vectors (memory_id, vector) VALUES (?, ?)", rows)
            connection.executemany("INSERT INTO knn (id, vector) VALUES (?, ?)", rows)
        connection.execute(
            "INSERT INTO vector_bits (memory_id, generation, bits) "
            "SELECT memory_id, 1, vec_quantize_binary(vector) FROM vectors"
        )
    connection.close()


def _questions(db: Any, count: int, number: int) -> list[tuple[str, bytes]]:
    """Each of a few words that a memory says, and a vector not far from that memory's own."""
    luck = np.random.default_rng(12)
    asked = []
    for id in luck.integers(1, count + 1, size=number).tolist():
        content = str(db.one("SELECT content FROM memories WHERE id = ?", (id,)))
        words = content.rstrip(".").split()
        text = " ".join(words[place] for place in sorted(luck.choice(len(words), 5, replace=False)))
        vector = np.frombuffer(db.one("SELECT vector FROM vectors WHERE memory_id = ?", (id,)), np.float32)
        noise = luck.standard_normal(DIM, dtype=np.float32) / DIM**0.5
        asked.append((text, (vector + 0.7 * noise).astype(np.float32).tobytes()))
    return asked


def reading(folder: Path, count: int, seconds: int) -> list[Result]:
    """Reading memories for their meaning: CPU time beside that of the bare model, with texts a CPU
    second; and keys meanwhile beside keys at rest."""
    load = opener("")
    assert load is not None
    model = load()
    texts = [text[:120] for text in sentences(2_000, seed=3)]
    model.embed(texts[:64])
    start = time.process_time()
    ordered = sorted(texts, key=len)
    for first in range(0, len(ordered), 256):
        model.embed(ordered[first : first + 256])
    bare = time.process_time() - start
    workspace = Workspace.open(folder / "read.db", opener=load)
    _fill(folder / "read.db", texts)
    workspace.load_model()
    start = time.process_time()
    done = workspace.embed()
    ours = time.process_time() - start
    workspace.close()
    assert done == len(texts)
    results = [
        Result(
            "reading memories for their meaning, CPU beside the bare model",
            ours,
            bare,
            rate=f"({done / ours:.0f} a CPU second)",
        )
    ]
    path = folder / "keys.db"
    Workspace.open(path).close()
    _fill(path, sentences(count, seed=4))
    still = folder / "still.db"
    Workspace.open(still).close()
    _fill(still, sentences(count, seed=4), waiting=False)
    idle: list[float] = []
    loud: list[float] = []
    with program(still) as (quiet, _), program(path) as (hand, reader):
        # In turns, so that the machine's own moods meet both; who reads stands still meanwhile.
        for _ in range(max(1, round(seconds / TURN))):
            os.kill(reader, signal.SIGSTOP)
            try:
                idle += moves(quiet, TURN)
            finally:
                os.kill(reader, signal.SIGCONT)
            loud += moves(hand, TURN)
    left = apsw.Connection(str(path)).execute("SELECT count(*) FROM embedding_queue").fetchone()[0]
    what = f"key to repaint while {count:,} memories are read for their meaning, beside rest"
    rate = f"({(count - left) / seconds:.0f} read a second meanwhile)"
    return [
        *results,
        Result(f"{what}, p50", percentile(loud, 0.5), percentile(idle, 0.5), rate=rate),
        Result(f"{what}, p95", percentile(loud, 0.95), percentile(idle, 0.95), 2),
    ]


def _fill(path: Path, texts: list[str], *, waiting: bool = True) -> None:
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, content, created_at) "
            "VALUES (?, 1, ?, 0, ?, ?)",
            [(f"u{n:011d}", f"r{n}", text, float(n)) for n, text in enumerate(texts)],
        )
        if not waiting:
            connection.execute("DELETE FROM embedding_queue")
    connection.close()
