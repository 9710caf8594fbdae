"""What a scan for contradictions did, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import ScanResult


def scan_as_json(result: ScanResult) -> dict[str, Any]:
    return {
        "memories": result.memories,
        "judged": result.judged,
        "found": result.found,
        "gone": result.gone,
        "left": result.remaining,
        "how": result.limitation,
    }
