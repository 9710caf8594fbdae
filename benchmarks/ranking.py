"""Retrieval quality, and what each signal of the ranking contributes.

Three sets of memories and questions written for this project (benchmarks/retrieval): talks between friends
with loosely worded questions; dense talks, where many memories share words; the memory of working agents,
with identifiers and keywords. Each signal is removed alone, all else equal. Writes the second part of
results.md: `python benchmarks/ranking.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import sections
from memtui.embedding.base import Embedder
from memtui.embedding.factory import opener
from memtui.memory.ranking import DEFAULT, SEED, Weights
from memtui.workspace.evaluation.retrieval import MEASURES, retrieval

DATA = Path(__file__).parent / "retrieval"
SETS = ("talks", "dense", "work")
HEAD = "# How well the right memories are found"

RANKINGS: dict[str, Weights] = {
    "as it is": DEFAULT,
    "without the question's common words (`plain`)": replace(DEFAULT, uncommon=0.0, common=0.0),
    "without neighbors in time (`adjacent`)": replace(DEFAULT, adjacent=0.0),
    "without what is alike (`neighbors`)": replace(DEFAULT, neighbors=0.0),
    "without words": replace(DEFAULT, terms=0.0, common=0.0),
    "a plain mix, 0.3 words + 0.7 meaning": Weights("seed", 0.3, recency=0.0),
    "the ranking “seed”: 0.45 + 0.45 + 0.10 recency": SEED,
}


class CachedModel:
    """A model with a cache, since the same texts are embedded again and again here."""

    def __init__(self, model: Embedder) -> None:
        self.name, self.dim = model.name, model.dim
        self._embed_one = lru_cache(100_000)(lambda text: model.embed([text])[0])
        self.tokens_per_word = model.tokens_per_word

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._embed_one(text) for text in texts]


def main() -> int:
    """Print and write the table."""
    load = opener("")
    assert load is not None
    model = CachedModel(load())
    rows: list[tuple[str, list[list[float]]]] = []
    for name, weights in RANKINGS.items():
        found = [_evaluate(each, model, weights) for each in SETS]
        if name == "as it is":
            rows += [(label, [each[mode] for each in found]) for label, mode in (
                ("words alone", "lexical"), ("meaning alone", "vector"))]  # fmt: skip
        rows.append((f"**both, {name}**" if name == "as it is" else f"both, {name}",
                     [each["hybrid"] for each in found]))  # fmt: skip
        print(rows[-1], flush=True)
    lines = [*_INTRODUCTION, "", f"| recall@5 / recall@10 | {' | '.join(SETS)} | mean | MRR@10 |"]
    lines.append("|---|" + "---:|" * (len(SETS) + 2))
    for name, numbers in rows:
        cells = [f"{each[0]:.3f} / {each[1]:.3f}" for each in numbers]
        means = [sum(each[index] for each in numbers) / len(numbers) for index in range(len(MEASURES))]
        lines.append(f"| {name} | {' | '.join(cells)} | {means[0]:.3f} / {means[1]:.3f} | {means[3]:.3f} |")
    sections.write(HEAD, lines)
    return 0


_INTRODUCTION = (
    "Three sets of memories and questions that we wrote ourselves, in `retrieval/`: talks between friends,",
    "loosely asked (600 memories, 414 questions); dense talks, where many memories share their words (679,",
    "378); the memory of working agents, with identifiers and keywords (420, 481). They served to choose the",
    "ranking, so they flatter it: no held-out figures. Rows of both are with the floor below which nothing",
    "answers (`memtui/memory/floor.py`). `python benchmarks/ranking.py` measures anew.",
)


def _evaluate(name: str, model: Embedder, weights: Weights) -> dict[str, list[float]]:
    report = retrieval(
        DATA / f"{name}.memories.jsonl", DATA / f"{name}.questions.jsonl", lambda: model, weights=weights
    )
    return {mode: [numbers[each] for each in MEASURES] for mode, numbers in report["modes"].items()}


if __name__ == "__main__":
    sys.exit(main())
