"""A workspace for stores of each format with hostile texts, which can be reset."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from unittest import mock

from tests.support.kills.line_server import LineServer


class FuzzWorkspace:
    """The workspace and its stores. The live copy is always in the same folder, since a workspace knows its
    stores by absolute paths."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template"
        self.live = folder / "live"
        self.path = _build(self.live)
        shutil.copytree(self.live, self._template, symlinks=True)

    def restore(self) -> None:
        """Restore everything; nothing may be open."""
        shutil.rmtree(self.live)
        shutil.copytree(self._template, self.live, symlinks=True)

    @property
    def stores(self) -> list[Path]:
        """The folders of the foreign stores."""
        return [
            path
            for path in (*self.path.parent.iterdir(), self.live / "more")
            if path.is_dir() and not _is_own(path)
        ]


def _is_own(path: Path) -> bool:
    return path.name.endswith((".leases", ".backups"))


def _build(folder: Path) -> Path:
    from memtui.workspace.workspace import Workspace
    from tests.support.hostile import texts as hostile_texts
    from tests.support.stores import base_coat, base_coat_shared, cognitive, mem_skill, minions

    with mock.patch.object(hostile_texts, "LONG", "long " + "x" * 3_000):
        path = hostile_texts.make_workspace(folder)
    more = folder / "more"
    items = [minions.item(n, f"likes-{n}", text) for n, text in enumerate(("tea", "no tea", "redis"), 1)]
    stores = (
        cognitive.make(more / "cognitive").root,
        minions.make(more / "minions", *items).root,
        mem_skill.make(more / "skill" / "memory.db"),
        base_coat.make(more / "coat" / "memory.db"),
        base_coat_shared.make(more / "shared").root,
    )
    workspace = Workspace.open(path)
    try:
        for store in stores:
            workspace.attach(store)
        for text in ("Likes tea.", "Likes tea!", "Does not like tea.", "Pays 300 euros.", "Pays 500 euros."):
            workspace.add({"content": text, "tags": ("t",), "subject": "Ana"})
        workspace.scan()
        ids = list(workspace.search("tea").ids)
        workspace.relate(ids[0], "supports", ids[1])
        workspace.save_search("tea", "tea tag:t")
        workspace.add_rule("Tea", "tea", ["importance=0.9"])
        workspace.add_rule("Coffee", "coffee", ["inbox"])
        workspace.turn_rule("Coffee", on=True)
        workspace.set_policy("ada", write=["private"])
        # A dismissed memory in each store, which can be restored; this also makes a backup of each.
        for info in workspace.stores():
            workspace.dismiss(workspace.search(f'store:"{info.name}"').ids[:2])
        (more / "cognitive" / "_index.json").write_text("{}", "utf-8")  # so that it can be rebuilt
    finally:
        workspace.close()
    return path


class Fingerprints(LineServer):
    """Digests of files, made in another process: this one must not open databases."""

    def __init__(self) -> None:
        super().__init__("tests.soak.fuzzing.workspace")

    def of(self, folders: list[Path], mode: str) -> dict[str, str]:
        """Return a digest of each file: of its bytes, or with the mode "rows" of a database's rows."""
        return dict(self.ask([mode, list(map(str, folders))]))


def _digests(mode: str, folders: list[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for folder in folders:
        for base, names, files in os.walk(folder):
            out |= {os.path.join(base, name): "folder" for name in names}
            for name in files:
                path = os.path.join(base, name)
                if mode == "rows" and name.endswith(("-wal", "-shm", "-journal")):
                    continue
                with open(path, "rb") as file:
                    data = file.read()
                if mode == "rows" and data.startswith(b"SQLite format 3\0"):
                    data = _rows(path)
                out[path] = hashlib.sha256(data).hexdigest()
    return out


def _rows(path: str) -> bytes:
    """Return the rows of all tables, without those of indexes."""
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    try:
        tables = [
            name.decode()
            for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
            if not name.endswith((b"_data", b"_idx", b"_content", b"_docsize", b"_config"))
            and not (sql or b"").startswith(b"CREATE VIRTUAL")
        ]
        rows = {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in tables}
    finally:
        connection.close()
    return repr(sorted(rows.items())).encode()


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_digests(*json.loads(line))), flush=True)
