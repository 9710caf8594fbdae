"""Trials of one scenario: its state after each verb, and whether what a disturbance leaves is exactly one of
these states."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.soak import preload
from tests.soak.fork_server import ForkServer, JobResult
from tests.soak.preload import self_check
from tests.soak.reader import OWN_MEMORIES, Contents, Reader
from tests.soak.workloads import Scenario, Verb
from tests.support.memory_disk import temp_folder

# Verbs that are not atomic across stores: they change the native store first, and that stays if the other
# store's part is interrupted. A move leaves the copy beside the original, decay its changes of native
# memories.
_TWO_STEP_VERBS = ("move", "run_decay")
_TEMPORARY = ".memtui-"  # part of the name of each temporary file of memtui


class TrialError(Exception):
    """The trial itself fails: something is wrong without any disturbance."""


@dataclass(frozen=True, slots=True)
class State:
    """The contents of the store and of the workspace, as another program reads them."""

    store: Contents
    workspace: Contents


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder and processes of trials; always the same folder, since a workspace knows its stores by
    absolute paths."""

    base: Path
    server: ForkServer
    reader: Reader

    @property
    def live(self) -> Path:
        return self.base / "live"

    @property
    def template(self) -> Path:
        return self.base / "template"

    @property
    def log(self) -> Path:
        return self.base / "calls.log"

    def run(self, job: str, **arguments: Any) -> JobResult:
        """Run a job that nothing disturbs."""
        result = self.server.run(job, **arguments)
        if result.killed:
            raise TrialError(f"{job} was killed")
        return result


@contextmanager
def bench() -> Iterator[Bench]:
    """Make a bench, in memory if there is an in-memory file system."""
    with temp_folder() as folder:
        base = Path(folder).resolve()
        (base / "live").mkdir()
        library = preload.build(base)
        self_check.verify(library, base / "proof")
        environment = preload.environment(library, base / "live")
        with ForkServer(environment) as server, Reader() as reader:
            yield Bench(base, server, reader)


