"""Processes that change one store at the same time.

Run as a program, it reads orders, a line of JSON each: it forks a process for each actor, starts all
together, stops the foreign writers once the instances of memtui have run their verbs, and prints how each
ended. No database is open in the process that forks.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import LineServer

MEMTUI = "memtui"
VERBS = ("edit", "edit", "edit", "dismiss", "restore", "undo", "add")
# Functions of `os` that are delayed in memtui: how often, and for at most how many seconds, as slow disks and
# busy machines do.
DELAYS = {
    "fsync": (0.5, 0.015),
    "rename": (0.1, 0.004),
    "replace": (0.1, 0.004),
    "link": (0.1, 0.004),
    "open": (0.1, 0.004),
    "stat": (0.1, 0.004),
}
_GO, _STOP, _READY = 0, 1, 2  # bytes of the shared memory


class Actors(LineServer):
    """Client of the process that forks the actors."""

    def __init__(self) -> None:
        super().__init__("tests.soak.racing.actors")

    def run(self, actors: list[dict[str, Any]], seconds: float = 30) -> list[str]:
        """Run all actors; return for each how it ended, "" if well."""
        return list(self.ask({"actors": actors, "seconds": seconds}))


# -- memtui as an actor


def _memtui(
    actor: dict[str, Any], chance: random.Random, log: Any, wait_for_start: Callable[[], None]
) -> None:
    from memtui.errors import Refused
    from memtui.workspace.workspace import Workspace

    def on_step(_: str) -> None:
        time.sleep(chance.choice((0, 0, 0.002, 0.008)))

    workspace = Workspace.open(Path(actor["workspace"]), on_step=on_step)
    _log_file_calls(log)
    _delay_calls(random.Random(chance.random()))
    wait_for_start()
    try:
        for number in range(actor["verbs"]):
            if chance.random() < 0.5:
                workspace.pull()
            if (
                chosen := _choose_verb(workspace, chance, f"{actor['name']}{number}", actor["stores"])
            ) is None:
                continue
            verb, arguments = chosen
            started = time.monotonic()
            try:
                change = getattr(workspace, verb)(*arguments)
            except Refused as refusal:
                end = time.monotonic()
                log.add(verb=verb, start=started, end=end, refused=refusal.code, arguments=arguments)
                continue
            end = time.monotonic()
            log.add(
                verb=verb,
                start=started,
                end=end,
                refused="",
                items=_items(workspace, change),
                arguments=arguments,
            )
            time.sleep(chance.choice((0, 0.002, 0.01)) * chance.random())
    finally:
        workspace.close()


def _choose_verb(workspace: Any, chance: random.Random, mark: str, stores: dict[str, Any]) -> Any:
    """Choose a verb and its arguments; None if it makes no sense now."""
    verb = chance.choice(VERBS)
    if verb == "undo":
        return verb, []
    if verb == "add":
        store = chance.choice(sorted(stores))
        return verb, [{"content": f"new{mark} race, added by memtui", **stores[store]}, store]
    found = workspace.search("race status:dismissed" if verb == "restore" else "race is:live").ids
    if not found:
        return None
    id = chance.choice(list(found))
    if verb != "edit":
        return verb, [[id]]
    slot = workspace.memories([id])[0].content.split()[0]
    return verb, [[id], {"content": f"{slot} race, edited by memtui {mark}"}]


def _items(workspace: Any, change: Any) -> list[dict[str, Any]]:
    """Return the journal's items of a change, with the current memories."""
    memories = {memory.uid: memory for memory in workspace.memories(change.ids)}
    return [
        {
            "state": item.state,
            "before": item.before,
            "after": item.after,
            "content": memories[item.uid].content,
            "status": memories[item.uid].status,
        }
        for item in workspace.journal_items(change.journal_id)
    ]


def _log_file_calls(log: Any) -> None:
    """Log when memtui exchanges two files (and when it last checked the one that it replaces), removes one,
    and puts an original back."""
    from memtui.formats.media.files import atomic_write

    checks: dict[str, float] = {}
    read_bytes = Path.read_bytes

    def read_and_note(path: Path) -> bytes:
        checks[str(path)] = time.monotonic()
        return read_bytes(path)

    Path.read_bytes = read_and_note  # type: ignore[method-assign, assignment]

    def log_calls(call: Callable[..., Any]) -> None:
        name = call.__name__

        def timed(*args: Any) -> Any:
            started = time.monotonic()
            try:
                return call(*args)
            finally:
                checked = checks.get(str(args[1]), started) if name == "_exchange" else started
                log.add(called=name.strip("_"), checked=checked, start=started, end=time.monotonic())

        setattr(atomic_write, name, timed)

    for call in (atomic_write._exchange, atomic_write._remove, atomic_write._put_back):
        log_calls(call)


def _delay_calls(chance: random.Random) -> None:
    def delay(call: Callable[..., Any], share: float, seconds: float) -> Callable[..., Any]:
        def delayed(*args: Any, **more: Any) -> Any:
            if chance.random() < share:
                time.sleep(chance.random() * seconds)
            return call(*args, **more)

        return delayed

    for name, (share, seconds) in DELAYS.items():
        setattr(os, name, delay(getattr(os, name), share, seconds))


# -- the program


def _run_actor(actor: dict[str, Any], number: int, shared: mmap.mmap) -> None:
    """Run one actor from start to end."""
    from tests.soak.racing import foreign_writers

    def wait_for_start() -> None:
        shared[_READY + number] = 1
        while not shared[_GO]:
            time.sleep(0.0005)

    chance = random.Random(actor["seed"])
    with open(actor["log"], "w", encoding="utf-8") as file:
        log = foreign_writers.Log(file)
        try:
            if actor["role"] == MEMTUI:
                _memtui(actor, chance, log, wait_for_start)
                return
            wait_for_start()
            foreign_writers.run(actor["role"], Path(actor["path"]), chance, log, lambda: bool(shared[_STOP]))
        except BaseException:
            log.add(error=traceback.format_exc())
            raise


def _run_all(actors: list[dict[str, Any]], seconds: float) -> list[str]:
    """Run the actors, each in a process; return how each ended."""
    shared = mmap.mmap(-1, _READY + len(actors))
    children: dict[int, int] = {}
    for number, actor in enumerate(actors):
        if (child := os.fork()) == 0:
            code = 1
            try:
                _run_actor(actor, number, shared)
                code = 0
            finally:
                os._exit(code)
        children[child] = number
    ended: dict[int, str] = {}
    deadline = time.monotonic() + seconds
    while len(ended) < len(actors):
        shared[_GO] = shared[_GO] or all(shared[_READY + n] or n in ended for n in range(len(actors)))
        shared[_STOP] = all(n in ended for n, actor in enumerate(actors) if actor["role"] == MEMTUI)
        timed_out = time.monotonic() > deadline
        for child, number in list(children.items()):
            if timed_out:
                os.kill(child, signal.SIGKILL)
            done, status = os.waitpid(child, 0 if timed_out else os.WNOHANG)
            if done:
                del children[child]
                ended[number] = (
                    "did not end in time" if timed_out else f"exit status {status}" if status else ""
                )
        time.sleep(0.001)
    shared.close()
    return [ended[number] for number in range(len(actors))]


def _serve() -> None:
    from memtui.formats import registry
    from memtui.workspace import workspace  # noqa: F401 - imported once, for all children

    registry.formats()
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(_run_all(order["actors"], order["seconds"])), flush=True)


if __name__ == "__main__":
    _serve()
