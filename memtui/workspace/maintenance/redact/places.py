"""Where a redacted value may still be: files of the stores, what is beside them (S-62)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance.redact import wording

_CHUNK = 1 << 22  # bytes that are searched at once


def still_holding(
    store: StoreRow, redacted: Replacements, unread: Collection[str], *, is_database: bool
) -> list[str]:
    """Return notes about what still has a value in a store that was written, or may have it; `unread` are the
    names of files that are not opened."""
    root = Path(store.path)
    notes = [
        wording.still_in(os.path.relpath(path, root.parent))
        for path in _files(root)
        if path.name not in unread and _holds(path, redacted)
    ]
    if is_database:
        notes.append(wording.unused_parts_of_store(root.name))
    git = next((folder for folder in (root, *root.resolve().parents) if (folder / ".git").exists()), None)
    return [*notes, *([wording.in_git(str(git))] if git is not None else [])]


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield from (path for end in ("", "-wal", "-journal") if (path := Path(f"{root}{end}")).is_file())
        return
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (path for name in sorted(names) if (path := Path(folder, name)).is_file())


def _holds(path: Path, redacted: Replacements) -> bool:
    longest = max(map(len, redacted.needles), default=0)
    tail = b""
    try:
        with path.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                if redacted.held_by(tail + chunk):
                    return True
                tail = chunk[-longest:]
    except OSError:
        return False
    return False
