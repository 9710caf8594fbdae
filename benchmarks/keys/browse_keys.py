"""Keys in Browse over a list in groups, compared with the same keys over the flat list.

memtui: the list below headings of its entities. Baseline: the same memories without headings. Both in CPU
seconds of all threads, from the key press until nothing is read any more and the screen is drawn.
Regrouping is compared with sorting, which reads the flat list anew as well.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import apsw

from benchmarks.measure import NOW, Result, percentile
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace

PER_ENTITY = 8  # memories
SIZE = (120, 36)
TIMEOUT = 120.0  # seconds for one key

MOVES = ["j"] * 10 + ["ctrl+d"] * 5 + ["G", "g"]
PAIRS: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    ("move", MOVES, MOVES),
    ("fold and unfold a group / move", ["left", "right"] * 3, ["j", "k"] * 3),
    ("all, headings, previews / to the end and back", ["number_sign"] * 3, ["G", "g", "G"]),
    ("quick view and back", ["V", "p", "V", "a"], ["V", "p", "V", "a"]),
)


def measure(path: Path, count: int, rounds: int) -> list[Result]:
    """Measure p50 and p95 of each kind of key over `count` memories of `path`, a workspace."""
    grouped, flat = (path.with_name(f"browse-{name}-{count}.db") for name in ("grouped", "flat"))
    for copy, entities in ((grouped, True), (flat, False)):
        shutil.copyfile(path, copy)
        if entities:
            connection = apsw.Connection(str(copy))
            connection.execute("UPDATE memories SET subject = 'Entity ' || (id / ?)", (PER_ENTITY,))
            connection.close()
    return asyncio.run(_measure(grouped, flat, count, rounds))


async def _measure(grouped: Path, flat: Path, count: int, rounds: int) -> list[Result]:
    cases = [*PAIRS, ("regroup / sort", ["equals_sign"], ["comma"])]
    ours: list[list[float]] = [[] for _ in cases]
    plain: list[list[float]] = [[] for _ in cases]
    for _ in range(rounds):
        for path, times, number in ((grouped, ours, 1), (flat, plain, 2)):
            async with app_on(path) as app:
                for found, case in zip(times, cases, strict=True):
                    found += await key_times(app, case[number])
    return [
        result
        for (name, _, _), mine, theirs in zip(cases, ours, plain, strict=True)
        for result in _results(name, count, mine, theirs)
    ]


def _results(name: str, count: int, ours: list[float], plain: list[float]) -> list[Result]:
    return [
        Result(
            f"Browse of {count:,}: {name}, p{share * 100:.0f}",
            percentile(ours, share),
            percentile(plain, share),
        )
        for share in (0.5, 0.95)
    ]


@asynccontextmanager
async def app_on(path: Path) -> AsyncIterator[MemtuiApp]:
    app = MemtuiApp(lambda: Workspace.open(path), clock=lambda: NOW)
    async with app.run_test(size=SIZE):
        await at_rest(app)
        yield app


async def key_times(app: MemtuiApp, keys: Sequence[str]) -> list[float]:
    """Return the CPU seconds that each key takes in all threads."""
    times = []
    for key in keys:
        begun = time.process_time()
        app.simulate_key(key)
        await at_rest(app)
        times.append(time.process_time() - begun)
    return times


async def at_rest(app: MemtuiApp) -> None:
    """Wait until nothing is read and the screen is drawn: twice in a row, a frame apart."""
    deadline, idle = time.monotonic() + TIMEOUT, 0
    while idle < 2:
        await asyncio.sleep(1 / 50)
        running = any(not each.is_finished for each in app.workers)
        idle = 0 if app.workspace is None or not app.lanes.idle or running else idle + 1
        if time.monotonic() > deadline:
            raise TimeoutError("the app has not come to rest")
