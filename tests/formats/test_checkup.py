"""What the doctor looks for in bytes takes no longer for those that somebody made to hold it up (S-91)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.formats.claude_code import checks
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.media.files import raw_checks

SECONDS = 1.0  # of the processor; it is a few hundredths
LOOKS: dict[str, Callable[[Path], object]] = {
    "a quote that is never closed": lambda root: list(
        raw_checks.markdown("a.md", b'---\nname: "' + b'\\"' * 30_000 + b"\n---\n")
    ),
    "an index of empty lines": lambda root: list(checks.look(root, {NAME: b"\n" * 20_000})),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_hostile_bytes_are_looked_at_in_no_time(look: Callable[[Path], object], tmp_path: Path) -> None:
    begun = time.process_time()
    look(tmp_path)
    assert time.process_time() - begun < SECONDS


def test_a_quote_within_a_quote_hides_no_alias_behind_it() -> None:
    found = raw_checks.markdown("a.md", b'---\nname: "say \\"&no\\" there"\nbody: [&yes a, *yes]\n---\n')
    assert [each.text for each in found] == ["Front matter uses a YAML anchor or alias: *yes."]
