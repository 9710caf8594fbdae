"""One round with a program that owns a store: the owner writes, memtui changes and undoes, and each reads
what the other wrote, one step at a time.

After each step the owner must read what the step asked for, and the same as memtui.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic

from memtui.errors import Refused
from memtui.memory.journal import Event
from memtui.memory.results import Change, TransferResult
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Data, Owner, RoundFailed, S, Step, User
from tests.soak.owners.texts import Texts
from tests.soak.part import Report
from tests.support.demo_workspace import Clock

# Codes with which a verb may be refused if the owner has written since memtui last read.
STALE_CODES = frozenset(
    ("conflict", "gone", "exists", "changed", "changed-since", "no-relation", "same", "category")
)
_MAX_LOG = 14  # steps that are printed with a loss
_MAX_SHOWN = 3_000  # characters of a difference that are printed


UserFactory = Callable[[random.Random, Texts, Workspace], User[S]]


def run(report: Report, seeds: range, folder: Path, owner: Owner[S], user: UserFactory[S]) -> None:
    """Run a round for each seed, and count those in which the owner read what memtui wrote."""
    report.plan(len(seeds))
    for seed in seeds:
        own = folder / str(seed)
        _run_round(report, seed, own, owner, user)
        shutil.rmtree(own)


def _run_round(report: Report, seed: int, folder: Path, owner: Owner[S], user: UserFactory[S]) -> None:
    round = Round(seed, folder, owner, user)
    try:
        round.run()
    except RoundFailed as error:
        report.add_loss(f"seed {seed}: {str(error)[:_MAX_SHOWN]}\n  " + "\n  ".join(round.log[-_MAX_LOG:]))
    else:
        if round.minor_problems:
            first = round.minor_problems[0][:_MAX_SHOWN]
            report.add_loss(f"seed {seed}: {len(round.minor_problems)} times, at first after {first}")
    finally:
        round.close()
    report.add_rounds(int(round.written > 0))


@dataclass(frozen=True, slots=True)
class AppliedStep(Generic[S]):
    """A change: the owner's state and the bytes before and after it; `line` of the journal, if an agent's."""

    description: str
    before: tuple[S, Data]
    after: tuple[S, Data]
    line: int | None = None


class Round(Generic[S]):
    """One store, its owner and a workspace on it."""

    def __init__(self, seed: int, folder: Path, owner: Owner[S], user: UserFactory[S]) -> None:
        self._chance = random.Random(seed)
        self._texts = Texts(self._chance)
        self._owner = owner
        self._workspace = Workspace.open(folder / "workspace.db", clock=Clock())
        self._user = user(self._chance, self._texts, self._workspace)
        self._undoable: list[AppliedStep[S]] = []
        self._redoable: list[AppliedStep[S]] = []
        self.log: list[str] = []
        self.minor_problems: list[str] = []
        self.written = 0
        """How often memtui changed the store, and the owner read it afterwards."""

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close()

    def run(self) -> None:
        """Change, undo and redo; let the owner write; change and undo again."""
        self._begin()
        first = self._owner.data()
        for _ in range(self._chance.randint(4, 9)):
            self._act_alone()
        if self._chance.random() < 0.5:
            while self._undoable:
                self._undo()
            self._assert_bytes(first, "all is undone")
            while self._redoable:
                self._redo()
        if self._chance.random() < 0.25:
            self._owner.restart()
        self._owner_writes()
        entry_id, second = self._workspace.journal(1)[0].id, self._owner.data()
        unseen = [self._act_after_owner() for _ in range(self._chance.randint(1, 4))]
        if any(unseen):
            self._owner_writes()
        else:
            self._undo_entries(entry_id)
            self._assert_bytes(second, "all is undone entry by entry")
        self._undo_what_can_be()

    def _begin(self) -> None:
        self._owner.begin(self._chance, self._texts)
        if self._chance.random() < 0.1:  # a store may also be created by memtui
            self._workspace.create_store(self._owner.format, self._owner.path, STORE)
        else:
            for _ in range(self._chance.randint(2, 6)):
                self.log.append(f"the owner writes {self._owner.write()}")
            before = self._owner.data()
            self._workspace.attach(self._owner.path, STORE)
            self._assert_bytes(before, "memtui has attached it")
        self._agree()

    # -- agreement

    def _agree(self) -> S:
        """Check that the owner and memtui agree, and return the owner's state."""
        state = self._owner.read()
        if differences := self._owner.differences(state, self._workspace):
            raise RoundFailed(f"the owner and memtui disagree: {differences}")
        self._user.state = state
        return state

    def _pull(self) -> None:
        if errors := self._workspace.pull().errors:
            raise RoundFailed(f"memtui cannot read what the owner wrote: {errors}")

    def _assert_bytes(self, expected: Data, when: str) -> None:
        data = self._owner.data()
        names = [name for name in data.keys() | expected.keys() if data.get(name) != expected.get(name)]
        if names:
            details = "; ".join(
                f"{name}: {data.get(name)!r}\n  and not {expected.get(name)!r}" for name in names
            )
            raise RoundFailed(f"{when}, and yet the bytes are not as before: {details}")

    # -- the user alone

    def _act_alone(self) -> None:
        """Run a verb, an undo or a redo, while nothing else writes."""
        draw = self._chance.random()
        if draw < 0.2 and self._undoable:
            self._undo()
        elif draw < 0.3 and self._redoable:
            self._redo()
        else:
            self._do(self._user.choose())
        if self._chance.random() < 0.2:
            self._owner.probe(self._user.state)
        if self._chance.random() < 0.2 and self._workspace.pull().total:
            raise RoundFailed("a pull brings news where nobody else wrote")

    def _act_after_owner(self) -> bool:
        """Run a verb, before which the owner may write unseen by memtui; return whether it did."""
        step, unseen = self._user.choose(), self._chance.random() < 0.4
        if unseen:
            self.log.append(f"the owner writes, unseen by memtui, {self._owner.write()}")
        self._do(step, STALE_CODES if unseen else frozenset())
        return unseen

    def _do(self, step: Step[S], refusals: frozenset[str] = frozenset()) -> None:
        self.log.append(step.description)
        before = self._owner.read(), self._owner.data()
        try:
            change = step.act()
        except Refused as refused:
            if refused.code not in step.refusals | refusals:
                raise RoundFailed(f"refused: {refused.message} ({refused.code})") from refused
            self.log.append(f"  refused: {refused.code}")
            self._assert_bytes(before[1], "it was refused")
        else:
            after = self._owner.read(), self._owner.data()
            if step.refusals and not refusals:
                raise RoundFailed(f"not refused ({', '.join(step.refusals)})")
            if isinstance(change, Change) and change.skipped and not refusals:
                raise RoundFailed(f"left undone: {change.skipped}")
            if problem := step.check(before[0], after[0], change):
                raise RoundFailed(f"not what was asked for: {problem}")
            if problem := step.minor_check(before[0], after[0], change):
                self.minor_problems.append(f"{step.description}: {problem}")
            self._undoable, self._redoable = (
                [*self._undoable, AppliedStep(step.description, before, after, self._agents_line(change))],
                [],
            )
            self.written += before[1] != after[1]
        if refusals:  # the owner wrote in between
            self._pull()
        self._agree()

    def _agents_line(self, change: Change | TransferResult) -> int | None:
        """Return the line of an agent's change, which is undone by that alone; None for the user's."""
        newest = self._workspace.journal(1)[0]
        is_agents = isinstance(change, Change) and newest.actor.startswith("agent:")
        return newest.id if is_agents else None

    def _undo(self) -> None:
        step = self._undoable.pop()
        self.log.append(f"undo: {step.description}")
        self._reverse(partial(self._workspace.undo, step.line), step.before)
        self._redoable.append(step)

    def _redo(self) -> None:
        step = self._redoable.pop()
        self.log.append(f"redo: {step.description}")
        self._reverse(self._workspace.redo, step.after)
        self._undoable.append(step)

    def _reverse(self, act: Callable[[], Change], expected: tuple[S, Data]) -> None:
        try:
            act()
        except Refused as refused:
            raise RoundFailed(
                f"the newest change is refused: {refused.message} ({refused.code})"
            ) from refused
        if (state := self._agree()) != expected[0]:
            raise RoundFailed(f"the owner reads {state}\n  and not {expected[0]}")
        self._assert_bytes(expected[1], "it is undone or redone")
        self.written += 1

    # -- the user and agents

    def _owner_writes(self) -> None:
        """Let the owner write, and memtui pull."""
        for _ in range(self._chance.randint(1, 3)):
            self.log.append(f"the owner writes {self._owner.write()}")
        self._pull()
        self._agree()

    def _own_entries(self) -> list[Event]:
        """Return the entries of the user, and of agents in memtui, that can be undone, newest first."""
        events = self._workspace.journal()
        own = [each for each in events if each.actor == "person" or each.actor.startswith("agent:")]
        return [each for each in own if each.undoable and each.undoes is None]

    def _undo_entries(self, after: int) -> None:
        """Undo the entries since `after` in any order, and then the rest, newest first."""
        entries = [event.id for event in self._own_entries() if event.id > after]
        self._chance.shuffle(entries)
        for entry_id in entries:
            with suppress(Refused):  # some depend on others that are not undone yet
                self._workspace.undo(entry_id)
                self.log.append(f"undo entry {entry_id}")
            self._agree()
        for _ in entries:
            for event in [each for each in self._own_entries() if each.id > after][:1]:
                self.log.append(f"undo entry {event.id}, the newest: {event.summary}")
                try:
                    self._workspace.undo(event.id)
                except Refused as refused:
                    raise RoundFailed(
                        f"the newest change stays: {refused.message} ({refused.code})"
                    ) from refused
                self._agree()

    def _undo_what_can_be(self) -> None:
        """Undo all that can be undone, also before what the owner wrote; nothing of that may be lost."""
        for event in self._own_entries():
            before = self._owner.marks(self._owner.read())
            self.log.append(f"undo entry {event.id}, if possible: {event.summary}")
            with suppress(Refused):
                self._workspace.undo(event.id)
            lost = (before - self._owner.marks(self._agree())) & self._owner.written_marks
            if lost and event.kind != "restored":
                raise RoundFailed(f"undoing took texts of the owner's: {list(lost)}")
