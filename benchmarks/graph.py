"""Walking a graph of many memories beside the plain queries for the same rows, and counting its clusters
beside reading the same rows and beside a person who moves about (SPEC 9).

The graph is rows of memories with names and of relations, as pulling gives them; whom a relation leads
to is as unevenly spread as such graphs are (Zipf), so a walk from neighbour to neighbour meets hubs all
the time. Plain, for a step: two statements on the same file, all that leads from and to a node and the
rows at its ends with their number of relations; as many statements again for each neighbour whose own
neighbours are shown. Plain, for the clusters: four columns of all memories and of all relations.
"""

from __future__ import annotations

import json
import os
import random
import select
import time
from itertools import accumulate, cycle
from pathlib import Path

import apsw

from benchmarks.live import PATIENCE, program
from benchmarks.measure import NOW, Result, beside, percentile, sentences, timed
from memtui.memory.graph.model import NodeKey
from memtui.workspace.relations import neighborhood
from memtui.workspace.workspace import Workspace

KINDS = "uses knows works_with depends_on part_of supports supersedes located_in likes fixed_by".split()
EVEN = 10  # how uneven degrees are: the first entity is meant about ten times as often as the hundredth one
TIMES = 7  # that a step is taken on both sides
CLASSES = ((1, 10, "up to 10"), (11, 100, "up to 100"), (101, neighborhood.MOST, "more"))
_TOLD = (
    "SELECT source, kind, target, strength, context, body FROM relations WHERE store_id = ?1 AND source = ?2 "
    "UNION ALL SELECT source, kind, target, strength, context, body FROM relations "
    "WHERE store_id = ?1 AND target = ?2 AND source <> ?2 LIMIT {}"
)
_ENDS = (
    "SELECT m.id, m.store_id, m.anchor, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, "
    "m.pinned, (SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = ?1 AND source = m.anchor "
    "LIMIT 1000)) + (SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = ?1 AND target = m.anchor "
    "LIMIT 1000)) FROM json_each(?2) e CROSS JOIN memories m ON m.store_id = ?1 AND m.anchor = e.value "
    "WHERE m.ref IS NOT NULL AND m.removed_at IS NULL"
)


def made(folder: Path, memories: int, relations: int) -> Path:
    """A workspace on such a graph, in which nothing waits to be read or compared."""
    path = folder / f"graph-{memories}.db"
    if path.exists():
        return path
    chance = random.Random(9)
    names = [f"Entity {number}" for number in range(memories)]
    often = list(accumulate(1 / (EVEN + rank) for rank in range(memories)))
    texts = sentences(min(memories, 20_000), 4)
    told = [
        (f"u{n:011d}", f"r{n}", NOW, name, name, f"{texts[n % len(texts)]} {n}", NOW - n)
        for n, name in enumerate(names)
    ]
    targets = chance.choices(names, cum_weights=often, k=relations)
    Workspace.open(path).close()
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, anchor, subject, content, created_at) "
            "VALUES (?, 1, ?, ?, ?, ?, ?, ?)",
            told,
        )
        connection.executemany(
            "INSERT INTO relations (store_id, source, kind, target) VALUES (1, ?, ?, ?)",
            ((chance.choice(names), chance.choice(KINDS), target) for target in targets),
        )
        connection.execute("DELETE FROM embedding_queue; DELETE FROM scan_queue")
    connection.close()
    return path


