"""Two instances of memtui, or memtui and programs that do not know it, change one store at the same time.

In each round some processes write into one store for a second: instances of memtui that edit, dismiss,
restore, add and undo, and a foreign writer of the race's kind. Each logs what it does and when. Then all of
them stop, and

- another program can read the whole store;
- for each text there is an order of everything that was done to it, by any process, which ends in what the
store has (`racing.history`): no acknowledged write is lost, and none that memtui refused was made;
- the mirror of each workspace agrees with the store, nothing is half done, no temporary files are left, and
the workspace file is sound.

Foreign programs without locks can lose writes that memtui cannot protect. The history allows for exactly
these:

- A program that reads a file, changes it and writes it back overwrites what memtui wrote in between. The log
says what it read, and when.
- A program that opens a file, and writes only after memtui has replaced it, writes into a file without a
name. memtui checks the old file twice after the replacement, and puts it back if it was written; later writes
are lost with it. The writer checks after each write whether its file still had the name; only if not, its
write may be missing. A writer that truncates the file when it opens it is always noticed, so its write must
be in the store, or in a file that memtui kept visibly.
- A program that writes between memtui's last check of a file and the exchange for its own, and again before
memtui has noticed that and put the original back, reads or writes memtui's bytes. memtui logs when it checks,
exchanges and puts back; if a foreign write ended after the last check before an exchange, and the next one
began before the original was back, the order of the round is not checked. This must stay rare
(`MAX_COLLISIONS`), which it would not if memtui checked the file any earlier.

Rounds whose order is not checked, or in which fewer than two processes wrote, do not count; others replace
them.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memtui.workspace.workspace import Workspace
from tests.soak.part import Minimum, Need, Report
from tests.soak.racing import stores as race_stores
from tests.soak.racing.actors import MEMTUI, Actors
from tests.soak.racing.foreign_writers import WHOLE_STORE
from tests.soak.racing.history import Step, find_unexplained
from tests.soak.racing.plain_reader import PlainReader
from tests.soak.racing.stores import NATIVE, Arena
from tests.support.demo_workspace import assert_in_sync
from tests.support.memory_disk import temp_folder

TITLE = "two memtuis, or memtui and foreign writers, change one store at once"
NEEDS: tuple[Need, ...] = ()
ROUNDS = 15  # of each race
VERBS = 14  # of each instance of memtui in a round
MAX_COLLISIONS = 0.3  # share of the rounds of a race
MAX_ROUNDS = 2 * ROUNDS  # rounds of a race, including those that do not count
KEEPS_DISMISSED = ("founder-os", NATIVE)  # formats whose dismissed memories stay in the store


@dataclass(frozen=True, slots=True)
class Race:
    """Which processes write into which store."""

    name: str
    format: str
    writer: str = ""
    journal: str = "wal"
    memtuis: int = 1
    workspaces: int = 1


RACES = (
    Race("two memtuis on one workspace", NATIVE, memtuis=2),
    Race("two memtuis on one workspace and a WAL database", "founder-os", memtuis=2),
    Race("two memtuis on one workspace and a file", "mcp-memory", memtuis=2),
    Race("two workspaces on one WAL database", "founder-os", memtuis=2, workspaces=2),
    Race("two workspaces on one file", "mcp-memory", memtuis=2, workspaces=2),
    Race("two workspaces on one folder", "claude-code", memtuis=2, workspaces=2),
    Race("SQLite writer, WAL", "founder-os", "sqlite"),
    Race("SQLite writer, rollback journal", "founder-os", "sqlite", journal="delete"),
    Race("truncating writer", "mcp-memory", "truncating"),
    Race("renaming editor", "mcp-memory", "renaming"),
    Race("appender", "mcp-memory", "appending"),
    Race("delete and make anew", "mcp-memory", "deleting"),
    Race("renaming editor in a folder", "claude-code", "notes-renaming"),
    Race("delete and make anew in a folder", "claude-code", "notes-deleting"),
)


MINIMUM = Minimum(ROUNDS * len(RACES), ROUNDS * len(RACES))


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a round: whether at least two processes wrote, whether a writer collided with an exchange,
    and all problems."""

    raced: bool
    collided: bool
    problems: list[str]


