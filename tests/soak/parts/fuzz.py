"""Random queries and random command lines, on a workspace over stores of all formats with hostile texts.

A query has an answer or a `QueryError` that points into it, soon. What is known of some queries must be
true of their answers: one more condition only narrows, `x` and `-x` are everything, `store:` is a store.

A command ends with an exit code that is documented, prints nothing that a terminal may act on and no
traceback, and with --json nothing but JSON. One that reads, or is refused, leaves every byte of every
store as it was. One that changes a store writes a line into the journal, and `undo` takes back what it did:
files byte for byte, databases row for row. Only what `FOR_GOOD` names is not taken back. Each command of
the table must succeed now and then, so that all this means something: one that changes things must write
its line.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from memtui.cli.parser.table import COMMANDS as COMMANDS_THERE_ARE
from memtui.errors import QueryError
from memtui.formats import registry
from memtui.formats.mcp_memory import reader
from memtui.workspace.search.lexical import SORTS
from memtui.workspace.workspace import Workspace
from tests.soak.fuzzing import command_runner, query_grammar
from tests.soak.fuzzing.command_grammar import (
    CHANGING,
    FILES,
    NEVER_SUCCEED,
    EXCLUDED,
    NO_ENTRY,
    CommandLine,
    KnownNames,
    command_line,
)
from tests.soak.fuzzing.workspace import Fingerprints, FuzzWorkspace
from tests.soak.part import Minimum, Need, Report
from tests.support.memory_disk import temp_folder

TITLE = "random queries and command lines on stores with hostile texts"
NEEDS: tuple[Need, ...] = ()
QUERIES, COMMANDS = 5_000, 5_000
LEAST = Minimum(rounds=QUERIES + COMMANDS)
SEED = "fuzz"
AGAIN = 100  # commands until everything is put back as it was; a loss may need those before it
# Lines of the journal that change a store and cannot be undone, and why.
FOR_GOOD = {
    "purged": "what is erased is kept nowhere",
    "restored-backup": "a store is as its backup was; that of the state before is restored likewise",
    "rebuilt": "what a tree derives from its memories was made anew; they stay as they are",
}
SLOW = 2.0  # seconds of this process's time that a query may take


def run(report: Report) -> None:
    """The queries, then the command lines."""
    report.plan(QUERIES + COMMANDS)
    with temp_folder() as name, _environment(Path(name)):
        fuzzed = FuzzWorkspace(Path(name) / "stores")
        _queries(report, fuzzed)
        _commands(report, fuzzed)


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """No settings, home or folder of the person's is touched, and no screen can open."""
    here = folder / "here" / "deep" / "er"
    here.mkdir(parents=True)
    (folder / "settings.toml").write_text('model = "off"\n', "utf-8")
    settings = {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "MEMTUI_SETTINGS": str(folder / "settings.toml"),
    }
    before = Path.cwd()
    os.chdir(here)
    try:
        with (
            mock.patch.dict(os.environ, settings),
            mock.patch.object(sys, "__stdin__", None),
            mock.patch.object(reader, "SETTLED_AFTER", 0.0),  # the file with a torn line: nobody writes it
        ):
            os.environ.pop("MEMTUI_DEBUG", None)
            yield
    finally:
        os.chdir(before)


# -- queries


def _queries(report: Report, fuzzed: FuzzWorkspace) -> None:
    workspace = Workspace.open(fuzzed.path)
    try:
        for number in range(QUERIES):
            seed = f"{SEED} query {number}"
            chance = random.Random(seed)
            text = query_grammar.query(chance)
            trouble = _query(workspace, text, chance, properties=number % 3 == 0)
            report.done()
            if trouble:
                report.loss(f"seed {seed!r}: {text[:300]!r}: {trouble}")
    finally:
        workspace.close()


def _query(workspace: Workspace, text: str, chance: random.Random, *, properties: bool) -> str:
    """Ask one query, and perhaps some of which more is known; what is wrong, "" if nothing."""
    end = time.process_time() + SLOW
    try:
        with command_runner.time_limit(command_runner.TIMEOUT):
            with workspace.interruptible(lambda: time.process_time() > end):
                _ask(workspace, text, chance)
                if time.process_time() > end:
                    return f"it took {time.process_time() - end + SLOW:.1f} s"
            if properties:
                _holds(workspace, chance)
    except (Exception, command_runner.TimedOut) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _ask(workspace: Workspace, text: str, chance: random.Random) -> None:
    """Search, and ask for all else that a query can be asked for."""
    live, sort = chance.random() < 0.5, chance.choice(("", *SORTS))
    try:
        found = workspace.search(text, live=live, sort=sort)
    except QueryError as error:
        if not (0 <= error.start <= error.end <= len(text) and error.message):
            raise ValueError(f"it points at {error.start} to {error.end}: {error.message}") from error
        return
    ids = list(found.ids)
    assert len(ids) == len(set(ids)) == found.total
    kind = chance.random()
    if kind < 0.15:
        assert [id for part in workspace.listing(text, live=live, sort=sort) for id in part.ids] == ids
    elif kind < 0.3:
        stores = dict(workspace.facets(text, live=live).counts["store"])
        # A query without a word or filter finds nothing, and counts all.
        assert not ids or sum(stores.values()) == len(ids), stores
    elif kind < 0.45:
        assert not ids or workspace.matching(text, ids, live=live) == set(ids)
    elif kind < 0.55:
        assert workspace.match_reasons(text, ids[:5], live=live).keys() <= set(ids)
    elif kind < 0.65:
        assert len(workspace.rows(ids[:20])) == len(ids[:20])


