"""Exports, compared with the plainest program that turns the same memories into text.

JSON Lines and CSV of all memories: memtui turns records that it has read into text; the baseline is
json.dumps of plain dictionaries with the same fields, made before. A prompt of 800 tokens: memtui renders
and counts each memory, chooses, and counts the whole; the baseline counts the tokens of each text once.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.measure import Result, alternate, percentile
from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.workspace.workspace import Workspace

BUDGET = 800  # tokens


def measure(path: Path, count: int, rounds: int) -> list[Result]:
    """Measure exports of a workspace with `count` memories; the rate is in memories a second."""
    workspace = Workspace.open(path)
    candidates = workspace.candidates(workspace.search("", sort="newest").ids)
    counter, now = workspace.token_counter(), workspace.now()
    workspace.close()
    dicts = [each.memory.to_json() for each in candidates]
    texts = [each.memory.content for each in candidates]

    def exported(name: str, budget: int | None) -> None:
        exporter = by_name(name)
        assert exporter is not None
        pack(exporter, candidates, budget, counter, now)

    def dumped() -> str:
        return "".join(f"{json.dumps(each)}\n" for each in dicts)

    out = []
    for label, name, budget, baseline, aim in (
        ("JSON Lines", "jsonl", None, dumped, 4),
        ("CSV", "csv", None, dumped, 0),
        (f"a prompt of {BUDGET} tokens", "prompt", BUDGET, lambda: counter.count(texts), 0),
    ):
        memtui, plain = alternate(
            lambda name=name, budget=budget: exported(name, budget), baseline, max(1, rounds // 3)
        )
        seconds = percentile(memtui, 0.5)
        rate = f"({len(candidates) / seconds:,.0f} a second)"
        out.append(Result(f"export of {count:,} as {label}", seconds, percentile(plain, 0.5), aim, rate))
    return out
