"""What is planted in a folder of Base Coat's shared memories."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.harm import add, put
from tests.support.stores import base_coat_shared as store
from tests.support.stores.base_coat_shared import APPROVAL, SQUASH, sheet


def sound(folder: Path) -> Path:
    return store.make(folder / "memories").root


CASES = {
    ("a file that is no memory", "no-memory"): add("ci/todo.md", "Buy milk.\n"),
    ("no pattern", "no-pattern"): put("## Pattern", "## Model", APPROVAL),
    ("a pattern too long", "long-pattern"): put(
        "## Pattern\n", "## Pattern\n" + "And so on. " * 30, APPROVAL
    ),
    ("no evidence", "no-evidence"): put("## Evidence", "## Rumour", APPROVAL),
    ("two patterns", "double-section"): add(APPROVAL, "\n## Pattern\n\nAnother one.\n", "ab"),
    ("no subject", "no-subject"): put('subject: "ci:agent-approval"', 'subject: ""', APPROVAL),
    ("a subject of another place", "odd-subject"): put("ci:agent-approval", "ci:robots", APPROVAL),
    ("a subject of two files", "doubled-subject"): put("git:squash-merge", "ci:agent-approval", SQUASH),
    ("a category that nobody knows", "odd-category"): put('"convention"', '"whim"', APPROVAL),
    ("a confidence too low to share", "low-confidence"): put("0.90", "0.40", APPROVAL),
    ("a confidence beyond 1", "odd-confidence"): put("0.90", "9.0", APPROVAL),
    ("a confidence of words", "odd-confidence"): put("0.90", "high", APPROVAL),
    ("a time that is none", "odd-time"): put('"2026-01-10"', '"early"', APPROVAL),
    ("a time years ahead", "future-time"): put('"2026-01-10"', '"2071-01-10"', APPROVAL),
    ("validated before it was made", "odd-order"): put('"2026-03-01"', '"2019-03-01"', APPROVAL),
    ("nobody validated it", "stale"): lambda root: [
        put('created: "2026-01-10"', 'created: "2025-01-10"', APPROVAL)(root),
        put('last_validated: "2026-03-01"', 'last_validated: "2025-03-01"', APPROVAL)(root),
    ],
    ("a file too deep", "too-deep"): add("ci/old/more/way.md", sheet("ci:way", "So.")),
    ("a link in place of a file", "link"): lambda root: (root / "ci" / "out.md").symlink_to("/etc/hosts"),
}
