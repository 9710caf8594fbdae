"""What a scan for contradictions did, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Swept


def scan_as_json(swept: Swept) -> dict[str, Any]:
    names = ("memories", "judged", "found", "gone", "left", "how")
    return {name: getattr(swept, name) for name in names}
