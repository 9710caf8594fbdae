"""The raw checks take no longer on bytes made to slow them down (S-91)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.formats.claude_code import checks
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.media.files import raw_checks

MAX_SECONDS = 1.0  # processor time; usually a few hundredths
CHECKS: dict[str, Callable[[Path], object]] = {
    "a quote that is never closed": lambda root: list(
        raw_checks.markdown("a.md", b'---\nname: "' + b'\\"' * 30_000 + b"\n---\n")
    ),
    "an index of empty lines": lambda root: list(checks.check(root, {INDEX_FILE: b"\n" * 20_000})),
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_hostile_bytes_are_checked_fast(check: Callable[[Path], object], tmp_path: Path) -> None:
    start = time.process_time()
    check(tmp_path)
    assert time.process_time() - start < MAX_SECONDS


def test_an_escaped_quote_does_not_hide_an_alias() -> None:
    findings = raw_checks.markdown("a.md", b'---\nname: "say \\"&no\\" there"\nbody: [&yes a, *yes]\n---\n')
    assert [finding.text for finding in findings] == ["Front matter uses a YAML anchor or alias: *yes."]
