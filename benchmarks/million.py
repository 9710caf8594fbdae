"""A million memories compared with a hundred thousand, on the same machine in the same run.

A key is a letter typed on Browse: the search up to its first part, and the first window of rows as records.
Measured in CPU seconds of the reading thread, since elapsed time depends on what else runs.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import Result, percentile
from benchmarks.word_search import prefixes
from memtui.workspace.workspace import Workspace

WINDOW = 40
KEY = 0.060  # CPU seconds that no key may exceed


def measure(large: Path, count: int, small: Path, few: int) -> list[Result]:
    """Measure typing, jumping and paging, the list's first part, the journal and the header's numbers."""
    big, little = _times(large, count), _times(small, few)
    sizes = f"{count:,} memories vs {few:,}"
    slowest = max(big["typed"])
    return [
        Result(f"typed prefix, {sizes}, p95", *_p95(big, little, "typed"), 6),
        Result("the dearest key, CPU vs 60 ms", slowest, KEY, 1),
        Result(f"jump, {sizes}, p95", *_p95(big, little, "jump"), 2),
        Result(f"page, {sizes}, p95", *_p95(big, little, "page"), 2),
        Result(f"first part of the list, {sizes}, p95", *_p95(big, little, "list"), 2),
        Result(f"journal, {sizes}, p95", *_p95(big, little, "journal"), 2),
        Result(f"the header's numbers, {sizes}, p95", *_p95(big, little, "counts")),
    ]


def _p95(big: dict[str, list[float]], little: dict[str, list[float]], kind: str) -> tuple[float, float]:
    return percentile(big[kind], 0.95), percentile(little[kind], 0.95)


def _times(path: Path, count: int) -> dict[str, list[float]]:
    workspace = Workspace.open(path)

    def first(text: str) -> list[Any]:
        parts = workspace.listing(text)
        ids = next(parts).ids[:WINDOW]
        parts.close()
        return workspace.rows(ids)

    typed = [text for text in dict.fromkeys(prefixes(count, 60)) if text]
    for text in typed:
        first(text)  # warms the pages, as typing does
    ids = workspace.search("").ids
    chance = random.Random(5)
    positions = [chance.randrange(len(ids) - WINDOW) for _ in range(300)]
    pages = range(0, 300 * WINDOW, WINDOW)
    out = {
        "typed": [_cpu(lambda text=text: first(text)) for text in typed],
        "list": [_cpu(lambda: first("")) for _ in range(40)],
        "jump": [_cpu(lambda at=at: workspace.rows(ids[at : at + WINDOW])) for at in positions],
        "page": [_cpu(lambda at=at: workspace.rows(ids[at : at + WINDOW])) for at in pages],
        "journal": [_cpu(workspace.journal) for _ in range(40)],
        "counts": [_cpu(workspace.counts) for _ in range(10)],
    }
    workspace.close()
    return out


def _cpu(call: Callable[[], Any]) -> float:
    start = time.thread_time()
    call()
    return time.thread_time() - start
