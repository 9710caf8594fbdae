"""Random rules, writes by people and agents, undos, restarts: what the engine made of it, step by step, is
what judging each memory from scratch gives (S-60)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.workspace import workspace as facade
from memtui.workspace.background import JobControl
from memtui.workspace.rules import sweep
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import MAKERS, ContradictionStores
from tests.support.sizes import rounds
from tests.workspace.rules.plain_rules import DAY, Plain, rows

WORDS = ("monday", "friday", "bystander", "home", "zebra", "alpha", "redis")
PARTS = (
    *WORDS, "tag:alpha", "tag:beta", "tag:t1", "category:fact", "category:project", "is:pinned",
    "updated:>5d", "updated:>30d", "store:native", "store:founder-os", "store:mcp-memory",
    "scope:private", "has:expiry",
)  # fmt: skip
ACTIONS = (
    "pin", "pin", "tag=alpha", "tag=beta", "tag=gamma", "scope=private", "scope=fleet", "category=fact",
    "category=project", "importance=0.5", "importance=0.75", "expire=30d", "expire=400d", "inbox", "dismiss",
    "half-life=20d", "half-life=300d",
)  # fmt: skip
FIELDS = (
    ("content", "A zebra on Monday."), ("content", "Alpha at home."), ("content", "Nothing of note."),
    ("category", "fact"), ("category", "project"), ("tags", ("alpha",)), ("tags", ("beta", "own")),
    ("tags", ()), ("scope", "private"), ("scope", None), ("importance", 0.5),
    ("importance", 0.25), ("expires_at", 1.9e9),
    ("expires_at", None), ("title", "Zebra"),
)  # fmt: skip


class Trial:
    """One workspace, and the model of it."""

    def __init__(self, folder: Path, chance: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
        formats = ("native", *chance.sample(list(MAKERS), 2))
        self.stores = ContradictionStores(folder, formats).create()
        self.chance, self.model, self.now = chance, Plain(), self.stores.clock.now
        self.judged: list[int] = []
        self.log: list[Any] = []
        apply = sweep.apply

        def recorded(ctx: Any, queued: Mapping[int, int], duplicates: Any = None) -> None:
            apply(ctx, queued, duplicates)
            self.judged += queued

        monkeypatch.setattr(sweep, "apply", recorded)
        monkeypatch.setattr(sweep, "BATCH", 5)
        self.work = self.opened()

    def opened(self) -> Workspace:
        return Workspace.open(self.stores.path, clock=lambda: self.now)

    def run(self, steps: int) -> None:
        for number in range(steps):
            self.now += 1
            step = self.chance.choices(list(STEPS), [STEPS[each] for each in STEPS])[0]
            self.log.append((number, step.__name__))
            with suppress(Refused):
                step(self)
            if self.chance.random() < 0.4:
                self.sweep(stop=self.chance.random() < 0.2)
        self.now += 3_601
        self.sweep()

    def sweep(self, *, stop: bool = False) -> None:
        before, self.judged = rows(self.work), []
        self.model.begin(self.work)
        left = self.chance.randrange(3)
        control = JobControl(stop=lambda: stop and len(self.judged) > 5 * left)
        self.work.apply_rules(control)
        ids = set(self.judged) if stop else before.keys()
        found = self.model.judge(self.work, before, set(ids), self.now)
        assert not found, (found, self.rules(), self.log[-12:])

    def rules(self) -> list[str]:
        return [
            f"{r.id} {r.on} {r.when} -> {', '.join(a.text for a in r.actions)}" for r in self.work.rules()
        ]

    # -- steps

    def id(self) -> int:
        return int(self.chance.choice(self.work._ctx.db.rows("SELECT id FROM memories"))[0])

    def name(self) -> str:
        return self.chance.choice(self.work.rules()).name if self.work.rules() else "none"

    def query(self) -> str:
        count = self.chance.choice((1, 1, 2, 3))
        parts = {
            each.partition(":")[0]: each for each in self.chance.sample(PARTS, count)
        }  # each filter once
        query = " ".join("-" + each if self.chance.random() < 0.25 else each for each in parts.values())
        return f"{query} -tag:none"  # the last word of a query would be the beginning of one

    def actions(self) -> list[str]:
        chosen = self.chance.sample(ACTIONS, self.chance.choice((1, 1, 2, 3)))
        kinds = {each.partition("=")[0]: each for each in chosen}
        return list(kinds.values())

    def add_rule(self) -> None:
        if len(self.work.rules()) < 6:
            name = f"r{self.chance.randrange(100)}"
            self.work.add_rule(name, self.query(), self.actions(), self.chance.choice(("", "a note")))
            self.work.turn_rule(name, on=True)

    def change_rule(self) -> None:
        name = self.name()
        kind = self.chance.choice(("on", "on", "when", "actions", "name", "note", "move", "remove"))
        if kind == "on":
            self.work.turn_rule(name, on=self.chance.random() < 0.5)
        elif kind == "when":
            self.work.edit_rule(name, when=self.query())
        elif kind == "actions":
            self.work.edit_rule(name, actions=self.actions())
        elif kind == "name":
            self.work.edit_rule(name, new_name=f"r{self.chance.randrange(100)}")
        elif kind == "note":
            self.work.edit_rule(name, note=self.chance.choice(("", "a note", "another note")))
        elif kind == "move":
            self.work.move_rule(name, self.chance.choice((-2, -1, 1, 2)))
        else:
            self.work.remove_rule(name)

    def verb(self) -> None:
        verb = self.chance.choice(
            ("pin", "unpin", "confirm", "confirm", "dismiss", "restore", "restore", "forget")
        )
        getattr(self.work, verb)([self.id()])

    def edit(self) -> None:
        name, value = self.chance.choice(FIELDS)
        self.work.edit([self.id() for _ in range(self.chance.choice((1, 1, 3)))], {name: value})

    def retag(self) -> None:
        self.work.edit([self.id()], {}, retag=lambda tags: (*tags, "delta"))

    def add(self) -> None:
        words = " ".join(self.chance.sample(WORDS, 3))
        self.work.add({"content": f"{words}, number {self.chance.random()}"})

    def undo(self) -> None:
        self.work.undo()

    def redo(self) -> None:
        self.work.redo()

    def undo_any(self) -> None:
        events = [each for each in self.work.journal(60) if each.undoable]
        by_rules = [each for each in events if each.actor.startswith("rule:")]
        if found := by_rules if by_rules and self.chance.random() < 0.6 else events:
            self.work.undo(self.chance.choice(found).id)

    def clock(self) -> None:
        self.now += self.chance.choice((0.1, 6.3, 31.7)) * DAY

    def restart(self) -> None:
        self.work.close()
        self.work = self.opened()

    def agent(self) -> None:
        format = self.chance.choice(list(self.stores.store_paths))
        if format in AGENTS:
            AGENTS[format](self.stores.store_paths[format], self.chance)
        self.work.pull()


STEPS: dict[Callable[[Trial], None], int] = {
    Trial.add_rule: 8, Trial.change_rule: 10, Trial.verb: 14, Trial.edit: 14, Trial.retag: 3, Trial.add: 3,
    Trial.undo: 8, Trial.redo: 5, Trial.undo_any: 8, Trial.clock: 4, Trial.restart: 2, Trial.agent: 7,
}  # fmt: skip


def _in_a_graph(path: Path, chance: random.Random) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    entities = [each for each in lines if each["type"] == "entity"]
    if not entities:
        return
    entity = chance.choice(entities)
    if entity["observations"] and chance.random() < 0.3:
        entity["observations"].pop()
    else:
        entity["observations"].append(f"{chance.choice(WORDS)} {chance.random()}")
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")


def _in_files(path: Path, chance: random.Random) -> None:
    files = sorted(path.glob("n*.md"))
    if files:
        file = chance.choice(files)
        file.write_text(file.read_text() + f"\nAlso {chance.choice(WORDS)}.\n")


def _in_rows(path: Path, chance: random.Random) -> None:
    connection = apsw.Connection(str(path))
    field, value = chance.choice(
        (
            ("category", "pattern"),
            ("tags", '["alpha"]'),
            ("content", f"Alpha {chance.random()}"),
            ("confidence", 90),
        )
    )
    connection.execute(
        f"UPDATE memories SET {field} = ?, updated_at = updated_at + 1000 WHERE rowid = ?",
        (value, chance.randrange(1, 5)),
    )
    connection.close()


AGENTS: dict[str, Callable[[Path, random.Random], None]] = {
    "mcp-memory": _in_a_graph, "claude-code": _in_files, "founder-os": _in_rows,
}  # fmt: skip


@pytest.mark.parametrize("seed", range(rounds(2, 100)))
def test_rules_give_what_judging_each_memory_from_scratch_gives(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facade, "_apply_rules", lambda ctx: None)  # so that each step's own effect is seen
    trial = Trial(tmp_path, random.Random(seed), monkeypatch)
    try:
        trial.run(rounds(60, 300))
    finally:
        trial.work.close()
