"""A system call fails, is incomplete, or is the last one: exactly what is reported as done is done.

The calls of a workload are counted first. In each round one of them, and perhaps all after it, fails as on a
full or broken disk, or the process is killed around it. A failure must lead to a refusal. Then another
program reads the store, memtui opens the workspace again, and everything is undone.

A refused verb must have changed nothing, unless its code is ambiguous: with "io" and "disk-full" a store may
have been written before the workspace could record it. Then, as after a kill, the verb is done completely or
not at all; the same holds for items that were skipped. Whatever the code, a change that is in the store must
not be reported as "not saved".
"""

from __future__ import annotations

import errno
import random
from collections.abc import Iterator
from dataclasses import astuple, dataclass

from tests.soak.fork_server import JobResult
from tests.soak.part import Minimum, Report
from tests.soak.preload import (
    ALL,
    FAIL,
    KILL_AFTER,
    KILL_BEFORE,
    KILL_WITHIN,
    MAKES,
    PASS,
    SHORT,
    SYNCS,
    WRITES,
    Fault,
)
from tests.soak.preload import NEEDS as NEEDS
from tests.soak.trial import Trial, TrialError, bench, prepare_trial
from tests.soak.workloads import SCENARIOS

TITLE = "a system call meets a full or broken disk, falls short, or is the last one"
MINIMUM = Minimum(faults=300)
SEED = 20_261_124
# Codes of refusals that leave open whether anything was changed.
AMBIGUOUS_CODES = frozenset(("io", "disk-full", "half", "partly"))


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault of the Nth call, and the number of rounds of each scenario with it."""

    name: str
    fault: Fault
    rounds: int
    harmless: bool = False  # memtui must handle it


SPACE = WRITES | MAKES
KINDS = (
    FaultKind("the disk is full for one call", Fault(FAIL, SPACE, errno.ENOSPC), 5),
    FaultKind("the disk is full from then on", Fault(FAIL, SPACE, errno.ENOSPC, lasting=True), 5),
    FaultKind("half a write fits, then the disk is full", Fault(SHORT, SPACE, errno.ENOSPC, lasting=True), 4),
    FaultKind("one write falls short", Fault(SHORT, WRITES), 2, harmless=True),
    FaultKind("an I/O error of one call", Fault(FAIL, ALL, errno.EIO), 5),
    FaultKind("an I/O error of one sync", Fault(FAIL, SYNCS, errno.EIO), 3),
    FaultKind(
        "I/O errors of all writes and syncs from then on",
        Fault(FAIL, WRITES | SYNCS, errno.EIO, lasting=True),
        3,
    ),
    FaultKind("killed before a call", Fault(KILL_BEFORE, ALL), 2),
    FaultKind("killed within a write", Fault(KILL_WITHIN, WRITES), 2),
    FaultKind("killed after a call", Fault(KILL_AFTER, ALL), 2),
)


def run(report: Report) -> None:
    with bench() as trial_bench:
        for scenario in SCENARIOS:
            try:
                _run_scenario(report, prepare_trial(trial_bench, scenario))
            except TrialError as error:
                report.add_loss(f"{scenario.name}: without any fault: {error}")


def _run_scenario(report: Report, trial: Trial) -> None:
    chance = random.Random(f"{SEED} {trial.scenario.name}")
    report.plan(sum(kind.rounds for kind in KINDS))
    for kind in KINDS:
        for nth in _numbers(_count_calls(trial, kind.fault.classes), kind.rounds, chance):
            fault = Fault(kind.fault.action, kind.fault.classes, kind.fault.code, nth, kind.fault.lasting)
            trial.reset()
            result = _work(trial, fault)
            problems = _unexpected(result, kind)
            problems += trial.check_message(len(result.values("returned")), "".join(result.values("failed")))
            problems += trial.check(len(result.values("returned")), begun=_may_be_done(result))
            if problems:
                message = "".join(result.values("failed"))
                report.add_loss(
                    f"{trial.scenario.name}, seed {SEED}, {kind.name} (call {nth}), after "
                    f"{len(result.values('returned'))} verbs{f', then “{message}”' if message else ''}: "
                    + "; ".join(problems)
                )
            took_effect = result.killed or bool(result.error) or result.values("disturbed") != [0]
            report.add_rounds(1, faults=int(took_effect))


def _may_be_done(result: JobResult) -> bool:
    """Return whether the verb that did not return may be done nevertheless."""
    return not result.values("closed") and not set(result.values("refused")) - AMBIGUOUS_CODES


def _work(trial: Trial, fault: Fault) -> JobResult:
    return trial.bench.server.run(
        "work", workspace=str(trial.workspace), verbs=trial.verbs, fault=list(astuple(fault))
    )


def _count_calls(trial: Trial, classes: int) -> int:
    """Return how many calls of these classes the whole workload makes."""
    trial.reset()
    result = _work(trial, Fault(PASS, classes))
    if not result.values("closed"):
        raise TrialError(f"{result.error} {result.values('failed')}")
    counted: int = result.values("counted")[0]
    return counted


def _numbers(count: int, rounds: int, chance: random.Random) -> Iterator[int]:
    """Yield `rounds` numbers from 1 to `count`, one from each of as many equal parts."""
    for part in range(rounds):
        first = part * count // rounds + 1
        yield chance.randint(first, max(first, (part + 1) * count // rounds))


def _unexpected(result: JobResult, kind: FaultKind) -> list[str]:
    """Return what the process did wrong: it must exit, refuse, or be killed as intended."""
    if result.error:
        return [f"it was not refused in words: {result.error.strip()}"]
    if not result.killed and not result.values("failed") and not result.values("closed"):
        return ["it neither failed nor finished"]
    if kind.harmless and not result.values("closed"):
        return ["it failed, though nothing was lost"]
    return [f"the same process goes on wrong: {each}" for found in result.values("after") for each in found]
