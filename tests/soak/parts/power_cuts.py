"""The power goes at any moment: what was acknowledged is there, all else is whole or not there.

A child works in a workspace while each of its system calls is recorded. For each cut the record is
replayed into an empty folder. With nothing kept of what was not synced, cuts come just before and just
after every sync, and just after every acknowledgement: nothing else changes what such a disk holds, so
this is every moment. At random moments between, and just before random syncs, any part of the rest is
kept, too. Cuts that leave the same files after the same acknowledgements are judged once.

Then another program reads the store, memtui opens the workspace again, and all is undone.
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
from tests.soak.trial import TrialError, Trial, bench, prepare_trial
from tests.soak.workloads import SCENARIOS

TITLE = "the power goes around each sync and between: what was synced survives, and none or some of the rest"
LEAST = Minimum(faults=300)
SEED = 20_261_123
IN_PART, ANYWHERE = 12, 12  # cuts of each scenario with a part kept: before a sync, and at any moment
SHARES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Cut:
    """After so many calls; `share` is how much of what was not synced the disk has."""

    after: int
    share: float
    seed: int = 0


def run(report: Report) -> None:
    with bench() as place:
        for scenario in SCENARIOS:
            try:
                _cut_up(report, prepare_trial(place, scenario))
            except TrialError as broken:
                report.loss(f"{scenario.name}: without any cut: {broken}")


def _cut_up(report: Report, tried: Trial) -> None:
    place = tried.bench
    disk = Disk(place.live)
    calls = _recorded(tried)
    chance = random.Random(f"{SEED} {tried.scenario.name}")
    cuts = sorted(_cuts(calls, chance), key=lambda cut: cut.after)
    report.plan(len(cuts))
    done, judged = 0, set[tuple[bytes, int]]()
    for cut in cuts:
        for call in calls[done : cut.after]:
            disk.do(call)
        done = cut.after
        keep = keep_share(random.Random(cut.seed), cut.share) if cut.share else keep_nothing
        image, returned = disk.after_a_cut(keep), sum(call.call == record.NOTE for call in calls[:done])
        digest = image.digest()
        if (digest, returned) in judged:
            report.plan(-1)
            continue
        judged.add((digest, returned))
        image.write(place.live)
        wrong = tried.judge(returned)
        if wrong:
            report.loss(
                f"{tried.scenario.name}, seed {SEED}, cut after {cut.after} of {len(calls)} calls "
                f"({_where(calls, cut.after)}), {cut.share:.0%} of the rest kept (seed {cut.seed}): "
                + "; ".join(wrong)
            )
        # Where nothing waited for a sync, the disk holds what a running machine shows.
        report.done(1, faults=digest != disk.after_a_cut(keep_everything).digest())


def _recorded(tried: Trial) -> list[Call]:
    """Carry all verbs out under the recorder. Raises Broken where the record misses something."""
    place = tried.bench
    before = Disk(place.live)
    ended = place.run("work", workspace=str(tried.workspace), verbs=tried.verbs, log=str(place.log))
    if ended.trouble or not ended.of("closed"):
        raise TrialError(f"{ended.trouble} {ended.of('failed')}")
    calls = record.read(place.log)
    for call in calls:
        before.do(call)
    replayed = before.after_a_cut(keep_everything).bytes_by_name()
    there = Disk(place.live).after_a_cut().bytes_by_name()
    if replayed != there:
        names = {name for name in replayed.keys() | there.keys() if replayed.get(name) != there.get(name)}
        raise TrialError(f"the record does not make {', '.join(sorted(names))} again")
    return calls


def _cuts(calls: list[Call], chance: random.Random) -> Iterator[Cut]:
    syncs = [number for number, call in enumerate(calls) if call.call == record.SYNC]
    for number in syncs:
        yield Cut(number, 0.0)
        yield Cut(number + 1, 0.0)
    for number, call in enumerate(calls):
        if call.call == record.NOTE:
            yield Cut(number + 1, 0.0)
    for number in chance.sample(syncs, min(IN_PART, len(syncs))):
        yield Cut(number, chance.choice(SHARES), chance.randrange(1 << 30))
    for _ in range(ANYWHERE):
        yield Cut(chance.randrange(len(calls)), chance.choice(SHARES), chance.randrange(1 << 30))


def _where(calls: list[Call], after: int) -> str:
    """Between which calls that is, for whoever looks for the cause."""
    return ", ".join(map(str, calls[max(0, after - 2) : after + 1]))
