"""The examples in docstrings are what the code does."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import memtui

PACKAGE = Path(memtui.__file__).parent
MODULES = sorted(
    ".".join(("memtui", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    result = doctest.testmod(import_module(module))
    assert result.attempted
    assert not result.failed


def test_examples_are_found() -> None:
    assert "memtui.memory.memory" in MODULES
