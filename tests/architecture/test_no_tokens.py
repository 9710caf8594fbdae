"""No file has a token that looks real: those of tests are made of parts when they run."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
FOLDERS = ("memtui", "tests", "benchmarks", "screenshots", "docs", "schema")
TOKEN = re.compile(
    r"\bAKIA[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bxox[abp]-\d{8,}|\bAIza[\w-]{35}|\bsk-[A-Za-z0-9]{32,}"
)


def test_tokens_are_made_of_parts() -> None:
    files = [path for folder in FOLDERS for path in (REPOSITORY / folder).rglob("*")]
    texts = [path for path in files if path.suffix in (".py", ".md", ".sql", ".svg", ".txt", ".toml")]
    assert len(texts) > 1_000
    found = [str(path) for path in texts if TOKEN.search(path.read_text("utf-8", "replace"))]
    assert not found
    assert TOKEN.search("AKIA" + "IOSFODNN7EXAMQQE")
