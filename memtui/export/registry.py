"""The exporters that memtui has."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from memtui.export import exporters
from memtui.export.exporter import Exporter


@cache
def all_exporters() -> tuple[Exporter, ...]:
    """Return the exporter of each module in `exporters/`, by name."""
    found = (
        importlib.import_module(f"{exporters.__name__}.{each.name}").EXPORTER
        for each in pkgutil.iter_modules(exporters.__path__)
    )
    return tuple(sorted(found, key=lambda each: each.name))


def by_name(name: str) -> Exporter | None:
    """Return the exporter of this name, None if there is none."""
    return next((each for each in all_exporters() if each.name == name), None)
