"""Random queries and random command lines, on a workspace over stores of all formats with hostile texts.

A query soon has an answer or a `QueryError` with a position in it. Known properties of some queries must
hold: one more condition only narrows, `x` and `-x` together are everything, `store:` selects a store.

A command ends with a documented exit code, prints no traceback and nothing that a terminal may act on, and
with --json only JSON. One that reads, or is refused, leaves every byte of every store as it was. One that
changes a store writes a journal entry, and `undo` reverses it: files byte for byte, databases row for row,
except for the kinds in `NOT_UNDOABLE`. Each command of the table must succeed sometimes, so that all this
means something, and one that changes things must write its entry.
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

from memtui.cli.parser.table import COMMANDS as COMMAND_TABLE
from memtui.errors import QueryError
from memtui.formats import registry
from memtui.formats.mcp_memory import reader
from memtui.workspace.search.lexical import SORTS
from memtui.workspace.workspace import Workspace
from tests.soak.fuzzing import command_runner, query_grammar
from tests.soak.fuzzing.command_grammar import (
    CHANGING,
    COUNTING,
    EXCLUDED,
    FILES,
    NEVER_SUCCEED,
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
MINIMUM = Minimum(rounds=QUERIES + COMMANDS)
SEED = "fuzz"
RESET_EVERY = 100  # commands until everything is reset; to reproduce a loss may take those before it
# Kinds of journal entries that change a store and cannot be undone, and why.
NOT_UNDOABLE = {
    "purged": "what is erased is kept nowhere",
    "restored-backup": "a store is as its backup was; that of the state before is restored likewise",
    "rebuilt": "what a tree derives from its memories was made anew; they stay as they are",
}
SLOW = 2.0  # seconds of CPU time that a query may take


def run(report: Report) -> None:
    """Run the queries, then the command lines."""
    report.plan(QUERIES + COMMANDS)
    with temp_folder() as name, _environment(Path(name)):
        fuzz_workspace = FuzzWorkspace(Path(name) / "stores")
        _queries(report, fuzz_workspace)
        _commands(report, fuzz_workspace)


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Keep the user's settings and home out of it, and let no screen open."""
    working_folder = folder / "here" / "deep" / "er"
    working_folder.mkdir(parents=True)
    (folder / "settings.toml").write_text('model = "off"\n', "utf-8")
    settings = {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "MEMTUI_SETTINGS": str(folder / "settings.toml"),
    }
    before = Path.cwd()
    os.chdir(working_folder)
    try:
        with (
            mock.patch.dict(os.environ, settings),
            mock.patch.object(sys, "__stdin__", None),
            mock.patch.object(
                reader, "SETTLED_AFTER", 0.0
            ),  # for the file with a torn line: nothing writes it
        ):
            os.environ.pop("MEMTUI_DEBUG", None)
            yield
    finally:
        os.chdir(before)


# -- queries


def _queries(report: Report, fuzz_workspace: FuzzWorkspace) -> None:
    workspace = Workspace.open(fuzz_workspace.path)
    try:
        for number in range(QUERIES):
            seed = f"{SEED} query {number}"
            chance = random.Random(seed)
            text = query_grammar.query(chance)
            problem = _query(workspace, text, chance, properties=number % 3 == 0)
            report.add_rounds()
            if problem:
                report.add_loss(f"seed {seed!r}: {text[:300]!r}: {problem}")
    finally:
        workspace.close()


def _query(workspace: Workspace, text: str, chance: random.Random, *, properties: bool) -> str:
    """Run a query, and perhaps check properties of others; return what is wrong, "" if nothing."""
    end = time.process_time() + SLOW
    try:
        with command_runner.time_limit(command_runner.TIMEOUT):
            with workspace.interruptible(lambda: time.process_time() > end):
                _search(workspace, text, chance)
                if time.process_time() > end:
                    return f"it took {time.process_time() - end + SLOW:.1f} s"
            if properties:
                _check_properties(workspace, chance)
    except (Exception, command_runner.TimedOut) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _search(workspace: Workspace, text: str, chance: random.Random) -> None:
    """Search, and use another function that takes a query."""
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
        # A query without a word or filter finds nothing, but its facets count all.
        assert not ids or sum(stores.values()) == len(ids), stores
    elif kind < 0.45:
        assert not ids or workspace.matching(text, ids, live=live) == set(ids)
    elif kind < 0.55:
        assert workspace.match_reasons(text, ids[:5], live=live).keys() <= set(ids)
    elif kind < 0.65:
        assert len(workspace.rows(ids[:20])) == len(ids[:20])


