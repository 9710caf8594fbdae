"""The jobs of the fork server's children: work that is recorded or disturbed, and checks afterwards."""

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

Emit = Callable[..., None]
MAX_UNDOS = 60


def prepare(emit: Emit, folder: str, format: str, journal: str) -> None:
    """Make the stores and the workspace of a scenario."""
    prepared = workloads.prepare(Path(folder), Scenario(format, journal))
    emit(
        prepared={"workspace": str(prepared.workspace), "store": str(prepared.store), "verbs": prepared.verbs}
    )


def work(
    emit: Emit,
    workspace: str,
    verbs: list[Verb],
    first: int = 0,
    fault: list[Any] | None = None,
    log: str = "",
) -> None:
    """Open the workspace and run the verbs, up to the first that fails; emit each that has returned.

    With `fault` or `log` the library counts, disturbs and records calls from opening to closing. After a
    failure nothing is disturbed any more, and the same process checks the workspace.
    """
    watcher = None
    if fault is not None or log:
        watcher = Watcher()
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600) if log else -1
        watcher.arm(Fault(*fault) if fault else Fault(), file)
    opened: Workspace | None = None
    try:
        with workloads.deterministic("open", first):
            opened = Workspace.open(Path(workspace), clock=workloads.clock_at(first))
        failed = _run_verbs(emit, opened, verbs, first, watcher)
        if not failed:
            opened.close()
            emit(closed=True)
    except Refused as refusal:
        failed = f"{refusal.code}: {refusal.message}"
        emit(refused=refusal.code)
    if watcher is not None:
        emit(counted=watcher.disarm())
        emit(disturbed=watcher.disturbed())
    if failed:
        emit(failed=failed)
    if failed and opened is not None:
        opened.mark_seen()  # any change: it first reconciles what the failure left
        emit(after=_problems(opened))
        opened.close()


def _run_verbs(emit: Emit, opened: Workspace, verbs: list[Verb], first: int, watcher: Watcher | None) -> str:
    """Run the verbs; return why one was not done, or only in part, and "" if all were done."""
    for number, verb in enumerate(verbs, first):
        opened._ctx.clock = workloads.clock_at(number)
        with workloads.deterministic(number):
            skipped = workloads.run_verb(opened, verb)
        if skipped:
            return "; ".join(skipped)
        if watcher is not None:
            watcher.note(f"returned {number}")
        emit(returned=number)
        if opened._ctx.db.one("SELECT 1 FROM outbox WHERE state = 'intended'"):
            opened.mark_seen()  # what the disk kept out of the journal is reconciled before the next verb
    return ""


def reopen(emit: Emit, workspace: str, number: int) -> None:
    """Open the workspace after a disturbance, pull, and check it."""
    with workloads.deterministic("reopen", number):
        opened = Workspace.open(Path(workspace), clock=workloads.clock_at(50))
        emit(reconciled=list(opened.reconciled))
        pulled = opened.pull()
    emit(news=pulled.total, pull_errors=list(pulled.errors.values()))
    emit(problems=_problems(opened))
    opened.close()


def _problems(workspace: Workspace) -> list[str]:
    db = workspace._ctx.db
    problems = [f"the workspace: {text}" for (text,) in db.rows("PRAGMA integrity_check") if text != "ok"]
    try:
        db.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except Exception as error:
        problems.append(f"the word index: {error}")
    for state, item in db.rows("SELECT state, item_id FROM outbox WHERE state IN ('intended', 'waiting')"):
        problems.append(f"item {item} is still {state}")
    for (item,) in db.rows("SELECT item_id FROM item_states WHERE state = 'intended'"):
        problems.append(f"item {item} of the journal is still intended")
    for info in workspace.stores():
        if info.format != NATIVE:
            problems += _differences(workspace, info.name, info.format, Path(info.path))
    return problems


def _differences(workspace: Workspace, name: str, format: str, path: Path) -> list[str]:
    """Return where the mirror differs from a new read of the store."""
    sql = (
        "SELECT m.ref, m.digest FROM memories m JOIN stores s ON s.id = m.store_id"
        " WHERE s.name = ? AND m.removed_at IS NULL AND m.moved IS NULL"
    )
    mirror: dict[str, str] = dict(workspace._ctx.db.rows(sql, (name,)))
    read = registry.by_name(format)(path).read()
    stored = {record.ref: record.digest for record in read.records if record.removed_at is None}
    return [
        f"{name}: {ref} is {'missing in' if ref not in mirror else 'another in'} the mirror"
        if ref in stored
        else f"{name}: {ref} is only in the mirror"
        for ref in mirror.keys() | stored.keys()
        if mirror.get(ref) != stored.get(ref)
    ]


def undo_all(emit: Emit, workspace: str) -> None:
    """Undo everything that the user did."""
    clock = workloads.clock_at(60)
    opened = Workspace.open(Path(workspace), clock=clock)
    for number in range(MAX_UNDOS):
        try:
            with workloads.deterministic("undo", number):
                opened.undo()
        except Refused as refusal:
            emit(undone=number, last=refusal.code, reason=refusal.message)
            break
    opened.close()


JOBS: dict[str, Callable[..., None]] = {each.__name__: each for each in (prepare, work, reopen, undo_all)}
