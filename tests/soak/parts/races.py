"""Two memtuis, and programs that know nothing of memtui, change one store at the same time.

In each round some processes write into one store for a second: memtuis that edit, dismiss, restore, add
and undo, and a foreign writer of the kind that the round is about. Each logs what it did and when.
Then everything stops, and

- a reader that is neither reads the store whole;
- for each text there is an order of all that was done to it, by anybody, which ends in what the store
  holds (`racing.history`): no acknowledged write of anybody is lost, none that memtui refused was made;
- the mirror of each workspace agrees with the store, nothing is half done or left lying about, and the
  workspace's file is sound.

Foreign programs without locks can lose what memtui cannot keep, and the history allows for just these:

- One that reads a file, changes it and writes all of it overwrites what memtui wrote between its reading
  and its writing. The log says what it read, and when.
- One that opens a file, is overtaken by memtui's replacing the file, and writes only then, writes into a
  file without a name. memtui looks at the old file twice after replacing it, and puts it back if
  somebody wrote into it; what is written later goes with it. The writer finds after each write whether
  its file still had the name; only then its write may be missing. A writer that empties the file when it
  opens it is always noticed, so this is never allowed to it: its write must be in the store, or in a
  file that memtui set aside in sight.
- One that writes in the instant between memtui's last look at a file and its exchanging it for its own,
  and comes again before memtui has seen that and put the original back, reads or writes memtui's bytes.
  memtui logs when it looks, exchanges and puts back; where a foreign write ended after the last look before
  an exchange and the next one began before the original was back, the order of the round is not asked for.
  This must stay rare (`MOST_MET`): it would not, if memtui looked at the file any earlier.

Rounds whose order is not asked for, or in which fewer than two wrote, do not count; others take their place.
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
VERBS = 14  # of each memtui in a round
MOST_MET = 0.3  # of the rounds of a race
MOST_TRIED = 2 * ROUNDS  # rounds of a race, with those that do not count
STAYS = ("founder-os", NATIVE)  # formats whose dismissed memories stay in the store


@dataclass(frozen=True, slots=True)
class Race:
    """Who writes into what."""

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


LEAST = Minimum(ROUNDS * len(RACES), ROUNDS * len(RACES))


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a round: whether at least two wrote, whether memtui met a writer at the instant of
    an exchange, and all that is wrong."""

    raced: bool
    met: bool
    troubles: list[str]


def run(report: Report) -> None:
    """All races, in turn."""
    report.plan(ROUNDS * len(RACES))
    with temp_folder() as name, Actors() as actors, PlainReader() as reader:
        for race in RACES:
            folder = Path(name, race.name.replace(" ", "-"))
            template = race_stores.make(folder, race.format, race.journal, race.workspaces)
            _run_race(report, race, template, Path(name, "round"), actors, reader)


def _run_race(
    report: Report, race: Race, template: Arena, folder: Path, actors: Actors, reader: PlainReader
) -> None:
    """Rounds until there are enough that count."""
    met = counted = tried = 0
    while counted < ROUNDS and tried < MOST_TRIED:
        seed = f"{race.name} {tried}"
        arena = template.copied(folder)
        try:
            result = _round(race, arena, seed, actors, reader)
        finally:
            shutil.rmtree(arena.folder)
        tried += 1
        met += result.met
        if result.raced and not result.met:
            counted += 1
            report.done(1, faults=1)
        if result.troubles:
            report.loss(f"seed {seed!r}:\n" + "\n".join(result.troubles))
    if met > tried * MOST_MET:
        report.loss(f"{race.name}: memtui met a writer at an exchange in {met} of {tried} rounds")


def _round(race: Race, arena: Arena, seed: str, actors: Actors, reader: PlainReader) -> Result:
    """Let everybody write at once."""
    orders = _orders(race, arena, seed)
    ended = actors.run(orders)
    logs = [_entries(Path(order["log"])) for order in orders]
    broken = [[entry["broke"] for entry in log if "broke" in entry] for log in logs]
    troubles = [
        f"{order['role']} ended badly: {end} {why}"
        for order, end, why in zip(orders, ended, broken, strict=True)
        if end
    ]
    met = _met(logs)
    try:
        after = reader.texts(arena.format, arena.place)
        troubles += [] if met else _lost(arena, logs, after)
    except ValueError as trouble:
        troubles.append(f"the store is not whole: {trouble}")
    troubles += [f"left lying about: {name}" for name in race_stores.leftovers(arena)]
    for path in arena.workspaces:
        troubles += _wrong_in(path)
    return Result(sum(any(map(_is_write, log)) for log in logs) > 1, met, troubles)


def _orders(race: Race, arena: Arena, seed: str) -> list[dict[str, Any]]:
    """What each actor is to do."""
    out: list[dict[str, Any]] = []
    for number in range(race.memtuis):
        path = arena.workspaces[number % len(arena.workspaces)]
        actor = {"role": MEMTUI, "name": "AB"[number], "workspace": str(path), "verbs": VERBS}
        out.append(actor | {"stores": {name: dict(adds) for name, adds in arena.adds.items()}})
    if race.writer:
        out.append({"role": race.writer, "place": str(arena.place)})
    for number, actor in enumerate(out):
        actor |= {"seed": f"{seed} {number}", "log": str(arena.folder / f"log-{number}")}
    return out


