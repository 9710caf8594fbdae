"""Whether the time of an answer tells an agent of memories that it may not read: `python -m
benchmarks.agent.equal_answers [--calls N] [--count N]`.

An agent asks for another's private memories by uid, key, company, plugin, subject, category and words, and
for names that nothing has: by chance the one or the other first, a different name each time, of the verbs and
through the MCP server by the client of its SDK. Printed are the medians, and their ratio; the answers have to
be equal. With --model questions are asked by meaning, too.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import apsw
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from benchmarks.measure import NOW, Result, percentile, sentences
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.embedding.factory import opener
from memtui.errors import Refused
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace

AGENT, OTHER = "ada", "bob"
CLOSE = 1.1  # how many times as long the one may take as the other
_HIDDEN = 0.1  # share of memories that the agent may not read
# Drawn by chance: in strict turns the one falls on the beats of Python's garbage collection, the other never.
_ORDERS = ((0, 1), (1, 0))


def make(path: Path, count: int) -> list[str]:
    """Make a workspace of `count` memories; return the names of those that the agent may not read."""
    Workspace.open(path).close()
    chance = random.Random(5)
    rows, names = [], []
    for number, text in enumerate(sentences(count)):
        is_hidden = chance.random() < _HIDDEN
        name = _name(number)
        if is_hidden:
            names.append(name)
        owner, scope = (OTHER, "private") if is_hidden else (None, "fleet")
        text = f"{text} {name}." if is_hidden else text
        rows.append((_uid(name), f"r{number}", NOW, text, owner, scope, *[name] * 5, NOW - number, NOW))
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, content, owner, scope, key, company_id, "
            "source_ref, subject, category, status, confidence, created_at, updated_at) "
            "VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'confirmed', 0.7, ?, ?)",
            rows,
        )
        connection.execute("DELETE FROM scan_queue")
        connection.execute("DELETE FROM embedding_queue")
    connection.execute("ANALYZE")
    connection.close()
    return names


def _name(number: int) -> str:
    return f"vault{number:06d}"


def _uid(name: str) -> str:
    return f"u{name}"


def missing(names: list[str], count: int) -> list[str]:
    """Return as many names that nothing has."""
    return [_name(count + number) for number in range(len(names))]


def verbs(work: Workspace) -> dict[str, Callable[[str], object]]:
    """Return the verbs of the workspace by which an agent asks for a name."""
    caller = Caller(AGENT)

    def refused(field: str, name: str) -> object:
        try:
            return work.find_for(AGENT, field, name)
        except Refused as refusal:
            return refusal.message

    return {
        "get by uid": lambda name: work.recall_by("uid", _uid(name), caller).memories,
        "get by key": lambda name: work.recall_by("key", name, caller).memories,
        "list by company": lambda name: work.recall_by("company_id", name, caller).memories,
        "list by plugin": lambda name: work.recall_by("source_ref", name, caller).memories,
        "list by category": lambda name: work.list_for(caller, name).memories,
        "find by uid": lambda name: refused("uid", _uid(name)),
        "find by key": lambda name: refused("key", name),
        "recall by words": lambda name: work.recall(name, caller, strategy="keyword").memories,
        "recall on subject": lambda name: (
            work.recall(name, caller, strategy="keyword", subject=name).memories
        ),
    }


# tool or resource → the argument that takes the name, "id" for its uid.
_TOOLS = {
    "memory_get": "key",
    "memory_query": "text",
    "memory_recall": "query",
    "memory_by_company": "company_id",
    "memory_by_plugin": "plugin",
    "memory_list": "category",
    "memory_delete": "key",
    "memory_forget": "id",
    "memory_reinforce": "id",
}


async def ask(client: Client, tool: str, name: str) -> object:
    """Ask the server for a name; return the answer."""
    if tool == "memory://":
        try:
            return (await client.read_resource(f"memory://{_uid(name)}")).contents
        except MCPError as error:
            return error.error.message
    if tool == "session_start":
        return (await client.get_prompt(tool, {"project": name})).messages
    argument = _TOOLS[tool]
    done = await client.call_tool(tool, {argument: _uid(name) if argument == "id" else name})
    return done.content


def measure(folder: Path, count: int, calls: int, *, model: bool = False) -> list[Result]:
    """Measure each way to ask: the median for what is hidden against that for what is missing."""
    names, chance = make(folder / "w.db", count), random.Random(9)
    pairs = list(zip(names, missing(names, count), strict=True))
    work = Workspace.open(folder / "w.db", opener=opener("") if model else None)
    try:
        work.pull()
        found = [
            _result(way, [_timed_pair(chance, call, pairs[turn % len(pairs)]) for turn in range(calls)])
            for way, call in verbs(work).items()
        ]
        return [*found, *asyncio.run(_over_mcp(work, pairs, calls))]
    finally:
        work.close()


async def _over_mcp(work: Workspace, pairs: list[tuple[str, str]], calls: int) -> list[Result]:
    chance = random.Random(9)
    desk = Desk(nullcontext(work), AGENT, "native")
    out = []
    try:
        async with Client(MemoryServer(desk)) as client:
            await client.list_tools()
            for tool in (*_TOOLS, "memory://", "session_start"):
                times = []
                for turn in range(calls if tool != "session_start" else calls // 10):
                    pair = pairs[turn % len(pairs)]
                    order = chance.choice(_ORDERS)
                    took, answers = [0.0, 0.0], [None, None]
                    for side in order:
                        start = time.perf_counter()
                        answer: Any = await ask(client, tool, pair[side])
                        took[side] = time.perf_counter() - start
                        answers[side] = answer
                    assert str(answers[0]) == str(answers[1]), (tool, answers)
                    times.append((took[0], took[1]))
                out.append(_result(tool, times))
    finally:
        desk.close()
    return out


def _timed_pair(
    chance: random.Random, call: Callable[[str], object], names: tuple[str, str]
) -> tuple[float, float]:
    """Time both calls, by chance the one or the other first."""
    took, answers = [0.0, 0.0], []
    for side in chance.choice(_ORDERS):
        start = time.perf_counter()
        answers.append(call(names[side]))
        took[side] = time.perf_counter() - start
    assert answers[0] == answers[1], answers
    return took[0], took[1]


def _result(way: str, times: list[tuple[float, float]]) -> Result:
    medians = [percentile([pair[side] for pair in times], 0.5) for side in (0, 1)]
    slower, faster = max(medians), min(medians)
    which = "hidden" if medians[0] >= medians[1] else "missing"
    return Result(f"{way}: {which} vs the other, p50 of {len(times):,}", slower, faster, CLOSE)


def main() -> None:
    """Print each result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="memories")
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--model", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        for result in measure(Path(name), options.count, options.calls, model=options.model):
            print(result)


if __name__ == "__main__":
    main()
