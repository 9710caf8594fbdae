"""Small sound stores of every format, and what can be planted in each that the doctor must name.

A case is the name of an oddity, the code by which the doctor tells it, and what plants it in a store.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.support.planted import (
    base_coat,
    claude_code,
    cognitive,
    founder_os,
    mcp_memory,
    mem_skill,
    minions,
)
from tests.support.planted import base_coat_shared as shared
from tests.support.planted.harm import ANYWHERE, FILES, Plant

NOW = 1_773_100_000.0  # March 2026, after all that the stores tell

# Of each format: what makes a sound store in a folder, and what is planted in it.
STORES: dict[str, tuple[Callable[[Path], Path], dict[tuple[str, str], Plant]]] = {
    "founder-os": (founder_os.sound, {**founder_os.CASES, **ANYWHERE}),
    "minions": (minions.sound, {**minions.CASES, **ANYWHERE}),
    "mem-skill": (mem_skill.sound, {**mem_skill.CASES, **ANYWHERE}),
    "base-coat": (base_coat.sound, {**base_coat.CASES, **ANYWHERE}),
    "base-coat-shared": (shared.sound, {**FILES, **shared.CASES, **ANYWHERE}),
    "cognitive": (cognitive.sound, {**FILES, **cognitive.CASES, **ANYWHERE}),
    "claude-code": (claude_code.sound, {**FILES, **claude_code.CASES, **ANYWHERE}),
    "mcp-memory": (mcp_memory.sound, {**mcp_memory.CASES, **ANYWHERE}),
}
CASES = [(format, *case, plant) for format, (_, cases) in STORES.items() for case, plant in cases.items()]