def _entries(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


def _is_write(entry: dict[str, Any]) -> bool:
    return entry.get("refused") == "" or entry.get("kind") in ("set", "add")


def _met(logs: Sequence[Sequence[dict[str, Any]]]) -> bool:
    """Whether a foreign write ended between the last look and an exchange that was put back, and the same
    program came again before it was."""
    foreign = [entry for log in logs for entry in log if "kind" in entry]
    return any(
        hidden["kind"] != "read"
        and looked < hidden["end"]
        and hidden["start"] < back
        and any(max(exchanged, hidden["end"]) < again["end"] and again["start"] < back for again in foreign)
        for log in logs
        for looked, exchanged, back in _put_back(log)
        for hidden in foreign
    )


def _put_back(log: Sequence[dict[str, Any]]) -> Iterator[tuple[float, float, float]]:
    """When a memtui last looked at an original that it then put back, and from when to when its own bytes
    were in its place."""
    exchanged: tuple[float, float] | None = None
    for entry in sorted((e for e in log if "called" in e), key=lambda e: float(e["start"])):
        if entry["called"] == "exchange":
            exchanged = entry["looked"], entry["start"]
        elif entry["called"] == "take_away":  # then nothing of memtui's is there
            exchanged = None
        elif exchanged is not None:
            yield *exchanged, entry["end"]


# -- what must have become of each text


def _lost(arena: Arena, logs: Sequence[Sequence[dict[str, Any]]], after: Sequence[str]) -> list[str]:
    """The texts of which no order of all steps explains how often they are there; and where dismissed
    memories stay in their store, the same of which are live."""
    stays = arena.format in STAYS
    before, there = Counter(race_stores.TEXTS), Counter(after)
    if stays:
        before.update(f"live:{text.split()[0]}" for text in race_stores.TEXTS)
    aside = b"\n".join(race_stores.recovered(arena)).decode()
    known = {*before, *there}
    for log in logs:
        for entry in log:
            known |= {*entry.get("texts", ()), *entry.get("changes", {}), *_changes(entry, stays)}
    out = []
    for text in sorted(known):
        steps = [[step for entry in log for step in _steps(entry, text, aside, stays)] for log in logs]
        stuck = find_unexplained(before[text], steps, there[text])
        if stuck is not None:
            out.append(f"{text!r} is there {there[text]} times, which nothing explains beyond {stuck}")
    return out


def _steps(entry: dict[str, Any], text: str, aside: str, stays: bool) -> list[Step]:
    """What an entry of a log did to a text."""
    if "broke" in entry or "called" in entry:
        return []
    between = entry["start"], entry["end"]
    if "verb" in entry or entry["kind"] == "add":
        number = entry["changes"].get(text, 0) if "kind" in entry else _changes(entry, stays)[text]
        return [Step(*between, "add", number, may_fail=entry.get("displaced", False))] if number else []
    if entry["scope"] not in (WHOLE_STORE, text.split()[0]):
        return []
    number = entry["texts"].count(text)
    if entry["kind"] == "read":
        return [Step(*between, "read", number)]
    set_aside = bool(aside) and all(json.dumps(each)[1:-1] in aside for each in entry["texts"])
    return [Step(*between, "set", number, may_fail=set_aside)]


def _changes(entry: dict[str, Any], stays: bool) -> Counter[str]:
    """How many more or fewer of each text a verb of memtui made; nothing, where it was refused."""
    out: Counter[str] = Counter()
    for item in entry.get("items", ()):
        if item["state"] == "refused":
            continue
        for sign, said in ((-1, item["before"]), (1, item["after"])):
            text = said.get("content", item["content"])
            here = said.get("here", True)
            live = here and said.get("status", "") != "dismissed"
            out[text] += sign * (here if stays else live)
            if stays:
                out[f"live:{text.split()[0]}"] += sign * live
    return out


# -- what must be true of a workspace


def _wrong_in(path: Path) -> list[str]:
    """What is wrong with a workspace once it is opened and has looked at its stores."""
    workspace = Workspace.open(path)
    try:
        return [f"{path.parent.name}: {name}: {why}" for name, why in _checks(workspace)]
    finally:
        workspace.close()


def _checks(workspace: Workspace) -> list[tuple[str, str]]:
    db = workspace._ctx.db
    pulled = workspace.pull()
    checks: dict[str, Callable[[], object]] = {
        "agrees": lambda: assert_in_sync(workspace),
        "settled": lambda: _nothing([e.id for e in workspace.journal() if e.state == "intended"]),
        "outbox": lambda: _nothing(db.rows("SELECT item_id FROM outbox WHERE state = 'intended'")),
        "sound": lambda: _nothing([row for row in db.rows("PRAGMA integrity_check") if row != ("ok",)]),
        "pulled": lambda: _nothing([*pulled.errors.items(), *pulled.postponed]),
        "pulled again": lambda: _nothing(list(workspace.pull().changes)),
    }
    out = []
    for name, check in checks.items():
        try:
            check()
        except Exception as trouble:
            out.append((name, f"{type(trouble).__name__}: {trouble}"))
    return out


def _nothing(found: Sequence[object]) -> None:
    assert not found, found
