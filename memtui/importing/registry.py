"""The readers that memtui has, and which of them reads a file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from memtui.importing import readers
from memtui.importing.reader import Reader

_HEAD = 4_096  # characters by which a file is recognised


@cache
def all_readers() -> tuple[Reader, ...]:
    """Return the reader of each module in `readers/`, in the order in which they are tried."""
    found = (
        importlib.import_module(f"{readers.__name__}.{each.name}").READER
        for each in pkgutil.iter_modules(readers.__path__)
    )
    return tuple(sorted(found, key=lambda each: (each.rank, each.name)))


def reader_for(path: Path, text: str, name: str = "") -> Reader:
    """Return the reader of this name, or the first that recognises the text."""
    if name:
        return next(each for each in all_readers() if each.name == name)
    head = text[:_HEAD]
    return next(each for each in all_readers() if each.recognise(path, head))
