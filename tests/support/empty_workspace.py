"""A workspace in which nothing stands yet, as a file: made once a process, where making it is not what is
tested."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from memtui.workspace.db.database import open_database


@cache
def _ready() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workspace.db"
        open_database(path, read_only=False)[0].close()
        return path.read_bytes()


def empty(path: Path) -> Path:
    """Put an empty workspace there, if none is there yet; its path. It has not even a store of its own
    before it is opened."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(_ready())
    return path
