"""Measure everything side by side and write results.md: `python benchmarks/run.py [--quick]`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("PYTHONHASHSEED", "0")

from benchmarks import (
    attach,
    bulk,
    decay,
    embedding,
    export,
    graph,
    importing,
    million,
    pull,
    rules,
    scan,
    secret_costs,
    sections,
    word_search,
)
from benchmarks.agent import equal_answers, hooks, mcp_start, recall
from benchmarks.keys import browse_keys, first_paint, help_start, inbox_keys, list_jump
from benchmarks.live import beside_agents, over_mcp
from benchmarks.measure import Result, native

HEAD = "# How fast, compared with the plainest way"
_INTRODUCTION = (
    "Each line was measured in one run against the plainest program that does the same work on the same",
    "machine: a raw apsw query, a bare Textual app, a bare Python. Only ratios are kept, since they are",
    "what carries over from one machine to another: 2.0 is twice as long as the plain way, below 1 is",
    "faster. `make bench` measures anew; the head of each file in this folder says what is compared.",
    "",
    *sections.COLUMNS,
)
RULES_HEAD = "# Rules"
_RULES_INTRODUCTION = (
    "As above, by `python benchmarks/run.py --only rules`, on a machine with other work meanwhile; the head",
    "of `rules.py` says what is compared.",
    "",
    *sections.COLUMNS,
)
HOOKS_HEAD = "# Hooks of agents' programs"
_HOOKS_INTRODUCTION = (
    "As above, by `python benchmarks/run.py --only hooks`, on a machine with other work meanwhile: the wall",
    "time of a hook, compared with the median of `python -c pass`; the head of `hooks.py` says more.",
    "",
    *sections.COLUMNS,
)
RECALL_HEAD = "# Recall for agents"
_RECALL_INTRODUCTION = (
    "As above, by `python benchmarks/run.py --only recall equal`, on a machine with other work meanwhile.",
    "Recall is compared with the bare queries on the same file, then with 30 ms. An agent's questions about",
    "what is hidden from it are compared with those about what is not there: the slower median with the",
    "other. The heads of `recall.py` and `equal_answers.py` say more.",
    "",
    *sections.COLUMNS,
)
INBOX_HEAD = "# The Inbox and secrets, with very many of them"
_INBOX_INTRODUCTION = (
    "As above, by `python benchmarks/run.py --only inbox secrets`, on a machine with other work meanwhile.",
    "Keys of the Inbox, over as many items as memories, are compared with those of Browse over the same",
    "memories, in CPU of all threads, with all that is read again in the background; moves among memories",
    "with secrets are compared with moves among those without. The heads of `inbox_keys.py` and",
    "`secret_costs.py` say more.",
    "",
    *sections.COLUMNS,
)


ALL = (
    *("help", "paint", "search", "jump", "attach", "pull", "live", "million", "hybrid", "reading", "decay"),
    *("scan", "alive", "graph", "bulk", "import", "browse", "export", "inbox", "secrets"),
    *("rules", "mcp", "hooks", "agents", "recall", "equal"),
)


def main() -> int:
    """Print each result as soon as it is known. A full run takes about a quarter of an hour, mostly to make a
    million memories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds; writes no results.md")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="memories in the workspaces")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help=f"{', '.join(ALL)}; of results.md at most one section"
    )
    options = parser.parse_args()
    sizes = options.sizes or ([2_000] if options.quick else [10_000, 100_000])
    rounds = 3 if options.quick else 9
    chosen = set(options.only or ALL)
    results: list[Result] = []
    inbox: list[Result] = []
    governed: list[Result] = []
    asked: list[Result] = []
    recalled: list[Result] = []
    started = time.perf_counter()

    def report(found: Iterable[Result], section: list[Result] = results) -> None:
        for result in found:
            print(result, flush=True)
            section.append(result)

    print(f"{'':<64} {'memtui':>12} {'plain':>12} {'ratio':>6}")
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        folder = Path(name)
        if "help" in chosen:
            report(help_start.measure(3 * rounds))
        if "mcp" in chosen:
            report(mcp_start.measure(folder, 2 * rounds))
        for count in sizes if chosen & {"paint", "search", "jump"} else ():
            path = native(folder, count)
            if "paint" in chosen and count == sizes[0]:
                report(first_paint.measure(path, count, rounds))
            if "search" in chosen:
                report(word_search.measure(path, count, 10 if options.quick else 40))
            if "jump" in chosen:
                report(list_jump.measure(path, count, 20 if options.quick else 300))
        if "attach" in chosen:
            report(attach.measure(folder, (1_000, 1_000, 200) if options.quick else (20_000, 20_000, 2_000)))
        if "pull" in chosen:
            report(pull.measure(folder, 1_000 if options.quick else 100_000))
        if "live" in chosen:
            report(beside_agents.measure(folder, 5 if options.quick else 60))
        if "agents" in chosen:
            report(over_mcp.measure(folder, 5 if options.quick else 60))
        if "million" in chosen:
            large, small = (20_000, 2_000) if options.quick else (1_000_000, 100_000)
            report(million.measure(native(folder, large), large, native(folder, small), small))
        if "export" in chosen:
            report(export.measure(native(folder, sizes[-1]), sizes[-1], rounds))
        if "decay" in chosen:
            large = 20_000 if options.quick else 1_000_000
            report(decay.measure(large, rounds, native(folder, large)))
        if "scan" in chosen:
            report(scan.measure(folder, 1_000 if options.quick else 10_000))
        if "alive" in chosen:
            report(scan.measure_keys(folder, *(1_000, 3) if options.quick else (10_000, 45)))
        if "graph" in chosen:
            report(graph.measure(folder, *(2_000, 20, 1) if options.quick else (100_000, 200, 6)))
        if "bulk" in chosen:
            report(bulk.measure(folder, *(1_000, 100) if options.quick else (3_000, 500)))
        if "import" in chosen:
            report(importing.measure(folder, 2_000 if options.quick else 100_000))
        if "browse" in chosen:
            count, times = (2_000, 2) if options.quick else (100_000, 9)
            report(browse_keys.measure(native(folder, count), count, times))
        if "inbox" in chosen:
            count, times = (2_000, 1) if options.quick else (100_000, 2)
            report(inbox_keys.measure(native(folder, count), count, times), inbox)
        if "secrets" in chosen:
            count, times = (2_000, 1) if options.quick else (100_000, 2)
            report(secret_costs.measure(native(folder, count), count, times), inbox)
        if "rules" in chosen:
            count = 2_000 if options.quick else 100_000
            report(rules.measure(native(folder, count), count, rounds), governed)
        if "hooks" in chosen:
            for count in (500,) if options.quick else (500, 100_000):
                report(hooks.measure(native(folder, count), count, 5 if options.quick else 100), asked)
        if "recall" in chosen:
            report(recall.measure(folder, *(2_000, 30) if options.quick else (100_000, 300)), recalled)
        if "equal" in chosen:
            report(
                equal_answers.measure(folder, *(1_000, 20) if options.quick else (10_000, 1_000)), recalled
            )
        if "hybrid" in chosen:
            for count in (5_000,) if options.quick else options.sizes or (100_000, 1_000_000):
                report(embedding.measure(folder, count, 20 if options.quick else 100))
        if "reading" in chosen:
            report(embedding.measure_embedding(folder, *(300, 3) if options.quick else (10_000, 45)))
    print(f"{time.perf_counter() - started:.0f} s in all")
    if options.quick or options.sizes:
        return 0
    if not options.only:
        sections.write(HEAD, [*_INTRODUCTION, *map(sections.row, results)])
    if "rules" in chosen:
        sections.write(RULES_HEAD, [*_RULES_INTRODUCTION, *map(sections.row, governed)])
    if "hooks" in chosen:
        sections.write(HOOKS_HEAD, [*_HOOKS_INTRODUCTION, *map(sections.row, asked)])
    if {"recall", "equal"} <= chosen:
        sections.write(RECALL_HEAD, [*_RECALL_INTRODUCTION, *map(sections.row, recalled)])
    if {"inbox", "secrets"} <= chosen:
        sections.write(INBOX_HEAD, [*_INBOX_INTRODUCTION, *map(sections.row, inbox)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
