"""Search as you type, compared with one raw query for the same rows.

Typed: prefixes of words in the memories, letter by letter. memtui: parse the query, count and rank the
matches, and read the first window of rows as records, which is what a key costs the reading lane. Baseline:
one statement on the same file with the same MATCH, filter, order and columns, LIMIT window; without query
language, records, and a list to jump in. Above 3,000 matches memtui ranks the newest 3,000, the raw query
ranks all.
"""

from __future__ import annotations

import random
from pathlib import Path

import apsw

from benchmarks.measure import Result, percentile, sentences, timed
from memtui.workspace.search import lexical
from memtui.workspace.workspace import Workspace

WINDOW = 40
_RAW = (
    "SELECT m.id, s.name, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, m.confidence, "
    "m.pinned, coalesce(m.updated_at, m.created_at), m.removed_at FROM words "
    "JOIN memories m ON m.id = words.rowid JOIN stores s ON s.id = m.store_id "
    "WHERE words MATCH ? AND m.live = 1 ORDER BY bm25(words, 8.0, 6.0, 4.0, 1.0, 3.0, 1.0), m.id DESC LIMIT ?"
)


def prefixes(count: int, words: int) -> list[str]:
    """Return all prefixes of `words` words, chosen by their frequency."""
    chance = random.Random(11)
    texts = sentences(min(count, 2_000))
    drawn = [chance.choice(chance.choice(texts).rstrip(".").lower().split()) for _ in range(words)]
    return [word[:length] for word in drawn for length in range(1, len(word) + 1)]


def measure(path: Path, count: int, words: int) -> list[Result]:
    """Measure p50 and p95 of all prefixes, and of those with few and with many matches."""
    workspace = Workspace.open(path)
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA mmap_size=268435456")
    times: dict[bool, tuple[list[float], list[float]]] = {False: ([], []), True: ([], [])}
    for typed in prefixes(count, words):
        match = f'"{typed}"*'
        capped = workspace.search(typed).capped  # this also warms the pages for both
        memtui, baseline = times[capped]
        memtui.append(timed(lambda typed=typed: workspace.rows(workspace.search(typed).ids[:WINDOW])))
        baseline.append(timed(lambda match=match: raw.execute(_RAW, (match, WINDOW)).fetchall()))
    workspace.close()
    raw.close()
    out = []
    everything = tuple(times[False][side] + times[True][side] for side in (0, 1))
    few = f"at most {lexical.MAX_RANKED:,} matches"
    many = f"more than {lexical.MAX_RANKED:,} matches"
    for name, (memtui, baseline), aim in (
        ("all", everything, 4),
        (few, times[False], 4),
        (many, times[True], 0),
    ):
        for share in (0.5, 0.95):
            if memtui:
                label = f"search as you type, {count:,} memories, {name}, p{share * 100:.0f}"
                goal = aim if share == 0.95 else 0
                out.append(Result(label, percentile(memtui, share), percentile(baseline, share), goal))
    return out
