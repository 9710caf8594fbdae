"""Attached stores, as JSON (S-82)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memtui.memory.records import StoreInfo, iso

if TYPE_CHECKING:
    pass


def store_as_json(info: StoreInfo) -> dict[str, Any]:
    return {
        **asdict(info),
        "pulled_at": iso(info.pulled_at),
        "changed_at": iso(info.changed_at),
        "attached_at": iso(info.attached_at),
    }