def run(report: Report) -> None:
    """Run all races, one after the other."""
    report.plan(ROUNDS * len(RACES))
    with temp_folder() as name, Actors() as actors, PlainReader() as reader:
        for race in RACES:
            folder = Path(name, race.name.replace(" ", "-"))
            template = race_stores.make(folder, race.format, race.journal, race.workspaces)
            _run_race(report, race, template, Path(name, "round"), actors, reader)


def _run_race(
    report: Report, race: Race, template: Arena, folder: Path, actors: Actors, reader: PlainReader
) -> None:
    """Run rounds until enough of them count."""
    collisions = counted = number = 0
    while counted < ROUNDS and number < MAX_ROUNDS:
        seed = f"{race.name} {number}"
        arena = template.copy_to(folder)
        try:
            result = _round(race, arena, seed, actors, reader)
        finally:
            shutil.rmtree(arena.folder)
        number += 1
        collisions += result.collided
        if result.raced and not result.collided:
            counted += 1
            report.add_rounds(1, faults=1)
        if result.problems:
            report.add_loss(f"seed {seed!r}:\n" + "\n".join(result.problems))
    if collisions > number * MAX_COLLISIONS:
        report.add_loss(f"{race.name}: a writer collided with an exchange in {collisions} of {number} rounds")


def _round(race: Race, arena: Arena, seed: str, actors: Actors, reader: PlainReader) -> Result:
    """Let all processes write at once, and check the result."""
    orders = _orders(race, arena, seed)
    ends = actors.run(orders)
    logs = [_entries(Path(order["log"])) for order in orders]
    errors = [[entry["error"] for entry in log if "error" in entry] for log in logs]
    problems = [
        f"{order['role']} ended badly: {end} {error}"
        for order, end, error in zip(orders, ends, errors, strict=True)
        if end
    ]
    collided = _collided(logs)
    try:
        after = reader.texts(arena.format, arena.path)
        problems += [] if collided else _lost_texts(arena, logs, after)
    except ValueError as error:
        problems.append(f"the store is damaged: {error}")
    problems += [f"left behind: {name}" for name in race_stores.leftovers(arena)]
    for path in arena.workspaces:
        problems += _problems_of(path)
    return Result(sum(any(map(_is_write, log)) for log in logs) > 1, collided, problems)


def _orders(race: Race, arena: Arena, seed: str) -> list[dict[str, Any]]:
    """Return what each actor is to do."""
    out: list[dict[str, Any]] = []
    for number in range(race.memtuis):
        path = arena.workspaces[number % len(arena.workspaces)]
        actor = {"role": MEMTUI, "name": "AB"[number], "workspace": str(path), "verbs": VERBS}
        out.append(actor | {"stores": {name: dict(adds) for name, adds in arena.adds.items()}})
    if race.writer:
        out.append({"role": race.writer, "path": str(arena.path)})
    for number, actor in enumerate(out):
        actor |= {"seed": f"{seed} {number}", "log": str(arena.folder / f"log-{number}")}
    return out


