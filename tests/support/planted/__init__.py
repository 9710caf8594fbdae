"""Small healthy stores of every format, and the problems planted in them that the doctor must find.

A case is a description of the problem, the code of its finding, and the function that plants it in a store.
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
from tests.support.planted.plants import ANY_STORE, FILE_STORES, Plant

NOW = 1_773_100_000.0  # March 2026, later than every time in the stores

# Format → the function that makes a healthy store in a folder, and the problems to plant in it.
STORES: dict[str, tuple[Callable[[Path], Path], dict[tuple[str, str], Plant]]] = {
    "founder-os": (founder_os.healthy_store, {**founder_os.CASES, **ANY_STORE}),
    "minions": (minions.healthy_store, {**minions.CASES, **ANY_STORE}),
    "mem-skill": (mem_skill.healthy_store, {**mem_skill.CASES, **ANY_STORE}),
    "base-coat": (base_coat.healthy_store, {**base_coat.CASES, **ANY_STORE}),
    "base-coat-shared": (shared.healthy_store, {**FILE_STORES, **shared.CASES, **ANY_STORE}),
    "cognitive": (cognitive.healthy_store, {**FILE_STORES, **cognitive.CASES, **ANY_STORE}),
    "claude-code": (claude_code.healthy_store, {**FILE_STORES, **claude_code.CASES, **ANY_STORE}),
    "mcp-memory": (mcp_memory.healthy_store, {**mcp_memory.CASES, **ANY_STORE}),
}
CASES = [(format, *case, plant) for format, (_, cases) in STORES.items() for case, plant in cases.items()]
