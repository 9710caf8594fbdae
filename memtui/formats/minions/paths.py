"""The files of minions in their folder, and whether a folder is such a store (FORMATS 2)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.media.files.tree import bytes_of
from memtui.formats.minions.json_decode import decode
from memtui.formats.minions.schema import slug_of

FOLDER = ".minions"
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHARD = re.compile(r"[0-9a-f]{2}", re.IGNORECASE)
_ENTRIES, _FILES = 5_000, 2_000  # of one folder, and in all, that decide whether it is a store


def new_id() -> str:
    """Return the id of a new minion."""
    return str(new_uuid())


def is_id(text: str) -> bool:
    """Return whether a text is a valid id."""
    return bool(_ID.fullmatch(text))


def file_name(id: str) -> str:
    """Return the name of a minion's file: two levels of shards, then the id."""
    hex = id.replace("-", "")
    return f"{hex[:2]}/{hex[2:4]}/{id}.json"


def id_in_name(name: str) -> str:
    """Return the id in a file's name."""
    return name.rpartition("/")[2].removesuffix(".json")


def is_store(folder: Path) -> bool:
    """Return whether the folder contains minions of memory; an empty one is a store by its name."""
    if not folder.is_dir():
        return False
    if any(_is_memory(path) for path in islice(_files(folder), _FILES)):
        return True
    variable = os.environ.get("MINIONS_STORE")
    is_named = variable and os.path.realpath(variable) == os.path.realpath(folder)
    if folder.name != FOLDER and not is_named:
        return False
    is_empty = next(_files(folder), None) is None
    return is_empty and all(_SHARD.fullmatch(name) for name in _names(folder))


def _files(folder: Path) -> Iterator[Path]:
    for first in filter(_SHARD.fullmatch, _names(folder)):
        for second in filter(_SHARD.fullmatch, _names(folder / first)):
            for name in _names(folder / first / second):
                if name.endswith(".json") and is_id(id_in_name(name)):
                    yield folder / first / second / name


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(each.name for each in islice(entries, _ENTRIES))
    except OSError:
        return []


def _is_memory(path: Path) -> bool:
    data = bytes_of(path)
    minion = None if data is None or path.is_symlink() else decode(data)[0]
    if not isinstance(minion, dict) or "id" not in minion or not isinstance(minion.get("fields"), dict):
        return False
    return bool(slug_of(minion.get("minionTypeId")))
