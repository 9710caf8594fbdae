"""`memtui eval` (S-36). `retrieval`: how well the right memories are found.

With --json: {"n", "modes": {"lexical" | "vector" | "hybrid": {"recall@5", "recall@10", "hit@5", "mrr@10",
"interval": {measure: [low, high]}, "by_category": {name: {measure: number, "n"}}}}},
and "unknown" if right answers are no memories.

`memtui eval contradictions`: how well what clashes is told from what agrees. With --json: {"n", "precision",
"recall", "f1", "by_category": {name: {the same, "accuracy"}}, "contradictions_offered_as_duplicates"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtui.cli.runtime.open_workspace import place
from memtui.cli.runtime.output import Output


def retrieval(args: Any, output: Output) -> None:
    """Ask all questions of scratch workspaces, that go again; no workspace of the person is opened."""
    from memtui.memory.ranking import DEFAULT, SEED
    from memtui.settings import load
    from memtui.workspace.evaluation import retrieval as evaluate
    from memtui.workspace.evaluation import shared_model

    settings = load().settings
    memories, questions = place(args.memories), place(args.questions)
    # Before the model is loaded: a wrong line is told at once.
    _, unknown = evaluate.questions_of(questions, evaluate.memories_of(memories))
    if unknown:
        output.note(f"{unknown:,} of the right answers are no memory of their group; they are never found.")
    opener, why = shared_model.once(settings.model)
    if why:
        output.note(f"Only words are measured: {why}")
    seed = (args.ranking or settings.ranking) == "seed"
    try:
        report = evaluate.retrieval(
            memories,
            questions,
            opener,
            output.progress,
            SEED if seed else DEFAULT,
            settings.top_k,
        )
    finally:
        output.progress("questions", 1.0)
    if output.json:
        output.data(report)
    else:
        _print(report, output)


def _print(report: Mapping[str, Any], output: Output) -> None:
    """The modes with how sure recall@5 is, then each category."""
    from memtui.workspace.evaluation.retrieval import MEASURES

    modes = report["modes"]
    rows = [("mode", "n", "recall@5", "95 % interval", *MEASURES[1:])]
    categories = [("category", "mode", "n", *MEASURES)]
    for mode, told in modes.items():
        low, high = told["interval"]["recall@5"]
        numbers = [f"{told[name]:.3f}" for name in MEASURES]
        rows.append((mode, f"{report['n']:,}", numbers[0], f"{low:.3f} to {high:.3f}", *numbers[1:]))
    for name in dict.fromkeys(name for told in modes.values() for name in told["by_category"]):
        for mode, told in modes.items():
            each = told["by_category"][name]
            numbers = [f"{each[measure]:.3f}" for measure in MEASURES]
            categories.append((name, mode, f"{each['n']:,}", *numbers))
    output.table(rows, whole=True)
    if len(categories) > 1:
        output.line()
        output.table(categories, whole=True)


def contradictions(args: Any, output: Output) -> None:
    """Judge labelled pairs as the sweep does; no model is loaded, no workspace opened."""
    from memtui.workspace.evaluation import contradictions as evaluate_pairs

    try:
        report = evaluate_pairs.contradictions(place(args.pairs), output.progress)
    finally:
        output.progress("pairs", 1.0)
    if output.json:
        output.data(report)
        return
    measures = ("precision", "recall", "f1")
    rows = [("category", "n", *measures, "accuracy")]
    for name, told in {"all": report, **report["by_category"]}.items():
        accuracy = f"{told['accuracy']:.3f}" if "accuracy" in told else "-"
        rows.append((name, f"{told['n']:,}", *(f"{told[measure]:.3f}" for measure in measures), accuracy))
    output.table(rows, whole=True)
    offered = report["contradictions_offered_as_duplicates"]
    output.line(f"Contradictions that would be offered for merging: {offered:.2%}")