class Raw:
    """The plain statements, on a connection of their own."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.execute("PRAGMA mmap_size=268435456")
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # each statement is planned once

    def around(self, spot: NodeKey, most: int = neighborhood.MOST) -> list[str]:
        """Read what leads from and to a spot, and who stands at the ends; who those are."""
        told = self._connection.execute(_TOLD.format(most), (spot.store, spot.name)).fetchall()
        ends = {name for row in told for name in (row[0], row[2])} | {spot.name}
        self._connection.execute(_ENDS, (spot.store, json.dumps(list(ends)))).fetchall()
        return [name for name in ends if name != spot.name]

    def beyond(self, spot: NodeKey) -> None:
        """The same, and a little of what each neighbour is tied to."""
        for name in self.around(spot)[: neighborhood.FAR]:
            self.around(NodeKey(spot.store, name), 4 * neighborhood.FEW)

    def everything(self) -> tuple[list[object], list[object]]:
        """Memories and relations, as far as clusters need them."""
        run = self._connection.execute
        return (
            run("SELECT id, uid, store_id, anchor FROM memories WHERE live").fetchall(),
            run("SELECT id, store_id, source, target FROM relations").fetchall(),
        )


def measure(folder: Path, memories: int, steps: int, turns: int) -> list[Result]:
    """The walk, the clusters, and keys while they are counted."""
    path = made(folder, memories, 3 * memories)
    return [*walk(path, memories, steps), whole(path, memories, 3), *alive(path, memories, turns)]


def walk(path: Path, memories: int, steps: int) -> list[Result]:
    """Steps from neighbour to neighbour beside the raw queries for the same spots; then the largest hub, of
    which a part is read, and two hops. A step is the median of a few of its kind, both sides in turn."""
    workspace = Workspace.open(path)
    raw = Raw(path)
    walked = list(dict.fromkeys(_walked(workspace, steps)))
    what = f"a step among {memories:,} memories"
    pairs: dict[int, list[tuple[float, float]]] = {}
    for spot in walked:
        pairs.setdefault(len(raw.around(spot)), []).append(_step(workspace, raw, spot))
    out = []
    for least, most, name in CLASSES:
        some = [each for degree, found in pairs.items() if least <= degree <= most for each in found]
        out += _ratios(f"{what}, {name} neighbours", some) if some else []
    out += _ratios(what, [each for found in pairs.values() for each in found], worst=True)
    hub = NodeKey(1, "Entity 0")
    out.append(Result(f"{what}, the largest hub", *_step(workspace, raw, hub), 5))
    far = [_step(workspace, raw, spot, hops=2) for spot in walked[: max(3, steps // 5)]]
    out += _ratios(f"{what}, two hops", far)
    workspace.close()
    return out


def whole(path: Path, memories: int, rounds: int) -> Result:
    """The clusters, beside reading the same rows."""
    workspace = Workspace.open(path)
    ours, plain = beside(workspace.overview, Raw(path).everything, rounds)
    workspace.close()
    what = f"clusters of {memories:,} memories, beside reading the same rows"
    return Result(what, percentile(ours, 0.5), percentile(plain, 0.5))


def _step(workspace: Workspace, raw: Raw, spot: NodeKey, hops: int = 1) -> tuple[float, float]:
    """Both sides of one step, all pages read before."""
    plain = raw.beyond if hops > 1 else raw.around
    sides = beside(lambda: workspace.neighborhood(spot, hops=hops), lambda: plain(spot), TIMES + 1)
    ours, theirs = (percentile(times[1:], 0.5) for times in sides)
    return ours, theirs


def _ratios(what: str, pairs: list[tuple[float, float]], *, worst: bool = False) -> list[Result]:
    """The steps whose ratio is the median one, the one that 95 of 100 stay below, and the worst."""
    ordered = sorted(pairs, key=lambda pair: pair[0] / pair[1])
    rate = f"({len(pairs)} of them)"
    out = [
        Result(f"{what}, p50", *ordered[len(ordered) // 2], rate=rate),
        Result(f"{what}, p95", *ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 5),
    ]
    return [*out, Result(f"{what}, worst", *ordered[-1], 5)] if worst else out


def _walked(workspace: Workspace, steps: int) -> list[NodeKey]:
    """Where one comes along who walks on at random."""
    chance = random.Random(5)
    walked = [NodeKey(1, f"Entity {EVEN * 10}")]
    while len(walked) < steps:
        found = workspace.neighborhood(walked[-1])
        assert found is not None
        walked.append(chance.choice(found.edges).node.key)
    return walked


def alive(path: Path, memories: int, turns: int) -> list[Result]:
    """Keys in the drawn graph at rest and while the clusters are counted: the cursor moved, and steps from
    a memory to a neighbour and back."""
    workspace = Workspace.open(path)
    spell = 0.5 * timed(workspace.overview)  # among keys it takes longer, so it does not end meanwhile
    workspace.close()
    times: dict[tuple[str, bool], list[float]] = {}
    cpu = [0.0, 0.0]
    with program(path) as (hand, pid):
        _shows(hand, b"4", "▇".encode())  # the clusters are counted
        _walk_in(hand)
        for turn in range(2 * turns):
            counts = bool(turn % 2)
            for what, keys in (("a move", b"jk" * 6), ("a step", b"\r\x7f")):
                _press(hand, b"p", 0.5)  # a change: what was counted holds no more
                if counts:
                    _press(hand, b"W", 0.15)
                    _walk_in(hand)
                before = _cpu(pid)
                times.setdefault((what, counts), []).extend(_answers(hand, keys, spell))
                cpu[counts] += (_cpu(pid) - before) / spell / turns / 2
                time.sleep(2 * spell if counts else 0)
                _press(hand, b"", 0.3)
    out = []
    for what in ("a move", "a step"):
        loud, quiet = times[what, True], times[what, False]
        told = f"{what} in the graph while clusters of {memories:,} are counted, beside rest"
        rate = f"({len(loud)} keys, {cpu[1]:.1f} processors beside {cpu[0]:.1f})"
        out += [
            Result(f"{told}, p50", percentile(loud, 0.5), percentile(quiet, 0.5), rate=rate),
            Result(f"{told}, p95", percentile(loud, 0.95), percentile(quiet, 0.95), 2),
        ]
    return out


def _walk_in(hand: int) -> None:
    """From the clusters to the largest hub, and on to one of its neighbours."""
    _shows(hand, b"\r", b"1 hop")
    _press(hand, b"j", 0.2)
    _shows(hand, b"\r", b"1 hop")


def _shows(hand: int, key: bytes, mark: bytes) -> None:
    """Press a key and wait until what it draws holds a mark."""
    os.write(hand, key)
    seen = b""
    while mark not in seen:
        if not select.select([hand], [], [], 60)[0]:
            raise SystemExit(f"{mark!r} was never drawn")
        seen = seen[-100:] + os.read(hand, 1 << 16)
    _calm(hand, 0.1)


def _press(hand: int, keys: bytes, seconds: float) -> None:
    """Press keys and let what they draw be drawn."""
    os.write(hand, keys)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([hand], [], [], left)[0]:
            os.read(hand, 1 << 16)


def _calm(hand: int, quiet: float) -> None:
    while select.select([hand], [], [], quiet)[0]:
        os.read(hand, 1 << 16)


def _answers(hand: int, keys: bytes, seconds: float) -> list[float]:
    """How long each key took to draw something, again and again."""
    times = []
    end = time.monotonic() + seconds
    for key in cycle(keys):
        if time.monotonic() >= end:
            return times
        _calm(hand, 0.05)
        begin = time.perf_counter()
        os.write(hand, bytes((key,)))
        if not select.select([hand], [], [], PATIENCE)[0]:
            raise SystemExit("a key got no answer")
        times.append(time.perf_counter() - begin)
        time.sleep(0.02)
    return times


def _cpu(pid: int) -> float:
    """Seconds of the processor that a process took."""
    told = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