@dataclass(slots=True)
class Trial:
    """A scenario that is prepared, with the states that its verbs lead to."""

    bench: Bench
    scenario: Scenario
    workspace: Path
    store: Path
    verbs: list[Verb]
    states: list[State] = field(default_factory=list)  # before the first verb, and after each
    versions: dict[str, list[Any]] = field(default_factory=dict)  # all contents that each file had
    undo_problems: dict[bytes, list[str]] = field(default_factory=dict)  # by the digest of the files before

    def reset(self) -> None:
        """Restore everything as it was before the first verb."""
        shutil.rmtree(self.bench.live)
        shutil.copytree(self.bench.template, self.bench.live)

    def read_state(self) -> State:
        """Return the current state. Raise TrialError if something is damaged."""
        store, damage = self.bench.reader.read(self.store)
        workspace, workspace_damage = self.bench.reader.read(self.workspace)
        if damage or workspace_damage:
            raise TrialError(f"{self.scenario.name}: {damage + workspace_damage}")
        return State(store, workspace)

    def rehearse(self) -> None:
        """Run the verbs one by one and keep the state after each."""
        for number, verb in enumerate([None, *self.verbs], -1):
            done = self.bench.run(
                "work", workspace=str(self.workspace), verbs=[verb] if verb else [], first=max(number, 0)
            )
            reopened = self.bench.run("reopen", workspace=str(self.workspace), number=number)
            if error := done.error + reopened.error:
                raise TrialError(f"{self.scenario.name}, {verb}: {error}")
            problems = [*done.values("failed"), *_problems_in(reopened)]
            if problems:
                raise TrialError(f"{self.scenario.name}, {verb}: {problems}")
            self.states.append(self.read_state())
        for state in self.states:
            for name, content in state.store.items():
                self.versions.setdefault(name, []).append(content)

    # -- checks after a disturbance

    def check(self, returned: int, *, begun: bool = True) -> list[str]:
        """Return what is wrong after `returned` verbs have returned: all of them must be there, and the next
        one (if `begun`) completely or not at all."""
        allowed = {returned, min(returned + begun, len(self.verbs))}
        if damage := self._damage():
            return damage
        reopened = self.bench.server.run("reopen", workspace=str(self.workspace), number=90)
        if reopened.error or reopened.killed:
            return [f"it cannot be opened again: {reopened.error or 'killed'}"]
        problems = _problems_in(reopened) + self._differences(allowed)
        digest = _digest(self.bench.live)
        if digest not in self.undo_problems:  # the same files, at the same time of the workspace's clock
            self.undo_problems[digest] = self._undo_all()
        return problems + self.undo_problems[digest]

    def check_message(self, returned: int, message: str) -> list[str]:
        """Return what is wrong with the message of the verb that did not return: if it says that nothing was
        saved, the store must not have the change. To be called before anything else opens the workspace."""
        if returned == len(self.verbs) or self.verbs[returned][0] in _TWO_STEP_VERBS:
            return []
        if not message.partition(": ")[2].startswith(("Not saved", "Not undone", "The disk is full")):
            return []
        store, _ = self.bench.reader.read(self.store)
        current = {name: content for name, content in store.items() if _TEMPORARY not in name}
        changed = self.states[returned + 1].store
        return (
            ["the store holds what was said not to be saved"]
            if (current == changed != self.states[returned].store)
            else []
        )

    def _undo_all(self) -> list[str]:
        undone = self.bench.server.run("undo_all", workspace=str(self.workspace))
        if undone.error or undone.values("last") != ["nothing"]:
            return [f"not all can be undone: {undone.error}{undone.values('reason')}"]
        return [f"after all is undone, {each}" for each in self._differences({0})]

    def _damage(self) -> list[str]:
        """Return the damage that an independent reader finds before memtui has opened the store again."""
        store, damage = self.bench.reader.read(self.store)
        if self.store.suffix == ".db":
            if store and not any(store == state.store for state in self.states):
                damage.append(f"{self.store.name} never looked like this")
            return damage
        for name, content in store.items():
            if _TEMPORARY not in name and content not in self.versions.get(name, []):
                damage.append(f"{name} never looked like this")
        return [each for each in damage if _TEMPORARY not in each]

    def _differences(self, allowed: set[int]) -> list[str]:
        try:
            current = self.read_state()
        except TrialError as error:
            return [str(error)]
        if any(current == state for number in allowed for state in self._expected(number, allowed)):
            return []
        expected = [self._describe(number, current) for number in sorted(allowed)]
        as_store = [n for n, state in enumerate(self.states) if state.store == current.store]
        as_workspace = [n for n, state in enumerate(self.states) if state.workspace == current.workspace]
        found = f"store as after {as_store}, workspace as after {as_workspace}"
        return [f"it is not {' nor '.join(expected)} ({found})"]

    def _expected(self, number: int, allowed: set[int]) -> list[State]:
        """Return the state after a verb, and also with the first step of the next verb if that has two."""
        state = self.states[number]
        if number + 1 not in allowed or self.verbs[number][0] not in _TWO_STEP_VERBS:
            return [state]
        native = {OWN_MEMORIES: self.states[number + 1].workspace[OWN_MEMORIES]}
        return [state, State(state.store, state.workspace | native)]

    def _describe(self, number: int, current: State) -> str:
        """Describe a state, and where the current one differs from it."""
        state = self.states[number]
        parts = []
        for expected, found in ((state.store, current.store), (state.workspace, current.workspace)):
            names = expected.keys() | found.keys()
            parts += [name for name in names if expected.get(name) != found.get(name)]
        verb = self.verbs[number - 1][0] if number else "the start"
        return f"as after {number} ({verb}; differs: {', '.join(sorted(parts)[:6])})"


def _problems_in(reopened: JobResult) -> list[str]:
    """Return what the job `reopen` found wrong; changes to pull are wrong, since no other program wrote."""
    problems = [*reopened.values("problems")[0], *reopened.values("pull_errors")[0]]
    if reopened.values("news") != [0]:
        problems.append(f"the store had news for memtui: {reopened.values('news')}")
    return problems


def _digest(folder: Path) -> bytes:
    """Return a digest of all files below a folder."""
    out = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        out.update(repr((str(path), path.stat().st_mode, len(data))).encode() + data)
    return out.digest()


def prepare_trial(bench: Bench, scenario: Scenario) -> Trial:
    """Prepare and rehearse a scenario; afterwards it is as it was before the first verb."""
    shutil.rmtree(bench.live)
    bench.live.mkdir()
    shutil.rmtree(bench.template, ignore_errors=True)
    prepared = bench.run("prepare", folder=str(bench.live), format=scenario.format, journal=scenario.journal)
    if prepared.error:
        raise TrialError(prepared.error)
    shutil.copytree(bench.live, bench.template)
    scene = prepared.values("prepared")[0]
    paths = Path(scene["workspace"]), Path(scene["store"])
    trial = Trial(bench, scenario, *paths, scene["verbs"])
    trial.rehearse()
    trial.reset()
    return trial
