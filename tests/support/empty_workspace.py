"""Empty workspace files, copied from one that is made once per process: creating the schema takes time."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from memtui.workspace.db.database import open_database


@cache
def _empty_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workspace.db"
        open_database(path, read_only=False)[0].close()
        return path.read_bytes()


def create_empty(path: Path) -> Path:
    """Create an empty workspace at `path` unless a file exists, and return `path`.

    It gets memtui's own store only when it is opened.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(_empty_file())
    return path
