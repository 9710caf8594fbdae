"""How many cases a run tries: a sample in the ordinary test run, all of them in the soak.

`make soak` sets MEMTUI_FULL_SIZE. A test with many similar cases uses `sample_cases` or `shard`, a property
test `examples`, and a test that repeats itself `rounds`.
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
FULL_EXAMPLES = 500  # examples of each property test at full size


def sample_cases(cases: Iterable[Case], limit: int) -> list[Case]:
    """Return at most `limit` of the cases, evenly spaced and with the first and the last; all of them at
    full size. Only for cases that exercise the same code with different data."""
    found = list(cases)
    if FULL or len(found) <= limit:
        return found
    return [found[round(index * (len(found) - 1) / max(1, limit - 1))] for index in range(limit)]


def examples(limit: int, **more: Any) -> settings:  # `more` goes to Hypothesis
    """Return settings for a property test with `limit` examples, or FULL_EXAMPLES at full size."""
    allowed = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    count = max(limit, FULL_EXAMPLES) if FULL else limit
    return settings(max_examples=count, deadline=None, suppress_health_check=allowed, **more)


def rounds(few: int, full: int) -> int:
    """Return how many rounds to run: `full` at full size, else `few`."""
    return full if FULL else few


def log_rounds(part: str, rounds: int, faults: int) -> None:
    """Append to the soak's log, if there is one, how many rounds a test ran and in how many of them a fault
    was injected."""
    if log := os.environ.get("MEMTUI_SOAK_LOG"):
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"part": part, "rounds": rounds, "faults": faults}) + "\n")


def shard(cases: Iterable[Case], index: int, count: int) -> list[Case]:
    """Return every `count`-th case from the one at `index` on; all of them at full size. Tests that use the
    indexes from 0 to `count` - 1 try all cases between them."""
    found = list(cases)
    return found if FULL else found[index % count :: count]
