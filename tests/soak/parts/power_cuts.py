"""The power goes at any moment: what was acknowledged is there, all else is whole or not there.

A child works in a workspace while each of its system calls is recorded. For each cut the record is
replayed into an empty folder: what was synced survives, and of the rest either nothing or any part, as
far as the disk came. Then another program reads the store, memtui opens the workspace again, and all
is undone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.soak.part import Report
from tests.soak.preload import NEEDS as NEEDS
from tests.soak.preload import record
from tests.soak.preload.record import Call
from tests.soak.preload.replay import Disk, everything, nothing, some
from tests.soak.trial import Broken, Trial, bench, trial
from tests.soak.workloads import SCENARIOS

TITLE = "the power goes: only what was synced survives, and any part of the rest"
SEED = 20_261_123
BEFORE_SYNCS, ANYWHERE = 12, 10  # cuts of each scenario, beside one after each verb
SHARES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Cut:
    """After so many calls; `share` is how much of what was not synced the disk has."""

    after: int
    share: float
    seed: int


def run(report: Report) -> None:
    with bench() as place:
        for scenario in SCENARIOS:
            try:
                _cut_up(report, trial(place, scenario))
            except Broken as broken:
                report.loss(f"{scenario.name}: without any cut: {broken}")


def _cut_up(report: Report, tried: Trial) -> None:
    place = tried.bench
    disk = Disk(place.live)
    calls = _recorded(tried)
    chance = random.Random(f"{SEED} {tried.scenario.name}")
    cuts = sorted(_cuts(calls, chance), key=lambda cut: cut.after)
    report.plan(len(cuts))
    done = 0
    for cut in cuts:
        for call in calls[done : cut.after]:
            disk.do(call)
        done = cut.after
        keep = some(random.Random(cut.seed), cut.share) if cut.share else nothing
        disk.after_a_cut(keep).write(place.live)
        returned = sum(call.call == record.NOTE for call in calls[:done])
        wrong = tried.judge(returned)
        if wrong:
            report.loss(
                f"{tried.scenario.name}, seed {SEED}, cut after {cut.after} of {len(calls)} calls "
                f"({_where(calls, cut.after)}), {cut.share:.0%} of the rest kept (seed {cut.seed}): "
                + "; ".join(wrong)
            )
        report.done(1, faults=1)


def _recorded(tried: Trial) -> list[Call]:
    """Carry all verbs out under the recorder. Raises Broken where the record misses something."""
    place = tried.bench
    before = Disk(place.live)
    ended = place.run("work", workspace=str(tried.workspace), verbs=tried.verbs, log=str(place.log))
    if ended.trouble or not ended.of("closed"):
        raise Broken(f"{ended.trouble} {ended.of('failed')}")
    calls = record.read(place.log)
    for call in calls:
        before.do(call)
    replayed = before.after_a_cut(everything).bytes_by_name()
    there = Disk(place.live).after_a_cut().bytes_by_name()
    if replayed != there:
        names = {name for name in replayed.keys() | there.keys() if replayed.get(name) != there.get(name)}
        raise Broken(f"the record does not make {', '.join(sorted(names))} again")
    return calls


def _cuts(calls: list[Call], chance: random.Random) -> Iterator[Cut]:
    for number, call in enumerate(calls):
        if call.call == record.NOTE:  # just after it was acknowledged, the disk has done no more than it must
            yield Cut(number + 1, 0.0, 0)
    syncs = [number for number, call in enumerate(calls) if call.call == record.SYNC]
    for number in chance.sample(syncs, min(BEFORE_SYNCS, len(syncs))):
        yield Cut(number, chance.choice((0.0, *SHARES)), chance.randrange(1 << 30))
    for _ in range(ANYWHERE):
        yield Cut(chance.randrange(len(calls)), chance.choice(SHARES), chance.randrange(1 << 30))


def _where(calls: list[Call], after: int) -> str:
    """Between which calls that is, for whoever looks for the cause."""
    return ", ".join(map(str, calls[max(0, after - 2) : after + 1]))
