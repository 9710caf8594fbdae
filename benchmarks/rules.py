"""Fifty rules over very many memories (S-60).

- a dry run of all: which memories each rule matches without what rules have set, beside the same queries as
  plain searches; once with nothing set by rules, and once with what the first sweep set;
- one write through all of them: an edit of one memory with 50 rules on, beside the same with none on. What
  counts is the difference, which is printed in milliseconds;
- a sweep of some thousand memories that finds nothing to do, beside the first one, which sets all;
- bulk writes: as many updates of the memories' table with rules that are off, and with one that is on,
  beside the same without the triggers of rules.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Result, alternate, percentile, sentences, timed
from memtui.workspace.background import JobControl
from memtui.workspace.rules import base
from memtui.workspace.workspace import Workspace

RULES, SWEPT = 50, 2_000
_ALL = "UPDATE memories SET times_used = times_used + 1"


def measure(native: Path, count: int, rounds: int) -> list[Result]:
    """Measure with a copy of a workspace of `count` memories."""
    path = native.with_name(f"rules-{count}.db")
    shutil.copyfile(native, path)
    work = Workspace.open(path)
    queries = _queries()
    for number, query in enumerate(queries):
        action = ("pin", "tag=ruled", "category=ruled", "importance=0.9")[number % 4]
        work.add_rule(f"rule {number}", query, [action])
    dry = f"{RULES} rules, {count:,} memories: dry run of all"
    searched = f"{RULES} searches"
    out = [_dry_run(work, queries, f"{dry} vs {searched}", rounds)]
    out += _bulk(work, count, rounds)
    (id,) = work.search("", live=True).ids[:1]
    texts = iter(f"Edited {number}." for number in range(10_000))

    def edit() -> None:
        work.edit([id], {"content": next(texts)})

    edit()  # makes the backup of the day, which is not measured
    without = [timed(edit) for _ in range(rounds * 5)]
    with work._changing():
        for rule in work.rules():
            work._ctx.db.run("UPDATE rules SET is_on = 1 WHERE id = ?", (rule.id,))
        work._ctx.db.run("INSERT OR IGNORE INTO rule_queue (memory_id) SELECT id FROM memories")
    first = timed(lambda: work.apply_rules(_first(SWEPT)))
    work._ctx.db.run("DELETE FROM rule_queue")
    again = timed(lambda: _sweep_again(work))
    edit()
    through = [timed(edit) for _ in range(rounds * 5)]
    more = 1e3 * (percentile(through, 0.5) - percentile(without, 0.5))
    rate = f"({more:.1f} ms more)"
    name = f"{RULES} rules, {count:,} memories: one write through all vs without"
    out.append(Result(name, percentile(through, 0.5), percentile(without, 0.5), rate=rate))
    out.append(_dry_run(work, queries, f"{dry}, all on, vs {searched}", rounds))
    name = f"{RULES} rules: sweep of {SWEPT:,} of {count:,} memories, nothing to do vs all to do"
    out.append(Result(name, again, first))
    work.close()
    return out


def _first(count: int) -> JobControl:
    """Return what stops a sweep after so many memories."""
    judged = [0]

    def report(done: int, total: int) -> None:
        judged[0] = done

    return JobControl(stop=lambda: judged[0] >= count, report=report)


def _sweep_again(work: Workspace) -> None:
    sql = "INSERT OR IGNORE INTO rule_queue (memory_id) SELECT id FROM memories ORDER BY id LIMIT ?"
    work._ctx.db.run(sql, (SWEPT,))
    work.apply_rules()


def _queries() -> list[str]:
    """Return queries of words, filters and both, that match from few to most memories."""
    chance = random.Random(3)
    words = [word.lower().strip(".") for text in sentences(40, seed=7) for word in text.split()[:3]]
    filters = ("category:decision", "category:fact", "tag:bench", "updated:>30d", "conf:>0.8", "-tag:other")
    out = []
    for number in range(RULES):
        parts = [chance.choice(words)] if number % 3 else []
        parts += chance.sample(filters, 1 + (not parts))
        out.append(" ".join([*parts, "-tag:none"]))
    return out


def _plain(work: Workspace, query: str) -> int:
    return len(work.search(query, sort="newest").ids)


def _dry_run(work: Workspace, queries: list[str], name: str, rounds: int) -> Result:
    now = work._ctx.clock()

    def dry_run() -> list[int]:
        return [len(base.matching(work._ctx, query, None, now)) for query in queries]

    memtui, plain = alternate(
        dry_run, lambda: [_plain(work, query) for query in queries], max(3, rounds // 3)
    )
    return Result(name, min(memtui), min(plain), 3)


def _bulk(work: Workspace, count: int, rounds: int) -> list[Result]:
    db = work._ctx.db

    def without_triggers() -> float:
        with db.atomic() as changes:
            db.run("DROP TRIGGER rules_update")
            seconds = timed(lambda: db.run(_ALL))
            changes.rollback()
        return seconds

    def with_one_on() -> float:
        with db.atomic() as changes:
            db.run("UPDATE rules SET is_on = 1 WHERE id = 1")
            seconds = timed(lambda: db.run(_ALL))
            changes.rollback()
        return seconds

    def with_all_off() -> float:
        with db.atomic() as changes:
            seconds = timed(lambda: db.run(_ALL))
            changes.rollback()
        return seconds

    def best(call: Callable[[], float]) -> float:
        return min(call() for _ in range(max(3, rounds // 3)))

    plain = best(without_triggers)
    return [
        Result(f"{count:,} updates, {RULES} rules off, vs no triggers of rules", best(with_all_off), plain),
        Result(f"{count:,} updates, one rule on, vs no triggers of rules", best(with_one_on), plain),
    ]
