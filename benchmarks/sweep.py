"""All memories compared with those that they may clash with, and then again after ten writes (S-40).

Plain, for the whole: the same pairs of texts, taken apart beforehand, put to the detectors and nothing
else; so the ratio is what finding candidates, reading and keeping what is found cost. For the ten writes:
the whole sweep; only what is new is to be compared. Seconds are of the processor.
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

from benchmarks.live import moves, program
from benchmarks.meaning import TURN
from benchmarks.measure import NOW, Result, percentile, vocabulary
from memtui.embedding.hashed import HashEmbedder
from memtui.memory import contradictions
from memtui.memory.contradictions.pairs import Judgement
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
    """The whole sweep, and what ten writes cost then."""
    opened = _stocked(folder / f"sweep-{count}.db", count)
    judged: list[tuple[contradictions.ParsedMemory, contradictions.ParsedMemory]] = []
    judge = contradictions.judge

    def noted(a: contradictions.ParsedMemory, b: contradictions.ParsedMemory, **more: Any) -> Judgement:
        judged.append((a, b))
        return judge(a, b, **more)

    contradictions.judge = noted
    whole, swept = _seconds(opened.scan)
    contradictions.judge = judge
    bare, _ = _seconds(lambda: [judge(a, b) for a, b in judged])
    some = random.Random(11)
    for text in _texts(WRITES // 2, 5):
        opened.add({"content": text})
    changed = some.sample(range(1, count + 1), WRITES - WRITES // 2)
    for id, text in zip(changed, _texts(len(changed), 6), strict=True):
        opened.edit([id], {"content": text})
    opened.embed()
    waiting = opened.queue_counts().unscanned
    again, few = _seconds(opened.scan)
    opened.close()
    assert few.memories == waiting == WRITES
    rate = f"({swept.judged / whole:,.0f} pairs a CPU second, {swept.found:,} found)"
    return [
        Result(f"{count:,} compared, {swept.judged:,} pairs", whole, bare, 1.5, rate),
        Result(f"{WRITES} writes in {count:,} compared, beside the whole", again, whole, 0.01),
    ]


def alive(folder: Path, count: int, seconds: int) -> list[Result]:
    """Keys in Browse while all memories wait to be compared, which goes on between two spells of typing;
    beside keys at rest."""
    busy, still = folder / "compared.db", folder / "rested.db"
    for path, waiting in ((busy, True), (still, False)):
        _stocked(path, count).close()
        connection = apsw.Connection(str(path))
        connection.execute("DELETE FROM embedding_queue")
        if not waiting:
            connection.execute("DELETE FROM scan_queue")
        connection.close()
    idle: list[float] = []
    loud: list[float] = []
    with program(still) as (quiet, _), program(busy) as (hand, sweeping):
        # In turns, so that the machine's own moods meet both; who compares stands still meanwhile.
        for _ in range(max(1, round(seconds / TURN))):
            os.kill(sweeping, signal.SIGSTOP)
            try:
                idle += moves(quiet, TURN)
            finally:
                os.kill(sweeping, signal.SIGCONT)
            loud += moves(hand, TURN)
    left = apsw.Connection(str(busy)).execute("SELECT count(*) FROM scan_queue").fetchone()[0]
    what = f"key to repaint while {count:,} memories wait to be compared, beside rest"
    rate = f"({(count - left) / seconds:.0f} compared a second meanwhile)"
    return [
        Result(f"{what}, p50", percentile(loud, 0.5), percentile(idle, 0.5), rate=rate),
        Result(f"{what}, p95", percentile(loud, 0.95), percentile(idle, 0.95), 2),
    ]


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def _texts(count: int, seed: int) -> list[str]:
    """Sentences as agents note them, of a few hundred people and some dozens of topics, each with one more
    that only it says."""
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


def _stocked(path: Path, count: int) -> Workspace:
    """Memories with vectors that are alike where their words are."""
    opened = Workspace.open(path, opener=lambda: HashEmbedder(384))
    opened._ctx.db.run(
        "INSERT INTO memories (uid, store_id, ref, content, seen_at, created_at) "
        "SELECT 'u' || key, 1, 'r' || key, value, ?, ? - key FROM json_each(?)",
        (NOW, NOW, json.dumps(_texts(count, 1))),
    )
    opened.load_model()
    opened.embed()
    return opened
