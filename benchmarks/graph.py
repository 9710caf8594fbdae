"""Steps in a graph of many memories, compared with plain queries for the same rows; and clusters, compared
with reading the same rows, and keys meanwhile (SPEC 9).

The graph is rows of memories with names and of relations, as pulling makes them; the targets of relations are
distributed unevenly, as in real graphs (Zipf), so a random walk often meets hubs. Baseline of a step: two
statements on the same file, for all relations from and to a node and for the rows of its neighbours with
their number of relations; and two more for each neighbour whose own neighbours are shown. Baseline of the
clusters: four columns of all memories and of all relations.
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

from benchmarks.live.beside_agents import TIMEOUT, run_memtui
from benchmarks.measure import NOW, Result, alternate, percentile, sentences, timed
from memtui.memory.graph.model import NodeKey
from memtui.workspace.relations import neighborhood
from memtui.workspace.workspace import Workspace

KINDS = "uses knows works_with depends_on part_of supports supersedes located_in likes fixed_by".split()
SKEW = 10  # the first entity is a target about ten times as often as the hundredth
REPEATS = 7  # how often each step is measured
DEGREES = ((1, 10, "up to 10"), (11, 100, "up to 100"), (101, neighborhood.MOST, "more"))
_RELATIONS = (
    "SELECT source, kind, target, strength, context, body FROM relations WHERE store_id = ?1 AND source = ?2 "
    "UNION ALL SELECT source, kind, target, strength, context, body FROM relations "
    "WHERE store_id = ?1 AND target = ?2 AND source <> ?2 LIMIT {}"
)
_NEIGHBORS = (
    "SELECT m.id, m.store_id, m.anchor, m.title, m.subject, substr(m.content, 1, 300), m.category, m.status, "
    "m.pinned, (SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = ?1 AND source = m.anchor "
    "LIMIT 1000)) + (SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = ?1 AND target = m.anchor "
    "LIMIT 1000)) FROM json_each(?2) e CROSS JOIN memories m ON m.store_id = ?1 AND m.anchor = e.value "
    "WHERE m.ref IS NOT NULL AND m.removed_at IS NULL"
)


def make_workspace(folder: Path, memories: int, relations: int) -> Path:
    """Make a workspace with such a graph and empty queues."""
    path = folder / f"graph-{memories}.db"
    if path.exists():
        return path
    chance = random.Random(9)
    names = [f"Entity {number}" for number in range(memories)]
    weights = list(accumulate(1 / (SKEW + rank) for rank in range(memories)))
    texts = sentences(min(memories, 20_000), 4)
    rows = [
        (f"u{n:011d}", f"r{n}", NOW, name, name, f"{texts[n % len(texts)]} {n}", NOW - n)
        for n, name in enumerate(names)
    ]
    targets = chance.choices(names, cum_weights=weights, k=relations)
    Workspace.open(path).close()
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, anchor, subject, content, created_at) "
            "VALUES (?, 1, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        connection.executemany(
            "INSERT INTO relations (store_id, source, kind, target) VALUES (1, ?, ?, ?)",
            ((chance.choice(names), chance.choice(KINDS), target) for target in targets),
        )
        connection.execute("DELETE FROM embedding_queue; DELETE FROM scan_queue")
    connection.close()
    return path


class RawQueries:
    """The baseline's statements, on a connection of its own."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.execute("PRAGMA mmap_size=268435456")
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # each statement is planned once

    def neighbors(self, node: NodeKey, limit: int = neighborhood.MOST) -> list[str]:
        """Read the relations of a node, and the rows of its neighbors; return the neighbors' names."""
        relations = self._connection.execute(_RELATIONS.format(limit), (node.store, node.name)).fetchall()
        ends = {name for row in relations for name in (row[0], row[2])} | {node.name}
        self._connection.execute(_NEIGHBORS, (node.store, json.dumps(list(ends)))).fetchall()
        return [name for name in ends if name != node.name]

    def two_hops(self, node: NodeKey) -> None:
        """Read the neighbors of a node, and some neighbors of each of them."""
        for name in self.neighbors(node)[: neighborhood.FAR]:
            self.neighbors(NodeKey(node.store, name), 4 * neighborhood.FEW)

    def all_rows(self) -> tuple[list[object], list[object]]:
        """Read the columns of memories and relations that clusters need."""
        run = self._connection.execute
        return (
            run("SELECT id, uid, store_id, anchor FROM memories WHERE live").fetchall(),
            run("SELECT id, store_id, source, target FROM relations").fetchall(),
        )