def _check_properties(workspace: Workspace, chance: random.Random) -> None:
    """Check properties of the answers to some queries."""

    def found(text: str) -> set[int]:
        return set(workspace.search(text, live=False).ids)

    word, narrowing = query_grammar.word(chance), query_grammar.narrowing(chance)
    both = found(f"{word} {narrowing}")
    assert both <= found(f"{word} "), f"{word} {narrowing}"
    assert both <= found(narrowing), f"{word} {narrowing}"
    assert both == found(f"{narrowing} {word} "), f"{narrowing} {word}"
    for part in (narrowing, f"{word} "):
        matching, others = found(part), found(f"-{part}")
        assert not matching & others, part
        assert matching | others == found(""), part
    store = chance.choice(workspace.stores()).name
    in_store = {row.id for row in workspace.rows(sorted(found(""))) if row.store == store}
    if '"' not in store and "*" not in store:
        assert found(f'store:"{store}"') == in_store, store


# -- command lines


def _commands(report: Report, fuzz_workspace: FuzzWorkspace) -> None:
    succeeded: Counter[str] = Counter()
    names = _known_names(fuzz_workspace)
    with Fingerprints() as fingerprints:
        for number in range(COMMANDS):
            if number % RESET_EVERY == 0:
                before = _reset(fuzz_workspace, fingerprints)
            seed = f"{SEED} command {number}"
            line = command_line(random.Random(seed), names)
            problems, before, success = _run_command(fuzz_workspace, fingerprints, line, before)
            succeeded[line.command] += success
            report.add_rounds()
            if problems:
                report.add_loss(
                    f"seed {seed!r}: memtui {' '.join(map(repr, line.words))[:400]}:\n" + "\n".join(problems)
                )
                before = _reset(fuzz_workspace, fingerprints)
    for name in COMMAND_TABLE:
        if not succeeded[name] and name not in (*EXCLUDED, *NEVER_SUCCEED):
            report.add_loss(f"memtui {name} never succeeded")


def _reset(fuzz_workspace: FuzzWorkspace, fingerprints: Fingerprints) -> dict[str, str]:
    """Restore everything, also the folder that commands run in; return the stores' fingerprints."""
    fuzz_workspace.restore()
    for path in Path.cwd().iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    Path("junk.jsonl").write_text('{"id": 1}\nnot json\n', "utf-8")
    for file, text in FILES.items():
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(text, "utf-8")
    return fingerprints.of(fuzz_workspace.stores, "bytes")


def _known_names(fuzz_workspace: FuzzWorkspace) -> KnownNames:
    workspace = Workspace.open(fuzz_workspace.path)
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


def _run_command(
    fuzz_workspace: FuzzWorkspace, fingerprints: Fingerprints, line: CommandLine, before: dict[str, str]
) -> tuple[list[str], dict[str, str], bool]:
    """Run a command and undo it; return what is wrong, the stores' fingerprints afterwards, and whether the
    command succeeded."""
    changing = line.command in CHANGING or not line.command
    rows = fingerprints.of(fuzz_workspace.stores, "rows") if changing else {}
    last = _last_entry(fuzz_workspace) if changing else 0
    code, out, problems = command_runner.run(fuzz_workspace.path, line.words, line.stdin)
    problems += [] if code is None else command_runner.problems_of(line, code, out)
    after = fingerprints.of(fuzz_workspace.stores, "bytes")
    success = code == 0 and not line.asks_for_help
    if line.command in COUNTING:
        return problems, after, success
    if not changing or (code != 0 and line.command != "doctor"):
        problems += _differences("it changed", before, after)
    elif not problems and (after != before or code == 0):
        new = [event for event in _journal(fuzz_workspace) if event.id > last]
        success = success and (bool(new) or line.command in NO_ENTRY)
        problems += _check_undo(fuzz_workspace, fingerprints, rows, new, changed=after != before)
        after = fingerprints.of(fuzz_workspace.stores, "bytes")
    return problems, after, success


def _last_entry(fuzz_workspace: FuzzWorkspace) -> int:
    return int(_journal(fuzz_workspace)[0].id)


def _journal(fuzz_workspace: FuzzWorkspace) -> list[Any]:
    workspace = Workspace.open(fuzz_workspace.path)
    try:
        return list(workspace.journal(1_000))
    finally:
        workspace.close()


def _check_undo(
    fuzz_workspace: FuzzWorkspace,
    fingerprints: Fingerprints,
    rows: dict[str, str],
    new: list[Any],
    *,
    changed: bool,
) -> list[str]:
    """Undo the entries that a command added; return what is wrong with the stores afterwards."""
    new = [event for event in new if event.actor == "person" or event.actor.startswith("agent:")]
    if changed and not new:
        return ["it changed a store, and the journal has no entry of it"]
    if any(event.kind in NOT_UNDOABLE for event in new):
        return []
    for event in new:
        if not event.undoable:  # it changed no store; this is checked below
            continue
        code, out, problems = command_runner.run(fuzz_workspace.path, ["undo", str(event.id)])
        if problems or code != 0:
            return [f"undo of “{event.summary}” ended with {code}: {problems} {out}"]
    return _differences("undo left changed", rows, fingerprints.of(fuzz_workspace.stores, "rows"))


def _differences(what: str, before: dict[str, str], after: dict[str, str]) -> list[str]:
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return [f"{what}: {name!r}" for name in sorted(names)]
