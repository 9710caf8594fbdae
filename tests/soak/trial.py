"""One scenario under trial: what it looks like after each verb, and whether what is left after a
disturbance is one of these states, all of it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.soak import preload
from tests.soak.fork_server import ForkServer
from tests.soak.preload import self_check
from tests.soak.reader import OWN_MEMORIES, Contents, Reader
from tests.soak.workloads import Scenario, Verb
from tests.support.memory_disk import temp_folder

# Verbs that are not atomic across stores: they change memtui's own memories first, and where the store's
# part is cut off, that stands. A move leaves the copy beside the original, decay what it did at home.
_TWO_STEP_VERBS = ("move", "run_decay")
_TEMPORARY = ".memtui-"  # is part of the name of each file that memtui makes for a moment


class TrialError(Exception):
    """The trial itself does not work: without any disturbance something is not as it must be."""


@dataclass(frozen=True, slots=True)
class State:
    """What stands in the store and in the workspace, as another program reads them."""

    store: Contents
    workspace: Contents


@dataclass(frozen=True, slots=True)
class Bench:
    """Where trials take place: always in the same folder, as workspaces know the whole paths of stores."""

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

    def run(self, job: str, **arguments: Any) -> Any:
        """A job that nothing disturbs."""
        ended = self.server.run(job, **arguments)
        if ended.killed:
            raise TrialError(f"{job} was killed")
        return ended


@contextmanager
def bench() -> Iterator[Bench]:
    """A bench in memory, if there is a file system in memory."""
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
    """A scenario, furnished and rehearsed."""

    bench: Bench
    scenario: Scenario
    workspace: Path
    store: Path
    verbs: list[Verb]
    states: list[State] = field(default_factory=list)  # before the first verb, and after each
    versions: dict[str, list[Any]] = field(default_factory=dict)  # what each file ever held
    undone: dict[bytes, list[str]] = field(default_factory=dict)  # by the files, what undoing all of it left

    def reset(self) -> None:
        """Everything as it was before the first verb."""
        shutil.rmtree(self.bench.live)
        shutil.copytree(self.bench.template, self.bench.live)

    def look(self) -> State:
        """What stands there now; raises Broken where something is torn."""
        store, wrong = self.bench.reader.read(self.store)
        workspace, worse = self.bench.reader.read(self.workspace)
        if wrong or worse:
            raise TrialError(f"{self.scenario.name}: {wrong + worse}")
        return State(store, workspace)

    def rehearse(self) -> None:
        """Carry the verbs out one by one and keep what each one makes of it all."""
        for number, verb in enumerate([None, *self.verbs], -1):
            done = self.bench.run(
                "work", workspace=str(self.workspace), verbs=[verb] if verb else [], first=max(number, 0)
            )
            again = self.bench.run("reopen", workspace=str(self.workspace), number=number)
            if trouble := done.trouble + again.trouble:
                raise TrialError(f"{self.scenario.name}, {verb}: {trouble}")
            wrong = [*done.of("failed"), *again.of("wrong")[0], *again.of("errors")[0]]
            if wrong or again.of("news") != [0]:
                raise TrialError(f"{self.scenario.name}, {verb}: {wrong} {again.of('news')}")
            self.states.append(self.look())
        for state in self.states:
            for name, holds in state.store.items():
                self.versions.setdefault(name, []).append(holds)

    # -- afterwards

    def judge(self, returned: int, *, begun: bool = True) -> list[str]:
        """What is wrong with what is left after so many verbs returned: each of them must be there, and
        of the one that was under way (if `begun`) all or nothing."""
        allowed = {returned, min(returned + begun, len(self.verbs))}
        wrong = self._torn()
        if wrong:
            return wrong
        again = self.bench.server.run("reopen", workspace=str(self.workspace), number=90)
        if again.trouble or again.killed:
            return [f"it cannot be opened again: {again.trouble or 'killed'}"]
        wrong = [*again.of("wrong")[0], *again.of("errors")[0]]
        if again.of("news") != [0]:
            wrong.append(f"the store had news for memtui: {again.of('news')}")
        wrong += self._differs(allowed)
        there = _digest(self.bench.live)
        if there not in self.undone:  # the same files, at the same time of the workspace's clock
            self.undone[there] = self._undo_all()
        return wrong + self.undone[there]

    def belied(self, returned: int, said: str) -> list[str]:
        """What is wrong with what was said of the verb that did not return: where it says that nothing was
        saved, nothing of it stands. To be asked before anything else looks."""
        if returned == len(self.verbs) or self.verbs[returned][0] in _TWO_STEP_VERBS:
            return []
        if not said.partition(": ")[2].startswith(("Not saved", "Not undone", "The disk is full")):
            return []
        store, _ = self.bench.reader.read(self.store)
        now = {name: holds for name, holds in store.items() if _TEMPORARY not in name}
        stands = self.states[returned + 1].store
        return (
            ["the store holds what was said not to be saved"]
            if (now == stands != self.states[returned].store)
            else []
        )

    def _undo_all(self) -> list[str]:
        undone = self.bench.server.run("undo_all", workspace=str(self.workspace))
        if undone.trouble or undone.of("last") != ["nothing"]:
            return [f"not all can be undone: {undone.trouble}{undone.of('why')}"]
        return [f"after all is undone, {each}" for each in self._differs({0})]

    def _torn(self) -> list[str]:
        """What an independent reader finds before memtui has touched it again."""
        store, wrong = self.bench.reader.read(self.store)
        if self.store.suffix == ".db":
            if store and not any(store == state.store for state in self.states):
                wrong.append(f"{self.store.name} never looked like this")
            return wrong
        for name, holds in store.items():
            if _TEMPORARY not in name and holds not in self.versions.get(name, []):
                wrong.append(f"{name} never looked like this")
        return [each for each in wrong if _TEMPORARY not in each]

    def _differs(self, allowed: set[int]) -> list[str]:
        try:
            now = self.look()
        except TrialError as broken:
            return [str(broken)]
        if any(now == each for number in allowed for each in self._good(number, allowed)):
            return []
        what = [self._name(number, now) for number in sorted(allowed)]
        found = [n for n, state in enumerate(self.states) if state.store == now.store]
        kept = [n for n, state in enumerate(self.states) if state.workspace == now.workspace]
        return [f"it is not {' nor '.join(what)} (store as after {found}, workspace as after {kept})"]

    def _good(self, number: int, allowed: set[int]) -> list[State]:
        """The state after a verb; with its first half where the next one may have been cut off between."""
        state = self.states[number]
        if number + 1 not in allowed or self.verbs[number][0] not in _TWO_STEP_VERBS:
            return [state]
        own = {OWN_MEMORIES: self.states[number + 1].workspace[OWN_MEMORIES]}
        return [state, State(state.store, state.workspace | own)]

    def _name(self, number: int, now: State) -> str:
        """A state in words, with where `now` differs from it."""
        state = self.states[number]
        parts = []
        for mine, theirs in ((state.store, now.store), (state.workspace, now.workspace)):
            parts += [name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)]
        verb = self.verbs[number - 1][0] if number else "the start"
        return f"as after {number} ({verb}; differs: {', '.join(sorted(parts)[:6])})"


def _digest(folder: Path) -> bytes:
    """Of all files below a folder."""
    out = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        out.update(repr((str(path), path.stat().st_mode, len(data))).encode() + data)
    return out.digest()


def prepare_trial(bench: Bench, scenario: Scenario) -> Trial:
    """Furnish and rehearse a scenario; it is left as it was before the first verb."""
    shutil.rmtree(bench.live)
    bench.live.mkdir()
    shutil.rmtree(bench.template, ignore_errors=True)
    made = bench.run("furnish", folder=str(bench.live), format=scenario.format, journal=scenario.journal)
    if made.trouble:
        raise TrialError(made.trouble)
    shutil.copytree(bench.live, bench.template)
    furnished = made.of("furnished")[0]
    paths = Path(furnished["workspace"]), Path(furnished["store"])
    ready = Trial(bench, scenario, *paths, furnished["verbs"])
    ready.rehearse()
    ready.reset()
    return ready