def _holds(workspace: Workspace, chance: random.Random) -> None:
    """What must be true of the answers to some queries."""

    def found(text: str) -> set[int]:
        return set(workspace.search(text, live=False).ids)

    word, narrowing = query_grammar.word(chance), query_grammar.narrowing(chance)
    both = found(f"{word} {narrowing}")
    assert both <= found(f"{word} "), f"{word} {narrowing}"
    assert both <= found(narrowing), f"{word} {narrowing}"
    assert both == found(f"{narrowing} {word} "), f"{narrowing} {word}"
    for part in (narrowing, f"{word} "):
        with_it, without = found(part), found(f"-{part}")
        assert not with_it & without, part
        assert with_it | without == found(""), part
    store = chance.choice(workspace.stores()).name
    of_it = {row.id for row in workspace.rows(sorted(found(""))) if row.store == store}
    if '"' not in store and "*" not in store:
        assert found(f'store:"{store}"') == of_it, store


# -- command lines


def _commands(report: Report, fuzzed: FuzzWorkspace) -> None:
    succeeded: Counter[str] = Counter()
    known = _known(fuzzed)
    with Fingerprints() as prints:
        for number in range(COMMANDS):
            if number % AGAIN == 0:
                before = _afresh(fuzzed, prints)
            seed = f"{SEED} command {number}"
            line = command_line(random.Random(seed), known)
            troubles, before, success = _round(fuzzed, prints, line, before)
            succeeded[line.command] += success
            report.done()
            if troubles:
                report.loss(
                    f"seed {seed!r}: memtui {' '.join(map(repr, line.words))[:400]}:\n" + "\n".join(troubles)
                )
                before = _afresh(fuzzed, prints)
    for name in COMMANDS_THERE_ARE:
        if not succeeded[name] and name not in (*EXCLUDED, *NEVER_SUCCEED):
            report.loss(f"memtui {name} never succeeded")


def _afresh(fuzzed: FuzzWorkspace, prints: Fingerprints) -> dict[str, str]:
    """Put everything back as it was, also the folder that commands run in; the stores' fingerprints."""
    fuzzed.restore()
    for path in Path.cwd().iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    Path("junk.jsonl").write_text('{"id": 1}\nnot json\n', "utf-8")
    for file, text in FILES.items():
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(text, "utf-8")
    return prints.of(fuzzed.stores, "bytes")


def _known(fuzzed: FuzzWorkspace) -> KnownNames:
    workspace = Workspace.open(fuzzed.path)
    try:
        details = [
            detail
            for id in workspace.search("", live=False).ids
            if (detail := workspace.detail(id)) is not None
        ]
        memories = [detail.memory for detail in details]
        uids = {detail.id: detail.memory.uid for detail in details}
        relations = {
            (uids[each.source_id], each.kind, uids[each.target_id])
            for detail in details
            for each in detail.relations
            if each.source_id in uids and each.target_id in uids
        }
        return KnownNames(
            [memory.uid for memory in memories],
            [info.name for info in workspace.stores()],
            sorted(format.format for format in registry.formats()),
            workspace.journal(1)[0].id,
            [pair.id for pair in workspace.pairs()],
            [memory.uid for memory in memories if memory.pinned],
            [memory.uid for memory in memories if memory.status == "dismissed"],
            sorted(relations),
            [backup.id for backup in workspace.backups()],
        )
    finally:
        workspace.close()


def _round(
    fuzzed: FuzzWorkspace, prints: Fingerprints, line: CommandLine, before: dict[str, str]
) -> tuple[list[str], dict[str, str], bool]:
    """Run a command and what takes it back; what is wrong, the stores' fingerprints afterwards, and whether
    the command did what it is for."""
    changing = line.command in CHANGING or not line.command
    rows = prints.of(fuzzed.stores, "rows") if changing else {}
    last = _last_line(fuzzed) if changing else 0
    code, out, troubles = command_runner.run(fuzzed.path, line.words, line.stdin)
    troubles += [] if code is None else command_runner.problems_of(line, code, out)
    after = prints.of(fuzzed.stores, "bytes")
    success = code == 0 and not line.asks_for_help
    if not changing or (code != 0 and line.command != "doctor"):
        troubles += _differences("it changed", before, after)
    elif not troubles and (after != before or code == 0):
        new = [event for event in _journal(fuzzed) if event.id > last]
        success = success and (bool(new) or line.command in NO_ENTRY)
        troubles += _undone(fuzzed, prints, rows, new, changed=after != before)
        after = prints.of(fuzzed.stores, "bytes")
    return troubles, after, success


def _last_line(fuzzed: FuzzWorkspace) -> int:
    return int(_journal(fuzzed)[0].id)


def _journal(fuzzed: FuzzWorkspace) -> list[Any]:
    workspace = Workspace.open(fuzzed.path)
    try:
        return list(workspace.journal(1_000))
    finally:
        workspace.close()


def _undone(
    fuzzed: FuzzWorkspace, prints: Fingerprints, rows: dict[str, str], new: list[Any], *, changed: bool
) -> list[str]:
    """Take back the lines that a command added; what is wrong with the stores then."""
    new = [event for event in new if event.actor == "person"]
    if changed and not new:
        return ["it changed a store, and the journal has no line of it"]
    if any(event.kind in FOR_GOOD for event in new):
        return []
    for event in new:
        if not event.undoable:  # it changed no store, which is compared below
            continue
        code, out, troubles = command_runner.run(fuzzed.path, ["undo", str(event.id)])
        if troubles or code != 0:
            return [f"undo of “{event.summary}” ended with {code}: {troubles} {out}"]
    return _differences("undo left changed", rows, prints.of(fuzzed.stores, "rows"))


def _differences(what: str, before: dict[str, str], after: dict[str, str]) -> list[str]:
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return [f"{what}: {name!r}" for name in sorted(names)]
