"""Jumping to any position of the whole list, compared with reading raw rows by their ids.

memtui: the window's rows as records. Baseline: one statement that reads the same columns of given ids.
"""

from __future__ import annotations

import random
from pathlib import Path

import apsw

from benchmarks.measure import Result, percentile, timed
from memtui.workspace.workspace import Workspace

WINDOW = 40


def measure(path: Path, count: int, jumps: int) -> list[Result]:
    """Measure p50 and p95 of a jump, and the whole list once."""
    workspace = Workspace.open(path)
    raw = apsw.Connection(str(path))
    ids = workspace.search("").ids
    chance = random.Random(5)
    placeholders = ", ".join("?" * WINDOW)
    sql = (
        "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, "
        "m.confidence, m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at FROM memories m "
        f"JOIN stores s ON s.id = m.store_id WHERE m.id IN ({placeholders})"
    )
    memtui, baseline = [], []
    for _ in range(jumps):
        start = chance.randrange(len(ids) - WINDOW)
        window = list(ids[start : start + WINDOW])
        memtui.append(timed(lambda window=window: workspace.rows(window)))
        baseline.append(timed(lambda window=window: raw.execute(sql, window).fetchall()))
    listed = "SELECT id FROM memories WHERE live = 1 ORDER BY recency DESC, id DESC"
    whole = [timed(lambda: workspace.search("")) for _ in range(5)]
    bare = [timed(lambda: raw.execute(listed).fetchall()) for _ in range(5)]
    workspace.close()
    raw.close()
    out = [
        Result(
            f"jump in a list of {count:,}, p{share * 100:.0f}",
            percentile(memtui, share),
            percentile(baseline, share),
        )
        for share in (0.5, 0.95)
    ]
    return [*out, Result(f"the whole list of {count:,}", percentile(whole, 0.5), percentile(bare, 0.5))]
