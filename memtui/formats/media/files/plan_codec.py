"""Plans of changes to files as JSON (S-7). Bytes become text that converts back to the same bytes."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.formats.contract.plans import Plan
from memtui.formats.media.files.hunks import FileEdit, Hunk
from memtui.values import Json, JsonObject


def dump_plan(plan: Plan) -> JsonObject:
    """Convert a plan to JSON."""
    return {
        "ref": plan.ref,
        "ref_after": plan.ref_after,
        "words": plan.text,
        "also": list(plan.affected_anchors),
        "changes": list(plan.changed_fields),
        "left": plan.digest_after,
        "removed": None if plan.removed_fields is None else dict(plan.removed_fields),
        "edits": [_dump_edit(edit) for edit in plan.edits],
    }


def _dump_edit(edit: FileEdit) -> JsonObject:
    return {
        "name": edit.name,
        "before": edit.before,
        "after": edit.after,
        "whole": _text(edit.content),
        "mode": edit.mode,
        "moved_to": edit.moved_to,
        "of": edit.identity,
        "folders": edit.folder_count,
        "hunks": [
            [h.start, _text(h.old), _text(h.new), _text(h.head), _text(h.tail), h.best_effort]
            for h in edit.hunks
        ],
    }


def load_plan(data: JsonObject) -> Plan:
    """Convert a plan from JSON."""
    removed = data["removed"]
    if removed is not None:
        removed = {k: tuple(v) if isinstance(v, list) else v for k, v in removed.items()}
    return Plan(
        data["ref"],
        data["ref_after"],
        tuple(_load_edit(edit) for edit in data["edits"]),
        data["words"],
        tuple(data["also"]),
        tuple(data["changes"]),
        data["left"],
        removed,
    )


def _load_edit(data: JsonObject) -> FileEdit:
    return FileEdit(
        data["name"],
        data["before"],
        data["after"],
        tuple(_load_hunk(hunk) for hunk in data["hunks"]),
        _bytes(data["whole"]),
        data["mode"],
        data.get("moved_to", ""),  # the oldest plans lack this and the following keys
        data.get("of", ""),
        data.get("folders", 0),
    )


def _load_hunk(data: Sequence[Json]) -> Hunk:
    start, old, new, head, tail, best_effort = data
    return Hunk(start, _bytes(old), _bytes(new), _bytes(head), _bytes(tail), best_effort)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
