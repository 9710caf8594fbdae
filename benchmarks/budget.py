"""What a budget of tokens includes: an export with a query beside a plain cut of the results (S-71).

For each question of `retrieval/`, the share of the memories that answer it which are within the budget:
`python benchmarks/budget.py`.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import sections
from benchmarks.ranking import DATA, SETS, CachedModel
from memtui.embedding.factory import opener
from memtui.export.exporter import Exporter
from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.memory.selection.candidate import Candidate, by_place
from memtui.memory.tokens import TokenCounter
from memtui.workspace.evaluation.retrieval import Question, Scratch, read_memories, read_questions

HEAD = "# What a budget of tokens includes"
_INTRODUCTION = (
    "For each question the share of the memories that answer it which are within the budget: of the results,",
    "best first, up to the first that does not fit (cut by score), and of `memtui export --budget`. Nearly",
    "everything fits into 1,000 tokens. `python benchmarks/budget.py` measures anew.",
)
BUDGETS = (150, 300, 1_000)  # tokens


def plain_cut(found: list[Candidate], exporter: Exporter, counter: TokenCounter, budget: int) -> set[str]:
    """Return what fits of the results, best first, up to the first that does not fit."""
    kept: list[Candidate] = []
    for each in found:
        kept.append(each)
        if pack(exporter, kept, None, counter, 0.0).tokens > budget:
            kept.pop()
            break
    return {each.memory.ref for each in kept}


def main() -> int:
    """Write a table: for each set and budget the mean shares, and how often either is better."""
    load = opener("")
    assert load is not None
    model = CachedModel(load())
    exporter = by_name("prompt")
    assert exporter is not None
    lines = [*_INTRODUCTION, "", "| set | budget | cut by score | export | better | worse | questions |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|")
    for name in SETS:
        groups = read_memories(DATA / f"{name}.memories.jsonl")
        asked, _ = read_questions(DATA / f"{name}.questions.jsonl", groups)
        by_group: dict[str, list[Question]] = defaultdict(list)
        for question in asked:
            by_group[question.group].append(question)
        shares: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for group, questions in by_group.items():
            with tempfile.TemporaryDirectory() as folder:
                scratch = Scratch(Path(folder) / "w.db", groups[group], lambda: model)
                opened = scratch.workspace
                counter = opened.token_counter()
                for question in questions:
                    hits = opened.fused(question.text, [])
                    ids = list(hits.ids) if hits is not None else []
                    found = opened.candidates(ids, by_place(ids))
                    for budget in BUDGETS:
                        cut = plain_cut(found, exporter, counter, budget)
                        packed = pack(exporter, found, budget, counter, opened.now())
                        ours = {each.candidate.memory.ref for each in packed.included}
                        right = question.relevant
                        both = len(cut & right), len(ours & right)
                        shares[budget].append((both[0] / len(right), both[1] / len(right)))
                scratch.close()
        for budget, pairs in shares.items():
            plain, ours_mean = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
            better = sum(b > a for a, b in pairs)
            worse = sum(b < a for a, b in pairs)
            row = f"| {name} | {budget:,} | {plain:.3f} | {ours_mean:.3f} | {better} | {worse} |"
            lines.append(f"{row} {len(pairs)} |")
            print(lines[-1], flush=True)
    sections.write(HEAD, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
