"""The Inbox with very many items: its keys beside those of Browse, and reading it beside counting (S-52).

A workspace with as many items as memories: of ten memories six are pending, one holds a secret, two are
candidates, listed one by one, and one is in a pair of duplicates with the next such one. Baseline of keys:
the same keys in Browse over the same memories. All in CPU seconds of all threads from the key press until
nothing is read any more and the screen is drawn, so that what a decision has read again in the background
counts. Baseline of reading: the plainest SQL that counts what is listed.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import apsw

from benchmarks.keys.browse_keys import app_on, at_rest, key_times
from benchmarks.measure import NOW, Result, percentile
from memtui.cli import run
from memtui.memory.inbox.items import CANDIDATES, PENDING
from memtui.tui.app import MemtuiApp
from memtui.tui.inbox.screen import InboxScreen
from memtui.workspace.workspace import Workspace
from tests.support.secret_texts.planted import planted

AIM = 1.5  # times as long as in Browse, at most
STORE = "native"  # the store of all memories
MOVES = ["j"] * 10 + ["ctrl+d"] * 5 + ["pagedown"] * 3 + ["end", "home"]
WARM = ("enter", "escape")  # what is imported at first is no matter of keys
KEYS: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    ("move", MOVES, MOVES),
    ("open and back", ["enter", "escape"] * 2, ["enter", "escape"] * 2),
    ("confirm", ["v"] * 4, ["v", "j", "v", "j", "v", "j", "v", "j"]),
    ("undo", ["u"] * 4, ["u"] * 4),
    ("mark all alike, and none / all, and none", ["asterisk"] * 2, ["asterisk"] * 2),
    ("kinds off and on / a quick view and back", ["f", "space", "enter"] * 2, ["V", "p", "V", "a"]),
)
_COUNTED = (
    "SELECT (SELECT count(*) FROM memories WHERE live = 1 AND status IN ('pending', 'candidate')) + "
    "(SELECT count(*) FROM secrets) + (SELECT count(*) FROM pairs)"
)


def measure(path: Path, count: int, rounds: int) -> Iterator[Result]:
    """Measure keys and reading over `count` memories of `path`, a workspace."""
    copy = path.with_name(f"inbox-{count}.db")
    shutil.copyfile(path, copy)
    fill(copy, count)
    yield from _reading(copy, count, rounds)
    yield from asyncio.run(_keys(copy, count, rounds))


def fill(path: Path, count: int) -> None:
    """Make the memories of a workspace what is in the Inbox."""
    texts, chance = [case.text for case in planted(1)], Random(count)
    connection = apsw.Connection(str(path))
    with connection:
        connection.execute(
            "UPDATE memories SET status = CASE WHEN id % 10 < 6 THEN 'pending' "
            "WHEN id % 10 IN (7, 8) THEN 'candidate' ELSE 'confirmed' END"
        )
        connection.executemany(
            "UPDATE memories SET content = content || ' ' || ? WHERE id = ?",
            ((chance.choice(texts), id) for id in range(6, count + 1, 10)),
        )
        connection.execute(
            "INSERT INTO pairs (a, b, family, kind, score, digest_a, digest_b, found_at) "
            "SELECT id, id + 10, 'duplicate', 'near', 0.9, '', '', ? FROM memories "
            "WHERE id % 10 = 9 AND id + 10 <= ?",
            (NOW, count),
        )
        for queue in ("embedding_queue", "scan_queue"):
            connection.execute(f"DELETE FROM {queue}")
    connection.execute("ANALYZE")
    connection.close()
    workspace = Workspace.open(path)
    workspace.sweep_secrets()
    workspace.close()


# -- keys


async def _keys(path: Path, count: int, rounds: int) -> list[Result]:
    ours: list[list[float]] = [[] for _ in KEYS]
    plain: list[list[float]] = [[] for _ in KEYS]
    for _ in range(rounds):
        async with _inbox_on(path) as app:
            _to(app, PENDING)
            await key_times(app, WARM)
            for found, (_, keys, _) in zip(ours, KEYS, strict=True):
                _to(app, PENDING)
                await at_rest(app)
                found += await key_times(app, keys)
        async with app_on(path) as app:
            await key_times(app, [*WARM, "V", "p", "V", "a"])
            for found, (name, _, keys) in zip(plain, KEYS, strict=True):
                times = await key_times(app, keys)
                found += times[::2] if name == "confirm" else times  # the Inbox moves on by itself
    return [
        Result(
            f"Inbox of {count:,}: {name}, p{share * 100:.0f}",
            *(percentile(times, share) for times in (a, b)),
            AIM if share == 0.95 else 0,
        )
        for (name, _, _), a, b in zip(KEYS, ours, plain, strict=True)
        for share in (0.5, 0.95)
    ]


@asynccontextmanager
async def _inbox_on(path: Path) -> AsyncIterator[MemtuiApp]:
    async with app_on(path) as app:
        await key_times(app, ["2", "f", "escape"])
        _to(app, CANDIDATES)
        await at_rest(app)
        await key_times(app, ["enter"])
        yield app


def _to(app: MemtuiApp, kind: str) -> None:
    """Put the cursor on the first item of a kind."""
    screen = app.screen
    assert isinstance(screen, InboxScreen)
    kinds = [each.kind for each in screen.memories.items]
    screen.memories.move_to(kinds.index(kind))


# -- reading


def _reading(path: Path, count: int, rounds: int) -> list[Result]:
    connection = apsw.Connection(str(path))
    whole: list[float] = []
    plain: list[float] = []
    command: list[float] = []
    for _ in range(rounds):
        workspace = Workspace.open(path, clock=lambda: NOW)
        whole.append(_seconds(lambda workspace=workspace: workspace.inbox([STORE])))
        workspace.close()
        plain.append(_seconds(lambda: connection.execute(_COUNTED).fetchall()))
        command.append(_seconds(lambda: _run(path)))
    connection.close()
    counted = percentile(plain, 0.5)
    return [
        Result(f"Inbox of {count:,}, read at the start, vs counting it", percentile(whole, 0.5), counted),
        Result(f"memtui inbox --json of {count:,}, vs counting it", percentile(command, 0.5), counted),
    ]


def _run(path: Path) -> None:
    with redirect_stdout(io.StringIO()):
        run(["--workspace", str(path), "inbox", "--json"])


def _seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
