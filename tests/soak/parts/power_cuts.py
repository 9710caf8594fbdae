"""The power fails at any moment: what was acknowledged is there, all else is complete or absent.

A child works in a workspace while its system calls are recorded. For each power cut the record is replayed
into an empty folder. Cuts that keep nothing of what was not synced come just before and after every sync, and
just after every acknowledgement: nothing else changes such a disk, so this covers every moment. At random
moments, and just before random syncs, a random part of the rest is kept too. Cuts that leave the same files
after the same acknowledgements are checked once.

Then another program reads the store, memtui opens the workspace again, and everything is undone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.soak.part import Minimum, Report
from tests.soak.preload import NEEDS as NEEDS
from tests.soak.preload import record
from tests.soak.preload.record import Call
from tests.soak.preload.replay import Disk, keep_everything, keep_nothing, keep_share
from tests.soak.trial import Trial, TrialError, bench, prepare_trial
from tests.soak.workloads import SCENARIOS

TITLE = "the power goes around each sync and between: what was synced survives, and none or some of the rest"
MINIMUM = Minimum(faults=300)
SEED = 20_261_123
BEFORE_SYNC, ANYWHERE = 12, 12  # cuts of each scenario that keep a part: before a sync, and at any moment
SHARES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Cut:
    """A power cut after so many calls; the disk keeps `share` of what was not synced."""

    after: int
    share: float
    seed: int = 0


def run(report: Report) -> None:
    with bench() as trial_bench:
        for scenario in SCENARIOS:
            try:
                _run_scenario(report, prepare_trial(trial_bench, scenario))
            except TrialError as error:
                report.add_loss(f"{scenario.name}: without any cut: {error}")


def _run_scenario(report: Report, trial: Trial) -> None:
    bench = trial.bench
    disk = Disk(bench.live)
    calls = _record_calls(trial)
    chance = random.Random(f"{SEED} {trial.scenario.name}")
    cuts = sorted(_cuts(calls, chance), key=lambda cut: cut.after)
    report.plan(len(cuts))
    applied, checked = 0, set[tuple[bytes, int]]()
    for cut in cuts:
        for call in calls[applied : cut.after]:
            disk.apply(call)
        applied = cut.after
        keep = keep_share(random.Random(cut.seed), cut.share) if cut.share else keep_nothing
        image, returned = (
            disk.after_power_cut(keep),
            sum(call.call == record.NOTE for call in calls[:applied]),
        )
        digest = image.digest()
        if (digest, returned) in checked:
            report.plan(-1)
            continue
        checked.add((digest, returned))
        image.write(bench.live)
        problems = trial.check(returned)
        if problems:
            report.add_loss(
                f"{trial.scenario.name}, seed {SEED}, cut after {cut.after} of {len(calls)} calls "
                f"({_calls_around(calls, cut.after)}), {cut.share:.0%} of the rest kept (seed {cut.seed}): "
                + "; ".join(problems)
            )
        # If everything was synced, the disk is as the running machine sees it, and there was no fault.
        report.add_rounds(1, faults=digest != disk.after_power_cut(keep_everything).digest())


def _record_calls(trial: Trial) -> list[Call]:
    """Run all verbs under the recorder and return the calls. Raise TrialError if the record is incomplete."""
    bench = trial.bench
    disk = Disk(bench.live)
    result = bench.run("work", workspace=str(trial.workspace), verbs=trial.verbs, log=str(bench.log))
    if result.error or not result.values("closed"):
        raise TrialError(f"{result.error} {result.values('failed')}")
    calls = record.read(bench.log)
    for call in calls:
        disk.apply(call)
    replayed = disk.after_power_cut(keep_everything).bytes_by_name()
    actual = Disk(bench.live).after_power_cut().bytes_by_name()
    if replayed != actual:
        names = {name for name in replayed.keys() | actual.keys() if replayed.get(name) != actual.get(name)}
        raise TrialError(f"the record does not reproduce {', '.join(sorted(names))}")
    return calls


def _cuts(calls: list[Call], chance: random.Random) -> Iterator[Cut]:
    syncs = [number for number, call in enumerate(calls) if call.call == record.SYNC]
    for number in syncs:
        yield Cut(number, 0.0)
        yield Cut(number + 1, 0.0)
    for number, call in enumerate(calls):
        if call.call == record.NOTE:
            yield Cut(number + 1, 0.0)
    for number in chance.sample(syncs, min(BEFORE_SYNC, len(syncs))):
        yield Cut(number, chance.choice(SHARES), chance.randrange(1 << 30))
    for _ in range(ANYWHERE):
        yield Cut(chance.randrange(len(calls)), chance.choice(SHARES), chance.randrange(1 << 30))


def _calls_around(calls: list[Call], after: int) -> str:
    """Describe the calls around a cut, to find the cause of a loss."""
    return ", ".join(map(str, calls[max(0, after - 2) : after + 1]))
