"""Where minions lie in their folder, and whether a folder is such a store (FORMATS 2)."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from memtui.formats.media.files.tree import bytes_of
from memtui.formats.minions.json_decode import decoded
from memtui.formats.minions.schema import slug_of

FOLDER = ".minions"
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHARD = re.compile(r"[0-9a-f]{2}", re.IGNORECASE)
_ENTRIES, _FILES = 5_000, 2_000  # of one folder, and in all, that decide whether it is a store


def fresh_id() -> str:
    """The id of a new minion: the one place of randomness here."""
    return str(uuid.uuid4())


def is_id(text: str) -> bool:
    """Whether a minion may be called so."""
    return bool(_ID.fullmatch(text))


def name_of(id: str) -> str:
    """The file in which the minion of this id belongs."""
    hex = id.replace("-", "")
    return f"{hex[:2]}/{hex[2:4]}/{id}.json"


def stem_of(name: str) -> str:
    """The id that a file's name says."""
    return name.rpartition("/")[2].removesuffix(".json")


def is_store(folder: Path) -> bool:
    """Whether minions of memory lie in the folder; an empty one is a store by its name."""
    if not folder.is_dir():
        return False
    if any(_is_memory(path) for path in islice(_files(folder), _FILES)):
        return True
    said = os.environ.get("MINIONS_STORE")
    named = folder.name == FOLDER or (said and os.path.realpath(said) == os.path.realpath(folder))
    empty = next(_files(folder), None) is None
    return bool(named) and empty and all(_SHARD.fullmatch(name) for name in _names(folder))


def _files(folder: Path) -> Iterator[Path]:
    for first in filter(_SHARD.fullmatch, _names(folder)):
        for second in filter(_SHARD.fullmatch, _names(folder / first)):
            for name in _names(folder / first / second):
                if name.endswith(".json") and is_id(stem_of(name)):
                    yield folder / first / second / name


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(each.name for each in islice(entries, _ENTRIES))
    except OSError:
        return []


def _is_memory(path: Path) -> bool:
    data = bytes_of(path)
    minion = None if data is None or path.is_symlink() else decoded(data)[0]
    if not isinstance(minion, dict) or "id" not in minion or not isinstance(minion.get("fields"), dict):
        return False
    return bool(slug_of(minion.get("minionTypeId")))
