"""One round of an export: memtui writes a new store, the program that owns the format reads it, and writes
into it what memtui then reads."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from pathlib import Path

from memtui.errors import Refused
from memtui.export.new_store import NewStore, store_kinds, write_store
from memtui.memory.imported import Imported
from memtui.memory.memory import Memory
from memtui.values import Fields
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Owner, RoundFailed, S
from tests.soak.owners.texts import Texts, as_stored, marks_of
from tests.soak.part import Report
from tests.support.demo_workspace import Clock

_MAX_SHOWN = 3_000  # characters of a difference that are printed
_WRITES = 3  # what the owner writes before an export, and after it


def run(report: Report, seeds: range, folder: Path, owner: Owner[S], kind: str) -> None:
    """Run a round for each seed, exporting `--as` this kind, and count those whose store the owner read."""
    report.plan(len(seeds))
    for seed in seeds:
        try:
            _run_round(seed, folder, owner, kind)
        except (RoundFailed, Refused) as error:
            report.add_loss(f"seed {seed}, {kind}: {str(error)[:_MAX_SHOWN]}")
        report.add_rounds()


def _run_round(seed: int, folder: Path, owner: Owner[S], kind: str) -> None:
    chance = random.Random(seed)
    texts = Texts(chance)
    with closing(Workspace.open(folder / f"{kind}-{seed}.db", clock=Clock())) as source:
        owner.begin(chance, texts)
        for _ in range(_WRITES):  # an export also has what came from such a store, with its relations
            owner.write()
        source.attach(owner.path, STORE)
        found = [Imported(0, _fields(chance, texts)) for _ in range(chance.randint(3, 40))]
        source.import_memories(source.import_preview(found).items)
        owner.begin(chance, texts)
        ids = sorted(source.search("").ids)
        memories = source.memories(ids)
        place = owner.path if owner.path.parent.exists() else owner.path.parent
        made = write_store(store_kinds()[kind], place, memories, source.now(), source.relations_among(ids))
        if made.root != owner.path:
            raise RoundFailed(f"the store is at {made.root}, not at {owner.path}")
    owner.restart()
    with closing(Workspace.open(folder / f"{kind}-{seed}-again.db", clock=Clock())) as target:
        target.attach(owner.path, STORE)
        state = _agree(owner, target)
        _compare(memories, made, owner.marks(state))
        owner.probe(state)
        for _ in range(_WRITES):
            owner.write()
        if errors := target.pull().errors:
            raise RoundFailed(f"memtui cannot read what the owner wrote into an export: {errors}")
        _agree(owner, target)


def _fields(chance: random.Random, texts: Texts) -> Fields:
    fields: Fields = {"content": texts.text(), "kind": chance.choice(("item", "item", "lesson", "summary"))}
    optional: Fields = {
        "subject": texts.name(),
        "category": texts.kind(),
        "key": texts.name(),
        "title": texts.name(),
        "tags": (texts.relation(), "x"),
        "confidence": round(chance.random(), 2),
        "owner": "scout",
        "note": texts.text(),
    }
    return fields | {name: value for name, value in optional.items() if chance.random() < 0.5}


def _agree(owner: Owner[S], workspace: Workspace) -> S:
    state = owner.read()
    if differences := owner.differences(state, workspace):
        raise RoundFailed(f"the owner and memtui disagree: {differences}")
    return state


def _compare(memories: list[Memory], made: NewStore, found: Counter[str]) -> None:
    """Raise RoundFailed unless the owner has each text that the export says it wrote, once."""
    written = {each.uid for each in made.written}
    wanted = Counter(
        mark for each in memories if each.uid in written for mark in set(marks_of(as_stored(each.content)))
    )
    if missing := wanted - found:
        raise RoundFailed(f"{len(missing)} exported texts are not there: {list(missing)[:9]}")
