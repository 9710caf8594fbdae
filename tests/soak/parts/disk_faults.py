"""A system call fails, falls short, or is the last one: what is said to be done is done, and no more.

Before each round the calls of a whole workload are known by number; one of them, and perhaps all after
it, meets a full disk or a broken one, or the process ends around it. What fails must be refused in
words. Then another program reads the store, memtui opens the workspace again, and all is undone.

A verb that is refused must have changed nothing, where its code says so. "io" and "disk-full" do not say:
a store may have been written when the workspace could no longer note it. Then, as after a kill, all of the
verb or nothing of it is there. A part that was left ("skipped") is judged like that, too. Whatever the code,
"not saved" is said of nothing that the store holds.
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
from tests.soak.trial import TrialError, Trial, bench, prepare_trial
from tests.soak.workloads import SCENARIOS

TITLE = "a system call meets a full or broken disk, falls short, or is the last one"
LEAST = Minimum(faults=300)
SEED = 20_261_124
# Codes of refusals that do not say whether anything was changed.
UNSAID = frozenset(("io", "disk-full", "half", "partly"))


@dataclass(frozen=True, slots=True)
class Kind:
    """A way in which the Nth call goes wrong, and in how many rounds of each scenario."""

    name: str
    fault: Fault
    rounds: int
    harmless: bool = False  # memtui must get over it


SPACE = WRITES | MAKES
KINDS = (
    Kind("the disk is full for one call", Fault(FAIL, SPACE, errno.ENOSPC), 5),
    Kind("the disk is full from then on", Fault(FAIL, SPACE, errno.ENOSPC, lasting=True), 5),
    Kind("half a write fits, then the disk is full", Fault(SHORT, SPACE, errno.ENOSPC, lasting=True), 4),
    Kind("one write falls short", Fault(SHORT, WRITES), 2, harmless=True),
    Kind("an I/O error of one call", Fault(FAIL, ALL, errno.EIO), 5),
    Kind("an I/O error of one sync", Fault(FAIL, SYNCS, errno.EIO), 3),
    Kind(
        "I/O errors of all writes and syncs from then on",
        Fault(FAIL, WRITES | SYNCS, errno.EIO, lasting=True),
        3,
    ),
    Kind("killed before a call", Fault(KILL_BEFORE, ALL), 2),
    Kind("killed within a write", Fault(KILL_WITHIN, WRITES), 2),
    Kind("killed after a call", Fault(KILL_AFTER, ALL), 2),
)


def run(report: Report) -> None:
    with bench() as place:
        for scenario in SCENARIOS:
            try:
                _disturb(report, prepare_trial(place, scenario))
            except TrialError as broken:
                report.loss(f"{scenario.name}: without any fault: {broken}")


def _disturb(report: Report, tried: Trial) -> None:
    chance = random.Random(f"{SEED} {tried.scenario.name}")
    report.plan(sum(kind.rounds for kind in KINDS))
    for kind in KINDS:
        for nth in _numbers(_counted(tried, kind.fault.classes), kind.rounds, chance):
            fault = Fault(kind.fault.action, kind.fault.classes, kind.fault.code, nth, kind.fault.lasting)
            tried.reset()
            ended = _work(tried, fault)
            wrong = _unexpected(ended, kind)
            wrong += tried.belied(len(ended.of("returned")), "".join(ended.of("failed")))
            wrong += tried.judge(len(ended.of("returned")), begun=_may_have_begun(ended))
            if wrong:
                said = "".join(ended.of("failed"))
                report.loss(
                    f"{tried.scenario.name}, seed {SEED}, {kind.name} (call {nth}), after "
                    f"{len(ended.of('returned'))} verbs{f', then “{said}”' if said else ''}: "
                    + "; ".join(wrong)
                )
            met = ended.killed or bool(ended.trouble) or ended.of("met") != [0]
            report.done(1, faults=int(met))


def _may_have_begun(ended: JobResult) -> bool:
    """Whether the verb that did not return may be there all the same."""
    return not ended.of("closed") and not set(ended.of("refused")) - UNSAID


def _work(tried: Trial, fault: Fault) -> JobResult:
    return tried.bench.server.run(
        "work", workspace=str(tried.workspace), verbs=tried.verbs, fault=list(astuple(fault))
    )


def _counted(tried: Trial, classes: int) -> int:
    """How many calls of these classes the whole workload makes."""
    tried.reset()
    ended = _work(tried, Fault(PASS, classes))
    if not ended.of("closed"):
        raise TrialError(f"{ended.trouble} {ended.of('failed')}")
    counted: int = ended.of("counted")[0]
    return counted


def _numbers(of: int, rounds: int, chance: random.Random) -> Iterator[int]:
    """So many numbers from 1 to `of`, one from each equal part."""
    for part in range(rounds):
        yield chance.randint(part * of // rounds + 1, max(part * of // rounds + 1, (part + 1) * of // rounds))


def _unexpected(ended: JobResult, kind: Kind) -> list[str]:
    """What the process itself did wrong: it must end well, refuse in words, or be killed as it was told."""
    if ended.trouble:
        return [f"it was not refused in words: {ended.trouble.strip()}"]
    if not ended.killed and not ended.of("failed") and not ended.of("closed"):
        return ["it neither failed nor finished"]
    if kind.harmless and not ended.of("closed"):
        return ["it failed, though nothing was lost"]
    return [f"the same process goes on wrong: {each}" for found in ended.of("after") for each in found]
