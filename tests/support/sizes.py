"""How much of everything a run tries: a fair share when all tests run, everything in the soak.

`make soak` sets MEMTUI_FULL_SIZE. A test that has many like cases takes its share with `share`, a
property test its examples with `examples`, and a test that goes round and round its rounds with `rounds`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

Case = TypeVar("Case")

FULL = bool(os.environ.get("MEMTUI_FULL_SIZE"))
SEQUENCES = 500  # examples of each property test at full size


def share(cases: Iterable[Case], most: int) -> list[Case]:
    """At most so many of the cases, spread evenly over all of them, the first and the last with them;
    all of them at full size. Only for cases that try the same lines of memtui with other data."""
    found = list(cases)
    if FULL or len(found) <= most:
        return found
    return [found[round(place * (len(found) - 1) / max(1, most - 1))] for place in range(most)]


def examples(most: int, **more: Any) -> settings:
    """Settings for a property test: so many examples, or SEQUENCES of them at full size."""
    allowed = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    count = max(most, SEQUENCES) if FULL else most
    return settings(max_examples=count, deadline=None, suppress_health_check=allowed, **more)


def rounds(few: int, full: int) -> int:
    """How often to go round: `full` times at full size."""
    return full if FULL else few


def count(part: str, rounds: int, faults: int) -> None:
    """Tell the soak, if it listens, what a test tried: rounds, and those in which a fault was injected."""
    if log := os.environ.get("MEMTUI_SOAK_LOG"):
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"part": part, "rounds": rounds, "faults": faults}) + "\n")


def turn(cases: Iterable[Case], number: int, of: int) -> list[Case]:
    """Every `of`-th of the cases, beginning at the one numbered `number`; all of them at full size. Tests
    that are given the numbers below `of`, one each, try all cases between them."""
    found = list(cases)
    return found if FULL else found[number % of :: of]
