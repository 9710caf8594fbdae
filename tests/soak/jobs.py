"""What the children of the fork server do: work that is recorded or disturbed, and then a look at it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats import registry
from memtui.workspace.workspace import Workspace
from tests.soak import workloads
from tests.soak.preload import Fault, Watcher
from tests.soak.workloads import NATIVE, Scenario, Verb

Say = Callable[..., None]
MOST_UNDOS = 60


def furnish(say: Say, folder: str, format: str, journal: str) -> None:
    """Make a scenario's stores and workspace."""
    made = workloads.prepare(Path(folder), Scenario(format, journal))
    say(furnished={"workspace": str(made.workspace), "store": str(made.store), "verbs": made.verbs})


def work(
    say: Say,
    workspace: str,
    verbs: list[Verb],
    first: int = 0,
    fault: list[Any] | None = None,
    log: str = "",
) -> None:
    """Open the workspace and carry out the verbs, each said once it returned; the first that fails ends it.

    With `fault` or `log` the library counts, disturbs and records from the opening to the closing. After
    a failure nothing is disturbed any more, and the same process looks how things are."""
    watch = None
    if fault is not None or log:
        watch = Watcher()
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600) if log else -1
        watch.arm(Fault(*fault) if fault else Fault(), file)
    opened: Workspace | None = None
    try:
        with workloads.deterministic("open", first):
            opened = Workspace.open(Path(workspace), clock=workloads.clock_at(first))
        failed = _work(say, opened, verbs, first, watch)
        if not failed:
            opened.close()
            say(closed=True)
    except Refused as refusal:
        failed = f"{refusal.code}: {refusal.message}"
        say(refused=refusal.code)
    if watch is not None:
        say(counted=watch.disarm())
        say(met=watch.met())
    if failed:
        say(failed=failed)
    if failed and opened is not None:
        opened.mark_seen()  # any change: it settles first what the failure left
        say(after=_wrong(opened))
        opened.close()


def _work(say: Say, opened: Workspace, verbs: list[Verb], first: int, watch: Watcher | None) -> str:
    """Why one of the verbs was not done, or only in part."""
    for number, verb in enumerate(verbs, first):
        opened._ctx.clock = workloads.clock_at(number)
        with workloads.deterministic(number):
            left = workloads.run_verb(opened, verb)
        if left:
            return "; ".join(left)
        if watch is not None:
            watch.note(f"returned {number}")
        say(returned=number)
        if opened._ctx.db.one("SELECT 1 FROM outbox WHERE state = 'intended'"):
            opened.mark_seen()  # what the disk kept from the journal is settled before the next verb's time
    return ""


def reopen(say: Say, workspace: str, number: int) -> None:
    """Open the workspace after whatever happened, take in news, and say how things are."""
    with workloads.deterministic("reopen", number):
        opened = Workspace.open(Path(workspace), clock=workloads.clock_at(50))
        say(reconciled=list(opened.reconciled))
        pulled = opened.pull()
    say(news=pulled.total, errors=list(pulled.errors.values()))
    say(wrong=_wrong(opened))
    opened.close()


def _wrong(workspace: Workspace) -> list[str]:
    db = workspace._ctx.db
    wrong = [f"the workspace: {text}" for (text,) in db.rows("PRAGMA integrity_check") if text != "ok"]
    try:
        db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except Exception as trouble:
        wrong.append(f"the index of words: {trouble}")
    for state, item in db.rows("SELECT state, item_id FROM outbox WHERE state IN ('intended', 'waiting')"):
        wrong.append(f"item {item} is still {state}")
    for (item,) in db.rows("SELECT item_id FROM item_states WHERE state = 'intended'"):
        wrong.append(f"item {item} of the journal is still intended")
    for info in workspace.stores():
        if info.format != NATIVE:
            wrong += _differs(workspace, info.name, info.format, Path(info.path))
    return wrong


def _differs(workspace: Workspace, name: str, format: str, place: Path) -> list[str]:
    """Where the mirror does not say what a fresh read of the store says."""
    sql = (
        "SELECT m.ref, m.digest FROM memories m JOIN stores s ON s.id = m.store_id"
        " WHERE s.name = ? AND m.removed_at IS NULL AND m.moved IS NULL"
    )
    mine: dict[str, str] = dict(workspace._ctx.db.rows(sql, (name,)))
    read = registry.by_name(format)(place).read()
    theirs = {record.ref: record.digest for record in read.records if record.removed_at is None}
    return [
        f"{name}: {ref} is {'missing in' if ref not in mine else 'another in'} the mirror"
        if ref in theirs
        else f"{name}: {ref} is only in the mirror"
        for ref in mine.keys() | theirs.keys()
        if mine.get(ref) != theirs.get(ref)
    ]


def undo_all(say: Say, workspace: str) -> None:
    """Take back all that a person did."""
    clock = workloads.clock_at(60)
    opened = Workspace.open(Path(workspace), clock=clock)
    for number in range(MOST_UNDOS):
        try:
            with workloads.deterministic("undo", number):
                opened.undo()
        except Refused as refusal:
            say(undone=number, last=refusal.code, why=refusal.message)
            break
    opened.close()


JOBS: dict[str, Callable[..., None]] = {each.__name__: each for each in (furnish, work, reopen, undo_all)}
