"""A full scan for contradictions, and another after ten writes (S-40).

Baseline of the full scan: the detectors alone on the same pairs of texts, parsed beforehand; so the ratio is
the cost of finding candidates, reading them and storing what is found. Baseline of the scan after ten writes:
the full scan; only what is new is compared. All times are CPU seconds.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from benchmarks.embedding import PERIOD
from benchmarks.live.beside_agents import run_memtui, time_moves
from benchmarks.measure import NOW, Result, percentile, vocabulary
from memtui.embedding.hashed import HashEmbedder
from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.pairs import Judgement
from memtui.workspace.contradictions import scan as scanning
from memtui.workspace.workspace import Workspace

WRITES = 10
_PEOPLE = "Ana Bo Carla Dev Elif Finn Greta Hugo Ines Jonas Kira Leo Mona Nils Olga Pia Rosa Sven".split()
_FAMILIES = (
    "Adler Berg Costa Duarte Egli Frey Gomez Hartmann Ito Jansen Keller Larsen Meier Novak Okafor".split()
)
_THINGS = "billing search login export import mobile reporting gateway scheduler inventory shipping".split()
_CITIES = "Basel Bern Oslo Madrid Porto Kyoto Lima Turin Ghent Leeds Bergen Graz Nantes Delft Split".split()
_FOODS = "walnuts shrimp oat milk|green tea|black coffee|rye bread|goat cheese|lentils|mangoes".split("|")
_SHAPES = (
    "{who} lives in {city} and takes the train to work.",
    "{who} moved from {city} to {other} in {year}.",
    "{who} is allergic to {food}.",
    "{who} loves {food} in the morning.",
    "{who} prefers short meetings before {hour}.",
    "The {thing} service of {who}'s team runs on port {port}.",
    "The {thing} release was planned for {month} {day} and {who} signs it off.",
    "{who} never works on {weekday}.",
    "{who} works on {weekday} from the {city} office.",
    "Invoices of the {thing} project go to {who} within {day} days.",
    "The budget of the {thing} project is {port} francs.",
    "{who} said that the {thing} tests must pass before a deploy on {weekday}.",
    "Backups of {thing} are kept for {day} days in {city}.",
    "{who} uses dark mode and a {thing} dashboard with {day} panels.",
)
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday".split()
_MONTHS = "January March May June August October".split()


def measure(folder: Path, count: int) -> list[Result]:
    """Measure the full scan, and the one after ten writes."""
    workspace = _make_workspace(folder / f"sweep-{count}.db", count)
    judged: list[tuple[parsed_memory.ParsedMemory, parsed_memory.ParsedMemory]] = []
    judge = scanning.judge

    def recorded(a: parsed_memory.ParsedMemory, b: parsed_memory.ParsedMemory, **more: Any) -> Judgement:
        judged.append((a, b))
        return judge(a, b, **more)

    scanning.judge = recorded
    full_seconds, scan = _seconds(workspace.scan)
    scanning.judge = judge
    bare, _ = _seconds(lambda: [judge(a, b) for a, b in judged])
    chance = random.Random(11)
    for text in _texts(WRITES // 2, 5):
        workspace.add({"content": text})
    changed = chance.sample(range(1, count + 1), WRITES - WRITES // 2)
    for id, text in zip(changed, _texts(len(changed), 6), strict=True):
        workspace.edit([id], {"content": text})
    workspace.embed()
    waiting = workspace.queue_counts().unscanned
    new_seconds, new_scan = _seconds(workspace.scan)
    workspace.close()
    assert new_scan.memories == waiting == WRITES
    rate = f"({scan.judged / full_seconds:,.0f} pairs a CPU second, {scan.found:,} found)"
    return [
        Result(f"{count:,} compared, {scan.judged:,} pairs", full_seconds, bare, 1.5, rate),
        Result(f"{WRITES} writes in {count:,} compared, vs the whole", new_seconds, full_seconds, 0.01),
    ]


def measure_keys(folder: Path, count: int, seconds: int) -> list[Result]:
    """Measure keys in Browse while the scan queue is worked off, which happens between keys, against keys at
    rest."""
    busy_path, idle_path = folder / "compared.db", folder / "rested.db"
    for path, waiting in ((busy_path, True), (idle_path, False)):
        _make_workspace(path, count).close()
        connection = apsw.Connection(str(path))
        connection.execute("DELETE FROM embedding_queue")
        if not waiting:
            connection.execute("DELETE FROM scan_queue")
        connection.close()
    idle_times: list[float] = []
    busy_times: list[float] = []
    with run_memtui(idle_path) as (idle_terminal, _), run_memtui(busy_path) as (terminal, scanning_pid):
        # In turns, so that changes of the machine's speed affect both; the one that scans is stopped
        # meanwhile.
        for _ in range(max(1, round(seconds / PERIOD))):
            os.kill(scanning_pid, signal.SIGSTOP)
            try:
                idle_times += time_moves(idle_terminal, PERIOD)
            finally:
                os.kill(scanning_pid, signal.SIGCONT)
            busy_times += time_moves(terminal, PERIOD)
    remaining = apsw.Connection(str(busy_path)).execute("SELECT count(*) FROM scan_queue").fetchone()[0]
    label = f"key to repaint while {count:,} memories wait to be compared, vs rest"
    rate = f"({(count - remaining) / seconds:.0f} compared a second meanwhile)"
    return [
        Result(f"{label}, p50", percentile(busy_times, 0.5), percentile(idle_times, 0.5), rate=rate),
        Result(f"{label}, p95", percentile(busy_times, 0.95), percentile(idle_times, 0.95), 2),
    ]


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def _texts(count: int, seed: int) -> list[str]:
    """Make sentences as agents write them, about a few hundred people and dozens of topics, each followed by
    a unique one."""
    chance = random.Random(seed)
    words = vocabulary(4_000, random.Random(0))
    tails = [1 / (rank + 3) for rank in range(len(words))]

    def tail() -> str:
        return " ".join(chance.choices(words, tails, k=chance.randint(5, 12))).capitalize()

    return [
        f"{chance.choice(_SHAPES)} {tail()}.".format(
            who=f"{chance.choice(_PEOPLE)} {chance.choice(_FAMILIES)}",
            thing=chance.choice(_THINGS),
            city=chance.choice(_CITIES),
            other=chance.choice(_CITIES),
            food=chance.choice(_FOODS),
            weekday=chance.choice(_WEEKDAYS),
            month=chance.choice(_MONTHS),
            year=chance.randint(2015, 2026),
            hour=chance.randint(8, 17),
            day=chance.randint(1, 28),
            port=chance.randint(1_000, 9_999),
        )
        for _ in range(count)
    ]


def _make_workspace(path: Path, count: int) -> Workspace:
    """Make a workspace of memories with vectors that are similar if their words are."""
    workspace = Workspace.open(path, opener=lambda: HashEmbedder(384))
    workspace._ctx.db.run(
        "INSERT INTO memories (uid, store_id, ref, content, seen_at, created_at) "
        "SELECT 'u' || key, 1, 'r' || key, value, ?, ? - key FROM json_each(?)",
        (NOW, NOW, json.dumps(_texts(count, 1))),
    )
    workspace.load_model()
    workspace.embed()
    return workspace
