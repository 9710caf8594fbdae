"""The whole Inbox is worked off by keys, and all of it but the redactions is undone (S-51, S-52, S-62)."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from memtui.memory.inbox.items import CONTRADICTION, DUPLICATE, LEAVING, PENDING, SECRET, STORE, InboxItem
from memtui.tui.app import MemtuiApp
from memtui.tui.inbox.screen import InboxScreen
from memtui.tui.review import verdict_keys
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, drive, wait_until_idle
from tests.support.sizes import rounds
from tests.support.stores import planted_inbox
from tests.support.waiting.threads import wait_until

KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    SECRET: (("B", *"redact", "enter"),),
    PENDING: (("v",), ("d",), ("s", "enter")),
    CONTRADICTION: (("a",), ("b",), ("t", "enter"), ("n",), ("s", "down", "enter")),
    LEAVING: (("p",), ("d",), ("s", "enter")),
    STORE: (("F", "enter"), ("s", "enter")),
    DUPLICATE: (("a",), ("n",), ("b",), ("s", "enter")),
}
"""By kind, the keys that decide on an item, each in its turn."""

# How a full-text index is stored depends on its history; what is in it follows from the rows, by triggers.
SHADOW = re.compile(r'INSERT INTO "\w+_fts_(data|idx)"')


class Worker:
    """Decides on each item in its turn; `after_secrets` is what the stores held when all were redacted."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths
        self.done: Counter[str] = Counter()
        self.after_secrets: dict[str, object] = {}

    async def work_off(self, app: MemtuiApp) -> None:
        screen = app.screen
        assert isinstance(screen, InboxScreen)
        for _ in range(200):
            await wait_until(lambda: screen.is_drawn, app)
            if (item := screen.memories.item) is None:
                return
            if item.kind != SECRET and not self.after_secrets:
                self.after_secrets = contents(self._paths)
            for key in self._keys(item):
                await app._press_keys([key])
                await wait_until_idle(app)
            now = screen.memories.item
            assert now is None or now.key != item.key, (item, app.status.text)
            self.done[item.kind] += 1
        raise AssertionError("the Inbox never became empty")

    def _keys(self, item: InboxItem) -> tuple[str, ...]:
        if item.kind == STORE and not item.data["repairable"]:
            return "s", "enter"
        return KEYS[item.kind][self.done[item.kind] % len(KEYS[item.kind])]

    async def undo_all(self, app: MemtuiApp) -> None:
        for _ in range(sum(self.done.values()) - self.done[SECRET]):
            await app._press_keys(["u"])
            await wait_until_idle(app)
            assert "ndone" in app.status.text, app.status.text


def contents(paths: Mapping[str, Path]) -> dict[str, object]:
    """Return what the stores hold: files as bytes, databases as dumps."""
    found: dict[str, object] = {}
    for name, path in paths.items():
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix == ".db":
                with sqlite3.connect(file) as database:
                    found[f"{name}/{file.name}"] = [
                        line for line in database.iterdump() if not SHADOW.match(line)
                    ]
            elif file.is_file() and not file.name.endswith((".db-wal", ".db-shm")):
                found[f"{name}/{file.name}"] = file.read_bytes()
    return found


def test_all_is_decided_by_keys_and_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 0.0)  # a person takes longer
    made = planted_inbox.make(tmp_path / "stores", rounds(4, 940), most=rounds(2, 12))
    before, path, shots = contents(made.paths), tmp_path / "own" / "w.db", Shots()
    workspace = Workspace.open(path, clock=lambda: planted_inbox.NOW)
    for name, root in made.paths.items():
        workspace.attach(root, name)
    workspace.sweep_secrets()
    workspace.scan()
    workspace.check_stores()
    planted = [each.key for each in workspace.inbox().items]
    worker = Worker(made.paths)
    drive(
        MemtuiApp(lambda: workspace, clock=lambda: planted_inbox.NOW),
        "2", Probe(worker.work_off), shots, Probe(worker.undo_all), shots, "u", shots,
    )  # fmt: skip
    empty, undone, no_more = shots
    assert "Nothing needs you." in empty
    assert f"{len(planted)} of" not in undone
    assert sum(worker.done.values()) >= sum(map(len, made.marks.values()))
    assert worker.done[SECRET] == len(made.marks[SECRET])
    assert contents(made.paths) == worker.after_secrets
    assert not [token for token in made.tokens if token in repr(worker.after_secrets)]
    assert "[redacted: " in repr(worker.after_secrets)
    assert {name for name, old in before.items() if worker.after_secrets[name] != old} == redacted_files(made)
    assert "undo" in no_more.casefold()
    with closing(Workspace.open(path, clock=lambda: planted_inbox.NOW)) as again:
        again.pull()
        again.sweep_secrets()
        again.scan()
        assert [each.key for each in again.inbox().items] == [key for key in planted if key[0] != SECRET]


def redacted_files(made: planted_inbox.PlantedInbox) -> set[str]:
    """Return the files in which a secret was planted."""
    notes = {f"notes/secret_{n}.md" for n in range(len(made.marks[SECRET]) // 2)}
    return {*notes, "graph/memory.jsonl"}
