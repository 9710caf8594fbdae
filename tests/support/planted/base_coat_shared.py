"""Problems to plant in a folder of Base Coat's shared memories."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.plants import replace, write
from tests.support.stores import base_coat_shared as store
from tests.support.stores.base_coat_shared import APPROVAL, SQUASH, document


def healthy_store(folder: Path) -> Path:
    return store.make(folder / "memories").root


CASES = {
    ("a file without a memory", "no-memory"): write("ci/todo.md", "Buy milk.\n"),
    ("no pattern", "no-pattern"): replace("## Pattern", "## Model", APPROVAL),
    ("a too long pattern", "long-pattern"): replace(
        "## Pattern\n", "## Pattern\n" + "And so on. " * 30, APPROVAL
    ),
    ("no evidence", "no-evidence"): replace("## Evidence", "## Rumour", APPROVAL),
    ("two patterns", "double-section"): write(APPROVAL, "\n## Pattern\n\nAnother one.\n", "ab"),
    ("no subject", "no-subject"): replace('subject: "ci:agent-approval"', 'subject: ""', APPROVAL),
    ("a subject that does not match its path", "odd-subject"): replace(
        "ci:agent-approval", "ci:robots", APPROVAL
    ),
    ("a subject used by two files", "doubled-subject"): replace(
        "git:squash-merge", "ci:agent-approval", SQUASH
    ),
    ("an unknown category", "odd-category"): replace('"convention"', '"whim"', APPROVAL),
    ("a confidence too low to share", "low-confidence"): replace("0.90", "0.40", APPROVAL),
    ("a confidence above 1", "odd-confidence"): replace("0.90", "9.0", APPROVAL),
    ("a confidence in words", "odd-confidence"): replace("0.90", "high", APPROVAL),
    ("an invalid time", "odd-time"): replace('"2026-01-10"', '"early"', APPROVAL),
    ("a time years in the future", "future-time"): replace('"2026-01-10"', '"2071-01-10"', APPROVAL),
    ("a validation before the creation", "odd-order"): replace('"2026-03-01"', '"2019-03-01"', APPROVAL),
    ("not validated for a long time", "stale"): lambda root: [
        replace('created: "2026-01-10"', 'created: "2025-01-10"', APPROVAL)(root),
        replace('last_validated: "2026-03-01"', 'last_validated: "2025-03-01"', APPROVAL)(root),
    ],
    ("a file too many folders down", "too-deep"): write("ci/old/more/way.md", document("ci:way", "So.")),
    ("a symlink instead of a file", "link"): lambda root: (root / "ci" / "out.md").symlink_to("/etc/hosts"),
}
