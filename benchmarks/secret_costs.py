"""What secrets cost: masking what is shown, and the sweep that finds them (S-62).

Masking: keys in Browse, `memtui list --json` and `memtui search` over memories of which some or all hold a
secret, in CPU seconds of all threads; baseline: the same over the same memories without secrets. The sweep:
CPU seconds over all memories; baseline: reading the same texts and searching them with one regular
expression, the union of what secrets begin with or stand beside. Keys meanwhile: seconds from the key until
it is drawn, in turns with rest, while the sweep runs without the pauses that it makes for keys.
"""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import apsw

from benchmarks.keys.browse_keys import app_on, at_rest, key_times
from benchmarks.measure import Result, percentile
from memtui.cli import run
from memtui.memory.secrets.registry import all_detectors
from memtui.tui.app import MemtuiApp
from memtui.workspace.secrets import sweep
from memtui.workspace.workspace import Workspace
from tests.support.secret_texts.planted import planted

MOVES = ["j"] * 10 + ["ctrl+d"] * 5 + ["pagedown"] * 3 + ["end", "home"]
SHARES = (("1 %", 100), ("all", 1))  # of memories with a secret: every hundredth, each
QUEUES = ("embedding_queue", "scan_queue", "secret_queue")
AGAIN = "INSERT OR IGNORE INTO secret_queue (memory_id) SELECT id FROM memories"


def measure(path: Path, count: int, rounds: int) -> Iterator[Result]:
    """Measure masking and the sweep over `count` memories of `path`, a workspace without secrets."""
    plain = path.with_name(f"secrets-none-{count}.db")
    _make(path, plain, count, 0)
    _swept(plain)
    for share, every in SHARES:
        copy = path.with_name(f"secrets-{every}-{count}.db")
        _make(path, copy, count, every)
        seconds, union = _swept(copy), _searched(copy)
        rate = f"({count / seconds:,.0f} memories a CPU second)"
        which = f"{count:,} memories, {share} with a secret"
        yield Result(f"sweep of {which}, vs one expression", seconds, union, rate=rate)
        yield from asyncio.run(_meanwhile(copy, which))
        for name, args in (("list --json", ["list", "--json"]), ("search", ["search", "a* OR b*"])):
            times = _command(copy, args, rounds), _command(plain, args, rounds)
            yield Result(f"{name}, {which}, vs none", *times)
        yield from asyncio.run(_masking(copy, plain, which, rounds))


def _make(source: Path, path: Path, count: int, every: int) -> None:
    """Copy a workspace; every so many of its memories get a secret, none if 0, and all wait for the sweep."""
    shutil.copyfile(source, path)
    texts, chance = [case.text for case in planted(1)], Random(count)
    connection = apsw.Connection(str(path))
    with connection:
        if every:
            connection.executemany(
                "UPDATE memories SET content = ? || ' ' || content WHERE id = ?",
                ((chance.choice(texts), id) for id in range(every, count + 1, every)),
            )
        for queue in QUEUES:
            connection.execute(f"DELETE FROM {queue}")
        connection.execute(AGAIN)
    connection.close()


# -- the sweep


def _swept(path: Path) -> float:
    """Search all memories of a workspace; return the CPU seconds."""
    workspace = Workspace.open(path)
    try:
        return _seconds(workspace.sweep_secrets)
    finally:
        workspace.close()


def _searched(path: Path) -> float:
    """Search them with one expression; return the CPU seconds."""
    markers = sorted({marker for each in all_detectors() for marker in each.markers}, key=len, reverse=True)
    union = re.compile("|".join(map(re.escape, markers)), re.IGNORECASE)
    connection = apsw.Connection(str(path))
    sql = f"SELECT {', '.join(sweep.TEXTS)} FROM memories"

    def search() -> int:
        return sum(bool(text and union.search(text)) for row in connection.execute(sql) for text in row)

    try:
        return _seconds(search)
    finally:
        connection.close()


async def _meanwhile(path: Path, which: str) -> list[Result]:
    idle: list[float] = []
    busy: list[float] = []
    async with app_on(path) as app:
        workspace = app.workspace
        assert workspace is not None
        for _ in range(2):
            idle += [await _drawn(app, key) for key in MOVES]
            workspace._ctx.db.run(AGAIN)
            ended = threading.Event()

            def searching(ended: threading.Event = ended) -> None:
                workspace.sweep_secrets()
                workspace.close_thread()
                ended.set()

            threading.Thread(target=searching, daemon=True).start()
            while not ended.is_set():
                busy += [await _drawn(app, key) for key in MOVES if not ended.is_set()]
            await at_rest(app)
    label = f"key to repaint during the sweep, {which}, vs rest"
    return [
        Result(f"{label}, p{share * 100:.0f}", percentile(busy, share), percentile(idle, share))
        for share in (0.5, 0.95)
    ]


async def _drawn(app: MemtuiApp, key: str) -> float:
    """Press a key; return the seconds until what it moved is drawn."""
    drawn = asyncio.Event()
    begun = time.perf_counter()
    app.simulate_key(key)
    app.screen.call_later(lambda: app.screen.call_after_refresh(drawn.set))
    await drawn.wait()
    seconds = time.perf_counter() - begun
    await asyncio.sleep(0.03)
    return seconds


# -- masking


async def _masking(path: Path, plain: Path, which: str, rounds: int) -> list[Result]:
    times: dict[Path, list[float]] = {path: [], plain: []}
    for _ in range(rounds):
        for each, found in times.items():
            async with app_on(each) as app:
                await key_times(app, MOVES[:3])
                found += await key_times(app, MOVES)
    return [
        Result(
            f"Browse of {which}, vs none: move, p{share * 100:.0f}",
            *(percentile(each, share) for each in times.values()),
        )
        for share in (0.5, 0.95)
    ]


def _command(path: Path, args: list[str], rounds: int) -> float:
    """Run a command; return its CPU seconds, the median of some runs."""

    def called() -> None:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            run(["--workspace", str(path), *args])

    return percentile([_seconds(called) for _ in range(rounds)], 0.5)


def _seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
