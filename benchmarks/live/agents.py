"""An agent that writes memories into three stores at a constant rate, in a process of its own.

python -m benchmarks.live.agents FOLDER NAME CHANGES RATE [BEGIN PERIOD]; prints what it wrote as JSON. It
starts at once, or at BEGIN by the monotonic clock; with a PERIOD (seconds) it works and pauses for such
periods in turn. Each change is an insert, an update, a file, a line of an index or a line of a JSONL file,
written as real agents do: a database in transactions, files by rename, JSONL and index by appending.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import apsw

STORES = ("memory.db", "memory", "memory.jsonl")


def make_stores(folder: Path, count: int) -> list[Path]:
    """Make three stores with `count` memories each."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in STORES]
    connection = apsw.Connection(str(paths[0]))
    connection.pragma("journal_mode", "wal")
    connection.execute(
        "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, category TEXT NOT NULL, "
        "content TEXT NOT NULL, source_plugin TEXT NOT NULL, confidence INTEGER NOT NULL, status TEXT, "
        "tags TEXT, times_used INTEGER DEFAULT 0, times_confirmed INTEGER DEFAULT 0, created_at INTEGER, "
        "updated_at INTEGER)"
    )
    with connection:
        connection.executemany(
            "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status, "
            "created_at, updated_at) VALUES (?, ?, 'fact', ?, 'P1', 50, 'confirmed', ?, ?)",
            (
                (
                    f"r{n}",
                    f"row-{n}",
                    f"Row number {n} of the database.",
                    1_700_000_000 + n,
                    1_700_000_000 + n,
                )
                for n in range(count)
            ),
        )
    connection.close()
    paths[1].mkdir()
    lines = []
    for n in range(count):
        (paths[1] / f"file_{n}.md").write_text(_note_text(f"file {n}", f"File number {n} of the folder."))
        lines.append(f"- [file {n}](file_{n}.md) — one of many\n")
    (paths[1] / "MEMORY.md").write_text("".join(lines))
    entities = [
        {
            "type": "entity",
            "name": f"Entity {n}",
            "entityType": "thing",
            "observations": [f"Line number {n}."],
        }
        for n in range(count)
    ]
    paths[2].write_text("".join(json.dumps(entity) + "\n" for entity in entities))
    return paths


def _note_text(name: str, text: str) -> str:
    return f"---\nname: {name}\ndescription: one of many\ntype: project\n---\n\n{text}\n"


def start_agent(
    folder: Path, name: str, changes: int, rate: float, begin: float = 0.0, period: float = 0.0
) -> subprocess.Popen[str]:
    """Start an agent; at its end it prints what it wrote."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "benchmarks.live.agents", str(folder), name, str(changes), str(rate)]
    command += [str(begin), str(period)]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)


def work(
    folder: Path, name: str, changes: int, rate: float, begin: float = 0.0, period: float = 0.0
) -> dict[str, dict[str, str]]:
    """Make the changes; return the final texts of this agent, by store and name."""
    database, notes, lines = (folder / each for each in STORES)
    written: dict[str, dict[str, str]] = {each: {} for each in STORES}
    connection = apsw.Connection(str(database))
    connection.set_busy_timeout(5000)
    begin = begin or time.monotonic()
    for n in range(changes):
        paused = n / rate // period * period if period else 0.0
        time.sleep(max(0.0, begin + n / rate + paused - time.monotonic()))
        round, kind = divmod(n, 3)
        text = f"{name} says this as change {n}."
        if kind == 0:
            key = f"{name}-{round % 40}"
            connection.execute(
                "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status, "
                "created_at, updated_at) VALUES (?1, ?1, 'fact', ?2, 'P2', 50, 'candidate', ?3, ?3) "
                "ON CONFLICT (id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at",
                (key, text, int(time.time())),
            )
            written[STORES[0]][key] = text
        elif kind == 1:
            file = notes / f"{name}_{round % 40}.md"
            new_file = notes / f".{name}.tmp"
            new_file.write_text(_note_text(file.stem, text))
            existed = file.exists()
            os.replace(new_file, file)
            if not existed:
                with (notes / "MEMORY.md").open("a") as index:
                    index.write(f"- [{file.stem}]({file.name}) — by {name}\n")
            written[STORES[1]][file.name] = text
        else:
            entity = f"{name} {round}"
            line = {"type": "entity", "name": entity, "entityType": "thing", "observations": [text]}
            with lines.open("a") as store:
                store.write(json.dumps(line) + "\n")
            written[STORES[2]][entity] = text
    connection.close()
    return written


def lost_writes(folder: Path, written: dict[str, dict[str, str]]) -> list[str]:
    """Return what an agent wrote and the stores no longer contain."""
    connection = apsw.Connection(str(folder / STORES[0]))
    rows = {row[0]: row[1] for row in connection.execute("SELECT id, content FROM memories")}
    connection.close()
    objects = [json.loads(line) for line in (folder / STORES[2]).read_text().splitlines() if line.strip()]
    lines = {each["name"]: each["observations"] for each in objects}
    lost = [f"row {key}" for key, text in written[STORES[0]].items() if rows.get(key) != text]
    for name, text in written[STORES[1]].items():
        file = folder / STORES[1] / name
        if not file.exists() or text not in file.read_text():
            lost.append(f"file {name}")
        if f"]({name})" not in (folder / STORES[1] / "MEMORY.md").read_text():
            lost.append(f"line of {name}")
    lost += [f"entity {name}" for name, text in written[STORES[2]].items() if text not in lines.get(name, ())]
    return lost


if __name__ == "__main__":
    print(json.dumps(work(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *map(float, sys.argv[4:]))))
