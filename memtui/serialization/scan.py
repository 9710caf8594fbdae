"""What a scan for contradictions did, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import ScanResult


def scan_as_json(result: ScanResult) -> JsonObject:
    """Return the counts of a scan; "how" is how it was limited."""
    return {
        "memories": result.memories,
        "judged": result.judged,
        "found": result.found,
        "gone": result.gone,
        "left": result.remaining,
        "how": result.limitation,
    }