def _entries(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


def _is_write(entry: dict[str, Any]) -> bool:
    return entry.get("refused") == "" or entry.get("kind") in ("set", "add")


def _collided(logs: Sequence[Sequence[dict[str, Any]]]) -> bool:
    """Return whether a foreign write ended between the last check and an exchange that was put back, and the
    same program acted again before that."""
    foreign = [entry for log in logs for entry in log if "kind" in entry]
    return any(
        write["kind"] != "read"
        and checked < write["end"]
        and write["start"] < back
        and any(max(exchanged, write["end"]) < later["end"] and later["start"] < back for later in foreign)
        for log in logs
        for checked, exchanged, back in _put_back(log)
        for write in foreign
    )


def _put_back(log: Sequence[dict[str, Any]]) -> Iterator[tuple[float, float, float]]:
    """Yield when memtui last checked a file that it later put back, and from when to when its own bytes were
    in its place."""
    exchanged: tuple[float, float] | None = None
    for entry in sorted((e for e in log if "called" in e), key=lambda e: float(e["start"])):
        if entry["called"] == "exchange":
            exchanged = entry["checked"], entry["start"]
        elif entry["called"] == "remove":  # then none of memtui's bytes are there
            exchanged = None
        elif exchanged is not None:
            yield *exchanged, entry["end"]


# -- the history of each text


def _lost_texts(arena: Arena, logs: Sequence[Sequence[dict[str, Any]]], after: Sequence[str]) -> list[str]:
    """Return the texts whose number in the store no order of all steps explains; if dismissed memories stay
    in the store, also those that are wrongly live or dismissed."""
    keeps_dismissed = arena.format in KEEPS_DISMISSED
    before, found = Counter(race_stores.TEXTS), Counter(after)
    if keeps_dismissed:
        before.update(f"live:{text.split()[0]}" for text in race_stores.TEXTS)
    recovered = b"\n".join(race_stores.recovered(arena)).decode()
    texts = {*before, *found}
    for log in logs:
        for entry in log:
            texts |= {*entry.get("texts", ()), *entry.get("changes", {}), *_changes(entry, keeps_dismissed)}
    out = []
    for text in sorted(texts):
        steps = [
            [step for entry in log for step in _steps(entry, text, recovered, keeps_dismissed)]
            for log in logs
        ]
        stuck = find_unexplained(before[text], steps, found[text])
        if stuck is not None:
            out.append(f"{text!r} is there {found[text]} times, which nothing explains beyond {stuck}")
    return out


def _steps(entry: dict[str, Any], text: str, recovered: str, keeps_dismissed: bool) -> list[Step]:
    """Return what an entry of a log did to a text."""
    if "error" in entry or "called" in entry:
        return []
    interval = entry["start"], entry["end"]
    if "verb" in entry or entry["kind"] == "add":
        number = entry["changes"].get(text, 0) if "kind" in entry else _changes(entry, keeps_dismissed)[text]
        return [Step(*interval, "add", number, may_fail=entry.get("displaced", False))] if number else []
    if entry["scope"] not in (WHOLE_STORE, text.split()[0]):
        return []
    number = entry["texts"].count(text)
    if entry["kind"] == "read":
        return [Step(*interval, "read", number)]
    was_recovered = bool(recovered) and all(json.dumps(each)[1:-1] in recovered for each in entry["texts"])
    return [Step(*interval, "set", number, may_fail=was_recovered)]


def _changes(entry: dict[str, Any], keeps_dismissed: bool) -> Counter[str]:
    """Return how many more or fewer of each text a verb of memtui made; nothing if it was refused."""
    out: Counter[str] = Counter()
    for item in entry.get("items", ()):
        if item["state"] == "refused":
            continue
        for sign, fields in ((-1, item["before"]), (1, item["after"])):
            text = fields.get("content", item["content"])
            present = fields.get("here", True)
            live = present and fields.get("status", "") != "dismissed"
            out[text] += sign * (present if keeps_dismissed else live)
            if keeps_dismissed:
                out[f"live:{text.split()[0]}"] += sign * live
    return out


# -- checks of a workspace


def _problems_of(path: Path) -> list[str]:
    """Open a workspace and pull; return what is wrong with it."""
    workspace = Workspace.open(path)
    try:
        return [f"{path.parent.name}: {name}: {error}" for name, error in _checks(workspace)]
    finally:
        workspace.close()


def _checks(workspace: Workspace) -> list[tuple[str, str]]:
    db = workspace._ctx.db
    pulled = workspace.pull()
    checks: dict[str, Callable[[], object]] = {
        "agrees": lambda: assert_in_sync(workspace),
        "settled": lambda: _assert_empty([e.id for e in workspace.journal() if e.state == "intended"]),
        "outbox": lambda: _assert_empty(db.rows("SELECT item_id FROM outbox WHERE state = 'intended'")),
        "sound": lambda: _assert_empty([row for row in db.rows("PRAGMA integrity_check") if row != ("ok",)]),
        "pulled": lambda: _assert_empty([*pulled.errors.items(), *pulled.postponed]),
        "pulled again": lambda: _assert_empty(list(workspace.pull().changes)),
    }
    out = []
    for name, check in checks.items():
        try:
            check()
        except Exception as error:
            out.append((name, f"{type(error).__name__}: {error}"))
    return out


def _assert_empty(found: Sequence[object]) -> None:
    assert not found, found
