"""`memtui eval retrieval` and `memtui eval contradictions` (S-36).

`retrieval` measures how well the right memories are found. With --json: {"n", "modes": {"lexical" | "vector"
| "hybrid": {"recall@5", "recall@10", "hit@5", "mrr@10", "interval": {measure: [low, high]},
"by_category": {name: {measure: number, "n"}}}}}, and "unknown" if right answers are no memories.

`contradictions` measures how well contradictions are distinguished from agreement. With --json: {"n",
"precision", "recall", "f1", "by_category": {name: {the same, "accuracy"}},
"contradictions_offered_as_duplicates"}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.runtime.open_workspace import path_of, settings
from memtui.cli.runtime.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.values import JsonObject


def retrieval(args: Namespace, output: Output) -> None:
    """Ask all questions in temporary workspaces; no workspace of the user is opened."""
    from memtui.memory.ranking import DEFAULT, SEED
    from memtui.workspace.evaluation import retrieval as evaluate
    from memtui.workspace.evaluation import shared_model

    configured = settings(output)
    memories, questions = path_of(args.memories), path_of(args.questions)
    # Before the model is loaded, so that a bad line is reported at once.
    _, unknown = evaluate.read_questions(questions, evaluate.read_memories(memories))
    if unknown:
        output.note(wording.unknown_answers(unknown))
    opener, reason = shared_model.load_once(configured.model)
    if reason:
        output.note(wording.only_words_measured(reason))
    seed = (args.ranking or configured.ranking) == "seed"
    try:
        report = evaluate.retrieval(
            memories,
            questions,
            opener,
            output.progress,
            SEED if seed else DEFAULT,
            configured.top_k,
        )
    finally:
        output.progress("questions", 1.0)
    if output.json:
        output.data(report)
    else:
        _print(report, output)


def _print(report: JsonObject, output: Output) -> None:
    """Print the modes with the interval of recall@5, then each category."""
    from memtui.workspace.evaluation.retrieval import MEASURES

    modes = report["modes"]
    rows = [("mode", "n", "recall@5", "95 % interval", *MEASURES[1:])]
    categories = [("category", "mode", "n", *MEASURES)]
    for mode, result in modes.items():
        low, high = result["interval"]["recall@5"]
        numbers = [f"{result[name]:.3f}" for name in MEASURES]
        rows.append((mode, f"{report['n']:,}", numbers[0], f"{low:.3f} to {high:.3f}", *numbers[1:]))
    for name in dict.fromkeys(name for result in modes.values() for name in result["by_category"]):
        for mode, result in modes.items():
            category = result["by_category"][name]
            numbers = [f"{category[measure]:.3f}" for measure in MEASURES]
            categories.append((name, mode, f"{category['n']:,}", *numbers))
    output.table(rows, whole=True)
    if len(categories) > 1:
        output.line()
        output.table(categories, whole=True)


def contradictions(args: Namespace, output: Output) -> None:
    """Judge labelled pairs as the scan does; no model is loaded, no workspace opened."""
    from memtui.workspace.evaluation import contradictions as evaluate_pairs

    try:
        report = evaluate_pairs.contradictions(path_of(args.pairs), output.progress)
    finally:
        output.progress("pairs", 1.0)
    if output.json:
        output.data(report)
        return
    measures = ("precision", "recall", "f1")
    rows = [("category", "n", *measures, "accuracy")]
    for name, result in {"all": report, **report["by_category"]}.items():
        accuracy = f"{result['accuracy']:.3f}" if "accuracy" in result else "-"
        rows.append((name, f"{result['n']:,}", *(f"{result[measure]:.3f}" for measure in measures), accuracy))
    output.table(rows, whole=True)
    offered = report["contradictions_offered_as_duplicates"]
    output.line(wording.offered_as_duplicates(offered))
