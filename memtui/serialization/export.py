"""An export, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.selection.budget import Judged
from memtui.values import JsonObject

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.export.new_store import NewStore
    from memtui.export.pack import Pack


def pack_as_json(packed: Pack, file: Path | None, clipboards: str = "") -> JsonObject:
    """Return an export: its "text", or the "file" that has it, and which memories are in and left out;
    "copied_to" names the clipboards.

    Tokens are null where they were not counted; "over" is by how many the text exceeds the budget; "secrets"
    are the uids of included memories that contain one, null where nothing was counted.
    """
    place: JsonObject = {"text": packed.text} if file is None else {"file": str(file)}
    if clipboards:
        place["copied_to"] = clipboards
    return {
        **place,
        "tokens": packed.tokens,
        "unit": packed.unit,
        "counter": packed.counter,
        "included": [
            {"uid": each.uid, "reason": each.reason.value, "tokens": each.tokens or None}
            for each in packed.included
        ],
        "left_out": [_left_out(each) for each in packed.left_out],
        "over": packed.over,
        "secrets": sorted(packed.secrets) if packed.tokens is not None else None,
    }


def new_store_as_json(made: NewStore) -> JsonObject:
    """Return a store that was made: its "store" path, what its format changed and lost of each memory, and
    how many relations among them it has ("relations") and has not ("relations_lost")."""
    return {
        "store": str(made.root),
        "included": [
            {"uid": each.uid, "changed": list(each.changed), "lost": list(each.lost)} for each in made.written
        ],
        "left_out": [{"uid": uid, "why": why} for uid, why in made.refused.items()],
        "relations": made.relations,
        "relations_lost": made.relations_lost,
    }


def _left_out(judged: Judged) -> JsonObject:
    return {
        "uid": judged.uid,
        "reason": judged.reason.value,
        "other": judged.other or None,
        "tokens": judged.tokens or None,
    }
