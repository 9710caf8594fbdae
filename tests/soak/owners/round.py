"""One round with a program that owns a store: it writes, memtui changes and undoes, and each reads the
other, one step at a time.

After each step, what the owner reads must be what the step asked for, and what memtui says."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from memtui.errors import Refused
from memtui.memory.journal import Event
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Data, RoundFailed, Owner, User, S, Step
from tests.soak.owners.texts import Texts
from tests.soak.part import Report
from tests.support.demo_workspace import Clock

# How a verb may be refused where the owner wrote since memtui last read: what was meant may be gone.
STALE_CODES = frozenset(
    ("conflict", "gone", "exists", "changed", "changed-since", "no-relation", "same", "category")
)
_MAX_LOG = 14  # steps that are told with a loss
_SHOWN = 3_000  # characters of a difference that are told


UserFactory = Callable[[random.Random, Texts, Workspace], User[S]]


def run(report: Report, seeds: range, folder: Path, owner: Owner[S], person: UserFactory[S]) -> None:
    """A round for each seed. Counts those in which the owner read what memtui wrote."""
    report.plan(len(seeds))
    for seed in seeds:
        own = folder / str(seed)
        _one(report, seed, own, owner, person)
        shutil.rmtree(own)


def _one(report: Report, seed: int, folder: Path, owner: Owner[S], person: UserFactory[S]) -> None:
    one = Round(seed, folder, owner, person)
    try:
        one.run()
    except RoundFailed as lost:
        report.loss(f"seed {seed}: {str(lost)[:_SHOWN]}\n  " + "\n  ".join(one.story[-_MAX_LOG:]))
    else:
        if one.beside:
            report.loss(f"seed {seed}: {len(one.beside)} times, at first after {one.beside[0][:_SHOWN]}")
    finally:
        one.close()
    report.done(int(one.written > 0))


@dataclass(frozen=True, slots=True)
class AppliedStep(Generic[S]):
    """A change: what the owner read, and the bytes, before and after it."""

    words: str
    before: tuple[S, Data]
    after: tuple[S, Data]


class Round(Generic[S]):
    """One store, its owner and a workspace on it."""

    def __init__(self, seed: int, folder: Path, owner: Owner[S], person: UserFactory[S]) -> None:
        self._chance = random.Random(seed)
        self._texts = Texts(self._chance)
        self._owner = owner
        self._workspace = Workspace.open(folder / "workspace.db", clock=Clock())
        self._person = person(self._chance, self._texts, self._workspace)
        self._undoable: list[AppliedStep[S]] = []
        self._redoable: list[AppliedStep[S]] = []
        self.story: list[str] = []
        self.beside: list[str] = []
        self.written = 0
        """How often memtui changed the store and the owner then read it."""

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close()

    def run(self) -> None:
        """Change, undo and redo; let the owner write; change and undo again."""
        self._begin()
        first = self._owner.data()
        for _ in range(self._chance.randint(4, 9)):
            self._alone()
        if self._chance.random() < 0.5:
            while self._undoable:
                self._undo()
            self._same(first, "all is undone")
            while self._redoable:
                self._redo()
        if self._chance.random() < 0.25:
            self._owner.restart()
        self._owner_writes()
        line, second = self._workspace.journal(1)[0].id, self._owner.data()
        unseen = [self._among_agents() for _ in range(self._chance.randint(1, 4))]
        if any(unseen):
            self._owner_writes()
        else:
            self._undo_lines(line)
            self._same(second, "all is undone line by line")
        self._undo_what_can_be()

    def _begin(self) -> None:
        self._owner.begin(self._chance, self._texts)
        if self._chance.random() < 0.1:  # a store may begin in memtui, too
            self._workspace.create_store(self._owner.format, self._owner.place, STORE)
        else:
            for _ in range(self._chance.randint(2, 6)):
                self.story.append(f"the owner writes {self._owner.write()}")
            before = self._owner.data()
            self._workspace.attach(self._owner.place, STORE)
            self._same(before, "memtui has attached it")
        self._agree()

    # -- what both say

    def _agree(self) -> S:
        """The owner and memtui say the same; what they say."""
        state = self._owner.read()
        if words := self._owner.unlike(state, self._workspace):
            raise RoundFailed(f"the owner and memtui disagree: {words}")
        self._person.state = state
        return state

    def _pull(self) -> None:
        if errors := self._workspace.pull().errors:
            raise RoundFailed(f"memtui cannot read what the owner wrote: {errors}")

    def _same(self, was: Data, when: str) -> None:
        now = self._owner.data()
        names = [name for name in now.keys() | was.keys() if now.get(name) != was.get(name)]
        if names:
            words = "; ".join(f"{name}: {now.get(name)!r}\n  and not {was.get(name)!r}" for name in names)
            raise RoundFailed(f"{when}, and yet the bytes are not as before: {words}")

    # -- a person

    def _alone(self) -> None:
        """A verb, an undo or a redo, while nobody else writes."""
        draw = self._chance.random()
        if draw < 0.2 and self._undoable:
            self._undo()
        elif draw < 0.3 and self._redoable:
            self._redo()
        else:
            self._do(self._person.choose())
        if self._chance.random() < 0.2:
            self._owner.probe(self._person.state)
        if self._chance.random() < 0.2 and self._workspace.pull().total:
            raise RoundFailed("a pull brings news where nobody else wrote")

    def _among_agents(self) -> bool:
        """A verb, before which the owner may write unseen by memtui; whether it did."""
        step, unseen = self._person.choose(), self._chance.random() < 0.4
        if unseen:
            self.story.append(f"the owner writes, unseen by memtui, {self._owner.write()}")
        self._do(step, STALE_CODES if unseen else frozenset())
        return unseen

    def _do(self, step: Step[S], refusals: frozenset[str] = frozenset()) -> None:
        self.story.append(step.words)
        before = self._owner.read(), self._owner.data()
        try:
            change = step.act()
        except Refused as refused:
            if refused.code not in step.refusals | refusals:
                raise RoundFailed(f"refused: {refused.message} ({refused.code})") from refused
            self.story.append(f"  refused: {refused.code}")
            self._same(before[1], "it was refused")
        else:
            after = self._owner.read(), self._owner.data()
            if step.refusals and not refusals:
                raise RoundFailed(f"not refused ({', '.join(step.refusals)})")
            if isinstance(change, Change) and change.skipped and not refusals:
                raise RoundFailed(f"left undone: {change.skipped}")
            if words := step.wrong(before[0], after[0], change):
                raise RoundFailed(f"not what was asked for: {words}")
            if words := step.beside(before[0], after[0], change):
                self.beside.append(f"{step.words}: {words}")
            self._undoable, self._redoable = [*self._undoable, AppliedStep(step.words, before, after)], []
            self.written += before[1] != after[1]
        if refusals:  # the owner wrote meanwhile
            self._pull()
        self._agree()

    def _undo(self) -> None:
        done = self._undoable.pop()
        self.story.append(f"undo: {done.words}")
        self._back(self._workspace.undo, done.before)
        self._redoable.append(done)

    def _redo(self) -> None:
        done = self._redoable.pop()
        self.story.append(f"redo: {done.words}")
        self._back(self._workspace.redo, done.after)
        self._undoable.append(done)

    def _back(self, act: Callable[[], Change], was: tuple[S, Data]) -> None:
        try:
            act()
        except Refused as refused:
            raise RoundFailed(f"the newest change is refused: {refused.message} ({refused.code})") from refused
        if (state := self._agree()) != was[0]:
            raise RoundFailed(f"the owner reads {state}\n  and not {was[0]}")
        self._same(was[1], "it is undone or redone")
        self.written += 1

    # -- among agents

    def _owner_writes(self) -> None:
        """Let the owner write, and memtui pull."""
        for _ in range(self._chance.randint(1, 3)):
            self.story.append(f"the owner writes {self._owner.write()}")
        self._pull()
        self._agree()

    def _mine(self) -> list[Event]:
        """What the person did and may undo, newest first."""
        events = self._workspace.journal()
        return [each for each in events if each.actor == "person" and each.undoable and each.undoes is None]

    def _undo_lines(self, after: int) -> None:
        """Undo what was done since a line of the journal, in any order; what could not be then, newest
        first."""
        lines = [event.id for event in self._mine() if event.id > after]
        self._chance.shuffle(lines)
        for line in lines:
            with suppress(Refused):  # some hang on others that are not undone yet
                self._workspace.undo(line)
                self.story.append(f"undo line {line}")
            self._agree()
        for _ in lines:
            for event in [each for each in self._mine() if each.id > after][:1]:
                self.story.append(f"undo line {event.id}, the newest: {event.summary}")
                try:
                    self._workspace.undo(event.id)
                except Refused as refused:
                    raise RoundFailed(f"the newest change stays: {refused.message} ({refused.code})") from refused
                self._agree()

    def _undo_what_can_be(self) -> None:
        """Undo all that can be undone, also behind what the owner wrote: none of that may go."""
        for event in self._mine():
            before = self._owner.marks(self._owner.read())
            self.story.append(f"undo line {event.id}, if it can be: {event.summary}")
            with suppress(Refused):
                self._workspace.undo(event.id)
            lost = (before - self._owner.marks(self._agree())) & self._owner.wrote
            if lost and event.kind != "restored":
                raise RoundFailed(f"undoing took texts of the owner's: {list(lost)}")