def measure(folder: Path, memories: int, steps: int, turns: int) -> list[Result]:
    """Measure steps, clusters, and keys while clusters are computed."""
    path = make_workspace(folder, memories, 3 * memories)
    return [
        *measure_steps(path, memories, steps),
        measure_clusters(path, memories, 3),
        *measure_keys(path, memories, turns),
    ]


def measure_steps(path: Path, memories: int, steps: int) -> list[Result]:
    """Measure steps from neighbor to neighbor against the raw queries for the same nodes; then the largest
    hub, of which only a part is read, and two hops. A step is the median of a few repetitions, alternating
    with the baseline."""
    workspace = Workspace.open(path)
    raw = RawQueries(path)
    nodes = list(dict.fromkeys(_random_walk(workspace, steps)))
    label = f"a step among {memories:,} memories"
    pairs: dict[int, list[tuple[float, float]]] = {}
    for node in nodes:
        pairs.setdefault(len(raw.neighbors(node)), []).append(_time_step(workspace, raw, node))
    out = []
    for least, limit, name in DEGREES:
        some = [each for degree, found in pairs.items() if least <= degree <= limit for each in found]
        out += _ratios(f"{label}, {name} neighbours", some) if some else []
    out += _ratios(label, [each for found in pairs.values() for each in found], worst=True)
    hub = NodeKey(1, "Entity 0")
    out.append(Result(f"{label}, the largest hub", *_time_step(workspace, raw, hub), 5))
    far = [_time_step(workspace, raw, node, hops=2) for node in nodes[: max(3, steps // 5)]]
    out += _ratios(f"{label}, two hops", far)
    workspace.close()
    return out


def measure_clusters(path: Path, memories: int, rounds: int) -> Result:
    """Measure the clusters, against reading the same rows."""
    workspace = Workspace.open(path)
    memtui, baseline = alternate(workspace.overview, RawQueries(path).all_rows, rounds)
    workspace.close()
    label = f"clusters of {memories:,} memories, vs reading the same rows"
    return Result(label, percentile(memtui, 0.5), percentile(baseline, 0.5))


def _time_step(workspace: Workspace, raw: RawQueries, node: NodeKey, hops: int = 1) -> tuple[float, float]:
    """Time one step and its baseline, with warm pages."""
    baseline_query = raw.two_hops if hops > 1 else raw.neighbors
    sides = alternate(
        lambda: workspace.neighborhood(node, hops=hops), lambda: baseline_query(node), REPEATS + 1
    )
    memtui, baseline = (percentile(times[1:], 0.5) for times in sides)
    return memtui, baseline


def _ratios(label: str, pairs: list[tuple[float, float]], *, worst: bool = False) -> list[Result]:
    """Return the steps with the median ratio, the 95th percentile, and the worst."""
    ordered = sorted(pairs, key=lambda pair: pair[0] / pair[1])
    rate = f"({len(pairs)} of them)"
    out = [
        Result(f"{label}, p50", *ordered[len(ordered) // 2], rate=rate),
        Result(f"{label}, p95", *ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 5),
    ]
    return [*out, Result(f"{label}, worst", *ordered[-1], 5)] if worst else out


def _random_walk(workspace: Workspace, steps: int) -> list[NodeKey]:
    """Return the nodes of a random walk."""
    chance = random.Random(5)
    nodes = [NodeKey(1, f"Entity {SKEW * 10}")]
    while len(nodes) < steps:
        found = workspace.neighborhood(nodes[-1])
        assert found is not None
        nodes.append(chance.choice(found.edges).node.key)
    return nodes


def measure_keys(path: Path, memories: int, turns: int) -> list[Result]:
    """Measure keys in the drawn graph at rest and while clusters are computed: moves of the cursor, and steps
    to a neighbor and back."""
    workspace = Workspace.open(path)
    seconds = 0.5 * timed(
        workspace.overview
    )  # with keys it takes longer, so it does not end within this time
    workspace.close()
    times: dict[tuple[str, bool], list[float]] = {}
    cpu = [0.0, 0.0]
    with run_memtui(path) as (terminal, pid):
        _press_and_drain(terminal, b"4", 1.0)
        _press_and_wait(terminal, b"W", "▇".encode())  # the clusters are computed
        _open_hub(terminal)
        for turn in range(2 * turns):
            is_computing = bool(turn % 2)
            for label, keys in (("a move", b"jk" * 6), ("a step", b"\r\x7f")):
                _press_and_drain(terminal, b"p", 0.5)  # a change invalidates the clusters
                if is_computing:
                    _press_and_drain(terminal, b"W", 0.15)
                    _open_hub(terminal)
                before = _cpu_seconds(pid)
                times.setdefault((label, is_computing), []).extend(_time_keys(terminal, keys, seconds))
                cpu[is_computing] += (_cpu_seconds(pid) - before) / seconds / turns / 2
                time.sleep(2 * seconds if is_computing else 0)
                _press_and_drain(terminal, b"", 0.3)
    out = []
    for label in ("a move", "a step"):
        busy, idle = times[label, True], times[label, False]
        label = f"{label} in the graph while clusters of {memories:,} are counted, vs rest"
        rate = f"({len(busy)} keys, {cpu[1]:.1f} processors vs {cpu[0]:.1f})"
        out += [
            Result(f"{label}, p50", percentile(busy, 0.5), percentile(idle, 0.5), rate=rate),
            Result(f"{label}, p95", percentile(busy, 0.95), percentile(idle, 0.95), 2),
        ]
    return out


def _open_hub(terminal: int) -> None:
    """Go from the clusters to the largest hub, and on to one of its neighbors."""
    _press_and_wait(terminal, b"\r", b"1 hop")
    _press_and_drain(terminal, b"j", 0.2)
    _press_and_wait(terminal, b"\r", b"1 hop")


def _press_and_wait(terminal: int, key: bytes, mark: bytes) -> None:
    """Press a key and wait until it has drawn a mark."""
    os.write(terminal, key)
    output = b""
    while mark not in output:
        if not select.select([terminal], [], [], 60)[0]:
            raise SystemExit(f"{mark!r} was never drawn")
        output = output[-100:] + os.read(terminal, 1 << 16)
    _drain(terminal, 0.1)


def _press_and_drain(terminal: int, keys: bytes, seconds: float) -> None:
    """Press keys and read what they draw for some seconds."""
    os.write(terminal, keys)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            os.read(terminal, 1 << 16)


def _drain(terminal: int, idle: float) -> None:
    while select.select([terminal], [], [], idle)[0]:
        os.read(terminal, 1 << 16)


def _time_keys(terminal: int, keys: bytes, seconds: float) -> list[float]:
    """Press keys again and again; return how long each took to draw something."""
    times = []
    end = time.monotonic() + seconds
    for key in cycle(keys):
        if time.monotonic() >= end:
            return times
        _drain(terminal, 0.05)
        started = time.perf_counter()
        os.write(terminal, bytes((key,)))
        if not select.select([terminal], [], [], TIMEOUT)[0]:
            raise SystemExit("a key got no answer")
        times.append(time.perf_counter() - started)
        time.sleep(0.02)
    return times


def _cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
